/**
 * Schemas of the gateway's requests and responses. `Messages` declares the same shapes as plain interfaces.
 *
 * Requests are checked strictly: text beyond the gateway's length limit, a nonexistent date or a fraction of a cent
 * fails before anything is sent. Responses are read tolerantly: `null` counts as absent, additional members are
 * ignored, a number may arrive as text, and a code that is not in our lists decodes to itself.
 */
import type { JsonSchema } from "effect/JsonSchema"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { canonicalId, notAnId } from "./CanonicalId.js"
import type * as CodeLists from "./CodeLists.js"
import { isDay } from "./Day.js"
import { withoutNulls } from "./Nulls.js"
import { isWellFormed, jsonProblems, notWellFormed, plainCopy } from "./PlainData.js"
import { readAfter } from "./ReadAfter.js"

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

const orderNumber = text(128).check(Schema.isMinLength(1, { message: "must not be empty" }))

const integer = (minimum: number, message: string, fractionAdvice = "") =>
  Schema.Number.annotate({ message: `must be ${message}` }).check(
    Schema.makeFilter(
      (value) =>
        (Number.isSafeInteger(value) && value >= minimum) ||
        `must be ${message}${Number.isFinite(value) && !Number.isInteger(value) ? fractionAdvice : ""}`,
      { toJsonSchema: () => ({ type: "integer", minimum }) }
    )
  )

const amountOf = (minimum: number, bound: string) =>
  integer(
    minimum,
    `an integer in minor units (haléře, cents)${bound}`,
    '; amountFromDecimal("13.99") converts a decimal price'
  )
const anyAmount = amountOf(Number.MIN_SAFE_INTEGER, "")
const amount = amountOf(0, ", 0 or more")
const positiveAmount = amountOf(1, ", more than 0")

const day = Schema.String.check(
  Schema.makeFilter((value) => isDay(value) || "must be a day that exists, written yyyy-mm-dd", {
    toJsonSchema: () => ({ format: "date" })
  })
)

const address = text(512).check(
  Schema.makeFilter(
    (value) =>
      /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) || "must be an absolute address, such as https://shop.example/",
    { toJsonSchema: () => ({ format: "uri" }) }
  )
)

const countryCode = text(3)

const ean = Schema.Union([
  text(13),
  integer(0, "an integer").check(
    Schema.isLessThanOrEqualTo(9_999_999_999_999, { message: "must have at most 13 digits" })
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
 *
 * @category messages
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

/**
 * Checks a row of an order.
 *
 * @category messages
 */
export const PaymentItem = Schema.Struct({
  /** The kind of row; an item when absent. */
  type: Schema.optional(sentCodeOf("PaymentItemTypes")),
  /** At most 256 characters. */
  name: text(256),
  /** The total of the row (not the price of one piece), an integer in minor units; negative for a discount. */
  amount: anyAmount,
  /** The number of pieces, a positive integer. It does not multiply `amount`. */
  count: Schema.optional(integer(1, "a positive integer")),
  /** Percent, 0 to 100. */
  vat_rate: Schema.optional(
    Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 100 }, { message: "must be a percentage, 0 to 100" }))
  ),
  /** At most 13 characters. */
  ean: Schema.optional(ean),
  /** At most 512 characters. */
  product_url: Schema.optional(text(512))
})

/**
 * Checks the addresses that the payer returns to and that the gateway notifies of changes.
 *
 * @category messages
 */
export const PaymentCallback = Schema.Struct({
  /**
   * Absolute address, at most 512 characters. The payer's browser is sent here with `id` added to the query; the state
   * is not in it.
   */
  return_url: address,
  /** Absolute address, at most 512 characters. The gateway sends a GET with `id` (and `parent_id`) on state changes. */
  notification_url: Schema.optional(address)
})

/**
 * Checks the payer's name and addresses.
 *
 * @category messages
 */
