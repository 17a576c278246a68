/**
 * Recurrences that the gateway charges by itself.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { children, notify, pay } from "./RecurrenceScene.js"
import { inWorld, order, type TestLedger } from "./World.js"

const recurrence = { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "1971-12-31" } as const

const paidFirst = (ledger: TestLedger) =>
  Effect.gen(function* () {
    const checkout = yield* ledger.checkout("1", { amount: 100, currency: "CZK", callback: order.callback, recurrence })
    const id = checkout.status === "open" ? checkout.paymentId : 0
    yield* pay(ledger, id)
    return id
  })

describe("a recurrence that the gateway charges by itself", () => {
  it.effect("has its charges entered by their notifications, and nothing is missed", () =>
    inWorld(({ ledger, pass, reported }) =>
      Effect.gen(function* () {
        const id = yield* paidFirst(ledger)
        const seen = new Set<number>()
        for (let day = 0; day < 100; day++) {
          yield* pass("1 day")
          for (const child of yield* children) {
            if (seen.has(child.id)) continue
            seen.add(child.id)
            yield* notify(ledger, child.id, id)
          }
          yield* ledger.runOnce()
        }
        assert.isAtLeast(seen.size, 3)
        assert.deepStrictEqual(reported, [])
      })
    )
  )

  it.effect("is reported three days after a charge should have come, and no more when that has come", () =>
    inWorld(({ ledger, pass, reported }) =>
      Effect.gen(function* () {
        const id = yield* paidFirst(ledger)
        for (let day = 0; day < 33; day++) {
          yield* pass("1 day")
          yield* ledger.runOnce()
        }
        assert.deepStrictEqual(reported, [])
        for (let day = 0; day < 4; day++) {
          yield* pass("1 day")
          yield* ledger.runOnce()
        }
        assert.deepStrictEqual(
          reported.map(({ kind, orderNumber }) => ({ kind, orderNumber })),
          [{ kind: "ChargeMissing", orderNumber: "1" }]
        )
        const [child] = yield* children
        yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${child?.id}&parent_id=${id}` })
        yield* pass("1 day")
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})
