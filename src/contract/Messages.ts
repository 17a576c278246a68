/**
 * The gateway's requests and responses as plain interfaces.
 *
 * `GatewaySchema` holds the schemas that check them. Members keep the gateway's own names. Amounts are always integers in minor units
 * (haléře, cents): `139_950` is 1,399.50 CZK. Dates are always text, `yyyy-mm-dd`.
 */
import type {
  BnplType,
  CardStatus,
  Currency,
  ErrorCode,
  ErrorScope,
  PaymentItemType,
  GatewayLanguage,
  OperationResult,
  PaymentInstrument,
  PaymentInstrumentGroup,
  PaymentState,
  PaymentSubState,
  PreauthorizationState,
  QrFormat,
  RecurrenceCycle,
  RecurrenceState,
  RefundState,
  StatementFormat,
  SwiftCode,
  PaymentTargetType,
  ThreeDSecureResult,
  TokenScope
} from "./CodeLists.js"

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/**
 * An identifier of a payment, a card or a shop. The gateway answers with numbers; text is taken too, since that is
 * what `?id=` of a return address or a notification gives.
 *
 * A positive integer up to `Number.MAX_SAFE_INTEGER`, or its decimal digits. Leading zeros make no other id:
 * `"03000000003"` is sent, recorded and reported as `3000000003`.
 *
 * @category messages
 */
export type GatewayId = number | string

/**
 * Fields that GoPay added to its API before they are known here.
 *
 * @category messages
 */
export interface ExtraFields {
  /**
   * Sent as they are, beside the fields that are known: JSON values in a JSON body, text, numbers and booleans in a
   * form or a query. A field that is known here is refused, and so is what JSON would lose or change: `NaN`, a `bigint`,
   * a `Date`, a `Map`, an object with `toJSON`, `undefined` in a list. Their names, not their values, are in the span of
   * the call.
   */
  readonly extraFields?: { readonly [field: string]: unknown } | undefined
}

/**
 * Asks the gateway to create a payment (`createPayment`).
 *
 * @category messages
 */
export interface CreatePaymentRequest extends ExtraFields {
  /**
   * The sum to pay, an integer in minor units, 0 or more. 0 verifies a card when a recurrence or a preauthorization is
   * asked for.
   */
  readonly amount: number
  /** ISO 4217 code, such as `CZK`. */
  readonly currency: Currency
  /**
   * Your order's number, at most 128 characters. The gateway does not require it to be unique and cannot be searched by
   * it.
   */
  readonly order_number: string
  /** At most 256 characters. Not echoed in responses. */
  readonly order_description?: string | undefined
  /**
   * The rows of the order. Their sum may differ from `amount`: whether the gateway refuses that (code 360) is unsure.
   */
  readonly items?: ReadonlyArray<PaymentItem> | undefined
  /** The addresses that the payer returns to and that the gateway notifies of state changes. Not echoed in responses. */
  readonly callback: PaymentCallback
  /**
   * The payer and the ways to pay on offer. Optional in practice; GoPay asks for as much as you know, for 3-D Secure.
   */
  readonly payer?: Payer | undefined
  /** The recipient. When absent: `{ type: "ACCOUNT", goid }` with the configured `goid`. */
  readonly target?: PaymentTarget | undefined
  /** Language of the pay page, upper case. When absent: the configured language. */
  readonly lang?: GatewayLanguage | undefined
  /** Your own name and value pairs; the gateway returns them in every response about the payment. */
  readonly additional_params?: ReadonlyArray<AdditionalParam> | undefined
  /** Makes this the first payment of a recurrence. */
  readonly recurrence?: Recurrence | undefined
  /** `true` only holds the sum on the card, for 4 days: capture or void it. */
  readonly preauthorization?: boolean | undefined
  /** Data of the Czech sales registration (abolished in 2023), sent as it is. */
  readonly eet?: Eet | undefined
}

/**
 * A row of an order.
 *
 * @category messages
 */
