/**
 * Decimal text to amounts in minor units and back, without floating point.
 */

const decimal = /^(-?)(\d+)(?:\.(\d{1,2}))?$/
const longDecimal = /^(-?)(\d+)(?:\.(\d+))?$/

/** Options of `amountFromDecimal`. */
export interface AmountOptions {
  /**
   * How to round more than two decimals: `halfUp` rounds a half away from zero, `down` truncates. For prices that are
   * computed with more decimals, for example by a shop engine. Default: they are refused.
   */
  readonly round?: "halfUp" | "down" | undefined
}

/**
 * The amount in minor units that a decimal text names: `"1399.50"` gives `139_950`.
 *
 * Takes an optional minus sign, digits, and at most two decimals after a point. Nothing is rounded, unless `round` says
 * how: `amountFromDecimal("33.335", { round: "halfUp" })` gives `3_334`.
 *
 * @throws RangeError for any other text (a comma, spaces, an exponent, a third decimal), and for a sum beyond
 * `Number.MAX_SAFE_INTEGER`
 */
export const amountFromDecimal = (text: string, options?: AmountOptions): number => {
  const amount = readAmount(text, options)
  if (typeof amount === "number") return amount
  throw amount
}

/** Reads an amount, or says what is wrong with its text. @internal */
export const readAmount = (text: string, { round }: AmountOptions = {}): number | RangeError => {
  const match = (round === undefined ? decimal : longDecimal).exec(text)
  if (match === null) {
    const most = round === undefined ? "at most two decimals" : "decimals"
    return new RangeError(
      `Not an amount: ${JSON.stringify(text)}. Write digits with ${most} after a point, such as "1399.50".`
    )
  }
  const [, sign, whole = "", fraction = ""] = match
  const isUp = round === "halfUp" && /^..[5-9]/.test(fraction)
  const units = Number(whole + fraction.slice(0, 2).padEnd(2, "0")) + (isUp ? 1 : 0)
  if (!Number.isSafeInteger(units)) {
    return new RangeError(`The amount is too large: ${JSON.stringify(text)}.`)
  }
  return sign === "-" && units !== 0 ? -units : units
}

/**
 * The decimal text of an amount in minor units, always with two decimals: `139_950` gives `"1399.50"`.
 *
 * @throws RangeError when the amount is not a safe integer
 */
export const amountToDecimal = (amount: number): string => {
  if (!Number.isSafeInteger(amount)) {
    throw new RangeError(`Not an amount: ${amount}. Amounts are integers in minor units (haléře, cents).`)
  }
  const digits = String(Math.abs(amount)).padStart(3, "0")
  return `${amount < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
