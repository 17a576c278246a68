/**
 * Reads responses, and turns those that are no success into the reason of the failure.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import { ErrorCodes } from "../../contract/CodeLists.js"
import type { ResponsePayload } from "../../contract/Endpoint.js"
import * as ResponseSchema from "../../contract/ResponseSchema.js"
import { withExtraFields } from "../../contract/ExtraFields.js"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import type { ErrorItem } from "../../contract/Messages.js"
import { withoutNulls } from "../../basics/Nulls.js"
import { ownMember } from "../../basics/OwnMember.js"
import { plainJson } from "../../basics/PlainData.js"
import type { GatewayErrorReason } from "../error/GatewayError.js"
import { maxTimer, type TransportResponse } from "../transport/Sender.js"
import { failed, type FailedCall, type Refusal, refused, unusable } from "./FailureReason.js"

export interface Reading {
  readonly call: FailedCall
  /** Milliseconds since 1970. */
  readonly now: number
  /** Applied to every text of the gateway that becomes part of an error. */
  readonly redact: (text: string) => string
}

interface CompleteResponse extends TransportResponse {
  readonly data: ArrayBuffer
}

export const responseReader = <Response>(
  payload: ResponsePayload<Response>
): ((response: TransportResponse, reading: Reading) => Result.Result<Response, GatewayErrorReason>) => {
  const decode = responseDecoder(payload)
  return (response, reading) => {
    const { data, isBodyTaken, isOfAnother, status } = response
    if (isOfAnother === true)
      return Result.fail(unusable(reading.call, status, "it is of another request, as after a redirect"))
    if (isBodyTaken === true) return Result.fail(unusable(reading.call, status, bodyTaken))
    if (status < 200 || status > 299) return Result.fail(refused(reading.call, readRefusal(response, reading)))
    if (data === undefined) return Result.fail(unusable(reading.call, status, "it is longer than maxResponseBytes"))
    return decode({ ...response, data }, reading)
  }
}

const bodyTaken =
  "the HttpClient has read its body by stream or formData, which keep nothing: text, json and arrayBuffer do"

const responseDecoder = <Response>(
  payload: ResponsePayload<Response>
): ((response: CompleteResponse, reading: Reading) => Result.Result<Response, GatewayErrorReason>) => {
  switch (payload.type) {
    case "none":
      return (response, reading) =>
        response.status === 204
          ? Result.succeed(payload.value)
          : Result.fail(notSuccess(response, reading) ?? unusable(reading.call, response.status, "204 was expected"))
    case "file":
      return (response, reading) => {
        const failure = notFile(response, reading)
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
          // The path to the fault consists of member names that the gateway chose.
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

const requestedId = ({ subject }: FailedCall): number | undefined => {
  if (subject === undefined) return undefined
  return Number("paymentId" in subject ? subject.paymentId : subject.cardId)
}

const decoder = new TextDecoder()

const bodyText = ({ data }: TransportResponse): string => decoder.decode(data)

interface ParsedJson {
  readonly value: unknown
  /** The same, for a decoder: an absent member is absent. */
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

const decodeErrors = SchemaParser.decodeUnknownResult(ResponseSchema.ErrorResponse)

/** More than any request has fields; of the rest, only the codes are kept. */
const maxErrors = 100

const redactedError = (error: ErrorItem, { redact }: Reading): ErrorItem => ({
  ...error,
  ...Object.fromEntries(
    Object.entries(error).flatMap(([name, value]) =>
      typeof value === "string" && !isNameOf(error.error_code, value) ? [[name, redact(value)]] : []
    )
  )
})

const names: { readonly [code: string]: { readonly name: string | null } } = ErrorCodes

/** The gateway's own name of a code repeats nothing, also where words of the request are in it. */
const isNameOf = (code: number, text: string): boolean => ownMember(names, String(code))?.name === text

const readRefusal = (response: TransportResponse, reading: Reading, json = parseJson(bodyText(response))): Refusal => {
  const errors = json === undefined ? undefined : Result.getOrUndefined(decodeErrors(json.plain))?.errors
  return {
    status: response.status,
    errors: errors?.slice(0, maxErrors).map((error) => redactedError(error, reading)),
    codes: new Set(errors?.map(({ error_code }) => error_code)),
    retryAfter: retryAfter(response.header("retry-after"), reading.now)
  }
}

/** Parses seconds or a date, capped at the longest wait of a timer. */
const retryAfter = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxTimer)
  const date = text.endsWith("GMT") ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maxTimer)
}

/** A response with errors is never a success, whatever its status. */
const notSuccess = (
  response: TransportResponse,
  reading: Reading,
  json = parseJson(bodyText(response))
): GatewayErrorReason | undefined => {
  if (json === undefined || !Predicate.isObject(json.plain)) return undefined
  if ((json.plain["errors"] ?? json.plain["error_code"] ?? null) === null) return undefined
  const refusal = readRefusal(response, reading, json)
  return refusal.errors === undefined
    ? unusable(reading.call, response.status, "it carries errors that cannot be read")
    : refused(reading.call, refusal)
}

/** Neither a page, a JSON response nor an empty body is a file. */
const notFile = (response: CompleteResponse, reading: Reading): GatewayErrorReason | undefined => {
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