export interface PaymentItem {
  /** The kind of row; an item when absent. */
  readonly type?: PaymentItemType | undefined
  /** At most 256 characters. */
  readonly name: string
  /** The total of the row (not the price of one piece), an integer in minor units; negative for a discount. */
  readonly amount: number
  /** The number of pieces, a positive integer. It does not multiply `amount`. */
  readonly count?: number | undefined
  /** Percent, 0 to 100. */
  readonly vat_rate?: number | undefined
  /** At most 13 characters. */
  readonly ean?: string | number | undefined
  /** At most 512 characters. */
  readonly product_url?: string | undefined
}

/**
 * The addresses that the payer returns to and that the gateway notifies of state changes.
 *
 * @category messages
 */
export interface PaymentCallback {
  /**
   * Absolute address, at most 512 characters. The payer's browser is sent here with `id` added to the query; the state
   * is not in it.
   */
  readonly return_url: string
  /** Absolute address, at most 512 characters. The gateway sends a GET with `id` (and `parent_id`) on state changes. */
  readonly notification_url?: string | undefined
}

/**
 * The payer, and the ways to pay on offer.
 *
 * @category messages
 */
export interface Payer {
  /** Only these instruments are offered; absent or empty: all that the shop has. */
  readonly allowed_payment_instruments?: ReadonlyArray<PaymentInstrument> | undefined
  /** The preselected instrument. */
  readonly default_payment_instrument?: PaymentInstrument | undefined
  /** Only these banks are offered for a bank transfer; absent or empty: all. */
  readonly allowed_swifts?: ReadonlyArray<SwiftCode> | undefined
  /** The preselected bank, when the default instrument is `BANK_ACCOUNT`. */
  readonly default_swift?: SwiftCode | undefined
  /** Only these kinds of deferred payment are offered; absent or empty: all. */
  readonly allowed_bnpl_types?: ReadonlyArray<BnplType> | undefined
  /** The preselected kind of deferred payment. */
  readonly default_bnpl_type?: BnplType | undefined
  /** The payer's name and addresses; GoPay asks for as much as you know. */
  readonly contact?: PayerContact | undefined
  /** The payer's bank account. */
  readonly bank_account?: BankAccount | undefined
  /** Four digits: an identification payment, which checks the payer's card. */
  readonly verify_pin?: string | undefined
  /** Pays with a stored card: its `card_token`. */
  readonly allowed_card_token?: string | undefined
  /** Asks for the card to be stored; its token and id appear in the paid payment. */
  readonly request_card_token?: boolean | undefined
  /** A card number, masked. Undocumented; presumably preselects a stored card. */
  readonly masked_pan?: string | undefined
}

/**
 * The payer's name and addresses.
 *
 * @category messages
 */
export interface PayerContact {
  /** At most 256 characters. */
  readonly first_name?: string | undefined
  /** At most 256 characters. */
  readonly last_name?: string | undefined
  /** At most 128 characters. */
  readonly email?: string | undefined
  /** With the country's prefix, at most 128 characters. */
  readonly phone_number?: string | undefined
  /** At most 128 characters. */
  readonly city?: string | undefined
  /** At most 128 characters. */
  readonly street?: string | undefined
  /** At most 16 characters. */
  readonly postal_code?: string | undefined
  /** ISO 3166-1 alpha-3, such as `CZE`. */
  readonly country_code?: string | undefined
}

/**
 * A bank account.
 *
 * @category messages
 */
export interface BankAccount {
  /** At most 50 characters. */
  readonly iban?: string | undefined
  /** At most 11 characters. */
  readonly bic?: string | undefined
  /** At most 64 characters. */
  readonly prefix?: string | undefined
  /** At most 128 characters. */
  readonly account_number?: string | undefined
  /** At most 8 characters. */
  readonly bank_code?: string | undefined
  /** At most 70 characters. */
  readonly account_name?: string | undefined
  /** ISO 3166-1 alpha-3, such as `CZE`. */
  readonly country?: string | undefined
  /** Undocumented. */
  readonly account_token?: string | undefined
}

/**
 * The recipient of a payment.
 *
 * @category messages
 */
