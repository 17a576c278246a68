/**
 * The gateway's code lists: every known code and its meaning.
 *
 * Each list is a plain constant keyed by code, for menus, messages and look-ups. Beside it is an open type for fields:
 * editors complete the known codes, but an unlisted code is still accepted, passed through unchanged and may be sent; the
 * build says so of each type. The gateway may know codes that our sources do not, so no list is used to reject a value. The
 * module imports nothing and works anywhere, including in a browser.
 */

/**
 * Currencies in which a payment can be made, by ISO 4217 code.
 *
 * The list is open: an unknown code decodes to itself and may be sent. HRK was removed in 2023, though older
 * documentation still shows it. Which ones a shop may use is answered by `getPaymentInstrumentsAll`.
 *
 * Source: GoPay REST API v3 documentation and official SDKs.
 */
export const Currencies = {
  CZK: "Czech koruna",
  EUR: "Euro",
  PLN: "Polish złoty",
  HUF: "Hungarian forint",
  USD: "US dollar",
  GBP: "Pound sterling",
  BGN: "Bulgarian lev",
  RON: "Romanian leu"
} as const

/** One of {@link Currencies}, or any other, as the list is open (same source). */
export type Currency = keyof typeof Currencies | (string & {})

/**
 * Languages of the payment page.
 *
 * The list is open: an unknown code decodes to itself and may be sent. `lang` is sent in upper case and comes back in
 * lower case (`CS` is answered as `cs`), so compare without regard to case. The default of the gateway when `lang` is
 * left out is not known.
 *
 * Source: GoPay REST API v3 documentation and official SDKs (the documentation stops at `ES`); the case of the response
 * is from recorded responses.
 */
export const GatewayLanguages = {
  CS: "Czech",
  EN: "English",
  SK: "Slovak",
  DE: "German",
  RU: "Russian",
  PL: "Polish",
  HU: "Hungarian",
  FR: "French",
  RO: "Romanian",
  BG: "Bulgarian",
  HR: "Croatian",
  IT: "Italian",
  ES: "Spanish",
  /** `UK` is the language code of Ukrainian, not the United Kingdom. */
  UK: "Ukrainian",
  ET: "Estonian",
  LT: "Lithuanian",
  LV: "Latvian",
  /** `SL` is Slovenian; Slovak is `SK`. */
  SL: "Slovenian",
  PT: "Portuguese"
} as const

/**
 * A language code: one of {@link GatewayLanguages}, or any other, as the list is open (same source). Responses carry it in
 * lower case.
 */
export type GatewayLanguage = keyof typeof GatewayLanguages | (string & {})

/**
 * States of a payment.
 *
 * The list is open: an unknown state decodes to itself; treat it as neither paid nor failed. Mind the spelling:
 * `CANCELED` has one L, and it is `TIMEOUTED`. The gateway notifies the shop of every change except those to `CREATED`
 * and `PAYMENT_METHOD_CHOSEN`. Seen from outside, a card payment may skip `PAYMENT_METHOD_CHOSEN`.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; when notifications are sent is from the official help
 * centre. That refunds after the first lead from `PARTIALLY_REFUNDED` to `REFUNDED` is our inference, as is that the
 * sub-state `_5047`, paid after the due date, comes after `TIMEOUTED`.
 */
export const PaymentStates = {
  CREATED: "Created, and the payer has not chosen a method yet; goes on to PAYMENT_METHOD_CHOSEN or TIMEOUTED.",
  PAYMENT_METHOD_CHOSEN:
    "The payer has chosen a method and the money is awaited; goes on to PAID, AUTHORIZED, CANCELED or TIMEOUTED.",
  PAID: "Confirmed as paid; only refunds move it on, to PARTIALLY_REFUNDED or REFUNDED.",
  AUTHORIZED:
    "The amount is held on the payer's card; a capture makes it PAID, a void or the end of the hold makes it CANCELED.",
  CANCELED:
    "Declined, cancelled by the payer, or a hold that was voided or ran out; usually the end, though no source rules out that money still comes.",
  TIMEOUTED:
    "The payer did not choose a method or did not pay in time; a bank transfer that comes late can still make it PAID.",
  REFUNDED: "The whole amount has been refunded; no state follows.",
  PARTIALLY_REFUNDED: "A part of the amount has been refunded; goes on to REFUNDED once refunds reach the total."
} as const

