/**
 * The OpenAPI documents, which the package has as they were built.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { leftBehind, servedText } from "./ServedText.js"

/** The document with the gateway that serves it: before the other servers, or in place of the only one, which stands for any local gateway. */
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