export interface PaymentTarget {
  /** `ACCOUNT`, as far as is documented. */
  readonly type: PaymentTargetType
  /** The shop's identifier at GoPay. */
  readonly goid: GatewayId
}

/**
 * A name and value of your own, carried by a payment.
 *
 * @category messages
 */
export interface AdditionalParam {
  /** Your name for it. */
  readonly name: string
  /** Comes back in every response about the payment. */
  readonly value: string
}

/**
 * Makes a payment the first one of a recurrence.
 *
 * @category messages
 */
export interface Recurrence {
  /** `ON_DEMAND`: you charge with `createRecurrence`; else the gateway charges by itself. */
  readonly recurrence_cycle: RecurrenceCycle
  /** The number of cycles between two charges; not needed for `ON_DEMAND`. */
  readonly recurrence_period?: number | undefined
  /** The last day of the recurrence, `yyyy-mm-dd`. Required for `ON_DEMAND` too. */
  readonly recurrence_date_to: string
}

/**
 * Data of the Czech sales registration (abolished in 2023), passed through.
 *
 * @category messages
 */
export interface Eet {
  /** A field, by its own name. */
  readonly [field: string]: unknown
}

/**
 * Asks for money to be returned (`refundPayment`).
 *
 * @category messages
 */
export interface RefundPaymentRequest extends ExtraFields {
  /** The sum to return, a positive integer in minor units. */
  readonly amount: number
}

/**
 * Asks for the next charge of an `ON_DEMAND` recurrence (`createRecurrence`). Payer, target, callback and language are
 * the first payment's.
 *
 * @category messages
 */
export interface CreateRecurrenceRequest extends ExtraFields {
  /** A positive integer in minor units. */
  readonly amount: number
  /** ISO 4217 code, such as `CZK`. */
  readonly currency: Currency
  /** At most 128 characters. */
  readonly order_number: string
  /** At most 256 characters. GoPay's documentation requires it. */
  readonly order_description?: string | undefined
  /** GoPay's documentation requires them. */
  readonly items?: ReadonlyArray<PaymentItem> | undefined
  /** Your own name and value pairs; the gateway returns them in every response about the payment. */
  readonly additional_params?: ReadonlyArray<AdditionalParam> | undefined
  /** Data of the Czech sales registration (abolished in 2023), sent as it is. */
  readonly eet?: Eet | undefined
}

/**
 * Asks for a part of the authorized sum; the rest of the hold is released (`captureAuthorizationPartial`).
 *
 * @category messages
 */
export interface CaptureAuthorizationPartialRequest extends ExtraFields {
  /** The sum to capture, a positive integer in minor units, at most what was authorized. */
  readonly amount: number
  /** GoPay's documentation requires them. */
  readonly items?: ReadonlyArray<PaymentItem> | undefined
  /** Data of the Czech sales registration (abolished in 2023), sent as it is. */
  readonly eet?: Eet | undefined
}

/**
 * Asks for an account statement (`getAccountStatement`).
 *
 * @category messages
 */
export interface AccountStatementRequest extends ExtraFields {
  /** First day, `yyyy-mm-dd`. */
  readonly date_from: string
  /** Last day, `yyyy-mm-dd`, not before `date_from`. */
  readonly date_to: string
  /** The shop's identifier at GoPay. When absent: the configured `goid`. */
  readonly goid?: GatewayId | undefined
  /** The account's currency. */
  readonly currency: Currency
  /** The file's format; `StatementFormats` tells what each one is. */
  readonly format: StatementFormat
}

/**
 * Chooses the picture format of a QR payment (`getPaymentQr`).
 *
 * @category messages
 */
export interface PaymentQrRequest extends ExtraFields {
  /** `png` when absent. */
  readonly format?: QrFormat | undefined
}

/**
 * Asks for an access token.
 *
 * @category messages
 */
export interface AccessTokenRequest {
  /** Always `client_credentials`. */
  readonly grant_type: "client_credentials"
  /** The permission that the token is to give; see `TokenScopes`. */
  readonly scope: TokenScope
}

// ---------------------------------------------------------------------------------------------------------------------
// Responses
// ---------------------------------------------------------------------------------------------------------------------

