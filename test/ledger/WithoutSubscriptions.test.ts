/**
 * A ledger that was made without the option `subscriptions`, alone and beside ledgers that have it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { charge, children, first, month, paidFirst, started, terms } from "./RecurrenceWorld.js"
import { inWorld, paid, type TestLedger } from "./World.js"

const bare = { subscriptions: undefined, onSubscription: undefined }

const calls: ReadonlyArray<readonly [name: string, call: (ledger: TestLedger) => Effect.Effect<unknown, unknown>]> = [
  ["createSubscription", (ledger) => ledger.createSubscription("sub", terms)],
  ["getSubscription", (ledger) => ledger.getSubscription("sub")],
  ["chargePeriod", (ledger) => ledger.chargePeriod("sub", "2026-01", month)],
  ["replaceCard", (ledger) => ledger.replaceCard("sub", "2")],
  ["cancelSubscription", (ledger) => ledger.cancelSubscription("sub")]
]

const reasonOf = <A>(effect: Effect.Effect<A, unknown>) =>
  Effect.map(Effect.flip(effect), (error) => Object(error).reason)

describe("a ledger without subscriptions", () => {
  it.effect.each(calls)("says of %s what it lacks", ([, call]) =>
    inWorld(({ makeProcess }) =>
      Effect.gen(function* () {
        const reason = yield* reasonOf(call(yield* makeProcess(bare)))
        assert.strictEqual(reason._tag, "InvalidArgument")
        assert.match(reason.message, /created without the option subscriptions/)
      })
    )
  )

  it.effect("refunds, and charges without them", () =>
    inWorld(({ makeProcess, sent }) =>
      Effect.gen(function* () {
        const ledger = yield* makeProcess(bare)
        assert.deepInclude(yield* ledger.refund("a", yield* paid, { amount: 500 }), { _tag: "Done" })
        assert.deepInclude(yield* ledger.charge("b", yield* first, charge), { _tag: "Done" })
        assert.deepStrictEqual(sent, ["refund", "create-recurrence"])
      })
    )
  )

  it.effect("sends nothing over a database that has some, and says why", () =>
    started(({ makeProcess, sent, shop }) =>
      Effect.gen(function* () {
        const ledger = yield* makeProcess(bare)
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "WithoutSubscriptions" })
        const reason = yield* reasonOf(ledger.refund("a", yield* paid, { amount: 500 }))
        assert.deepInclude(reason, { _tag: "LedgerUnavailable" })
        assert.match(reason.message, /has subscriptions, but this ledger was created without the option/)
        assert.deepInclude(yield* reasonOf(ledger.runOnce()), { _tag: "LedgerUnavailable" })
        yield* shop.pause
        assert.deepInclude(yield* reasonOf(ledger.runOnce()), { _tag: "LedgerUnavailable" })
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect("leaves the charges of subscriptions that came while it ran to the others", () =>
    inWorld(({ listed, makeProcess, pass, sent, told }) =>
      Effect.gen(function* () {
        const bareLedger = yield* makeProcess(bare)
        yield* bareLedger.runOnce()
        const ledger = yield* makeProcess()
        yield* paidFirst(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        yield* ledger.runOnce()
        yield* ledger.chargePeriod("sub", "1970-01", month)
        // The first payment cannot be read before the charge, which waits.
        listed.fails = ({ method }) => (method === "GET" ? 503 : undefined)
        yield* ledger.runOnce()
        listed.fails = () => undefined
        const attempt = Effect.map(ledger.getOutcome("subscription:sub:1970-01:1"), (outcome) => outcome?._tag)
        assert.strictEqual(yield* attempt, "Pending")
        yield* pass("1 hour")
        yield* bareLedger.runOnce()
        yield* bareLedger.runOnce()
        assert.deepStrictEqual(sent, [])
        assert.strictEqual(yield* attempt, "Pending")
        assert.match(
          told.map(({ kind, message }) => `${kind}: ${message}`).join("\n"),
          /^SendingStopped: Subscriptions are not charged: The database has subscriptions.*$/
        )
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["create-recurrence"])
        assert.lengthOf(yield* children, 1)
      })
    )
  )
})
