/**
 * Invokes the function here, as API Gateway does there.
 */
import { createServer } from "node:http"
import { handler } from "./shop.ts"

createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost")
  let body = ""
  for await (const chunk of request) body += chunk
  const event = {
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    body,
    requestContext: { http: { method: request.method } }
  }
  const endsAt = Date.now() + 30_000
  const result = await Reflect.apply(handler, undefined, [
    event,
    { getRemainingTimeInMillis: () => endsAt - Date.now() }
  ])
  response.writeHead(result.statusCode ?? 200, result.headers).end(result.body)
}).listen(process.env["PORT"] ?? 3000)
