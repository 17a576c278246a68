import { eq, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { integer, pgTable, text } from "drizzle-orm/pg-core"
import { createLedger, drizzleStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"
import { Pool } from "pg"

export const shopOrder = pgTable("shop_order", {
  number: text().primaryKey(),
  amount: integer().notNull(),
  status: text().notNull()
})

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
pool.on("error", console.error) // or a broken idle connection ends the process
export const db = drizzle(pool)

export const gateway = createGatewayClient(optionsFromEnv(process.env))
export const ledger = createLedger({
  gateway,
  store: drizzleStore(db, sql),
  migrate: true,
  onPayment: async ({ order, status, tx }) => {
    await tx.update(shopOrder).set({ status }).where(eq(shopOrder.number, order.orderNumber))
  }
})
