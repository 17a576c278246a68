/**
 * Orders that survive crashes, as Effect programs.
 */
import { Effect } from "effect"
import { fileStore, Ledger } from "effect-gopay/ledger"
import Database from "libsql"

const callback = { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }

export const checkout = (orderNumber: string, amount: number) =>
  Ledger.use((ledger) => ledger.checkout(orderNumber, { amount, currency: "CZK", callback }, { payWithin: "2 hours" }))

/** Holds the money until the goods are sent, and no longer than three days. */
export const reserve = (orderNumber: string, amount: number) =>
  Ledger.use((ledger) =>
    ledger.checkout(
      orderNumber,
      { amount, currency: "CZK", callback, preauthorization: true },
      { hold: { atMost: "3 days", end: "release" } }
    )
  )

export const Notify = Ledger.notificationRoute("/notify")

export const ledgerLive = (path: string) =>
  Ledger.layerWorker({
    store: fileStore(path, { driver: Database }),
    migrate: true,
    onPayment: ({ order, status, tx }) =>
      Effect.promise(() => tx.query("UPDATE shop_order SET status = ? WHERE number = ?", [status, order.orderNumber]))
  })