/**
 * A payment as the gateway sees it now.
 *
 * @category messages
 */
export interface PaymentResponse {
  /** The gateway's number of the payment. */
  readonly id: number
  /** The first payment of the recurrence that this payment is a charge of. */
  readonly parent_id?: number
  /** Your order's number, as sent. */
  readonly order_number?: string
  /** `CANCELED` has one L, and it is `TIMEOUTED`. An unknown state is passed on as it came. */
  readonly state: PaymentState
  /** The cause of the state; see `PaymentSubStates`. */
  readonly sub_state?: PaymentSubState
  /** The instrument that the payer chose. */
  readonly payment_instrument?: PaymentInstrument
  /** An integer in minor units. */
  readonly amount: number
  /** ISO 4217 code, such as `CZK`. */
  readonly currency: Currency
  /** The payer, with what the gateway learned about them. */
  readonly payer?: PayerResponse
  /** The recipient of the payment. */
  readonly target?: PaymentTargetResponse
  /** The recurrence that the payment began, when there is one. */
  readonly recurrence?: RecurrenceResponse
  /** The hold on the card, when one was asked for. */
  readonly preauthorization?: PreauthorizationResponse
  /** Your own name and value pairs, as sent. */
  readonly additional_params?: ReadonlyArray<AdditionalParamResponse>
  /** Lower case, unlike in the request. */
  readonly lang?: string
  /** Address of the pay page. */
  readonly gw_url?: string
  /** The rows of the order. */
  readonly items?: ReadonlyArray<PaymentItemResponse>
  /** Data of the Czech sales registration (abolished in 2023), as it came. */
  readonly eet_code?: Eet
}

/**
 * A payment just created: it always has the address of its pay page.
 *
 * @category messages
 */
export interface CreatePaymentResponse extends PaymentResponse {
  /** Address of the pay page: send the payer here. */
  readonly gw_url: string
}

/**
 * The payer, with what the gateway learned about them.
 *
 * @category messages
 */
export interface PayerResponse {
  /** The instrument that the payer chose. */
  readonly payment_instrument?: PaymentInstrument
  /** The instruments that were offered. */
  readonly allowed_payment_instruments?: ReadonlyArray<PaymentInstrument>
  /** The preselected instrument. */
  readonly default_payment_instrument?: PaymentInstrument
  /** The banks that were offered for a bank transfer. */
  readonly allowed_swifts?: ReadonlyArray<SwiftCode>
  /** The preselected bank. */
  readonly default_swift?: SwiftCode
  /** The kinds of deferred payment that were offered. */
  readonly allowed_bnpl_types?: ReadonlyArray<BnplType>
  /** The preselected kind of deferred payment. */
  readonly default_bnpl_type?: BnplType
  /** The payer's e-mail address. */
  readonly email?: string
  /** The payer's telephone number. */
  readonly phone_number?: string
  /** The bank account that the payment came from. */
  readonly bank_account?: BankAccountResponse
  /** The card that the payment was made with. */
  readonly payment_card?: PaymentCardResponse
  /** The payer's name and addresses. */
  readonly contact?: PayerContactResponse
  /** The stored card, for `getCardDetails` and `deleteCard`. */
  readonly card_id?: GatewayId
}

/**
 * The payer's name and addresses, in a response.
 *
 * @category messages
 */
export interface PayerContactResponse {
  /** The payer's first name. */
  readonly first_name?: string
  /** The payer's last name. */
  readonly last_name?: string
  /** The payer's e-mail address. */
  readonly email?: string
  /** The payer's telephone number. */
  readonly phone_number?: string
  /** Town or city. */
  readonly city?: string
  /** Street and house number. */
  readonly street?: string
  /** Postal code. */
  readonly postal_code?: string
  /** ISO 3166-1 alpha-3. The gateway fills it in after a payment, even when you did not send it. */
  readonly country_code?: string
}

/**
 * The bank account that a payment came from.
 *
 * @category messages
 */
