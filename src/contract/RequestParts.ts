/**
 * The parts of request schemas that v3 and v4 share. They check strictly: what the gateway would refuse fails before
 * anything is sent.
 */
import * as Schema from "effect/Schema"
import type * as CodeLists from "./CodeLists.js"
import { isDay } from "../basics/Day.js"
import { maxLengths } from "./MaxLengths.js"
import { codeOf } from "./SchemaParts.js"
import { isWellFormed, notWellFormed } from "../basics/PlainData.js"

export const wellFormed = Schema.makeFilter((value: string) => isWellFormed(value) || notWellFormed)

export const anyText = Schema.String.check(wellFormed)

export const sentCodeOf = <List extends keyof typeof CodeLists>(codeList: List) => codeOf(codeList).check(wellFormed)

export const text = (maxLength: number) =>
  anyText.check(Schema.isMaxLength(maxLength, { message: `must have at most ${maxLength} characters` }))

export const orderNumber = text(maxLengths.order_number).check(Schema.isMinLength(1, { message: "must not be empty" }))

export const integer = (minimum: number, message: string, adviceFor: (value: number) => string = () => "") =>
  Schema.Number.annotate({ message: `must be a number, ${message}` }).check(
    finite(`must be ${message}`),
    Schema.makeFilter(
      (value) => (Number.isSafeInteger(value) && value >= minimum) || `must be ${message}${adviceFor(value)}`,
      { toJsonSchema: () => ({ type: "integer", minimum, maximum: Number.MAX_SAFE_INTEGER }) }
    )
  )

/** A number that JSON can represent; otherwise documents would offer `NaN` as text. */
export const finite = (message: string) => Schema.isFinite({ message }).abort()

const amountOf = (minimum: number, bound: string) =>
  integer(minimum, `an integer in minor units (haléře, cents)${bound}`, decimalAdvice)

/** A fraction is probably a price in crowns. A long one, which may be something else, is not repeated. */
const decimalAdvice = (value: number): string => {
  if (!Number.isFinite(value) || Number.isInteger(value)) return ""
  const price = Math.abs(value) < 1e9 ? value.toFixed(2) : "13.99"
  return `; amountFromDecimal("${price}") converts a decimal price`
}
export const anyAmount = amountOf(Number.MIN_SAFE_INTEGER, "")
export const amount = amountOf(0, ", 0 or more")
export const positiveAmount = amountOf(1, ", more than 0")

export const day = Schema.String.check(
  Schema.makeFilter((value) => isDay(value) || "must be a day that exists, written yyyy-mm-dd", {
    toJsonSchema: () => ({ format: "date" })
  })
)

export const address = (maxLength: number) =>
  text(maxLength).check(
    Schema.makeFilter(
      (value) =>
        /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) || "must be an absolute address, such as https://shop.example/",
      { toJsonSchema: () => ({ format: "uri" }) }
    )
  )
