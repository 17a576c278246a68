/**
 * The gateway's requests and responses as plain interfaces.
 *
 * `GatewaySchema` holds the schemas that check them. Members keep the gateway's own names. Amounts are always integers in minor units
 * (haléře, cents): `139_950` is 1,399.50 CZK. Dates are always text, `yyyy-mm-dd`.
 *
 * Each is described here only. The first paragraph of a comment is about the gateway, and says by its marks how well a thing is
 * known (`src/contract/notes/Note.ts`): the OpenAPI document is made of it. What follows is about this client.
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
 */
export type GatewayId = number | string

/** Fields that GoPay added to its API before they are known here. */
interface ExtraFields {
  /**
   * Sent as they are, beside the fields that are known: JSON values in a JSON body, text, numbers and booleans in a
   * form or a query. A field that is known here is refused, and so is what JSON would lose or change: `NaN`, a `bigint`,
   * a `Date`, a `Map`, an object with `toJSON`, `undefined` in a list. Their names, not their values, are in the span of
   * the call.
   */
  readonly extraFields?: { readonly [field: string]: unknown } | undefined
}

/**
 * An order to be paid. Recorded: numbers are taken as text too.
 *
 * The request of `createPayment`.
 */
export interface CreatePaymentRequest extends ExtraFields {
  /**
   * The sum to pay, an integer in minor units (haléře, cents). Weakly known: 0 verifies a card, with a recurrence or a
   * preauthorization.
   */
  readonly amount: number
  /** ISO 4217 code of a currency, such as `CZK`. */
  readonly currency: Currency
  /**
   * Number of your order, 1 to 128 characters. The documentation says alphanumeric. Recorded: a hyphen is taken, and
   * the same number twice.
   *
   * The gateway cannot be searched by it.
   */
  readonly order_number: string
  /** What is paid, at most 256 characters. Not repeated in responses. */
  readonly order_description?: string | undefined
  /**
   * The rows of the order. The documentation requires them, and refuses a sum other than `amount` with 360. Recorded: a
   * payment is created without them. Weakly known: official clients' tests send other sums and expect success.
   */
  readonly items?: ReadonlyArray<PaymentItem> | undefined
  /** Where to return and to notify. Not repeated in responses. */
  readonly callback: PaymentCallback
  /**
   * Who pays. The documentation requires every member of it, for 3-D Secure; official clients' tests send as little as
   * an e-mail address. Recorded: a payment is created without an address.
   */
  readonly payer?: Payer | undefined
  /**
   * Who is paid. The documentation requires it. Unknown: what happens without it. Invented: refused with 110.
   *
   * When absent: `{ type: "ACCOUNT", goid }` with the configured `goid`.
   */
  readonly target?: PaymentTarget | undefined
  /**
   * Language of the pay page.
   *
   * Upper case. When absent: the configured language.
   */
  readonly lang?: GatewayLanguage | undefined
  /** Your own names and values, repeated in every response. */
  readonly additional_params?: ReadonlyArray<AdditionalParam> | undefined
  /** Makes this the first payment of a recurrence. */
  readonly recurrence?: Recurrence | undefined
  /** `true` holds the sum on the card for 4 days, to be captured or voided. */
  readonly preauthorization?: boolean | undefined
  /** Data of the Czech sales registration, abolished in 2023. */
  readonly eet?: Eet | undefined
}

/** A row of an order. */
export interface PaymentItem {
  /** What the row is; an item when absent. */
  readonly type?: PaymentItemType | undefined
  /** What is sold, at most 256 characters. */
  readonly name: string
  /** Total of the row, not the price of one piece: an integer in minor units, negative for a discount. */
  readonly amount: number
  /** How many pieces. Does not multiply `amount`. */
  readonly count?: number | undefined
  /** VAT rate in percent. The documentation lists 0, 10, 15 and 21. Unknown: whether the Czech 12 % is taken. */
  readonly vat_rate?: number | undefined
  /** EAN, at most 13 characters. Weakly known: a number in the documentation's examples, text in official clients. */
  readonly ean?: string | number | undefined
  /** Address of the product, at most 512 characters. */
  readonly product_url?: string | undefined
}

