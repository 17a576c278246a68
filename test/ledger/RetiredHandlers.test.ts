/**
 * A handler that the shop has given up: what waits for it is kept until an operator ends that, or no process has run with it
 * for so long, which is reported before.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import { idOf, request, reportedOf, withBooks } from "./OrderBooks.js"
import { reportedChangesOf, withReportedChanges } from "./ReportedChanges.js"
import { inWorld, paid, type World } from "./World.js"

/** A merchant whose outcomes wait for `onChange`, with which a process has run once. */
const withWaiting = (world: World) =>
  Effect.gen(function* () {
    const worker = yield* withReportedChanges(world)
    yield* worker.runOnce()
    yield* world.ledger.refund("a", yield* paid, { amount: 500 })
    return worker
  })

const kindsOf = ({ reported }: World) => reported.map(({ key, kind }) => `${kind} ${key}`)

describe("a handler with which no process runs any more", () => {
  it.effect("is reported a week before what waits for it is not kept any more, and given up then", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const worker = yield* withWaiting(world)
        const after = (days: number) => Effect.andThen(pass(`${days} days`), ledger.runOnce())
        yield* after(22)
        assert.deepStrictEqual(kindsOf(world), [])
        yield* after(2)
        assert.deepStrictEqual(kindsOf(world), ["WorkStopped onChange"])
        assert.match(world.reported[0]?.message ?? "", / \(1 now\) is kept for it until \S+Z, and not/)
        yield* after(6.5)
        assert.strictEqual((yield* ledger.operator.getMetrics).unreported, 1)
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "1 day" }), 0)
        yield* after(1)
        assert.strictEqual((yield* ledger.operator.getMetrics).unreported, 0)
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "1 day" }), 1)
        yield* ledger.refund("b", yield* paid, { amount: 500 })
        assert.strictEqual((yield* ledger.operator.getMetrics).unreported, 0)
        // It begins anew.
        yield* worker.runOnce()
        yield* ledger.refund("c", yield* paid, { amount: 500 })
        yield* worker.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), [])
        assert.deepStrictEqual(yield* reportedChangesOf(world, "c"), ["Done, answered"])
        assert.deepStrictEqual(kindsOf(world), ["WorkStopped onChange"])
      })
    )
  )

  it.effect(
    "is kept for a week after the report, however long that has waited, and when a process runs with it again",
    () =>
      inWorld((world) =>
        Effect.gen(function* () {
          const { ledger, pass } = world
          const worker = yield* withWaiting(world)
          for (const days of [60, 6]) {
            yield* pass(`${days} days`)
            yield* ledger.runOnce()
          }
          assert.deepStrictEqual(kindsOf(world), ["WorkStopped onChange"])
          yield* worker.runOnce()
          assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, answered"])
          for (let week = 0; week < 5; week++) {
            yield* pass("7 days")
            yield* ledger.runOnce()
            yield* worker.runOnce()
          }
          assert.deepStrictEqual(kindsOf(world), ["WorkStopped onChange"])
        })
      )
  )

  it.effect("is kept until its end was reported", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onAttention/)
        yield* withWaiting(world)
        const deaf = yield* world.makeProcess({ onAttention: () => Effect.die("no mail") })
        for (let day = 0; day < 45; day += 5) {
          yield* world.pass("5 days")
          yield* deaf.runOnce()
        }
        assert.strictEqual((yield* deaf.operator.getMetrics).unreported, 1)
      })
    )
  )

  it.effect("is given up by an operator, for its merchant alone", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        yield* withWaiting(world)
        const others = { merchant: { environment: "https://other.example" } }
        const other = yield* withReportedChanges(world, others)
        yield* other.runOnce()
        const web = yield* world.makeProcess(others)
        yield* web.refund("a", yield* paid, { amount: 500 })
        // @ts-expect-error it is none
        const refused = yield* Effect.flip(ledger.operator.retireHandler("onOrder"))
        assert.strictEqual(refused.reason._tag, "InvalidArgument")
        yield* ledger.operator.retireHandler("onChange")
        assert.strictEqual((yield* ledger.operator.getMetrics).unreported, 0)
        assert.strictEqual((yield* web.operator.getMetrics).unreported, 1)
        yield* ledger.refund("b", yield* paid, { amount: 500 })
        assert.strictEqual((yield* ledger.operator.getMetrics).unreported, 0)
      })
    )
  )

  it.effect("leaves what is paid to those that have it until then", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        yield* (yield* withBooks(world)).runOnce()
        const id = idOf(yield* ledger.checkout("1", request))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* pass("5 minutes")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "open" })
        yield* ledger.operator.retireHandler("onPayment")
        yield* pass("5 minutes")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid" })
        assert.deepStrictEqual(yield* reportedOf(world), [])
      })
    )
  )
})