export const PayerContact = Schema.Struct({
  /** At most 256 characters. */
  first_name: Schema.optional(text(256)),
  /** At most 256 characters. */
  last_name: Schema.optional(text(256)),
  /** At most 128 characters. */
  email: Schema.optional(text(128)),
  /** With the country's prefix, at most 128 characters. */
  phone_number: Schema.optional(text(128)),
  /** At most 128 characters. */
  city: Schema.optional(text(128)),
  /** At most 128 characters. */
  street: Schema.optional(text(128)),
  /** At most 16 characters. */
  postal_code: Schema.optional(text(16)),
  /** ISO 3166-1 alpha-3, such as `CZE`. */
  country_code: Schema.optional(countryCode)
})

/**
 * Checks a bank account.
 *
 * @category messages
 */
export const BankAccount = Schema.Struct({
  /** At most 50 characters. */
  iban: Schema.optional(text(50)),
  /** At most 11 characters. */
  bic: Schema.optional(text(11)),
  /** At most 64 characters. */
  prefix: Schema.optional(text(64)),
  /** At most 128 characters. */
  account_number: Schema.optional(text(128)),
  /** At most 8 characters. */
  bank_code: Schema.optional(text(8)),
  /** At most 70 characters. */
  account_name: Schema.optional(text(70)),
  /** ISO 3166-1 alpha-3, such as `CZE`. */
  country: Schema.optional(countryCode),
  /** Undocumented. */
  account_token: Schema.optional(anyText)
})

/**
 * Checks the payer and the ways to pay on offer.
 *
 * @category messages
 */
export const Payer = Schema.Struct({
  /** Only these instruments are offered; absent or empty: all that the shop has. */
  allowed_payment_instruments: Schema.optional(Schema.Array(sentCodeOf("PaymentInstruments"))),
  /** The preselected instrument. */
  default_payment_instrument: Schema.optional(sentCodeOf("PaymentInstruments")),
  /** Only these banks are offered for a bank transfer; absent or empty: all. */
  allowed_swifts: Schema.optional(Schema.Array(sentCodeOf("SwiftCodes"))),
  /** The preselected bank, when the default instrument is `BANK_ACCOUNT`. */
  default_swift: Schema.optional(sentCodeOf("SwiftCodes")),
  /** Only these kinds of deferred payment are offered; absent or empty: all. */
  allowed_bnpl_types: Schema.optional(Schema.Array(sentCodeOf("BnplTypes"))),
  /** The preselected kind of deferred payment. */
  default_bnpl_type: Schema.optional(sentCodeOf("BnplTypes")),
  /** The payer's name and addresses; GoPay asks for as much as you know. */
  contact: Schema.optional(PayerContact),
  /** The payer's bank account. */
  bank_account: Schema.optional(BankAccount),
  /** Four digits: an identification payment, which checks the payer's card. */
  verify_pin: Schema.optional(Schema.String.check(Schema.isPattern(/^\d{4}$/u, { message: "must have four digits" }))),
  /** Pays with a stored card: its `card_token`. */
  allowed_card_token: Schema.optional(anyText),
  /** Asks for the card to be stored; its token and id appear in the paid payment. */
  request_card_token: Schema.optional(Schema.Boolean),
  /** A card number, masked. Undocumented; presumably preselects a stored card. */
  masked_pan: Schema.optional(anyText)
})

/**
 * Checks the recipient of a payment.
 *
 * @category messages
 */
export const PaymentTarget = Schema.Struct({
  /** `ACCOUNT`, as far as is documented. */
  type: sentCodeOf("PaymentTargetTypes"),
  /** The shop's identifier at GoPay. */
  goid: GatewayId
})

/**
 * Checks a name and value of your own.
 *
 * @category messages
 */
export const AdditionalParam = Schema.Struct({
  /** Your name for it. */
  name: anyText,
  /** Comes back in every response about the payment. */
  value: anyText
})

/**
 * Checks the recurrence that a payment is to begin.
 *
 * @category messages
 */
export const Recurrence = Schema.Struct({
  /** `ON_DEMAND`: you charge with `createRecurrence`; else the gateway charges by itself. */
  recurrence_cycle: sentCodeOf("RecurrenceCycles"),
  /** The number of cycles between two charges; not needed for `ON_DEMAND`. */
  recurrence_period: Schema.optional(integer(0, "an integer, 0 or more")),
  /** The last day of the recurrence, `yyyy-mm-dd`. Required for `ON_DEMAND` too. */
  recurrence_date_to: day
})

