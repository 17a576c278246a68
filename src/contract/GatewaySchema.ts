/**
 * Schemas of the gateway's requests and responses. `Messages` declares the same shapes as plain interfaces: `{@inheritDoc}` names the one whose
 * comments the build gives to a schema and to its fields.
 *
 * Requests are checked strictly: text beyond the gateway's length limit, a nonexistent date or a fraction of a cent
 * fails before anything is sent. Responses are read tolerantly: `null` counts as absent, additional members are
 * left to `extraFields`, a number may arrive as text, and a code that is not in our lists decodes to itself.
 */
import type { JsonSchema } from "effect/JsonSchema"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import { canonicalId, notAnId } from "./CanonicalId.js"
import type * as CodeLists from "./CodeLists.js"
import { isDay } from "../basics/Day.js"
import { maxLengths } from "./MaxLengths.js"
import { namedObject } from "./NamedObject.js"
import { withoutNulls } from "../basics/Nulls.js"
import { isWellFormed, jsonProblems, notWellFormed, plainCopy } from "../basics/PlainData.js"
import { readAfter } from "../basics/ReadAfter.js"

// ---------------------------------------------------------------------------------------------------------------------
// Requests: building blocks
// ---------------------------------------------------------------------------------------------------------------------

/** A code of one of our lists, or any other text. No code is rejected, so the list is named, and left out of bundles. */
const codeOf = <List extends keyof typeof CodeLists>(
  codeList: List
): Schema.Codec<Extract<keyof (typeof CodeLists)[List], string> | (string & {})> =>
  Schema.String.annotate({ codeList, expected: "a code (text)" })

const wellFormed = Schema.makeFilter((value: string) => isWellFormed(value) || notWellFormed)

const anyText = Schema.String.check(wellFormed)

const sentCodeOf = <List extends keyof typeof CodeLists>(codeList: List) => codeOf(codeList).check(wellFormed)

const text = (maxLength: number) =>
  anyText.check(Schema.isMaxLength(maxLength, { message: `must have at most ${maxLength} characters` }))

const orderNumber = text(maxLengths.order_number).check(Schema.isMinLength(1, { message: "must not be empty" }))

const integer = (minimum: number, message: string, adviceFor: (value: number) => string = () => "") =>
  Schema.Number.annotate({ message: `must be a number, ${message}` }).check(
    Schema.makeFilter(
      (value) => (Number.isSafeInteger(value) && value >= minimum) || `must be ${message}${adviceFor(value)}`,
      { toJsonSchema: () => ({ type: "integer", minimum }) }
    )
  )

const amountOf = (minimum: number, bound: string) =>
  integer(minimum, `an integer in minor units (haléře, cents)${bound}`, decimalAdvice)

/** A fraction is a price in crowns. One so long that it may be something else is not repeated. */
const decimalAdvice = (value: number): string => {
  if (!Number.isFinite(value) || Number.isInteger(value)) return ""
  const price = Math.abs(value) < 1e9 ? value.toFixed(2) : "13.99"
  return `; amountFromDecimal("${price}") converts a decimal price`
}
const anyAmount = amountOf(Number.MIN_SAFE_INTEGER, "")
const amount = amountOf(0, ", 0 or more")
const positiveAmount = amountOf(1, ", more than 0")

const day = Schema.String.check(
  Schema.makeFilter((value) => isDay(value) || "must be a day that exists, written yyyy-mm-dd", {
    toJsonSchema: () => ({ format: "date" })
  })
)

const address = (maxLength: number) =>
  text(maxLength).check(
    Schema.makeFilter(
      (value) =>
        /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) || "must be an absolute address, such as https://shop.example/",
      { toJsonSchema: () => ({ format: "uri" }) }
    )
  )

const ean = Schema.Union([
  text(maxLengths.ean),
  integer(0, "an integer").check(
    Schema.makeFilter((value) => value <= 9_999_999_999_999 || "must have at most 13 digits", {
      toJsonSchema: () => ({ maximum: 9_999_999_999_999 })
    })
  )
])

