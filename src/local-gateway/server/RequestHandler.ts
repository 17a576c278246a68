/**
 * What a server calls for each request: apart from servers, so that no declaration needs Node's types.
 */
import type * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"

/**
 * Handles a request. It responds to every request, if need be with an error: a failure resets the connection, and a
 * body that fails ends the connection where it is.
 */
export type RequestHandler = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>