/**
 * Checks the request of `createPayment`.
 *
 * @category messages
 */
export const CreatePaymentRequest = Schema.Struct({
  /**
   * The sum to pay, an integer in minor units, 0 or more. 0 verifies a card when a recurrence or a preauthorization is
   * asked for.
   */
  amount,
  /** ISO 4217 code, such as `CZK`. */
  currency: sentCodeOf("Currencies"),
  /**
   * Your order's number, at most 128 characters. The gateway does not require it to be unique and cannot be searched by
   * it.
   */
  order_number: orderNumber,
  /** At most 256 characters. Not echoed in responses. */
  order_description: Schema.optional(text(256)),
  /**
   * The rows of the order. Their sum may differ from `amount`: whether the gateway refuses that (code 360) is unsure.
   */
  items: Schema.optional(Schema.Array(PaymentItem)),
  /** The addresses that the payer returns to and that the gateway notifies of state changes. Not echoed in responses. */
  callback: PaymentCallback,
  /**
   * The payer and the ways to pay on offer. Optional in practice; GoPay asks for as much as you know, for 3-D Secure.
   */
  payer: Schema.optional(Payer),
  /** The recipient. When absent: `{ type: "ACCOUNT", goid }` with the configured `goid`. */
  target: Schema.optional(PaymentTarget),
  /** Language of the pay page, upper case. When absent: the configured language. */
  lang: Schema.optional(sentCodeOf("GatewayLanguages")),
  /** Your own name and value pairs; the gateway returns them in every response about the payment. */
  additional_params: Schema.optional(Schema.Array(AdditionalParam)),
  /** Makes this the first payment of a recurrence. */
  recurrence: Schema.optional(Recurrence),
  /** `true` only holds the sum on the card, for 4 days: capture or void it. */
  preauthorization: Schema.optional(Schema.Boolean),
  /** Data of the Czech sales registration (abolished in 2023), sent as it is. */
  eet: Schema.optional(eet)
})

/**
 * Checks the request of `refundPayment`.
 *
 * @category messages
 */
export const RefundPaymentRequest = Schema.Struct({
  /** The sum to return, a positive integer in minor units. */
  amount: positiveAmount
})

/**
 * Checks the request of `createRecurrence`.
 *
 * @category messages
 */
export const CreateRecurrenceRequest = Schema.Struct({
  /** A positive integer in minor units. */
  amount: positiveAmount,
  /** ISO 4217 code, such as `CZK`. */
  currency: sentCodeOf("Currencies"),
  /** At most 128 characters. */
  order_number: orderNumber,
  /** At most 256 characters. GoPay's documentation requires it. */
  order_description: Schema.optional(text(256)),
  /** GoPay's documentation requires them. */
  items: Schema.optional(Schema.Array(PaymentItem)),
  /** Your own name and value pairs; the gateway returns them in every response about the payment. */
  additional_params: Schema.optional(Schema.Array(AdditionalParam)),
  /** Data of the Czech sales registration (abolished in 2023), sent as it is. */
  eet: Schema.optional(eet)
})

/**
 * Checks the request of `captureAuthorizationPartial`.
 *
 * @category messages
 */
export const CaptureAuthorizationPartialRequest = Schema.Struct({
  /** The sum to capture, a positive integer in minor units, at most what was authorized. */
  amount: positiveAmount,
  /** GoPay's documentation requires them. */
  items: Schema.optional(Schema.Array(PaymentItem)),
  /** Data of the Czech sales registration (abolished in 2023), sent as it is. */
  eet: Schema.optional(eet)
})

/**
 * Checks the request of `getAccountStatement`.
 *
 * @category messages
 */
export const AccountStatementRequest = Schema.Struct({
  /** First day, `yyyy-mm-dd`. */
  date_from: day,
  /** Last day, `yyyy-mm-dd`, not before `date_from`. */
  date_to: day,
  /** The shop's identifier at GoPay. When absent: the configured `goid`. */
  goid: GatewayId,
  /** The account's currency. */
  currency: sentCodeOf("Currencies"),
  /** The file's format; `StatementFormats` tells what each one is. */
  format: sentCodeOf("StatementFormats")
}).check(
  Schema.makeFilter((request) =>
    request.date_from <= request.date_to ? true : { path: ["date_to"], issue: "must not be before date_from" }
  )
)

