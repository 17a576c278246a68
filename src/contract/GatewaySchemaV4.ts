/**
 * Schemas of the requests of API v4, checked as strictly as the documentation allows.
 */
import * as Schema from "effect/Schema"
import { sentCodeOfV4 } from "./CodesV4.js"
import { maxLengthsV4 } from "./MaxLengthsV4.js"
import { namedObject } from "./NamedObject.js"
import { address, anyText, day, integer, orderNumber, positiveAmount, sentCodeOf, text } from "./RequestParts.js"
import { asGiven } from "./ResponseParts.js"
import * as ResponseSchemaV4 from "./ResponseSchemaV4.js"

export { PaymentIdV4, RecurrenceIdV4, RefundIdV4 } from "./IdSchemaV4.js"

const customerTexts = {
  first_name: Schema.optional(text(maxLengthsV4.first_name)),
  last_name: Schema.optional(text(maxLengthsV4.last_name)),
  phone_number: Schema.optional(text(maxLengthsV4.phone_number)),
  city: Schema.optional(text(maxLengthsV4.city)),
  street: Schema.optional(text(maxLengthsV4.street)),
  postal_code: Schema.optional(text(maxLengthsV4.postal_code)),
  country_code: Schema.optional(text(maxLengthsV4.country_code)),
  customer_id: Schema.optional(text(maxLengthsV4.customer_id))
}

const email = text(maxLengthsV4.email).check(
  Schema.makeFilter((value) => /^[^\s@]+@[^\s@]+$/.test(value) || "must be an e-mail address")
)

/** {@inheritDoc CustomerV4} */
const CustomerV4 = Schema.Struct({ email, ...customerTexts }).annotate(namedObject("CustomerV4"))

const url = address(maxLengthsV4.address)

/** {@inheritDoc CallbackV4} */
const CallbackV4 = Schema.Struct({ return_url: url, notification_url: url }).annotate(namedObject("CallbackV4"))

const AdditionalParamV4 = Schema.Struct({ name: anyText, value: anyText }).annotate(namedObject("AdditionalParamV4"))

const additional_params = Schema.optional(
  Schema.Array(AdditionalParamV4).check(Schema.isMaxLength(4, { message: "must have at most four parameters" }))
)

/** {@inheritDoc CreatePaymentRequestV4} */
export const CreatePaymentRequestV4 = Schema.Struct({
  amount: positiveAmount,
  currency: sentCodeOfV4("CurrenciesV4"),
  order_number: orderNumber,
  order_description: Schema.optional(anyText),
  customer: CustomerV4,
  callback: CallbackV4,
  additional_params
}).annotate(namedObject("CreatePaymentRequestV4"))

/** {@inheritDoc RefundPaymentRequestV4} */
export const RefundPaymentRequestV4 = Schema.Struct({ amount: positiveAmount }).annotate(
  namedObject("RefundPaymentRequestV4")
)

const ScheduleV4 = Schema.Struct({
  period: sentCodeOfV4("SchedulePeriodsV4"),
  cycle: integer(1, "a positive integer")
}).annotate(namedObject("ScheduleV4"))

/** {@inheritDoc CreateRecurrenceRequestV4} */
export const CreateRecurrenceRequestV4 = Schema.Struct({
  type: sentCodeOfV4("RecurrenceTypesV4"),
  schedule: Schema.optional(ScheduleV4),
  recurrence_date_to: day,
  payment: CreatePaymentRequestV4
})
  .annotate(namedObject("CreateRecurrenceRequestV4"))
  .check(
    Schema.makeFilter(({ schedule, type }) => {
      if (type === "AUTO" && schedule === undefined) return { path: ["schedule"], issue: "is required for AUTO" }
      return type === "ON_DEMAND" && schedule !== undefined
        ? { path: ["schedule"], issue: "is not allowed for ON_DEMAND" }
        : true
    })
  )

/** {@inheritDoc PaymentOverrideV4} */
export const PaymentOverrideV4 = Schema.Struct({
  amount: Schema.optional(positiveAmount),
  order_number: Schema.optional(orderNumber),
  order_description: Schema.optional(anyText),
  customer: Schema.optional(
    Schema.Struct({ email: Schema.optional(email), ...customerTexts }).annotate(namedObject("CustomerOverrideV4"))
  ),
  callback: Schema.optional(CallbackV4),
  additional_params
}).annotate(namedObject("PaymentOverrideV4"))

/** {@inheritDoc PaymentQrRequestV4} */
export const PaymentQrRequestV4 = Schema.Struct({ format: Schema.optional(sentCodeOf("QrFormats")) }).annotate(
  namedObject("PaymentQrRequestV4")
)

/** A payment as returned by a client of API v4. {@inheritDoc PaymentResponseV4} */
export const PaymentV4 = /* @__PURE__ */ asGiven(ResponseSchemaV4.PaymentMessageV4, "PaymentV4")

/** A new payment, as returned by a client of API v4. {@inheritDoc CreatedPaymentV4} */
export const CreatedPaymentV4 = /* @__PURE__ */ asGiven(ResponseSchemaV4.CreatedPaymentMessageV4, "CreatedPaymentV4")

/** A charge, as returned by a client of API v4. {@inheritDoc ChargeResponseV4} */
export const ChargeV4 = /* @__PURE__ */ asGiven(ResponseSchemaV4.ChargeMessageV4, "ChargeV4")

/** A refund, as returned by a client of API v4. {@inheritDoc RefundResponseV4} */
export const RefundV4 = /* @__PURE__ */ asGiven(ResponseSchemaV4.RefundMessageV4, "RefundV4")

/** A recurrence, as returned by a client of API v4. {@inheritDoc RecurrenceResponseV4} */
export const RecurrenceV4 = /* @__PURE__ */ asGiven(ResponseSchemaV4.RecurrenceMessageV4, "RecurrenceV4")