/** Where the payer returns, and where the gateway notifies. */
export interface PaymentCallback {
  /**
   * Absolute address, at most 512 characters. The payer's browser comes here with `id` added to the query, and no
   * state.
   */
  readonly return_url: string
  /**
   * Absolute address, at most 512 characters. See the callback `stateChange`.
   *
   * The gateway sends a GET with `id` (and `parent_id`) on state changes.
   */
  readonly notification_url?: string | undefined
}

/** What is offered to the payer. */
interface Offer {
  /** The ways to pay that are offered; absent or empty: all that the shop has. Recorded: repeated in responses. */
  readonly allowed_payment_instruments?: ReadonlyArray<PaymentInstrument> | undefined
  /** The preselected way to pay. */
  readonly default_payment_instrument?: PaymentInstrument | undefined
  /** The banks that are offered; absent or empty: all that the shop has. */
  readonly allowed_swifts?: ReadonlyArray<SwiftCode> | undefined
  /** The preselected bank, where `BANK_ACCOUNT` is preselected. */
  readonly default_swift?: SwiftCode | undefined
  /** The kinds of deferred payment that are offered; absent or empty: all that the shop has. */
  readonly allowed_bnpl_types?: ReadonlyArray<BnplType> | undefined
  /** The preselected kind of deferred payment. */
  readonly default_bnpl_type?: BnplType | undefined
}

/** Who pays, and what is offered. */
export interface Payer extends Offer {
  /** How to reach the payer. */
  readonly contact?: PayerContact | undefined
  /** The payer's bank account. */
  readonly bank_account?: BankAccount | undefined
  /** Four digits: identifies the payer by the card. Not repeated in responses. */
  readonly verify_pin?: string | undefined
  /** Pays with a stored card: its token. Inferred: not repeated in responses. */
  readonly allowed_card_token?: string | undefined
  /** Asks for the card to be stored; `payment_card.card_token` has the token once it is paid. */
  readonly request_card_token?: boolean | undefined
  /** A card number with most digits masked, in some official clients only. Inferred: preselects a stored card. */
  readonly masked_pan?: string | undefined
}

/** How to reach the payer. */
export interface PayerContact {
  /** First name, at most 256 characters. */
  readonly first_name?: string | undefined
  /** Last name, at most 256 characters. */
  readonly last_name?: string | undefined
  /** E-mail address, at most 128 characters. */
  readonly email?: string | undefined
  /** Phone number with the prefix of the country, at most 128 characters. */
  readonly phone_number?: string | undefined
  /** City, at most 128 characters. */
  readonly city?: string | undefined
  /** Street and number, at most 128 characters. */
  readonly street?: string | undefined
  /** Postal code, at most 16 characters. */
  readonly postal_code?: string | undefined
  /** ISO 3166-1 alpha-3 code of a country, such as `CZE`. */
  readonly country_code?: string | undefined
}

/** A bank account. */
export interface BankAccount {
  /** IBAN, at most 50 characters. */
  readonly iban?: string | undefined
  /** BIC, at most 11 characters. */
  readonly bic?: string | undefined
  /** Prefix of the account number, at most 64 characters. */
  readonly prefix?: string | undefined
  /** Account number, at most 128 characters. */
  readonly account_number?: string | undefined
  /** Code of the bank, at most 8 characters. */
  readonly bank_code?: string | undefined
  /** Name of the account, at most 70 characters. */
  readonly account_name?: string | undefined
  /** ISO 3166-1 alpha-3 code of a country, such as `CZE`. */
  readonly country?: string | undefined
  /** In some official clients only. Unknown: what it is for. */
  readonly account_token?: string | undefined
}

/** Who is paid. */
export interface PaymentTarget {
  /**
   * Kind of the payee.
   *
   * Only `ACCOUNT` is documented.
   */
  readonly type: PaymentTargetType
  /**
   * The shop's identifier at GoPay (GoID): ten digits. Recorded: taken as a number and as text, returned as a number.
   */
  readonly goid: GatewayId
}

