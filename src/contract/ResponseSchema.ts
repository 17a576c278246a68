/**
 * Schemas that read the gateway's responses: tolerantly. `null` counts as absent, additional members are left to
 * `extraFields`, a number may arrive as text, and a code that is not in our lists decodes to itself.
 *
 * They accept anything, so an `HttpApi` could not document them: `GatewaySchema` has the schemas of their results.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type * as CodeLists from "./CodeLists.js"
import { fromText, int, response, texts } from "./ResponseParts.js"
import { codeOf, passedThrough } from "./SchemaParts.js"
import { namedObject } from "./NamedObject.js"
import { withoutNulls } from "../basics/Nulls.js"
import { readAfter } from "../basics/ReadAfter.js"

// ---------------------------------------------------------------------------------------------------------------------
// Responses: building blocks
// ---------------------------------------------------------------------------------------------------------------------

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

export const PaymentMessage = Schema.Struct({
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

export const CreatedPaymentMessage = Schema.Struct({
  ...PaymentMessage.fields,
  gw_url: Schema.Trim.check(Schema.isNonEmpty())
})

/** {@inheritDoc CreatePaymentResponse} */
export const CreatePaymentResponse = response(CreatedPaymentMessage)

export const PaymentOperationMessage = Schema.Struct({
  id: int,
  result: codeOf("OperationResults"),
  description: Schema.optionalKey(Schema.String)
})

/** {@inheritDoc PaymentOperationResponse} */
export const PaymentOperationResponse = response(PaymentOperationMessage)

export const RefundMessage = Schema.Struct({
  id: int,
  state: codeOf("RefundStates"),
  amount: int,
  currency: Schema.optionalKey(codeOf("Currencies")),
  date_requested: Schema.optionalKey(timestamp),
  date_last_change: Schema.optionalKey(timestamp)
})

/** {@inheritDoc RefundHistoryItem} */
export const RefundHistoryItem = response(RefundMessage)

/** Reads the refunds of a payment. {@inheritDoc RefundHistoryItem} */
export const RefundHistory = Schema.Array(RefundHistoryItem)

export const CardDetailsMessage = Schema.Struct({
  card_id: int,
  ...cardTexts,
  status: Schema.optionalKey(codeOf("CardStatuses")),
  real_masked_pan: Schema.optionalKey(Schema.String),
  card_art_url: Schema.optionalKey(Schema.String)
})

/** {@inheritDoc CardDetailsResponse} */
export const CardDetailsResponse = response(CardDetailsMessage)

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
export const PaymentInstrumentsMessage = Schema.Struct({
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

export const PaymentQrMessage = Schema.Struct({
  amount: Schema.optionalKey(int),
  currency: Schema.optionalKey(codeOf("Currencies")),
  recipient: Schema.optionalKey(QrRecipient),
  qr_code: Schema.Struct(texts("spayd", "paybysquare", "sepa", "mnb_qr"))
})

/** {@inheritDoc PaymentQrResponse} */
export const PaymentQrResponse = response(PaymentQrMessage)

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
