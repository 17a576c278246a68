/**
 * The pre-send check is the last statement before each send, and its lease is compared once more where the request is handed
 * over.
 */
import { assert, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { SqlQuery } from "../../src/ledger/index.js"
import { charge, children, first, month, started } from "./RecurrenceScene.js"
import { request } from "./OrderBooks.js"
import { statements } from "./FailingStore.js"
import { held, inWorld, paid, type TestLedger } from "./World.js"

/** Only records it: its steps are made when the test says so. */
const later = { waitAtMost: 0 }

const changes: ReadonlyArray<
  readonly [
    name: string,
    payment: typeof paid,
    submit: (ledger: TestLedger, id: number) => Effect.Effect<unknown, unknown>
  ]
> = [
  ["refund", paid, (ledger, id) => ledger.refund("a", id, { amount: 500 }, later)],
  ["capture", held, (ledger, id) => ledger.capture("a", id, later)],
  ["capture", held, (ledger, id) => ledger.capturePartial("a", id, { amount: 500 }, later)],
  ["void-authorization", held, (ledger, id) => ledger.release("a", id, later)],
  ["create-recurrence", first, (ledger, id) => ledger.charge("a", id, charge, later)]
]

/** A query that lets time pass after the first pre-send check has been answered. */
const stallingAfter = (query: SqlQuery, seconds: number) =>
  Effect.contextWith((context: Context.Context<never>) => {
    let hasStalled = false
    const stalling: SqlQuery = async (sql, values) => {
      const rows = await query(sql, values)
      if (!hasStalled && statements.preSendCheck.test(sql)) {
        hasStalled = true
        await Effect.runPromiseWith(context)(TestClock.adjust(`${seconds} seconds`))
      }
      return rows
    }
    return Effect.succeed(stalling)
  })

describe("a process that stands still between the pre-send check and the hand-over", () => {
  it.effect.each(changes)(
    "sends no %s after its lease, and sends it once with another one",
    ([name, payment, submit]) =>
      inWorld(({ makeProcess, pass, sent, store }) =>
        Effect.gen(function* () {
          const id = yield* payment
          const query = yield* stallingAfter(store.query, 31)
          const ledger = yield* makeProcess({ store: { ...store, query } })
          yield* Effect.orDie(submit(ledger, id))
          yield* ledger.runOnce({ budget: "10 seconds" })
          assert.deepStrictEqual(sent, [])
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "queued" })
          yield* pass("1 minute")
          yield* ledger.runOnce()
          assert.deepStrictEqual(sent, [name])
        })
      )
  )

  it.effect("creates no payment after its lease", () =>
    inWorld(({ created, makeProcess, store }) =>
      Effect.gen(function* () {
        const query = yield* stallingAfter(store.query, 31)
        const ledger = yield* makeProcess({ store: { ...store, query } })
        assert.deepInclude(yield* ledger.checkout("1", request, { waitAtMost: "2 minutes" }), { status: "open" })
        assert.lengthOf(created, 1)
        assert.lengthOf(yield* Effect.promise(() => store.rows("SELECT seq FROM gopay_payment")), 1)
      })
    )
  )

  it.effect("sends it within its lease", () =>
    inWorld(({ makeProcess, sent, store }) =>
      Effect.gen(function* () {
        const query = yield* stallingAfter(store.query, 29)
        const ledger = yield* makeProcess({ store: { ...store, query } })
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )
})

describe("a charge whose subscription is read when its lease expires", () => {
  it.effect("is not sent: an operator may say meanwhile that it was not made", () =>
    started(({ days, makeProcess, sent, shop, store }) =>
      Effect.gen(function* () {
        yield* shop.chargePeriod("sub", "1970-01", month)
        const other = yield* makeProcess()
        let resolved: unknown
        store.before(statements.mark, async () =>
          store.before(/FROM gopay_subscription WHERE scope = \? AND name/, async () => {
            store.moveClock(31_000)
            const resolve = Effect.gen(function* () {
              yield* other.runOnce()
              const { version = 0 } = (yield* other.operator.getChange("subscription:sub:1970-01:1")) ?? {}
              return yield* other.operator.resolveChange("subscription:sub:1970-01:1", {
                version,
                as: "notDone",
                by: "Jana",
                note: "GoPay shows none"
              })
            })
            resolved = await Effect.runPromise(Effect.exit(resolve))
          })
        )
        yield* days(4)
        assert.isDefined(resolved)
        assert.lengthOf(yield* children, 1)
        assert.deepStrictEqual(sent, ["create-recurrence"])
      })
    )
  )
})
