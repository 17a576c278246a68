/**
 * Holds of which a part is captured: what may still be captured, what is booked, and what can be refunded.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { captureAuthorizationPartial } from "../../src/index.js"
import type { CheckoutRequest } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request } from "./OrderBooks.js"
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
        assert.deepStrictEqual(yield* ledger.listAttention(), [])
        assert.strictEqual((yield* ledger.refund("complaint", id, { amount: 500 }))._tag, "Done")
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
