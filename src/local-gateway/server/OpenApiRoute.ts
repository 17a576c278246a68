/**
 * The route of the gateway's OpenAPI document.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Engine } from "./Engine.js"
import { openApiDocument } from "../describe/OpenApi.js"
import type { Route } from "./Routes.js"

/** The path of the document. */
export const documentPath = "/openapi.json"

/** Serves the document, which is made on the first request. */
export const documentRoute = (engine: Engine): Route => {
  let document = { url: "", text: "" }
  return HttpRouter.route(
    "GET",
    documentPath,
    Effect.promise(async () => {
      const { url } = engine
      if (document.url !== url) document = { url, text: JSON.stringify(await openApiDocument(url)) }
      return HttpServerResponse.text(document.text, { contentType: "application/json" })
    })
  )
}
