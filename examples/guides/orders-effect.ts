/**
 * A shop whose orders and payments are in its database, with Effect.
 */
import { Console, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Ledger, type LedgerStore, type SqliteTransaction } from "effect-gopay/ledger"

export const ledgerOver = (store: LedgerStore<SqliteTransaction>) =>
  Ledger.layerWorker({
    store,
    migrate: true,
    // In the transaction that moves the payment: what is written here is written exactly once.
    // It is the order's status, whichever of its payments has moved.
    onPayment: ({ order, status, tx }) =>
      Effect.promise(() => tx.query("UPDATE shop_order SET status = ? WHERE number = ?", [status, order.orderNumber])),
    onAttention: (item) => Console.warn(item.message) // for an operator
  })

/** Where to send the payer, as often as they ask: it is the same payment while that can be paid. */
export const payAddress = (number: string, amount: number) =>
  Ledger.use((ledger) =>
    ledger.checkout(number, {
      amount,
      currency: "CZK",
      callback: { return_url: `https://shop.example/return/${number}`, notification_url: "https://shop.example/notify" }
    })
  ).pipe(Effect.map((order) => (order.status === "open" ? order.gwUrl : `/orders/${number}`))) // paid, or being created

/** `GET /notify`. */
export const Notify = Ledger.notificationRoute("/notify")

/** `GET /return/:number`: whether the order is paid, as the gateway says now. */
export const Return = HttpRouter.add(
  "GET",
  "/return/:number",
  Effect.gen(function* () {
    const { number } = yield* HttpRouter.params
    const ledger = yield* Ledger
    const order = yield* ledger.verifyReturn(yield* HttpServerRequest.HttpServerRequest)
    const isPaid = order.orderNumber === number && order.status === "paid" // anyone can put another payment's id there
    return HttpServerResponse.text(isPaid ? "Thank you, your order is paid." : "Your order is not paid yet.")
  }).pipe(Effect.orElseSucceed(() => HttpServerResponse.text("Please come back in a minute.")))
)
