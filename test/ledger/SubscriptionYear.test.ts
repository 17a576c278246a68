/**
 * A year of a thousand subscriptions, each period judged.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { captureLog } from "../support/LogGuard.js"
import { simulateYear } from "./SubscriptionYear.js"

describe("a year of subscriptions", () => {
  it.effect(
    "charges no period twice, tells each payment once, and leaves none without an end",
    () =>
      Effect.gen(function* () {
        captureLog(/did not respond within|leaves the (period|subscription)/)
        captureLog(/^The ledger waits|^A payment could not be checked/)
        captureLog(/^The outcome of a change is unknown/)
        const year = yield* simulateYear({ seed: 1, subscriptions: 10, months: 12 })
        assert.deepStrictEqual(year.violations, [])
      }),
    300_000
  )
})
