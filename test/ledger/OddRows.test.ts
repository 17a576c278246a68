/**
 * A row that cannot be read, or an operation that dies, stops only itself: it is reported, and everything else
 * continues.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AttentionItem, SqlQuery } from "../../src/ledger/index.js"
import { captureLog } from "../support/LogGuard.js"
import { reportedChangesOf, withReportedChanges } from "./ReportedChanges.js"
import { request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, paid, type TestLedger, type World } from "./World.js"

const later = { waitAtMost: 0 }

const named = ({ key, kind }: AttentionItem): string => `${kind} ${key}`

/** Lets a worker do what is due for some minutes. */
const worked = ({ pass }: World, minutes: number) =>
  Effect.gen(function* () {
    for (let second = 0; second < minutes * 60; second += 5) {
      yield* pass("5 seconds")
      yield* Effect.promise(async () => {
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      })
    }
  })

const whileWorking = <R>(world: World, worker: TestLedger, test: Effect.Effect<void, never, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(worker.runWorker)
    yield* test
    yield* Fiber.interrupt(fiber)
    yield* worked(world, 0.5)
  })

describe("an outcome that cannot be read", () => {
  const edits = [
    ["its row", Outsider.spoilEvent],
    ["a step of its history", Outsider.writeUnknownHistory],
    ["a time that is none", Outsider.writeImpossibleTime],
    ["its change", Outsider.cutRequest]
  ] as const

  it.effect.each(edits)("is reported, and the shop is notified of all others: %s", ([, edit]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onChange of the ledger failed/)
        captureLog(/^The ledger waits/)
        let isAway = true
        const ledger = yield* withReportedChanges(world, { before: () => (isAway ? Effect.fail("away") : Effect.void) })
        yield* ledger.refund("odd", yield* paid, { amount: 500 })
        yield* ledger.refund("even", yield* paid, { amount: 500 })
        yield* edit(world.store, "odd")
        isAway = false
        yield* whileWorking(
          world,
          ledger,
          Effect.gen(function* () {
            yield* worked(world, 2)
            assert.deepStrictEqual(yield* reportedChangesOf(world, "even"), ["Done, answered"])
            // The worker lives on.
            yield* ledger.refund("new", yield* paid, { amount: 500 }, later)
            yield* worked(world, 2)
            assert.deepStrictEqual(yield* reportedChangesOf(world, "new"), ["Done, answered"])
          }).pipe(Effect.orDie)
        )
        assert.deepStrictEqual(yield* reportedChangesOf(world, "odd"), [])
        assert.deepStrictEqual(world.reported.map(named), ["UnreadableRow odd"])
      })
    )
  )

  it.effect("is told when it can be read again", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onChange of the ledger failed/)
        let isAway = true
        const ledger = yield* withReportedChanges(world, { before: () => (isAway ? Effect.fail("away") : Effect.void) })
        yield* ledger.refund("odd", yield* paid, { amount: 500 })
        yield* Outsider.writeUnknownHistory(world.store, "odd")
        isAway = false
        yield* worked(world, 1)
        yield* ledger.runOnce()
        assert.deepStrictEqual(world.reported.map(named), ["UnreadableRow odd"])
        yield* Outsider.clearUnknownHistory(world.store)
        yield* worked(world, 15)
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "odd"), ["Done, answered"])
      })
    )
  )
})

describe("a duty of a worker that dies", () => {
  const duties = [
    ["outcomes for onChange", /FROM gopay_event WHERE scope/],
    ["changes that are due", /FROM gopay_change WHERE scope = \? AND next_at/],
    ["payments that are due", /FROM gopay_payment WHERE scope = \? AND next_at(?!.* AND hold_until)/s],
    ["holds that end", /FROM gopay_payment WHERE scope = \? AND next_at.* AND hold_until/s],
    ["subscriptions that are due", /FROM gopay_subscription WHERE scope = \? AND next_at/],
    ["items for onAttention", /FROM gopay_item item JOIN gopay_payment/]
  ] as const

  const odd = {
    get seq(): number {
      throw new Error("It dies.")
    },
    get tries(): number {
      throw new Error("It dies.")
    }
  }

  it.effect.each(duties)("is reported once, and the others go on: %s", ([name, statement]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^The ledger's worker failed/)
        const { store } = world
        let isOdd = true
        const query: SqlQuery = (sql, values) =>
          isOdd && statement.test(sql) ? Promise.resolve([odd]) : store.query(sql, values)
        const ledger = yield* withReportedChanges(world, { store: { ...store, query } })
        const id = yield* paid
        yield* whileWorking(
          world,
          ledger,
          Effect.gen(function* () {
            yield* worked(world, 2)
            yield* ledger.refund("other", id, { amount: 500 })
            yield* ledger.checkout("1", request)
            yield* worked(world, 3)
            const stopped = world.reported.filter(({ kind }) => kind === "WorkStopped")
            assert.lengthOf(stopped, 1)
            assert.include(stopped[0]?.message, name)
            assert.strictEqual(world.reads.length > 0, name !== "payments that are due")
            isOdd = false
            yield* worked(world, 5)
            assert.deepStrictEqual(yield* reportedChangesOf(world, "other"), ["Done, answered"])
            assert.isNotEmpty(world.reads)
          }).pipe(Effect.orDie)
        )
        assert.deepStrictEqual(world.reported.map(named), ["WorkStopped ledger"])
      })
    )
  )
})

