/**
 * A year of subscriptions, each charge and each period judged: by the local gateway, and by a gateway in memory. `npm run simulate --
 * --subscriptions 1000` makes it a larger one.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { captureLog } from "../support/LogGuard.js"
import { isThorough } from "../support/Runs.js"
import { simulateLargeYear, simulateYear } from "./SubscriptionYear.js"

/** How many subscriptions there are, and what at least becomes of those of the second year. */
const few = { first: 3, second: 6, charges: 30, unnotified: 10 }
const many = { first: 5, second: 35, charges: 400, unnotified: 100 }
const size = isThorough ? many : few

describe("a year of subscriptions", () => {
  const expectTroubles = () => {
    captureLog(/did not respond within|leaves the (period|subscription)/)
    captureLog(/^The ledger waits|^A payment could not be checked/)
    captureLog(/^The outcome of a change is unknown/)
  }

  it.effect(
    "charges no period twice, nor before its day, tells each payment once, and leaves none without an end",
    () =>
      Effect.gen(function* () {
        expectTroubles()
        const year = yield* simulateYear({ seed: 1, subscriptions: size.first, months: 12 })
        assert.deepStrictEqual(year.violations, [])
      }),
    300_000
  )

  it.effect(
    "does the same for more of them, whose processes are killed, cards replaced, requests sent twice and backups restored",
    () =>
      Effect.gen(function* () {
        expectTroubles()
        const { charges, decisions, killed, mended, newCards, restored, unnotified, violations } =
          yield* simulateLargeYear({
            seed: 1,
            subscriptions: size.second,
            months: 12
          })
        assert.deepStrictEqual(violations, [])
        const happened = { killed, newCards, decisions, restored, ...(isThorough ? { mended } : undefined) }
        for (const [what, count] of Object.entries(happened)) assert.isAbove(count, 0, what)
        assert.isAbove(charges, size.charges)
        assert.isAbove(unnotified, size.unnotified)
      }),
    300_000
  )
})