/** A name and value of your own. */
export interface AdditionalParam {
  /** Your name for it. */
  readonly name: string
  /** Comes back in every response. */
  readonly value: string
}

/** Asks for a recurrence. */
export interface Recurrence {
  /**
   * `ON_DEMAND`: the shop charges; else the gateway does by itself.
   *
   * You charge with `createRecurrence`.
   */
  readonly recurrence_cycle: RecurrenceCycle
  /** How many cycles lie between two charges. Not needed for `ON_DEMAND`. */
  readonly recurrence_period?: number | undefined
  /**
   * The last day, in the future. Weakly known: required for `ON_DEMAND` too; the latest day allowed differs by source.
   *
   * Written `yyyy-mm-dd`.
   */
  readonly recurrence_date_to: string
}

/** Data of the Czech sales registration (abolished in 2023), passed through. */
export interface Eet {
  /** A field, by its own name. */
  readonly [field: string]: unknown
}

/**
 * How much to return.
 *
 * The request of `refundPayment`.
 */
export interface RefundPaymentRequest extends ExtraFields {
  /** An integer in minor units, at most what was paid and not yet refunded. */
  readonly amount: number
}

/**
 * The next charge of a recurrence. Recorded: payer's contact and payee are those of the first payment. Inferred: so are
 * the language and the callback.
 *
 * The request of `createRecurrence`, for an `ON_DEMAND` recurrence.
 */
export interface CreateRecurrenceRequest
  extends ExtraFields, Pick<CreatePaymentRequest, "currency" | "order_number" | "additional_params" | "eet"> {
  /** The sum to pay, an integer in minor units (haléře, cents). */
  readonly amount: number
  /** What is paid, at most 256 characters. The documentation requires it. */
  readonly order_description?: string | undefined
  /** The rows of the order. The documentation requires them. */
  readonly items?: ReadonlyArray<PaymentItem> | undefined
}

/**
 * How much of a hold to capture; the rest is released.
 *
 * The request of `captureAuthorizationPartial`.
 */
export interface CaptureAuthorizationPartialRequest
  extends ExtraFields, Pick<CreateRecurrenceRequest, "items" | "eet"> {
  /** An integer in minor units, at most what is held. */
  readonly amount: number
}

/**
 * Which statement to download. Unknown: the longest time that it may cover.
 *
 * The request of `getAccountStatement`.
 */
export interface AccountStatementRequest extends ExtraFields {
  /**
   * The first day.
   *
   * Written `yyyy-mm-dd`.
   */
  readonly date_from: string
  /**
   * The last day. Inferred: not before `date_from`.
   *
   * Written `yyyy-mm-dd`.
   */
  readonly date_to: string
  /**
   * The shop's identifier at GoPay (GoID): ten digits. Recorded: taken as a number and as text, returned as a number.
   *
   * When absent: the configured `goid`.
   */
  readonly goid?: GatewayId | undefined
  /** Currency of the account. */
  readonly currency: Currency
  /**
   * Format of the file.
   *
   * `StatementFormats` describes each one.
   */
  readonly format: StatementFormat
}

/**
 * Which pictures to return.
 *
 * The options of `getPaymentQr`.
 */
export interface PaymentQrRequest extends ExtraFields {
  /** Format of the pictures; `png` when absent. */
  readonly format?: QrFormat | undefined
}

/** Asks for an access token. */
export interface AccessTokenRequest {
  /** Always `client_credentials`. */
  readonly grant_type: "client_credentials"
  /** What the token is to allow. Unknown: what happens without it. Invented: the token is for everything. */
  readonly scope: TokenScope
}

// ---------------------------------------------------------------------------------------------------------------------
// Responses
// ---------------------------------------------------------------------------------------------------------------------

