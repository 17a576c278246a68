/**
 * An endpoint made ready for use: its request checked and encoded, its answer read.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Endpoint, PathParameter, RequestPayload, ResponsePayload } from "../../api/Endpoint.js"
import * as GatewaySchema from "../../api/GatewaySchema.js"
import type { ErrorItem, Id } from "../../api/Messages.plain.js"
import type { TransportResponse } from "../transport/Transport.js"
import type { GatewayErrorReason, InvalidField } from "../error/GatewayError.plain.js"
import type { ChangeOperation, OperationName } from "../error/OperationName.plain.js"
import type { ChangeRecord } from "../error/ChangeRecord.plain.js"
import { describeFields, invalidFields } from "../../api/InvalidFields.js"
import { failed, type FailedCall, refused, unusable } from "./FailureReason.js"

/** A request, checked and encoded, without what differs between gateways and merchants. */
export interface PreparedRequest {
  /** Path and query, relative to the API's base address. */
  readonly path: string
  readonly contentType: string | undefined
  readonly body: string | undefined
  /** The payment or card that it is about. */
  readonly subject: FailedCall["subject"]
  /** What it changes, when it is a change. */
  readonly change: Omit<ChangeRecord, "sentAt"> | undefined
  /** Who pays, as sent: what no error may repeat. */
  readonly payer: unknown
}

/** What was asked, and how to read the answer to it. */
export interface Reading {
  readonly call: FailedCall
  /** Milliseconds since 1970. */
  readonly now: number
  /** Applied to every text of the gateway that becomes part of an error. */
  readonly redact: (text: string) => string
}

/** What an operation is, once its request is prepared. */
export interface Operation<out Response> {
  readonly name: OperationName
  readonly kind: "read" | "change"
  readonly method: "GET" | "POST" | "DELETE"
  /** What a success carries. */
  readonly carries: ResponsePayload<unknown>["type"]
  /** Relative to the API's base address, with its parameters in braces. */
  readonly path: string
  /** Reads an answer. */
  readonly read: (answer: TransportResponse, reading: Reading) => Result.Result<Response, GatewayErrorReason>
}

/** An operation with a request: checked and encoded, or refused with every field that is wrong. */
export interface Call<out Response> {
  readonly operation: Operation<Response>
  readonly prepared: Result.Result<PreparedRequest, ReadonlyArray<InvalidField>>
}

/** Makes an endpoint ready for use: a function from what a caller gives to a call. */
export const make = <Path extends string, Request, Response>(
  endpoint: Endpoint<OperationName, Path, Request, Response>
) => {
  const { kind, method, name, path } = endpoint
  const encode = requestEncoder(endpoint.request)
  const decode = responseDecoder(endpoint.response)
  const fillPath = pathFiller(path)
  const operation: Operation<Response> = {
    name,
    kind,
    method,
    carries: endpoint.response.type,
    path,
    read: (answer, reading) => {
      const { data, status } = answer
      if (status < 200 || status > 299) return Result.fail(refused(reading.call, readRefusal(answer, reading)))
      if (data === undefined) return Result.fail(unusable(reading.call, status, "it is longer than maxResponseBytes"))
      return decode({ ...answer, data }, reading)
    }
  }
  const prepare = (params: { readonly [name: string]: Id }, request: () => Request): Call<Response>["prepared"] => {
    const wrong = wrongParams(params)
    if (wrong.length > 0) return Result.fail(wrong)
    const subject = subjectOf(params)
    return Result.map(encode(request()), ({ body, contentType, query, value }) => ({
      path: fillPath(params) + query,
      contentType,
      body,
      subject,
      payer: Predicate.isObject(value) ? value["payer"] : undefined,
      change: isChange(endpoint) ? { operation: endpoint.name, ...subject, ...sentValues(value) } : undefined
    }))
  }
  return (params: { readonly [name in PathParameter<Path>]: Id }, request: () => Request): Call<Response> => {
    try {
      return { operation, prepared: prepare(params, request) }
    } catch {
      // A member may throw when it is looked at.
      return { operation, prepared: Result.fail([{ field: "request", message: "cannot be read" }]) }
    }
  }
}

const isChange = (endpoint: {
  readonly name: OperationName
  readonly kind: "read" | "change"
}): endpoint is { readonly name: ChangeOperation; readonly kind: "change" } => endpoint.kind === "change"

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