/** One of {@link PaymentStates}, or any other, as the list is open (same source). */
export type PaymentState = keyof typeof PaymentStates | (string & {})

/**
 * Sub-states of a payment: why it is in its state, most often why it was declined.
 *
 * The list is open: an unknown code decodes to itself. A payment carries a sub-state only when the gateway has set one.
 * Decide on the state; show or log the sub-state. There is no `_5032` and no `_5034`.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; the undescribed codes are known only from enumerations in
 * the SDKs.
 */
export const PaymentSubStates = {
  _101: "Pending: waiting for an online payment to be made",
  _102: "Pending: waiting for an offline payment to be made",
  _3001: "Bank payment confirmed by a letter of advice",
  _3002: "Bank payment confirmed by an account statement",
  _3003: "Bank payment not authorized",
  _5001: "Approved with a zero amount",
  _5002: "Declined: the card's limit has been reached",
  _5003: "Declined: trouble at the card issuer",
  _5004: "Declined: trouble at the card issuer",
  _5005: "Declined: the card is blocked",
  _5006: "Declined: insufficient funds",
  _5007: "Declined: the card has expired",
  _5008: "Declined: the CVV/CVC code was refused",
  _5009: "Declined in 3-D Secure by the payer's bank",
  _5010: "Declined: trouble with the card",
  _5011: "Declined: trouble with the account of the card",
  _5012: "Declined: technical trouble in the authorization centre of the payer's bank",
  _5013: "Declined: wrong card number",
  _5014: "Declined: trouble with the card",
  _5015: "Declined in 3-D Secure by the payer's bank",
  _5016: "Declined: the card is not allowed to make this payment",
  _5017: "Declined in 3-D Secure by the payer's bank",
  _5018: "Declined in 3-D Secure by the payer's bank",
  _5019: "Declined in 3-D Secure by the payer's bank",
  _5020: "Unknown seller or configuration",
  _5021: "Declined: the limits of the card are exceeded",
  _5022: "Technical trouble in the authorization centre of the payer's bank",
  _5023: "Not made",
  _5024: "Not made: the payer did not enter the payment details on the gateway in time",
  _5025: "Not made: the payer is told the reason",
  _5026: "Not made: the sum credited exceeds what was paid",
  _5027: "Not made: the user is not authorized for the operation",
  _5028: "Not made: the amount due exceeds the amount authorized",
  _5029: "Not made yet",
  _5030: "Not made: settling it was attempted repeatedly",
  _5031: "Technical trouble in the bank while it processed the payment",
  _5033: "The SMS was not received",
  _5035: "The card was issued in a region whose cards are not supported",
  _5036: "Declined: trouble with the account of the card",
  _5037: "Cancelled by the cardholder",
  _5038: "Not made",
  _5039: "Declined: the card is blocked",
  _5040: "Duplicate reversal",
  _5041: "Duplicate transaction",
  _5042: "Bank transfer declined",
  _5043: "Cancelled by the user",
  _5044: "The SMS was sent and is not delivered yet",
  _5045: "Received: waiting to be processed by the Bitcoin system",
  _5046: "Not paid in full",
  _5047: "Paid after the due date",
  _5048: "undescribed by GoPay",
  _5049: "undescribed by GoPay",
  _5050: "undescribed by GoPay",
  _6001: "undescribed by GoPay",
  _6002: "undescribed by GoPay",
  _6003: "undescribed by GoPay",
  _6004: "undescribed by GoPay",
  _6005: "undescribed by GoPay",
  _6501: "undescribed by GoPay",
  _6502: "Declined in 3-D Secure by the payer's bank",
  _6504: "Declined in 3-D Secure by the payer's bank"
} as const

/** One of {@link PaymentSubStates}, or any other, as the list is open (same source). */
export type PaymentSubState = keyof typeof PaymentSubStates | (string & {})

