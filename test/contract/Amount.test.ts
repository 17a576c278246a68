import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Effect from "effect/Effect"
import * as Main from "../../src/index.js"
import { amountFromDecimal, amountToDecimal } from "../../src/contract/Amount.js"

/** With its bounds named, all of the range is tried, not only what is near to 0. */
const safeInteger = Schema.Int.check(
  Schema.isBetween({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
)

describe("an amount", () => {
  it.each([
    ["1399.50", 139_950],
    ["0.00", 0],
    ["0.01", 1],
    ["0.10", 10],
    ["1.00", 100],
    ["-0.01", -1],
    ["-100.00", -10_000],
    // Floating point gives 113.99999999999999, 1998.9999999999998 and 110.00000000000001 for these times 100.
    ["1.14", 114],
    ["19.99", 1_999],
    ["1.10", 110],
    ["90071992547409.91", Number.MAX_SAFE_INTEGER],
    ["-90071992547409.91", Number.MIN_SAFE_INTEGER]
  ])("written %s is %i minor units, and back", (text, amount) => {
    expect(amountFromDecimal(text)).toBe(amount)
    expect(amountToDecimal(amount)).toBe(text)
  })

  it.each([
    ["1399", 139_900],
    ["1399.5", 139_950],
    ["7", 700],
    ["007", 700],
    ["0.1", 10],
    ["00.00", 0],
    ["-0", 0],
    ["-0.00", 0]
  ])("may be written %s", (text, amount) => {
    expect(amountFromDecimal(text)).toBe(amount)
  })

  it("is never minus zero", () => {
    expect(Object.is(amountFromDecimal("-0.00"), 0)).toBe(true)
    expect(amountToDecimal(-0)).toBe("0.00")
  })

  it.each([
    "",
    " ",
    "1399,50",
    "1 399.50",
    " 1399.50",
    "1399.50 ",
    "1399.50\n",
    "1_399.50",
    "1399.",
    ".50",
    "1399.505",
    "1399.50.1",
    "+1399.50",
    "--1",
    "−1",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "1399.50 CZK",
    "١٢٣"
  ])("is not written %j", (text) => {
    expect(() => amountFromDecimal(text)).toThrow(RangeError)
    expect(() => amountFromDecimal(text)).toThrow(/^Not an amount: .+ such as "1399\.50"\.$/s)
  })

  it.each(["90071992547409.92", "-90071992547409.92", "90071992547410", "123456789012345678901234567890"])(
    "is too large at %s",
    (text) => {
      expect(() => amountFromDecimal(text)).toThrow(RangeError)
      expect(() => amountFromDecimal(text)).toThrow(/^The amount is too large: /)
    }
  )

  it.each([0.5, 1399.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1, 1e21])(
    "in minor units is not %f",
    (amount) => {
      expect(() => amountToDecimal(amount)).toThrow(RangeError)
      expect(() => amountToDecimal(amount)).toThrow(/^Not an amount: .+ integers in minor units/)
    }
  )

  it.prop(
    "comes back the same, whatever it is",
    { amount: safeInteger },
    ({ amount }) => {
      const text = amountToDecimal(amount)
      return /^-?\d+\.\d\d$/.test(text) && amountFromDecimal(text) === amount
    },
    { arbitrary: { runs: 2_000, seed: 20_260_042 } }
  )

  it("comes back the same, however many digits it has", () => {
    const amounts = Array.from({ length: 16 }, (_, digits) => 10 ** digits).flatMap((power) =>
      Array.from({ length: 2_001 }, (_, index) => power + index - 1_000)
    )
    expect(amounts.filter((amount) => amountFromDecimal(amountToDecimal(amount)) !== amount)).toStrictEqual([])
  })

  it("comes back the same, up to a thousand crowns", () => {
    const amounts = Array.from({ length: 200_001 }, (_, index) => index - 100_000)
    expect(amounts.filter((amount) => amountFromDecimal(amountToDecimal(amount)) !== amount)).toStrictEqual([])
  })

  it("is what its digits say, up to a thousand crowns", () => {
    const written = (units: number) => `${Math.trunc(units / 100)}.${String(units % 100).padStart(2, "0")}`
    const amounts = Array.from({ length: 100_001 }, (_, index) => index)
    expect(amounts.filter((amount) => amountFromDecimal(written(amount)) !== amount)).toStrictEqual([])
    expect(amounts.filter((amount) => amountToDecimal(amount) !== written(amount))).toStrictEqual([])
  })
})

describe("amountFromDecimal with rounding", () => {
  it.each([
    ["33.335", "halfUp", 3_334],
    ["33.334999", "halfUp", 3_333],
    ["0.995", "halfUp", 100],
    ["-33.335", "halfUp", -3_334],
    ["-0.001", "halfUp", 0],
    ["33.339", "down", 3_333],
    ["-33.339", "down", -3_333],
    ["1399.5", "down", 139_950],
    ["12", "halfUp", 1_200]
  ] as const)("%s %s is %i", (text, round, amount) => {
    expect(Object.is(amountFromDecimal(text, { round }), amount)).toBe(true)
  })

  it.each(["1e3", "1,5", "1.", ".5", "", "9007199254740992.001"])("refuses %j", (text) => {
    expect(() => amountFromDecimal(text, { round: "halfUp" })).toThrow(RangeError)
  })
})

describe("amountFromDecimal of programs", () => {
  it("gives the same, and fails with what the other one throws", async () => {
    const program = Main.amountFromDecimal
    expect(await Effect.runPromise(program("1399.50"))).toBe(139_950)
    expect(await Effect.runPromise(program("33.335", { round: "halfUp" }))).toBe(3_334)
    const failure = await Effect.runPromise(Effect.flip(program("1399,50")))
    expect(failure).toBeInstanceOf(RangeError)
    expect(() => amountFromDecimal("1399,50")).toThrow(failure.message)
  })
})
