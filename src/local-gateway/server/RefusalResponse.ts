/**
 * Responses that refuse a request: the same refusal, in the error body of the API that was called.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { basePathV4 } from "../../contract/EndpointV4.js"
import { errorBody, errorBodyV4, messageLanguage, type Refusal } from "../books/Refusal.js"
import { apiOf } from "./ApiPath.js"
import type { Engine } from "./Engine.js"

/** Headers of every response of the API. */
export const apiHeaders = {
  "cache-control": "no-cache, no-store, must-revalidate",
  "x-content-type-options": "nosniff"
}

/** A response like the gateway's own: JSON with its usual headers. */
export const jsonResponse = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(body), { status, headers: apiHeaders, contentType: "application/json" })

/** Responds with the gateway's error body. */
export const refuse =
  (engine: Engine) =>
  ({
    errors,
    status
  }: Refusal): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const now = yield* engine.now
      const [path = ""] = request.url.split("?")
      return jsonResponse(
        apiOf(path) === "v4"
          ? errorBodyV4({ errors, status }, path.slice(basePathV4.length), now)
          : errorBody(errors, messageLanguage(request.headers["accept-language"]), now),
        status
      )
    })
