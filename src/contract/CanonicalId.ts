/**
 * Ids as numbers: `"03000000003"` and `3000000003` are the same payment.
 */

export const notAnId = `must be a positive integer up to ${Number.MAX_SAFE_INTEGER}, or its digits as text`

/**
 * The number that an id of a payment, card, refund or shop names. Leading zeros do not count.
 *
 * Returns `undefined` for everything that is not a positive safe integer or its decimal digits as text: a sign, a
 * blank, an exponent, a fraction, digits of another script, an empty text, zero.
 */
export const canonicalId = (value: unknown): number | undefined => {
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined
}
