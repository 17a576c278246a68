/**
 * Schemas that read the responses of API v4: tolerantly, as those of v3.
 */
import * as Schema from "effect/Schema"
import { idSchemaV4 } from "./IdSchemaV4.js"
import type { PaymentIdV4, RecurrenceIdV4, RefundIdV4 } from "./MessagesV4.js"
import { int, response, texts } from "./ResponseParts.js"
import { codeOfV4 } from "./CodesV4.js"
import { codeOf } from "./SchemaParts.js"

const notDigits = "must be digits as text"

const CustomerResponse = Schema.Struct(
  texts(
    "email",
    "first_name",
    "last_name",
    "phone_number",
    "city",
    "street",
    "postal_code",
    "country_code",
    "customer_id"
  )
)

const ChargeSummary = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(codeOfV4("ChargeStatesV4"))
})

const payment = {
  id: idSchemaV4<PaymentIdV4>(notDigits),
  state: codeOf("PaymentStates"),
  order_number: Schema.optionalKey(Schema.String),
  amount: int,
  currency: codeOf("Currencies"),
  customer: Schema.optionalKey(CustomerResponse),
  gw_url: Schema.optionalKey(Schema.String),
  payment_secret: Schema.optionalKey(Schema.String),
  charge: Schema.optionalKey(ChargeSummary)
}

export const PaymentMessageV4 = Schema.Struct(payment)

/** {@inheritDoc PaymentResponseV4} */
export const PaymentResponseV4 = response(PaymentMessageV4)

export const CreatedPaymentMessageV4 = Schema.Struct({ ...payment, gw_url: Schema.String.check(Schema.isNonEmpty()) })

/** {@inheritDoc CreatedPaymentV4} */
export const CreatedPaymentV4 = response(CreatedPaymentMessageV4)

export const ChargeMessageV4 = Schema.Struct({
  id: Schema.String,
  state: codeOfV4("ChargeStatesV4"),
  fail_reason: Schema.optionalKey(Schema.String)
})

/** {@inheritDoc ChargeResponseV4} */
export const ChargeResponseV4 = response(ChargeMessageV4)

export const RefundMessageV4 = Schema.Struct({
  id: idSchemaV4<RefundIdV4>(notDigits),
  state: codeOfV4("RefundStatesV4"),
  amount: int,
  currency: Schema.optionalKey(codeOf("Currencies")),
  ...texts("created_at", "updated_at")
})

/** {@inheritDoc RefundResponseV4} */
export const RefundResponseV4 = response(RefundMessageV4)

/** Reads the refunds of a payment. {@inheritDoc RefundResponseV4} */
export const RefundListV4 = Schema.Array(RefundResponseV4)

export const RecurrenceMessageV4 = Schema.Struct({
  id: idSchemaV4<RecurrenceIdV4>(notDigits),
  type: Schema.optionalKey(codeOfV4("RecurrenceTypesV4")),
  state: codeOfV4("RecurrenceStatesV4"),
  schedule: Schema.optionalKey(Schema.Struct({ period: codeOfV4("SchedulePeriodsV4"), cycle: int })),
  recurrence_date_to: Schema.optionalKey(Schema.String),
  stop_reason: Schema.optionalKey(codeOfV4("StopReasonsV4")),
  payment: Schema.optionalKey(
    Schema.Struct({
      ...payment,
      id: Schema.optionalKey(payment.id),
      state: Schema.optionalKey(payment.state),
      amount: Schema.optionalKey(int),
      currency: Schema.optionalKey(payment.currency)
    })
  )
})

/** {@inheritDoc RecurrenceResponseV4} */
export const RecurrenceResponseV4 = response(RecurrenceMessageV4)

/** The body of a refusal (spec). */
export const ErrorResponseV4 = response(
  Schema.Struct({
    code: int,
    error: Schema.String,
    ...texts("message", "detail", "path")
  })
)

/** What GoPay's READMEs print of a refusal with status 422, which has the form of v3. */
export const OldErrorResponseV4 = response(
  Schema.Struct({
    error_code: int,
    error_name: Schema.optionalKey(Schema.String),
    message: Schema.Array(Schema.Struct(texts("field", "message", "description")))
  })
)
