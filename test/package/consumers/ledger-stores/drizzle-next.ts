import { eq, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { integer, pgTable, text } from "drizzle-orm/pg-core"
import { createLedger, drizzleStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv, payerMessage } from "effect-gopay/promise"
import { Pool } from "pg"

export const shopOrder = pgTable("shop_order", {
  number: text().primaryKey(),
  amount: integer().notNull(),
  status: text().notNull()
})

const open = async () => {
  const { DATABASE_URL, GOPAY_INSTALLATION } = process.env
  const gateway = createGatewayClient(optionsFromEnv(process.env))
  const pool = new Pool({ connectionString: DATABASE_URL })
  pool.on("error", console.error) // or a broken idle connection ends the process
  const db = drizzle(pool)
  const ledger = createLedger({
    gateway,
    store: drizzleStore(db, sql),
    installation: GOPAY_INSTALLATION,
    onPayment: async ({ order, status, tx }) => {
      await tx.update(shopOrder).set({ status }).where(eq(shopOrder.number, order.orderNumber))
    }
  })
  const close = async () => {
    await ledger.close() // waits for what was sent
    await gateway.close()
    await pool.end()
  }
  try {
    await ledger.migrate()
  } catch (error) {
    await close() // or each new try leaves one more pool
    throw error
  }
  ledger.startWorker()
  process.once("SIGTERM", () => void close())
  return { close, db, ledger }
}

declare global {
  var openedShop: ReturnType<typeof open> | undefined
}

/** Opened once, by the first request or in the background. A failure is not kept. */
export const theShop = () =>
  (globalThis.openedShop ??= open().catch((error: unknown) => {
    globalThis.openedShop = undefined
    throw error
  }))

export const theLedger = async () => (await theShop()).ledger

/** Where the payer pays, or what the payer reads. The amount is that of the order's own row, never the browser's. */
export const checkout = async (number: string) => {
  const { SHOP_URL = "http://localhost:3000" } = process.env
  try {
    const { db, ledger } = await theShop()
    const [row] = await db.select().from(shopOrder).where(eq(shopOrder.number, number))
    if (row === undefined) return { status: 404, message: "There is no such order." }
    const order = await ledger.checkout(number, {
      amount: row.amount,
      currency: "CZK",
      callback: { return_url: `${SHOP_URL}/return`, notification_url: `${SHOP_URL}/notify` }
    })
    if (order.status === "open") return { gwUrl: order.gwUrl }
    return { status: order.status === "pending" ? 503 : 409, message: payerMessage(order, "en").text }
  } catch (error) {
    console.error(error)
    return { status: 503, message: payerMessage(error, "en").text }
  }
}
