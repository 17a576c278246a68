/**
 * Operations a second of a ledger in PostgreSQL, with one process and with several.
 * `npm run bench -- ledger`. Arguments: rounds, operations of each process in a round, and after how many
 * milliseconds the gateway answers.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { startPostgres } from "../system/PostgresServer.js"
import type { Task, Work } from "./ThroughputWork.js"
import { scopeIdOf } from "../../src/ledger/store/LedgerTable.js"
import { scopeOf } from "../../src/ledger/model/LedgerGateway.js"

const rounds = Number(process.argv[2] ?? 3)
const inRound = Number(process.argv[3] ?? 240)
const delay = process.argv[4] ?? "0"
const most = 3

const start = async (file: string, args: ReadonlyArray<string> = []): Promise<ChildProcess> =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ["--import", "tsx"] })

const gateway = await start("refundServer.ts", [delay])
const [{ port }] = await once(gateway, "message")
const environment = `http://127.0.0.1:${port}`
await using postgres = await startPostgres({ settings: ["shared_preload_libraries=pg_stat_statements"] })
const pool = new Pool({ connectionString: postgres.url })
const client = createGatewayClient({ goid: 8_123_456_781, clientId: "1", clientSecret: "2", environment })
await createLedger({ gateway: client, store: pgStore(pool) }).migrate()

/** What the years bring: without it PostgreSQL takes the tables for so small that it needs no index. */
const scope = scopeIdOf(scopeOf(client.baseUrl, client.goid))
await pool.query(
  `INSERT INTO gopay.gopay_change (scope, key, payment_id, operation, amount, request, hash, status, entry, created_at, decided_at)
   SELECT ${scope}, 'old-' || n, '9' || n, 'refundPayment', 100, '{"amount":100}', 'hash', 'done', '0' || n, n, n FROM generate_series(1, 20000) AS numbers(n)`
)
await pool.query(
  `INSERT INTO gopay.gopay_payment (scope, order_number, attempt, status, terms, payment_id, state, created_at)
   SELECT ${scope}, 'old-' || n, 'old-' || n, 'created', '{"amount":100,"currency":"CZK"}', '9' || n, 'PAID', n FROM generate_series(1, 20000) AS numbers(n)`
)
await pool.query("VACUUM ANALYZE")
await pool.query("CREATE EXTENSION pg_stat_statements")

const works: ReadonlyArray<Work> = ["refund", "submit", "order", "notification"]

let next = 1

/** Sends a process a task. Returns how much CPU time it has used so far, in milliseconds. */
const told = async (
  process: ChildProcess,
  message: { readonly prepare?: Task; readonly run?: Task }
): Promise<number> => {
  const answer = once(process, "message")
  process.send(message)
  const [millis] = await answer
  return Number(millis)
}

/** The CPU time of all processes so far, in milliseconds. */
const cpuOf = async (processes: ReadonlyArray<ChildProcess>): Promise<number> => {
  const times = await Promise.all(processes.map((process) => told(process, {})))
  return times.reduce((sum, time) => sum + time, 0)
}

const lastChange = async (): Promise<number> =>
  Number((await pool.query("SELECT MAX(seq) AS seq FROM gopay.gopay_change")).rows[0]?.seq)

/** Waits until all is done that came after a change. What came before is not read, which would take time from them. */
const drained = async (after: number): Promise<void> => {
  const isUndone = async () =>
    (
      await pool.query(
        "SELECT 1 FROM gopay.gopay_change WHERE seq > $1 AND (status <> 'done' OR holds IS NOT NULL) LIMIT 1",
        [after]
      )
    ).rows.length > 0
  while (await isUndone()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** How many statements the server has been sent. Those of functions and triggers are not counted. */
const calls = async (): Promise<number> => {
  const { rows } = await pool.query(
    "SELECT SUM(calls) AS calls FROM pg_stat_statements WHERE query NOT ILIKE '%pg_stat_statements%'"
  )
  return Number(rows[0]?.calls)
}

interface Measured {
  readonly rate: number
  readonly statements: number
  /** The shop's CPU time for each, in milliseconds. */
  readonly cpu: number
}

const measure = async (isPrepared: boolean, work: Work, count: number): Promise<Measured> => {
  const processes = await Promise.all(
    Array.from({ length: count }, async () => {
      const started = await start("throughputCaller.ts", [isPrepared ? "prepared" : "plain", environment, postgres.url])
      await once(started, "message")
      return started
    })
  )
  const tasks = () =>
    processes.map((process) => {
      const task: Task = { work, first: next, count: inRound }
      next += inRound
      return { process, task }
    })
  // What is compiled and connected by then is not measured.
  const begunAfter = await lastChange()
  for (const { process, task } of tasks()) {
    await told(process, { prepare: task })
    await told(process, { run: task })
  }
  await drained(begunAfter)
  const after = await lastChange()
  const measured = tasks()
  for (const { process, task } of measured) await told(process, { prepare: task })
  const before = await calls()
  const cpuBefore = await cpuOf(processes)
  const since = performance.now()
  await Promise.all(measured.map(({ process, task }) => told(process, { run: task })))
  if (work === "submit") await drained(after)
  const time = performance.now() - since
  const cpu = (await cpuOf(processes)) - cpuBefore
  const statements = (await calls()) - before
  for (const process of processes) {
    const ended = once(process, "exit")
    process.disconnect()
    await ended
  }
  const made = inRound * count
  return { rate: (made * 1_000) / time, statements: statements / made, cpu: cpu / made }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const table: Record<string, Record<string, number>> = {}
for (const isPrepared of [false, true]) {
  for (const work of works) {
    const name = isPrepared ? `${work}, prepared` : work
    const row: Record<string, number> = {}
    for (let count = 1; count <= most; count++) {
      const runs: Array<Measured> = []
      console.error(name, count)
      for (let round = 0; round < rounds; round++) runs.push(await measure(isPrepared, work, count))
      row[String(count)] = Math.round(median(runs.map(({ rate }) => rate)))
      if (count > 1) continue
      row["statements"] = Number(median(runs.map(({ statements }) => statements)).toFixed(1))
      row["cpu"] = Number(median(runs.map(({ cpu }) => cpu)).toFixed(1))
    }
    table[name] = row
    console.error(name, row)
  }
}
console.table(table)
await pool.end()
await client.close()
gateway.disconnect()
