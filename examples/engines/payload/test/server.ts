/**
 * Serves Payload's API. Your project has Next.js, with Payload's admin panel.
 */
import { serve } from "@hono/node-server"
import { getPayload, handleEndpoints } from "payload"
import config from "./config.js"

await getPayload({ config })
serve({
  // Payload writes to the request, which this server's own does not allow.
  fetch: (request) => handleEndpoints({ config, request: request.clone() }),
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"] ?? "3000")
})
