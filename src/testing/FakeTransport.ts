/**
 * A transport with scripted responses that records its requests: for short unit tests that need no local gateway.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { getAccessToken } from "../contract/AccessTokenEndpoint.js"
import { basePathV4 } from "../contract/EndpointV4.js"
import { networkFailure } from "./ShopWorld.js"

/** When a response arrives. */
interface Delayed {
  /** How long after the request, by the program's clock. Default: at once. */
  readonly delay?: Duration.Input
}

interface Headed extends Delayed {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
}

/** A scripted response. */
export type ScriptedResponse =
  | (Headed & {
      /** The JSON body. */
      readonly json: unknown
    })
  | (Headed & {
      /** The body as it is, without a content type unless `headers` has one. */
      readonly text: string
    })
  | (Delayed & {
      /**
       * No response: no connection could be made (`"refused"`: certainly nothing was sent), it was lost after the
       * request was sent (`"lost"`: it is unknown whether the gateway carried it out), or nothing arrives any more
       * (`"silent"`: the call waits until its time is up or it is interrupted).
       */
      readonly connection: "refused" | "lost" | "silent"
    })

/** A scripted response, or a function that makes one from the request. */
export type ScriptedAnswer = ScriptedResponse | ((request: CapturedRequest) => ScriptedResponse)

/** A request as sent. */
export interface CapturedRequest {
  /** The HTTP method. */
  readonly method: string
  /**
   * Path after the API's base address, such as `/payments/payment/3000000003/refund`, and by API v4
   * `/payments/3000000003/refunds`.
   */
  readonly path: string
  /** The query, without its question mark. */
  readonly query: string
  /** Keyed by lower-case name. */
  readonly headers: { readonly [name: string]: string }
  /** The body as text; empty if there was none. */
  readonly body: string
}

/** The test's view of its fake transport. */
export interface FakeTransportService {
  /** The requests so far, except those for a token. */
  readonly requests: Effect.Effect<ReadonlyArray<CapturedRequest>>
}

/** The body of a request, as text. */
export const bodyOf = ({ body }: HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

/** Fails as a platform's transport does when there is no connection. */
export const withoutConnection = (request: HttpClientRequest, connection: "refused" | "lost") => {
  const reason = new HttpClientError.TransportError({ request, cause: networkFailure(connection) })
  return Effect.fail(new HttpClientError.HttpClientError({ reason }))
}

/** The base path of v4 does not begin with that of v3. */
const pathBelowApi = (pathname: string): string => {
  const base = [basePathV4, "/api"].find((base) => pathname.startsWith(`${base}/`)) ?? ""
  return pathname.slice(base.length)
}

const tokenResponse: ScriptedResponse = { json: { token_type: "bearer", access_token: "fake-token", expires_in: 1800 } }

const asResponse = (scripted: Exclude<ScriptedResponse, { readonly connection: unknown }>): Response => {
  const { headers, status = 200 } = scripted
  const [body, type] =
    "text" in scripted
      ? [new TextEncoder().encode(scripted.text), {}]
      : [JSON.stringify(scripted.json), { "content-type": "application/json" }]
  return new Response(status === 204 || status === 304 ? null : body, { status, headers: { ...type, ...headers } })
}

const answered = (request: HttpClientRequest, response: ScriptedResponse) => {
  if (!("connection" in response)) return Effect.succeed(HttpClientResponse.fromWeb(request, asResponse(response)))
  return response.connection === "silent" ? Effect.never : withoutConnection(request, response.connection)
}

/**
 * A fake transport.
 *
 * ```ts
 * const test = Effect.gen(function* () {
 *   yield* refundPayment(3_000_000_003, { amount: 500 })
 *   const [request] = yield* FakeTransport.requests
 *   assert.strictEqual(request?.body, "amount=500")
 * }).pipe(
 *   Effect.provide(Gateway.layer(LocalGateway.merchant)),
 *   Effect.provide(FakeTransport.layer({ json: { id: 3_000_000_003, result: "FINISHED" } }))
 * )
 * ```
 *
 * A function responds according to the request: `FakeTransport.layer(({ method }) => (method === "GET" ? { json:
 * payment } : { connection: "silent" }))`.
 */
export class FakeTransport extends Context.Service<FakeTransport, FakeTransportService>()(
  "effect-gopay/FakeTransport"
) {
  /**
   * An `HttpClient` that returns these responses in order, then repeats the last one. It is the transport of `Gateway`
   * and of `GatewayV4`. Token requests of both are answered without a script. The host does not matter.
   */
  static readonly layer = (
    ...answers: readonly [ScriptedAnswer, ...ReadonlyArray<ScriptedAnswer>]
  ): Layer.Layer<HttpClient.HttpClient | FakeTransport> =>
    Layer.effectContext(
      Effect.sync(() => {
        const requests: Array<CapturedRequest> = []
        const [first] = answers
        const http = HttpClient.make((request, url) => {
          const captured: CapturedRequest = {
            method: request.method,
            path: pathBelowApi(url.pathname),
            query: url.search.slice(1),
            headers: { ...request.headers },
            body: bodyOf(request)
          }
          const isForToken = captured.path === getAccessToken.path
          const answer = isForToken ? tokenResponse : (answers[requests.length] ?? answers.at(-1) ?? first)
          if (!isForToken) requests.push(captured)
          return Effect.suspend(() => {
            const response = typeof answer === "function" ? answer(captured) : answer
            return Effect.delay(answered(request, response), response.delay ?? Duration.zero)
          })
        })
        const service: FakeTransportService = { requests: Effect.sync(() => [...requests]) }
        return Context.make(FakeTransport, service).pipe(Context.add(HttpClient.HttpClient, http))
      })
    )

  /** The requests so far, except those for a token. */
  static readonly requests = FakeTransport.use((transport) => transport.requests)
}
