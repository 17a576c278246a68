/// <reference types="node" />
/**
 * A real HTTP server, on the loopback interface by default.
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { respondOnNode } from "./NodeExchange.js"
import type { RequestHandler } from "./WebRequest.js"
import { ServerStartError } from "./StartErrors.js"

/** The address to listen on. */
export interface LoopbackAddress {
  /** 0 means any free port. */
  readonly port: number
  /** A name or an address of this machine. */
  readonly host: string
}

/** In milliseconds: long enough for a shop stopped at a breakpoint, or a busy machine, to find its connections open. */
const keepAliveTimeout = 600_000

const listen = ({ host, port }: LoopbackAddress): Effect.Effect<Server, ServerStartError> =>
  Effect.callback((resume) => {
    const server = createServer({ keepAliveTimeout })
    server.on("error", (cause) => resume(Effect.fail(new ServerStartError({ host, port, cause }))))
    server.listen(port, host, () => resume(Effect.succeed(server)))
  })

const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** The loopback addresses at which a server on every address can be reached from this machine. */
const reachableHosts = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"]
])

const addressOf = (server: Server, listening: string): string => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const host = reachableHosts.get(listening) ?? listening
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/**
 * Starts a server and passes its address, such as `http://127.0.0.1:43211`, to `serve`, which makes the handler. The
 * server stops with its scope, and closes connections that are kept alive.
 *
 * Bodies are kept up to one byte over `maxBytes`.
 */
export const startServer = <A, E, R>(
  address: LoopbackAddress,
  maxBytes: number,
  serve: (url: string) => Effect.Effect<{ readonly handle: RequestHandler; readonly value: A }, E, R>
): Effect.Effect<A, ServerStartError | E, R | Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(listen(address), close)
    const url = addressOf(server, address.host)
    const { handle, value } = yield* serve(url)
    // Requests still in progress end with the scope.
    const runFork = yield* FiberSet.makeRuntime()
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const fiber = runFork(respondOnNode(incoming, outgoing, url, maxBytes, handle))
      outgoing.once("close", () => fiber.interruptUnsafe())
    })
    // Node emits a separate event for CONNECT requests.
    server.on("connect", (_incoming, socket) => {
      socket.on("error", () => {})
      socket.end("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    })
    return value
  })
