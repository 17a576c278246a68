/**
 * Reads requests of API v4. It is unknown how leniently GoPay reads them, so they are read exactly as in its OpenAPI
 * document: a number is a number and text is text. Only `null` counts as absent, and unknown members are ignored,
 * except in an override, where GoPay's own tests expect a refusal.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { CurrenciesV4 } from "../../contract/CodeListsV4.js"
import { maxLengthsV4 } from "../../contract/MaxLengthsV4.js"
import { isDay } from "../../basics/Day.js"
import { firstProblems, pathText } from "../../basics/InvalidFields.js"
import { withoutNulls } from "../../basics/Nulls.js"
import { codeOf, list, object, oneOf, text, whole } from "./Fields.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"
import { refusalV4, type Refusal } from "./Refusal.js"
import { maxAmount, type PaymentOrder } from "./RequestDecoder.js"

const amount = whole(0, maxAmount, `must be an integer in minor units, 0 or more, at most ${maxAmount}`)

const filledText = (maxLength: number) => text(maxLength).check(Schema.isMinLength(1, { message: "must not be empty" }))

const address = text(maxLengthsV4.address).check(
  Schema.makeFilter(
    (value) => /^https?:\/\/\S+$/i.test(value) || "must be an address that begins with https:// or http://"
  )
)

/** Reads a customer. */
export const Customer = object({
  email: text(maxLengthsV4.email).check(
    Schema.makeFilter((value) => /^\S+@\S+$/.test(value) || "must be an e-mail address")
  ),
  first_name: Schema.optionalKey(text(maxLengthsV4.first_name)),
  last_name: Schema.optionalKey(text(maxLengthsV4.last_name)),
  phone_number: Schema.optionalKey(text(maxLengthsV4.phone_number)),
  city: Schema.optionalKey(text(maxLengthsV4.city)),
  street: Schema.optionalKey(text(maxLengthsV4.street)),
  postal_code: Schema.optionalKey(text(maxLengthsV4.postal_code)),
  country_code: Schema.optionalKey(text(maxLengthsV4.country_code)),
  customer_id: Schema.optionalKey(text(maxLengthsV4.customer_id))
})

/** Name and value together have at most 511 characters: documented for payment links, and assumed for payments. */
const AdditionalParam = object({ name: Schema.String, value: Schema.String }).check(
  Schema.makeFilter(
    ({ name, value }) =>
      (!name.includes("=") && name.length + value.length <= 511) ||
      "must have a name without =, and at most 511 characters in all"
  )
)

const additionalParams = list(AdditionalParam).check(Schema.isMaxLength(4, { message: "must be four at most" }))

/** Our own bounds for stored texts, where the document has none. */
export const description = text(4096)

/** Reads a payment of API v4. */
export const PaymentV4 = object({
  amount,
  currency: codeOf(CurrenciesV4),
  order_number: filledText(maxLengthsV4.order_number),
  order_description: Schema.optionalKey(description),
  additional_params: Schema.optionalKey(additionalParams),
  customer: Customer,
  callback: object({ return_url: address, notification_url: address })
})

const schedule = object({ period: oneOf(["DAY", "WEEK", "MONTH"]), cycle: whole(1, 1_000_000) })

/** Reads a recurrence of API v4. */
export const RecurrenceV4 = object({
  type: oneOf(["AUTO", "ON_DEMAND"]),
  schedule: Schema.optionalKey(schedule),
  recurrence_date_to: text(10).check(
    Schema.makeFilter((value) => isDay(value) || "must be a day that exists, written yyyy-mm-dd")
  ),
  payment: PaymentV4
}).check(
  Schema.makeFilter(({ schedule, type }) =>
    (type === "AUTO") === (schedule !== undefined)
      ? true
      : { path: ["schedule"], issue: type === "AUTO" ? "is required for AUTO" : "must be absent for ON_DEMAND" }
  )
)

const { customer: _customer, currency: _currency, ...overridable } = PaymentV4.fields

const Override = object({
  ...Struct.map(overridable, Schema.optionalKey),
  customer: Schema.optionalKey(object(Struct.map(Customer.fields, Schema.optionalKey)))
})

const RefundV4 = object({ amount: whole(1, maxAmount, "must be an integer in minor units, more than 0") })

