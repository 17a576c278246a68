/**
 * What goes wrong for all keys at once is one item for all of them, or none: an operator is not asked about each.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isThorough } from "../support/Runs.js"
import { inWorld, paid, type World } from "./World.js"

const keys = isThorough ? 1_000 : 100

const later = { waitAtMost: 0 }

/**
 * A refund of each of many payments, while the gateway answers each request with this status for some hours; then it
 * recovers.
 */
const refundedAfter = (status: number, hours: number, test: (world: World) => Effect.Effect<void, unknown>) =>
  inWorld(
    (world) =>
      Effect.gen(function* () {
        const { ledger, listed, pass } = world
        const ids = yield* Effect.forEach(Array.from({ length: keys }), () => paid)
        listed.fails = () => status
        for (const id of ids) yield* ledger.refund(`refund ${id}`, id, { amount: 500 }, later)
        for (let minutes = 0; minutes < 60 * hours; minutes += 20) {
          yield* ledger.runOnce()
          yield* pass("20 minutes")
        }
        yield* Effect.orDie(test(world))
        listed.fails = () => undefined
        const open = ledger.operator.listChanges({ isOpen: true, limit: 1 })
        for (let minutes = 0; minutes < 240 && (yield* open).length > 0; minutes += 10) {
          yield* pass("10 minutes")
          yield* ledger.runOnce()
        }
        assert.deepStrictEqual(yield* open, [])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      }),
    { limit: "9 minutes" }
  )

describe(`of ${keys} keys`, () => {
  it.effect(
    "in a storm of 429 no operator is asked about any",
    () => refundedAfter(429, 2, ({ reported }) => Effect.sync(() => assert.deepStrictEqual(reported, []))),
    600_000
  )

  it.effect(
    "in a night of refused credentials an operator is asked once for all",
    () =>
      refundedAfter(403, 8, ({ reported }) =>
        Effect.sync(() =>
          assert.deepStrictEqual(
            reported.map(({ kind }) => kind),
            ["SendingStopped"]
          )
        )
      ),
    600_000
  )
})
