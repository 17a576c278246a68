/**
 * Endpoints made ready to call: requests are prepared, responses read.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { canonicalId, notAnId } from "../../contract/CanonicalId.js"
import type { Endpoint, ResponsePayload } from "../../contract/Endpoint.js"
import { ownMember } from "../../contract/OwnMember.js"
import { plainCopy, withMembers } from "../../contract/PlainData.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type {
  CardChangeReason,
  CardReadReason,
  ChangeReason,
  GatewayErrorReason,
  InvalidField,
  PaymentChangeReason,
  PaymentReadReason,
  ReadReason
} from "../error/GatewayError.js"
import type { ChangeOperation, OperationName } from "../error/OperationName.js"
import type { TransportRequest, TransportResponse } from "../transport/TransportRequest.js"
import type { FailedCall } from "./FailureReason.js"
import { requestEncoder } from "./RequestEncoder.js"
import { type Reading, responseReader } from "./ResponseReader.js"

/** A request, checked and encoded, without what differs between gateways and merchants. */
export interface PreparedRequest {
  /** Path and query, relative to the API's base address. */
  readonly path: string
  readonly contentType: string | undefined
  readonly body: string | undefined
  /** The payment or card that it is about. */
  readonly subject: FailedCall["subject"]
  /** The change it makes, when it is one. */
  readonly change: Omit<ChangeRecord, "sentAt"> | undefined
  /** All that is sent of the caller's: no error may repeat its texts. */
  readonly sent: unknown
  /** The names of the `extraFields`. */
  readonly extraFields: ReadonlyArray<string>
}

/** An endpoint made ready for use: requests are prepared with it, responses read. */
export interface Operation<out Response, out Reason extends GatewayErrorReason = GatewayErrorReason> {
  readonly name: OperationName
  readonly kind: "read" | "change"
  readonly method: TransportRequest["method"]
  /** The form of a success. */
  readonly carries: ResponsePayload<unknown>["type"]
  /** Relative to the API's base address, with its parameters in braces. */
  readonly path: string
  /** How many arguments it takes. */
  readonly arity: number
  /** Whether it may fail for a reason. */
  readonly isReason: (reason: GatewayErrorReason) => reason is Reason
  /** Checks and encodes the arguments, or names every field that is wrong. */
  readonly prepare: (
    args: ReadonlyArray<unknown>,
    settings: GatewaySettings
  ) => Result.Result<PreparedRequest, ReadonlyArray<InvalidField>>
  /** Reads a response. */
  readonly read: (response: TransportResponse, reading: Reading) => Result.Result<Response, GatewayErrorReason>
}

/** Why an operation may fail, by the kind and the path of its endpoint. */
export type ReasonOf<Kind extends "read" | "change", Path extends string> = Path extends `${string}{id}${string}`
  ? Kind extends "read"
    ? PaymentReadReason
    : PaymentChangeReason
  : Path extends `${string}{card_id}${string}`
    ? Kind extends "read"
      ? CardReadReason
      : CardChangeReason
    : Kind extends "read"
      ? ReadReason
      : ChangeReason

/** Tests whether the operation can fail with a reason. */
const isReasonOf =
  <Kind extends "read" | "change", Path extends string>(kind: Kind, path: Path) =>
  (reason: GatewayErrorReason): reason is ReasonOf<Kind, Path> => {
    switch (reason._tag) {
      case "OutcomeUnknown":
        return kind === "change"
      case "PaymentNotFound":
        return path.includes("{id}")
      case "CardNotFound":
        return path.includes("{card_id}")
      default:
        return true
    }
  }

/** Configured values for request fields that the caller left out. */
type Defaults = (settings: GatewaySettings) => { readonly [field: string]: unknown }

/**
 * Makes an endpoint ready for use. Its arguments are the parameters of its path, in their order, and then its request.
 * A `goid` that is `undefined` is the configured one.
 */