const passedThrough = Schema.Record(Schema.String, Schema.Unknown)

/** Sent unchanged if JSON can hold all of it. */
const eet = passedThrough.check(
  Schema.makeFilter((value) => jsonProblems(plainCopy(value)).map(({ message, path }) => ({ path, issue: message })))
)

const isAnId = (toJsonSchema: () => JsonSchema) =>
  Schema.makeFilter((value: number | string) => canonicalId(value) !== undefined || notAnId, { toJsonSchema })

/**
 * An identifier as callers may give it: a positive integer, or its digits as text. Decoding gives the number, so that
 * an id with leading zeros is no other id.
 */
export const GatewayId: Schema.Codec<number | string> = Schema.Union([
  Schema.Number.annotate({ message: notAnId }).check(isAnId(() => ({ type: "integer", minimum: 1 }))),
  Schema.String.check(isAnId(() => ({ pattern: "^0*[1-9][0-9]*$" })))
]).pipe(
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
// Responses: building blocks
// ---------------------------------------------------------------------------------------------------------------------

/** Reads a message as the gateway sends it. What it is read into is a schema of its own beside it, for what hands it on. */
const response = <S extends Schema.Top>(schema: S) => readAfter(schema, withoutNulls)

/** What a message is read into. */
const asGiven = <Fields extends Schema.Struct.Fields>(message: Schema.Struct<Fields>, identifier: string) =>
  message.mapFields(Struct.map(Schema.toType)).annotate(namedObject(identifier))

const integerText = Schema.String.check(Schema.isPattern(/^-?\d+$/, { message: "must be an integer" }))

const fromText = SchemaTransformation.transform<number, number | string>({ decode: Number, encode: (value) => value })

/** An integer, possibly sent as text. */
const int = Schema.Union([Schema.Int, integerText]).pipe(Schema.decodeTo(Schema.Int, fromText))

const decimalText = Schema.String.check(Schema.isPattern(/^-?\d+(\.\d+)?$/, { message: "must be a number" }))

/** A number, possibly sent as text. */
const number = Schema.Union([Schema.Finite, decimalText]).pipe(Schema.decodeTo(Schema.Finite, fromText))

/** Text, or milliseconds since 1970 as in older responses, which become ISO 8601 text. */
const timestamp = Schema.Union([
  Schema.String,
  Schema.Int.check(Schema.makeFilter((millis) => Math.abs(millis) <= 8.64e15))
]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, number | string>({
      decode: (time) => (typeof time === "string" ? time : new Date(time).toISOString()),
      encode: (iso) => iso
    })
  )
)

/**
 * An array, or an object keyed by each element's `key` member. Either way it decodes to an array; the annotation is for
 * code that describes the wire format.
 */
const keyedBy = <S extends Schema.Top>(key: string, element: S) =>
  readAfter(Schema.Array(element).annotate({ keyedBy: key }), (json) =>
    Predicate.isObject(json)
      ? Object.entries(json).map(([name, member]) => (Predicate.isObject(member) ? { ...member, [key]: name } : member))
      : json
  )

/** An object keyed by code, or an array of codes. Either way it decodes to an object. */
const keyed = <S extends Schema.Top>(member: S) =>
  readAfter(Schema.Record(Schema.String, member), (json) =>
    Array.isArray(json) && json.every(Predicate.isString) ? Object.fromEntries(json.map((code) => [code, {}])) : json
  )

/** An array of codes, or an object keyed by them. Either way it decodes to an array. */
const codes = <S extends Schema.Top>(code: S) =>
  readAfter(Schema.Array(code), (json) => (Predicate.isObject(json) ? Object.keys(json) : json))

const label = Schema.Record(Schema.String, Schema.String)

/** Texts that need not be there, by their names. */
function texts<Name extends string>(
  ...names: ReadonlyArray<Name>
): { readonly [name in Name]: Schema.optionalKey<Schema.String> }
function texts(...names: ReadonlyArray<string>): object {
  return Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Schema.String)]))
}