/** What GoPay added to a response before it is known here. */
interface AddedFields {
  /**
   * What the gateway sent beyond the members that are known here, as it came, at its own place: a new member of
   * `payer.payment_card` is `extraFields.payer.payment_card`, one of the second item `extraFields.items[1]`. Absent if
   * there is none. A member moves from here to its own name when a version of this package knows it.
   */
  readonly extraFields?: { readonly [field: string]: unknown }
}

/** What a request said, as a response repeats it: any member may be absent. */
type Repeated<Request> = { readonly [Name in keyof Request]?: Exclude<Request[Name], undefined> }

/** A payment as it is now. Recorded: members without a value are left out; until 2016 they were `null`. */
export interface PaymentResponse extends AddedFields {
  /** Id of the payment. Recorded: a number of ten digits. Inferred: a multiple of 13, as all known ones are. */
  readonly id: number
  /** Of a payment born from a recurrence: the first payment of it. Recorded: comes right after `id`. */
  readonly parent_id?: number
  /**
   * Number of your order, 1 to 128 characters. The documentation says alphanumeric. Recorded: a hyphen is taken, and
   * the same number twice.
   */
  readonly order_number?: string
  /**
   * State of the payment: decide on this.
   *
   * `CANCELED` has one L, and it is `TIMEOUTED`. An unknown state is passed on as it came.
   */
  readonly state: PaymentState
  /** Why it is in its state. Only where the gateway has set one. */
  readonly sub_state?: PaymentSubState
  /** What the payer chose. */
  readonly payment_instrument?: PaymentInstrument
  /**
   * The sum to pay, an integer in minor units (haléře, cents). Unknown: whether a partial capture changes it. Invented:
   * it stays, unless the setting `amountAfterCapture` says otherwise.
   */
  readonly amount: number
  /** ISO 4217 code of a currency, such as `CZK`. */
  readonly currency: Currency
  /** The payer, with what the gateway has learned. */
  readonly payer?: PayerResponse
  /** Who is paid. */
  readonly target?: PaymentTargetResponse
  /** Present if one was requested. Recorded: absent in the payments that follow the first. */
  readonly recurrence?: RecurrenceResponse
  /** Present if one was requested. An object, while the request has a boolean. */
  readonly preauthorization?: PreauthorizationResponse
  /**
   * Your own names and values. Weakly known: HTML-encoded, such as `&#34;` for a quote: a client's authors saw it at
   * the sandbox. Invented: as they were sent, unless the setting `textEcho` says otherwise.
   */
  readonly additional_params?: ReadonlyArray<AdditionalParamResponse>
  /** Language of the pay page. Recorded: in lower case. */
  readonly lang?: string
  /**
   * Address of the pay page. The documentation's examples have blanks around it. Recorded: no blanks; it ends with 32
   * hexadecimal digits.
   */
  readonly gw_url?: string
  /** In one official client only. Recorded: never seen. Unknown: when it comes. */
  readonly items?: ReadonlyArray<PaymentItemResponse>
  /** Codes of the Czech sales registration, abolished in 2023. Recorded: in 2019. */
  readonly eet_code?: Eet
}

/** The payment created; it has the address of its pay page. */
export interface CreatePaymentResponse extends PaymentResponse {
  /**
   * Address of the pay page. The documentation's examples have blanks around it. Recorded: no blanks; it ends with 32
   * hexadecimal digits.
   *
   * Send the payer here.
   */
  readonly gw_url: string
}

/** The payer. */
export interface PayerResponse extends Repeated<Offer> {
  /** What the payer chose. Recorded: `null` in 2016, absent since. Unknown: when it is set. */
  readonly payment_instrument?: PaymentInstrument
  /** The payer's e-mail address; see `contact`. Recorded: `null` in 2016, absent since. Unknown: when it is set. */
  readonly email?: string
  /** The payer's phone number; see `contact`. Recorded: `null` in 2016, absent since. Unknown: when it is set. */
  readonly phone_number?: string
  /** After a bank transfer: the account that it came from. */
  readonly bank_account?: BankAccountResponse
  /** After a card payment: the card. Recorded: absent in the payments that follow the first of a recurrence. */
  readonly payment_card?: PaymentCardResponse
  /** How to reach the payer. */
  readonly contact?: PayerContactResponse
  /**
   * Id of the stored card, where there is one. Weakly known: text in two official clients.
   *
   * For `getCardDetails` and `deleteCard`.
   */
  readonly card_id?: GatewayId
}

