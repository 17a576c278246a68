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
import { complete, fetchOnce } from "./FetchSender.js"
import { Handover } from "./Handover.js"
import { overSender, sentIfAllowed, settledWithin, type Transport } from "./Transport.js"
import {
  brokenOff,
  handedOverAfterLook,
  transportFailure,
  type TransportFailure,
  timedOut,
  withoutMessage
} from "./TransportFailure.js"
import { collector, readBody } from "./ResponseBody.js"
import { type Outgoing, RequestFacts } from "./RequestFacts.js"
import type { Sender, TransportRequest, TransportResponse } from "./Sender.js"
import { ownMember } from "../../basics/OwnMember.js"
import { fetchUncached } from "./Uncached.js"

/**
 * Makes a transport from a client. A change that the client would hand over twice is stopped, and a redirect is
 * recognised.
 */
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

/** The change to the client of the calls in the current fiber: see `withClientTransform`. */
export const ClientTransform: Context.Reference<
  ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
> = Context.Reference<((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined>(
  "effect-gopay/ClientTransform",
  { defaultValue: () => undefined }
)

/**
 * Changes the `HttpClient` that the calls of a program go over, but not that of a request for a token, which calls
 * share. The innermost one counts. It may retry: a change that may have reached the gateway is not sent again. The
 * rules for clients of `Gateway.layerNoDeps` apply.
 *
 * An `HttpClient` that is provided to a call is not used: calls go over the one that the gateway's layer was given.
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
      const { isChange } = request
      const handover = new Handover(request, { time: Duration.toMillis(time), bytes })
      const traced = traceHeaders(fiber.context)
      return http.postprocess(handover.preparing(http, () => clientRequest(request, traced))).pipe(
        Effect.catchCause(filteredResponse),
        Effect.provideService(RequestFacts, handover.facts),
        Effect.updateService(FetchHttpClient.Fetch, (fetch) =>
          isChange ? observed(fetch, handover.facts) : fetchUncached(fetch)
        ),
        Effect.updateService(HttpClient.TracerDisabledWhen, (given) => handover.watching(given)),
        Effect.flatMap((response) =>
          Effect.map(bodyOf(response, bytes), (body) => ({
            status: response.status,
            data: body === bodyTaken ? undefined : body,
            isBodyTaken: body === bodyTaken,
            header: (name: string) => ownMember(response.headers, name),
            isOfAnother: handover.isOfAnother(response) || wasRedirected(response)
          }))
        ),
        settledWithin({ time, context: fiber.context, onTimeout: timedOut }),
        Effect.onInterrupt(() => Effect.sync(() => handover.close())),
        Effect.matchCauseEffect({
          onFailure: (cause) => handover.failed(cause),
          onSuccess: (response) => handover.answered(response)
        }),
        Effect.ensuring(Effect.suspend(() => logStopped(handover, request)))
      )
    })
  }
  return transport
}

const logStopped = (handover: Handover, { method, url }: TransportRequest): Effect.Effect<void> => {
  const why = handover.whyStopped()
  if (why === undefined) return Effect.void
  const what =
    why === handedOverAfterLook
      ? "The HttpClient made another request of a change, and was stopped"
      : "The HttpClient was about to send a change again, and was stopped"
  return Effect.logWarning(`${what}: ${method} ${new URL(url).pathname}`)
}

/** The given `fetch`, by the observing one that replaces it. */
const unobserved = new WeakMap<typeof globalThis.fetch, typeof globalThis.fetch>()

/** A `fetch` that refuses to send what may not continue, and reports how each sending has ended. */
const observed = (given: typeof globalThis.fetch, { bytes, sending }: RequestFacts): typeof globalThis.fetch => {
  // A call that a client makes while it sends another one does not count as that one.
  const fetch = unobserved.get(given) ?? given
  const observing: typeof globalThis.fetch = async (input, init) => {
    // Before anything is awaited: whoever has read the request is the one that sends it.
    const begun = sending(outgoingFetch(input, init))
    if (begun === undefined) return fetchUncached(fetch)(input, init)
    const { end, mayHandOver } = begun
    const sent: typeof globalThis.fetch = async (input, init) => {
      if (!mayHandOver()) throw new Error("It was stopped.")
      const [own, theirs] = split(await fetch(input, init))
      end(await read(own, bytes, init?.signal ?? new AbortController().signal))
      return theirs
    }
    try {
      return await fetchUncached(fetchOnce(sent))(input, init)
    } catch (failure) {
      end(transportFailure(failure))
      throw failure
    }
  }
  unobserved.set(observing, fetch)
  return observing
}

const outgoingFetch = (input: RequestInfo | URL, init: RequestInit | undefined): Outgoing => {
  // A URL is recognised by its `href`, not by its class, which has another name in Workers with an older compatibility
  // date.
  const made =
    typeof input === "string" || "href" in input ? { method: "GET", url: String(input), headers: undefined } : input
  const headers = new globalThis.Headers(init?.headers ?? made.headers)
  return {
    method: init?.method ?? made.method,
    url: made.url,
    authorization: headers.get("authorization") ?? undefined
  }
}

/**
 * The response in two copies: one to read here, and one for the client. Avoids `clone()` if possible: in Node.js,
 * cancelling the clone when a request is aborted leaves an unhandled rejection, which ends the process.
 */
const split = (response: Response): readonly [Response, Response] => {
  const { body, headers, ok, redirected, status, statusText, url } = response
  if (body === null) return [response, response]
  // The caller's `fetch` returned a body that is not a stream.
  if (typeof body?.tee !== "function") {
    return [typeof response.clone === "function" ? response.clone() : response, response]
  }
  const [own, theirs] = body.tee()
  const init = mayHaveContent(status) ? { headers, status, statusText } : { headers }
  const of = (stream: ReadableStream): Response =>
    Object.defineProperties(new Response(stream, init), {
      ok: { value: ok },
      redirected: { value: redirected },
      status: { value: status },
      statusText: { value: statusText },
      url: { value: url }
    })
  return [of(own), of(theirs)]
}

/** Whether a `Response` with content can be made with this status. One from the network may have any status. */
const mayHaveContent = (status: number): boolean => status >= 200 && status < 600 && ![204, 205, 304].includes(status)

/** Reads a response. */
const read = async (
  response: Response,
  bytes: number,
  signal: AbortSignal
): Promise<TransportResponse | TransportFailure> => {
  try {
    return await complete(response, bytes, signal)
  } catch (failure) {
    return brokenOff(failure)
  }
}

/**
 * A client that filters by status fails with the response, which is as good as one that was let through. Its own errors
 * are unwrapped even where it made them defects, since they contain the request.
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

/** A caller's `fetch` may follow redirects despite the options. */
const wasRedirected = (response: HttpClientResponse.HttpClientResponse): boolean =>
  Option.exists(HttpClientResponse.toWeb(response), ({ redirected }) => redirected)

/** The body of a response, up to the limit. A client may have read it before, to log it. */
const bodyOf = (
  response: HttpClientResponse.HttpClientResponse,
  limit: number
): Effect.Effect<ArrayBuffer | undefined | typeof bodyTaken, TransportFailure> => {
  const { "content-encoding": coding, "content-length": length } = response.headers
  const web = Option.getOrUndefined(HttpClientResponse.toWeb(response))
  // All at once: if it was read before, it is cached.
  const kept = Effect.mapBoth(
    Effect.suspend(() => response.arrayBuffer),
    {
      onFailure: ({ reason }) => brokenOff(reason.cause),
      onSuccess: (data) => (data.byteLength > limit ? undefined : data)
    }
  )
  if (web !== undefined) {
    return web.bodyUsed || web.body?.locked === true
      ? Effect.catch(kept, () => Effect.succeed(bodyTaken))
      : Effect.tryPromise({ try: (signal) => readBody(web, limit, signal), catch: brokenOff })
  }
  if (Number(length) > limit) return Effect.succeed(undefined)
  // It has no more bytes than it declares, and reading them all at once is faster than as a stream.
  if (length !== undefined && coding === undefined) {
    return Effect.map(kept, (data) => (data?.byteLength === 0 && Number(length) > 0 ? bodyTaken : data))
  }
  const collected = collector(limit)
  return Stream.runForEachWhile(response.stream, (chunk) => Effect.sync(() => collected.add(chunk))).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "EmptyBodyError",
      () => Effect.void
    ),
    Effect.mapBoth({ onFailure: ({ reason }) => brokenOff(reason.cause), onSuccess: collected.data }),
    // A stream that was read before fails, or ends at once.
    Effect.catch((failure) => Effect.catchCause(kept, () => Effect.fail(failure))),
    Effect.flatMap((data) =>
      data?.byteLength === 0 ? Effect.catchCause(kept, () => Effect.succeed(data)) : Effect.succeed(data)
    )
  )
}

