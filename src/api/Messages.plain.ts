/**
 * The gateway's requests and responses as plain interfaces.
 *
 * This module does not depend on Effect, so that every entry of the package shows the same types. `GatewaySchema` holds
 * the schemas that check them. Members keep the gateway's own names. Amounts are always integers in minor units
 * (haléře, cents): `139_950` is 1 399.50 CZK. Dates are always text, `yyyy-mm-dd`.
 */
import type {
  BnplType,
  CardStatus,
  Currency,
  ErrorCode,
  ErrorScope,
  ItemType,
  Language,
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
  Swift,
  TargetType,
  ThreeDSecureResult,
  TokenScope
} from "./CodeLists.plain.js"

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/**
 * An identifier of a payment, a card or a shop. The gateway answers with numbers; text is taken too, since that is
 * what `?id=` of a return address or a notification gives.
 */
export type Id = number | string

/** Fields that GoPay added to its API before they are known here. */
export interface ExtraFields {
  /**
   * Sent as they are, beside the fields that are known: JSON values in a JSON body, text, numbers and booleans in a form or
   * a query. A field that is known here is refused. Their names, not their values, are in the span of the call.
   */
  readonly extraFields?: { readonly [field: string]: unknown } | undefined
}

/** Asks the gateway to create a payment (`createPayment`). */
export interface CreatePaymentRequest extends ExtraFields {
  /** The sum to pay, an integer in minor units, 0 or more. 0 verifies a card when a recurrence or a preauthorization is asked for. */
  readonly amount: number
  /** ISO 4217 code, such as `CZK`. */
  readonly currency: Currency
  /** Your order's number, at most 128 characters. The gateway does not require it to be unique and cannot be searched by it. */
  readonly order_number: string
  /** At most 256 characters. Not echoed in answers. */
  readonly order_description?: string | undefined
  /** The rows of the order. Their sum may differ from `amount`: whether the gateway refuses that (code 360) is unsure. */
  readonly items?: ReadonlyArray<Item> | undefined
  /** Where the payer returns to, and where the gateway tells of state changes. Not echoed in answers. */
  readonly callback: Callback
  /** Who pays and how they may. Optional in practice; GoPay asks for as much as you know, for 3-D Secure. */
  readonly payer?: Payer | undefined
  /** Who is paid. When absent: `{ type: "ACCOUNT", goid }` with the configured `goid`. */
  readonly target?: Target | undefined
  /** Language of the pay page, upper case. When absent: the configured language. */
  readonly lang?: Language | undefined
  /** Your own name and value pairs; the gateway returns them in every answer about the payment. */
  readonly additional_params?: ReadonlyArray<AdditionalParam> | undefined
  /** Makes this the first payment of a recurrence. */
  readonly recurrence?: Recurrence | undefined
  /** `true` only holds the sum on the card, for 4 days: capture or void it. */
  readonly preauthorization?: boolean | undefined
  /** Data of the Czech sales registration (abolished in 2023), sent as it is. */
  readonly eet?: Eet | undefined
}

/** A row of an order. */
export interface Item {
  /** What the row is; an item when absent. */
  readonly type?: ItemType | undefined
  /** At most 256 characters. */
  readonly name: string
  /** The total of the row (not the price of one piece), an integer in minor units; negative for a discount. */
  readonly amount: number
  /** How many pieces, a positive integer. It does not multiply `amount`. */
  readonly count?: number | undefined
  /** Percent, 0 to 100. */
  readonly vat_rate?: number | undefined
  /** At most 13 characters. */
  readonly ean?: string | number | undefined
  /** At most 512 characters. */
  readonly product_url?: string | undefined
}

/** Where the payer returns to, and where the gateway tells of state changes. */
export interface Callback {
  /** Absolute address, at most 512 characters. The payer's browser is sent here with `id` added to the query; the state is not in it. */
  readonly return_url: string
  /** Absolute address, at most 512 characters. The gateway sends a GET with `id` (and `parent_id`) on state changes. */
  readonly notification_url?: string | undefined
}