const isId = Schema.is(GatewaySchema.Id)

const wrongParams = (params: { readonly [name: string]: Id }): ReadonlyArray<InvalidField> =>
  Object.entries(params).flatMap(([field, value]) => {
    if (field === "currency") {
      return typeof value === "string" && /^\w+$/.test(value)
        ? []
        : [{ field, message: "must be a currency code, such as CZK" }]
    }
    const isExact = field === "goid" || Number.isSafeInteger(Number(value))
    return isId(value) && isExact ? [] : [{ field, message: "must be a positive integer, or its digits as text" }]
  })

/** Fills a path's parameters in; the path is taken apart once. */
const pathFiller = (path: string): ((params: { readonly [name: string]: Id }) => string) => {
  const [start = "", ...rest] = path.split("{").map((part) => part.split("}"))
  return (params) =>
    rest.reduce(
      (filled, [name = "", literal = ""]) => filled + encodeURIComponent(String(params[name])) + literal,
      start[0] ?? ""
    )
}

const subjectOf = (params: { readonly [name: string]: Id }): FailedCall["subject"] => {
  const { card_id: cardId, id: paymentId } = params
  if (paymentId !== undefined) return { paymentId }
  return cardId === undefined ? undefined : { cardId }
}

/** What of a request helps to find out later whether the gateway took it. */
const sentValues = (request: unknown): Pick<ChangeRecord, "amount" | "currency" | "orderNumber"> => {
  if (!Predicate.isObject(request)) return {}
  const { amount, currency, order_number } = request
  return {
    ...(typeof amount === "number" ? { amount } : undefined),
    ...(typeof currency === "string" ? { currency } : undefined),
    ...(typeof order_number === "string" ? { orderNumber: order_number } : undefined)
  }
}

interface EncodedRequest {
  readonly value: unknown
  readonly query: string
  readonly contentType: string | undefined
  readonly body: string | undefined
}

const formContentType = "application/x-www-form-urlencoded"

const requestEncoder = <Request>(
  payload: RequestPayload<Request>
): ((request: Request) => Result.Result<EncodedRequest, ReadonlyArray<InvalidField>>) => {
  if (!("schema" in payload)) {
    const contentType = payload.type === "none" ? undefined : formContentType
    const encoded = Result.succeed({ value: undefined, query: "", contentType, body: undefined })
    return () => encoded
  }
  const decode = Schema.decodeUnknownResult(payload.schema, { errors: "all", onExcessProperty: "error" })
  const encode = encoders[payload.type]
  return (request) => {
    if (!Predicate.isObject(request))
      return Result.fail([{ field: "request", message: "must be an object with the fields of the request" }])
    return decode(request).pipe(
      Result.mapError(({ issue }) => invalidFields(issue)),
      Result.map((value) => ({ value, query: "", contentType: undefined, body: undefined, ...encode(value) }))
    )
  }
}

const encoders: {
  readonly [type in "query" | "form" | "json"]: (value: unknown) => Partial<EncodedRequest>
} = {
  query: (value) => ({ query: urlEncoded(value).replace(/^(?=.)/, "?") }),
  form: (value) => ({ contentType: formContentType, body: urlEncoded(value) }),
  json: (value) => ({ contentType: "application/json", body: JSON.stringify(value) })
}

const urlEncoded = (value: unknown): string =>
  new URLSearchParams(
    Object.entries(value ?? {}).flatMap(([name, member]) => (member === undefined ? [] : [[name, String(member)]]))
  ).toString()

// ---------------------------------------------------------------------------------------------------------------------
// Answers
// ---------------------------------------------------------------------------------------------------------------------

interface CompleteResponse extends TransportResponse {
  readonly data: ArrayBuffer
}

