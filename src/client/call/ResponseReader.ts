/**
 * Reads responses. A response that is not a success becomes the reason of a failure.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import type { ResponsePayload } from "../../contract/Endpoint.js"
import { withExtraFields } from "../../contract/ExtraFields.js"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import type { ErrorItem, GatewayId } from "../../contract/Messages.js"
import { withoutNulls } from "../../basics/Nulls.js"
import { plainJson } from "../../basics/PlainData.js"
import type { AnyReason } from "../error/AnyReason.js"
import { maxTimer, type TransportResponse } from "../transport/Sender.js"
import { failed, type FailedCall, type Refusal, unusable } from "./FailureReason.js"

export interface Reading {
  readonly call: FailedCall
  /** Milliseconds since 1970. */
  readonly now: number
  /** Applied to every text from the gateway that becomes part of an error. */
  readonly redact: (text: string) => string
}

/** How one API expresses refusals, and what they mean. */
export interface RefusalLanguage {
  /** The gateway's own errors in the JSON of a response, if there are any that can be read. */
  readonly errorsIn: (json: unknown) => ReadonlyArray<ErrorItem> | undefined
  /** The requested path, as the JSON of a refusal names it. */
  readonly pathIn?: (json: unknown) => string | undefined
  /** Whether the JSON claims to contain errors, whatever the status of the response. */
  readonly claimsErrors: (json: { readonly [member: string]: unknown }) => boolean
  /**
   * Whether a text is the gateway's own name of a code. It cannot repeat anything, even if words of the request occur
   * in it.
   */
  readonly isName: (text: string, code: number) => boolean
  readonly reasonOf: (call: FailedCall, refusal: Refusal) => AnyReason
}

interface CompleteResponse extends TransportResponse {
  readonly data: ArrayBuffer
}

export const responseReader = <Response>(
  payload: ResponsePayload<Response>,
  language: RefusalLanguage,
  expectedStatus?: number
): ((response: TransportResponse, reading: Reading) => Result.Result<Response, AnyReason>) => {
  const refusals = refusalReader(language)
  const decode = responseDecoder(payload, refusals)
  return (response, reading) => {
    const { data, isBodyTaken, isOfAnother, status } = response
    if (isOfAnother === true)
      return Result.fail(unusable(reading.call, status, "it is of another request, as after a redirect"))
    if (isBodyTaken === true) return Result.fail(unusable(reading.call, status, bodyTaken))
    if (status < 200 || status > 299)
      return Result.fail(language.reasonOf(reading.call, refusals.read(response, reading)))
    if (expectedStatus !== undefined && status !== expectedStatus) {
      return Result.fail(unusable(reading.call, status, `${expectedStatus} was expected`))
    }
    if (data === undefined) return Result.fail(unusable(reading.call, status, "it is longer than maxResponseBytes"))
    return decode({ ...response, data }, reading)
  }
}

const bodyTaken =
  "the HttpClient has read its body by stream or formData, which keep nothing: text, json and arrayBuffer do"

const responseDecoder = <Response>(
  payload: ResponsePayload<Response>,
  { notSuccess }: RefusalReader
): ((response: CompleteResponse, reading: Reading) => Result.Result<Response, AnyReason>) => {
  switch (payload.type) {
    case "none":
      return (response, reading) =>
        response.status === 204
          ? Result.succeed(payload.value)
          : Result.fail(notSuccess(response, reading) ?? unusable(reading.call, response.status, "204 was expected"))
    case "file":
      return (response, reading) => {
        const failure = notFile(response, reading, notSuccess)
        return failure === undefined
          ? Result.succeed(
              payload.read({
                data: response.data,
                contentType: response.header("content-type") ?? null,
                contentDisposition: response.header("content-disposition") ?? null
              })
            )
          : Result.fail(failure)
      }
    case "json": {
      const decode = SchemaParser.decodeUnknownResult(payload.schema)
      const isAsItCame = SchemaAST.isUnknown(payload.schema.ast)
      const { doubt, failure } = payload
      return (response, reading) => {
        const json = parseJson(bodyText(response))
        if (json === undefined) return Result.fail(unusable(reading.call, response.status, "it is not JSON"))
        const notSucceeded = notSuccess(response, reading, json)
        if (notSucceeded !== undefined) return Result.fail(notSucceeded)
        const decoded = decode(isAsItCame ? json.value : json.plain)
        if (Result.isFailure(decoded)) {
          // The path to the wrong field consists of member names chosen by the gateway.
          const problem = reading.redact(describeFields(invalidFields(decoded.failure)))
          return Result.fail(unusable(reading.call, response.status, problem))
        }
        const value = withExtraFields(decoded.success, withoutNulls(json.plain))
        const problem = doubt?.(value, { ...reading.call.change, id: requestedId(reading.call) })
        if (problem !== undefined) return Result.fail(unusable(reading.call, response.status, problem))
        const description = failure?.(value)
        return description === undefined
          ? Result.succeed(value)
          : Result.fail(failed(response.status, reading.redact(description)))
      }
    }
  }
}

