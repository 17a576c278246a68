/**
 * A transport over an `HttpClient` that the caller supplies.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import { fetchOnce } from "./FetchSender.js"
import { overSender, sentIfAllowed, settledWithin, type Transport } from "./Transport.js"
import {
  brokenOff,
  handedOverAgain,
  heldBack,
  transportFailure,
  type TransportFailure,
  timedOut,
  withoutMessage
} from "./TransportFailure.js"
import { collector, readBody } from "./ResponseBody.js"
import type { Sender, SenderLimits, TransportRequest } from "./Sender.js"
import { ownMember } from "../../basics/OwnMember.js"
import { fetchUncached } from "./Uncached.js"

/** Makes a transport of a client. A change that the client hands over twice is stopped, a redirect recognised. */
export const make = (http: HttpClient.HttpClient): Transport => {
  const sender = senderOf(http)
  const client = overClient(http)
  const untraced = sender === undefined ? client : tracing(overSender(sender))
  return (request, limits) =>
    Effect.withFiber((fiber) => {
      const transform = fiber.getRef(ClientTransform)
      if (transform !== undefined) return overClient(transform(http))(request, limits)
      return (hasHttpSpans(fiber.context) ? client : untraced)(request, limits)
    })
}

/** Whether the caller has turned on the spans that Effect makes of requests. */
export const hasHttpSpans = (context: Context.Context<never>): boolean =>
  (Context.getOrUndefined(context, HttpClient.TracerDisabledWhen) ?? always) !== always

const always = (): boolean => true

/** What is done to the client of the calls in the current fiber: see `withClientTransform`. */
export const ClientTransform: Context.Reference<
  ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