export interface BankAccountResponse {
  /** The IBAN. */
  readonly iban?: string
  /** The bank's BIC (SWIFT code). */
  readonly bic?: string
  /** The prefix of a Czech or Slovak account number. */
  readonly prefix?: string
  /** The account number, without prefix and bank code. */
  readonly account_number?: string
  /** The bank's national code. */
  readonly bank_code?: string
  /** The name of the account. */
  readonly account_name?: string
  /** The country of the bank. */
  readonly country?: string
  /** Undocumented. */
  readonly account_token?: string
}

/**
 * The card that a payment was made with.
 *
 * @category messages
 */
export interface PaymentCardResponse {
  /** Masked: six digits, six stars, four digits. */
  readonly card_number?: string
  /** `YYMM`: `2112` is December 2021. */
  readonly card_expiration?: string
  /** The card scheme's name. */
  readonly card_brand?: string
  /** ISO 3166-1 alpha-3. */
  readonly card_issuer_country?: string
  /** The bank that issued the card. */
  readonly card_issuer_bank?: string
  /** Pays again as `payer.allowed_card_token`. */
  readonly card_token?: string
  /** Presumably the same for the same card; undocumented. */
  readonly card_fingerprint?: string
  /** The result of 3-D Secure; see `ThreeDSecureResults`. */
  readonly "3ds_result"?: ThreeDSecureResult
}

/**
 * The recipient of a payment, in a response.
 *
 * @category messages
 */
export interface PaymentTargetResponse {
  /** The kind of recipient; see `PaymentTargetTypes`. */
  readonly type?: PaymentTargetType
  /** The shop's identifier at GoPay. */
  readonly goid?: number
}

/**
 * A recurrence, in a response.
 *
 * @category messages
 */
export interface RecurrenceResponse {
  /** The unit of the time between two charges, or `ON_DEMAND`. */
  readonly recurrence_cycle?: RecurrenceCycle
  /** The number of cycles between two charges. */
  readonly recurrence_period?: number
  /** `yyyy-mm-dd`. */
  readonly recurrence_date_to?: string
  /** The state of the recurrence; see `RecurrenceStates`. */
  readonly recurrence_state?: RecurrenceState
}

/**
 * A card hold, in a response.
 *
 * @category messages
 */
export interface PreauthorizationResponse {
  /** Whether a hold was asked for. */
  readonly requested?: boolean
  /** The state of the hold; see `PreauthorizationStates`. */
  readonly state?: PreauthorizationState
}

/**
 * Your own name and value, in a response.
 *
 * @category messages
 */
export interface AdditionalParamResponse {
  /** Your name for it. */
  readonly name: string
  /** Your value, as sent. */
  readonly value?: string
}

/**
 * A row of an order, in a response.
 *
 * @category messages
 */
export interface PaymentItemResponse {
  /** The kind of row; see `PaymentItemTypes`. */
  readonly type?: PaymentItemType
  /** The name of the row. */
  readonly name?: string
  /** The total of the row, an integer in minor units; negative for a discount. */
  readonly amount?: number
  /** The number of pieces. */
  readonly count?: number
  /** The rate of VAT, in percent. */
  readonly vat_rate?: number
  /** The EAN code. */
  readonly ean?: string | number
  /** Address of the product's page. */
  readonly product_url?: string
}

/**
 * The result of a refund, a capture or a void.
 *
 * @category messages
 */
export interface PaymentOperationResponse {
  /** The payment's id. */
  readonly id: number
  /**
   * `FINISHED`: done. `ACCEPTED` or unknown: taken, not yet done. (`FAILED` is reported as the error
   * `OperationRefused`.)
   */
  readonly result: OperationResult
  /** Details in words, for people. */
  readonly description?: string
}

/**
 * One refund of a payment.
 *
 * @category messages
 */
export interface RefundHistoryItem {
  /** The refund's own id. */
  readonly id: number
  /** The state of the refund; see `RefundStates`. */
  readonly state: RefundState
  /** An integer in minor units. */
  readonly amount: number
  /** ISO 4217 code, such as `CZK`. */
  readonly currency?: Currency
  /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
  readonly date_requested?: string
  /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
  readonly date_last_change?: string
}