/**
 * Checks the options of `getPaymentQr`.
 *
 * @category messages
 */
export const PaymentQrRequest = Schema.Struct({
  /** `png` when absent. */
  format: Schema.optional(sentCodeOf("QrFormats"))
})

/**
 * Checks the request for an access token.
 *
 * @category messages
 */
export const AccessTokenRequest = Schema.Struct({
  /** Always `client_credentials`. */
  grant_type: Schema.Literal("client_credentials"),
  /** The permission that the token is to give; see `TokenScopes`. */
  scope: sentCodeOf("TokenScopes")
})

// ---------------------------------------------------------------------------------------------------------------------
// Responses: building blocks
// ---------------------------------------------------------------------------------------------------------------------

const response = <S extends Schema.Top>(schema: S) => readAfter(schema, withoutNulls)

const integerText = Schema.String.check(Schema.isPattern(/^-?\d+$/, { message: "must be an integer" }))

/** An integer, possibly sent as text. */
const int = Schema.Union([
  Schema.Int,
  integerText.pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.numberFromString))
])

const decimalText = Schema.String.check(Schema.isPattern(/^-?\d+(\.\d+)?$/, { message: "must be a number" }))

/** A number, possibly sent as text. */
const number = Schema.Union([
  Schema.Finite,
  decimalText.pipe(Schema.decodeTo(Schema.Finite, SchemaTransformation.numberFromString))
])

/** Text, or milliseconds since 1970 as in older responses, which become ISO 8601 text. */
const timestamp = Schema.Union([
  Schema.String,
  Schema.Int.check(Schema.isBetween({ minimum: -8.64e15, maximum: 8.64e15 })).pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transform({
        decode: (millis) => new Date(millis).toISOString(),
        encode: (iso) => Date.parse(iso)
      })
    )
  )
])

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

const ContactResponse = Schema.Struct({
  /** The payer's first name. */
  first_name: Schema.optionalKey(Schema.String),
  /** The payer's last name. */
  last_name: Schema.optionalKey(Schema.String),
  /** The payer's e-mail address. */
  email: Schema.optionalKey(Schema.String),
  /** The payer's telephone number. */
  phone_number: Schema.optionalKey(Schema.String),
  /** Town or city. */
  city: Schema.optionalKey(Schema.String),
  /** Street and house number. */
  street: Schema.optionalKey(Schema.String),
  /** Postal code. */
  postal_code: Schema.optionalKey(Schema.String),
  /** ISO 3166-1 alpha-3. The gateway fills it in after a payment, even when you did not send it. */
  country_code: Schema.optionalKey(Schema.String)
})

const BankAccountResponse = Schema.Struct({
  /** The IBAN. */
  iban: Schema.optionalKey(Schema.String),
  /** The bank's BIC (SWIFT code). */
  bic: Schema.optionalKey(Schema.String),
  /** The prefix of a Czech or Slovak account number. */
  prefix: Schema.optionalKey(Schema.String),
  /** The account number, without prefix and bank code. */
  account_number: Schema.optionalKey(Schema.String),
  /** The bank's national code. */
  bank_code: Schema.optionalKey(Schema.String),
  /** The name of the account. */
  account_name: Schema.optionalKey(Schema.String),
  /** The country of the bank. */
  country: Schema.optionalKey(Schema.String),
  /** Undocumented. */
  account_token: Schema.optionalKey(Schema.String)
})

