/**
 * The access token of a client, as a service.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as AccessTokens from "./AccessTokens.js"
import { GatewayConfig } from "./GatewayConfig.js"
import * as HttpClientExchange from "./HttpClientExchange.js"
import * as Telemetry from "./Telemetry.js"

/**
 * The access token that all calls of a client share.
 *
 * It is asked for when the first call needs it, refreshed ahead of its end while the old one is still in use, and
 * dropped when the gateway refuses it.
 */
export class AccessToken extends Context.Service<AccessToken, AccessTokens.AccessTokens>()("effect-gopay/AccessToken") {
  /** Keeps the token in memory. */
  static readonly layer: Layer.Layer<AccessToken, never, GatewayConfig | HttpClient.HttpClient> = Layer.effect(
    AccessToken,
    Effect.gen(function* () {
      const exchange = HttpClientExchange.make(yield* HttpClient.HttpClient)
      const settings = yield* GatewayConfig
      return AccessTokens.make(
        settings,
        (request, limit) => Effect.updateContext(exchange(request, limit), HttpClientExchange.exchangeContext),
        yield* Effect.scope,
        Telemetry.make(settings)
      )
    })
  )
}
