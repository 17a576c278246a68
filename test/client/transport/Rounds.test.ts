import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Rounds from "../../../src/client/transport/Rounds.js"
import { settled } from "../../support/ScriptedTransport.js"

describe("a round that is put off", () => {
  it.effect("by less than a clock can tell does not look for its time again and again", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("33 seconds")
      const due = 33_000 * (1 + Number.EPSILON)
      let looks = 0
      const turn: Rounds.Turn<string> = {
        round: Effect.succeed("done"),
        isShared: () => true,
        putOffFor: (now) => (++looks > 100 ? 0 : due - now)
      }
      const round = yield* Effect.forkChild(Rounds.make<string>(30_000)(1, turn))
      yield* settled
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(round), "done")
      assert.strictEqual(looks, 2)
    })
  )
})
