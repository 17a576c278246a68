/**
 * Responses with a fault.
 *
 * A response that never comes is an effect that never ends, a lost connection is a failure, and a slow or broken body
 * is a stream. So a socket or an in-process client only has to pass the response on.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Engine } from "./Engine.js"
import type { CompleteFault, CommitState, Fault } from "./Fault.js"
import { apiOf } from "./ApiPath.js"
import { faultHeader } from "./Faults.js"
import { Refusal, refusal } from "../books/Refusal.js"
import { refuse } from "./RefusalResponse.js"
import { CommitDelay } from "./ServedRequest.js"

/** The connection broke before the response was complete. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{
  /** The same code as for Node's sockets. */
  readonly code: "ECONNRESET"
}> {
  override get message(): string {
    return "The connection was lost."
  }
}

const connectionLost = Effect.suspend(() => Effect.fail(new ConnectionLost({ code: "ECONNRESET" })))

type Response = HttpServerResponse.HttpServerResponse

/** The reply to a request. */
export interface Reply {
  /** The gateway's response, whether or not the caller sees it; absent when the gateway did not get that far. */
  readonly made?: Response
  /** The response that the caller sees; absent when there is none. */
  readonly sent?: Response
  /** The fault that hit the request. */
  readonly fault?: Fault["type"]
  /** The time that the delivery takes, in milliseconds. Default: none. */
  readonly delayMillis?: number
  /** Delivers the response: at once, late, never, or the connection is lost. */
  readonly delivery: Effect.Effect<Response, ConnectionLost>
}

/** A response that comes at once. */
const promptReply = (sent: Response): Reply => ({ sent, delivery: Effect.succeed(sent) })

/** A response without a fault. */
export const plainReply = (made: Response): Reply => ({ made, ...promptReply(made) })

/** A request that a fault may hit. */
interface IncomingCall<R> {
  /** Without the query. */
  readonly path: string
  /** The client's method that sent it, if there is one. */
  readonly operation: string | undefined
  /** Carries out the request and responds. */
  readonly process: Effect.Effect<Response, never, R>
}

type Replying<R> = Effect.Effect<Reply, never, R | HttpServerRequest.HttpServerRequest>

/** Responds to a request with the fault that hits it. Faults hit only the gateway's API, not its pages and controls. */
export const reply = <R>(engine: Engine, call: IncomingCall<R>): Replying<R> =>
  Effect.gen(function* () {
    if (apiOf(call.path) === undefined) return plainReply(yield* call.process)
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const fault = yield* engine.faults.choose({ operation: call.operation, header: headers[faultHeader] })
    if (fault === undefined) return plainReply(yield* call.process)
    return { ...(yield* faultedReply(engine, call, fault)), fault: fault.type }
  }).pipe(
    Effect.catchTag("InvalidFault", ({ message }) => Effect.map(refuse(engine)(refusal(116, message, 400)), plainReply))
  )

