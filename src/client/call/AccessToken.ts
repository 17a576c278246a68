/**
 * The access token of a client, as a service.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Persistence from "effect/persistence/Persistence"
import type * as Redacted from "effect/Redacted"
import { GatewayConfig } from "../config/GatewayConfig.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { ApiTypesV3 } from "../error/AnyReason.js"
import { GatewayError } from "../error/YieldableGatewayError.js"
import { apiV3 } from "./ApiV3.js"
import { MerchantId } from "./merchantAttribute.js"
import * as Telemetry from "./Telemetry.js"
import * as TokenService from "./TokenService.js"
import * as TokenSource from "./TokenSource.js"

/** The source of a merchant's tokens: the gateway. */
export const tokenSource = (
  settings: GatewaySettings,
  http: HttpClient.HttpClient,
  merchantId: string | undefined
): TokenSource.TokenSource =>
  TokenSource.gatewaySource(
    apiV3,
    settings,
    TokenService.tokenTransport(http),
    Telemetry.make<ApiTypesV3>(settings, { ...apiV3, toError: (failure) => new GatewayError(failure), merchantId })
  )

const gatewaySource = Effect.gen(function* () {
  const settings = yield* GatewayConfig
  return { settings, source: tokenSource(settings, yield* HttpClient.HttpClient, yield* MerchantId) }
})

const services = TokenService.make((failure) => new GatewayError(failure))

/** An access token that all calls of a client share. */
export interface AccessTokenService {
  /** Returns a token to use now. Every call runs it, so it should cache the token for as long as it is valid. */
  readonly get: Effect.Effect<Redacted.Redacted<string>, GatewayError>
  /** Drops a token that the gateway refused, so that `get` returns another one. */
  readonly invalidate: (refused: Redacted.Redacted<string>) => Effect.Effect<void>
}

/**
 * The access token that all calls of a client share.
 *
 * The layers here request it when the first call needs it, refresh it before it expires while the old one is still in
 * use, and drop it when the gateway refuses it. For a token of your own, such as one that another service issues,
 * provide `get` and `invalidate`:
 *
 * ```ts
 * const ownToken = Layer.succeed(AccessToken, { get: askVault, invalidate: () => forgetInVault })
 * const shop = () => Gateway.layerNoDeps.pipe(Layer.provide(ownToken), Layer.provide(GatewayConfig.layerConfig()))
 * ```
 *
 * `shop` is a function, called for each merchant: a constant would be built once, and a second merchant's calls would
 * use the first one's gateway. See `Gateway.layer`. A second merchant also needs another `ownToken`.
 */
export class AccessToken extends Context.Service<AccessToken, AccessTokenService>()("effect-gopay/AccessToken") {
  /** Keeps the token in memory. */
  static readonly layer: Layer.Layer<AccessToken, never, GatewayConfig | HttpClient.HttpClient> = Layer.fresh(
    Layer.effect(AccessToken, Effect.flatMap(gatewaySource, services.inMemory))
  )

  /**
   * Keeps the token in memory and shares it with other processes through Effect's `Persistence`: Redis, a database,
   * files.
   *
   * ```ts
   * // a function, called for each merchant: a constant would be built once, for all of them
   * const shop = () =>
   *   Gateway.layerNoDeps.pipe(
   *     Layer.provide(AccessToken.layerPersisted),
   *     Layer.provide(GatewayConfig.layerConfig()),
   *     Layer.provide(Persistence.layerRedis), // or layerSql, or layerKvs
   *     Layer.provide(redis) // Effect's Redis service: Redis.make over any client, or NodeRedis of @effect/platform-node
   *   )
   * ```
   *
   * Processes share a token when gateway, ClientID and scope are the same. At most one request for a token is in flight
   * in each process, and usually one in the whole fleet: processes that need a token at the same time agree through the
   * store which of them requests it, which takes 0.1 seconds. The others wait for it, for at most 6 seconds. This is
   * not a lock: if a store or a process stalls for longer than 0.1 seconds, or a process dies while requesting, several
   * may request one. That is harmless: each gets a token.
   *
   * The token is stored encrypted (AES-256-GCM, with a key derived from the ClientSecret by PBKDF2); the ClientSecret
   * itself is never stored. A token that the gateway refuses is removed, and an expired one is never used. If the store
   * is down, slow (a second for each step, 6 seconds in all) or holds something unreadable, the process uses a token of
   * its own, and logs a warning once.
   *
   * Each time it is provided, it is another one, so two merchants of a program never share a token; but see
   * `Gateway.layer`.
   */
  static readonly layerPersisted: Layer.Layer<
    AccessToken,
    never,
    GatewayConfig | HttpClient.HttpClient | Persistence.Persistence
  > = Layer.fresh(Layer.effect(AccessToken, Effect.flatMap(gatewaySource, services.persisted)))
}
