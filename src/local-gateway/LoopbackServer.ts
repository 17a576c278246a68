/// <reference types="node" />
/**
 * A real HTTP server on the loopback interface; the one module here that needs Node.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"

/** The server could not be started: most often because its port is taken. */
export class ServerNotStarted extends Data.TaggedError("ServerNotStarted")<{
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
  readonly host: "127.0.0.1" | "::1" | "localhost"
}

/** What answers a request. It must not fail: what it cannot answer, it answers with an error. */
export type Answer = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpClientResponse.HttpClientResponse>

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

const request = (incoming: IncomingMessage, url: string, body: Uint8Array): HttpClientRequest.HttpClientRequest => {
  const headers = Headers.fromInput(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value ?? "")] as const)
  )
  return HttpClientRequest.makeWith(
    incoming.method ?? "GET",
    `${url}${incoming.url ?? "/"}`,
    UrlParams.empty,
    Option.none(),
    headers,
    body.length === 0 ? HttpBody.empty : HttpBody.uint8Array(body, headers["content-type"])
  )
}

const respond = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: string,
  maxBytes: number,
  answer: Answer
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const body = yield* Effect.tryPromise(() => readBody(incoming, maxBytes))
    const response = yield* answer(request(incoming, url, body))
    const bytes = new Uint8Array(yield* response.arrayBuffer)
    outgoing.writeHead(response.status, {
      ...response.headers,
      ...(response.status === 204 ? {} : { "content-length": bytes.length })
    })
    outgoing.end(bytes)
  }).pipe(
    // The caller is gone, or its body is broken: there is nobody to answer.
    Effect.catch(() => Effect.sync(() => outgoing.destroy()))
  )

const listen = ({ host, port }: LoopbackAddress): Effect.Effect<Server, ServerNotStarted> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.on("error", (cause) => resume(Effect.fail(new ServerNotStarted({ host, port, cause }))))
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
): Effect.Effect<A, ServerNotStarted | E, R | Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(listen(address), close)
    const url = addressOf(server, address.host)
    const { answer, value } = yield* serve(url)
    const runFork = Effect.runForkWith(yield* Effect.context())
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const fiber = runFork(respond(incoming, outgoing, url, maxBytes, answer))
      outgoing.once("close", () => fiber.interruptUnsafe())
    })
    return value
  })
