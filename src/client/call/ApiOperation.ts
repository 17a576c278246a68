/**
 * An operation, of any API: an endpoint with the functions that prepare its requests and read its responses.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Endpoint from "../../contract/Endpoint.js"
import type { GatewayId } from "../../contract/Messages.js"
import { ownMember } from "../../basics/OwnMember.js"
import { plainCopy, withMembers } from "../../basics/PlainData.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { AnyReason, ApiTypes, ApiTypesV3 } from "../error/AnyReason.js"
import type { GatewayErrorReason, InvalidField } from "../error/GatewayError.js"
import type { TransportRequest, TransportResponse } from "../transport/Sender.js"
import type { CallSubject, FailedCall } from "./FailureReason.js"
import { requestEncoder } from "./RequestEncoder.js"
import type { Reading } from "./ResponseReader.js"

/** A request that was checked and encoded, without the parts that depend on the gateway and the merchant. */
export interface PreparedRequest<out Api extends ApiTypes = ApiTypesV3> {
  /** Path and query, relative to the API's base address. */
  readonly path: string
  readonly contentType: string | undefined
  readonly body: string | undefined
  /** The payment or card that it is about. */
  readonly subject: FailedCall["subject"]
  /** Makes the record of a change; absent for a read. */
  readonly recordOf: ((sent: Sending) => Api["change"]) | undefined
  /** Everything that is sent on behalf of the caller: no error may repeat its texts. */
  readonly sent: unknown
  readonly extraFields: ReadonlyArray<string>
}

/** Whose change is sent, and when. */
export interface Sending {
  readonly goid: GatewayId
  readonly sentAt: string
}

/** An endpoint with the functions that prepare its requests and read its responses. */
export interface Operation<
  out Response,
  out Reason extends AnyReason = GatewayErrorReason,
  out Api extends ApiTypes = ApiTypesV3
> {
  readonly name: Api["name"]
  readonly kind: "read" | "change"
  readonly method: TransportRequest["method"]
  /** The form of a success. */
  readonly carries: Endpoint.ResponsePayload<unknown>["type"]
  /** Relative to the API's base address, with its parameters in braces. */
  readonly path: string
  /** How many arguments it takes. */
  readonly arity: number
  /** The member of a response with the id of what the operation creates; absent if it creates nothing. */
  readonly creates?: keyof CallSubject | undefined
  /** What to do if the outcome is unknown, if the API has advice. */
  readonly advice?: string
  readonly isReason: (reason: AnyReason) => reason is Reason
  /** Checks and encodes the arguments, or names every field that is wrong. */
  readonly prepare: (
    args: ReadonlyArray<unknown>,
    settings: GatewaySettings
  ) => Result.Result<PreparedRequest<Api>, ReadonlyArray<InvalidField>>
  readonly read: (response: TransportResponse, reading: Reading) => Result.Result<Response, AnyReason>
}

/** The configured values of request fields that the caller has left out. */
export type Defaults = (settings: GatewaySettings) => { readonly [field: string]: unknown }

/** A parameter of a path. */
export interface PathParameter {
  /** The text of a value in a path; `undefined` if the value is not valid. */
  readonly read: (value: unknown) => string | number | undefined
  /** The message for a value that is not valid. */
  readonly problem: string
  /** Where the value comes from if it is not an argument. */
  readonly configured?: ((settings: GatewaySettings) => unknown) | undefined
  /** The subject of a call with this value. */
  readonly subjectOf?: ((value: string | number) => CallSubject) | undefined
}

/** How the requests of an endpoint are prepared. */
export interface Preparation<out Api extends ApiTypes> {
  readonly path: string
  readonly request: Endpoint.RequestPayload<unknown>
  readonly parameter: (name: string) => PathParameter
  readonly defaults: Defaults
  /** The message for an object passed to an operation without a request. */
  readonly notTaken: string
  readonly record: ((subject: CallSubject | undefined, request: unknown, sent: Sending) => Api["change"]) | undefined
}

/**
 * Makes the function that prepares requests. Its arguments are the parameters of the path, in order, and then the
 * request. A `goid` that is `undefined` is the configured one.
 */
export const preparation = <Api extends ApiTypes>({
  defaults,
  notTaken,
  parameter,
  path,
  record,
  request: payload
}: Preparation<Api>): Pick<Operation<unknown, AnyReason, Api>, "arity" | "prepare"> => {
  const encode = requestEncoder(payload)
  const { fill, parameters } = pathFiller(path, parameter)
  const arity = "schema" in payload ? parameters + 1 : parameters
  return {
    arity,
    prepare: refuseUnreadable<Api>((args, settings) => {
      const { filled, subject, wrong } = fill(args, settings)
      if (Predicate.isObject(args[arity])) wrong.push({ field: "request", message: notTaken })
      if (wrong.length > 0) return Result.fail(wrong)
      // Read only once, so that exactly what was checked is sent.
      const request = plainCopy(args[parameters])
      return Result.map(
        encode(Predicate.isObject(request) ? withDefaults(request, defaults(settings)) : request),
        ({ body, contentType, extraFields, query, value }) => ({
          path: filled + query,
          contentType,
          body,
          subject,
          sent: value,
          recordOf: record && ((sent) => record(subject, value, sent)),
          extraFields
        })
      )
    })
  }
}

const withDefaults = (
  request: { readonly [field: string]: unknown },
  defaults: { readonly [field: string]: unknown }
): object => {
  const missing = Object.entries(defaults).filter(([field]) => ownMember(request, field) === undefined)
  return missing.length === 0 ? request : withMembers([...Object.entries(request), ...missing])
}

/** Reading a member of an argument may throw. */
const refuseUnreadable =
  <Api extends ApiTypes>(
    prepare: Operation<unknown, AnyReason, Api>["prepare"]
  ): Operation<unknown, AnyReason, Api>["prepare"] =>
  (args, settings) => {
    try {
      return prepare(args, settings)
    } catch {
      return Result.fail([{ field: "request", message: "cannot be read" }])
    }
  }

/** A path with its parameters filled in, its subject, and every parameter that is wrong. */
interface FilledPath {
  readonly filled: string
  readonly subject: FailedCall["subject"]
  readonly wrong: Array<InvalidField>
}

/** Makes the function that fills in the parameters of a path, which is parsed once. */
const pathFiller = (path: string, parameter: (name: string) => PathParameter) => {
  const [start = "", ...rest] = path.split("{")
  const parts = rest.map((part) => {
    const [name = "", literal = ""] = part.split("}")
    return { name, literal, ...parameter(name) }
  })
  const given = parts.filter(({ configured }) => configured === undefined)
  const fill = (args: ReadonlyArray<unknown>, settings: GatewaySettings): FilledPath => {
    const wrong: Array<InvalidField> = []
    let filled = start
    let subject: FailedCall["subject"]
    for (const part of parts) {
      const { configured, literal, name, problem, read, subjectOf } = part
      const argument = args[given.indexOf(part)]
      const isLeftOut = name === "goid" && argument === undefined
      const value = read(configured?.(settings) ?? (isLeftOut ? settings.goid : argument))
      if (value === undefined) wrong.push({ field: name, message: problem })
      else subject ??= subjectOf?.(value)
      filled += `${value}${literal}`
    }
    return { filled, subject, wrong }
  }
  return { parameters: given.length, fill }
}
