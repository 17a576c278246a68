/**
 * One request to the gateway and what came of it: an answer, or the certainty or doubt that it was sent.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Predicate from "effect/Predicate"
import * as Tracer from "effect/Tracer"

/** A complete answer. */
export interface Answer {
  readonly status: number
  readonly data: ArrayBuffer
  readonly header: (name: string) => string | undefined
}

/** No complete answer came. */
export interface NoAnswer {
  readonly _tag: "NoAnswer"
  /** `certainly not`: no connection was made, or nothing reached the transport. Else the gateway may have the request. */
  readonly wasSent: "certainly not" | "perhaps"
  readonly isTimeout: boolean
  /** The system's error code, such as `ECONNRESET`. */
  readonly code: string | undefined
}

/** Sends one request and reads the whole answer, within a time limit that covers connecting, headers and body. */
export type Exchange = (
  request: HttpClientRequest.HttpClientRequest,
  limit: Duration.Duration
) => Effect.Effect<Answer, NoAnswer>

/** Makes exchanges over a transport. Nothing that the transport says of a failure leaves here but its error code. */
export const make =
  (http: HttpClient.HttpClient): Exchange =>
  (request, limit) =>
    http.execute(request).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.arrayBuffer, (data): Answer => ({
          status: response.status,
          data,
          header: (name) => response.headers[name]
        }))
      ),
      Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(timedOut) }),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(Cause.map(cause, noAnswer))
          : Effect.fail(noAnswer(Cause.squash(cause)))
      )
    )

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

const timedOut: NoAnswer = { _tag: "NoAnswer", wasSent: "perhaps", isTimeout: true, code: undefined }

const noAnswer = (failure: unknown): NoAnswer => {
  if (failure === timedOut) return timedOut
  const codes = systemCodes(failure)
  const [code] = codes
  const isUnsent =
    neverReachedTransport(failure) || (codes.length > 0 && codes.every((each) => connectFailures.has(each ?? "")))
  return { _tag: "NoAnswer", wasSent: isUnsent ? "certainly not" : "perhaps", isTimeout: false, code }
}

/** The codes of a connection that was never made. Anything else may have been sent. */
const connectFailures = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

const neverReachedTransport = (failure: unknown): boolean =>
  HttpClientError.isHttpClientError(failure) &&
  (failure.reason._tag === "InvalidUrlError" || failure.reason._tag === "EncodeError")

/** The codes at the root of a failure, one for each address that was tried; `undefined` for a root without one. */
const systemCodes = (failure: unknown, depth = 0): ReadonlyArray<string | undefined> => {
  if (!Predicate.isObject(failure) || depth === 8) return [undefined]
  if (HttpClientError.isHttpClientError(failure)) return systemCodes(failure.cause, depth + 1)
  const { cause, code, errors } = failure
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap((error) => systemCodes(error, depth + 1))
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? [code] : systemCodes(cause, depth + 1)
}