/** The customer of a payment. */
export type Customer = typeof Customer.Type

/** The schedule of an automatic recurrence. */
export type ScheduleV4 = typeof schedule.Type

/** An order of API v4: the order in the form of the books, and the customer, which v3 does not have. */
export interface OrderV4 {
  readonly order: PaymentOrder
  readonly customer: Customer
}

/** A payment as it is ordered. */
export type PaymentV4 = typeof PaymentV4.Type

/** A requested recurrence: the common part of its payments. */
export interface RecurrenceOrderV4 {
  readonly goid: number
  readonly type: "AUTO" | "ON_DEMAND"
  readonly schedule: ScheduleV4 | undefined
  readonly dateTo: string
  readonly template: PaymentV4
}

/** The values with which a single payment of a recurrence differs from the template. */
export type OverrideV4 = typeof Override.Type

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

/** A short request can be wrong in many places: the response names only the first ones. */
const maxProblems = 20

const invalid = (error: Schema.SchemaError): Refusal => {
  const problems = firstProblems(error.issue, maxProblems).map(({ code, message, path }) =>
    `${pathText(path)} ${code === "Required" ? "is missing" : message}.`.trimStart()
  )
  return refusalV4(400, problems.join(" "))
}

const json = (content: string): Result.Result<unknown, Refusal> =>
  Result.try({
    try: (): unknown => JSON.parse(content),
    catch: () => refusalV4(400, "The body is not well-formed JSON.")
  })

const decoding = <S extends Schema.Top & { readonly DecodingServices: never }>(
  schema: S,
  onExcessProperty: "ignore" | "error" = "ignore"
) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty })
  return (content: string): Result.Result<S["Type"], Refusal> =>
    Result.flatMap(json(content), (value) => Result.mapError(decode(withoutNulls(value)), invalid))
}

const decodePayment = decoding(PaymentV4)
const decodeRecurrence = decoding(RecurrenceV4)
const decodeOverride = decoding(Override, "error")
const decodeRefund = decoding(RefundV4)

/** The order of a payment for a shop. */
export const orderV4 = (goid: number, { customer, ...order }: PaymentV4): OrderV4 => ({
  order: { ...order, target: { type: "ACCOUNT", goid } },
  customer
})

const hasNegativeAmount = (content: string): boolean => {
  const body = Result.getOrUndefined(json(content))
  return Predicate.hasProperty(body, "amount") && Predicate.isNumber(body.amount) && body.amount < 0
}

/** Reads a payment for a shop. In September 2026 the sandbox still refused a negative amount with 422. */
export const readPaymentOrderV4 = (
  content: string,
  goid: number,
  { v4Rows }: LocalGatewaySettings
): Result.Result<OrderV4, Refusal> =>
  Result.mapBoth(decodePayment(content), {
    onFailure: (refused) =>
      v4Rows === "sandbox2026" && hasNegativeAmount(content)
        ? refusalV4(422, refused.errors[0].description ?? "")
        : refused,
    onSuccess: (payment) => orderV4(goid, payment)
  })

/** Reads a recurrence for a shop. `today` is `yyyy-mm-dd`: it must end later. */
export const readRecurrenceOrderV4 = (
  content: string,
  goid: number,
  today: string
): Result.Result<RecurrenceOrderV4, Refusal> =>
  Result.flatMap(decodeRecurrence(content), ({ payment, recurrence_date_to, schedule, type }) =>
    recurrence_date_to > today
      ? Result.succeed({ goid, type, schedule, dateTo: recurrence_date_to, template: payment })
      : Result.fail(refusalV4(400, "recurrence_date_to must be in the future."))
  )

/** Reads an override. The whole body may be left out. */
export const readOverrideV4 = (content: string): Result.Result<OverrideV4, Refusal> =>
  content.trim() === "" ? Result.succeed({}) : decodeOverride(content)

/** Reads the amount of a refund, in minor units. */
export const readRefundAmountV4 = (content: string): Result.Result<number, Refusal> =>
  Result.map(decodeRefund(content), ({ amount }) => amount)

/** The payment with an override applied; the customer is merged member by member. */
export const overridden = (payment: PaymentV4, { customer, ...changes }: OverrideV4): PaymentV4 => ({
  ...payment,
  ...changes,
  customer: { ...payment.customer, ...customer }
})
