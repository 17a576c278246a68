import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { Console, Effect, Layer, ManagedRuntime } from "effect"
import { toNodeHandler } from "effect-gopay/promise"
import { GoPay } from "./gopay.ts"

interface Page {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

const formOf = (request: IncomingMessage) =>
  Effect.map(
    Effect.promise(() => request.toArray()),
    (chunks) => new URLSearchParams(Buffer.concat(chunks).toString())
  )

const front = Effect.map(GoPay, ({ policy }) => ({
  status: 200,
  headers: { "content-type": "text/html", "content-security-policy": policy, "cache-control": "no-store" },
  body: `<form method="post" action="/checkout">
    <input type="hidden" name="number" value="${randomUUID()}">
    <button>Order a shirt for 1 399.50 CZK</button>
  </form>`
}))

const checkout = (request: IncomingMessage) =>
  Effect.gen(function* () {
    const gopay = yield* GoPay
    const form = yield* formOf(request)
    // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
    // and never the amount from the browser.
    const { gwUrl, message, status } = yield* gopay.checkout(form.get("number"), 139_950)
    return gwUrl === undefined ? { status, body: message } : { status: 303, headers: { location: gwUrl } }
  })

const returned = (path: string) =>
  Effect.gen(function* () {
    const gopay = yield* GoPay
    return { status: 200, body: yield* gopay.returned(path) }
  })

/** Put this behind your own login. */
const refund = (number: string, request: IncomingMessage) =>
  Effect.gen(function* () {
    const gopay = yield* GoPay
    const form = yield* formOf(request)
    const { message, status } = yield* gopay.refund(number, form.get("key") ?? "", Number(form.get("amount")))
    return { status, body: message }
  }).pipe(
    Effect.tapError(Console.error),
    Effect.catchAll(() => Effect.succeed({ status: 503, body: "Please ask again in a minute." }))
  )

const page = (request: IncomingMessage): Effect.Effect<Page, never, GoPay> => {
  const { url: path = "/" } = request
  const [, number] = /^\/orders\/([^/?]+)\/refund$/.exec(path) ?? []
  if (path === "/") return front
  if (path === "/checkout") return checkout(request)
  if (path.startsWith("/return")) return returned(path)
  return number === undefined ? Effect.succeed({ status: 404 }) : refund(decodeURIComponent(number), request)
}

const GoPayLive = GoPay.Default.pipe(
  Layer.tapError(() => Console.error("To try the shop: npx effect-gopay local-gateway -- npm start")),
  Layer.orDie
)
const runtime = ManagedRuntime.make(GoPayLive)
const notified = toNodeHandler((await runtime.runPromise(GoPay)).notify)

createServer((request, response) => {
  if (request.url?.startsWith("/notify")) return notified(request, response)
  void runtime
    .runPromise(page(request))
    .then(({ body, headers, status }) => response.writeHead(status, headers).end(body))
}).listen(process.env["PORT"] ?? 3000)

// A stopping process waits for changes in flight.
process.once("SIGTERM", () => void runtime.dispose().then(() => process.exit()))