const PaymentCardResponse = Schema.Struct({
  /** Masked: six digits, six stars, four digits. */
  card_number: Schema.optionalKey(Schema.String),
  /** `YYMM`: `2112` is December 2021. */
  card_expiration: Schema.optionalKey(Schema.String),
  /** The card scheme's name. */
  card_brand: Schema.optionalKey(Schema.String),
  /** ISO 3166-1 alpha-3. */
  card_issuer_country: Schema.optionalKey(Schema.String),
  /** The bank that issued the card. */
  card_issuer_bank: Schema.optionalKey(Schema.String),
  /** Pays again as `payer.allowed_card_token`. */
  card_token: Schema.optionalKey(Schema.String),
  /** Presumably the same for the same card; undocumented. */
  card_fingerprint: Schema.optionalKey(Schema.String),
  /** The result of 3-D Secure; see `ThreeDSecureResults`. */
  "3ds_result": Schema.optionalKey(codeOf("ThreeDSecureResults"))
})

const PayerResponse = Schema.Struct({
  /** The instrument that the payer chose. */
  payment_instrument: Schema.optionalKey(codeOf("PaymentInstruments")),
  /** The instruments that were offered. */
  allowed_payment_instruments: Schema.optionalKey(Schema.Array(codeOf("PaymentInstruments"))),
  /** The preselected instrument. */
  default_payment_instrument: Schema.optionalKey(codeOf("PaymentInstruments")),
  /** The banks that were offered for a bank transfer. */
  allowed_swifts: Schema.optionalKey(Schema.Array(codeOf("SwiftCodes"))),
  /** The preselected bank. */
  default_swift: Schema.optionalKey(codeOf("SwiftCodes")),
  /** The kinds of deferred payment that were offered. */
  allowed_bnpl_types: Schema.optionalKey(Schema.Array(codeOf("BnplTypes"))),
  /** The preselected kind of deferred payment. */
  default_bnpl_type: Schema.optionalKey(codeOf("BnplTypes")),
  /** The payer's e-mail address. */
  email: Schema.optionalKey(Schema.String),
  /** The payer's telephone number. */
  phone_number: Schema.optionalKey(Schema.String),
  /** The bank account that the payment came from. */
  bank_account: Schema.optionalKey(BankAccountResponse),
  /** The card that the payment was made with. */
  payment_card: Schema.optionalKey(PaymentCardResponse),
  /** The payer's name and addresses. */
  contact: Schema.optionalKey(ContactResponse),
  /** The stored card, for `getCardDetails` and `deleteCard`. */
  card_id: Schema.optionalKey(Schema.Union([...int.members, Schema.String]))
})

const TargetResponse = Schema.Struct({
  /** The kind of recipient; see `PaymentTargetTypes`. */
  type: Schema.optionalKey(codeOf("PaymentTargetTypes")),
  /** The shop's identifier at GoPay. */
  goid: Schema.optionalKey(int)
})

const RecurrenceResponse = Schema.Struct({
  /** The unit of the time between two charges, or `ON_DEMAND`. */
  recurrence_cycle: Schema.optionalKey(codeOf("RecurrenceCycles")),
  /** The number of cycles between two charges. */
  recurrence_period: Schema.optionalKey(int),
  /** `yyyy-mm-dd`. */
  recurrence_date_to: Schema.optionalKey(Schema.String),
  /** The state of the recurrence; see `RecurrenceStates`. */
  recurrence_state: Schema.optionalKey(codeOf("RecurrenceStates"))
})

const PreauthorizationResponse = Schema.Struct({
  /** Whether a hold was asked for. */
  requested: Schema.optionalKey(Schema.Boolean),
  /** The state of the hold; see `PreauthorizationStates`. */
  state: Schema.optionalKey(codeOf("PreauthorizationStates"))
})

const AdditionalParamResponse = Schema.Struct({
  /** Your name for it. */
  name: Schema.String,
  /** Your value, as sent. */
  value: Schema.optionalKey(Schema.String)
})

const ItemResponse = Schema.Struct({
  /** The kind of row; see `PaymentItemTypes`. */
  type: Schema.optionalKey(codeOf("PaymentItemTypes")),
  /** The name of the row. */
  name: Schema.optionalKey(Schema.String),
  /** The total of the row, an integer in minor units; negative for a discount. */
  amount: Schema.optionalKey(int),
  /** The number of pieces. */
  count: Schema.optionalKey(int),
  /** The rate of VAT, in percent. */
  vat_rate: Schema.optionalKey(number),
  /** The EAN code. */
  ean: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  /** Address of the product's page. */
  product_url: Schema.optionalKey(Schema.String)
})

