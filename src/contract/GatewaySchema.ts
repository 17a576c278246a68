/**
 * Schemas of the gateway's requests, and of the results of a client. `Messages` declares the same shapes as plain
 * interfaces: `{@inheritDoc}` names the one whose comments the build gives to a schema and to its fields.
 *
 * Requests are checked strictly: text beyond the gateway's length limit, a nonexistent date or a fraction of a cent
 * fails before anything is sent. `ResponseSchema` reads responses.
 */
import type { JsonSchema } from "effect/JsonSchema"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { canonicalId, notAnId } from "./CanonicalId.js"
import { maxLengths } from "./MaxLengths.js"
import { namedObject } from "./NamedObject.js"
import {
  address,
  amount,
  anyAmount,
  anyText,
  day,
  finite,
  integer,
  orderNumber,
  positiveAmount,
  sentCodeOf,
  text
} from "./RequestParts.js"
import { asGiven } from "./ResponseParts.js"
import * as ResponseSchema from "./ResponseSchema.js"
import { passedThrough } from "./SchemaParts.js"
import { jsonProblems, plainCopy } from "../basics/PlainData.js"

// ---------------------------------------------------------------------------------------------------------------------
// Requests: building blocks
// ---------------------------------------------------------------------------------------------------------------------

const ean = Schema.Union([
  text(maxLengths.ean),
  integer(0, "an integer").check(
    Schema.makeFilter((value) => value <= 9_999_999_999_999 || "must have at most 13 digits", {
      toJsonSchema: () => ({ maximum: 9_999_999_999_999 })
    })
  )
])

/** Sent unchanged, if JSON can represent all of it. */
const eet = passedThrough.check(
  Schema.makeFilter((value) => jsonProblems(plainCopy(value)).map(({ message, path }) => ({ path, issue: message })))
)

const isNumberOrText = (value: unknown): value is number | string =>
  Predicate.isNumber(value) || Predicate.isString(value)

const isAnId = (toJsonSchema: () => JsonSchema) =>
  Schema.makeFilter((value: number | string) => canonicalId(value) !== undefined || notAnId, { toJsonSchema })

const digits = { pattern: "^0*[1-9][0-9]*$" }

/**
 * An identifier as callers may pass it: a positive integer, or its digits as text. Decoding returns the number, so that
 * an id with leading zeros is the same id.
 */