/** How to reach the payer. */
export interface PayerContactResponse extends Repeated<PayerContact> {
  /**
   * ISO 3166-1 alpha-3 code of a country, such as `CZE`. Recorded: filled in by the gateway after the payment, even if
   * it was not sent.
   */
  readonly country_code?: string
}

/** The bank account that a payment came from. */
export interface BankAccountResponse extends Repeated<BankAccount> {}

/** The card that a payment was made with. */
export interface PaymentCardResponse {
  /** Masked card number: six digits, six stars, four digits. Recorded: `418803******0003`. */
  readonly card_number?: string
  /** Month of expiry, `YYMM`: `2112` is December 2021. Recorded: `2112`. */
  readonly card_expiration?: string
  /** Brand, such as `VISA Electron`. */
  readonly card_brand?: string
  /** ISO 3166-1 alpha-3 code of a country, such as `CZE`. */
  readonly card_issuer_country?: string
  /** Name of the bank that issued the card. */
  readonly card_issuer_bank?: string
  /** Pays again, as `payer.allowed_card_token`. */
  readonly card_token?: string
  /** The same for the same card. Inferred: from the name. */
  readonly card_fingerprint?: string
  /** Result of 3-D Secure. Unknown: for which payments it comes. Invented: for stored cards only. */
  readonly "3ds_result"?: ThreeDSecureResult
}

/** Who is paid. */
export interface PaymentTargetResponse {
  /** Kind of the payee. */
  readonly type?: PaymentTargetType
  /**
   * The shop's identifier at GoPay (GoID): ten digits. Recorded: taken as a number and as text, returned as a number.
   */
  readonly goid?: number
}

/** A recurrence as it is now. */
export interface RecurrenceResponse {
  /** How it is charged. */
  readonly recurrence_cycle?: RecurrenceCycle
  /** How many cycles lie between two charges. */
  readonly recurrence_period?: number
  /** The last day, `yyyy-mm-dd`. */
  readonly recurrence_date_to?: string
  /** Set by the gateway. */
  readonly recurrence_state?: RecurrenceState
}

/** A card hold as it is now. */
export interface PreauthorizationResponse {
  /** `true`. */
  readonly requested?: boolean
  /** Set by the gateway. */
  readonly state?: PreauthorizationState
}

/** A name and value of your own. */
export interface AdditionalParamResponse {
  /** Your name for it. */
  readonly name: string
  /** As it was sent. */
  readonly value?: string
}

/** A row of an order. */
export interface PaymentItemResponse extends Repeated<PaymentItem> {}

/** What became of a refund, a capture or a void. */
export interface PaymentOperationResponse extends AddedFields {
  /** Id of the payment. */
  readonly id: number
  /**
   * Not always done: see each value.
   *
   * `FINISHED`: done. `ACCEPTED` or unknown: taken, not yet done. (`FAILED` is reported as the error
   * `OperationRefused`.)
   */
  readonly result: OperationResult
  /** A text for people. Recorded: `null` in 2016, absent since. */
  readonly description?: string
}

/** One refund. */
export interface RefundHistoryItem extends AddedFields {
  /** Id of the refund, not of the payment. */
  readonly id: number
  /** State of the refund. */
  readonly state: RefundState
  /** How much is returned, an integer in minor units. */
  readonly amount: number
  /** ISO 4217 code of a currency, such as `CZK`. */
  readonly currency?: Currency
  /**
   * When it was requested. Inferred: written like every recorded time: `2026-01-15T10:30:00.000+0100`. Unknown: the
   * form that the gateway uses here.
   *
   * As the gateway writes it; a number of milliseconds is turned into ISO 8601.
   */
  readonly date_requested?: string
  /**
   * When it last changed. Inferred: written like every recorded time: `2026-01-15T10:30:00.000+0100`. Unknown: the form
   * that the gateway uses here.
   *
   * As the gateway writes it; a number of milliseconds is turned into ISO 8601.
   */
  readonly date_last_change?: string
}

