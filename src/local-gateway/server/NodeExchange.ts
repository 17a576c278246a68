/// <reference types="node" />
/** Requests and responses of Node's own server. */
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isBytes } from "../../basics/AnyRealm.js"
import { type RequestHandler, requestOf } from "./WebRequest.js"

/** Keeps at most one byte beyond the limit, which tells the handler that the body is too long. */
const readBody = async (incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let missing = maxBytes + 1
  for await (const chunk of incoming) {
    if (isBytes(chunk) && missing > 0) {
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

/** Writes a piece and waits until it is sent, so that no whole body is held in memory. */
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

/**
 * Responds to a request to Node's server. `url` is the gateway's address; the path of the request is appended to it.
 */
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