const Payment = Schema.Struct({
  /** The gateway's number of the payment. */
  id: int,
  /** The first payment of the recurrence that this payment is a charge of. */
  parent_id: Schema.optionalKey(int),
  /** Your order's number, as sent. */
  order_number: Schema.optionalKey(Schema.String),
  /** `CANCELED` has one L, and it is `TIMEOUTED`. An unknown state is passed on as it came. */
  state: codeOf("PaymentStates"),
  /** The cause of the state; see `PaymentSubStates`. */
  sub_state: Schema.optionalKey(codeOf("PaymentSubStates")),
  /** The instrument that the payer chose. */
  payment_instrument: Schema.optionalKey(codeOf("PaymentInstruments")),
  /** An integer in minor units. */
  amount: int,
  /** ISO 4217 code, such as `CZK`. */
  currency: codeOf("Currencies"),
  /** The payer, with what the gateway learned about them. */
  payer: Schema.optionalKey(PayerResponse),
  /** The recipient of the payment. */
  target: Schema.optionalKey(TargetResponse),
  /** The recurrence that the payment began, when there is one. */
  recurrence: Schema.optionalKey(RecurrenceResponse),
  /** The hold on the card, when one was asked for. */
  preauthorization: Schema.optionalKey(PreauthorizationResponse),
  /** Your own name and value pairs, as sent. */
  additional_params: Schema.optionalKey(Schema.Array(AdditionalParamResponse)),
  /** Lower case, unlike in the request. */
  lang: Schema.optionalKey(Schema.String),
  // The documentation's examples have spaces around the address.
  /** Address of the pay page. */
  gw_url: Schema.optionalKey(Schema.Trim),
  /** The rows of the order. */
  items: Schema.optionalKey(Schema.Array(ItemResponse)),
  /** Data of the Czech sales registration (abolished in 2023), as it came. */
  eet_code: Schema.optionalKey(passedThrough)
})

/**
 * Reads a payment.
 *
 * @category messages
 */
export const PaymentResponse = response(Payment)

/**
 * Reads a payment just created, which always has a `gw_url`.
 *
 * @category messages
 */
export const CreatePaymentResponse = response(
  Schema.Struct({
    ...Payment.fields,
    /** Address of the pay page: send the payer here. */
    gw_url: Schema.Trim.check(Schema.isNonEmpty())
  })
)

/**
 * Reads the result of a refund, a capture or a void.
 *
 * @category messages
 */
export const PaymentOperationResponse = response(
  Schema.Struct({
    /** The payment's id. */
    id: int,
    /**
     * `FINISHED`: done. `ACCEPTED` or unknown: taken, not yet done. (`FAILED` is reported as the error
     * `OperationRefused`.)
     */
    result: codeOf("OperationResults"),
    /** Details in words, for people. */
    description: Schema.optionalKey(Schema.String)
  })
)

/**
 * Reads one refund.
 *
 * @category messages
 */
export const RefundHistoryItem = response(
  Schema.Struct({
    /** The refund's own id. */
    id: int,
    /** The state of the refund; see `RefundStates`. */
    state: codeOf("RefundStates"),
    /** An integer in minor units. */
    amount: int,
    /** ISO 4217 code, such as `CZK`. */
    currency: Schema.optionalKey(codeOf("Currencies")),
    /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
    date_requested: Schema.optionalKey(timestamp),
    /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
    date_last_change: Schema.optionalKey(timestamp)
  })
)

/**
 * Reads the refunds of a payment.
 *
 * @category messages
 */
export const RefundHistory = Schema.Array(RefundHistoryItem)

/**
 * Reads a stored card.
 *
 * @category messages
 */