/** Who pays, and which ways to pay are offered. */
export interface Payer {
  /** Only these instruments are offered; absent or empty: all that the shop has. */
  readonly allowed_payment_instruments?: ReadonlyArray<PaymentInstrument> | undefined
  /** The preselected instrument. */
  readonly default_payment_instrument?: PaymentInstrument | undefined
  /** Only these banks are offered for a bank transfer; absent or empty: all. */
  readonly allowed_swifts?: ReadonlyArray<Swift> | undefined
  /** The preselected bank, when the default instrument is `BANK_ACCOUNT`. */
  readonly default_swift?: Swift | undefined
  /** Only these kinds of deferred payment are offered; absent or empty: all. */
  readonly allowed_bnpl_types?: ReadonlyArray<BnplType> | undefined
  /** The preselected kind of deferred payment. */
  readonly default_bnpl_type?: BnplType | undefined
  /** How to reach the payer; GoPay asks for as much as you know. */
  readonly contact?: Contact | undefined
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

/** How to reach the payer. */
export interface Contact {
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

/** A bank account. */
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

/** Who is paid. */
export interface Target {
  /** `ACCOUNT`, as far as is documented. */
  readonly type: TargetType
  /** The shop's identifier at GoPay. */
  readonly goid: Id
}

/** A name and value of your own, carried by a payment. */
export interface AdditionalParam {
  /** Your name for it. */
  readonly name: string
  /** Comes back in every answer about the payment. */
  readonly value: string
}

/** Makes a payment the first one of a recurrence. */
export interface Recurrence {
  /** `ON_DEMAND`: you charge with `createRecurrence`; else the gateway charges by itself. */
  readonly recurrence_cycle: RecurrenceCycle
  /** How many cycles lie between two charges; not needed for `ON_DEMAND`. */
  readonly recurrence_period?: number | undefined
  /** The last day of the recurrence, `yyyy-mm-dd`. Required for `ON_DEMAND` too. */
  readonly recurrence_date_to: string
}

/** Data of the Czech sales registration (abolished in 2023), passed through. */
export interface Eet {
  readonly [field: string]: unknown
}

/** Asks for money to be returned (`refundPayment`). */
export interface RefundPaymentRequest extends ExtraFields {
  /** How much to return, a positive integer in minor units. */
  readonly amount: number
}

/** Asks for the next charge of an `ON_DEMAND` recurrence (`createRecurrence`). Payer, target, callback and language are the first payment's. */
export interface CreateRecurrenceRequest extends ExtraFields {
  /** A positive integer in minor units. */
  readonly amount: number
  readonly currency: Currency
  /** At most 128 characters. */
  readonly order_number: string
  /** At most 256 characters. GoPay's documentation requires it. */
  readonly order_description?: string | undefined
  /** GoPay's documentation requires them. */
  readonly items?: ReadonlyArray<Item> | undefined
  readonly additional_params?: ReadonlyArray<AdditionalParam> | undefined
  readonly eet?: Eet | undefined
}

/** Asks for a part of the authorized sum; the rest of the hold is released (`captureAuthorizationPartial`). */
export interface CaptureAuthorizationPartialRequest extends ExtraFields {
  /** How much to capture, a positive integer in minor units, at most what was authorized. */
  readonly amount: number
  /** GoPay's documentation requires them. */
  readonly items?: ReadonlyArray<Item> | undefined
  readonly eet?: Eet | undefined
}

/** Asks for an account statement (`getAccountStatement`). */
export interface AccountStatementRequest extends ExtraFields {
  /** First day, `yyyy-mm-dd`. */
  readonly date_from: string
  /** Last day, `yyyy-mm-dd`, not before `date_from`. */
  readonly date_to: string
  /** The shop's identifier at GoPay. When absent: the configured `goid`. */
  readonly goid?: Id | undefined
  /** The account's currency. */
  readonly currency: Currency
  /** The file's format; `StatementFormats` tells what each one is. */
  readonly format: StatementFormat
}

/** Chooses the picture format of a QR payment (`getPaymentQr`). */
export interface PaymentQrRequest extends ExtraFields {
  /** `png` when absent. */
  readonly format?: QrFormat | undefined
}

/** Asks for an access token. */
export interface AccessTokenRequest {
  readonly grant_type: "client_credentials"
  readonly scope: TokenScope
}

// ---------------------------------------------------------------------------------------------------------------------
// Responses
// ---------------------------------------------------------------------------------------------------------------------

/** A payment as the gateway sees it now. */
export interface PaymentResponse {
  readonly id: number
  /** The first payment of the recurrence that this payment is a charge of. */
  readonly parent_id?: number
  readonly order_number?: string
  /** `CANCELED` has one L, and it is `TIMEOUTED`. An unknown state is passed on as it came. */
  readonly state: PaymentState
  /** Why the payment is in its state; see `PaymentSubStates`. */
  readonly sub_state?: PaymentSubState
  /** What the payer chose. */
  readonly payment_instrument?: PaymentInstrument
  /** An integer in minor units. */
  readonly amount: number
  readonly currency: Currency
  readonly payer?: PayerResponse
  readonly target?: TargetResponse
  readonly recurrence?: RecurrenceResponse
  readonly preauthorization?: PreauthorizationResponse
  readonly additional_params?: ReadonlyArray<AdditionalParamResponse>
  /** Lower case, unlike in the request. */
  readonly lang?: string
  /** Address of the pay page. */
  readonly gw_url?: string
  readonly items?: ReadonlyArray<ItemResponse>
  readonly eet_code?: Eet
}

/** A payment just created: it always has the address of its pay page. */
export interface CreatePaymentResponse extends PaymentResponse {
  /** Address of the pay page: send the payer here. */
  readonly gw_url: string
}

/** The payer, with what the gateway learned about them. */
export interface PayerResponse {
  readonly payment_instrument?: PaymentInstrument
  readonly allowed_payment_instruments?: ReadonlyArray<PaymentInstrument>
  readonly default_payment_instrument?: PaymentInstrument
  readonly allowed_swifts?: ReadonlyArray<Swift>
  readonly default_swift?: Swift
  readonly allowed_bnpl_types?: ReadonlyArray<BnplType>
  readonly default_bnpl_type?: BnplType
  readonly email?: string
  readonly phone_number?: string
  readonly bank_account?: BankAccountResponse
  readonly payment_card?: PaymentCardResponse
  readonly contact?: ContactResponse
  /** The stored card, for `getCardDetails` and `deleteCard`. */
  readonly card_id?: Id
}

/** How to reach the payer, as answered. */
export interface ContactResponse {
  readonly first_name?: string
  readonly last_name?: string
  readonly email?: string
  readonly phone_number?: string
  readonly city?: string
  readonly street?: string
  readonly postal_code?: string
  /** ISO 3166-1 alpha-3. The gateway fills it in after a payment, even when you did not send it. */
  readonly country_code?: string
}

/** The bank account that a payment came from. */
export interface BankAccountResponse {
  readonly iban?: string
  readonly bic?: string
  readonly prefix?: string
  readonly account_number?: string
  readonly bank_code?: string
  readonly account_name?: string
  readonly country?: string
  readonly account_token?: string
}

/** The card that a payment was made with. */
export interface PaymentCardResponse {
  /** Masked: six digits, six stars, four digits. */
  readonly card_number?: string
  /** `YYMM`: `2112` is December 2021. */
  readonly card_expiration?: string
  readonly card_brand?: string
  /** ISO 3166-1 alpha-3. */
  readonly card_issuer_country?: string
  readonly card_issuer_bank?: string
  /** Pays again as `payer.allowed_card_token`. */
  readonly card_token?: string
  readonly card_fingerprint?: string
  readonly "3ds_result"?: ThreeDSecureResult
}

/** Who is paid, as answered. */
export interface TargetResponse {
  readonly type?: TargetType
  readonly goid?: number
}

/** A recurrence, as answered. */
export interface RecurrenceResponse {
  readonly recurrence_cycle?: RecurrenceCycle
  readonly recurrence_period?: number
  /** `yyyy-mm-dd`. */
  readonly recurrence_date_to?: string
  readonly recurrence_state?: RecurrenceState
}

/** A card hold, as answered. */
export interface PreauthorizationResponse {
  readonly requested?: boolean
  readonly state?: PreauthorizationState
}

/** Your own name and value, as answered. */
export interface AdditionalParamResponse {
  readonly name: string
  readonly value?: string
}

/** A row of an order, as answered. */
export interface ItemResponse {
  readonly type?: ItemType
  readonly name?: string
  readonly amount?: number
  readonly count?: number
  readonly vat_rate?: number
  readonly ean?: string | number
  readonly product_url?: string
}

/** What became of a refund, a capture or a void. */
export interface PaymentOperationResponse {
  /** The payment's id. */
  readonly id: number
  /** `FINISHED`: done. `ACCEPTED` or unknown: taken, not yet done. (`FAILED` is reported as the error `OperationRefused`.) */
  readonly result: OperationResult
  readonly description?: string
}

/** One refund of a payment. */
export interface RefundHistoryItem {
  /** The refund's own id. */
  readonly id: number
  readonly state: RefundState
  /** An integer in minor units. */
  readonly amount: number
  readonly currency?: Currency
  /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
  readonly date_requested?: string
  /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
  readonly date_last_change?: string
}

/** A stored card. */
export interface CardDetailsResponse {
  readonly card_id: number
  /** Masked: six digits, six stars, four digits. */
  readonly card_number?: string
  /** `YYMM`. */
  readonly card_expiration?: string
  readonly card_brand?: string
  readonly card_issuer_country?: string
  readonly card_issuer_bank?: string
  readonly card_fingerprint?: string
  /** Pays again as `payer.allowed_card_token`. */
  readonly card_token?: string
  /** A deleted card can still be read. */
  readonly status?: CardStatus
  readonly real_masked_pan?: string
  readonly card_art_url?: string
}

/** A text in several languages, keyed by language code. */
export interface Label {
  readonly [language: string]: string
}

/** Addresses of a picture in two sizes. */
export interface Image {
  readonly normal?: string
  readonly large?: string
}

/** A group of payment instruments. */
export interface InstrumentGroup {
  readonly label?: Label
}

/** A way to pay that the shop offers. */
export interface EnabledPaymentInstrument {
  readonly paymentInstrument: PaymentInstrument
  readonly label?: Label
  readonly image?: Image
  /** The key of its group in `groups`. */
  readonly group?: PaymentInstrumentGroup
  /** In `getPaymentInstrumentsAll` only. */
  readonly currencies?: ReadonlyArray<Currency>
  /** The banks, for `BANK_ACCOUNT`. */
  readonly enabledSwifts?: ReadonlyArray<EnabledSwift>
  readonly enabledBnplTypes?: ReadonlyArray<EnabledBnplType>
}

/** A bank that the shop offers. */
export interface EnabledSwift {
  readonly swift: Swift
  readonly label?: Label
  readonly image?: Image
  /** Whether the bank confirms at once. In `getPaymentInstruments` only. */
  readonly isOnline?: boolean
  /** The same for each currency. In `getPaymentInstrumentsAll` only. */
  readonly currencies?: { readonly [currency: string]: { readonly isOnline?: boolean } }
}

/** A kind of deferred payment that the shop offers. */
export interface EnabledBnplType {
  readonly bnplType: BnplType
  readonly label?: Label
  readonly image?: Image
}

/** The ways to pay in one currency. */
export interface PaymentInstrumentsResponse {
  /** Keyed by `PaymentInstrumentGroup`. */
  readonly groups?: { readonly [group: string]: InstrumentGroup }
  /** Always an array, also where the gateway answered with an object keyed by code. */
  readonly enabledPaymentInstruments: ReadonlyArray<EnabledPaymentInstrument>
}

/** The ways to pay in all currencies. */
export interface PaymentInstrumentsAllResponse extends PaymentInstrumentsResponse {}

/** A QR payment. */
export interface PaymentQrResponse {
  /** An integer in minor units. */
  readonly amount?: number
  readonly currency?: Currency
  readonly recipient?: QrRecipient
  /** The pictures, base64, by standard. */
  readonly qr_code: QrCode
}

/** QR pictures by standard, base64 in the requested format. */
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

/** Whom a QR payment pays. */
export interface QrRecipient {
  readonly name?: string
  readonly bank_account?: {
    readonly local?: {
      readonly prefix?: string
      readonly account_number?: string
      readonly bank_code?: string
      readonly variable_symbol?: string
    }
    readonly international?: {
      readonly bic?: string
      readonly iban?: string
      readonly reference?: string
    }
  }
  readonly address?: {
    readonly street?: string
    readonly city?: string
    readonly zip_code?: string
    readonly country?: string
  }
}

/** An account statement: the file, byte for byte. */
export interface AccountStatementResponse {
  /** The file's bytes. */
  readonly data: ArrayBuffer
  /** The `Content-Type` of the answer. GoPay documents `application/octet-stream` for every format: do not rely on it. */
  readonly contentType: string | null
  /** The `Content-Disposition` of the answer; undocumented. */
  readonly contentDisposition: string | null
  /**
   * The file as text.
   *
   * Without `encoding`: a byte order mark decides, else the answer's `charset`, else UTF-8 when the bytes are valid
   * UTF-8, else windows-1250 (some real statements are). A byte order mark is not part of the text.
   *
   * @param encoding a label of the WHATWG Encoding Standard, such as `utf-8` or `windows-1250`
   * @throws RangeError when `encoding` is not one that this runtime knows
   */
  readonly toText: (encoding?: string) => string
}

/** An access token, as the gateway answers it. */
export interface AccessTokenResponse {
  readonly access_token: string
  readonly token_type?: string
  /** Seconds; 1800 in every recorded answer. */
  readonly expires_in?: number
}

/** The body of every refusal. */
export interface ErrorResponse {
  /** Date and time as the gateway writes them (a number of milliseconds is turned into ISO 8601). */
  readonly date_issued?: string
  /** At least one. */
  readonly errors: ReadonlyArray<ErrorItem>
}

/** One error of a refusal. */
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
