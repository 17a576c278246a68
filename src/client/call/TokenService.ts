/**
 * The common part of the access token services of all APIs.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Persistable from "effect/persistence/Persistable"
import * as Persistence from "effect/persistence/Persistence"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"
import type { Transport } from "../transport/Transport.js"
import type { CachedToken } from "./CachedToken.js"
import * as SharedTokenCache from "./SharedTokenCache.js"
import * as TokenCache from "./TokenCache.js"
import type { TokenSource } from "./TokenSource.js"

/** The access token that all calls of a client share. */
export interface TokenService<out E> {
  readonly get: Effect.Effect<Redacted.Redacted<string>, E>
  readonly invalidate: (refused: Redacted.Redacted<string>) => Effect.Effect<void>
}

/** A merchant's settings, and the source of its tokens. */
interface MerchantTokens {
  readonly settings: GatewaySettings
  readonly source: TokenSource
}

/** Sends requests for tokens. */
export const tokenTransport = (http: HttpClient.HttpClient): Transport => {
  const transport = HttpClientTransport.make(http)
  return (request, limit) => Effect.updateContext(transport(request, limit), sharedContext)
}

/** A call's changes to its client do not apply to the token request, which other calls wait for as well. */
const sharedContext = (caller: Context.Context<never>): Context.Context<never> =>
  Context.add(HttpClientTransport.transportContext(caller), HttpClientTransport.ClientTransform, undefined)

const cache = Symbol("TokenCache")

interface CachedService<out E> extends TokenService<E> {
  readonly [cache]: TokenCache.TokenCache
}

/** Makes the token services of an API. `toError` makes its errors from the failures of token requests. */
export const make = <E>(toError: (failure: GatewayFailure) => E) => {
  /** The link to its tokens is not enumerable: a copy with another `get` is a token of the caller's own. */
  const serviceOf = (tokens: TokenCache.TokenCache): TokenService<E> =>
    Object.defineProperty(
      {
        get: Effect.mapBoth(tokens.get, { onFailure: toError, onSuccess: ({ value }) => value }),
        invalidate: (refused: Redacted.Redacted<string>) =>
          Effect.flatMap(tokens.held, (held) =>
            held !== undefined && isSameToken(held.value, refused) ? tokens.drop(held) : Effect.void
          )
      },
      cache,
      { value: tokens }
    )

  const kept = (source: TokenSource): Effect.Effect<TokenService<E>, never, Scope.Scope> =>
    Effect.map(Effect.scope, (scope) => serviceOf(TokenCache.keep(source, scope)))

  return {
    /** Keeps the token in memory. */
    inMemory: ({ source }: MerchantTokens) => kept(source),
    /** Shares the token with other processes. */
    persisted: ({ settings, source }: MerchantTokens) =>
      Effect.flatMap(Persistence.Persistence, (persistence) =>
        Effect.flatMap(SharedTokenCache.shared(source, settings, persistedStore(persistence)), kept)
      )
  }
}

const isCached = <E>(service: TokenService<E>): service is CachedService<E> => cache in service

/** The tokens of a service. For a layer of this package it is also known when a token was obtained, and from where. */
export const tokensOf = <E>(service: TokenService<E>, toFailure: (error: E) => GatewayFailure): TokenCache.TokenCache =>
  isCached(service) ? service[cache] : ownTokens(service, toFailure)

const isSameToken = (one: Redacted.Redacted<string>, other: Redacted.Redacted<string>): boolean =>
  Redacted.value(one) === Redacted.value(other)

/**
 * A token of the caller's own may be older than the call that gets it, unless it follows an invalidation: if such a
 * token is refused, the merchant is refused.
 */
const ownTokens = <E>(
  { get, invalidate }: TokenService<E>,
  toFailure: (error: E) => GatewayFailure
): TokenCache.TokenCache => {
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
    get: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.mapBoth(get, { onFailure: toFailure, onSuccess: (value) => tokenOf(value, now) })
    ),
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

class Entry extends Persistable.Class<{ payload: { readonly key: string; readonly timeToLive: Duration.Duration } }>()(
  "AccessToken",
  { primaryKey: ({ key }) => key, success: Schema.String }
) {}

const entry = (key: string, timeToLive: Duration.Duration = Duration.zero) => new Entry({ key, timeToLive })

/** The store is opened for each use, since it may be down when the program starts. */
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
