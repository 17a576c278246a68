/**
 * The transactions of a ledger in PostgreSQL: what is committed, and what becomes of a handler that takes too long.
 */
import { assert, it } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { Pool } from "pg"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { type LedgerStore, pgStore, pgQueryStore } from "../../src/ledger/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { TransactionLost } from "../../src/ledger/store/clientResults.js"
import { type Database, fromSqlClient, fromStore } from "../../src/ledger/store/Database.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { order } from "../ledger/World.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>
let admin: Pool

beforeAll(async () => {
  postgres = await startPostgres()
  admin = new Pool({ connectionString: postgres.url })
})

afterAll(async () => {
  await admin.end()
  await postgres[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await admin.query("DROP SCHEMA IF EXISTS gopay CASCADE")
  await admin.query("DROP TABLE IF EXISTS complaint")
  await admin.query("CREATE TABLE complaint (id TEXT PRIMARY KEY)")
  await admin.query("INSERT INTO complaint VALUES ('there')")
})

const complaints = Effect.promise(async () => {
  const { rows } = await admin.query("SELECT id FROM complaint ORDER BY id")
  return rows.map(({ id }) => id)
})

const insert = "INSERT INTO complaint VALUES ($1) RETURNING id"

const poolOf = (max: number) =>
  Effect.acquireRelease(
    Effect.sync(() => new Pool({ connectionString: postgres.url, max })),
    (pool) => Effect.promise(() => pool.end())
  )

/** A promise that is resolved from elsewhere. */
const gateOf = () => {
  let resolve: (value?: unknown) => void = () => {}
  const promise = new Promise<unknown>((open) => {
    resolve = open
  })
  return { promise, resolve }
}

const late = new Error("late")

type UseStore = <Tx>(store: LedgerStore<Tx>) => Effect.Effect<void, unknown>

type UseDatabase = <Tx>(database: Database<Tx>) => Effect.Effect<void, unknown>

/** A store over one connection. */
const stores: ReadonlyArray<readonly [name: string, use: (run: UseStore) => Effect.Effect<void, unknown>]> = [
  ["pgStore", (run) => Effect.scoped(Effect.flatMap(poolOf(1), (pool) => run(pgStore(pool))))],
  [
    "pgQueryStore",
    (run) =>
      Effect.scoped(
        Effect.flatMap(poolOf(1), (pool) => {
          const { query, queryIn, transaction } = pgStore(pool)
          return run(pgQueryStore({ query, queryIn, transaction }))
        })
      )
  ]
]

/** A database over one connection. */
const databases: ReadonlyArray<readonly [name: string, use: (run: UseDatabase) => Effect.Effect<void, unknown>]> = [
  ...stores.map(
    ([name, withStore]) => [name, (run: UseDatabase) => withStore((store) => run(fromStore(store)))] as const
  ),
  [
    "an SqlClient",
    (run) =>
      Effect.flatMap(PgClient.PgClient, (sql) => run(fromSqlClient(sql))).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(postgres.url), maxConnections: 1 })),
        Effect.orDie
      )
  ]
]

describe.each(stores)("a shop's transaction of %s", (_, withStore) => {
  it.effect("in which a failed statement was caught is not committed, and says so", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const careless = store.transaction(async (tx) => {
          await store.queryIn(tx)(insert, ["new"])
          await store
            .queryIn(tx)(insert, ["there"])
            .catch(() => undefined)
        })
        const error = yield* Effect.promise(() => careless.catch((error: unknown) => error))
        assert.match(String(error), /Nothing of this transaction is written/)
        // The connection is as good as new.
        yield* Effect.promise(() => store.transaction((tx) => store.queryIn(tx)(insert, ["later"])))
        assert.deepStrictEqual(yield* complaints, ["later", "there"])
      })
    )
  )
})

