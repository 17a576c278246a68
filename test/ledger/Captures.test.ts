/**
 * Holds that are captured in part: what may still be captured, what is booked, and what can be refunded.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { captureAuthorizationPartial } from "../../src/index.js"
import type { CheckoutRequest, PaymentEvent, SqliteTransaction } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, type TestProcess } from "./World.js"

const items = [{ name: "A part", amount: 60_000, count: 1 }]
const part = { amount: 60_000, items }
const rest = { amount: 40_000, items: [{ name: "The rest", amount: 40_000, count: 1 }] }
const hold: CheckoutRequest = { ...request, preauthorization: true }

/** A hold of 1,000.00 on the payer's card. */
const held = (ledger: TestProcess) =>
  Effect.gen(function* () {
    const id = idOf(yield* ledger.checkout("1", hold))
    yield* Effect.orDie(LocalGateway.payByCard(id))
    yield* notify(ledger, id)
    return id
  })

describe("A hold of which a part is captured", () => {
  it.effect("cannot be captured again, neither the rest nor all of it: that is refused, and not sent", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess()
        const id = yield* held(ledger)
        assert.strictEqual((yield* ledger.capturePartial("part", id, part))._tag, "Done")
        const sent = world.sent.length
        for (const outcome of [yield* ledger.capturePartial("rest", id, rest), yield* ledger.capture("all", id)]) {
          assert.strictEqual(outcome._tag, "Refused", outcome.message)
          assert.include(outcome.message, "60000")
        }
        assert.lengthOf(world.sent, sent)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.strictEqual((yield* ledger.refund("complaint", id, { amount: 500 }))._tag, "Done")
      })
    )
  )

  it.effect(
    "by a change that a restored backup has forgotten needs an operator, who knows whether it was this one",
    () =>
      inWorld((world) =>
        Effect.gen(function* () {
          const ledger = yield* world.makeProcess()
          const id = yield* held(ledger)
          assert.strictEqual((yield* ledger.capturePartial("part", id, part))._tag, "Done")
          yield* Outsider.forgetChanges(world.store)
          yield* ledger.operator.distrust({ since: new Date(0) })
          const sent = world.sent.length
          const outcome = yield* ledger.capturePartial("part", id, part)
          assert.strictEqual(outcome._tag, "InDoubt", outcome.message)
          assert.lengthOf(world.sent, sent)
          const [item] = yield* ledger.operator.listAttention()
          assert.deepInclude(item, { key: "part", kind: "InDoubt", decisions: ["done", "cancelled"] })
          const decision = { version: item?.version ?? 0, as: "done", by: "Jana", note: "600.00 captured" } as const
          assert.strictEqual((yield* ledger.operator.resolveChange("part", decision))._tag, "Done")
          assert.strictEqual((yield* ledger.capturePartial("rest", id, rest))._tag, "Refused")
        })
      )
  )

  it.effect("by hand cannot be captured in part: that is refused, and not sent", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess()
        const id = yield* held(ledger)
        yield* captureAuthorizationPartial(id, part)
        const sent = world.sent.length
        const outcome = yield* ledger.capturePartial("rest", id, rest)
        assert.strictEqual(outcome._tag, "Refused", outcome.message)
        assert.lengthOf(world.sent, sent)
        // All of it is captured, however much that was.
        assert.strictEqual((yield* ledger.capture("all", id))._tag, "Done")
      })
    )
  )
})