/**
 * Payment instruments: the methods by which a payer can pay.
 *
 * The list is open: an unknown code decodes to itself and may be sent. Which of them a shop offers, and in which
 * currency, is answered by `getPaymentInstruments` and `getPaymentInstrumentsAll`.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; instruments that only some of these know say so.
 */
export const PaymentInstruments = {
  PAYMENT_CARD: "Payment card",
  BANK_ACCOUNT: "Bank transfer",
  PRSMS: "Premium SMS",
  MPAYMENT: "mPayment",
  PAYSAFECARD: "paysafecard",
  GOPAY: "GoPay wallet",
  PAYPAL: "PayPal account",
  BITCOIN: "Bitcoin",
  GPAY: "Google Pay",
  /** In the documentation and the Java and .NET SDKs; the PHP and Python SDKs have dropped it. */
  MASTERPASS: "Masterpass",
  SUPERCASH: "superCASH coupon",
  /** In the SDKs only. */
  ACCOUNT: "Payment by logging in to a bank",
  /** In the SDKs only. */
  APPLE_PAY: "Apple Pay",
  /** In the SDKs only. */
  CLICK_TO_PAY: "Click to Pay",
  /** In the SDKs only. */
  TWISTO: "Twisto (buy now, pay later)",
  /** In the SDKs only. */
  SKIPPAY: "Skip Pay (buy now, pay later)",
  /** In the Java and .NET SDKs only. */
  COUPON: "Coupon"
} as const

/** One of {@link PaymentInstruments}, or any other, as the list is open (same source). */
export type PaymentInstrument = keyof typeof PaymentInstruments | (string & {})

/**
 * Groups under which a shop's payment instruments are listed.
 *
 * The list is open: an unknown group decodes to itself. Which group an instrument belongs to is part of the response
 * and should be read there.
 *
 * Source: GoPay REST API v3 documentation and official SDKs.
 */
export const PaymentInstrumentGroups = {
  "card-payment": "Payment cards",
  "bank-transfer": "Bank transfers",
  wallet: "Electronic wallets",
  /** Newer than the other groups. */
  bnpl: "Buy now, pay later",
  others: "All other instruments"
} as const

/** One of {@link PaymentInstrumentGroups}, or any other, as the list is open (same source). */
export type PaymentInstrumentGroup = keyof typeof PaymentInstrumentGroups | (string & {})

/**
 * Types of "buy now, pay later" a payer may be offered.
 *
 * The list is open: an unknown type decodes to itself and may be sent.
 *
 * Source: official SDKs, which give the codes alone; the meanings are read from the names.
 */
export const BnplTypes = {
  DEFERRED_PAYMENT: "Payment put off to a later date",
  PAY_IN_THREE: "Payment in three instalments"
} as const

/** One of {@link BnplTypes}, or any other, as the list is open (same source). */
export type BnplType = keyof typeof BnplTypes | (string & {})

/**
 * Banks a payer may choose for a bank transfer, by the code the gateway calls SWIFT, with the country (ISO 3166-1
 * alpha-3) of the bank as the list has it.
 *
 * The list is open: an unknown code decodes to itself and may be sent. Codes with a hyphen, such as `BPKOPLPW-IKO`, are
 * GoPay's own and no BICs. Which banks a shop offers today is answered by `getPaymentInstruments`.
 *
 * Source: official SDKs, and the GoPay REST API v3 documentation for `CEKOCZPP-ERA`.
 */