/**
 * A stored card.
 *
 * @category messages
 */
export interface CardDetailsResponse {
  /** The gateway's number of the stored card. */
  readonly card_id: number
  /** Masked: six digits, six stars, four digits. */
  readonly card_number?: string
  /** `YYMM`. */
  readonly card_expiration?: string
  /** The card scheme's name. */
  readonly card_brand?: string
  /** The country of the bank that issued the card. */
  readonly card_issuer_country?: string
  /** The bank that issued the card. */
  readonly card_issuer_bank?: string
  /** Presumably the same for the same card; undocumented. */
  readonly card_fingerprint?: string
  /** Pays again as `payer.allowed_card_token`. */
  readonly card_token?: string
  /** A deleted card can still be read. */
  readonly status?: CardStatus
  /** A card number, masked. Undocumented. */
  readonly real_masked_pan?: string
  /** Address of the card's picture. */
  readonly card_art_url?: string
}

/**
 * A text in several languages, keyed by language code.
 *
 * @category messages
 */
export interface InstrumentLabel {
  /** The text in one language, by its code. */
  readonly [language: string]: string
}

/**
 * Addresses of a picture in two sizes.
 *
 * @category messages
 */
export interface InstrumentImage {
  /** Address of the picture in its normal size. */
  readonly normal?: string
  /** Address of the picture in its large size. */
  readonly large?: string
}

/**
 * A group of payment instruments.
 *
 * @category messages
 */
export interface InstrumentGroup {
  /** The name of the group, keyed by language code. */
  readonly label?: InstrumentLabel
}

/**
 * A way to pay that the shop offers.
 *
 * @category messages
 */
export interface EnabledPaymentInstrument {
  /** The code of the instrument; see `PaymentInstruments`. */
  readonly paymentInstrument: PaymentInstrument
  /** The name to show, keyed by language code. */
  readonly label?: InstrumentLabel
  /** Addresses of its picture. */
  readonly image?: InstrumentImage
  /** The key of its group in `groups`. */
  readonly group?: PaymentInstrumentGroup
  /** In `getPaymentInstrumentsAll` only. */
  readonly currencies?: ReadonlyArray<Currency>
  /** The banks, for `BANK_ACCOUNT`. */
  readonly enabledSwifts?: ReadonlyArray<EnabledSwift>
  /** The kinds of deferred payment, where the instrument has them. */
  readonly enabledBnplTypes?: ReadonlyArray<EnabledBnplType>
}

/**
 * A bank that the shop offers.
 *
 * @category messages
 */
export interface EnabledSwift {
  /** The code of the bank; see `SwiftCodes`. */
  readonly swift: SwiftCode
  /** The name to show, keyed by language code. */
  readonly label?: InstrumentLabel
  /** Addresses of its picture. */
  readonly image?: InstrumentImage
  /** Whether the bank confirms at once. In `getPaymentInstruments` only. */
  readonly isOnline?: boolean
  /** The same for each currency. In `getPaymentInstrumentsAll` only. */
  readonly currencies?: {
    readonly [currency: string]: {
      /** Whether the bank confirms at once in this currency. */
      readonly isOnline?: boolean
    }
  }
}

/**
 * A kind of deferred payment that the shop offers.
 *
 * @category messages
 */
export interface EnabledBnplType {
  /** The code of the kind of deferred payment; see `BnplTypes`. */
  readonly bnplType: BnplType
  /** The name to show, keyed by language code. */
  readonly label?: InstrumentLabel
  /** Addresses of its picture. */
  readonly image?: InstrumentImage
}

/**
 * The ways to pay in one currency.
 *
 * @category messages
 */
export interface PaymentInstrumentsResponse {
  /** Keyed by `PaymentInstrumentGroup`. */
  readonly groups?: { readonly [group: string]: InstrumentGroup }
  /** Always an array, also where the gateway answered with an object keyed by code. */
  readonly enabledPaymentInstruments: ReadonlyArray<EnabledPaymentInstrument>
}

/**
 * The ways to pay in all currencies.
 *
 * @category messages
 */