export const GatewayId: Schema.Codec<number | string> = Schema.declare(isNumberOrText, {
  message: notAnId,
  toCodecJson: () => undefined,
  // For a value that is text, such as the parameter of a path, a `Schema.Number` would accept "1.5e3" for 1500.
  toCodecStringTree: () =>
    Schema.link<number | string>()(
      Schema.String.check(isAnId(() => digits)),
      SchemaTransformation.transform({ decode: (id: string): number | string => id, encode: String })
    )
})
  .check(
    isAnId(() => ({
      anyOf: [
        { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        { type: "string", ...digits }
      ]
    }))
  )
  .pipe(
    Schema.decode(
      SchemaTransformation.transform({ decode: (id: number | string) => canonicalId(id) ?? id, encode: (id) => id })
    )
  )

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** {@inheritDoc PaymentItem} */
export const PaymentItem = Schema.Struct({
  type: Schema.optional(sentCodeOf("PaymentItemTypes")),
  name: text(maxLengths.name),
  amount: anyAmount,
  count: Schema.optional(integer(1, "a positive integer")),
  vat_rate: Schema.optional(
    Schema.Number.check(
      finite("must be a percentage, 0 to 100"),
      Schema.makeFilter((value) => (value >= 0 && value <= 100) || "must be a percentage, 0 to 100", {
        toJsonSchema: () => ({ minimum: 0, maximum: 100 })
      })
    )
  ),
  ean: Schema.optional(ean),
  product_url: Schema.optional(text(maxLengths.product_url))
}).annotate(namedObject("PaymentItem"))

/** {@inheritDoc PaymentCallback} */
export const PaymentCallback = Schema.Struct({
  return_url: address(maxLengths.return_url),
  notification_url: Schema.optional(address(maxLengths.notification_url))
}).annotate(namedObject("PaymentCallback"))

/** {@inheritDoc PayerContact} */
export const PayerContact = Schema.Struct({
  first_name: Schema.optional(text(maxLengths.first_name)),
  last_name: Schema.optional(text(maxLengths.last_name)),
  email: Schema.optional(text(maxLengths.email)),
  phone_number: Schema.optional(text(maxLengths.phone_number)),
  city: Schema.optional(text(maxLengths.city)),
  street: Schema.optional(text(maxLengths.street)),
  postal_code: Schema.optional(text(maxLengths.postal_code)),
  country_code: Schema.optional(text(maxLengths.country_code))
}).annotate(namedObject("PayerContact"))

/** {@inheritDoc BankAccount} */
export const BankAccount = Schema.Struct({
  iban: Schema.optional(text(maxLengths.iban)),
  bic: Schema.optional(text(maxLengths.bic)),
  prefix: Schema.optional(text(maxLengths.prefix)),
  account_number: Schema.optional(text(maxLengths.account_number)),
  bank_code: Schema.optional(text(maxLengths.bank_code)),
  account_name: Schema.optional(text(maxLengths.account_name)),
  country: Schema.optional(text(maxLengths.country)),
  account_token: Schema.optional(anyText)
}).annotate(namedObject("BankAccount"))

/** {@inheritDoc Payer} */
export const Payer = Schema.Struct({
  allowed_payment_instruments: Schema.optional(Schema.Array(sentCodeOf("PaymentInstruments"))),
  default_payment_instrument: Schema.optional(sentCodeOf("PaymentInstruments")),
  allowed_swifts: Schema.optional(Schema.Array(sentCodeOf("SwiftCodes"))),
  default_swift: Schema.optional(sentCodeOf("SwiftCodes")),
  allowed_bnpl_types: Schema.optional(Schema.Array(sentCodeOf("BnplTypes"))),
  default_bnpl_type: Schema.optional(sentCodeOf("BnplTypes")),
  contact: Schema.optional(PayerContact),
  bank_account: Schema.optional(BankAccount),
  verify_pin: Schema.optional(Schema.String.check(Schema.isPattern(/^\d{4}$/u, { message: "must have four digits" }))),
  allowed_card_token: Schema.optional(anyText),
  request_card_token: Schema.optional(Schema.Boolean),
  masked_pan: Schema.optional(anyText)
}).annotate(namedObject("Payer"))

/** {@inheritDoc PaymentTarget} */
export const PaymentTarget = Schema.Struct({
  type: sentCodeOf("PaymentTargetTypes"),
  goid: GatewayId
}).annotate(namedObject("PaymentTarget"))

/** {@inheritDoc AdditionalParam} */
export const AdditionalParam = Schema.Struct({
  name: anyText,
  value: anyText
}).annotate(namedObject("AdditionalParam"))

/** {@inheritDoc Recurrence} */
export const Recurrence = Schema.Struct({
  recurrence_cycle: sentCodeOf("RecurrenceCycles"),
  recurrence_period: Schema.optional(integer(0, "an integer, 0 or more")),
  recurrence_date_to: day
}).annotate(namedObject("Recurrence"))

/** {@inheritDoc CreatePaymentRequest} */
export const CreatePaymentRequest = Schema.Struct({
  amount,
  currency: sentCodeOf("Currencies"),
  order_number: orderNumber,
  order_description: Schema.optional(text(maxLengths.order_description)),
  items: Schema.optional(Schema.Array(PaymentItem)),
  callback: PaymentCallback,
  payer: Schema.optional(Payer),
  target: Schema.optional(PaymentTarget),
  lang: Schema.optional(sentCodeOf("GatewayLanguages")),
  additional_params: Schema.optional(Schema.Array(AdditionalParam)),
  recurrence: Schema.optional(Recurrence),
  preauthorization: Schema.optional(Schema.Boolean),
  eet: Schema.optional(eet)
}).annotate(namedObject("CreatePaymentRequest"))

/** {@inheritDoc RefundPaymentRequest} */
export const RefundPaymentRequest = Schema.Struct({
  amount: positiveAmount
}).annotate(namedObject("RefundPaymentRequest"))

/** {@inheritDoc CreateRecurrenceRequest} */
export const CreateRecurrenceRequest = Schema.Struct({
  amount: positiveAmount,
  currency: sentCodeOf("Currencies"),
  order_number: orderNumber,
  order_description: Schema.optional(text(maxLengths.order_description)),
  items: Schema.optional(Schema.Array(PaymentItem)),
  additional_params: Schema.optional(Schema.Array(AdditionalParam)),
  eet: Schema.optional(eet)
}).annotate(namedObject("CreateRecurrenceRequest"))

/** {@inheritDoc CaptureAuthorizationPartialRequest} */
export const CaptureAuthorizationPartialRequest = Schema.Struct({
  amount: positiveAmount,
  items: Schema.optional(Schema.Array(PaymentItem)),
  eet: Schema.optional(eet)
}).annotate(namedObject("CaptureAuthorizationPartialRequest"))

/** {@inheritDoc AccountStatementRequest} */
export const AccountStatementRequest = Schema.Struct({
  date_from: day,
  date_to: day,
  goid: GatewayId,
  currency: sentCodeOf("Currencies"),
  format: sentCodeOf("StatementFormats")
})
  .annotate(namedObject("AccountStatementRequest"))
  .check(
    Schema.makeFilter((request) =>
      request.date_from <= request.date_to ? true : { path: ["date_to"], issue: "must not be before date_from" }
    )
  )

/** {@inheritDoc PaymentQrRequest} */
export const PaymentQrRequest = Schema.Struct({
  format: Schema.optional(sentCodeOf("QrFormats"))
}).annotate(namedObject("PaymentQrRequest"))

/** {@inheritDoc AccessTokenRequest} */
export const AccessTokenRequest = Schema.Struct({
  grant_type: Schema.Literal("client_credentials"),
  scope: sentCodeOf("TokenScopes")
}).annotate(namedObject("AccessTokenRequest"))

// ---------------------------------------------------------------------------------------------------------------------
// Messages, as a client gives them
// ---------------------------------------------------------------------------------------------------------------------

/**
 * A payment as returned by a client, for an `HttpApi`, an RPC or a workflow that passes it on.
 * {@inheritDoc PaymentResponse}
 */
export const Payment = /* @__PURE__ */ asGiven(ResponseSchema.PaymentMessage, "Payment")

/** A new payment, with the address of its pay page, as returned by a client. {@inheritDoc CreatePaymentResponse} */
export const CreatedPayment = /* @__PURE__ */ asGiven(ResponseSchema.CreatedPaymentMessage, "CreatedPayment")

/** The result of a change of a payment, as returned by a client. {@inheritDoc PaymentOperationResponse} */
export const PaymentOperation = /* @__PURE__ */ asGiven(ResponseSchema.PaymentOperationMessage, "PaymentOperation")

/** A refund of a payment, as a client lists it. {@inheritDoc RefundHistoryItem} */
export const Refund = /* @__PURE__ */ asGiven(ResponseSchema.RefundMessage, "Refund")

/** A stored card, as returned by a client. {@inheritDoc CardDetailsResponse} */
export const CardDetails = /* @__PURE__ */ asGiven(ResponseSchema.CardDetailsMessage, "CardDetails")

/** The payment methods, as listed by a client. {@inheritDoc PaymentInstrumentsResponse} */
export const PaymentInstruments = /* @__PURE__ */ asGiven(
  ResponseSchema.PaymentInstrumentsMessage,
  "PaymentInstruments"
)

/** The QR codes of a payment, as returned by a client. {@inheritDoc PaymentQrResponse} */
export const PaymentQr = /* @__PURE__ */ asGiven(ResponseSchema.PaymentQrMessage, "PaymentQr")

export { ErrorItem } from "./ResponseSchema.js"
