import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as ReadLimits from "../../../src/client/notification/ReadLimits.js"

const claimed = (parent: number) => ({ order: undefined, parent: { id: parent, order: {} } })
const known = { order: {}, parent: undefined }

describe("charges that the gateway has confirmed", () => {
  it.effect("are remembered, the latest ten thousand of them", () =>
    Effect.gen(function* () {
      const { admit, confirm } = ReadLimits.make({ claimedReadsPerMinute: 0 })
      for (let id = 1; id <= 10_000; id++) confirm(id)
      confirm(1)
      confirm(10_001)
      assert.deepStrictEqual(
        yield* Effect.forEach([1, 2, 3, 10_001, 10_002], (id) => admit({ id, parent_id: 1 }, claimed(1))),
        ["now", { limit: "claimedReadsPerMinute" }, "now", "now", { limit: "claimedReadsPerMinute" }]
      )
    })
  )
})

describe("reads that are put off", () => {
  it.effect.each([1, 2, 3, 5, 10, 30, 300])(
    "keep to %d in every minute, and miss no more of them than they must",
    (limit) =>
      Effect.gen(function* () {
        const { admit } = ReadLimits.make({ knownReadsPerMinute: limit })
        const reads: Array<number> = []
        for (let tenth = 0; tenth < 3000; tenth++) {
          if ((yield* admit({ id: 1 }, known)) === "now") reads.push(tenth)
          yield* TestClock.adjust("100 millis")
        }
        for (const first of reads) {
          const inAMinute = reads.filter((read) => read >= first && read < first + 600).length
          assert.isAtMost(inAMinute, limit)
        }
        // In the long run, at least half.
        assert.isAtLeast(reads.length, Math.floor((5 * limit) / 2))
      })
  )

  it.effect("come after fifteen, a hundred and fifty, and fifteen at once, unless the shop says otherwise", () =>
    Effect.gen(function* () {
      const { admit } = ReadLimits.make()
      for (const [recognized, atOnce] of [
        [known, 15],
        [claimed(1), 150],
        [{ order: undefined, parent: undefined }, 15]
      ] as const) {
        let reads = 0
        // A known payment's reads are those of one id.
        const next = () => admit({ id: recognized.order === undefined ? ++reads : ((reads += 1), 7) }, recognized)
        while ((yield* next()) === "now");
        assert.strictEqual(reads - 1, atOnce)
      }
    })
  )

  it.effect("are the same read for all who come meanwhile", () =>
    Effect.gen(function* () {
      const { admit, putOffFor } = ReadLimits.make({ knownReadsPerMinute: 3 })
      assert.strictEqual(yield* admit({ id: 1 }, known), "now")
      for (let count = 0; count < 100; count++) {
        assert.strictEqual(yield* admit({ id: 1, parent_id: 1000 + count }, known), "later")
      }
      assert.strictEqual(putOffFor({ id: 1 }, 0), 20_000)
      assert.isAtMost(putOffFor({ id: 2 }, 0), 0)
      yield* TestClock.adjust("20 seconds")
      assert.isAtMost(putOffFor({ id: 1 }, 20_000), 0)
      assert.strictEqual(yield* admit({ id: 1 }, known), "now")
      assert.strictEqual(yield* admit({ id: 1 }, known), "later")
    })
  )

  it.effect("are no more than ten thousand, those of known payments apart, and are forgotten in the end", () =>
    Effect.gen(function* () {
      const { admit } = ReadLimits.make({ claimedReadsPerMinute: 3, knownReadsPerMinute: 3 })
      const claims = (parent: number) =>
        Effect.forEach([1, 2], (child) => admit({ id: parent * 10 + child, parent_id: parent }, claimed(parent)))
      for (let parent = 1; parent <= 10_000; parent++) assert.deepStrictEqual(yield* claims(parent), ["now", "later"])
      assert.deepStrictEqual(yield* claims(10_001), ["now", { limit: "claimedReadsPerMinute" }])
      assert.strictEqual(yield* admit({ id: 1 }, known), "now")
      assert.strictEqual(yield* admit({ id: 1 }, known), "later")
      yield* TestClock.adjust("81 seconds")
      assert.deepStrictEqual(yield* claims(10_002), ["now", "later"])
    })
  )
})
