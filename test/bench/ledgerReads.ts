/**
 * What the reads of a ledger take as its tables grow: `npm run bench -- reads 100000`, on PostgreSQL and on a file.
 * Milliseconds, the median of five, with no rows, and with the given number of settled orders, each with a refund.
 */
import * as Effect from "effect/Effect"
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pool } from "pg"
import { scopeIdOf } from "../../src/ledger/store/LedgerTable.js"
import { scopeOf } from "../../src/ledger/model/LedgerGateway.js"
import { fileStore, type LedgerStore, pgStore } from "../../src/ledger/promise/index.js"
import { createLedger, type Ledger } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import * as Outsider from "../ledger/Outsider.js"
import { firstSettledPayment, insertSettled } from "../ledger/SettledRows.js"
import { collected } from "../support/collected.js"
import { startPostgres } from "../system/PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const count = Number(process.argv[2] ?? 100_000)
const step = 50_000

await using local = await startLocalGateway({ settings: partsAtOnce })
await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
const scope = scopeIdOf(scopeOf(gateway.baseUrl, gateway.goid))

const reads = <Tx>(ledger: Ledger<Tx>): Readonly<Record<string, () => Promise<unknown>>> => ({
  "`listBookedOrders` of a day": () => {
    const from = new Date(Date.UTC(2026, 0, 1) + count * 500)
    return collected(ledger.operator.listBookedOrders({ from, to: new Date(from.getTime() + 1_000_000) }))
  },
  "`listChanges({ isOpen })`": () => ledger.operator.listChanges({ isOpen: true }),
  "`listChanges({ status })`": () => ledger.operator.listChanges({ status: "failed" }),
  "`listChanges({ paymentId })`": () => ledger.operator.listChanges({ paymentId: firstSettledPayment + 9 }),
  "`listPayments({ state })`": () => ledger.operator.listPayments({ state: "TIMEOUTED" }),
  "`getMetrics`": () => ledger.operator.getMetrics(),
  "`listMerchants`": () => ledger.operator.listMerchants(),
  "`eraseDetails`, nothing to do": () => ledger.operator.eraseDetails({ olderThan: "36500 days" }),
  "`adoptCharges`, none lost": () => ledger.operator.adoptCharges([])
})

const median = async (run: () => Promise<unknown>): Promise<number> => {
  const times: Array<number> = []
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    await run()
    times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)[2] ?? 0
}

const measure = async <Tx>(name: string, store: LedgerStore<Tx>): Promise<void> => {
  await using ledger = createLedger({ gateway, store, onAttention: () => {} })
  await ledger.migrate()
  const all = reads(ledger)
  const empty = new Map<string, number>()
  for (const [read, run] of Object.entries(all)) empty.set(read, await median(run))
  for (let done = 0; done < count; done += step) {
    await insertSettled(store.query, scope, done + 1, Math.min(done + step, count))
    // A worker adds the tallies up, and their space is free again.
    await Effect.runPromise(Outsider.forgetTick(store))
    await ledger.runOnce()
    if (store.dialect === "postgres") await store.query("VACUUM ANALYZE gopay_tally", [])
    console.error(`${name}: ${Math.min(done + step, count)} orders`)
  }
  if (store.dialect === "postgres") await store.query("VACUUM ANALYZE", [])
  console.log(`| ${name} | empty | ${count} orders |\n| --- | --- | --- |`)
  for (const [read, run] of Object.entries(all)) {
    console.log(`| ${read} | ${(empty.get(read) ?? 0).toFixed(1)} | ${(await median(run)).toFixed(1)} |`)
  }
  globalThis.gc?.()
  const [before, began] = [process.memoryUsage().heapUsed, performance.now()]
  let most = before
  let orders = 0
  for await (const _ of ledger.operator.listBookedOrders()) {
    orders++
    if (orders % 1_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
  }
  const [seconds, memory] = [(performance.now() - began) / 1_000, (most - before) / 1e6]
  console.log(
    `| \`listBookedOrders\` of all | | ${seconds.toFixed(1)} s, ${orders} orders, ${memory.toFixed(0)} MB more |`
  )
}

const folder = mkdtempSync(join(tmpdir(), "ledger-reads-"))
if (process.argv[3] !== "postgres")
  await measure("a file with libsql", fileStore(join(folder, "gopay.db"), { driver: Database }))
rmSync(folder, { recursive: true, force: true })
await using postgres = await startPostgres({ settings: ["fsync=off"] })
const pool = new Pool({ connectionString: postgres.url, options: "-c search_path=gopay,public" })
pool.on("error", () => {})
await measure("PostgreSQL", pgStore(pool))
await pool.end()
