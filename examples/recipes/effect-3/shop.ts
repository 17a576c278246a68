import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { Effect, Layer, ManagedRuntime } from "effect"
import { toNodeHandler } from "effect-gopay/promise"
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
})

const returned = (url: URL) =>
  Effect.gen(function* () {
    const { gateway } = yield* GoPay
    const { order, payment } = yield* Effect.promise(() => gateway.verifyPayment(url, (id) => orders.get(id)))
    return { status: 200, headers: {}, body: `Order ${order.order_number} is ${payment.state}.` }
  })

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

const runtime = ManagedRuntime.make(Layer.orDie(GoPay.Default))
const { gateway } = await runtime.runPromise(GoPay)
const notified = toNodeHandler(
  gateway.createNotificationHandler({ expected: (id) => orders.get(id), handler: () => {} })
)

createServer((request, response) => {
  const url = new URL(request.url ?? "/", SHOP_URL)
  if (url.pathname === "/notify") return notified(request, response)
  const program =
    url.pathname === "/checkout" ? checkout : url.pathname === "/return" ? returned(url) : refund(url, request)
  void runtime.runPromise(program).then(({ body, headers, status }) => response.writeHead(status, headers).end(body))
}).listen(process.env["PORT"] ?? 3000)