describe("a list by pages", () => {
  const keysOf = Effect.fnUntraced(function* <Item extends { readonly key: string }, E>(
    page: (after: string | undefined) => Effect.Effect<ReadonlyArray<Item>, E>
  ) {
    const keys: Array<string> = []
    for (let after: string | undefined; keys.length < 20;) {
      const items = yield* page(after)
      keys.push(...items.map(({ key }) => key))
      after = items.at(-1)?.key
      if (after === undefined) return keys
    }
    return keys
  })

  it.effect("of what needs an operator goes on after a row that cannot be read", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, store } = world
        for (const key of ["a", "b", "c", "d"]) {
          yield* ledger.refund(key, yield* paid, { amount: 500 }, later)
          yield* pass("1 second")
        }
        yield* ledger.checkout("1", request)
        yield* pass("1 second")
        yield* ledger.checkout("2", request)
        for (const key of ["a", "b", "d"]) yield* Outsider.leaveInDoubt(store, key)
        for (const key of ["b", "c"]) yield* Outsider.cutRequest(store, key)
        yield* Outsider.payLate(store)
        yield* Outsider.cutTerms(store, "1")
        for (const limit of [1, 2, 3, 10]) {
          assert.deepStrictEqual(
            yield* keysOf((after) =>
              ledger.operator.listAttention({ limit, ...(after === undefined ? {} : { after }) })
            ),
            ["a", "b", "c", "d", "order:1:1", "order:2:2"]
          )
        }
      })
    )
  )

  it.effect("of changes, payments and subscriptions goes on after rows that cannot be read", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        for (const key of ["a", "b", "c", "d"]) {
          yield* ledger.refund(key, yield* paid, { amount: 500 }, later)
          yield* ledger.checkout(key, request)
          yield* ledger.createSubscription(key, { orderNumber: `of ${key}`, maximum: 500, currency: "CZK" })
        }
        for (const key of ["a", "b"]) yield* Outsider.cutRequest(store, key)
        for (const name of ["b", "c"]) {
          yield* Outsider.cutTerms(store, name)
          yield* Outsider.writeUnknownSubscriptionStatus(store, name)
        }
        const at = (after: string | undefined) => ({ limit: 1, ...(after === undefined ? {} : { after }) })
        assert.deepStrictEqual(yield* keysOf((after) => ledger.operator.listChanges(at(after))), ["c", "d"])
        assert.deepStrictEqual(yield* keysOf((after) => ledger.operator.listPayments(at(after))), [
          "order:a:1",
          "order:d:4"
        ])
        const named = (after: string | undefined) =>
          Effect.map(ledger.operator.listSubscriptions(at(after)), (found) => found.map(({ name }) => ({ key: name })))
        assert.deepStrictEqual(yield* keysOf(named), ["a", "d"])
      })
    )
  )

  it.effect("of the history shows a step that cannot be read as such, and the others as they are", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        yield* ledger.refund("a", yield* paid, { amount: 500 })
        const before = yield* ledger.operator.listHistory()
        const id = before[1]?.id ?? assert.fail("there is no second entry")
        yield* Outsider.spoilHistoryEntry(world.store, id)
        const after = yield* ledger.operator.listHistory()
        assert.deepStrictEqual(
          after.filter((entry) => entry.id !== id),
          before.filter((entry) => entry.id !== id)
        )
        assert.deepInclude(after[1], { id, key: "a", attention: ["UnreadableRow"] })
        assert.match(after[1]?.message ?? "", /gopay_history cannot be read: at, attention/)
        assert.deepStrictEqual(yield* ledger.operator.getHistory("a"), after)
      })
    )
  )
})
