/**
 * The OpenAPI documents, which were made at the build.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { leftBehind, servedText } from "./ServedText.js"

/**
 * The document with the address of the gateway that serves it: in front of the other servers, or instead of the only
 * one, which stands for any local gateway.
 */
const withServer = (document: string, url: string): string => {
  const server = JSON.stringify({ url, description: "This local gateway." })
  return document
    .replace(/"servers":\[(\{[^{}]*\}(?=\]))?/, (_, only) => `"servers":[${server}${only === undefined ? "," : ""}`)
    .replace(/"tokenUrl":"[^"]*\/api(?=\/)/, () => `"tokenUrl":${JSON.stringify(url).slice(0, -1)}`)
}

/** Responds with a document, whose first server is the one at `url`. */
export const openApiDocument = (name: string, url: string): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.catchDefect(
    Effect.map(servedText(name), (document) =>
      HttpServerResponse.text(withServer(document, url), { contentType: "application/json" })
    ),
    () => Effect.succeed(HttpServerResponse.text(`The document cannot be read: ${leftBehind}`, { status: 404 }))
  )