export const CardDetailsResponse = response(
  Schema.Struct({
    /** The gateway's number of the stored card. */
    card_id: int,
    /** Masked: six digits, six stars, four digits. */
    card_number: Schema.optionalKey(Schema.String),
    /** `YYMM`. */
    card_expiration: Schema.optionalKey(Schema.String),
    /** The card scheme's name. */
    card_brand: Schema.optionalKey(Schema.String),
    /** The country of the bank that issued the card. */
    card_issuer_country: Schema.optionalKey(Schema.String),
    /** The bank that issued the card. */
    card_issuer_bank: Schema.optionalKey(Schema.String),
    /** Presumably the same for the same card; undocumented. */
    card_fingerprint: Schema.optionalKey(Schema.String),
    /** Pays again as `payer.allowed_card_token`. */
    card_token: Schema.optionalKey(Schema.String),
    /** A deleted card can still be read. */
    status: Schema.optionalKey(codeOf("CardStatuses")),
    /** A card number, masked. Undocumented. */
    real_masked_pan: Schema.optionalKey(Schema.String),
    /** Address of the card's picture. */
    card_art_url: Schema.optionalKey(Schema.String)
  })
)

const Image = Schema.Struct({
  /** Address of the picture in its normal size. */
  normal: Schema.optionalKey(Schema.String),
  /** Address of the picture in its large size. */
  large: Schema.optionalKey(Schema.String)
})

const EnabledSwift = Schema.Struct({
  /** The code of the bank; see `SwiftCodes`. */
  swift: codeOf("SwiftCodes"),
  /** The name to show, keyed by language code. */
  label: Schema.optionalKey(label),
  /** Addresses of its picture. */
  image: Schema.optionalKey(Image),
  /** Whether the bank confirms at once. In `getPaymentInstruments` only. */
  isOnline: Schema.optionalKey(Schema.Boolean),
  /** The same for each currency. In `getPaymentInstrumentsAll` only. */
  currencies: Schema.optionalKey(
    keyed(
      Schema.Struct({
        /** Whether the bank confirms at once in this currency. */
        isOnline: Schema.optionalKey(Schema.Boolean)
      })
    )
  )
})

const EnabledBnplType = Schema.Struct({
  /** The code of the kind of deferred payment; see `BnplTypes`. */
  bnplType: codeOf("BnplTypes"),
  /** The name to show, keyed by language code. */
  label: Schema.optionalKey(label),
  /** Addresses of its picture. */
  image: Schema.optionalKey(Image)
})

const EnabledPaymentInstrument = Schema.Struct({
  /** The code of the instrument; see `PaymentInstruments`. */
  paymentInstrument: codeOf("PaymentInstruments"),
  /** The name to show, keyed by language code. */
  label: Schema.optionalKey(label),
  /** Addresses of its picture. */
  image: Schema.optionalKey(Image),
  /** The key of its group in `groups`. */
  group: Schema.optionalKey(codeOf("PaymentInstrumentGroups")),
  /** In `getPaymentInstrumentsAll` only. */
  currencies: Schema.optionalKey(codes(codeOf("Currencies"))),
  /** The banks, for `BANK_ACCOUNT`. */
  enabledSwifts: Schema.optionalKey(keyedBy("swift", EnabledSwift)),
  /** The kinds of deferred payment, where the instrument has them. */
  enabledBnplTypes: Schema.optionalKey(keyedBy("bnplType", EnabledBnplType))
})

/**
 * Reads the ways to pay in one currency; arrays and objects keyed by code become arrays.
 *
 * @category messages
 */
export const PaymentInstrumentsResponse = response(
  Schema.Struct({
    /** Keyed by `PaymentInstrumentGroup`. */
    groups: Schema.optionalKey(
      Schema.Record(
        Schema.String,
        Schema.Struct({
          /** The name of the group, keyed by language code. */
          label: Schema.optionalKey(label)
        })
      )
    ),
    /** Always an array, also where the gateway answered with an object keyed by code. */
    enabledPaymentInstruments: keyedBy("paymentInstrument", EnabledPaymentInstrument)
  })
)

/**
 * Reads the ways to pay in all currencies, in the same shape.
 *
 * @category messages
 */
export const PaymentInstrumentsAllResponse = PaymentInstrumentsResponse