export const SwiftCodes = {
  GIBACZPX: { bank: "Česká spořitelna", country: "CZE" },
  KOMBCZPP: { bank: "Komerční banka", country: "CZE" },
  CEKOCZPP: { bank: "ČSOB", country: "CZE" },
  RZBCCZPP: { bank: "Raiffeisenbank", country: "CZE" },
  BACXCZPP: { bank: "UniCredit Bank", country: "CZE" },
  AGBACZPP: { bank: "Moneta", country: "CZE" },
  FIOBCZPP: { bank: "Fio banka", country: "CZE" },
  BREXCZPP: { bank: "mBank", country: "CZE" },
  AIRACZPP: { bank: "Air Bank", country: "CZE" },
  INGBCZPP: { bank: "ING Bank", country: "CZE" },
  OBKLCZ2X: { bank: "Oberbank", country: "CZE" },
  SUBACZPP: { bank: "VÚB Praha", country: "CZE" },
  BPPFCZP1: { bank: "Hello bank!", country: "CZE" },
  CTASCZ22: { bank: "Creditas", country: "CZE" },
  EXPNCZPP: { bank: "Max banka", country: "CZE" },
  JTBPCZPP: { bank: "J&T Banka", country: "CZE" },
  PTBNCZPP: { bank: "Partners Banka", country: "CZE" },
  /** Listed among the Czech banks, although the code is Lithuanian. */
  RVUALT2VXXX: { bank: "Revolut", country: "LTU" },
  /** In the documentation only. */
  "CEKOCZPP-ERA": { bank: "Era", country: "CZE" },
  TATRSKBX: { bank: "Tatra banka", country: "SVK" },
  SUBASKBX: { bank: "VÚB banka", country: "SVK" },
  UNCRSKBX: { bank: "UniCredit Bank", country: "SVK" },
  GIBASKBX: { bank: "Slovenská sporiteľňa", country: "SVK" },
  CEKOSKBX: { bank: "ČSOB", country: "SVK" },
  POBNSKBA: { bank: "Poštová banka", country: "SVK" },
  OTPVSKBX: { bank: "OTP Banka", country: "SVK" },
  KOMASK2X: { bank: "Prima banka", country: "SVK" },
  CITISKBA: { bank: "Citibank", country: "SVK" },
  FIOZSKBA: { bank: "Fio banka", country: "SVK" },
  BREXSKBX: { bank: "mBank", country: "SVK" },
  INGBSKBX: { bank: "ING Bank", country: "SVK" },
  JTBPSKBA: { bank: "J&T Banka", country: "SVK" },
  OBKLSKBA: { bank: "Oberbank", country: "SVK" },
  BSLOSK22: { bank: "Privatbanka", country: "SVK" },
  BFKKSKBB: { bank: "BKS Bank", country: "SVK" },
  /** A part of Tatra banka. */
  TATRSKBXXXX: { bank: "Raiffeisenbank", country: "SVK" },
  KOMBSKBA: { bank: "Komerční banka", country: "SVK" },
  POBNSKBAXXX: { bank: "365.bank", country: "SVK" },
  BREXPLPW: { bank: "mBank", country: "POL" },
  CITIPLPX: { bank: "Citi Handlowy", country: "POL" },
  "BPKOPLPW-IKO": { bank: "IKO", country: "POL" },
  "BPKOPLPW-INTELIGO": { bank: "Inteligo", country: "POL" },
  IVSEPLPP: { bank: "Plus Bank", country: "POL" },
  BPHKPLPK: { bank: "Bank BPH", country: "POL" },
  TOBAPLPW: { bank: "Toyota Bank", country: "POL" },
  VOWAPLP1: { bank: "Volkswagen Bank", country: "POL" },
  GBWCPLPP: { bank: "SGB", country: "POL" },
  POCZPLP4: { bank: "Bank Pocztowy", country: "POL" },
  GOPZPLPW: { bank: "Bank BGŻ", country: "POL" },
  IEEAPLPA: { bank: "Idea Bank", country: "POL" },
  POLUPLPR: { bank: "Bank BPS", country: "POL" },
  "GBGCPLPK-GIO": { bank: "Getin Online", country: "POL" },
  "GBGCPLPK-BLIK": { bank: "Blik", country: "POL" },
  "GBGCPLPK-NOB": { bank: "Noble Bank", country: "POL" },
  "BREXPLPW-OMB": { bank: "Orange", country: "POL" },
  WBKPPLPP: { bank: "BZ WBK", country: "POL" },
  RCBWPLPW: { bank: "Raiffeisen Polska", country: "POL" },
  BPKOPLPW: { bank: "PKO BP", country: "POL" },
  ALBPPLPW: { bank: "Alior Bank", country: "POL" },
  INGBPLPW: { bank: "ING Bank Śląski", country: "POL" },
  PKOPPLPW: { bank: "Bank Pekao", country: "POL" },
  GBGCPLPK: { bank: "Getin", country: "POL" },
  BIGBPLPW: { bank: "Bank Millennium", country: "POL" },
  EBOSPLPW: { bank: "Bank Ochrony Środowiska", country: "POL" },
  PPABPLPK: { bank: "BNP Paribas", country: "POL" },
  AGRIPLPR: { bank: "Credit Agricole", country: "POL" },
  DEUTPLPX: { bank: "Deutsche Bank", country: "POL" },
  /** Listed among the Polish banks, although the code is Norwegian. */
  DNBANOKK: { bank: "DnB Nord", country: "POL" },
  NBPLPLPW: { bank: "E-SKOK", country: "POL" },
  SOGEPLPW: { bank: "Eurobank", country: "POL" },
  PBPBPLPW: { bank: "Polski Bank Przedsiębiorczości", country: "POL" },
  /** No bank in particular. */
  OTHERS: { bank: "Any other bank", country: null },
  /** No bank; the meaning is read from the name. */
  QRPAYMENT: { bank: "QR payment", country: null }
} as const

