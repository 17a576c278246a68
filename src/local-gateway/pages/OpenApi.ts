/**
 * The OpenAPI documents, which the package has as they were built.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { builtText, leftBehind } from "./PackageFile.js"

/** The document with a server before its own, and as the one that tokens come from. */
const withServer = (document: string, url: string): string =>
  document
    .replace('"servers":[', (servers) => `${servers}${JSON.stringify({ url, description: "This local gateway." })},`)
    .replace(/"tokenUrl":"[^"]*\/api(?=\/)/, () => `"tokenUrl":${JSON.stringify(url).slice(0, -1)}`)

/** Responds with a document, whose first server is the one at `url`. */
export const openApiDocument = (file: string, url: string): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.catchDefect(
    Effect.map(builtText(file), (document) =>
      HttpServerResponse.text(withServer(document, url), { contentType: "application/json" })
    ),
    () => Effect.succeed(HttpServerResponse.text(`The document cannot be read: ${leftBehind}`, { status: 404 }))
  )
