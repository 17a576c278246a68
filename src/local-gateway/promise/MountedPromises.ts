/**
 * A mounted local gateway with promises, whatever its state is kept in.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { basePath, type BasePath, withoutBase } from "../server/BasePath.js"
import { maxBodyBytes } from "../server/Routes.js"
import { fromWebRequest, toWebResponse } from "../server/WebRequest.js"
import { fitting } from "../OptionChecks.js"
import { startGateway } from "../RunningGateway.js"
import type { StateStore } from "../server/StateKeeping.js"
import { type CommonOptions, failure, layerOptions, gatewayPromises } from "./GatewayPromises.js"
import type { MountedLocalGateway } from "./RunningLocalGateway.js"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { fetchReceiver } from "../server/Notifications.js"
import type { ConnectionLost } from "../server/FaultedResponse.js"
import { sameOriginGuard } from "../server/SameOriginGuard.js"
import type { LocalGatewayOptions, LocalGatewayService } from "../LocalGatewayService.js"

/** Where a gateway is mounted, and which names it has besides. */
interface Mounting {
  readonly url: string
  readonly allowHosts: CommonOptions["allowHosts"]
}

/** A mounted gateway. */
interface MountedGateway {
  readonly service: LocalGatewayService
  /** Responds to a request of any address, with the base in its path or without it. */
  readonly respond: (
    request: HttpClientRequest.HttpClientRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
}

/** The origin of an address without one, until a request names it: that of most dev servers. */
const presumedOrigin = "http://localhost:3000"

/** An address at which a gateway is mounted: whole, or the path alone. */
const mountedUrl = (url: string): string => new URL(url, presumedOrigin).href.replace(/\/$/, "")

const origin = /^https?:\/\/[^/?#]*/i

/** Starts a gateway that is mounted in another server, with a store that is opened first. It ends with the scope. */
const mountGateway = <E>(
  { allowHosts = [], notificationReceiver = fetchReceiver, url: given, ...options }: LocalGatewayOptions & Mounting,
  open: Effect.Effect<StateStore<E>, E, Scope.Scope>
): Effect.Effect<MountedGateway, E, Scope.Scope> =>
  Effect.gen(function* () {
    const url = mountedUrl(given)
    const base = basePath(url)
    const guard = sameOriginGuard({ url, allowHosts })
    const store = yield* open
    const { engine, respond, service } = yield* startGateway(
      { ...options, notificationReceiver },
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

const making = "mountLocalGateway"

/** The address at which a gateway is mounted. */
export const mountedAddress = fitting<string>(
  "must be an http or https address, such as http://localhost:3000/gopay, or a path, such as /gopay",
  (value) => typeof value === "string" && /^(https?:\/\/[^/?#@\s]+)?(\/[^?#\s]*)?$/.test(value) && value !== ""
)

/** Makes a gateway that starts with the first request or operation. */
export const mountedPromises = <E>(
  given: Omit<CommonOptions, "dataFile"> & { readonly url?: string | undefined },
  open: Effect.Effect<StateStore<E>, E, Scope.Scope>
): {
  readonly base: BasePath
  /** Starts the gateway, at the first time. */
  readonly start: () => Promise<MountedGateway>
  /** To be called after each response: an address without an origin follows the requests. */
  readonly learnUrl: (gateway: MountedGateway) => void
  /** The current address. */
  readonly url: () => string
  readonly members: Omit<MountedLocalGateway, "node" | "url">
} => {
  const { allowHosts, url = "/gopay" } = given
  const options = { ...layerOptions(making, given), allowHosts, url }
  const scope = Scope.makeUnsafe()

  const begin = async (): Promise<MountedGateway> => {
    const exit = await Effect.runPromiseExit(Scope.provide(mountGateway(options, open), scope))
    if (Exit.isSuccess(exit)) return exit.value
    throw failure(making, exit.cause)
  }
  let started: Promise<MountedGateway> | undefined
  let knownUrl = mountedUrl(url)
  const { members, opened } = gatewayPromises(scope, () => (started ??= begin()))

  const learnUrl = ({ service }: MountedGateway): void => {
    knownUrl = service.url
  }

  const fetch = async (request: Request): Promise<Response> => {
    const mounted = await opened(making)
    const response = await toWebResponse(mounted.respond(await fromWebRequest(request, maxBodyBytes)), request.signal)
    learnUrl(mounted)
    return response
  }

  return {
    base: basePath(knownUrl),
    start: () => opened(making),
    learnUrl,
    url: () => knownUrl,
    members: { ...members, fetch }
  }
}