const bodyTaken = Symbol("bodyTaken")

/** The header that propagates the caller's trace (W3C Trace Context), if the caller has enabled it. */
const traceHeaders = (context: Context.Context<never>): TransportRequest["headers"] => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span === undefined || !Context.get(context, HttpClient.TracerPropagationEnabled)) return noHeaders
  const { traceparent } = HttpTraceContext.toHeaders(asLocalSpan(span))
  return traceparent === undefined ? noHeaders : { traceparent }
}

/** A span of another process, with its ids, as one of this process, since only such a span can be encoded. */
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

/** The client's error contains the request with its credentials, so only its cause is used. */
const fromClientError = ({ reason }: HttpClientError.HttpClientError): TransportFailure =>
  reason._tag === "InvalidUrlError" || reason._tag === "EncodeError"
    ? { _tag: "TransportFailure", wasSent: "certainly not", isTimeout: false, code: undefined, name: reason._tag }
    : transportFailure(reason.cause)

/**
 * The caller's context as the transport should see it: no redirect is followed and no trace header is sent unless the
 * caller asks for it. No span is made for a request either, unless the caller asks for it, since it would contain the
 * whole request.
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
 * Marks a client that does nothing but send by this sender: requests go directly to the sender, which saves a good part
 * of a call's time. A client derived from it, for example by `HttpClient.mapRequest`, is another one, and is called
 * normally.
 */
export const sentDirectly = (http: HttpClient.HttpClient, sender: Sender): DirectHttpClient =>
  Object.assign(http, { [direct]: sender })

const isDirect = (http: HttpClient.HttpClient): http is DirectHttpClient => direct in http

/** The sender of a client that does nothing else. */
const senderOf = (http: HttpClient.HttpClient): Sender | undefined => (isDirect(http) ? http[direct] : undefined)
