/**
 * The access token of a client, as a service.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Persistable from "effect/persistence/Persistable"
import * as Persistence from "effect/persistence/Persistence"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TokenCache from "./TokenCache.js"
import * as SharedTokenCache from "./SharedTokenCache.js"
import { GatewayConfig } from "../config/GatewayConfig.js"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"
import * as Telemetry from "./Telemetry.js"

const gatewaySource = Effect.gen(function* () {
  const transport = HttpClientTransport.make(yield* HttpClient.HttpClient)
  const settings = yield* GatewayConfig
  return TokenCache.gatewaySource(
    settings,
    (request, limit) => Effect.updateContext(transport(request, limit), HttpClientTransport.transportContext),
    Telemetry.make(settings)
  )
})

const keptFrom = <R>(source: Effect.Effect<TokenCache.TokenSource, never, R>) =>
  Effect.gen(function* () {
    return TokenCache.keep(yield* source, yield* Effect.scope)
  })

/**
 * The access token that all calls of a client share.
 *
 * It is asked for when the first call needs it, refreshed ahead of its end while the old one is still in use, and
 * dropped when the gateway refuses it.
 */
export class AccessToken extends Context.Service<AccessToken, TokenCache.TokenCache>()("effect-gopay/AccessToken") {
  /** Keeps the token in memory. */
  static readonly layer: Layer.Layer<AccessToken, never, GatewayConfig | HttpClient.HttpClient> = Layer.fresh(
    Layer.effect(AccessToken, keptFrom(gatewaySource))
  )

  /**
   * Keeps the token in memory and shares it with other processes through Effect's `Persistence`: Redis, a database,
   * files.
   *
   * ```ts
   * const shop = Gateway.layerNoDeps.pipe(
   *   Layer.provide(AccessToken.layerPersisted),
   *   Layer.provide(GatewayConfig.layerConfig),
   *   Layer.provide(Persistence.layerRedis), // or layerSql, or layerKvs
   *   Layer.provide(redis) // Effect's Redis service: Redis.make over any client, or NodeRedis of @effect/platform-node
   * )
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
   * Each time it is provided it is another one, so two merchants of a program never share a token.
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