/** One of {@link SwiftCodes}, or any other, as the list is open (same source). */
export type SwiftCode = keyof typeof SwiftCodes | (string & {})

/**
 * Types of a row of an order.
 *
 * The list is open: an unknown type may be sent. The type of a row may be left out.
 *
 * Source: GoPay REST API v3 documentation and official SDKs.
 */
export const PaymentItemTypes = {
  ITEM: "Item of the order",
  DELIVERY: "Delivery",
  /** The amount of such a row may be negative. */
  DISCOUNT: "Discount",
  /** In the Python, Java and .NET SDKs only. */
  POSTAGE: "Postage"
} as const

/** One of {@link PaymentItemTypes}, or any other, as the list is open (same source). */
export type PaymentItemType = keyof typeof PaymentItemTypes | (string & {})

/**
 * Types of the target of a payment: where the money goes.
 *
 * The list is open: an unknown type decodes to itself and may be sent. Only `ACCOUNT` is documented.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; the other two are known from enumerations in the SDKs, and
 * their meanings are read from the names.
 */
export const PaymentTargetTypes = {
  ACCOUNT: "The GoPay account of the shop, given by its GoID",
  BANK_ACCOUNT: "A bank account",
  COUPON: "A coupon"
} as const

/** One of {@link PaymentTargetTypes}, or any other, as the list is open (same source). */
export type PaymentTargetType = keyof typeof PaymentTargetTypes | (string & {})

/**
 * Cycles of a recurring payment.
 *
 * The list is open: an unknown cycle decodes to itself and may be sent. `recurrence_period` counts the cycles between
 * two payments and is not needed for `ON_DEMAND`; `recurrence_date_to` is needed for every cycle.
 *
 * Source: GoPay REST API v3 documentation and official SDKs.
 */
export const RecurrenceCycles = {
  DAY: "Charged by the gateway every so many days",
  WEEK: "Charged by the gateway every so many weeks",
  MONTH: "Charged by the gateway every so many months",
  ON_DEMAND: "Charged when the shop asks for it with createRecurrence"
} as const

/** One of {@link RecurrenceCycles}, or any other, as the list is open (same source). */
export type RecurrenceCycle = keyof typeof RecurrenceCycles | (string & {})

/**
 * States of a recurrence.
 *
 * The list is open: an unknown state decodes to itself. The gateway sets the state; it is of no use in a request.
 * Refunding the first payment leaves the recurrence `STARTED`: void it as well to end it.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; the effect of a refund is from recorded responses.
 */
export const RecurrenceStates = {
  REQUESTED: "Asked for; its first payment is not made yet",
  STARTED: "Its first payment is paid or authorized, further ones can follow",
  STOPPED: "Over: voided, stopped by the payer or an administrator, or past its last day"
} as const

