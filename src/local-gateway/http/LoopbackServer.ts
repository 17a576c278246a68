/// <reference types="node" />
/**
 * A real HTTP server, on the loopback interface by default.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { requestOf } from "./WebRequest.js"

/**
 * The server could not start, most often because its port is taken.
 *
 * @category local gateway
 * @since 0.1.0
 */
export class ServerStartError extends Data.TaggedError("ServerStartError")<{
  /** The name or address that it was to listen on. */
  readonly host: string
  /** The port that it was to listen on. */
  readonly port: number
  /** The system's error. */
  readonly cause: unknown
}> {
  /** The address and the problem, for a person. */
  override get message(): string {
    return `Could not listen on ${this.host}, port ${this.port}: ${String(this.cause)}`
  }
}

/** The address to listen on. */
export interface LoopbackAddress {
  /** 0 means any free port. */
  readonly port: number
  /** A name or an address of this machine. */
  readonly host: string
}

/**
 * Handles a request. It responds to every request, if need be with an error: a failure resets the connection, and a
 * body that fails ends the connection where it is.
 */
export type RequestHandler = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

/** Keeps at most one byte beyond the limit, which tells the handler that the body is too long. */
const readBody = async (incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let missing = maxBytes + 1
  for await (const chunk of incoming) {
    if (chunk instanceof Uint8Array && missing > 0) {
      chunks.push(chunk.subarray(0, missing))
      missing -= Math.min(chunk.length, missing)
    }
  }
  return Buffer.concat(chunks)
}

/** The path and query of a request, and the host if the request line names one, as it does for a proxy. */
const target = ({ url = "/" }: IncomingMessage): { readonly path: string; readonly host?: string } => {
  const [origin, host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return origin === undefined ? { path: url } : { path: url.slice(origin.length), host: host ?? "" }
}

const requestFrom = (
  incoming: IncomingMessage,
  origin: string,
  body: Uint8Array
): HttpClientRequest.HttpClientRequest => {
  const { path, ...named } = target(incoming)
  return requestOf({
    method: incoming.method ?? "GET",
    url: origin + path,
    // The host of the request line replaces the header (RFC 9112, section 3.2.2).
    headers: Object.entries({ ...incoming.headers, ...named }).map(
      ([name, value]) => [name, String(value ?? "")] as const
    ),
    body
  })
}

/** Writes a piece and waits until it is sent, so that no body is held in memory. */
const write = (outgoing: ServerResponse, piece: Uint8Array): Effect.Effect<void, Error> =>
  Effect.callback((resume) => {
    outgoing.write(piece, (error) => resume(error == null ? Effect.void : Effect.fail(error)))
  })

const send = (outgoing: ServerResponse, response: HttpServerResponse.HttpServerResponse) =>
  Effect.suspend(() => {
    const { body, headers, status } = response
    if (body._tag === "Empty" || body._tag === "Uint8Array") {
      const bytes = body._tag === "Empty" ? new Uint8Array(0) : body.body
      outgoing.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-length": bytes.length }) })
      outgoing.end(bytes)
      return Effect.void
    }
    outgoing.writeHead(status, { ...headers })
    outgoing.flushHeaders()
    return HttpServerResponse.toClientResponse(response).stream.pipe(
      Stream.runForEach((piece) => write(outgoing, piece)),
      Effect.andThen(Effect.sync(() => outgoing.end()))
    )
  })

/** Responds to a request of Node's. `url` is the address to which its path is added. */
export const respondOnNode = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: string,
  maxBytes: number,
  handle: RequestHandler
): Effect.Effect<void> =>
  Effect.tryPromise(() => readBody(incoming, maxBytes)).pipe(
    Effect.flatMap((body) =>
      handle(requestFrom(incoming, url, body)).pipe(
        Effect.tapError(() => Effect.sync(() => outgoing.socket?.resetAndDestroy()))
      )
    ),
    Effect.flatMap((response) => send(outgoing, response)),
    // The caller has gone, the body is broken, or the response is meant to break off here.
    Effect.catchCause(() => Effect.sync(() => outgoing.destroy()))
  )

const listen = ({ host, port }: LoopbackAddress): Effect.Effect<Server, ServerStartError> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.on("error", (cause) => resume(Effect.fail(new ServerStartError({ host, port, cause }))))
    server.listen(port, host, () => resume(Effect.succeed(server)))
  })

const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** The loopback addresses at which a server on every address can be reached from this machine. */
const reachableHosts: { readonly [host: string]: string } = { "0.0.0.0": "127.0.0.1", "::": "::1" }

const addressOf = (server: Server, listening: string): string => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const host = reachableHosts[listening] ?? listening
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
