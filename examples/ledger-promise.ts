/**
 * Refunds that survive crashes, with promises.
 */
import Database from "libsql"
import { createServer } from "node:http"
import {
  type AdminRequest,
  createAdminHandler,
  createLedger,
  fileStore,
  type Ledger,
  type LedgerOperator,
  type LedgerStore,
  type SqliteTransaction
} from "effect-gopay/ledger/promise"
import { type GatewayClient, toNodeHandler } from "effect-gopay/promise"

export const openLedger = async (gateway: GatewayClient, store: LedgerStore<SqliteTransaction>) => {
  const ledger = createLedger({ gateway, store, onAttention: (item) => console.warn(item.message) })
  await ledger.migrate()
  ledger.startWorker() // in as many processes as you like; a cron job calls ledger.runOnce() instead
  return ledger
}

export const refundComplaint = (ledger: Ledger<SqliteTransaction>, paymentId: number) =>
  ledger.refund("complaint-77", paymentId, { amount: 50_000 })

export const reportingLedger = (gateway: GatewayClient, store: LedgerStore<SqliteTransaction>) =>
  createLedger({
    gateway,
    store,
    onChange: async ({ before, correction, key, outcome, tx }) => {
      await tx.query("UPDATE complaint SET outcome = ? WHERE id = ?", [outcome._tag, key])
      if (correction) console.warn(`${key} was ${before?._tag}, and is ${outcome._tag}`)
    }
  })

export const openStore = (path: string) => fileStore(path, { driver: Database }) // Node.js 22.13 needs no driver

export const settleComplaint = (
  ledger: Ledger<SqliteTransaction>,
  store: LedgerStore<SqliteTransaction>,
  paymentId: number
) =>
  store.transaction(async (tx) => {
    await tx.query("UPDATE complaint SET settled = 1 WHERE id = ?", ["78"])
    await ledger.submit(tx, "complaint-78", { refund: paymentId, amount: 50_000 })
  })

/** The refund by hand was for another complaint: the refunds that it has stopped continue. */
export const goOn = (operator: LedgerOperator, paymentId: number, refundId: number) =>
  operator.acknowledgeRefund(paymentId, refundId, { by: "Jana", note: "made by hand for complaint 41" })

export const decide = async (operator: LedgerOperator, key: string) => {
  const item = (await operator.listAttention()).find((one) => one.key === key)
  if (item === undefined) return
  const note = "GoPay's administration shows none"
  await operator.resolveChange(key, { version: item.version, as: "notDone", by: "Jana", note })
}

/** Returns the money of an order's second payment: `PaidTwice` is an item of the payment that is too much. */
export const giveSecondBack = async (operator: LedgerOperator, orderNumber: string, by: string) => {
  for (const { key, kind, version, ...item } of await operator.listAttention()) {
    if (kind !== "PaidTwice" || item.orderNumber !== orderNumber) continue
    await operator.resolvePayment(key, { version, kind, as: "giveBack", by, note: "one of two payments" })
  }
}

export const accountantsPage = (
  operator: LedgerOperator,
  accountantOf: (request: AdminRequest) => string | undefined
) => createServer(toNodeHandler(createAdminHandler(operator, { authorize: accountantOf })))

/** Adopts the shop's open payments, before the new checkout is used. It may be repeated. */
export const adoptOpenPayments = async (
  operator: LedgerOperator,
  open: ReadonlyArray<{ readonly orderNumber: string; readonly paymentId: number }>
) => {
  for (const { orderNumber, paymentId } of open) await operator.adoptPayment(orderNumber, paymentId)
}
