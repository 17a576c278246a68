/**
 * A mounted local gateway with promises, for any kind of state store.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Scope from "effect/Scope"
import { basePath, withoutBase } from "../server/BasePath.js"
import { fetchReceiver } from "../server/Notifications.js"
import { maxBodyBytes } from "../server/ServedRequest.js"
import { sameOriginGuard } from "../server/SameOriginGuard.js"
import type { StateStore } from "../server/StateKeeping.js"
import { fromWebRequest, toWebResponse } from "../server/WebRequest.js"
import type { LocalGatewayService } from "../LocalGatewayService.js"
import { fittingText } from "../OptionChecks.js"
import { type RunningGateway, startGateway } from "../RunningGateway.js"
import { type CommonOptions, failure, gatewayPromises, layerOptions } from "./GatewayPromises.js"

/** The default origin for an address without one, until a request names it: that of most dev servers. */
const presumedOrigin = "http://localhost:3000"

const origin = /^https?:\/\/[^/?#]*/i

const making = "mountLocalGateway"

/** The address at which a gateway is mounted: complete, or only the path. */
export const mountedAddress = fittingText(
  "must be an http or https address, such as http://localhost:3000/gopay, or a path, such as /gopay",
  (value) => /^(https?:\/\/[^/?#@\s]+)?(\/[^?#\s]*)?$/.test(value) && value !== ""
)

/** Makes a gateway that starts with the first request or operation, after its store was opened. */
export const mountedPromises = <E>(
  given: Omit<CommonOptions, "dataFile"> & { readonly url?: string | undefined },
  open: Effect.Effect<StateStore<E>, E, Scope.Scope>
) => {
  const { allowHosts = [], url: place = "/gopay" } = given
  const { notificationReceiver = fetchReceiver, ...options } = layerOptions(making, given)
  const mountedAt = new URL(place, presumedOrigin).href.replace(/\/$/, "")
  const base = basePath(mountedAt)
  const guard = sameOriginGuard({ url: mountedAt, allowHosts })

  const mounted = Effect.gen(function* () {
    const store = yield* open
    const endpoint = { url: mountedAt, guard, isServer: true }
    const { engine, respond, service } = yield* startGateway({ ...options, notificationReceiver }, endpoint, store)
    /** Responds to a request to any address, with or without the base in its path. */
    const respondBelow: RunningGateway["respond"] = (request) =>
      Effect.suspend(() => {
        const [reachedAt = presumedOrigin] = origin.exec(request.url) ?? []
        if (place.startsWith("/") && guard.hostObjection(request.headers) === undefined) engine.url = reachedAt + base
        const path = withoutBase(base, request.url.slice(reachedAt.length))
        return respond(HttpClientRequest.setUrl(request, reachedAt + path))
      })
    return { service, respond: respondBelow }
  })

  const scope = Scope.makeUnsafe()
  let running: LocalGatewayService | undefined
  const begin = async () => {
    const exit = await Effect.runPromiseExit(Scope.provide(mounted, scope))
    if (Exit.isFailure(exit)) throw failure(making, exit.cause)
    running = exit.value.service
    return exit.value
  }
  let started: ReturnType<typeof begin> | undefined
  const { members, opened } = gatewayPromises(scope, () => (started ??= begin()))
  /** Starts the gateway, the first time. */
  const start = () => opened(making)
  const fetch = async (request: Request): Promise<Response> => {
    const { respond } = await start()
    return toWebResponse(respond(await fromWebRequest(request, maxBodyBytes)), request.signal)
  }
  /** The current address: one without an origin follows the requests. */
  const url = (): string => running?.url ?? mountedAt
  return { base, start, url, members: { ...members, fetch } }
}