/** A stored card. In the official clients, not in the documentation. Unknown: which members may be absent. */
export interface CardDetailsResponse extends Omit<PaymentCardResponse, "3ds_result">, AddedFields {
  /** Id of the card. */
  readonly card_id: number
  /** A deleted card can still be read. */
  readonly status?: CardStatus
  /** A masked card number. Inferred: that of the card behind a card token, where `card_number` is the token's. */
  readonly real_masked_pan?: string
  /** Address of a picture of the card. */
  readonly card_art_url?: string
}

/** A text in several languages, keyed by language code. */
export interface InstrumentLabel {
  /** The text in one language, by its code. */
  readonly [language: string]: string
}

/** Addresses of a picture. */
export interface InstrumentImage {
  /** Address of the picture in its usual size. */
  readonly normal?: string
  /** Address of a larger picture. */
  readonly large?: string
}

/** A group of ways to pay. */
export interface InstrumentGroup {
  /** Texts by language code. Weakly known: the documentation shows `cs` alone. Invented: `cs` and `en`. */
  readonly label?: InstrumentLabel
}

/** A way to pay that the shop has. */
export interface EnabledPaymentInstrument {
  /** Code of the payment method. */
  readonly paymentInstrument: PaymentInstrument
  /** Texts by language code. Weakly known: the documentation shows `cs` alone. Invented: `cs` and `en`. */
  readonly label?: InstrumentLabel
  /** Pictures in two sizes. */
  readonly image?: InstrumentImage
  /** Key of its group in `groups`. */
  readonly group?: PaymentInstrumentGroup
  /**
   * The currencies that it can be paid in. Weakly known: an array of codes.
   *
   * In `getPaymentInstrumentsAll` only.
   */
  readonly currencies?: ReadonlyArray<Currency>
  /** The banks, for `BANK_ACCOUNT`; else `null`. Weakly known: keyed by code in the response for all currencies. */
  readonly enabledSwifts?: ReadonlyArray<EnabledSwift>
  /** The kinds of deferred payment. Inferred: keyed by code in the response for all currencies, as the banks are. */
  readonly enabledBnplTypes?: ReadonlyArray<EnabledBnplType>
}

/** A bank that the shop has. */
export interface EnabledSwift extends Pick<EnabledPaymentInstrument, "label" | "image"> {
  /** SWIFT code of the bank, or one of GoPay's own. */
  readonly swift: SwiftCode
  /**
   * Whether the bank confirms payments at once.
   *
   * In `getPaymentInstruments` only.
   */
  readonly isOnline?: boolean
  /**
   * What the bank offers in each currency. Weakly known: by currency.
   *
   * In `getPaymentInstrumentsAll` only.
   */
  readonly currencies?: {
    readonly [currency: string]: {
      /** Whether the bank confirms payments at once. Weakly known: documentation of 2016. */
      readonly isOnline?: boolean
    }
  }
}

/** A kind of deferred payment that the shop has. */
export interface EnabledBnplType extends Pick<EnabledPaymentInstrument, "label" | "image"> {
  /** Code of the kind. */
  readonly bnplType: BnplType
}

/** The ways to pay in one currency. */
export interface PaymentInstrumentsResponse extends AddedFields {
  /** The groups, by their code. */
  readonly groups?: { readonly [group: string]: InstrumentGroup }
  /**
   * The ways to pay: an array. Inferred: it may also come keyed by code, as in the response for all currencies.
   *
   * Always an array, also where the gateway answered with an object keyed by code.
   */
  readonly enabledPaymentInstruments: ReadonlyArray<EnabledPaymentInstrument>
}

/** The ways to pay in all currencies. */
export interface PaymentInstrumentsAllResponse extends PaymentInstrumentsResponse {
  /**
   * The ways to pay. Weakly known: an object keyed by code, by documentation of 2016 and third-party code.
   *
   * Always an array, also where the gateway answered with an object keyed by code.
   */
  readonly enabledPaymentInstruments: ReadonlyArray<EnabledPaymentInstrument>
}

