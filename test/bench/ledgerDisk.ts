/**
 * What an order with a refund takes on the disk of PostgreSQL: orders go through a ledger over a local gateway, from the
 * payment to the refund whose entry is bound. `npm run bench -- disk`; the first argument is how many.
 */
import { Pool } from "pg"
import { createLedger, pgStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { startPostgres } from "../system/PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const count = Number(process.argv[2] ?? 500)
await using postgres = await startPostgres({ settings: ["fsync=off"] })
const pool = new Pool({ connectionString: postgres.url })
await using local = await startLocalGateway({ settings: partsAtOnce })
await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
await using ledger = createLedger({ gateway, store: pgStore(pool), processName: "shop-1-4711", onPayment: () => {} })
await ledger.migrate()

const sizes = async (): Promise<
  ReadonlyArray<{ readonly table: string; readonly rows: number; readonly indexes: number }>
> => {
  await pool.query("VACUUM FULL")
  const { rows } = await pool.query(
    `SELECT relname AS table, pg_table_size(oid)::int AS rows, pg_indexes_size(oid)::int AS indexes FROM pg_class
     WHERE relname LIKE 'gopay%' AND relkind = 'r' ORDER BY 1`
  )
  return rows
}

const settle = async (orderNumber: string): Promise<void> => {
  const placed = await ledger.checkout(orderNumber, {
    amount: 100_000,
    currency: "CZK",
    callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  })
  if (!("paymentId" in placed)) throw new Error("no payment")
  await local.payByCard(placed.paymentId)
  await ledger.verifyReturn(`https://shop.example/return?id=${placed.paymentId}`)
  await ledger.refund(`complaint-${orderNumber}`, placed.paymentId, { amount: 50_000 })
  await ledger.verifyReturn(`https://shop.example/return?id=${placed.paymentId}`)
}

const before = await sizes()
for (let done = 0; done < count; done += 10) {
  await Promise.all(Array.from({ length: 10 }, (_, index) => settle(`2026-${100_000 + done + index}`)))
}
await ledger.runOnce()
const after = await sizes()
let sum = 0
for (const { indexes, rows, table } of after) {
  const first = before.find((one) => one.table === table)
  const grown = [rows - (first?.rows ?? 0), indexes - (first?.indexes ?? 0)].map((bytes) => Math.round(bytes / count))
  sum += grown.reduce((one, other) => one + other, 0)
  console.log(`${table}: ${grown[0]} bytes of rows, ${grown[1]} of indexes for each order`)
}
console.log(`together: ${sum} bytes for each order with a refund`)
const { rows } = await pool.query(
  "SELECT h.subject, h.version, h.status, h.state, octet_length(h::text) AS bytes, h.* FROM gopay.gopay_history h ORDER BY h.seq DESC LIMIT 400"
)
const last = rows.filter(
  ({ subject, subject_seq }) => subject_seq === rows.find((one) => one.subject === subject)?.subject_seq
)
if (process.argv[3] === "history") for (const row of last.toReversed()) console.log(JSON.stringify(row))
await pool.end()
