import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { Console, Effect, Layer, ManagedRuntime } from "effect"
import { NotificationError, payerMessage, toNodeHandler } from "effect-gopay/promise"
import { GoPay } from "./gopay.ts"

const { SHOP_URL = "http://localhost:3000" } = process.env

interface Order {
  readonly order_number: string
  readonly amount: number
  readonly currency: string
  readonly paymentId: number
}

/** A table of the shop's database, by payment. */
const orders = new Map<number, Order>()

const checkout = Effect.gen(function* () {
  const { createPayment } = yield* GoPay
  const order = { order_number: randomUUID(), amount: 139_950, currency: "CZK" }
  const { gw_url, id } = yield* createPayment({
    ...order,
    callback: { return_url: `${SHOP_URL}/return`, notification_url: `${SHOP_URL}/notify` }
  })
  orders.set(id, { ...order, paymentId: id })
  return { status: 303, headers: { location: gw_url }, body: "" }
}).pipe(
  Effect.tapError(Console.error),
  Effect.catchAll((error) => Effect.succeed({ status: 503, headers: {}, body: payerMessage(error, "en").text }))
)

const front = Effect.succeed({
  status: 200,
  headers: { "content-type": "text/html" },
  body: `<form method="post" action="/checkout"><button>Order a shirt for 1 399.50 CZK</button></form>`
})

const returned = (url: URL) =>
  Effect.gen(function* () {
    const { gateway } = yield* GoPay
    const { payment } = yield* Effect.tryPromise(() => gateway.verifyPayment(url, (id) => orders.get(id)))
    return { status: 200, headers: {}, body: payerMessage(payment, "en").text }
  }).pipe(
    // The error is for you, and anyone can make up the address of a return page.
    Effect.tapError(({ error }) => (error instanceof NotificationError ? Effect.void : Console.error(error))),
    Effect.catchAll(({ error }) => Effect.succeed({ status: 200, headers: {}, body: payerMessage(error, "en").text }))
  )

/** Behind your own log-in. */
const refund = (url: URL, request: IncomingMessage) =>
  Effect.gen(function* () {
    const { refundPayment } = yield* GoPay
    const order = [...orders.values()].find(({ order_number }) => url.pathname.includes(order_number))
    if (order === undefined) return { status: 404, headers: {}, body: "" }
    const chunks = yield* Effect.promise(() => request.toArray())
    const amount = Number(new URLSearchParams(Buffer.concat(chunks).toString()).get("amount"))
    const { result } = yield* refundPayment(order.paymentId, { amount })
    return { status: result === "FINISHED" ? 200 : 202, headers: {}, body: "" }
  }).pipe(
    Effect.catchTag("GatewayError", ({ message, reason }) =>
      // No one knows whether it was made: store `reason.change`, and have it reconciled.
      Effect.succeed({ status: reason._tag === "OutcomeUnknown" ? 202 : 409, headers: {}, body: message })
    )
  )

const GoPayLive = GoPay.Default.pipe(
  Layer.tapError(() => Console.error("To try the shop: npx effect-gopay local-gateway -- npm start")),
  Layer.orDie
)
const runtime = ManagedRuntime.make(GoPayLive)
const { gateway } = await runtime.runPromise(GoPay)
const notified = toNodeHandler(
  gateway.createNotificationHandler({ expected: (id) => orders.get(id), handler: () => {} })
)

createServer((request, response) => {
  const url = new URL(request.url ?? "/", SHOP_URL)
  if (url.pathname === "/notify") return notified(request, response)
  const routes: Readonly<Record<string, typeof checkout>> = {
    "/": front,
    "/checkout": checkout,
    "/return": returned(url)
  }
  const program = routes[url.pathname] ?? refund(url, request)
  void runtime.runPromise(program).then(({ body, headers, status }) => response.writeHead(status, headers).end(body))
}).listen(process.env["PORT"] ?? 3000)
