/**
 * The gateway's operations: endpoints made ready to call, whose requests are prepared, and responses read.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { canonicalId, notAnId } from "../../contract/CanonicalId.js"
import * as Endpoint from "../../contract/Endpoint.js"
import { type Subject, subjectOfParameter } from "../../contract/Subject.js"
import { ownMember } from "../../basics/OwnMember.js"
import { plainCopy, withMembers } from "../../basics/PlainData.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import { keptOf } from "../error/RecordedFacts.js"
import type { GatewayErrorReason, InvalidField } from "../error/GatewayError.js"
import type {
  CardChangeReason,
  CardReadReason,
  ChangeReason,
  PaymentChangeReason,
  PaymentReadReason,
  ReadReason
} from "../error/GatewayFailure.js"
import type { ChangeOperation, GatewayOperations, OperationName } from "../../contract/GatewayOperations.js"
import type { TransportRequest, TransportResponse } from "../transport/Sender.js"
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
  readonly change: Omit<ChangeRecord, "sentAt"> | undefined
  /** All that is sent of the caller's: no error may repeat its texts. */
  readonly sent: unknown
  readonly extraFields: ReadonlyArray<string>
}

/** An endpoint made ready for use: requests are prepared with it, responses read. */
export interface Operation<out Response, out Reason extends GatewayErrorReason = GatewayErrorReason> {
  readonly name: OperationName
  readonly kind: "read" | "change"
  readonly method: TransportRequest["method"]
  /** The form of a success. */
  readonly carries: Endpoint.ResponsePayload<unknown>["type"]
  /** Relative to the API's base address, with its parameters in braces. */
  readonly path: string
  /** How many arguments it takes. */
  readonly arity: number
  readonly isReason: (reason: GatewayErrorReason) => reason is Reason
  /** Checks and encodes the arguments, or names every field that is wrong. */
  readonly prepare: (
    args: ReadonlyArray<unknown>,
    settings: GatewaySettings
  ) => Result.Result<PreparedRequest, ReadonlyArray<InvalidField>>
  readonly read: (response: TransportResponse, reading: Reading) => Result.Result<Response, GatewayErrorReason>
}

/** Why an operation may fail, by the kind and the path of its endpoint. */
type EndpointReason<Kind extends "read" | "change", Path extends string> = Path extends `${string}{id}${string}`
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

