/**
 * What docs/ledger-drizzle.md shows, at the PostgreSQL of `DATABASE_URL` and in a SQLite file.
 */
import { sql } from "drizzle-orm"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const local = await startLocalGateway()
const { merchant } = local
Object.assign(process.env, {
  GOPAY_GOID: String(merchant.goid),
  GOPAY_CLIENT_ID: merchant.clientId,
  GOPAY_CLIENT_SECRET: merchant.clientSecret,
  GOPAY_ENVIRONMENT: local.url
})
const folder = mkdtempSync(join(tmpdir(), "drizzle-"))
process.chdir(folder)

const postgres = await import("./drizzle-postgres.js")
const sqlite = await import("./drizzle-sqlite.js")

const table = sql`CREATE TABLE IF NOT EXISTS shop_order (number text PRIMARY KEY, amount integer NOT NULL, status text NOT NULL)`
const order = { number: "drizzle", amount: 100_000, status: "new" }
await postgres.db.execute(table)
await postgres.db.insert(postgres.shopOrder).values(order)
await sqlite.db.run(table)
await sqlite.db.insert(sqlite.shopOrder).values(order)

for (const { gateway, ledger } of [postgres, sqlite]) {
  const { amount, number } = order
  const callback = { return_url: "https://shop.example/return" }
  const { paymentId = 0 } = await ledger.checkout(number, { amount, currency: "CZK", callback })
  await local.payByCard(paymentId)
  assert.equal((await ledger.verifyReturn(`/return?id=${paymentId}`)).status, "paid")
  await ledger.close()
  await gateway.close()
}

const paid = [{ ...order, status: "paid" }]
assert.deepEqual(await postgres.db.select().from(postgres.shopOrder), paid)
assert.deepEqual(await sqlite.db.select().from(sqlite.shopOrder), paid)
await postgres.db.$client.end()
sqlite.db.$client.close()

// The module of Next.js: while the database is away, no try leaves a pool, and the next one opens all.
const next = await import("./drizzle-next.js")
const { DATABASE_URL } = process.env
process.env["DATABASE_URL"] = "postgres://nobody@127.0.0.1:9/away"
await assert.rejects(next.theShop(), { name: "LedgerError", _tag: "LedgerError" })
process.env["DATABASE_URL"] = DATABASE_URL
const { close, db, ledger } = await next.theShop()
assert.equal(await next.theLedger(), ledger)
await db.insert(next.shopOrder).values({ ...order, number: "next" })
assert.equal((await next.checkout("none")).status, 404)
const { gwUrl } = await next.checkout("next")
assert.equal((await next.checkout("next")).gwUrl, gwUrl)
const payment = (await local.listPayments()).find(({ gw_url }) => gw_url === gwUrl)
await local.payByCard(payment.id)
assert.equal((await ledger.verifyReturn(`/return?id=${payment.id}`)).status, "paid")
assert.equal((await next.checkout("next")).status, 409)
const rows = await db
  .select()
  .from(next.shopOrder)
  .where(sql`number = 'next'`)
assert.deepEqual(rows, [{ ...order, number: "next", status: "paid" }])
await close()
await local.close()
rmSync(folder, { recursive: true })
console.log("ledger-stores: what is shown of Drizzle writes the order with the payment")
