/**
 * A local gateway below a path of a server that is not its own.
 */
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { fetchReceiver } from "./server/Notifications.js"
import { basePath, withoutBase } from "./server/BasePath.js"
import type { ConnectionLost } from "./server/FaultedResponse.js"
import { sameOriginGuard } from "./server/SameOriginGuard.js"
import type { MountedLocalGatewayOptions } from "./LocalGatewayOptions.js"
import type { LocalGatewayService } from "./LocalGatewayService.js"
import { startGateway, type StateStore } from "./RunningGateway.js"

/** A mounted gateway. */
interface MountedGateway {
  readonly service: LocalGatewayService
  /** Responds to a request of any address, with the base in its path or without it. */
  readonly respond: (
    request: HttpClientRequest.HttpClientRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
}

/** The origin of an address without one, until a request names it: that of most dev servers. */
export const presumedOrigin = "http://localhost:3000"

/** An address at which a gateway is mounted: whole, or the path alone. */
export const mountedUrl = (url: string): string => new URL(url, presumedOrigin).href.replace(/\/$/, "")

const origin = /^https?:\/\/[^/?#]*/i

/** Starts a gateway that is mounted in another server, with a store that is opened first. It ends with the scope. */
export const mountGateway = <E>(
  { allowHosts = [], url: given = "/gopay", ...options }: Omit<MountedLocalGatewayOptions, "dataFile">,
  open: Effect.Effect<StateStore<E>, E, Scope.Scope>
): Effect.Effect<MountedGateway, E, Scope.Scope> =>
  Effect.gen(function* () {
    const url = mountedUrl(given)
    const base = basePath(url)
    const guard = sameOriginGuard({ url, allowHosts })
    const store = yield* open
    const { engine, respond, service } = yield* startGateway(
      { notificationReceiver: fetchReceiver, ...options },
      { url, guard, isServer: true },
      store
    )

    const respondBelow = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.suspend(() => {
        const [reachedAt = presumedOrigin] = origin.exec(request.url) ?? []
        if (given.startsWith("/") && guard.hostObjection(request.headers) === undefined) engine.url = reachedAt + base
        const path = withoutBase(base, request.url.slice(reachedAt.length))
        return respond(HttpClientRequest.setUrl(request, reachedAt + path))
      })

    return { service, respond: respondBelow }
  })