const isReasonOf =
  <Kind extends "read" | "change", Path extends string>(kind: Kind, path: Path) =>
  (reason: GatewayErrorReason): reason is EndpointReason<Kind, Path> => {
    switch (reason._tag) {
      case "OutcomeUnknown":
        return kind === "change"
      case "PaymentNotFound":
        return path.includes("{id}")
      case "CardNotFound":
        return path.includes("{card_id}")
      case "AuthenticationFailed":
      case "GatewayUnavailable":
      case "InvalidRequest":
      case "OperationRefused":
      case "PermissionDenied":
      case "RateLimited":
      case "UnexpectedResponse":
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
  endpoint: Endpoint.Endpoint<OperationName, Kind, Path, Request, Response>,
  defaults: Defaults = () => ({})
): Operation<Response, EndpointReason<Kind, Path>> => {
  const { kind, method, name, path } = endpoint
  const encode = requestEncoder(endpoint.request)
  const { fill, parameters } = pathFiller(path)
  const arity = "schema" in endpoint.request ? parameters + 1 : parameters
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
      const { filled, subject, wrong } = fill(args, settings)
      if (Predicate.isObject(args[arity])) wrong.push(notTaken(name))
      if (wrong.length > 0) return Result.fail(wrong)
      // Read once: what is checked is what is sent.
      const request = plainCopy(args[parameters])
      return Result.map(
        encode(Predicate.isObject(request) ? withDefaults(request, defaults(settings)) : request),
        ({ body, contentType, extraFields, query, value }) => ({
          path: filled + query,
          contentType,
          body,
          subject,
          sent: value,
          change: changeName && { operation: changeName, ...subject, ...keptOf(changeName, value) },
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
): object => {
  const missing = Object.entries(defaults).filter(([field]) => ownMember(request, field) === undefined)
  return missing.length === 0 ? request : withMembers([...Object.entries(request), ...missing])
}

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
  message: name === "captureAuthorization" ? partialCapture : `is not accepted by ${name}`
})

/** What whoever gives a request to the capture of the whole is told. */
export const partialCapture = "is not accepted by captureAuthorization: captureAuthorizationPartial captures a part"

const isChange = (endpoint: {
  readonly name: OperationName
  readonly kind: "read" | "change"
}): endpoint is { readonly name: ChangeOperation; readonly kind: "change" } => endpoint.kind === "change"

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** A path with its parameters filled in, what it is about, and every parameter that is wrong. */
interface FilledPath {
  readonly filled: string
  readonly subject: FailedCall["subject"]
  readonly wrong: Array<InvalidField>
}

/** Makes what fills in the parameters of a path, which is parsed once. */
const pathFiller = (path: string) => {
  const [start = "", ...rest] = path.split("{")
  const parts = rest.map((part) => {
    const [name = "", literal = ""] = part.split("}")
    return { name, literal, read: name === "currency" ? currencyCode : canonicalId, subject: subjectOfParameter(name) }
  })
  const fill = (args: ReadonlyArray<unknown>, { goid }: GatewaySettings): FilledPath => {
    const wrong: Array<InvalidField> = []
    let filled = start
    let subject: FailedCall["subject"]
    parts.forEach(({ literal, name, read, subject: member }, index) => {
      const value = read(name === "goid" && args[index] === undefined ? goid : args[index])
      if (value === undefined) wrong.push({ field: name, message: read === currencyCode ? notACurrency : notAnId })
      else if (typeof value === "number" && member !== undefined) subject ??= subjectWith(member, value)
      filled += `${value}${literal}`
    })
    return { filled, subject, wrong }
  }
  return { parameters: parts.length, fill }
}

const subjectWith = (member: Subject, id: number): FailedCall["subject"] =>
  member === "paymentId" ? { paymentId: id } : { cardId: id }

const notACurrency = "must be a currency code, such as CZK"

const currencyCode = (value: unknown): string | undefined =>
  typeof value === "string" && /^\w+$/.test(value) ? value : undefined

// ---------------------------------------------------------------------------------------------------------------------
// The operations
// ---------------------------------------------------------------------------------------------------------------------

type OperationOf<Name extends keyof GatewayOperations> = Operation<ReturnType<GatewayOperations[Name]>, ReasonOf<Name>>

/** The reasons that an operation may fail for. */
export type ReasonOf<Name extends keyof GatewayOperations> = EndpointReason<
  EndpointOf<Name>["kind"],
  EndpointOf<Name>["path"]
>

/** Found by its name: an operation that has no endpoint yet is then named by `operations`, and by nothing before it. */
type EndpointOf<Name extends keyof GatewayOperations> = Extract<
  (typeof Endpoint)[keyof typeof Endpoint],
  { readonly name: Name }
>

export const operations: { readonly [Name in keyof GatewayOperations]: OperationOf<Name> } = {
  createPayment: make(Endpoint.createPayment, ({ goid, language }) => ({
    target: { type: "ACCOUNT", goid },
    lang: language
  })),
  getPayment: make(Endpoint.getPayment),
  refundPayment: make(Endpoint.refundPayment),
  getPaymentRefunds: make(Endpoint.getPaymentRefunds),
  createRecurrence: make(Endpoint.createRecurrence),
  voidRecurrence: make(Endpoint.voidRecurrence),
  captureAuthorization: make(Endpoint.captureAuthorization),
  captureAuthorizationPartial: make(Endpoint.captureAuthorizationPartial),
  voidAuthorization: make(Endpoint.voidAuthorization),
  getCardDetails: make(Endpoint.getCardDetails),
  deleteCard: make(Endpoint.deleteCard),
  getPaymentInstruments: make(Endpoint.getPaymentInstruments),
  getPaymentInstrumentsAll: make(Endpoint.getPaymentInstrumentsAll),
  getAccountStatement: make(Endpoint.getAccountStatement, ({ goid }) => ({ goid })),
  getPaymentQr: make(Endpoint.getPaymentQr)
}

type EachOperation<out Value> = { readonly [Name in keyof GatewayOperations]: Value }

export const methodsOf = <Method>(methodOf: (operation: Operation<unknown>) => Method): EachOperation<Method> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names stay, only the types of `Object` lose them
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, methodOf(operation)])
  ) as EachOperation<Method>