// ---------------------------------------------------------------------------------------------------------------------
// Responses
// ---------------------------------------------------------------------------------------------------------------------

const ContactResponse = Schema.Struct(
  texts("first_name", "last_name", "email", "phone_number", "city", "street", "postal_code", "country_code")
).annotate(namedObject("PayerContactResponse"))

const BankAccountResponse = Schema.Struct(
  texts("iban", "bic", "prefix", "account_number", "bank_code", "account_name", "country", "account_token")
).annotate(namedObject("BankAccountResponse"))

const cardTexts = texts(
  "card_number",
  "card_expiration",
  "card_brand",
  "card_issuer_country",
  "card_issuer_bank",
  "card_fingerprint",
  "card_token"
)

const PaymentCardResponse = Schema.Struct({
  ...cardTexts,
  "3ds_result": Schema.optionalKey(codeOf("ThreeDSecureResults"))
}).annotate(namedObject("PaymentCardResponse"))

const PayerResponse = Schema.Struct({
  payment_instrument: Schema.optionalKey(codeOf("PaymentInstruments")),
  allowed_payment_instruments: Schema.optionalKey(Schema.Array(codeOf("PaymentInstruments"))),
  default_payment_instrument: Schema.optionalKey(codeOf("PaymentInstruments")),
  allowed_swifts: Schema.optionalKey(Schema.Array(codeOf("SwiftCodes"))),
  default_swift: Schema.optionalKey(codeOf("SwiftCodes")),
  allowed_bnpl_types: Schema.optionalKey(Schema.Array(codeOf("BnplTypes"))),
  default_bnpl_type: Schema.optionalKey(codeOf("BnplTypes")),
  email: Schema.optionalKey(Schema.String),
  phone_number: Schema.optionalKey(Schema.String),
  bank_account: Schema.optionalKey(BankAccountResponse),
  payment_card: Schema.optionalKey(PaymentCardResponse),
  contact: Schema.optionalKey(ContactResponse),
  card_id: Schema.optionalKey(Schema.Union([int, Schema.String]))
}).annotate(namedObject("PayerResponse"))

const TargetResponse = Schema.Struct({
  type: Schema.optionalKey(codeOf("PaymentTargetTypes")),
  goid: Schema.optionalKey(int)
}).annotate(namedObject("PaymentTargetResponse"))

const RecurrenceResponse = Schema.Struct({
  recurrence_cycle: Schema.optionalKey(codeOf("RecurrenceCycles")),
  recurrence_period: Schema.optionalKey(int),
  recurrence_date_to: Schema.optionalKey(Schema.String),
  recurrence_state: Schema.optionalKey(codeOf("RecurrenceStates"))
}).annotate(namedObject("RecurrenceResponse"))

const PreauthorizationResponse = Schema.Struct({
  requested: Schema.optionalKey(Schema.Boolean),
  state: Schema.optionalKey(codeOf("PreauthorizationStates"))
}).annotate(namedObject("PreauthorizationResponse"))

const AdditionalParamResponse = Schema.Struct({
  name: Schema.String,
  value: Schema.optionalKey(Schema.String)
}).annotate(namedObject("AdditionalParamResponse"))

const ItemResponse = Schema.Struct({
  type: Schema.optionalKey(codeOf("PaymentItemTypes")),
  name: Schema.optionalKey(Schema.String),
  amount: Schema.optionalKey(int),
  count: Schema.optionalKey(int),
  vat_rate: Schema.optionalKey(number),
  ean: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  product_url: Schema.optionalKey(Schema.String)
}).annotate(namedObject("PaymentItemResponse"))

