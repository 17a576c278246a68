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

/** The gateway as the source of a merchant's tokens. */
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
  /** A token to use now. It is run by every call, so it should keep the token as long as that lasts. */
  readonly get: Effect.Effect<Redacted.Redacted<string>, GatewayError>
  /** Gives up a token that the gateway refused: what `get` gives next should be another one. */
  readonly invalidate: (refused: Redacted.Redacted<string>) => Effect.Effect<void>
}

/**
 * The access token that all calls of a client share.
 *
 * The layers here ask for it when the first call needs it, refresh it ahead of its end while the old one is still in use,
 * and drop it when the gateway refuses it. A token of your own, such as one that another service hands out, is `get` and
 * `invalidate`:
 *
 * ```ts
 * const ownToken = Layer.succeed(AccessToken, { get: askVault, invalidate: () => forgetInVault })
 * const shop = () => Gateway.layerNoDeps.pipe(Layer.provide(ownToken), Layer.provide(GatewayConfig.layerConfig()))
 * ```
 *
 * It is a function, called for each merchant: a constant would be built once, and a second merchant's payments would be
 * the first one's. See `Gateway.layer`. A second merchant has another `ownToken` too.
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
   * Processes share a token when gateway, ClientID and scope are the same. At most one request for a token is under way
   * in each process, and usually one in the whole fleet: processes that need one at the same time agree through the
   * store who asks, which takes 0.1 seconds, and the others wait for that one, for 6 seconds at most. It is no lock:
   * when a store or a process is held up for longer than 0.1 seconds, or a process dies while it asks, more than one
   * may ask. That does no harm: each gets a token.
   *
   * The token lies in the store encrypted (AES-256-GCM, with a key derived from the ClientSecret by PBKDF2); the
   * ClientSecret itself never does. A token that the gateway refuses is removed, one that has expired is never used. A
   * store that is down, slow (a second for each step, 6 seconds in all) or holds what cannot be read costs the sharing
   * and nothing else: the process uses a token of its own, and says so once, in a warning.
   *
   * Each time it is provided it is another one, so two merchants of a program never share a token; but see `Gateway.layer`.
   */
  static readonly layerPersisted: Layer.Layer<
    AccessToken,
    never,
    GatewayConfig | HttpClient.HttpClient | Persistence.Persistence
  > = Layer.fresh(Layer.effect(AccessToken, Effect.flatMap(gatewaySource, services.persisted)))
}
