import { createClient } from "@libsql/client"
import { eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/libsql"
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createLedger, fileStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"
import Database from "libsql" // what @libsql/client uses, too

export const shopOrder = sqliteTable("shop_order", {
  number: text().primaryKey(),
  amount: integer().notNull(),
  status: text().notNull()
})

export const db = drizzle(createClient({ url: "file:shop.db" }))

export const gateway = createGatewayClient(optionsFromEnv(process.env))
export const ledger = createLedger({
  gateway,
  store: fileStore("shop.db", { driver: Database }),
  migrate: true,
  onPayment: async ({ order, status, tx }) => {
    const query = db.update(shopOrder).set({ status }).where(eq(shopOrder.number, order.orderNumber))
    const { params, sql } = query.toSQL()
    await tx.query(sql, params)
  }
})
