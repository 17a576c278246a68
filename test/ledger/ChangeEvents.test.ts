/**
 * The shop is notified of each outcome of a change: once, in order, whichever process found it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import { reportedChangesOf, withReportedChanges } from "./ReportedChanges.js"
import { inWorld, paid, type World } from "./World.js"

const later = { waitAtMost: 0 }

const lost = { type: "connectionReset", effect: "committed" } as const

const passed = ({ pass }: World, ledger: World["ledger"], minutes: number) =>
  Effect.gen(function* () {
    for (let minute = 0; minute < minutes; minute++) {
      yield* pass("1 minute")
      yield* ledger.runOnce()
    }
  })

describe("onChange", () => {
  it.effect("is told of a refund that was submitted, in a transaction that its writes belong to", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withReportedChanges(world)
        const id = yield* paid
        yield* Effect.promise(() =>
          world.store.transaction((tx) => Effect.runPromise(ledger.submit(tx, "a", { refund: id, amount: 500 })))
        )
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), [])
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, answered"])
        yield* passed(world, ledger, 5)
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, answered"])
      })
    )
  )

  it.effect("is told of one that is refused, and of one that is accepted and then fails", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          const ledger = yield* withReportedChanges(world)
          const id = yield* paid
          yield* ledger.refund("too much", id, { amount: 1_000_000 }, later)
          yield* ledger.refund("fails", id, { amount: 500 }, later)
          yield* passed(world, ledger, 200)
          assert.deepStrictEqual(yield* reportedChangesOf(world, "too much"), ["Refused, answered"])
          assert.deepStrictEqual(yield* reportedChangesOf(world, "fails"), ["accepted", "Refused, found"])
        }),
      { settings: { refund: "acceptedThenFailed" } }
    )
  )

  it.effect("is told in order, and of each step, while it was away", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onChange of the ledger failed/)
        let isAway = true
        const ledger = yield* withReportedChanges(world, {
          before: () => (isAway ? Effect.fail("away") : Effect.void)
        })
        const id = yield* paid
        yield* LocalGateway.armFault(lost, { operation: "refundPayment" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passed(world, ledger, 3)
        // What fails in the shop keeps nothing from being done.
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "Done")
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), [])
        isAway = false
        yield* passed(world, ledger, 60)
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["in doubt", "Done, found"])
      })
    )
  )

  it.effect("needs an operator when it fails again and again, and no more when it has been told", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onChange of the ledger failed/)
        let isAway = true
        const ledger = yield* withReportedChanges(world, {
          before: () => (isAway ? Effect.fail("away") : Effect.void)
        })
        yield* ledger.refund("a", yield* paid, { amount: 500 })
        yield* passed(world, ledger, 1)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        yield* passed(world, ledger, 10)
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item, { kind: "OnChangeFailed", key: "a" })
        isAway = false
        yield* passed(world, ledger, 120)
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, answered"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is told by any process that has it, also of what an operator has decided elsewhere", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const shop = yield* withReportedChanges(world)
        yield* shop.runOnce()
        const id = yield* paid
        yield* LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        for (let hour = 0; hour < 26; hour++) {
          yield* pass("1 hour")
          yield* ledger.runOnce()
        }
        const [item] = yield* ledger.operator.listAttention()
        yield* ledger.operator.resolveChange("a", {
          version: item?.version ?? 0,
          as: "notDone",
          by: "Jana",
          note: "not listed"
        })
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), [])
        yield* shop.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), [
          "in doubt",
          "needs an operator",
          "Refused, operator"
        ])
      })
    )
  )

  it.effect("is not told of what was decided before a process had it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        yield* ledger.refund("before", id, { amount: 500 })
        const shop = yield* withReportedChanges(world)
        yield* shop.runOnce()
        yield* ledger.refund("after", id, { amount: 700 })
        yield* shop.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "before"), [])
        assert.deepStrictEqual(yield* reportedChangesOf(world, "after"), ["Done, answered"])
      })
    )
  )

  it.effect("submits what follows, in its transaction", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const shop = yield* world.makeProcess()
        const ledger = yield* withReportedChanges(world, {
          before: ({ key, outcome, paymentId, tx }) =>
            key === "a" && outcome._tag === "Done"
              ? shop.submit(tx, "b", { refund: paymentId, amount: 700 })
              : Effect.void
        })
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "b"), ["Done, answered"])
      })
    )
  )

  it.effect("submits what follows, and it is made, when the step has called it before runOnce could", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { makeProcess, store } = world
        const shop = yield* makeProcess()
        const ledger = yield* withReportedChanges(world, {
          before: ({ key, paymentId, tx }) =>
            key === "a" ? shop.submit(tx, "b", { refund: paymentId, amount: 700 }) : Effect.void
        })
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        // The step reads what it has to report while `runOnce` does so as well, which then finds it reported.
        let goOn = () => {}
        const isRead = new Promise<void>((resolve) => void (goOn = resolve))
        const due = /^SELECT seq, change_seq/
        store.before(due, () => isRead)
        store.before(due, async () => {
          goOn()
          for (let isReported = false; !isReported;) {
            await new Promise(setImmediate)
            isReported = (await store.rows("SELECT key FROM reported_change WHERE key = 'a'")).length > 0
          }
          for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate)
        })
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "b"), ["Done, answered"])
      })
    )
  )
})

describe("the history", () => {
  it.effect("has each step of a change with its process, its attempt and what was said", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess({ processName: "web-1" })
        const id = yield* paid
        yield* LocalGateway.armFault(lost, { operation: "refundPayment" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        const other = yield* world.makeProcess({ processName: "worker-2" })
        yield* passed(world, other, 5)
        const steps = yield* ledger.operator.getHistory("a")
        assert.deepStrictEqual(
          steps.map(({ status }) => status),
          ["queued", "sending", "unknown", "done"]
        )
        assert.isTrue(
          steps.every(
            ({ amount, key, operation, paymentId }) =>
              key === "a" && amount === 500 && operation === "refundPayment" && paymentId === id
          )
        )
        assert.deepStrictEqual(
          steps.map(({ process }) => process),
          ["web-1", "worker-2", "worker-2", "worker-2"]
        )
        const [, sending, unknown, done] = steps
        assert.isDefined(sending?.attempt)
        assert.isUndefined(unknown?.attempt)
        assert.deepStrictEqual(sending?.refundsBefore, [])
        assert.match(String(unknown?.message), /unknown/)
        assert.isDefined(done?.refundId)
        assert.isAtMost(Date.parse(steps[0]?.at ?? ""), Date.parse(done?.at ?? ""))
      })
    )
  )

  it.effect("has what was read and decided of an order's payment, and is read on where it ended", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        yield* ledger.operator.adoptPayment("1", id)
        yield* ledger.refund("a", id, { amount: 500 })
        yield* passed(world, ledger, 30)
        const all = yield* ledger.operator.listHistory()
        const [first] = all
        assert.deepInclude(first, { operation: "createPayment", orderNumber: "1", paymentId: id, amount: 100_000 })
        const ofPayment = yield* ledger.operator.getHistory(first?.key ?? "")
        assert.deepInclude(ofPayment.at(-1), { state: "PARTIALLY_REFUNDED", refunded: 500 })
        const page = yield* ledger.operator.listHistory({ limit: 3 })
        const rest = yield* ledger.operator.listHistory({ after: page.at(-1)?.id })
        assert.deepStrictEqual([...page, ...rest], all)
        assert.deepStrictEqual(yield* ledger.operator.getHistory("none"), [])
        const wrong = yield* Effect.flip(ledger.operator.listHistory({ limit: 0 }))
        assert.strictEqual(wrong.reason._tag, "InvalidArgument")
      })
    )
  )

  it.effect("does not grow by looks that find nothing new, and loses its words with the change's own", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* paid
        yield* LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        for (let hour = 0; hour < 30; hour++) {
          yield* pass("1 hour")
          yield* ledger.runOnce()
        }
        const [item] = yield* ledger.operator.listAttention()
        yield* ledger.operator.resolveChange("a", {
          version: item?.version ?? 0,
          as: "notDone",
          by: "Jana",
          note: "not listed"
        })
        for (let day = 0; day < 70; day++) {
          yield* pass("1 day")
          yield* ledger.runOnce()
        }
        const steps = yield* ledger.operator.getHistory("a")
        assert.isAtMost(steps.length, 10)
        assert.include(steps.map(({ message }) => message).join(), "Decided by Jana: not listed")
        yield* ledger.operator.eraseDetails({ olderThan: "1 day" })
        const left = yield* ledger.operator.getHistory("a")
        assert.isFalse(left.some(({ message }) => message !== undefined))
        assert.include(
          left.map(({ status }) => status),
          "needsOperator"
        )
      })
    )
  )
})