/** A bank transfer, ready to be made. */
export interface PaymentQrResponse extends AddedFields {
  /** The sum to pay, an integer in minor units (haléře, cents). */
  readonly amount?: number
  /** ISO 4217 code of a currency, such as `CZK`. */
  readonly currency?: Currency
  /** Whom to pay. */
  readonly recipient?: QrRecipient
  /** Pictures by standard. Invented: SPAYD for CZK, PAY by square and EPC for EUR, to accounts that cannot exist. */
  readonly qr_code: QrCode
}

/** Pictures by standard, base64, in the requested format. */
export interface QrCode {
  /** Short Payment Descriptor, for CZK. */
  readonly spayd?: string
  /** PAY by square, for EUR. */
  readonly paybysquare?: string
  /** EPC (SEPA), for EUR. */
  readonly sepa?: string
  /** MNB, for HUF. */
  readonly mnb_qr?: string
}

/** Whom to pay. */
export interface QrRecipient {
  /** Name of the payee. */
  readonly name?: string
  /** The account in its domestic and its international form. */
  readonly bank_account?: {
    /** The form that is used within the country. */
    readonly local?: {
      /** Prefix of the account number. Weakly known: `000000`. */
      readonly prefix?: string
      /** Account number. */
      readonly account_number?: string
      /** Code of the bank. */
      readonly bank_code?: string
      /** Tells the payee what is paid. Weakly known: the id of the payment. */
      readonly variable_symbol?: string
    }
    /** The form for payments from abroad. */
    readonly international?: {
      /** BIC of the bank. */
      readonly bic?: string
      /** IBAN of the account. */
      readonly iban?: string
      /** Tells the payee what is paid. Invented: the id of the payment. */
      readonly reference?: string
    }
  }
  /** Address of the payee. */
  readonly address?: {
    /** Street with the house number. */
    readonly street?: string
    /** City or municipality. */
    readonly city?: string
    /** Postal code. */
    readonly zip_code?: string
    /** Country. */
    readonly country?: string
  }
}

/** An account statement: the file, byte for byte. */
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

/** An access token. Recorded: a `refresh_token` comes too; no way to use it is documented. */
export interface AccessTokenResponse {
  /**
   * Opaque. Recorded: 108 characters of base64, `+` and `/` among them.
   *
   * Visible ASCII characters.
   */
  readonly access_token: string
  /** The kind of token. Recorded: `bearer`. */
  readonly token_type?: string
  /** How long it is valid, in seconds. Recorded: 1800. */
  readonly expires_in?: number
}

/**
 * A refusal. The documentation also shows a single error without `errors` around it. Recorded: always with `errors`.
 */
export interface ErrorResponse {
  /**
   * When it was refused. The documentation's example has milliseconds since 1970. Recorded: text such as
   * `2026-01-15T10:30:00.000+0100`, in Prague time.
   *
   * As the gateway writes it; a number of milliseconds is turned into ISO 8601.
   */
  readonly date_issued?: string
  /** At least one. */
  readonly errors: ReadonlyArray<ErrorItem>
}

/** One thing that is wrong. */
export interface ErrorItem {
  /**
   * What it is about.
   *
   * `F`: about one field. `G`: about the whole request.
   */
  readonly scope?: ErrorScope
  /** The wrong field, where the scope is `F`. */
  readonly field?: string
  /**
   * What is wrong.
   *
   * Decide on this number; see `ErrorCodes`.
   */
  readonly error_code: ErrorCode
  /** Symbolic name. Unknown: for most codes. Invented: where it is unknown. */
  readonly error_name?: string
  /**
   * For people, in the language of `Accept-Language`. Recorded: that of 111, 304 and 340 in English, that of 202 in
   * English and Czech. Unknown: the others. Invented: the others.
   */
  readonly message?: string
  /** Technical details. Recorded: absent where there are none. */
  readonly description?: string
}
