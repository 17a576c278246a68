/**
 * The local gateway with promises, mounted in a server of the caller's.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { IncomingMessage, ServerResponse } from "node:http"
import { basePath, isBelow } from "../http/BasePath.js"
import { respondOnNode } from "../http/NodeExchange.js"
import { maxBodyBytes } from "../http/Routes.js"
import { fromWebRequest, toWebResponse } from "../http/WebRequest.js"
import { mountedUrl, mountGateway } from "../MountedGateway.js"
import {
  checked,
  commonOptions,
  failure,
  fitting,
  isClosed,
  layerOptions,
  operationsOf,
  type RunOperation
} from "./GatewayPromises.js"
import { LocalGatewayError } from "./LocalGatewayError.plain.js"
import type { MountedLocalGateway, MountLocalGatewayOptions } from "./MountedLocalGateway.plain.js"

const Options = Schema.Struct({
  url: Schema.optional(
    fitting<string>(
      "must be an http or https address, such as http://localhost:3000/gopay, or a path, such as /gopay",
      (value) => typeof value === "string" && /^(https?:\/\/[^/?#@\s]+)?(\/[^?#\s]*)?$/.test(value) && value !== ""
    )
  ),
  ...commonOptions
}).annotate({ message: "the options must be an object" })

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
 * @since 0.1.0
 */
export const mountLocalGateway = (options: MountLocalGatewayOptions = {}): MountedLocalGateway => {
  const given = checked("mountLocalGateway", Options, options)
  const { allowHosts, dataFile, password, url = "/gopay" } = given
  const mounted = {
    ...layerOptions("mountLocalGateway", given),
    allowHosts,
    password,
    url,
    ...(dataFile === undefined ? {} : { dataFile })
  }
  const base = basePath(mountedUrl(url))
  const scope = Scope.makeUnsafe()
  const closing = new AbortController()

  const begin = async () => {
    const exit = await Effect.runPromiseExit(Scope.provide(mountGateway(mounted), scope))
    if (Exit.isSuccess(exit)) return exit.value
    throw failure("mountLocalGateway", exit.cause)
  }
  let started: ReturnType<typeof begin> | undefined
  let knownUrl = mountedUrl(url)
  const gateway = (operation: string) => {
    if (closing.signal.aborted) throw new LocalGatewayError({ operation, reason: isClosed })
    return (started ??= begin())
  }

  const run: RunOperation = async (operation, program) => {
    const { service } = await gateway(operation)
    const exit = await Effect.runPromiseExit(program(service), { signal: closing.signal })
    if (Exit.isSuccess(exit)) return exit.value
    throw failure(operation, exit.cause)
  }

  const fetch = async (request: Request): Promise<Response> => {
    const { respond, service } = await gateway("mountLocalGateway")
    const response = await toWebResponse(respond(await fromWebRequest(request, maxBodyBytes)), request.signal)
    knownUrl = service.url
    return response
  }

  const node = (incoming: object, outgoing: object, next?: (error?: unknown) => void): void => {
    if (!(incoming instanceof IncomingMessage) || !(outgoing instanceof ServerResponse)) {
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
      const { respond, service } = await gateway("mountLocalGateway")
      const fiber = Effect.runFork(respondOnNode(incoming, outgoing, originOf(incoming), maxBodyBytes, respond))
      outgoing.once("close", () => fiber.interruptUnsafe())
      knownUrl = service.url
    }
    serve().catch((error: unknown) => {
      if (next !== undefined) return next(error)
      outgoing.writeHead(500).end(String(error))
    })
  }

  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing.abort()
    closed ??= Effect.runPromise(Scope.close(scope, Exit.void))
    return closed
  }

  return {
    get url() {
      return knownUrl
    },
    ...operationsOf(run),
    fetch,
    node,
    close,
    [Symbol.asyncDispose]: close
  }
}
