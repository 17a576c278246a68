/// <reference types="node" />
/**
 * A real HTTP server, on the loopback interface unless told otherwise.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"

/** The server could not be started: most often because its port is taken. */
export class ServerStartError extends Data.TaggedError("ServerStartError")<{
  readonly host: string
  readonly port: number
  readonly cause: unknown
}> {
  override get message(): string {
    return `Could not listen on ${this.host}, port ${this.port}: ${String(this.cause)}`
  }
}

/** Where to listen. */
export interface LoopbackAddress {
  /** The system chooses one when it is 0. */
  readonly port: number
  /** A name or an address of this machine. */
  readonly host: string
}

/**
 * What answers a request. It must not fail, what it cannot answer it answers with an error; unless the connection is to
 * be reset. A body that fails ends the connection where it is.
 */
export type Answer = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

/** Reads a body, of which it keeps one byte more than the limit: enough for whoever answers to see that it is too long. */
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

/** The path and query of a request, and its host where the request line names one, as for a proxy. */
const target = ({ url = "/" }: IncomingMessage): { readonly path: string; readonly host?: string } => {
  const [origin, host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return origin === undefined ? { path: url } : { path: url.slice(origin.length), host: host ?? "" }
}

const request = (incoming: IncomingMessage, url: string, body: Uint8Array): HttpClientRequest.HttpClientRequest => {
  const { path, ...named } = target(incoming)
  const headers = Headers.fromInput(
    // The host of the request line takes the place of the header (RFC 9112, section 3.2.2).
    Object.entries({ ...incoming.headers, ...named }).map(([name, value]) => [name, String(value ?? "")] as const)
  )
  return HttpClientRequest.makeWith(
    incoming.method ?? "GET",
    url + path,
    UrlParams.empty,
    Option.none(),
    headers,
    body.length === 0 ? HttpBody.empty : HttpBody.uint8Array(body, headers["content-type"])
  )
}

/** Writes a piece, and waits until it is on its way: a body of any length is never held here. */
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

const respond = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: string,
  maxBytes: number,
  answer: Answer
): Effect.Effect<void> =>
  Effect.tryPromise(() => readBody(incoming, maxBytes)).pipe(
    Effect.flatMap((body) =>
      answer(request(incoming, url, body)).pipe(
        Effect.tapError(() => Effect.sync(() => outgoing.socket?.resetAndDestroy()))
      )
    ),
    Effect.flatMap((response) => send(outgoing, response)),
    // The caller is gone or its body is broken, and there is nobody to answer; or the answer is to end here.
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

const addressOf = (server: Server, host: string): string => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/**
 * Starts a server and gives its address, such as `http://127.0.0.1:43211`. It answers with what `serve` makes for that
 * address, and stops with its scope: connections that are kept alive are closed too.
 *
 * Bodies are kept up to one byte over `maxBytes`.
 */
export const startServer = <A, E, R>(
  address: LoopbackAddress,
  maxBytes: number,
  serve: (url: string) => Effect.Effect<{ readonly answer: Answer; readonly value: A }, E, R>
): Effect.Effect<A, ServerStartError | E, R | Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(listen(address), close)
    const url = addressOf(server, address.host)
    const { answer, value } = yield* serve(url)
    // Whatever is still being answered when the scope ends, ends with it.
    const runFork = yield* FiberSet.makeRuntime()
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const fiber = runFork(respond(incoming, outgoing, url, maxBytes, answer))
      outgoing.once("close", () => fiber.interruptUnsafe())
    })
    // A tunnel to elsewhere is asked for outside of requests and answers.
    server.on("connect", (_incoming, socket) => {
      socket.on("error", () => {})
      socket.end("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    })
    return value
  })
