/**
 * Connects a gateway to the requests and responses of a web server, which are those of `fetch`.
 */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ConnectionLost } from "./FaultedResponse.js"

/**
 * Handles a request. It always responds, if need be with an error: a failure resets the connection, and a failing body
 * ends the connection at that point.
 */
export type RequestHandler = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

/** Keeps at most one byte beyond the limit, which tells the handler that the body is too long. */
const readBody = async (request: Request, maxBytes: number): Promise<Uint8Array> => {
  // Firefox has no stream of a request's body, and Safari's cannot be iterated.
  if (typeof request.body?.getReader !== "function") return new Uint8Array(await request.arrayBuffer())
  const reader = request.body.getReader()
  const chunks: Array<Uint8Array> = []
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    length += read.value.length
    if (length > maxBytes) {
      await reader.cancel()
      break
    }
  }
  // Copied by hand, since the Blob of jsdom has no `arrayBuffer`.
  const bytes = new Uint8Array(length)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes.subarray(0, maxBytes + 1)
}

/** The parts of a request to a gateway. */
interface RequestParts {
  readonly method: string
  readonly url: string
  readonly headers: Headers.Input
  readonly body: Uint8Array
}

/** A request to a gateway. */
export const requestOf = ({ body, headers: given, method, url }: RequestParts): HttpClientRequest.HttpClientRequest => {
  const headers = Headers.fromInput(given)
  return HttpClientRequest.makeWith(
    method,
    url,
    UrlParams.empty,
    Option.none(),
    "host" in headers ? headers : Headers.set(headers, "host", new URL(url).host),
    body.length === 0 ? HttpBody.empty : HttpBody.uint8Array(body, headers["content-type"])
  )
}

/** Converts a web `Request` for the gateway. */
export const fromWebRequest = async (
  request: Request,
  maxBytes: number
): Promise<HttpClientRequest.HttpClientRequest> =>
  requestOf({
    method: request.method,
    url: request.url,
    headers: [...request.headers],
    body: await readBody(request, maxBytes)
  })

/**
 * Without a socket to reset, a lost connection is a response that breaks off. If a body fails before its first byte,
 * servers send an error page instead.
 */
const brokenOff = (lost: ConnectionLost): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(Stream.concat(Stream.succeed(new Uint8Array([32])), Stream.fail(lost)))

/** Converts a gateway's response to a web `Response`. */
export const toWebResponse = (
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>,
  signal: AbortSignal
): Promise<Response> =>
  Effect.runPromise(
    Effect.map(
      Effect.catch(response, (lost) => Effect.succeed(brokenOff(lost))),
      (made) => HttpServerResponse.toWeb(made)
    ),
    { signal }
  )
