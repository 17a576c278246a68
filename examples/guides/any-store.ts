/**
 * Handlers of a shop for any store: SQLite in memory in a test, PostgreSQL in production.
 */
import { type LedgerStore, type PaymentEvent, pgStore } from "effect-gopay/ledger/promise"
import type { Pool } from "pg"

/** Writes through the store, whose dialect says how values are marked. */
export const handlersOver = <Tx>({ dialect, queryIn }: Pick<LedgerStore<Tx>, "dialect" | "queryIn">) => ({
  onPayment: async ({ order, status, tx }: PaymentEvent<Tx>) => {
    const value = dialect === "postgres" ? "$1" : "?"
    if (status === "paid")
      await queryIn(tx)(`INSERT INTO shipment VALUES (${value}) ON CONFLICT DO NOTHING`, [order.orderNumber])
  }
})

/** A store for tests, whose time is the database's and what the table `clock` is ahead of it, in milliseconds. */
export const movableStore = (pool: Pool) => ({
  ...pgStore(pool),
  now: "(extract(epoch FROM clock_timestamp()) * 1000)::bigint + (SELECT ahead FROM clock)"
})