describe("The amounts of a payment", () => {
  it.effect("say what was captured of a hold, and what can be refunded of that", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const events: Array<PaymentEvent<SqliteTransaction>> = []
        const ledger = yield* world.makeProcess({ onPayment: (event) => Effect.sync(() => void events.push(event)) })
        const id = yield* held(ledger)
        const all = { held: 100_000, captured: 0, refunded: 0, refundable: { amount: 0, isUpperBound: false } }
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "authorized", ...all })
        yield* ledger.capturePartial("part", id, part)
        yield* notify(ledger, id)
        const captured = { held: 0, captured: 60_000, refunded: 0, refundable: { amount: 60_000, isUpperBound: false } }
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid", ...captured })
        assert.deepInclude(events.at(-1), { status: "paid", ...captured })
        assert.deepInclude(events.at(-1)?.moved, captured)
        // What the ledger has refunded counts before the gateway is read again.
        yield* ledger.refund("complaint", id, { amount: 60_000 })
        assert.deepInclude(yield* ledger.getOrder("1"), {
          status: "refunded",
          captured: 60_000,
          refunded: 60_000,
          refundable: { amount: 0, isUpperBound: false }
        })
      })
    )
  )

  it.effect("are the same in a process that leaves the payment to one with a handler", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const worker = yield* world.makeProcess({ onPayment: () => Effect.void })
        const id = yield* held(worker)
        const web = yield* world.makeProcess()
        yield* web.capturePartial("part", id, part)
        const shown = yield* web.verifyReturn(`https://shop.example/return?id=${id}`)
        assert.deepInclude(shown, { status: "paid", captured: 60_000 })
      })
    )
  )

  it.effect("say that nobody knows how much was captured without the ledger", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess()
        const id = yield* held(ledger)
        yield* captureAuthorizationPartial(id, part)
        yield* notify(ledger, id)
        const unknown = { captured: "unknown", refundable: { amount: 100_000, isUpperBound: true } } as const
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid", held: 0, ...unknown })
        assert.deepInclude((yield* ledger.operator.listPayments())[0], unknown)
      })
    )
  )

  it.effect("do not take a hold that is found captured for one that the ledger has captured whole", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess()
        const id = yield* held(ledger)
        yield* captureAuthorizationPartial(id, part)
        assert.deepInclude(yield* ledger.capture("all", id), { _tag: "Done", how: "stateReached" })
        yield* notify(ledger, id)
        assert.deepInclude(yield* ledger.getOrder("1"), { captured: "unknown" })
      })
    )
  )

  it.effect.each([
    ["by its notification", (ledger: TestProcess, id: number) => notify(ledger, id)],
    ["by the ledger's own reads", () => Effect.void]
  ] as const)("are told once of a capture that was accepted and is made later, seen %s", ([, see]) =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          const events: Array<PaymentEvent<SqliteTransaction>> = []
          const ledger = yield* world.makeProcess({ onPayment: (event) => Effect.sync(() => void events.push(event)) })
          const id = yield* held(ledger)
          const outcome = yield* ledger.capturePartial("part", id, part)
          assert.deepInclude(outcome, { _tag: "Pending", status: "accepted" })
          yield* LocalGateway.advanceTime("2 minutes")
          yield* see(ledger, id)
          for (let hours = 0; hours < 12; hours++) {
            yield* world.pass("1 hour")
            yield* ledger.runOnce()
          }
          assert.strictEqual((yield* ledger.getOutcome("part"))?._tag, "Done")
          assert.deepStrictEqual(
            events.map(({ captured, status }) => [status, captured]),
            [
              ["authorized", 0],
              ["paid", 60_000]
            ]
          )
        }),
      { settings: { capture: "acceptedThenFinished", timeToProcessSeconds: 60 } }
    )
  )

  it.effect("are told again when an operator has found out how much was captured", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const events: Array<PaymentEvent<SqliteTransaction>> = []
        const ledger = yield* world.makeProcess({ onPayment: (event) => Effect.sync(() => void events.push(event)) })
        const id = yield* held(ledger)
        yield* Effect.orDie(
          LocalGateway.armFault(
            { type: "connectionReset", effect: "committed" },
            { operation: "captureAuthorizationPartial" }
          )
        )
        yield* ledger.capturePartial("part", id, part, { waitAtMost: 0 })
        yield* ledger.runOnce()
        yield* notify(ledger, id)
        assert.strictEqual(events.at(-1)?.captured, "unknown")
        yield* world.pass("1 day")
        yield* ledger.runOnce()
        const [item] = yield* ledger.operator.listAttention()
        const decision = { version: item?.version ?? 0, as: "done", by: "accounting", note: "Seen." } as const
        yield* ledger.operator.resolveChange("part", decision)
        yield* ledger.runOnce()
        assert.deepInclude(events.at(-1), { status: "paid", captured: 60_000 })
        assert.deepInclude(yield* ledger.getOrder("1"), { captured: 60_000 })
      })
    )
  )

  it.effect("count in a group by what was captured: the rest of a hold is nobody's", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess()
        const group = { name: "cart", total: 100_000 }
        const id = idOf(yield* ledger.checkout("1", hold, { group }))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* notify(ledger, id)
        yield* ledger.capturePartial("part", id, part)
        yield* notify(ledger, id)
        const other = idOf(yield* ledger.checkout("2", { ...request, amount: 40_000 }, { group }))
        yield* Effect.orDie(LocalGateway.payByCard(other))
        yield* notify(ledger, other)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})
