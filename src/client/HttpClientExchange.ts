/**
 * Exchanges over Effect's `HttpClient`, which the caller supplies.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { type Answer, type Exchange, noAnswer, type NoAnswer, timedOut, type WireRequest } from "./Exchange.js"

/** Makes exchanges over a transport. It must not retry, and not follow redirects by itself. */
export const make =
  (http: HttpClient.HttpClient): Exchange =>
  (request, limit) =>
    http.execute(clientRequest(request)).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.arrayBuffer, (data): Answer => ({
          status: response.status,
          data,
          header: (name) => response.headers[name]
        }))
      ),
      Effect.mapError(fromClientError),
      Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(timedOut) }),
      // A transport may also throw: nothing is known of what it did before.
      Effect.catchDefect((defect) => Effect.fail(noAnswer(defect)))
    )

const clientRequest = ({ body, headers, method, url }: WireRequest): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.makeWith(
    method,
    url,
    UrlParams.empty,
    Option.none(),
    Headers.fromRecordUnsafe(headers),
    body === undefined ? HttpBody.empty : HttpBody.text(body, headers["content-type"])
  )

/** The transport's error carries the request with its credentials: only what lies behind it is looked at. */
const fromClientError = ({ reason }: HttpClientError.HttpClientError): NoAnswer =>
  reason._tag === "InvalidUrlError" || reason._tag === "EncodeError"
    ? { _tag: "NoAnswer", wasSent: "certainly not", isTimeout: false, code: undefined, name: reason._tag }
    : noAnswer(reason.cause)

/**
 * The caller's context as an exchange should see it: no redirect is followed, no trace header is sent unless the caller
 * asks for it, and no span is made when nothing listens.
 */
export const exchangeContext = (caller: Context.Context<never>): Context.Context<never> => {
  const hasTracer = Context.get(caller, Tracer.Tracer) !== Tracer.nativeTracer
  return Context.make(HttpClient.TracerPropagationEnabled, false).pipe(
    Context.add(HttpClient.TracerDisabledWhen, () => !hasTracer),
    Context.merge(caller),
    Context.add(FetchHttpClient.RequestInit, {
      ...Context.getOrUndefined(caller, FetchHttpClient.RequestInit),
      redirect: "manual"
    })
  )
}