/** One of {@link RecurrenceStates}, or any other, as the list is open (same source). */
export type RecurrenceState = keyof typeof RecurrenceStates | (string & {})

/**
 * States of a preauthorization.
 *
 * The list is open: an unknown state decodes to itself. A hold lasts four days.
 *
 * Source: GoPay REST API v3 documentation and official SDKs.
 */
export const PreauthorizationStates = {
  REQUESTED: "Asked for; nothing is held on the card yet",
  AUTHORIZED: "The amount is held on the card and can be captured or voided",
  CAPTURED: "Captured, in full or in part; what was not captured is released",
  CANCELED: "Voided, or the hold ran out"
} as const

/** One of {@link PreauthorizationStates}, or any other, as the list is open (same source). */
export type PreauthorizationState = keyof typeof PreauthorizationStates | (string & {})

/**
 * Results of an operation on a payment: a refund, a capture, a void.
 *
 * The list is open: an unknown result decodes to itself. `FAILED` is a regular response and no error of the gateway, so
 * check for it. After `ACCEPTED`, read the payment to learn the outcome.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; recorded responses show `FINISHED` only.
 */
export const OperationResults = {
  ACCEPTED: "Taken over by the gateway, not done yet",
  FINISHED: "Done",
  FAILED: "Not done"
} as const

/** One of {@link OperationResults}, or any other, as the list is open (same source). */
export type OperationResult = keyof typeof OperationResults | (string & {})

/**
 * States of one refund in the refund history of a payment.
 *
 * The list is open: an unknown state decodes to itself. These are not the states of the payment itself, for which see
 * {@link PaymentStates}.
 *
 * Source: official SDKs, which give the codes alone; the meanings are read from the names.
 */
export const RefundStates = {
  SUCCESS: "The refund was made",
  FAILED: "The refund was not made",
  REQUESTED: "The refund is asked for and not made yet"
} as const

/** One of {@link RefundStates}, or any other, as the list is open (same source). */
export type RefundState = keyof typeof RefundStates | (string & {})

/**
 * Statuses of a stored card.
 *
 * The list is open: an unknown status decodes to itself.
 *
 * Source: official SDKs.
 */
export const CardStatuses = {
  ACTIVE: "Stored, payments can be made with its token",
  /** Deleting the card once more succeeds again. */
  DELETED: "Deleted; its details can still be read"
} as const

/** One of {@link CardStatuses}, or any other, as the list is open (same source). */
export type CardStatus = keyof typeof CardStatuses | (string & {})

/**
 * Results of 3-D Secure, as in the `3ds_result` of a payment card: whether the card takes part, a slash, and how the
 * authentication ended.
 *
 * The list is open: an unknown result decodes to itself. Note that `N/` ends with its slash.
 *
 * Source: GoPay REST API v3 documentation.
 */
export const ThreeDSecureResults = {
  "N/": "The card does not support 3-D Secure",
  "Y/Y": "Fully authenticated by 3-D Secure",
  "Y/A": "Partially authenticated by 3-D Secure",
  "X/X": "3-D Secure was not carried out"
} as const

/** One of {@link ThreeDSecureResults}, or any other, as the list is open (same source). */
export type ThreeDSecureResult = keyof typeof ThreeDSecureResults | (string & {})

/**
 * Image formats of the QR codes for a payment.
 *
 * The list is open: an unknown format may be sent. The gateway uses `png` when none is named.
 *
 * Source: official SDKs.
 */
export const QrFormats = {
  png: "PNG image",
  svg: "SVG image"
} as const

/** One of {@link QrFormats}, or any other, as the list is open (same source). */
export type QrFormat = keyof typeof QrFormats | (string & {})

/**
 * Scopes of an access token.
 *
 * The list is open: an unknown scope may be sent. The documentation also knows a scope for account information under
 * PSD2, which is no part of this client.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; that reading a payment needs `payment-all` is from the
 * official help centre, while the Java SDK takes `payment-create` by default and reads with it.
 */
export const TokenScopes = {
  "payment-create": "Creating payments only",
  "payment-all": "All operations, reading a payment among them"
} as const

