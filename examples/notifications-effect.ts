/**
 * A shop that is notified of its payments, with Effect. The same with promises is in `notifications.ts`.
 */
import { Console, Context, Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  awaitPayment,
  getPayment,
  isPaid,
  notificationRoute,
  type PaymentResponse,
  watchPaymentStates,
  verifyPayment
} from "effect-gopay"
import { type Order, statusAfter } from "./notifications.js"

/** The shop's database. */
export class Orders extends Context.Service<
  Orders,
  {
    readonly byPaymentId: (paymentId: number) => Effect.Effect<Order | undefined>
    /** The orders that money may still come for: open ones, and closed ones of the last weeks. */
    readonly unpaid: Effect.Effect<ReadonlyArray<Order>>
    /** One transaction: `SELECT … WHERE payment_id = $1 FOR UPDATE`, the change, `UPDATE`, `COMMIT`. */
    readonly change: (paymentId: number, change: (order: Order) => Order) => Effect.Effect<void>
  }
>()("shop/Orders") {}

const record = (payment: PaymentResponse) =>
  Orders.use((orders) => orders.change(payment.id, (order) => ({ ...order, status: statusAfter(order, payment) })))

const orderOf = (paymentId: number) => Orders.use((orders) => orders.byPaymentId(paymentId))

export const Notify = notificationRoute("/notify", {
  expected: orderOf,
  handler: ({ payment }) => record(payment)
})

export const Return = HttpRouter.add(
  "GET",
  "/return",
  Effect.gen(function* () {
    const { payment } = yield* verifyPayment(yield* HttpServerRequest.HttpServerRequest, orderOf)
    yield* record(payment)
    return HttpServerResponse.text(isPaid(payment) ? "Thank you, your order is paid." : "Your order is not paid yet.")
  }).pipe(
    Effect.catchTag("NotificationError", () => Effect.succeed(HttpServerResponse.text("We know of no such payment."))),
    Effect.catchTag("GatewayError", () => Effect.succeed(HttpServerResponse.text("Please come back in a minute.")))
  )
)

export const Shop = Layer.merge(Notify, Return)

/** Run it every few minutes: a notification is repeated at most 20 times. */
export const sweep = Effect.gen(function* () {
  const { unpaid } = yield* Orders
  yield* Effect.forEach(yield* unpaid, ({ paymentId }) =>
    Effect.flatMap(getPayment(paymentId), record).pipe(
      Effect.catch((error) => Console.error("sweep", paymentId, error.message))
    )
  )
})

export const waitForPayer = (paymentId: number) =>
  Effect.gen(function* () {
    const { _tag, payment } = yield* awaitPayment(paymentId, { waitAtMost: "1 minute" })
    return _tag === "StillPending" ? "still waiting" : payment.state
  })

export const reportStates = (paymentId: number) =>
  watchPaymentStates(paymentId).pipe(Stream.runForEach(({ state }) => Console.log(`payment ${paymentId} is ${state}`)))