export interface PaymentInstrumentsAllResponse extends PaymentInstrumentsResponse {}

/**
 * A QR payment.
 *
 * @category messages
 */
export interface PaymentQrResponse {
  /** An integer in minor units. */
  readonly amount?: number
  /** ISO 4217 code, such as `CZK`. */
  readonly currency?: Currency
  /** The recipient of the transfer. */
  readonly recipient?: QrRecipient
  /** The pictures, base64, by standard. */
  readonly qr_code: QrCode
}

/**
 * QR pictures by standard, base64 in the requested format.
 *
 * @category messages
 */
export interface QrCode {
  /** SPAYD, for CZK. */
  readonly spayd?: string
  /** PAY by square, for EUR. */
  readonly paybysquare?: string
  /** EPC (SEPA), for EUR. */
  readonly sepa?: string
  /** MNB, for HUF. */
  readonly mnb_qr?: string
}

/**
 * The recipient of a QR payment.
 *
 * @category messages
 */
export interface QrRecipient {
  /** The recipient's name. */
  readonly name?: string
  /** The account to pay to, in its national and its international form. */
  readonly bank_account?: {
    /** The account in its national form. */
    readonly local?: {
      /** The prefix of the account number. */
      readonly prefix?: string
      /** The account number, without prefix and bank code. */
      readonly account_number?: string
      /** The bank's national code. */
      readonly bank_code?: string
      /** The variable symbol, by which the transfer is matched to the payment. */
      readonly variable_symbol?: string
    }
    /** The account in its international form. */
    readonly international?: {
      /** The bank's BIC (SWIFT code). */
      readonly bic?: string
      /** The IBAN. */
      readonly iban?: string
      /** The reference, by which the transfer is matched to the payment. */
      readonly reference?: string
    }
  }
  /** The recipient's address. */
  readonly address?: {
    /** Street and house number. */
    readonly street?: string
    /** Town or city. */
    readonly city?: string
    /** Postal code. */
    readonly zip_code?: string
    /** The country. */
    readonly country?: string
  }
}

/**
 * An account statement: the file, byte for byte.
 *
 * @category messages
 */
export interface AccountStatementResponse {
  /** The file's bytes. */
  readonly data: ArrayBuffer
  /**
   * The `Content-Type` of the response. GoPay documents `application/octet-stream` for every format: do not rely on it.
   */
  readonly contentType: string | null
  /** The `Content-Disposition` of the response; undocumented. */
  readonly contentDisposition: string | null
  /**
   * The file as text.
   *
   * Without `encoding`: a byte order mark decides, else the response's `charset`, else UTF-8 when the bytes are valid
   * UTF-8, else windows-1250 (some real statements are). A byte order mark is not part of the text.
   *
   * @param encoding a label of the WHATWG Encoding Standard, such as `utf-8` or `windows-1250`
   * @throws RangeError when `encoding` is not one that this runtime knows
   */
  readonly toText: (encoding?: string) => string
}

/**
 * An access token, as it comes from the gateway.
 *
 * @category messages
 */
export interface AccessTokenResponse {
  /** The token: visible ASCII characters. */
  readonly access_token: string
  /** The type of the token, such as `bearer`. */
  readonly token_type?: string
  /** Seconds; 1800 in every recorded response. */
  readonly expires_in?: number
}

/**
 * The body of every refusal.
 *
 * @category messages
 */
export interface ErrorResponse {
  /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
  readonly date_issued?: string
  /** At least one. */
  readonly errors: ReadonlyArray<ErrorItem>
}

/**
 * One error of a refusal.
 *
 * @category messages
 */
export interface ErrorItem {
  /** `F`: about one field. `G`: about the whole request. */
  readonly scope?: ErrorScope
  /** The field, where the scope is `F`. */
  readonly field?: string
  /** Decide on this number; see `ErrorCodes`. */
  readonly error_code: ErrorCode
  /** A symbolic name. Not known for every code. */
  readonly error_name?: string
  /** For people, in the configured language (Czech or English). */
  readonly message?: string
  /** Technical details. */
  readonly description?: string
}