/** One of {@link TokenScopes}, or any other, as the list is open (same source). */
export type TokenScope = keyof typeof TokenScopes | (string & {})

/**
 * Scopes of an error: what it speaks about.
 *
 * The list is open: an unknown scope decodes to itself.
 *
 * Source: GoPay REST API v3 documentation and recorded responses.
 */
export const ErrorScopes = {
  F: "One field of the request, named in `field`",
  G: "The request as a whole"
} as const

/** One of {@link ErrorScopes}, or any other, as the list is open (same source). */
export type ErrorScope = keyof typeof ErrorScopes | (string & {})

/**
 * Formats of an account statement: the media type of the contents, and the extension (with its dot) for a file name.
 *
 * The list is open: an unknown format may be sent. The media type is not what the gateway puts in its response, which
 * is documented to be `application/octet-stream` for every format. The text formats are not always UTF-8: some
 * statements are windows-1250. The columns of each format are described in the official help centre only.
 *
 * Source: GoPay REST API v3 documentation and official SDKs; `.gpc` and `PDF_A` also the official help centre. The
 * media types of `CSV_E` and `ABO_B` are those of their families, not stated for these two; that of `PDF_A` is our
 * inference.
 */
export const StatementFormats = {
  CSV_A: { contentType: "text/csv", extension: ".csv" },
  CSV_B: { contentType: "text/csv", extension: ".csv" },
  CSV_C: { contentType: "text/csv", extension: ".csv" },
  CSV_D: { contentType: "text/csv", extension: ".csv" },
  /** In the PHP and Python SDKs only. */
  CSV_E: { contentType: "text/csv", extension: ".csv" },
  XLS_A: { contentType: "application/vnd.ms-excel", extension: ".xls" },
  XLS_B: { contentType: "application/vnd.ms-excel", extension: ".xls" },
  XLS_C: { contentType: "application/vnd.ms-excel", extension: ".xls" },
  /** The "external" ABO, probably in windows-1250 (our inference). */
  ABO_A: { contentType: "application/abo", extension: ".gpc" },
  /** The "internal" ABO; in the documentation and the PHP SDK only. */
  ABO_B: { contentType: "application/abo", extension: ".gpc" },
  /** In the PHP SDK and the official help centre only. */
  PDF_A: { contentType: "application/pdf", extension: ".pdf" }
} as const

/** One of {@link StatementFormats}, or any other, as the list is open (same source). */
export type StatementFormat = keyof typeof StatementFormats | (string & {})

/**
 * Codes of the errors the gateway answers with, by number: the symbolic name (null where none is known), what happened
 * and what to do, and the HTTP status that usually comes with it.
 *
 * The list is open: an unknown code decodes to itself.
 *
 * Decide on the code, never on the name or the message: names are not published for most codes, and messages follow the
 * language of the request. An unknown payment is not always 304: reading it answers 304, refunding it 111 on the field
 * `id`, and voiding its recurrence 340.
 *
 * Source of the codes: GoPay REST API v3 documentation. Source of the names:
 *
 * - in recorded responses, with their codes: 111, 304, 340;
 * - in the documentation: 112;
 * - in tests of the official SDKs, with the code: 202; without it, so that the pairing is inferred (or, for 342,
 *   reported by another application): 303, 331, 342, 350, 351, 352;
 * - in third-party code: 341.
 *
 * Source of the statuses: recorded responses for 111, 304 and 340, tests of the official SDKs for 202, and the
 * documented use of each status for the rest; for 201 and 203 the status is our inference.
 */
