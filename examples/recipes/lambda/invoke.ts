/**
 * Invokes the functions here, as API Gateway and EventBridge do there.
 */
import { createServer } from "node:http"
import { setTimeout } from "node:timers/promises"
import { handler, sweep } from "./functions.ts"

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

for (;;) {
  await sweep()
  await setTimeout(1_000)
}
