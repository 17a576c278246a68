/**
 * The description of the gateway's API, served by the local gateway.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Engine } from "../engine/Engine.js"
import { openApiDocument } from "../openapi/OpenApi.js"
import type { Route } from "./Routes.js"

/** Where the description is. */
export const documentPath = "/openapi.json"

/** Serves the description, made when it is first asked for. */
export const documentRoute = ({ url }: Engine): Route => {
  let document: string | undefined
  return HttpRouter.route(
    "GET",
    documentPath,
    Effect.sync(() => {
      document ??= JSON.stringify(openApiDocument(url))
      return HttpServerResponse.text(document, { contentType: "application/json" })
    })
  )
}
