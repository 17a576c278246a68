/**
 * The costs of a ledger: refunds a second over each store against the bare client, statements and rows for each, with
 * few rows and with many, and the time after a kill. `npm run bench -- ledger`
 */
import { createLedger, fileStore, type LedgerStore, pgStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, type GatewayClient } from "effect-gopay/promise"
import Database from "libsql"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Pool } from "pg"
import type { ShopPlan } from "../ledger/ShopProcess.js"
import { startProgram } from "../support/Program.js"
import { startPostgres } from "../system/PostgresServer.js"
import { scopeIdOf } from "../../src/ledger/store/LedgerTable.js"
import { scopeOf } from "../../src/ledger/model/LedgerGateway.js"

const rounds = 3
const refundsInRound = 400
const callers = 8
const manyRows = Number(process.argv[2] ?? 1_000_000)

const gatewayProcess = fork(fileURLToPath(new URL("refundServer.ts", import.meta.url)), {
  execArgv: ["--import", "tsx"]
})
const [{ port }] = await once(gatewayProcess, "message")
const merchant = { goid: 8_123_456_781, clientId: "1", clientSecret: "2" }
const environment = `http://127.0.0.1:${port}`
const gateway: GatewayClient = createGatewayClient({ ...merchant, environment })
await using postgres = await startPostgres()
const folder = mkdtempSync(join(tmpdir(), "bench-ledger-"))

let nextPayment = 1_000
let nextKey = 0

/** Makes refunds of payments that are all different, by several callers; in milliseconds. */
const measure = async (refund: (paymentId: number) => Promise<unknown>): Promise<number> => {
  const since = performance.now()
  let left = refundsInRound
  const caller = async () => {
    while (left-- > 0) await refund(nextPayment++)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return performance.now() - since
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const contender = async <Tx>(name: string, store: LedgerStore<Tx>) => {
  const count = { statements: 0, refunds: 0 }
  const counted: LedgerStore<Tx> = {
    ...store,
    query: (sql, values) => {
      count.statements++
      return store.query(sql, values)
    }
  }
  const ledger = createLedger({ gateway, store: counted, pollEvery: 20 })
  await ledger.migrate()
  await ledger.refund("warm", nextPayment++, { amount: 100 })
  const refund = async (paymentId: number) => {
    count.refunds++
    const { _tag } = await ledger.refund(`bench-${nextKey++}`, paymentId, { amount: 100 })
    if (_tag !== "Done") throw new Error(`a refund is ${_tag}`)
  }
  return { name, store, ledger, refund, count }
}

const pool = new Pool({ connectionString: postgres.url, options: "-c search_path=gopay,public" })
const contenders = [
  await contender("`fileStore` with libsql", fileStore(join(folder, "libsql.db"), { driver: Database })),
  await contender("`pgStore`", pgStore(pool))
]
const bare = (paymentId: number) => gateway.refundPayment(paymentId, { amount: 100 })

/** Decided changes of other payments, as the years bring them. */
const fill = async ({ name, store }: (typeof contenders)[number], rows: number): Promise<void> => {
  const numbers =
    store.dialect === "postgres"
      ? `generate_series(1, ${rows}) AS numbers(n)`
      : `(WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}) SELECT n FROM numbers)`
  const scope = scopeIdOf(scopeOf(gateway.baseUrl, gateway.goid))
  await store.query(
    `INSERT INTO gopay_change (scope, key, payment_id, operation, request, hash, status, entry, created_at, decided_at)
     SELECT ${scope}, 'old-${rows}-' || n, '9' || n, 'refundPayment', '{"amount":100}', 'hash', 'done', '0' || n, n, n FROM ${numbers}`,
    []
  )
  if (store.dialect === "postgres") await store.query("ANALYZE gopay_change", [])
  console.error(`${name}: ${rows} rows more`)
}

const table: Array<Record<string, string | number>> = []

const run = async (rows: string): Promise<void> => {
  console.error(`with ${rows} rows`)
  const ratios = contenders.map((): Array<number> => [])
  const rates: Array<number> = []
  await measure(bare)
  for (const { count } of contenders) Object.assign(count, { statements: 0, refunds: 0 })
  for (let round = 0; round < rounds; round++) {
    const plain = await measure(bare)
    rates.push((refundsInRound * 1_000) / plain)
    for (const [index, { refund }] of contenders.entries()) ratios[index]?.push(plain / (await measure(refund)))
  }
  table.push({ rows, store: "bare client", "refunds a second": Math.round(median(rates)), ratio: 1 })
  for (const [index, { count, name }] of contenders.entries()) {
    table.push({
      rows,
      store: name,
      "refunds a second": Math.round(median(rates) * median(ratios[index] ?? [])),
      ratio: Number(median(ratios[index] ?? []).toFixed(3)),
      "statements each": Number((count.statements / count.refunds).toFixed(1))
    })
  }
  console.table(table.splice(0))
}

for (const one of contenders) await fill(one, 1_000)
await run("1 000")
if (manyRows > 0) {
  for (const one of contenders) await fill(one, manyRows)
  await run(String(manyRows))
}

/** From the kill of a process that has sent its refund to the moment at which another one knows the outcome. */
const recoveries: Array<number> = []
const lease = 1_000
for (let kill = 0; kill < 5; kill++) {
  const paymentId = nextPayment++
  const key = `killed-${kill}`
  const plan: ShopPlan = {
    environment,
    merchant,
    store: { kind: "postgres", at: postgres.url },
    times: { timeout: 5_000, lease },
    refunds: [{ key, paymentId, amount: 4242 }],
    orders: [],
    port: 0,
    notified: []
  }
  const shop = await startProgram(new URL("../ledger/ShopProcess.ts", import.meta.url), [JSON.stringify(plan)])
  const status = async () => (await pool.query("SELECT status FROM gopay_change WHERE key = $1", [key])).rows[0]?.status
  while ((await status()) !== "sending") await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 100))
  shop.kill("SIGKILL")
  const since = performance.now()
  const ledger = createLedger({ gateway, store: pgStore(pool), lease, pollEvery: 50 })
  ledger.startWorker()
  while ((await ledger.getOutcome(key))?._tag !== "Done") await new Promise((resolve) => setTimeout(resolve, 10))
  recoveries.push(performance.now() - since)
  await ledger.close()
}

console.log(
  `After a SIGKILL with a lease of ${lease} ms the outcome is known in ${Math.round(median(recoveries))} ms (median of 5).`
)
for (const { ledger } of contenders) await ledger.close()
await pool.end()
await gateway.close()
gatewayProcess.kill()
rmSync(folder, { recursive: true, force: true })
