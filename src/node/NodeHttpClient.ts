/**
 * An `HttpClient` over `node:http` and `node:https`, for programs on Node.js.
 *
 * For most failures it knows whether the request was sent, which `fetch` does not, so fewer changes end with
 * `OutcomeUnknown`. It is also faster.
 */
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { configErrorOf } from "../basics/InvalidFields.js"
import { sentDirectly } from "../client/transport/HttpClientTransport.js"
import { factsOf } from "../client/transport/RequestFacts.js"
import { type SocketResponse, socketSender } from "../client/transport/SocketSender.js"
import { currentRuntime } from "../client/transport/Runtime.js"
import { type ConnectionAgent, type SenderRequest, maxTimer } from "../client/transport/Sender.js"
import { isTransportFailure, notSentCode, type TransportFailure } from "../client/transport/TransportFailure.js"

export type { ConnectionAgent } from "../client/transport/Sender.js"

/**
 * Sends requests over kept connections of its own, which are closed with the layer's scope. It respects
 * `NODE_USE_ENV_PROXY` where Node.js does.
 *
 * ```ts
 * program.pipe(Effect.provide(Gateway.layerConfig()), Effect.provide(NodeHttpClient.layer))
 * ```
 *
 * It is made for a gateway: responses are read whole, requests have a text or bytes as their body or none (others fail
 * with `EncodeError`), and redirects are not followed. A replaced global `fetch` and undici's dispatcher do not affect
 * it.
 *
 * A `TransportError` of a request that was certainly not sent has a cause with the `code` `ERR_NOT_SENT`, and the
 * failure itself as the cause of that. An `HttpClient` of your own can say so in the same way.
 *
 * Building it fails with a `ConfigError` on Deno, Bun and Cloudflare Workers, whose `node:http` is not Node's: Deno's may
 * send a request twice. Use `FetchHttpClient` there.
 */
export const layer: Layer.Layer<HttpClient.HttpClient, Config.ConfigError> = Layer.suspend(() => layerOf(undefined))

/**
 * The same over an agent of `node:https`, for a proxy or a certificate of your own, such as `new HttpsProxyAgent(url)`.
 * Its connections are not closed with the layer's scope.
 */
export const layerAgent = (agent: ConnectionAgent): Layer.Layer<HttpClient.HttpClient, Config.ConfigError> =>
  Layer.suspend(() => layerOf(agent))

const layerOf = (agent: ConnectionAgent | undefined): Layer.Layer<HttpClient.HttpClient, Config.ConfigError> =>
  currentRuntime() === "node"
    ? Layer.effect(
        HttpClient.HttpClient,
        Effect.map(
          Effect.acquireRelease(
            Effect.sync(() => socketSender(agent)),
            ({ close }) => Effect.sync(close)
          ),
          (sender) => sentDirectly(clientOf(sender), sender)
        )
      )
    : Layer.effect(
        HttpClient.HttpClient,
        Effect.fail(configErrorOf("NodeHttpClient is for Node.js: use FetchHttpClient."))
      )

const clientOf = ({ send }: ReturnType<typeof socketSender>): HttpClient.HttpClient =>
  HttpClient.make((request, url, _, fiber) => {
    const body = bodyOf(request)
    if (body === unsupported)
      return failed(new HttpClientError.EncodeError({ request, description: "not a text or bytes" }))
    const { headers, method } = request
    if (!isMethod(method)) return failed(new HttpClientError.EncodeError({ request, description: `no ${method} here` }))
    const facts = factsOf(request, fiber)
    const sending = facts?.sending({ method, url: url.href, authorization: headers["authorization"] })
    const { bytes, isChange, time } =
      facts !== undefined && sending !== undefined ? facts : { isChange: method !== "GET", ...noLimits }
    const { end: ended, mayHandOver } = sending ?? { end: () => {}, mayHandOver: undefined }
    const wanted: SenderRequest = { method, url: url.href, headers, body, isChange, mayHandOver }
    return Effect.callback((resume) => {
      const end = send(wanted, { bytes, time }, (outcome) => {
        ended(outcome)
        resume(
          isTransportFailure(outcome) ? failed(transportError(request, outcome)) : received(request, outcome, bytes)
        )
      })
      return Effect.sync(() => {
        end()
        ended()
      })
    })
  })

const noLimits = { time: maxTimer, bytes: Infinity }

const unsupported = Symbol("unsupported")

const bodyOf = ({
  body
}: HttpClientRequest.HttpClientRequest): string | Uint8Array | undefined | typeof unsupported => {
  if (body._tag === "Empty") return undefined
  if (body._tag === "Uint8Array") return body.body
  return body._tag === "Raw" && typeof body.body === "string" ? body.body : unsupported
}

const isMethod = (method: string): method is SenderRequest["method"] => /^(GET|POST|PUT|PATCH|DELETE)$/.test(method)

const failed = (reason: HttpClientError.HttpClientErrorReason) =>
  Effect.fail(new HttpClientError.HttpClientError({ reason }))

const transportError = (
  request: HttpClientRequest.HttpClientRequest,
  { code, isTimeout, name, wasSent }: TransportFailure
): HttpClientError.TransportError => {
  const known = isTimeout ? "ETIMEDOUT" : (code ?? name)
  const failure = Object.assign(new Error(known), { code: known })
  const cause =
    wasSent === "perhaps"
      ? failure
      : Object.assign(new Error("Nothing was sent.", { cause: failure }), { code: notSentCode })
  return new HttpClientError.TransportError({ request, cause })
}

/** Statuses whose responses have no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

const received = (
  request: HttpClientRequest.HttpClientRequest,
  { data, headers, status }: SocketResponse,
  limit: number
) =>
  Effect.try({
    try: () => {
      const web = new Headers()
      for (const [name, values] of Object.entries(headers)) {
        for (const value of [values ?? []].flat()) web.append(name, value)
      }
      // The reader sees that the body is too long, and reads nothing. Without this header a missing body would look
      // empty.
      if (data === undefined) web.set("content-length", String(limit + 1))
      return HttpClientResponse.fromWeb(
        request,
        new Response(withoutBody.has(status) ? null : (data ?? ""), { status, headers: web })
      )
    },
    catch: (cause) =>
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
  })