> = Context.Reference<((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined>(
  "effect-gopay/ClientTransform",
  { defaultValue: () => undefined }
)

/**
 * Changes the `HttpClient` that the calls of a program go over, but not that of a request for a token, which calls share.
 * The innermost one counts. What is said of such clients at `Gateway.layerNoDeps` applies.
 *
 * An `HttpClient` that is provided to a call is not used: its calls go over the one that the gateway's layer was given.
 *
 * ```ts
 * refundPayment(id, { amount }).pipe(withClientTransform(HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", "1"))))
 * ```
 */
export const withClientTransform: {
  (
    transform: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  ): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(
    self: Effect.Effect<A, E, R>,
    transform: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  ): Effect.Effect<A, E, R>
} = dual(
  2,
  <A, E, R>(
    self: Effect.Effect<A, E, R>,
    transform: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  ): Effect.Effect<A, E, R> => Effect.provideService(self, ClientTransform, transform)
)

const tracing =
  (transport: Transport): Transport =>
  (request, limits) =>
    Effect.withFiber((fiber) => {
      const headers = traceHeaders(fiber.context)
      return transport(
        headers === noHeaders ? request : { ...request, headers: { ...request.headers, ...headers } },
        limits
      )
    })

const overClient = (http: HttpClient.HttpClient): Transport => {
  const transport: Transport = (request, limits) => {
    if (request.check !== undefined) return sentIfAllowed(request, limits, transport)
    const { bytes, time } = limits
    return Effect.withFiber((fiber) => {
      const handover = handoverOf(request)
      const { isChange } = request
      return http.postprocess(handover.prepared(http, clientRequest(request, traceHeaders(fiber.context)))).pipe(
        Effect.catchCause(filteredResponse),
        Effect.provideService(RequestFacts, {
          isChange,
          time: Duration.toMillis(time),
          bytes,
          mayHandOver: handover.mayHandOver
        }),
        Effect.updateService(FetchHttpClient.Fetch, (fetch) =>
          fetchUncached(isChange ? fetchOnce(ifAllowed(fetch, handover.mayHandOver)) : fetch)
        ),
        Effect.flatMap((response) =>
          Effect.map(bodyOf(response, bytes), (data) => ({
            status: response.status,
            data,
            header: (name: string) => ownMember(response.headers, name),
            isOfAnother: handover.isOfAnother(response) || wasRedirected(response)
          }))
        ),
        settledWithin({ time, context: fiber.context, onTimeout: timedOut }),
        Effect.catchCause((cause) => handover.failed(cause))
      )
    })
  }
  return transport
}

/**
 * Hands one request over to the caller's client. A client may run the preparation again to repeat it, as
 * `HttpClient.retry` does; or what sends it, which those see that call `mayHandOver`. A change is stopped there: of
 * its first time nothing is known but that it was sent.
 */
const handoverOf = ({ isChange, mayHandOver, onSend }: TransportRequest) => {
  let prepared: HttpClientRequest.HttpClientRequest | undefined
  let isSent = false
  let stopped: TransportFailure | undefined

  /** Whether the request may go on, of which some step was made before or not. */
  const mayGoOn = (isRepeated: boolean): boolean => {
    if (isChange && isRepeated) stopped = handedOverAgain
    else if (mayHandOver?.() === false) stopped = heldBack
    else return true
    return false
  }

  return {
    prepared: (http: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) =>
      Effect.flatMap(http.preprocess(request), (made) => {
        if (!mayGoOn(prepared !== undefined)) return Effect.interrupt
        onSend?.()
        prepared = made
        return Effect.succeed(made)
      }),
    mayHandOver: (): boolean => {
      const may = mayGoOn(isSent)
      isSent ||= may
      return may
    },
    /** Whether a response is of another request than was prepared, as after a redirect that the client has followed. */
    isOfAnother: ({ request }: HttpClientResponse.HttpClientResponse): boolean =>
      prepared !== undefined && request !== prepared && !isSameAddress(request, prepared),
    /** A client may interrupt itself: then nothing is known about what it did before. A defect stays one. */
    failed: (cause: Cause.Cause<TransportFailure>): Effect.Effect<never, TransportFailure> => {
      if (stopped !== undefined) return Effect.fail(stopped)
      const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
      if (failure === undefined && Cause.hasDies(cause)) return Effect.failCause(cause)
      const known = failure ?? brokenOff(Cause.squash(cause))
      return Effect.fail(prepared === undefined ? { ...known, wasSent: "certainly not" } : known)
    }
  }
}

/** A `fetch` that sends nothing which may not go on. */
const ifAllowed =
  (fetch: typeof globalThis.fetch, mayHandOver: () => boolean): typeof globalThis.fetch =>
  (input, init) =>
    mayHandOver() ? fetch(input, init) : Promise.reject(new Error("It was stopped."))

/**
 * A client that filters by status fails with the response, which tells as much as one that was let through. Its own errors
 * are read where it made them defects, too, since they hold the request.
 */
const filteredResponse = (
  cause: Cause.Cause<HttpClientError.HttpClientError>
): Effect.Effect<HttpClientResponse.HttpClientResponse, TransportFailure> => {
  const failure = Cause.squash(cause)
  if (!HttpClientError.isHttpClientError(failure)) {
    return Cause.hasDies(cause)
      ? Effect.die(withoutMessage(failure))
      : Effect.failCause(Cause.map(cause, transportFailure))
  }
  return failure.reason._tag === "StatusCodeError"
    ? Effect.succeed(failure.reason.response)
    : Effect.fail(fromClientError(failure))
}

/** A `fetch` of the caller's may follow redirects, whatever it is told. */
const wasRedirected = (response: HttpClientResponse.HttpClientResponse): boolean =>
  Option.exists(HttpClientResponse.toWeb(response), ({ redirected }) => redirected)

const isSameAddress = (one: HttpClientRequest.HttpClientRequest, other: HttpClientRequest.HttpClientRequest): boolean =>
  one.method === other.method && addressOf(one) === addressOf(other)

const addressOf = (request: HttpClientRequest.HttpClientRequest): string | undefined =>
  Option.getOrUndefined(HttpClientRequest.toUrl(request))?.href

const bodyOf = (
  response: HttpClientResponse.HttpClientResponse,
  limit: number
): Effect.Effect<ArrayBuffer | undefined, TransportFailure> => {
  const web = HttpClientResponse.toWeb(response)
  if (Option.isSome(web)) {
    return Effect.tryPromise({ try: (signal) => readBody(web.value, limit, signal), catch: brokenOff })
  }
  const { "content-encoding": coding, "content-length": length } = response.headers
  if (Number(length) > limit) return Effect.succeed(undefined)
  if (length !== undefined && coding === undefined) {
    // It has no more bytes than it declares, and all at once they take less time than as a stream.
    return Effect.mapBoth(response.arrayBuffer, {
      onFailure: ({ reason }) => brokenOff(reason.cause),
      onSuccess: (data) => (data.byteLength > limit ? undefined : data)
    })
  }
  const collected = collector(limit)
  return Stream.runForEachWhile(response.stream, (chunk) => Effect.sync(() => collected.add(chunk))).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "EmptyBodyError",
      () => Effect.void
    ),
    Effect.mapBoth({ onFailure: ({ reason }) => brokenOff(reason.cause), onSuccess: collected.data })
  )
}

