/**
 * The access token of a client of API v4, as a service.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Persistence from "effect/persistence/Persistence"
import type * as Redacted from "effect/Redacted"
import { MerchantId } from "../call/merchantAttribute.js"
import * as Telemetry from "../call/Telemetry.js"
import * as TokenService from "../call/TokenService.js"
import * as TokenSource from "../call/TokenSource.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import { apiV4 } from "./ApiV4.js"
import { GatewayConfigV4 } from "./GatewayConfigV4.js"
import { type ApiTypesV4, tokenFailureV4 } from "./GatewayErrorV4.js"
import { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"

/** The gateway as the source of a merchant's tokens. @internal */
export const tokenSourceV4 = (
  settings: GatewaySettings,
  http: HttpClient.HttpClient,
  merchantId: string | undefined
): TokenSource.TokenSource =>
  TokenSource.gatewaySource(
    apiV4,
    settings,
    TokenService.tokenTransport(http),
    Telemetry.make<ApiTypesV4>(settings, {
      ...apiV4,
      toError: (failure) => new GatewayErrorV4(failure),
      merchantId
    })
  )

const gatewaySource = Effect.gen(function* () {
  const settings = yield* GatewayConfigV4
  return { settings, source: tokenSourceV4(settings, yield* HttpClient.HttpClient, yield* MerchantId) }
})

const services = TokenService.make((failure) => new GatewayErrorV4(tokenFailureV4(failure)))

/** An access token that all calls of a client of API v4 share. */
export interface AccessTokenServiceV4 {
  /** Returns a token to use now. Every call runs it, so it should cache the token for as long as it is valid. */
  readonly get: Effect.Effect<Redacted.Redacted<string>, GatewayErrorV4>
  /** Drops a token that the gateway refused, so that `get` returns another one. */
  readonly invalidate: (refused: Redacted.Redacted<string>) => Effect.Effect<void>
}

/** The access token that all calls of a client of API v4 share: see `AccessToken` of v3, whose rules are the same. */
export class AccessTokenV4 extends Context.Service<AccessTokenV4, AccessTokenServiceV4>()(
  "effect-gopay/v4/AccessToken"
) {
  /** Keeps the token in memory. */
  static readonly layer: Layer.Layer<AccessTokenV4, never, GatewayConfigV4 | HttpClient.HttpClient> = Layer.fresh(
    Layer.effect(AccessTokenV4, Effect.flatMap(gatewaySource, services.inMemory))
  )

  /**
   * Keeps the token in memory and shares it with other processes through Effect's `Persistence`, encrypted: see `AccessToken` of v3.
   * Processes share a token when gateway, API, ClientID and scope are the same.
   *
   * ```ts
   * // a function, called for each merchant: a constant would be built once, for all of them
   * const shop = () =>
   *   GatewayV4.layerNoDeps.pipe(
   *     Layer.provide(AccessTokenV4.layerPersisted),
   *     Layer.provide(GatewayConfigV4.layerConfig()),
   *     Layer.provide(Persistence.layerRedis) // or layerSql, or layerKvs
   *   )
   * ```
   */
  static readonly layerPersisted: Layer.Layer<
    AccessTokenV4,
    never,
    GatewayConfigV4 | HttpClient.HttpClient | Persistence.Persistence
  > = Layer.fresh(Layer.effect(AccessTokenV4, Effect.flatMap(gatewaySource, services.persisted)))
}
