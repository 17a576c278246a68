/**
 * The local gateway with promises on Node: with its own server, or mounted in one of the caller's.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { IncomingMessage, ServerResponse } from "node:http"
import { LocalGateway } from "../LocalGateway.js"
import { optionsOf, serverOptions } from "../OptionChecks.js"
import { isBelow } from "../server/BasePath.js"
import { storeIn } from "../server/DataFile.js"
import { respondOnNode } from "../server/NodeExchange.js"
import { maxBodyBytes } from "../server/ServedRequest.js"
import { checked, commonOptions, failure, layerOptions, gatewayPromises } from "./GatewayPromises.js"
import { mountedAddress, mountedPromises } from "./MountedPromises.js"
import type {
  MountedLocalGateway,
  MountLocalGatewayOptions,
  RunningLocalGateway,
  StartLocalGatewayOptions
} from "./RunningLocalGateway.js"

const ServerOptions = optionsOf({ ...serverOptions, ...commonOptions })

/**
 * Starts a local gateway behind a real HTTP server, on the loopback interface by default. Each is new and empty;
 * several can run at once.
 *
 * ```ts
 * await using local = await startLocalGateway()
 * const gateway = createGatewayClient(local.merchant)
 * const { id } = await gateway.createPayment(order)
 * await local.payByCard(id)
 * ```
 *
 * The process does not exit by itself before every gateway is closed.
 *
 * Rejects with a `LocalGatewayError`: `InvalidInput` names every wrong or unknown option, `InvalidSeed` every problem of
 * the seed, `ServerStartError` says why it cannot listen, for example because the port is taken, `DataFileError` says
 * what is wrong with the data file.
 */
export const startLocalGateway = async (options: StartLocalGatewayOptions = {}): Promise<RunningLocalGateway> => {
  const given = checked("startLocalGateway", ServerOptions, options)
  const { allowHosts, dataFile, host, port, publicUrl } = given
  const scope = Scope.makeUnsafe()
  const layer = LocalGateway.layerServer({
    ...layerOptions("startLocalGateway", given),
    allowHosts,
    dataFile,
    host,
    port,
    publicUrl
  })
  const started = await Effect.runPromiseExit(Layer.buildWithScope(layer, scope))
  if (Exit.isFailure(started)) {
    await Effect.runPromise(Scope.close(scope, started))
    throw failure("startLocalGateway", started.cause)
  }
  const service = Context.get(started.value, LocalGateway)
  return {
    url: service.url,
    get merchant() {
      return service.merchant
    },
    ...gatewayPromises(scope, () => ({ service })).members
  }
}

const MountOptions = optionsOf({ url: Schema.optional(mountedAddress), ...commonOptions })

/** Frameworks and tests may have their own requests and responses that behave like Node's. */
const isRequest = (value: object): value is IncomingMessage => "headers" in value && "url" in value && "on" in value

const isResponse = (value: object): value is ServerResponse => "writeHead" in value && "end" in value && "once" in value

/** The origin of a request to Node's server. The gateway itself refuses an invalid host. */
const originOf = ({ headers: { host = "" }, socket }: IncomingMessage): string =>
  `${"encrypted" in socket ? "https" : "http"}://${/^[\w.:[\]-]+$/.test(host) ? host : "localhost"}`

/**
 * Makes a local gateway to mount in a server of yours, such as a dev server: pay page, dashboard and API are
 * then below a path of your own origin, and nothing else has to be started.
 *
 * ```ts
 * // Next.js: app/gopay/[[...path]]/route.ts
 * const { fetch } = mountLocalGateway()
 * export { fetch as GET, fetch as POST }
 * ```
 *
 * It starts with the first request or operation and ends with `close`; until then the process does not exit by itself.
 * If a dev server reloads your module after each change, keep the gateway in `globalThis`, or use a `dataFile`. If a
 * fault resets the connection, the response breaks off, unless it goes through `node`.
 *
 * Mount it only in development: anyone who can reach it can act as the payer.
 *
 * Throws a `LocalGatewayError` for a wrong option. The first request rejects with one if the data file cannot be used.
 */
export const mountLocalGateway = (options: MountLocalGatewayOptions = {}): MountedLocalGateway => {
  const { dataFile, ...given } = checked("mountLocalGateway", MountOptions, options)
  const { base, members, start, url } = mountedPromises(given, storeIn(dataFile))

  const node = (incoming: object, outgoing: object, next?: (error?: unknown) => void): void => {
    if (!isRequest(incoming) || !isResponse(outgoing)) {
      throw new TypeError("The local gateway takes the request and the response of Node's server.")
    }
    // A framework that has stripped a prefix from `url` keeps the whole path in `originalUrl`.
    const path = "originalUrl" in incoming ? String(incoming.originalUrl) : (incoming.url ?? "/")
    if (next !== undefined && !isBelow(base, path)) return next()
    if (incoming.readableEnded && Number(incoming.headers["content-length"] ?? 0) > 0) {
      const error = new Error("The body has been read already: mount the local gateway before the body parsers.")
      if (next === undefined) throw error
      return next(error)
    }
    const serve = async (): Promise<void> => {
      const { respond } = await start()
      const fiber = Effect.runFork(respondOnNode(incoming, outgoing, originOf(incoming), maxBodyBytes, respond))
      outgoing.once("close", () => fiber.interruptUnsafe())
    }
    serve().catch((error: unknown) => {
      if (next !== undefined) return next(error)
      outgoing.writeHead(500).end(String(error))
    })
  }

  return {
    get url() {
      return url()
    },
    ...members,
    node
  }
}