describe.each(databases)("a transaction of the ledger's over %s", (_, withDatabase) => {
  it.effect("in which a failed statement was caught is not committed, and says so", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const lost = yield* Effect.flip(
          database.transaction(
            (tx) =>
              Effect.andThen(
                database.queryIn(tx)(insert, ["new"]),
                Effect.ignore(database.queryIn(tx)(insert, ["there"]))
              ),
            Effect.die("not late")
          )
        )
        assert.instanceOf(lost.cause, TransactionLost)
        assert.deepStrictEqual(yield* complaints, ["there"])
        yield* database.transaction((tx) => database.queryIn(tx)(insert, ["later"]), Effect.die("not late"))
        assert.deepStrictEqual(yield* complaints, ["later", "there"])
      })
    )
  )

  it.effect("fails with what it was rolled back for", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const failed = database.transaction(
          (tx) => Effect.andThen(database.queryIn(tx)(insert, ["new"]), Effect.fail("changed its mind" as const)),
          Effect.die("not late")
        )
        assert.strictEqual(yield* Effect.flip(failed), "changed its mind")
        assert.deepStrictEqual(yield* complaints, ["there"])
      })
    )
  )

  it.effect(
    "that takes longer than its minute writes nothing, in it or later, and keeps its connection to its end",
    () =>
      withDatabase((database) =>
        Effect.gen(function* () {
          const gate = gateOf()
          const started = gateOf()
          const ended = gateOf()
          const handler = async (insertion: (id: string) => Promise<unknown>) => {
            await insertion("first")
            await admin.query("SELECT 1")
            started.resolve()
            await gate.promise
            ended.resolve(await insertion("late").catch((error: unknown) => error))
          }
          const transaction = yield* Effect.forkChild(
            Effect.exit(
              database.transaction(
                (tx) => Effect.promise(() => handler((id) => Effect.runPromise(database.queryIn(tx)(insert, [id])))),
                Effect.fail(late)
              )
            )
          )
          yield* Effect.promise(() => started.promise)
          yield* TestClock.adjust("61 seconds")
          assert.deepStrictEqual(yield* Fiber.join(transaction), Exit.fail(late))
          // Its locks are free.
          yield* Effect.promise(() =>
            admin.query("BEGIN; SET LOCAL lock_timeout = '1s'; INSERT INTO complaint VALUES ('first'); COMMIT")
          )
          // No one else gets its connection.
          let isGivenBack = false
          const next = Effect.runPromise(database.query(insert, ["next"])).then(() => (isGivenBack = true))
          yield* Effect.promise(() => admin.query("SELECT pg_sleep(0.1)"))
          assert.isFalse(isGivenBack)
          gate.resolve()
          assert.match(String(yield* Effect.promise(() => ended.promise)), /aborted|Failed|25P02/i)
          yield* TestClock.adjust("1 second")
          yield* Effect.promise(() => next)
          assert.deepStrictEqual(yield* complaints, ["first", "next", "there"])
        })
      )
  )
})

describe("a handler that never ends", () => {
  it.effect("loses its connection after ten minutes", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const pool = yield* poolOf(2)
        const database = fromStore(pgStore(pool))
        const started = gateOf()
        const transaction = yield* Effect.forkChild(
          Effect.exit(
            database.transaction(
              (tx) =>
                database
                  .queryIn(tx)(insert, ["a"])
                  .pipe(
                    Effect.andThen(Effect.sync(() => started.resolve())),
                    Effect.andThen(Effect.never),
                    Effect.mapError((): Error => late)
                  ),
              Effect.fail(late)
            )
          )
        )
        yield* Effect.promise(() => started.promise)
        yield* TestClock.adjust("61 seconds")
        assert.deepStrictEqual(yield* Fiber.join(transaction), Exit.fail(late))
        const isHeld = () => pool.totalCount > pool.idleCount
        const pause = Effect.promise(() => admin.query("SELECT pg_sleep(0.02)"))
        for (let seconds = 0; seconds < 580; seconds += 20) {
          yield* TestClock.adjust("20 seconds")
          yield* pause
        }
        assert.isTrue(isHeld())
        // The database takes some time to release it, which the clock does not show.
        while (isHeld()) {
          yield* TestClock.adjust("20 seconds")
          yield* pause
        }
        assert.deepStrictEqual(yield* complaints, ["there"])
      })
    )
  )
})

describe("an onPayment that catches a failed statement", () => {
  it("is told again until nothing fails, and the notification is not answered with 200 before", async () => {
    const local = await startLocalGateway({ settings: partsAtOnce })
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const pool = new Pool({ connectionString: postgres.url, max: 3 })
    let times = 0
    const ledger = createLedger({
      gateway,
      store: pgStore(pool),
      migrate: true,
      onPayment: async ({ order: { orderNumber }, tx }) => {
        await tx.query(insert, [orderNumber])
        if (times++ === 0) await tx.query(insert, ["there"]).catch(() => undefined)
      }
    })
    const { order_number: number, ...request } = order
    const placed = await ledger.checkout(number, request)
    const id = placed.paymentId ?? 0
    await local.payByCard(id)
    const notify = ledger.notificationHandler({ onError: () => {} })
    const notified = async () => (await notify(new Request(`https://shop.example/notify?id=${id}`))).status
    assert.deepStrictEqual([await notified(), await notified(), await notified()], [503, 200, 200])
    assert.deepStrictEqual(await Effect.runPromise(complaints), [number, "there"].toSorted())
    await ledger.close()
    await pool.end()
    await local.close()
  })
})