const PaymentMessage = Schema.Struct({
  id: int,
  parent_id: Schema.optionalKey(int),
  order_number: Schema.optionalKey(Schema.String),
  state: codeOf("PaymentStates"),
  sub_state: Schema.optionalKey(codeOf("PaymentSubStates")),
  payment_instrument: Schema.optionalKey(codeOf("PaymentInstruments")),
  amount: int,
  currency: codeOf("Currencies"),
  payer: Schema.optionalKey(PayerResponse),
  target: Schema.optionalKey(TargetResponse),
  recurrence: Schema.optionalKey(RecurrenceResponse),
  preauthorization: Schema.optionalKey(PreauthorizationResponse),
  additional_params: Schema.optionalKey(Schema.Array(AdditionalParamResponse)),
  lang: Schema.optionalKey(Schema.String),
  // The documentation's examples have spaces around the address.
  gw_url: Schema.optionalKey(Schema.Trim),
  items: Schema.optionalKey(Schema.Array(ItemResponse)),
  eet_code: Schema.optionalKey(passedThrough)
})

/** {@inheritDoc PaymentResponse} */
export const PaymentResponse = response(PaymentMessage)

/** A payment, as a client gives it: for an `HttpApi`, an RPC or a workflow that hands it on. {@inheritDoc PaymentResponse} */
export const Payment = /* @__PURE__ */ asGiven(PaymentMessage, "Payment")

const CreatedPaymentMessage = Schema.Struct({
  ...PaymentMessage.fields,
  gw_url: Schema.Trim.check(Schema.isNonEmpty())
})

/** {@inheritDoc CreatePaymentResponse} */
export const CreatePaymentResponse = response(CreatedPaymentMessage)

/** A new payment, with the address of its pay page, as a client gives it. {@inheritDoc CreatePaymentResponse} */
export const CreatedPayment = /* @__PURE__ */ asGiven(CreatedPaymentMessage, "CreatedPayment")

const PaymentOperationMessage = Schema.Struct({
  id: int,
  result: codeOf("OperationResults"),
  description: Schema.optionalKey(Schema.String)
})

/** {@inheritDoc PaymentOperationResponse} */
export const PaymentOperationResponse = response(PaymentOperationMessage)

/** The result of a change of a payment, as a client gives it. {@inheritDoc PaymentOperationResponse} */
export const PaymentOperation = /* @__PURE__ */ asGiven(PaymentOperationMessage, "PaymentOperation")

const RefundMessage = Schema.Struct({
  id: int,
  state: codeOf("RefundStates"),
  amount: int,
  currency: Schema.optionalKey(codeOf("Currencies")),
  date_requested: Schema.optionalKey(timestamp),
  date_last_change: Schema.optionalKey(timestamp)
})

/** {@inheritDoc RefundHistoryItem} */
export const RefundHistoryItem = response(RefundMessage)

/** A refund of a payment, as a client lists it. {@inheritDoc RefundHistoryItem} */
export const Refund = /* @__PURE__ */ asGiven(RefundMessage, "Refund")

/** Reads the refunds of a payment. {@inheritDoc RefundHistoryItem} */
export const RefundHistory = Schema.Array(RefundHistoryItem)

const CardDetailsMessage = Schema.Struct({
  card_id: int,
  ...cardTexts,
  status: Schema.optionalKey(codeOf("CardStatuses")),
  real_masked_pan: Schema.optionalKey(Schema.String),
  card_art_url: Schema.optionalKey(Schema.String)
})

/** {@inheritDoc CardDetailsResponse} */
export const CardDetailsResponse = response(CardDetailsMessage)

/** A stored card, as a client gives it. {@inheritDoc CardDetailsResponse} */
export const CardDetails = /* @__PURE__ */ asGiven(CardDetailsMessage, "CardDetails")

const Image = Schema.Struct(texts("normal", "large"))

const EnabledSwift = Schema.Struct({
  swift: codeOf("SwiftCodes"),
  label: Schema.optionalKey(label),
  image: Schema.optionalKey(Image),
  isOnline: Schema.optionalKey(Schema.Boolean),
  currencies: Schema.optionalKey(
    keyed(
      Schema.Struct({
        isOnline: Schema.optionalKey(Schema.Boolean)
      })
    )
  )
}).annotate(namedObject("EnabledSwift"))

const EnabledBnplType = Schema.Struct({
  bnplType: codeOf("BnplTypes"),
  label: Schema.optionalKey(label),
  image: Schema.optionalKey(Image)
}).annotate(namedObject("EnabledBnplType"))