const responseDecoder = <Response>(
  payload: ResponsePayload<Response>
): ((answer: CompleteResponse, reading: Reading) => Result.Result<Response, GatewayErrorReason>) => {
  switch (payload.type) {
    case "none":
      return (answer, reading) =>
        answer.status === 204
          ? Result.succeed(payload.value)
          : Result.fail(notSuccess(answer, reading) ?? unusable(reading.call, answer.status, "204 was expected"))
    case "file":
      return (answer, reading) => {
        const failure = notFile(answer, reading)
        return failure === undefined
          ? Result.succeed(
              payload.read({
                data: answer.data,
                contentType: answer.header("content-type") ?? null,
                contentDisposition: answer.header("content-disposition") ?? null
              })
            )
          : Result.fail(failure)
      }
    case "json": {
      const decode = Schema.decodeUnknownResult(payload.schema)
      const { about, failure } = payload
      return (answer, reading) => {
        const json = parseJson(textOf(answer))
        if (json === undefined) return Result.fail(unusable(reading.call, answer.status, "it is not JSON"))
        const notSucceeded = notSuccess(answer, reading, json)
        if (notSucceeded !== undefined) return Result.fail(notSucceeded)
        const decoded = decode(json.value)
        if (Result.isFailure(decoded)) {
          // The way to the fault is made of what the gateway calls its members.
          const problem = reading.redact(describeFields(invalidFields(decoded.failure.issue)))
          return Result.fail(unusable(reading.call, answer.status, problem))
        }
        const response = decoded.success
        const subject = about?.(response)
        if (subject !== undefined && subject !== askedId(reading.call)) {
          return Result.fail(unusable(reading.call, answer.status, `it is about another one, ${subject}`))
        }
        const description = failure?.(response)
        return description === undefined
          ? Result.succeed(response)
          : Result.fail(failed(answer.status, reading.redact(description)))
      }
    }
  }
}

const askedId = ({ subject }: FailedCall): number | undefined => {
  if (subject === undefined) return undefined
  return Number("paymentId" in subject ? subject.paymentId : subject.cardId)
}

const decoder = new TextDecoder()

const textOf = ({ data }: TransportResponse): string => decoder.decode(data)

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const decodeErrors = Schema.decodeUnknownResult(GatewaySchema.ErrorResponse)

/** More than any request has fields; what is beyond them is left out. */
const mostErrors = 100

const readErrors = (json: unknown, { redact }: Reading): ReadonlyArray<ErrorItem> | undefined =>
  Result.match(decodeErrors(json), {
    onFailure: () => undefined,
    onSuccess: ({ errors }) =>
      errors.slice(0, mostErrors).map((error) => ({
        ...error,
        ...Object.fromEntries(
          Object.entries(error).flatMap(([name, value]) => (typeof value === "string" ? [[name, redact(value)]] : []))
        )
      }))
  })

const readRefusal = (answer: TransportResponse, reading: Reading, json = parseJson(textOf(answer))) => ({
  status: answer.status,
  errors: json === undefined ? undefined : readErrors(json.value, reading),
  retryAfter: retryAfter(answer.header("retry-after"), reading.now)
})

/** Seconds, or a date. */
const retryAfter = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = text.endsWith("GMT") ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** An answer with errors is never a success, whatever its status. */
const notSuccess = (
  answer: TransportResponse,
  reading: Reading,
  json = parseJson(textOf(answer))
): GatewayErrorReason | undefined => {
  if (json === undefined || !Predicate.isObject(json.value)) return undefined
  if ((json.value["errors"] ?? json.value["error_code"] ?? null) === null) return undefined
  const refusal = readRefusal(answer, reading, json)
  return refusal.errors === undefined
    ? unusable(reading.call, answer.status, "it carries errors that cannot be read")
    : refused(reading.call, refusal)
}

/** A page or a JSON answer is not a file, and neither is nothing. */
const notFile = (answer: CompleteResponse, reading: Reading): GatewayErrorReason | undefined => {
  const unusableFile = (problem: string) => unusable(reading.call, answer.status, problem)
  if (answer.data.byteLength === 0) return unusableFile("it is empty")
  const contentType = answer.header("content-type") ?? ""
  const start = decoder.decode(answer.data.slice(0, 1024)).replace(/^(\s|<\?xml[^>]*>|<!--[^]*?-->)+/i, "")
  if (
    /^<(!doctype html|html|head|title|body)\b/i.test(start) ||
    /^(text\/html|application\/xhtml)/i.test(contentType)
  ) {
    return unusableFile("it is an HTML page")
  }
  const isJson =
    start.startsWith("{") ||
    /^application\/json/i.test(contentType) ||
    (start.startsWith("[") && parseJson(textOf(answer)) !== undefined)
  return isJson ? (notSuccess(answer, reading) ?? unusableFile("it is JSON, not a file")) : undefined
}
