/**
 * The access token of a client, as a service.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Persistable from "effect/persistence/Persistable"
import * as Persistence from "effect/persistence/Persistence"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { apiV3 } from "./ApiV3.js"
import type { CachedToken } from "./CachedToken.js"
import * as TokenCache from "./TokenCache.js"
import * as TokenSource from "./TokenSource.js"
import * as SharedTokenCache from "./SharedTokenCache.js"
import { GatewayConfig } from "../config/GatewayConfig.js"
import type { ApiTypesV3 } from "../error/AnyReason.js"
import { GatewayError } from "../error/YieldableGatewayError.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"
import * as Telemetry from "./Telemetry.js"

/** The gateway as the source of a merchant's tokens. */
export const tokenSource = (settings: GatewaySettings, http: HttpClient.HttpClient): TokenSource.TokenSource => {
  const transport = HttpClientTransport.make(http)
  return TokenSource.gatewaySource(
    apiV3,
    settings,
    (request, limit) => Effect.updateContext(transport(request, limit), sharedContext),
    Telemetry.make<ApiTypesV3>(settings, { ...apiV3, toError: (failure) => new GatewayError(failure) })
  )
}

/** What a call does to its client does not concern the token, which others wait for, too. */
const sharedContext = (caller: Context.Context<never>): Context.Context<never> =>
  Context.add(HttpClientTransport.transportContext(caller), HttpClientTransport.ClientTransform, undefined)

const gatewaySource = Effect.gen(function* () {
  return tokenSource(yield* GatewayConfig, yield* HttpClient.HttpClient)
})

const keptFrom = <R>(source: Effect.Effect<TokenSource.TokenSource, never, R>) =>
  Effect.gen(function* () {
    return serviceOf(TokenCache.keep(yield* source, yield* Effect.scope))
  })

const cache = Symbol("TokenCache")

interface CachedService extends AccessTokenService {
  readonly [cache]: TokenCache.TokenCache
}

/** What it knows of its tokens is not enumerable: a copy with another `get` is a token of the caller's own. */
const serviceOf = (tokens: TokenCache.TokenCache): AccessTokenService =>
  Object.defineProperty(
    {
      get: Effect.mapBoth(tokens.get, {
        onFailure: (failure) => new GatewayError(failure),
        onSuccess: ({ value }) => value
      }),
      invalidate: (refused: Redacted.Redacted<string>) =>
        Effect.flatMap(tokens.held, (held) =>
          held !== undefined && isSameToken(held.value, refused) ? tokens.drop(held) : Effect.void
        )
    },
    cache,
    { value: tokens }
  )

const isCached = (service: AccessTokenService): service is CachedService => cache in service

/** The tokens of a service. Those of a layer here are known better: when they were obtained, and from where. */
export const tokensOf = (service: AccessTokenService): TokenCache.TokenCache =>
  isCached(service) ? service[cache] : ownTokens(service)

const isSameToken = (one: Redacted.Redacted<string>, other: Redacted.Redacted<string>): boolean =>
  Redacted.value(one) === Redacted.value(other)

/**
 * A token of the caller's own may be older than the call that is given it, except for another one that follows an
 * invalidation: its refusal says that the merchant is refused.
 */
const ownTokens = ({ get, invalidate }: AccessTokenService): TokenCache.TokenCache => {
  let held: CachedToken | undefined
  let refused: CachedToken | undefined
  const tokenOf = (value: Redacted.Redacted<string>, obtainedAt: number): CachedToken => {
    if (held !== undefined && isSameToken(held.value, value)) return held
    const isNew = refused !== undefined && !isSameToken(refused.value, value)
    refused = undefined
    held = { value, obtainedAt, refreshAt: Infinity, expiresAt: Infinity, isFromStore: !isNew }
    return held
  }
  return {
    get: Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.map(get, (value) => tokenOf(value, now))),
    held: Effect.sync(() => held),
    drop: (token) =>
      Effect.suspend(() => {
        if (held !== token) return Effect.void
        held = undefined
        refused = token
        return invalidate(token.value)
      })
  }
}

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
    Layer.effect(AccessToken, keptFrom(gatewaySource))
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
  > = Layer.fresh(
    Layer.effect(
      AccessToken,
      keptFrom(
        Effect.gen(function* () {
          const store = persistedStore(yield* Persistence.Persistence)
          return yield* SharedTokenCache.shared(yield* gatewaySource, yield* GatewayConfig, store)
        })
      )
    )
  )
}

class Entry extends Persistable.Class<{ payload: { readonly key: string; readonly timeToLive: Duration.Duration } }>()(
  "AccessToken",
  { primaryKey: ({ key }) => key, success: Schema.String }
) {}

const entry = (key: string, timeToLive: Duration.Duration = Duration.zero) => new Entry({ key, timeToLive })

/** It is opened for each use, since what it is kept in may be down when the program starts. */
export const persistedStore = (persistence: Persistence.Persistence["Service"]): SharedTokenCache.TextStore => {
  const using = <A>(
    use: (store: Persistence.PersistenceStore) => Effect.Effect<A, unknown>
  ): Effect.Effect<A, unknown> =>
    withScope(
      Effect.suspend(() =>
        Effect.flatMap(
          persistence.make({
            storeId: "gopay_access_tokens",
            timeToLive: (_, key) => (key instanceof Entry ? key.timeToLive : Duration.zero)
          }),
          use
        )
      )
    )
  return {
    get: (key) => using((store) => Effect.flatMap(store.get(entry(key)), (exit) => exit ?? Effect.undefined)),
    set: (key, text, timeToLive) => using((store) => store.set(entry(key, timeToLive), Exit.succeed(text))),
    remove: (key) => using((store) => store.remove(entry(key)))
  }
}

/** Provides a scope that is closed in the background; a failure to close it is ignored. */
const withScope = <A, E>(work: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.flatMap(Scope.make(), (scope) =>
    Effect.onExit(Effect.provideService(work, Scope.Scope, scope), (exit) =>
      Effect.forkDetach(
        Effect.catchCause(
          Effect.suspend(() => Scope.close(scope, exit)),
          () => Effect.void
        )
      )
    )
  )
