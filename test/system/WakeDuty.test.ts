/**
 * The duty that wakes what was locked, which only PostgreSQL has: it passes the table of all duties.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Pool } from "pg"
import { afterAll, beforeAll } from "vitest"
import * as Agenda from "../../src/ledger/agenda/Agenda.js"
import * as Duties from "../../src/ledger/agenda/Duties.js"
import * as InFlight from "../../src/ledger/process/InFlight.js"
import { ledgerSchema, pgStore } from "../../src/ledger/promise/index.js"
import { fromStore, withSchema } from "../../src/ledger/store/Database.js"
import * as WakeTable from "../../src/ledger/store/WakeTable.js"
import type { DutyScene, Scene } from "../ledger/DutyScenes.js"
import { describeDuty } from "../ledger/DutyTable.js"
import { change, far, payment } from "../ledger/WakeScenes.js"
import { startPostgres } from "./PostgresServer.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>
let pool: Pool

beforeAll(async () => {
  postgres = await startPostgres({ settings: ["fsync=off"] })
  pool = new Pool({ connectionString: postgres.url, options: "-c search_path=gopay,public" })
})

afterAll(async () => {
  await pool.end()
  await postgres[Symbol.asyncDispose]()
})

const rows = 6

/** The time of the test, by which the database is asked what is due. */
const clock = "(SELECT ms FROM test_clock)"

describeDuty({
  name: "wakes",
  rows,
  places: 2,
  isReadAlways: true,
  begin: (_, act, told) =>
    Effect.gen(function* () {
      yield* Effect.promise(async () => {
        await pool.query("DROP SCHEMA IF EXISTS gopay CASCADE; DROP TABLE IF EXISTS test_clock")
        for (const statement of ledgerSchema("postgres")) await pool.query(statement)
        await pool.query("CREATE TABLE public.test_clock AS SELECT 0::bigint AS ms")
        for (let row = 0; row < rows; row++) {
          await pool.query(change(`refund ${row}`, { payment_id: `${row}` }))
          await pool.query(payment({ payment_id: `${row}`, attempt: `${row}` }))
        }
        await pool.query(
          `INSERT INTO gopay_wake (scope, wake, source_seq, next_at)
           SELECT scope, 'gopay_change_wakes_payment', seq, 0 FROM gopay_change`
        )
      })
      const makeProcess: Scene["makeProcess"] = (whenRead = Effect.void) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const inFlight = yield* Effect.provideService(InFlight.make, Scope.Scope, scope)
          const { now: _now, ...store } = fromStore({ ...pgStore(pool), now: clock })
          const database = withSchema({ ...store, now: clock })
          let isKilled = false
          let die = (): void => {}
          const death = new Promise<void>((resolve) => void (die = resolve))
          let isRead = false
          /** A statement of this process. */
          const query: typeof database.query = (sql, values) =>
            Effect.gen(function* () {
              if (isKilled) return yield* Effect.never
              if (sql.startsWith("WITH woken")) yield* act
              if (isKilled) return yield* Effect.never
              const now = yield* Clock.currentTimeMillis
              yield* Effect.promise(() => pool.query("UPDATE test_clock SET ms = $1", [now]))
              const found = yield* database.query(sql, values)
              if (!isRead && sql.startsWith("SELECT")) {
                isRead = true
                yield* whenRead
              }
              return found
            })
          const table = WakeTable.make({ ...database, query }, 1)
          const agenda = Agenda.make({
            inFlight,
            ready: Effect.void,
            deaths: { has: () => false, report: () => Effect.void, end: () => {} },
            onUnreadable: ({ item }) => Effect.sync(() => void told.push(item))
          })
          const wakes = agenda.work(Duties.wakes({ inFlight, pollEvery: Duration.seconds(1) }, table))
          return {
            runOnce: ({ budget = "20 seconds" } = {}) => agenda.runOnce([wakes], Duration.fromInputUnsafe(budget)),
            kill: Effect.sync(() => {
              isKilled = true
              die()
            }),
            killed: Effect.promise(() => death),
            close: Scope.close(scope, Exit.void)
          }
        })
      return {
        makeProcess,
        done: Effect.promise(async () => {
          const { rows } = await pool.query(`SELECT count(*) FROM gopay_payment WHERE next_at < ${far}`)
          return Number(rows[0].count)
        })
      }
    })
} satisfies DutyScene)