export const ErrorCodes = {
  100: {
    name: null,
    meaning: "The gateway failed internally; a read may be repeated later, after a change read the payment first.",
    status: 500
  },
  110: { name: null, meaning: "A required value is missing; add the field that the error names.", status: 409 },
  111: {
    name: "INVALID",
    meaning: "A value is wrong or malformed; correct the field that the error names, or the GoID if it names none.",
    status: 409
  },
  112: { name: "NOT_UNIQUE", meaning: "The value is already in use; send another one.", status: 409 },
  113: { name: null, meaning: "The value cannot be changed; leave it as it is.", status: 409 },
  114: { name: null, meaning: "The object cannot be deleted; leave it in place.", status: 409 },
  115: { name: null, meaning: "The request is ambiguous; make it say one thing only.", status: 409 },
  116: { name: null, meaning: "The request is invalid; correct it before sending it again.", status: 409 },
  200: {
    name: null,
    meaning: "The token does not give access; take a new token, and check that its scope covers the operation.",
    status: 403
  },
  201: {
    name: null,
    meaning: "The grant type is not supported; ask for the token with client_credentials.",
    status: 403
  },
  202: {
    name: "AUTH_WRONG_CREDENTIALS",
    meaning: "ClientID or ClientSecret is wrong; check both, and that they belong to this environment.",
    status: 403
  },
  203: { name: null, meaning: "Access by PIN has been deactivated; another way of access is needed.", status: 403 },
  301: {
    name: null,
    meaning: "The payment cannot be created; check the request and what GoPay has enabled for the shop.",
    status: 409
  },
  302: { name: null, meaning: "The payment cannot be carried out; read its state and sub-state.", status: 409 },
  303: {
    name: "PAYMENT_WRONG_STATE",
    meaning: "The state of the payment does not allow the operation; read the payment before going on.",
    status: 409
  },
  304: {
    name: "PAYMENT_NOT_FOUND",
    meaning: "No such payment; check its id, and that it belongs to this environment and account.",
    status: 404
  },
  305: { name: null, meaning: "The shop is deactivated; have GoPay activate it.", status: 409 },
  321: { name: null, meaning: "The payee cannot accept the payment; ask GoPay about the account.", status: 409 },
  330: {
    name: null,
    meaning: "The payment cannot be refunded; read it and its refunds before doing anything else.",
    status: 409
  },
  331: {
    name: "PAYMENT_REFUND_NOT_SUPPORTED",
    meaning: "The payment cannot be refunded, for instance since it was refunded long ago; do not try again.",
    status: 409
  },
  332: { name: null, meaning: "The amount is wrong; compare it with what the payment still allows.", status: 409 },
  333: {
    name: null,
    meaning: "The merchant account holds too little for the refund; add funds, then refund again.",
    status: 409
  },
  340: {
    name: "PAYMENT_RECURRENCE_FAILED",
    meaning: "The recurring payment failed or its parent is unknown; check the parent id, then try again later.",
    status: 409
  },
  341: {
    name: "PAYMENT_RECURRENCE_NOT_SUPPORTED",
    meaning: "Recurring payments are not enabled for the shop; have GoPay enable them, and do not try again before.",
    status: 409
  },
  342: {
    name: "PAYMENT_RECURRENCE_STOPPED",
    meaning: "The recurrence is stopped for good; have the payer start a new one.",
    status: 409
  },
  343: { name: null, meaning: "Too many attempts were made to charge the recurrence; stop charging it.", status: 409 },
  350: {
    name: "PAYMENT_CAPTURE_FAILED",
    meaning: "The capture failed; read the payment to see whether it is still authorized.",
    status: 409
  },
  351: {
    name: "PAYMENT_CAPTURE_DONE",
    meaning: "The payment has already been captured; there is nothing left to do.",
    status: 409
  },
  352: {
    name: "PAYMENT_AUTH_VOID_FAILED",
    meaning: "The authorization could not be voided; read the payment, it may be captured already.",
    status: 409
  },
  353: { name: null, meaning: "The authorization has already been voided; there is nothing left to do.", status: 409 },
  360: { name: null, meaning: "The items do not add up to the amount; make their sum equal to it.", status: 409 },
  /** Documented, and recorded up to 2016, for failures the gateway now gives a code of their own. */
  500: {
    name: null,
    meaning: "The gateway failed for a reason it does not give; after a change, read the payment before repeating it.",
    status: 500
  }
} as const

/** One of {@link ErrorCodes}, or any other, as the list is open (same source). */
export type ErrorCode = keyof typeof ErrorCodes | (number & {})
