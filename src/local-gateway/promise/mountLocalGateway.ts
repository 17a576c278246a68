/**
 * The local gateway with promises, mounted in a server of the caller's.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IncomingMessage, ServerResponse } from "node:http"
import { optionsOf } from "../OptionChecks.js"
import { storeIn } from "../server/DataFile.js"
import { isBelow } from "../server/BasePath.js"
import { respondOnNode } from "../server/NodeExchange.js"
import { maxBodyBytes } from "../server/Routes.js"
import { checked, commonOptions } from "./GatewayPromises.js"
import type { MountedLocalGateway, MountLocalGatewayOptions } from "./RunningLocalGateway.js"
import { mountedAddress, mountedPromises } from "./MountedPromises.js"

const Options = optionsOf({ url: Schema.optional(mountedAddress), ...commonOptions })

/** Frameworks and tests have requests and responses of their own that do what Node's do. */
const isRequest = (value: object): value is IncomingMessage => "headers" in value && "url" in value && "on" in value

const isResponse = (value: object): value is ServerResponse => "writeHead" in value && "end" in value && "once" in value

/** The origin that a request of Node's was sent to. The gateway itself refuses a name that is none. */
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
 * It starts with the first request or operation and ends with `close`; the process does not exit by itself before.
 * Where a dev server loads your module again after each change, keep the gateway in `globalThis`, or give it a
 * `dataFile`. A connection that a fault resets is a response that breaks off, unless it goes through `node`.
 *
 * Mount it in development only: whoever reaches it can act as the payer.
 *
 * Throws a `LocalGatewayError` for a wrong option. The first request rejects with one when the data file cannot be used.
 *
 * @category local gateway
 */
export const mountLocalGateway = (options: MountLocalGatewayOptions = {}): MountedLocalGateway => {
  const { dataFile, ...given } = checked("mountLocalGateway", Options, options)
  const { base, learnUrl, members, start, url } = mountedPromises(given, storeIn(dataFile))

  const node = (incoming: object, outgoing: object, next?: (error?: unknown) => void): void => {
    if (!isRequest(incoming) || !isResponse(outgoing)) {
      throw new TypeError("The local gateway takes the request and the response of Node's server.")
    }
    // A framework that has taken a path off keeps the whole one.
    const path = "originalUrl" in incoming ? String(incoming.originalUrl) : (incoming.url ?? "/")
    if (next !== undefined && !isBelow(base, path)) return next()
    if (incoming.readableEnded && Number(incoming.headers["content-length"] ?? 0) > 0) {
      const error = new Error("The body has been read already: mount the local gateway before the body parsers.")
      if (next === undefined) throw error
      return next(error)
    }
    const serve = async (): Promise<void> => {
      const gateway = await start()
      const responding = respondOnNode(incoming, outgoing, originOf(incoming), maxBodyBytes, gateway.respond)
      const fiber = Effect.runFork(responding)
      outgoing.once("close", () => fiber.interruptUnsafe())
      learnUrl(gateway)
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
