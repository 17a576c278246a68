/**
 * The ledger over Effect's `SqlClient`, at a real PostgreSQL.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Example from "../../examples/ledger-sql.js"
import { createPayment, Gateway, getPaymentRefunds } from "../../src/index.js"
import { PgLedger, type PgLedgerOptions } from "../../src/ledger/index.js"
import { LocalGateway, readSeed } from "../../src/local-gateway/index.js"
import { order } from "../ledger/World.js"
import { acting, compositions, merchants } from "../support/Compositions.js"
import { captureLog } from "../support/LogGuard.js"
import { record } from "../support/Recorder.js"
import { ordersOf, playedOrders, playTwoPayments } from "../support/TwoPayments.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

const paid = Effect.gen(function* () {
  const { id } = yield* createPayment(order)
  yield* LocalGateway.payByCard(id)
  return id
})

const amounts = (id: number) =>
  Effect.map(getPaymentRefunds(id), (refunds) => refunds.map(({ amount }) => amount).toSorted((one, two) => one - two))

const done = (ledger: PgLedger["Service"], key: string) =>
  Effect.repeat(ledger.getOutcome(key), { until: (outcome) => outcome?._tag === "Done", schedule: Schedule.spaced(20) })

/** Empties the database. */
const clean = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.all([
      sql`DROP SCHEMA IF EXISTS gopay CASCADE`,
      sql`DROP TABLE IF EXISTS complaint`,
      sql`CREATE TABLE complaint (id TEXT)`
    ])
  )
)

/** Runs with a ledger in a database that is empty. */
const inShop = <A, E>(
  program: Effect.Effect<A, E, PgLedger | SqlClient.SqlClient | Gateway | LocalGateway>,
  maxConnections = 4,
  handlers: Pick<PgLedgerOptions<never, never, never, never, SqlClient.SqlClient>, "onPayment" | "onChange"> = {}
): Promise<A> => {
  const config = { url: Redacted.make(postgres.url), maxConnections }
  return program.pipe(
    Effect.provide(
      PgLedger.layerWorker({ sql: SqlClient.SqlClient, migrate: true, pollEvery: 50, ...handlers }).pipe(
        Layer.provide(clean)
      )
    ),
    // Names that the shop has changed do not change those of the ledger.
    Effect.provide(PgClient.layer({ ...config, transformResultNames: (name) => name.toUpperCase() })),
    Effect.provide(
      Gateway.layer(LocalGateway.merchant).pipe(Layer.provideMerge(LocalGateway.layerWith({ settings: partsAtOnce })))
    ),
    Effect.orDie,
    Effect.runPromise
  )
}

describe("a constant PgLedger.layer under two merchants", () => {
  const ledger = PgLedger.layerWorker({ sql: SqlClient.SqlClient, migrate: true, pollEvery: "1 hour" })
  const seed = Result.getOrThrow(
    readSeed({
      merchants: merchants.map((goid) => ({ goid: Number(goid), client_id: goid, client_secret: "s3cr3tXY" }))
    })
  )

  it.each(Object.entries(compositions))("%s", (name, compose) =>
    Effect.gen(function* () {
      const provided = yield* Effect.context<LocalGateway | HttpClient.HttpClient | SqlClient.SqlClient>()
      let orders = 0
      yield* compose({
        shopOf: (goid) =>
          ledger.pipe(
            Layer.provide(
              Gateway.layer({
                goid,
                clientId: goid,
                clientSecret: Redacted.make("s3cr3tXY"),
                environment: LocalGateway.merchant.environment
              })
            ),
            Layer.provide(Layer.succeedContext(provided))
          ),
        act: (goid) =>
          PgLedger.use(({ checkout }) =>
            checkout(`${name} ${orders++} of ${goid}`, { amount: 1_000, currency: "CZK", callback: order.callback })
          )
      })
      const payments = yield* LocalGateway.listPayments
      assert.deepStrictEqual(
        payments.map(({ order_number, target }) => [order_number?.split(" ").at(-1), String(target?.goid)]),
        acting.map((goid) => [goid, goid])
      )
    }).pipe(
      Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce, seed })),
      Effect.provide(clean),
      Effect.provide(PgClient.layer({ url: Redacted.make(postgres.url) })),
      Effect.orDie,
      Effect.runPromise
    )
  )
})

/** Records an event with the shop's client, and fails while the callback says so. */
const complaining = (id: string, mayFail: () => boolean) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.andThen(
      sql`INSERT INTO complaint VALUES (${id})`,
      Effect.suspend(() => (mayFail() ? Effect.fail("the shop's own mistake") : Effect.void))
    )
  )