const EnabledPaymentInstrument = Schema.Struct({
  paymentInstrument: codeOf("PaymentInstruments"),
  label: Schema.optionalKey(label),
  image: Schema.optionalKey(Image),
  group: Schema.optionalKey(codeOf("PaymentInstrumentGroups")),
  currencies: Schema.optionalKey(codes(codeOf("Currencies"))),
  enabledSwifts: Schema.optionalKey(keyedBy("swift", EnabledSwift)),
  enabledBnplTypes: Schema.optionalKey(keyedBy("bnplType", EnabledBnplType))
}).annotate(namedObject("EnabledPaymentInstrument"))

/** Reads the ways to pay in one currency; arrays and objects keyed by code become arrays. */
const PaymentInstrumentsMessage = Schema.Struct({
  groups: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.Struct({
        label: Schema.optionalKey(label)
      })
    )
  ),
  enabledPaymentInstruments: keyedBy("paymentInstrument", EnabledPaymentInstrument)
})

/** {@inheritDoc PaymentInstrumentsResponse} */
export const PaymentInstrumentsResponse = response(PaymentInstrumentsMessage)

/** The ways to pay, as a client lists them. {@inheritDoc PaymentInstrumentsResponse} */
export const PaymentInstruments = /* @__PURE__ */ asGiven(PaymentInstrumentsMessage, "PaymentInstruments")

/** Reads the ways to pay in all currencies, in the same shape. {@inheritDoc PaymentInstrumentsResponse} */
export const PaymentInstrumentsAllResponse = PaymentInstrumentsResponse

const QrRecipient = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  bank_account: Schema.optionalKey(
    Schema.Struct({
      local: Schema.optionalKey(Schema.Struct(texts("prefix", "account_number", "bank_code", "variable_symbol"))),
      international: Schema.optionalKey(Schema.Struct(texts("bic", "iban", "reference")))
    })
  ),
  address: Schema.optionalKey(Schema.Struct(texts("street", "city", "zip_code", "country")))
}).annotate(namedObject("QrRecipient"))

const PaymentQrMessage = Schema.Struct({
  amount: Schema.optionalKey(int),
  currency: Schema.optionalKey(codeOf("Currencies")),
  recipient: Schema.optionalKey(QrRecipient),
  qr_code: Schema.Struct(texts("spayd", "paybysquare", "sepa", "mnb_qr"))
})

/** {@inheritDoc PaymentQrResponse} */
export const PaymentQrResponse = response(PaymentQrMessage)

/** The QR codes of a payment, as a client gives them. {@inheritDoc PaymentQrResponse} */
export const PaymentQr = /* @__PURE__ */ asGiven(PaymentQrMessage, "PaymentQr")

/** {@inheritDoc AccessTokenResponse} */
export const AccessTokenResponse = response(
  Schema.Struct({
    // Sent in a header, so visible ASCII only.
    access_token: Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/u)),
    token_type: Schema.optionalKey(Schema.String),
    expires_in: Schema.optionalKey(number)
  })
)

const errorCode: Schema.Codec<CodeLists.ErrorCode, number | string> = int.annotate({ codeList: "ErrorCodes" })

/** {@inheritDoc ErrorItem} */
export const ErrorItem = Schema.Struct({
  scope: Schema.optionalKey(codeOf("ErrorScopes")),
  field: Schema.optionalKey(Schema.String),
  error_code: errorCode,
  error_name: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String)
}).annotate(namedObject("ErrorItem"))

/** Also reads a single error without the `errors` around it, as the documentation shows it. {@inheritDoc ErrorResponse} */
export const ErrorResponse = readAfter(
  Schema.Struct({
    date_issued: Schema.optionalKey(timestamp),
    errors: Schema.Array(ErrorItem).check(Schema.isMinLength(1, { message: "must not be empty" }))
  }),
  (json) => {
    const body = withoutNulls(json)
    return Predicate.isObject(body) && !("errors" in body) && "error_code" in body ? { errors: [body] } : body
  }
)