const faultedReply = <R>(
  engine: Engine,
  { operation, path, process }: IncomingCall<R>,
  fault: CompleteFault
): Replying<R> => {
  const changed = (change: (made: Response) => Response) =>
    Effect.map(process, (made): Reply => ({ made, ...promptReply(change(made)) }))
  const instead = (effect: CommitState, reply: Reply) =>
    effect === "committed" ? Effect.map(process, (made): Reply => ({ made, ...reply })) : Effect.succeed(reply)
  const refused = (code: number, status: number) => refuse(engine)(new Refusal({ status, errors: [{ code }] }))

  switch (fault.type) {
    case "latency":
      return Effect.map(Effect.all([process, engine.now]), ([made, now]) => ({
        made,
        sent: made,
        delayMillis: fault.milliseconds,
        delivery: Effect.as(engine.withhold(now + fault.milliseconds), made)
      }))
    case "noResponse":
      return instead(fault.effect, { delivery: Effect.andThen(engine.withhold(Infinity), Effect.never) })
    case "connectionReset":
      return instead(fault.effect, { delivery: connectionLost })
    case "commitLater":
      return Effect.as(Effect.provideService(process, CommitDelay, fault.seconds), { delivery: connectionLost })
    case "slowBody":
      return Effect.map(Effect.all([process, engine.now]), ([made, now]): Reply => ({
        made,
        ...promptReply(slow(made, (part) => engine.withhold(now + part * fault.milliseconds)))
      }))
    case "truncatedBody":
      return changed(truncated)
    case "wrongContentType":
      return changed(HttpServerResponse.setHeader("content-type", fault.contentType))
    case "htmlForbidden":
      return Effect.succeed(promptReply(page(403, "Forbidden")))
    case "htmlBadGateway":
      return instead(fault.effect, promptReply(page(502, "Bad Gateway")))
    case "tokenRefused":
      return Effect.map(
        refused(operation === "getAccessToken" || operation === "v4.getAccessToken" ? 202 : 200, fault.status),
        promptReply
      )
    case "refusal":
      return Effect.map(refused(fault.code, fault.status), promptReply)
    case "rateLimited":
      return Effect.map(Clock.currentTimeMillis, (now) => promptReply(tooManyRequests(fault, now)))
    case "serverError": {
      const failed = fault.status === 500 ? refused(500, 500) : Effect.succeed(page(fault.status, "Server Error"))
      return Effect.flatMap(failed, (sent) => instead(fault.effect, promptReply(sent)))
    }
    case "malformedJson":
      return changed((made) => withJson(made, brokenOff(bodyText(made))))
    case "wrongShape":
      return changed((made) => withJson(made, JSON.stringify(ofOtherShape(jsonOf(made)))))
    case "unknownEnumValues":
      return changed(changingJson(withUnknownCodes))
    case "extraMembers":
      return changed(changingJson(withExtraMembers))
    case "nullMembers":
      return changed(changingJson(withNullMembers(leftOut[apiOf(path) ?? "v3"])))
    case "hugeBody":
      return changed((made) => huge(made, fault.bytes))
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Responses from proxies and firewalls
// ---------------------------------------------------------------------------------------------------------------------

const page = (status: number, title: string): Response =>
  HttpServerResponse.text(`<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`, {
    status,
    contentType: "text/html"
  })

const tooManyRequests = (
  { retryAfter, seconds }: Extract<CompleteFault, { readonly type: "rateLimited" }>,
  now: number
): Response =>
  HttpServerResponse.text("Too many requests", {
    status: 429,
    headers:
      retryAfter === "absent"
        ? {}
        : { "retry-after": retryAfter === "seconds" ? String(seconds) : new Date(now + seconds * 1000).toUTCString() }
  })

// ---------------------------------------------------------------------------------------------------------------------
// Slow and broken bodies
// ---------------------------------------------------------------------------------------------------------------------

const bodyBytes = ({ body }: Response): Uint8Array => (body._tag === "Uint8Array" ? body.body : new Uint8Array(0))

/** The body of a response as text; empty for a stream. */
export const bodyText = (response: Response): string => new TextDecoder().decode(bodyBytes(response))

/** The same response with another body. A 204 becomes a 200. */
const withStream = <E>(response: Response, contentLength: number, body: Stream.Stream<Uint8Array, E>): Response =>
  HttpServerResponse.stream(body, {
    status: response.status === 204 ? 200 : response.status,
    headers: Headers.remove(response.headers, "content-length"),
    contentType: response.headers["content-type"] ?? "application/json",
    contentLength
  })

const pieceCount = 10

/** `withhold` waits for a fraction of the duration. */
const slow = (made: Response, withhold: (part: number) => Effect.Effect<void>): Response => {
  const bytes = bodyBytes(made)
  if (bytes.length === 0) return made
  const size = Math.ceil(bytes.length / pieceCount)
  const pieces = Array.from({ length: pieceCount }, (_, index) => ({
    bytes: bytes.subarray(index * size, (index + 1) * size),
    part: (index + 1) / pieceCount
  }))
  const body = Stream.mapEffect(Stream.fromIterable(pieces, { chunkSize: 1 }), (piece) =>
    Effect.as(withhold(piece.part), piece.bytes)
  )
  return withStream(made, bytes.length, body)
}

const truncated = (made: Response): Response => {
  const bytes = bodyBytes(made)
  if (bytes.length === 0) return made
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  return withStream(made, bytes.length, Stream.concat(Stream.succeed(half), Stream.fromEffect(connectionLost)))
}

const spaces = new Uint8Array(64 * 1024).fill(0x20)

/** Repeats one chunk, so that a long body takes no memory. */
const padding = function* (length: number): Generator<Uint8Array> {
  for (let left = length; left > 0; left -= spaces.length) yield spaces.subarray(0, left)
}

const huge = (made: Response, length: number): Response => {
  const bytes = bodyBytes(made)
  const missing = Math.max(0, length - bytes.length)
  const filling = Stream.suspend(() => Stream.fromIterable(padding(missing), { chunkSize: 1 }))
  return withStream(made, bytes.length + missing, Stream.concat(Stream.succeed(bytes), filling))
}

// ---------------------------------------------------------------------------------------------------------------------
// Wrong JSON
// ---------------------------------------------------------------------------------------------------------------------

/** The same response with a text as its body. A 204 becomes a 200. */
const withJson = (response: Response, text: string): Response =>
  HttpServerResponse.text(text, {
    status: response.status === 204 ? 200 : response.status,
    headers: Headers.removeMany(response.headers, ["content-length", "content-type"]),
    contentType: "application/json"
  })

const brokenOff = (text: string): string => (text === "" ? "{" : text.slice(0, Math.ceil(text.length / 2)))

/** The JSON of a response; undefined for a file and for an empty body. */
const jsonOf = (response: Response): unknown =>
  Result.getOrUndefined(Result.try((): unknown => JSON.parse(bodyText(response))))

const ofOtherShape = (value: unknown): unknown => (Predicate.isObject(value) ? [value] : { elements: value ?? [] })

/** Changes a JSON body; leaves any other unchanged. */
const changingJson =
  (change: (value: unknown) => unknown) =>
  (made: Response): Response => {
    const value = jsonOf(made)
    return value === undefined ? made : withJson(made, JSON.stringify(change(value)))
  }

/** Members that hold a code from a list that may grow. */
const codeMembers: ReadonlySet<string> = new Set([
  "state",
  "sub_state",
  "payment_instrument",
  "paymentInstrument",
  "group",
  "recurrence_cycle",
  "recurrence_state",
  "result",
  "status",
  "card_brand",
  "3ds_result",
  "currency",
  "lang",
  "stop_reason"
])

/** Applies a change to every object within a value, inner objects first. */
const inEachObject = (
  value: unknown,
  change: (object: { readonly [name: string]: unknown }) => { readonly [name: string]: unknown }
): unknown => {
  if (Array.isArray(value)) return value.map((element) => inEachObject(element, change))
  if (!Predicate.isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inEachObject(member, change)])))
}

const withUnknownCodes = (value: unknown): unknown =>
  inEachObject(value, (object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, member]) => [
        name,
        codeMembers.has(name) && typeof member === "string" ? "NOBODY_KNOWS_IT" : member
      ])
    )
  )

const withExtraMembers = (value: unknown): unknown =>
  inEachObject(value, (object) => ({ ...object, added_later: { by: "the local gateway", list: [1, null, "x"] } }))

/** Members that responses usually omit. */
const leftOut = {
  v3: {
    parent_id: null,
    sub_state: null,
    payment_instrument: null,
    payer: null,
    recurrence: null,
    preauthorization: null,
    additional_params: null,
    eet_code: null,
    description: null
  },
  v4: { charge: null, schedule: null, stop_reason: null, fail_reason: null, action: null }
}

const withNullMembers =
  (nulls: (typeof leftOut)[keyof typeof leftOut]) =>
  (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(withNullMembers(nulls))
      : Predicate.isObject(value)
        ? { ...nulls, ...value }
        : value