const QrRecipient = Schema.Struct({
  /** The recipient's name. */
  name: Schema.optionalKey(Schema.String),
  /** The account to pay to, in its national and its international form. */
  bank_account: Schema.optionalKey(
    Schema.Struct({
      /** The account in its national form. */
      local: Schema.optionalKey(
        Schema.Struct({
          /** The prefix of the account number. */
          prefix: Schema.optionalKey(Schema.String),
          /** The account number, without prefix and bank code. */
          account_number: Schema.optionalKey(Schema.String),
          /** The bank's national code. */
          bank_code: Schema.optionalKey(Schema.String),
          /** The variable symbol, by which the transfer is matched to the payment. */
          variable_symbol: Schema.optionalKey(Schema.String)
        })
      ),
      /** The account in its international form. */
      international: Schema.optionalKey(
        Schema.Struct({
          /** The bank's BIC (SWIFT code). */
          bic: Schema.optionalKey(Schema.String),
          /** The IBAN. */
          iban: Schema.optionalKey(Schema.String),
          /** The reference, by which the transfer is matched to the payment. */
          reference: Schema.optionalKey(Schema.String)
        })
      )
    })
  ),
  /** The recipient's address. */
  address: Schema.optionalKey(
    Schema.Struct({
      /** Street and house number. */
      street: Schema.optionalKey(Schema.String),
      /** Town or city. */
      city: Schema.optionalKey(Schema.String),
      /** Postal code. */
      zip_code: Schema.optionalKey(Schema.String),
      /** The country. */
      country: Schema.optionalKey(Schema.String)
    })
  )
})

/**
 * Reads a QR payment.
 *
 * @category messages
 */
export const PaymentQrResponse = response(
  Schema.Struct({
    /** An integer in minor units. */
    amount: Schema.optionalKey(int),
    /** ISO 4217 code, such as `CZK`. */
    currency: Schema.optionalKey(codeOf("Currencies")),
    /** The recipient of the transfer. */
    recipient: Schema.optionalKey(QrRecipient),
    /** The pictures, base64, by standard. */
    qr_code: Schema.Struct({
      /** SPAYD, for CZK. */
      spayd: Schema.optionalKey(Schema.String),
      /** PAY by square, for EUR. */
      paybysquare: Schema.optionalKey(Schema.String),
      /** EPC (SEPA), for EUR. */
      sepa: Schema.optionalKey(Schema.String),
      /** MNB, for HUF. */
      mnb_qr: Schema.optionalKey(Schema.String)
    })
  })
)

/**
 * Reads an access token.
 *
 * @category messages
 */
export const AccessTokenResponse = response(
  Schema.Struct({
    // Sent in a header, so visible ASCII only.
    /** The token: visible ASCII characters. */
    access_token: Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/u)),
    /** The type of the token, such as `bearer`. */
    token_type: Schema.optionalKey(Schema.String),
    /** Seconds; 1800 in every recorded response. */
    expires_in: Schema.optionalKey(number)
  })
)

const errorCode: Schema.Codec<CodeLists.ErrorCode, number | string> = int

/**
 * One error of the gateway's own body.
 *
 * @category messages
 */
export const ErrorItem = Schema.Struct({
  /** `F`: about one field. `G`: about the whole request. */
  scope: Schema.optionalKey(codeOf("ErrorScopes")),
  /** The field, where the scope is `F`. */
  field: Schema.optionalKey(Schema.String),
  /** Decide on this number; see `ErrorCodes`. */
  error_code: errorCode,
  /** A symbolic name. Not known for every code. */
  error_name: Schema.optionalKey(Schema.String),
  /** For people, in the configured language (Czech or English). */
  message: Schema.optionalKey(Schema.String),
  /** Technical details. */
  description: Schema.optionalKey(Schema.String)
})

/**
 * Also reads a single error without the `errors` around it, as the documentation shows it.
 *
 * @category messages
 */
export const ErrorResponse = readAfter(
  Schema.Struct({
    /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
    date_issued: Schema.optionalKey(timestamp),
    /** At least one. */
    errors: Schema.Array(ErrorItem).check(Schema.isMinLength(1, { message: "must not be empty" }))
  }),
  (json) => {
    const body = withoutNulls(json)
    return Predicate.isObject(body) && !("errors" in body) && "error_code" in body ? { errors: [body] } : body
  }
)