describe("PgLedger", () => {
  it("makes what a transaction has submitted, if and when it commits", () =>
    inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* PgLedger
        const id = yield* paid
        const settle = (key: string) =>
          Effect.andThen(sql`INSERT INTO complaint VALUES (${key})`, ledger.submit(key, { refund: id, amount: 300 }))
        const rolledBack = yield* Effect.flip(
          sql.withTransaction(Effect.andThen(settle("a"), Effect.fail("rolled back")))
        )
        assert.strictEqual(rolledBack, "rolled back")
        yield* sql.withTransaction(
          Effect.andThen(
            settle("b"),
            Effect.ignore(sql.withTransaction(Effect.andThen(settle("c"), Effect.fail("no"))))
          )
        )
        yield* done(ledger, "b")
        assert.deepStrictEqual([yield* ledger.getOutcome("a"), yield* ledger.getOutcome("c")], [undefined, undefined])
        assert.deepStrictEqual(yield* amounts(id), [300])
        assert.deepStrictEqual(yield* sql`SELECT id FROM complaint`, [{ ID: "b" }])
      })
    ))

  it("tells of a payment in the transaction that moves it", () => {
    let failures = 1
    return inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* PgLedger
        const { order_number: number, ...request } = order
        const placed = yield* ledger.checkout(number, request)
        const id = placed.paymentId ?? 0
        yield* LocalGateway.payByCard(id)
        const notify = ledger.notificationHandler({ onError: () => Effect.void })
        const url = `/notify?id=${id}`
        assert.strictEqual(yield* notify({ method: "GET", url }), 503)
        assert.deepStrictEqual(yield* sql`SELECT id FROM complaint`, [])
        assert.strictEqual(yield* notify({ method: "GET", url }), 200)
        assert.strictEqual(yield* notify({ method: "GET", url }), 200)
        assert.deepStrictEqual(yield* sql`SELECT id FROM complaint`, [{ ID: number }])
      }),
      4,
      { onPayment: ({ order }) => complaining(order.orderNumber, () => failures-- > 0) }
    )
  })

  it("tells of an outcome in a transaction, too", () => {
    captureLog(/the shop's own mistake/)
    let failures = 1
    return inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* PgLedger
        yield* ledger.refund("a", yield* paid, { amount: 300 })
        yield* Effect.repeat(sql`SELECT id FROM complaint`, {
          until: (rows) => rows.length > 0,
          schedule: Schedule.spaced(50)
        })
        assert.isBelow(failures, 0)
        assert.deepStrictEqual(yield* sql`SELECT id FROM complaint`, [{ ID: "a" }])
      }),
      4,
      { onChange: ({ key }) => complaining(key, () => failures-- > 0) }
    )
  })

  it("refuses in a transaction what a rollback would not undo, and submit outside of one", () =>
    inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* PgLedger
        const id = yield* paid
        const inside = yield* Effect.flip(sql.withTransaction(ledger.refund("a", id, { amount: 300 })))
        assert.match(String(inside), /Nothing was recorded: .*transaction/)
        for (const change of [ledger.capture, ledger.release]) {
          assert.match(String(yield* Effect.flip(sql.withTransaction(change("a", id)))), /Nothing was recorded/)
        }
        assert.match(
          String(yield* Effect.flip(sql.withTransaction(ledger.checkout("1", order)))),
          /Nothing was recorded/
        )
        const outside = yield* Effect.flip(ledger.submit("a", { refund: id, amount: 300 }))
        assert.strictEqual(outside.reason._tag, "InvalidArgument")
        assert.strictEqual(yield* ledger.getOutcome("a"), undefined)
        assert.deepStrictEqual(yield* amounts(id), [])
      })
    ))

  it("refuses within a transaction whatever is not submit, and in onPayment", () => {
    let inside: ReadonlyArray<unknown> = []
    let refund: () => Effect.Effect<unknown, unknown> = () => Effect.void
    return inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* PgLedger
        const { operator } = ledger
        refund = () => ledger.refund("a", 1, { amount: 1 })
        const resolution = { version: 1, as: "done", by: "Jana", note: "seen" } as const
        const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          ledger.runOnce(),
          ledger.migrate,
          operator.resolveChange("a", resolution),
          operator.listAttention(),
          ledger.getOutcome("a"),
          ledger.getOrder("1"),
          operator.pause
        ]
        for (const call of calls) {
          assert.match(String(yield* Effect.flip(sql.withTransaction(call))), /Within one, submit/)
        }
        const { order_number: number, ...request } = order
        const placed = yield* ledger.checkout(number, request)
        const id = placed.paymentId ?? 0
        yield* LocalGateway.payByCard(id)
        assert.strictEqual((yield* ledger.verifyReturn(`/return?id=${id}`)).status, "paid")
        assert.match(String(inside), /Within one, submit/)
      }),
      4,
      {
        onPayment: () =>
          Effect.map(Effect.flip(Effect.suspend(() => refund())), (error) => {
            inside = [error]
          })
      }
    )
  })

  it("leaves the transaction for its own steps, though the program that works is forked in one", () =>
    inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* PgLedger
        const id = yield* paid
        yield* Effect.flip(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO complaint VALUES ('x')`
              const working = yield* Effect.forkDetach(ledger.runWorker)
              yield* ledger.submit("a", { refund: id, amount: 300 })
              yield* Effect.sleep(100)
              yield* Fiber.interrupt(working)
              return yield* Effect.fail("rolled back")
            })
          )
        )
        assert.isUndefined(yield* ledger.getOutcome("a"))
        yield* sql.withTransaction(ledger.submit("b", { refund: id, amount: 300 }))
        yield* done(ledger, "b")
        assert.deepStrictEqual(yield* amounts(id), [300])
      })
    ))

  it("needs one connection only, and is one of several", () =>
    inShop(
      Effect.gen(function* () {
        const id = yield* paid
        const one = yield* PgLedger
        const refunds = (ledger: PgLedger["Service"]) =>
          Effect.all([ledger.refund("a", id, { amount: 100 }), ledger.refund("b", id, { amount: 200 })], {
            concurrency: "unbounded"
          })
        const other = PgLedger.use(refunds).pipe(
          Effect.provide(PgLedger.layerWorker({ sql: SqlClient.SqlClient, migrate: true }), { local: true })
        )
        const outcomes = yield* Effect.all([refunds(one), other, refunds(one)], { concurrency: "unbounded" })
        assert.deepStrictEqual([...new Set(outcomes.flat().map(({ _tag }) => _tag))], ["Done"])
        assert.deepStrictEqual(yield* amounts(id), [100, 200])
      }),
      1
    ))

  it("asks the database within the span of the call, outside of its caller's transaction", () => {
    const recorder = record()
    return inShop(
      Effect.gen(function* () {
        const ledger = yield* PgLedger
        const id = yield* paid
        yield* Effect.provide(ledger.refund("a", id, { amount: 100 }), recorder.layer)
        const statements = recorder.spans.filter(({ name }) => name === "postgres")
        assert.isAbove(statements.length, 3)
        const roots = statements.filter(({ parent }) => Option.isNone(parent))
        assert.deepStrictEqual(roots, [])
      })
    )
  })

  it("is used as the example shows", () =>
    inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE complaint ADD COLUMN settled INTEGER`
        const id = yield* paid
        yield* Effect.provide(Example.settleComplaint(id), Example.ledgerLive)
        yield* done(yield* PgLedger, "complaint-78")
        assert.deepStrictEqual(yield* amounts(id), [50_000])
      })
    ))

  it("writes what getOrder says by the handler of the example, whichever payment of an order moves", () => {
    captureLog(/^The ledger needs an operator/)
    return inShop(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE shop_order (number TEXT, status TEXT)`
        for (const number of playedOrders) yield* sql`INSERT INTO shop_order VALUES (${number}, 'new')`
        const services = yield* Effect.context<SqlClient.SqlClient | LocalGateway>()
        const run = Effect.runPromiseWith(services)
        const ledger = yield* PgLedger
        const notify = ledger.notificationHandler()
        yield* Effect.promise(() =>
          playTwoPayments({
            ledger: ordersOf(ledger),
            statusOf: (number) =>
              run(Effect.map(sql`SELECT status FROM shop_order WHERE number = ${number}`, ([row]) => row?.["STATUS"])),
            notify: (id) => run(notify({ method: "GET", url: `/notify?id=${id}` })),
            payByCard: (id) => run(LocalGateway.payByCard(id)),
            cancelPayment: (id) => run(LocalGateway.cancelPayment(id))
          })
        )
        assert.deepInclude(yield* ledger.getOrder("paid-late"), { status: "paid", captured: 500 })
      }).pipe(Effect.provide(Example.ledgerWithHandler))
    )
  })
})