/** The header that propagates the caller's trace (W3C Trace Context), if the caller has enabled it. */
const traceHeaders = (context: Context.Context<never>): TransportRequest["headers"] => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span === undefined || !Context.get(context, HttpClient.TracerPropagationEnabled)) return noHeaders
  const { traceparent } = HttpTraceContext.toHeaders(asLocalSpan(span))
  return traceparent === undefined ? noHeaders : { traceparent }
}

/** A span of another process, with its ids, as one of this process: only such a one can be encoded. */
const asLocalSpan = (span: Tracer.AnySpan): Tracer.Span => {
  if (span._tag === "Span") return span
  const { annotations, sampled, spanId } = span
  const continued = { name: "", parent: Option.some(span), annotations, links: [], startTime: 0n, sampled }
  return Object.defineProperty(new Tracer.NativeSpan({ ...continued, kind: "client" }), "spanId", { value: spanId })
}

const noHeaders: TransportRequest["headers"] = {}

const clientRequest = (
  { body, headers, method, url }: TransportRequest,
  moreHeaders: TransportRequest["headers"]
): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.makeWith(
    method,
    url,
    UrlParams.empty,
    Option.none(),
    Headers.fromRecordUnsafe({ ...headers, ...moreHeaders }),
    body === undefined ? HttpBody.empty : HttpBody.text(body, headers["content-type"])
  )

/** The client's error carries the request with its credentials, so only its cause is used. */
const fromClientError = ({ reason }: HttpClientError.HttpClientError): TransportFailure =>
  reason._tag === "InvalidUrlError" || reason._tag === "EncodeError"
    ? { _tag: "TransportFailure", wasSent: "certainly not", isTimeout: false, code: undefined, name: reason._tag }
    : transportFailure(reason.cause)

/**
 * The caller's context as the transport should see it: no redirect is followed and no trace header is sent unless the
 * caller asks for it. Nor is a span made of a request, since it would hold the whole of it, unless the caller asks for that.
 */
export const transportContext = (caller: Context.Context<never>): Context.Context<never> =>
  Context.make(HttpClient.TracerPropagationEnabled, false).pipe(
    Context.add(HttpClient.TracerDisabledWhen, always),
    Context.merge(caller),
    Context.add(FetchHttpClient.RequestInit, {
      ...Context.getOrUndefined(caller, FetchHttpClient.RequestInit),
      redirect: "manual"
    })
  )

// ---------------------------------------------------------------------------------------------------------------------
// Senders of our own
// ---------------------------------------------------------------------------------------------------------------------

const direct = Symbol.for("effect-gopay/DirectSender")

interface DirectHttpClient extends HttpClient.HttpClient {
  readonly [direct]: Sender
}

/**
 * Marks a client as one that does nothing but send by this sender: requests go to the sender, which saves a good part of a
 * call's time. A client made of it by `HttpClient.mapRequest` and the like is another one, and is called like any.
 */
export const sentDirectly = (http: HttpClient.HttpClient, sender: Sender): DirectHttpClient =>
  Object.assign(http, { [direct]: sender })

const isDirect = (http: HttpClient.HttpClient): http is DirectHttpClient => direct in http

/** The sender of a client, if it is nothing else. */
const senderOf = (http: HttpClient.HttpClient): Sender | undefined => (isDirect(http) ? http[direct] : undefined)

interface RequestFacts extends SenderLimits, Pick<TransportRequest, "isChange" | "mayHandOver"> {}

/** The facts of the request that the fiber is about to send; `undefined` for one that is not of this package. */
export const RequestFacts: Context.Reference<RequestFacts | undefined> = Context.Reference<RequestFacts | undefined>(
  "effect-gopay/RequestFacts",
  { defaultValue: () => undefined }
)
