/**
 * A handler of the shop's that hangs holds up what it is about, and nothing else.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { LedgerOptions, SqliteTransaction } from "../../src/ledger/index.js"
import { fromStore } from "../../src/ledger/store/Database.js"
import { captureLog } from "../support/LogGuard.js"
import * as Outsider from "./Outsider.js"
import { paidFirst, month, terms } from "./RecurrenceScene.js"
import { inWorld, paid, refundedByHand, type World } from "./World.js"

/** Only records it: its steps are made when the test says so. */
const later = { waitAtMost: 0 }

/** Without transactions: over a file a handler's holds up all others that write. */
const process = ({ makeProcess, store }: World, settings: Partial<LedgerOptions<SqliteTransaction>>) =>
  makeProcess({
    ...settings,
    store: { ...store, hasTransactions: false, transaction: (run) => run({ query: store.query }) }
  })

/** Runs a worker for this many seconds. */
const working = ({ pass }: World, ledger: Effect.Success<ReturnType<typeof process>>, seconds: number) =>
  Effect.gen(function* () {
    const work = yield* Effect.forkChild(ledger.runWorker)
    for (let second = 0; second < seconds; second++) {
      yield* Effect.promise(async () => {
        for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate)
      })
      yield* pass("1 second")
    }
    yield* Fiber.interrupt(work)
  })

describe("onSubscription that hangs for one member", () => {
  it.effect("holds up no charge of the others", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const reported: Array<string> = []
        const shop = yield* process(world, {
          onSubscription: ({ subscription, type }) =>
            subscription.name === "hangs"
              ? Effect.never
              : Effect.sync(() => void reported.push(`${subscription.name} ${type}`))
        })
        for (const [orderNumber, name] of [
          ["1", "hangs"],
          ["2", "other"]
        ] as const) {
          yield* paidFirst(shop, orderNumber)
          yield* shop.createSubscription(name, { ...terms, orderNumber })
        }
        yield* shop.chargePeriod("other", "1970-01", month)
        yield* working(world, shop, 20)
        assert.deepStrictEqual(reported, ["other started", "other paid"])
        assert.deepStrictEqual(world.sent, ["create-recurrence"])
        yield* shop.kill
      })
    )
  )
})

describe("onChange that hangs for one change", () => {
  it.effect("holds up no outcome of the others", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const reported: Array<string> = []
        const shop = yield* process(world, {
          onChange: ({ key }) => (key === "hangs" ? Effect.never : Effect.sync(() => void reported.push(key)))
        })
        yield* shop.runOnce()
        yield* shop.refund("hangs", yield* paid, { amount: 500 }, later)
        yield* working(world, shop, 3)
        yield* shop.refund("other", yield* paid, { amount: 500 }, later)
        yield* working(world, shop, 5)
        assert.deepStrictEqual(reported, ["other"])
        yield* shop.kill
      })
    )
  )
})

describe("onAttention that hangs", () => {
  it.effect("holds up neither another item, nor the worker's sign of life, nor that sending has stopped", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        const reported: Array<string> = []
        const shop = yield* process(world, {
          onAttention: ({ key, kind }) =>
            Effect.andThen(
              key.startsWith("slow") ? Effect.sleep("25 seconds") : Effect.void,
              Effect.sync(() => void reported.push(`${key} ${kind}`))
            )
        })
        for (const key of ["slow 1", "slow 2", "slow 3", "quick"]) yield* ledger.refund(key, 4, { amount: 500 }, later)
        yield* Outsider.leaveInDoubt(store)
        yield* working(world, shop, 5)
        assert.deepStrictEqual(reported, ["quick InDoubt"])
        yield* Outsider.pauseLongAgo(store)
        yield* working(world, shop, 70)
        assert.strictEqual(reported[1], "ledger SendingStopped")
        const { lastTick = "" } = yield* ledger.operator.getMetrics
        assert.isAtLeast(Date.parse(lastTick), Date.parse("1970-01-02T00:01:00Z"))
        yield* shop.kill
      })
    )
  )

  it.effect("is called once for an item, however long it takes, and again only when it fails", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        const calls: Array<string> = []
        const shop = yield* process(world, {
          onAttention: ({ key }) =>
            Effect.suspend(() => {
              calls.push(key)
              if (key === "fails" && calls.filter((called) => called === key).length === 1) {
                return Effect.die(new Error("no mail server"))
              }
              return Effect.sleep(key === "slow" ? "4 minutes" : 0)
            })
        })
        captureLog(/^onAttention of the ledger failed/)
        for (const key of ["slow", "fails"]) yield* ledger.refund(key, 4, { amount: 500 }, later)
        yield* Outsider.leaveInDoubt(store)
        yield* working(world, shop, 600)
        assert.deepStrictEqual(calls.toSorted(), ["fails", "fails", "slow"])
        const notified = yield* Effect.promise(() => store.rows("SELECT notified FROM gopay_item"))
        assert.deepStrictEqual(
          notified.map((row) => row["notified"]),
          ["InDoubt", "InDoubt"]
        )
        yield* shop.kill
      })
    )
  )

  it.effect("holds up no change", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const shop = yield* process(world, { concurrency: 2, onAttention: () => Effect.never })
        for (const key of ["a", "b", "c", "d", "e", "f"]) {
          const id = yield* paid
          yield* refundedByHand(id, 500)
          yield* shop.refund(key, id, { amount: 500 }, later)
        }
        yield* shop.refund("sound", yield* paid, { amount: 700 }, later)
        yield* working(world, shop, 5)
        assert.deepInclude(yield* shop.getOutcome("sound"), { _tag: "Done" })
        yield* shop.kill
      })
    )
  )
})

describe("handlers in transactions", () => {
  it.effect("leave one connection of the pool to the ledger", () =>
    Effect.gen(function* () {
      const begun: Array<() => void> = []
      let running = 0
      const database = fromStore<undefined>({
        dialect: "sqlite",
        connections: 3,
        query: async () => [],
        queryIn: () => async () => [],
        transaction: async (run) => {
          running++
          try {
            return await run(undefined)
          } finally {
            running--
          }
        },
        close: async () => {}
      })
      const hang = Effect.callback<void>((resume) => void begun.push(() => resume(Effect.void)))
      const all = yield* Effect.forkChild(
        Effect.forEach([1, 2, 3, 4], () => database.transaction(() => hang, Effect.die("late")), {
          concurrency: "unbounded"
        })
      )
      const settled = Effect.promise(async () => {
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      })
      yield* settled
      assert.deepStrictEqual([begun.length, running], [2, 2])
      for (let index = 0; index < 4; index++) {
        begun[index]?.()
        yield* settled
      }
      yield* Fiber.join(all)
      assert.deepStrictEqual([begun.length, running], [4, 0])
    })
  )
})