export const make = <Kind extends "read" | "change", Path extends string, Request, Response>(
  endpoint: Endpoint<OperationName, Kind, Path, Request, Response>,
  defaults: Defaults = () => ({})
): Operation<Response, ReasonOf<Kind, Path>> => {
  const { kind, method, name, path } = endpoint
  const encode = requestEncoder(endpoint.request)
  const fillPath = pathFiller(path)
  const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter = ""]) => parameter)
  const arity = "schema" in endpoint.request ? parameters.length + 1 : parameters.length
  const changeName = isChange(endpoint) ? endpoint.name : undefined
  return {
    name,
    kind,
    method,
    carries: endpoint.response.type,
    path,
    arity,
    isReason: isReasonOf(kind, path),
    prepare: refuseUnreadable((args, settings) => {
      const params = Object.fromEntries(
        parameters.map((parameter, index) => [
          parameter,
          parameter === "goid" && args[index] === undefined ? settings.goid : args[index]
        ])
      )
      const { filled, wrong } = checkedParams(params)
      if (Predicate.isObject(args[arity])) wrong.push(notTaken(name))
      if (wrong.length > 0) return Result.fail(wrong)
      const subject = subjectOf(filled)
      // Read once: what is checked is what is sent.
      const request = plainCopy(args[parameters.length])
      return Result.map(
        encode(Predicate.isObject(request) ? withDefaults(request, defaults(settings)) : request),
        ({ body, contentType, extraFields, query, value }) => ({
          path: fillPath(filled) + query,
          contentType,
          body,
          subject,
          sent: value,
          change: changeName === undefined ? undefined : { operation: changeName, ...subject, ...sentValues(value) },
          extraFields
        })
      )
    }),
    read: responseReader(endpoint.response)
  }
}

const withDefaults = (
  request: { readonly [field: string]: unknown },
  defaults: { readonly [field: string]: unknown }
): object =>
  withMembers([
    ...Object.entries(request),
    ...Object.entries(defaults).filter(([field]) => ownMember(request, field) === undefined)
  ])

/** A member of an argument may throw when it is checked. */
const refuseUnreadable =
  (prepare: Operation<unknown>["prepare"]): Operation<unknown>["prepare"] =>
  (args, settings) => {
    try {
      return prepare(args, settings)
    } catch {
      return Result.fail([{ field: "request", message: "cannot be read" }])
    }
  }

const notTaken = (name: OperationName): InvalidField => ({
  field: "request",
  message: `is not taken by ${name}`
})

const isChange = (endpoint: {
  readonly name: OperationName
  readonly kind: "read" | "change"
}): endpoint is { readonly name: ChangeOperation; readonly kind: "change" } => endpoint.kind === "change"

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** The parameters of a path, ids as the numbers that they name, and every one that is wrong. */
const checkedParams = (params: {
  readonly [name: string]: unknown
}): { readonly filled: { readonly [name: string]: unknown }; readonly wrong: Array<InvalidField> } => {
  const filled: Array<readonly [field: string, value: unknown]> = []
  const wrong: Array<InvalidField> = []
  for (const [field, value] of Object.entries(params)) {
    if (field === "currency") {
      filled.push([field, value])
      if (typeof value === "string" && /^\w+$/.test(value)) continue
      wrong.push({ field, message: "must be a currency code, such as CZK" })
    } else {
      const id = canonicalId(value)
      filled.push([field, id])
      if (id === undefined) wrong.push({ field, message: notAnId })
    }
  }
  return { filled: Object.fromEntries(filled), wrong }
}

/** Fills in the parameters of a path, which is parsed once. */
const pathFiller = (path: string): ((params: { readonly [name: string]: unknown }) => string) => {
  const [start = "", ...rest] = path.split("{").map((part) => part.split("}"))
  return (params) =>
    rest.reduce(
      (filled, [name = "", literal = ""]) => filled + encodeURIComponent(String(ownMember(params, name))) + literal,
      start[0] ?? ""
    )
}

const subjectOf = (params: { readonly [name: string]: unknown }): FailedCall["subject"] => {
  const { card_id: cardId, id: paymentId } = params
  if (typeof paymentId === "number") return { paymentId }
  return typeof cardId === "number" ? { cardId } : undefined
}

/** The values of a request that help to find out later whether the gateway carried it out. */
const sentValues = (request: unknown): Pick<ChangeRecord, "amount" | "currency" | "orderNumber"> => {
  if (!Predicate.isObject(request)) return {}
  const [amount, currency, order_number] = ["amount", "currency", "order_number"].map((name) =>
    ownMember(request, name)
  )
  return {
    ...(typeof amount === "number" ? { amount } : undefined),
    ...(typeof currency === "string" ? { currency } : undefined),
    ...(typeof order_number === "string" ? { orderNumber: order_number } : undefined)
  }
}
