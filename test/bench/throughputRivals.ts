/**
 * What others make refunds with: queues and workflows, and what people write by themselves. Each asks for a refund by a row
 * of its own or by a job, and has the result in a row of the shop's: with less than that the shop does not know it. None of
 * them knows what became of a refund whose process was killed; they make it again.
 */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { createGatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { firstPaymentId, type Worker } from "./ThroughputWork.js"

/** Where a rival finds its gateway and its database. */
export interface Surroundings {
  readonly environment: string
  readonly database: string
  readonly callers: number
}

/** The table of the shop, in which each rival says what is done. */
export const shopTable =
  "CREATE TABLE IF NOT EXISTS shop_refund (number INTEGER PRIMARY KEY, payment_id BIGINT NOT NULL, status TEXT NOT NULL)"

interface Shop extends Surroundings {
  readonly pool: Pool
  /** Makes the refund, and says so. */
  readonly refund: (number: number) => Promise<void>
  /** Says that a refund is to be made. */
  readonly ask: (number: number) => Promise<unknown>
}

/** Asks for a refund, beside the row that says so; `undefined` for one that needs only the row. */
interface Rival {
  readonly submit: ((number: number) => Promise<unknown>) | undefined
  readonly close: () => Promise<unknown>
}

const rivals = createRequire(new URL("rivals/", import.meta.url))
const load = (name: string) => import(pathToFileURL(rivals.resolve(name)).href)

const outbox = async ({ callers, pool, refund }: Shop): Promise<Rival> => {
  const closing = new AbortController()
  const work = async () => {
    while (!closing.signal.aborted) {
      const connection = await pool.connect()
      try {
        await connection.query("BEGIN")
        const { rows } = await connection.query(
          "SELECT number FROM shop_refund WHERE status = 'asked' ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED"
        )
        for (const { number } of rows) await refund(number)
        for (const { number } of rows) {
          await connection.query("UPDATE shop_refund SET status = 'done' WHERE number = $1", [number])
        }
        await connection.query("COMMIT")
        if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      } finally {
        connection.release()
      }
    }
  }
  const workers = Array.from({ length: callers }, work)
  return {
    submit: undefined,
    close: () => {
      closing.abort()
      return Promise.all(workers)
    }
  }
}

interface GraphileRunner {
  readonly addJob: (task: string, payload: { readonly number: number }) => Promise<unknown>
  readonly stop: () => Promise<void>
}

const graphile = async ({ callers, database, pool, refund }: Shop): Promise<Rival> => {
  const {
    Logger,
    run
  }: {
    readonly Logger: new (factory: () => () => void) => unknown
    readonly run: (options: object) => Promise<GraphileRunner>
  } = await load("graphile-worker")
  const runner = await run({
    connectionString: database,
    concurrency: callers,
    pollInterval: 20,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      refund: async ({ number }: { readonly number: number }) => {
        await refund(number)
        await pool.query("UPDATE shop_refund SET status = 'done' WHERE number = $1", [number])
      }
    }
  })
  return { submit: (number) => runner.addJob("refund", { number }), close: () => runner.stop() }
}

interface Boss {
  readonly on: (event: "error", listener: () => void) => void
  readonly start: () => Promise<unknown>
  readonly createQueue: (name: string) => Promise<unknown>
  readonly send: (name: string, data: { readonly number: number }) => Promise<unknown>
  readonly work: (
    name: string,
    options: object,
    handler: (jobs: ReadonlyArray<{ readonly data: { readonly number: number } }>) => Promise<void>
  ) => Promise<unknown>
  readonly stop: (options: object) => Promise<unknown>
}

const boss = async ({ callers, database, pool, refund }: Shop): Promise<Rival> => {
  const { PgBoss }: { readonly PgBoss: new (database: string) => Boss } = await load("pg-boss")
  const queue = new PgBoss(database)
  queue.on("error", () => {})
  await queue.start()
  await queue.createQueue("refund")
  for (let worker = 0; worker < callers; worker++) {
    await queue.work("refund", { pollingIntervalSeconds: 0.5, batchSize: 1 }, async (jobs) => {
      for (const { data } of jobs) {
        await refund(data.number)
        await pool.query("UPDATE shop_refund SET status = 'done' WHERE number = $1", [data.number])
      }
    })
  }
  return { submit: (number) => queue.send("refund", { number }), close: () => queue.stop({ graceful: false }) }
}

interface Dbos {
  readonly setConfig: (config: object) => void
  readonly registerWorkflow: <A>(workflow: A, options: object) => A
  readonly runStep: (step: () => Promise<unknown>, options: object) => Promise<unknown>
  readonly launch: () => Promise<void>
  readonly registerQueue: (name: string, options: object) => Promise<unknown>
  readonly startWorkflow: (
    workflow: (number: number) => Promise<void>,
    options: object
  ) => (number: number) => Promise<unknown>
  readonly shutdown: () => Promise<void>
}

const dbos = async ({ callers, database, pool, refund }: Shop): Promise<Rival> => {
  const { DBOS }: { readonly DBOS: Dbos } = await load("@dbos-inc/dbos-sdk")
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: database, logLevel: "error", runAdminServer: false })
  const workflow = DBOS.registerWorkflow(
    async (number: number): Promise<void> => {
      await DBOS.runStep(() => refund(number), { name: "refund" })
      await pool.query("UPDATE shop_refund SET status = 'done' WHERE number = $1", [number])
    },
    { name: "refund" }
  )
  await DBOS.launch()
  await DBOS.registerQueue("refunds", { workerConcurrency: callers, minPollingIntervalMs: 20 })
  return {
    submit: (number) => DBOS.startWorkflow(workflow, { queueName: "refunds" })(number),
    close: () => DBOS.shutdown()
  }
}

const makers: Readonly<Record<string, (shop: Shop) => Promise<Rival>>> = {
  "naive outbox": outbox,
  "graphile-worker": graphile,
  "pg-boss": boss,
  DBOS: dbos
}

/** The names of the rivals. */
export const rivalNames = Object.keys(makers)

export const rivalOf = async (name: string, surroundings: Surroundings): Promise<Worker> => {
  const make = makers[name]
  if (make === undefined) throw new Error(`There is no ${name}.`)
  const { database, environment } = surroundings
  const pool = new Pool({ connectionString: database, max: 16 })
  const gateway = createGatewayClient({ goid: 8_123_456_781, clientId: "1", clientSecret: "2", environment })
  await pool.query(shopTable)
  const ask = (number: number) =>
    pool.query("INSERT INTO shop_refund (number, payment_id, status) VALUES ($1, $2, 'asked')", [
      number,
      firstPaymentId + number
    ])
  const { close, submit } = await make({
    ...surroundings,
    pool,
    ask,
    refund: async (number) => {
      await gateway.refundPayment(firstPaymentId + number, { amount: 100 })
    }
  })
  return {
    prepare: async () => {},
    run: async (_work, number) => {
      await ask(number)
      await submit?.(number)
    },
    close: async () => {
      await close()
      await gateway.close()
      await pool.end()
    }
  }
}
