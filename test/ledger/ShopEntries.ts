/**
 * The shop's own table of the events from its ledger.
 */
import type { LedgerStore, PaymentEvent } from "../../src/ledger/promise/index.js"

/** Makes the table. */
export const makeEntries = (store: Pick<LedgerStore<never>, "query">) =>
  store.query("CREATE TABLE IF NOT EXISTS shop_entry (payment_id TEXT, status TEXT, event TEXT)", [])

/** What was entered. */
export const entriesOf = async (store: Pick<LedgerStore<never>, "query">) =>
  (await store.query("SELECT payment_id, status FROM shop_entry", [])).map(({ payment_id, status }) => ({
    paymentId: Number(payment_id),
    status: String(status)
  }))

/** Enters what the ledger reports, in the transaction of the ledger. */
export const entering =
  <Tx>(store: Pick<LedgerStore<Tx>, "dialect" | "queryIn">) =>
  async ({ eventId, order, status, tx }: PaymentEvent<Tx>): Promise<void> => {
    const places = store.dialect === "sqlite" ? "?, ?, ?" : "$1, $2, $3"
    const entry = [String(order.paymentId), status, eventId]
    await store.queryIn(tx)(`INSERT INTO shop_entry (payment_id, status, event) VALUES (${places})`, entry)
  }
