/**
 * The amount that a decimal text names, for programs.
 */
import * as Effect from "effect/Effect"
import { type AmountOptions, readAmount } from "../../contract/Amount.js"

/**
 * The amount in minor units that a decimal text names: `"1399.50"` gives `139_950`.
 *
 * Takes an optional minus sign, digits, and at most two decimals after a point. Nothing is rounded, unless `round` says
 * how: `"33.335"` with `{ round: "halfUp" }` gives `3_334`. Fails for any other text (a comma, spaces, an exponent, a third
 * decimal), and for a sum beyond `Number.MAX_SAFE_INTEGER`.
 *
 * ```ts
 * const amount = yield* amountFromDecimal(row.price)
 * ```
 */
export const amountFromDecimal = (text: string, options?: AmountOptions): Effect.Effect<number, RangeError> => {
  const amount = readAmount(text, options)
  return typeof amount === "number" ? Effect.succeed(amount) : Effect.fail(amount)
}
