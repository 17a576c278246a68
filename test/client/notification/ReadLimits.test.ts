import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ReadLimits from "../../../src/client/notification/ReadLimits.js"

const claimed = { order: undefined, parent: { id: 1, order: {} } }

describe("charges that the gateway has confirmed", () => {
  it.effect("are remembered, the latest ten thousand of them", () =>
    Effect.gen(function* () {
      const { confirm, reached } = ReadLimits.make({ claimedReadsPerMinute: 0 })
      for (let id = 1; id <= 10_000; id++) confirm(id)
      confirm(1)
      confirm(10_001)
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3, 10_001, 10_002], (id) => reached(id, claimed)), [
        undefined,
        "claimedReadsPerMinute",
        undefined,
        undefined,
        "claimedReadsPerMinute"
      ])
    })
  )
})
