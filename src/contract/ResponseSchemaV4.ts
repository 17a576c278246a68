/**
 * Schemas that read the responses of API v4: tolerantly, as those of v3.
 */
import * as Schema from "effect/Schema"
import type {
  ChargeStateV4,
  PaymentStateV4,
  RecurrenceStateV4,
  RecurrenceTypeV4,
  RefundStateV4,
  SchedulePeriodV4,
  StopReasonV4
} from "./CodeListsV4.js"
import { isIdV4 } from "./IdV4.js"
import type { PaymentIdV4, RecurrenceIdV4, RefundIdV4 } from "./MessagesV4.js"
import { int, response, texts } from "./ResponseParts.js"
import { codeOf } from "./SchemaParts.js"

const id = <Id extends string>(): Schema.Codec<Id> => Schema.declare(isIdV4<Id>, { message: "must be digits as text" })

const code = <Code extends string>(): Schema.Codec<Code | (string & {})> => Schema.String

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
  state: Schema.optionalKey(code<ChargeStateV4>())
})

const payment = {
  id: id<PaymentIdV4>(),
  state: code<PaymentStateV4>(),
  order_number: Schema.optionalKey(Schema.String),
  amount: int,
  currency: codeOf("Currencies"),
  customer: Schema.optionalKey(CustomerResponse),
  gw_url: Schema.optionalKey(Schema.String),
  payment_secret: Schema.optionalKey(Schema.String),
  charge: Schema.optionalKey(ChargeSummary)
}

/** {@inheritDoc PaymentResponseV4} */
export const PaymentResponseV4 = response(Schema.Struct(payment))

/** {@inheritDoc CreatedPaymentV4} */
export const CreatedPaymentV4 = response(
  Schema.Struct({ ...payment, gw_url: Schema.String.check(Schema.isNonEmpty()) })
)

/** {@inheritDoc ChargeResponseV4} */
export const ChargeResponseV4 = response(
  Schema.Struct({
    id: Schema.String,
    state: code<ChargeStateV4>(),
    fail_reason: Schema.optionalKey(Schema.String)
  })
)

/** {@inheritDoc RefundResponseV4} */
export const RefundResponseV4 = response(
  Schema.Struct({
    id: id<RefundIdV4>(),
    state: code<RefundStateV4>(),
    amount: int,
    currency: Schema.optionalKey(codeOf("Currencies")),
    ...texts("created_at", "updated_at")
  })
)

/** Reads the refunds of a payment. {@inheritDoc RefundResponseV4} */
export const RefundListV4 = Schema.Array(RefundResponseV4)

/** {@inheritDoc RecurrenceResponseV4} */
export const RecurrenceResponseV4 = response(
  Schema.Struct({
    id: id<RecurrenceIdV4>(),
    type: Schema.optionalKey(code<RecurrenceTypeV4>()),
    state: code<RecurrenceStateV4>(),
    schedule: Schema.optionalKey(Schema.Struct({ period: code<SchedulePeriodV4>(), cycle: int })),
    recurrence_date_to: Schema.optionalKey(Schema.String),
    stop_reason: Schema.optionalKey(code<StopReasonV4>()),
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
)

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