const requestedId = ({ subject }: FailedCall): GatewayId | undefined => Object.values(subject ?? {})[0]

const decoder = new TextDecoder()

const bodyText = ({ data }: TransportResponse): string => decoder.decode(data)

interface ParsedJson {
  readonly value: unknown
  /** The same value for a decoder, in which an absent member is absent. */
  readonly plain: unknown
}

const parseJson = (text: string): ParsedJson | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return { value, plain: plainJson(value) }
  } catch {
    return undefined
  }
}

/** More than any request has fields. Of further errors, only the codes are kept. */
const maxErrors = 100

interface RefusalReader {
  readonly read: (response: TransportResponse, reading: Reading, json?: ParsedJson) => Refusal
  /** A response with errors is never a success, whatever its status. */
  readonly notSuccess: (response: TransportResponse, reading: Reading, json?: ParsedJson) => AnyReason | undefined
}

const refusalReader = ({ claimsErrors, errorsIn, isName, pathIn, reasonOf }: RefusalLanguage): RefusalReader => {
  const redacted = (error: ErrorItem, { redact }: Reading): ErrorItem => ({
    ...error,
    ...Object.fromEntries(
      Object.entries(error).flatMap(([name, value]) =>
        typeof value === "string" && !isName(value, error.error_code) ? [[name, redact(value)]] : []
      )
    )
  })
  const read: RefusalReader["read"] = (response, reading, json = parseJson(bodyText(response))) => {
    const errors = json === undefined ? undefined : errorsIn(json.plain)
    return {
      status: response.status,
      errors: errors?.slice(0, maxErrors).map((error) => redacted(error, reading)),
      codes: new Set(errors?.map(({ error_code }) => error_code)),
      path: json === undefined ? undefined : pathIn?.(json.plain),
      retryAfter: retryAfter(response.header("retry-after"), reading.now)
    }
  }
  return {
    read,
    notSuccess: (response, reading, json = parseJson(bodyText(response))) => {
      if (json === undefined || !Predicate.isObject(json.plain) || !claimsErrors(json.plain)) return undefined
      const refusal = read(response, reading, json)
      return refusal.errors === undefined
        ? unusable(reading.call, response.status, "it carries errors that cannot be read")
        : reasonOf(reading.call, refusal)
    }
  }
}

/** Parses seconds or a date, capped at the longest wait of a timer. */
const retryAfter = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxTimer)
  const date = text.endsWith("GMT") ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maxTimer)
}

/** A file is neither a web page, a JSON response nor an empty body. */
const notFile = (
  response: CompleteResponse,
  reading: Reading,
  notSuccess: RefusalReader["notSuccess"]
): AnyReason | undefined => {
  const unusableFile = (problem: string) => unusable(reading.call, response.status, problem)
  if (response.data.byteLength === 0) return unusableFile("it is empty")
  const contentType = response.header("content-type") ?? ""
  const start = decoder.decode(response.data.slice(0, 1024)).replace(/^(\s|<\?xml[^>]*>|<!--[^]*?-->)+/i, "")
  if (
    /^<(!doctype html|html|head|title|body)\b/i.test(start) ||
    /^(text\/html|application\/xhtml)/i.test(contentType)
  ) {
    return unusableFile("it is an HTML page")
  }
  const isJson =
    start.startsWith("{") ||
    /^application\/json/i.test(contentType) ||
    (start.startsWith("[") && parseJson(bodyText(response)) !== undefined)
  return isJson ? (notSuccess(response, reading) ?? unusableFile("it is JSON, not a file")) : undefined
}
