/**
 * A transport for tests: every request is kept, every response is written by the test.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Gateway, type GatewayOptions } from "../../src/index.js"
import { credentials } from "./Credentials.js"

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

type Answer = Response | Effect.Effect<Response, unknown>

export interface ScriptedTransport {
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** The requests of operations, without those for a token. */
  readonly sent: ReadonlyArray<SentRequest>
  readonly tokenRequests: ReadonlyArray<SentRequest>
}

/** Answers operations with `answer`, and token requests with `token` (a new token each time, unless given). */
export const scripted = (
  answer: (request: SentRequest, index: number) => Answer,
  token: (request: SentRequest, index: number) => Answer = (_, index) => tokenResponse(`token-${index + 1}`)
): ScriptedTransport => {
  const sent: Array<SentRequest> = []
  const tokenRequests: Array<SentRequest> = []
  const http = HttpClient.make((request, url) => {
    const seen: SentRequest = {
      method: request.method,
      url: url.href,
      headers: { ...request.headers },
      body: request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
    }
    const isToken = url.pathname.endsWith("/oauth2/token")
    const list = isToken ? tokenRequests : sent
    const index = list.push(seen) - 1
    const answered = (isToken ? token : answer)(seen, index)
    return Effect.map(
      Effect.isEffect(answered)
        ? Effect.mapError(
            answered,
            (cause) =>
              new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
          )
        : Effect.succeed(answered),
      (response) => HttpClientResponse.fromWeb(request, response)
    )
  })
  return { layer: Layer.succeed(HttpClient.HttpClient, http), sent, tokenRequests }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

export const tokenResponse = (token: string, expiresIn: unknown = 1800): Response =>
  json({ token_type: "bearer", access_token: token, expires_in: expiresIn })

/** The gateway's error body, in its current form. */
export const errorBody = (error_code: number, error_name = "NAME", more: Record<string, unknown> = {}) => ({
  date_issued: "2019-10-19T15:12:34.174+0200",
  errors: [{ scope: "G", error_code, error_name, message: "A message.", ...more }]
})

export const refusal = (status: number, error_code: number, more?: Record<string, unknown>): Response =>
  json(errorBody(error_code, "NAME", more), status)

/** A failure of the transport as `fetch` reports it. */
export const fetchFailure = (...codes: ReadonlyArray<string>): Effect.Effect<never, unknown> =>
  Effect.suspend(() => {
    const errors = codes.map((code) => Object.assign(new Error(`connect ${code}`), { code }))
    const cause = errors.length === 1 ? errors[0] : new AggregateError(errors)
    return Effect.fail(new TypeError("fetch failed", { cause }))
  })

/** A response that waits until the test opens it. */
export const held = (answer: () => Response) => {
  const latch = Latch.makeUnsafe(false)
  const reached = Latch.makeUnsafe(false)
  return {
    answer: Effect.andThen(reached.open, Effect.as(latch.await, undefined)).pipe(Effect.map(answer)),
    /** Waits until the request has arrived. */
    reached: reached.await,
    open: latch.open
  }
}

/** Lets everything that waits for nothing but the event loop happen. */
export const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
})

export const paid = { id: 3090066980, state: "PAID", amount: 10_000, currency: "CZK" }

export const finished = { id: 3090066980, result: "FINISHED" }

export const merchant: GatewayOptions = {
  ...credentials,
  clientSecret: Redacted.make(credentials.clientSecret),
  environment: "https://gateway.example"
}

/** A gateway over a scripted transport. */
export const gatewayOver = (transport: ScriptedTransport, options: Partial<GatewayOptions> = {}) =>
  Layer.provide(Gateway.layer({ ...merchant, ...options }), transport.layer)
