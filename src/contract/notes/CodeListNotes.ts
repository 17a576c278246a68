/**
 * What is known of the lists of codes, for the OpenAPI document. The lists bring the meanings of their codes with them.
 */
import type * as CodeLists from "../CodeLists.js"

/** Notes about a list of codes. */
export interface CodeListNote {
  readonly about: string
  readonly codes: keyof typeof CodeLists
  /** Notes about single codes, beside their meaning. */
  readonly doubts?: { readonly [code: string]: string }
}

const inSomeClients = "Known to some of the official clients only."

/** The lists of codes, by the name of their type. */
export const codeLists = {
  Currency: { about: "ISO 4217 code of a currency.", codes: "Currencies" },
  GatewayLanguage: {
    about:
      "Language of the pay page. Recorded: sent in upper case, returned in lower case. Unknown: the gateway's default.",
    codes: "GatewayLanguages"
  },
  PaymentState: {
    about: "State of a payment. Inferred: further refunds lead from PARTIALLY_REFUNDED to REFUNDED.",
    codes: "PaymentStates"
  },
  PaymentSubState: {
    about: "Why a payment is in its state.",
    codes: "PaymentSubStates"
  },
  PaymentInstrument: {
    about: "A way to pay. The payment instruments of a shop list its own.",
    codes: "PaymentInstruments",
    doubts: { COUPON: inSomeClients, MASTERPASS: inSomeClients }
  },
  PaymentInstrumentGroup: { about: "Group of ways to pay.", codes: "PaymentInstrumentGroups" },
  BnplType: {
    about: "Kind of deferred payment. Inferred: the meanings are read from the names.",
    codes: "BnplTypes"
  },
  SwiftCode: {
    about: "A bank, by the code that the gateway calls SWIFT. A code with a hyphen is GoPay's own and no BIC.",
    codes: "SwiftCodes",
    doubts: { QRPAYMENT: "Inferred: the meaning is read from the name." }
  },
  PaymentItemType: {
    about: "Kind of a row of an order.",
    codes: "PaymentItemTypes",
    doubts: { POSTAGE: inSomeClients }
  },
  PaymentTargetType: {
    about:
      "Kind of the payee. Only `ACCOUNT` is documented. Inferred: the meanings of the others are read from their names.",
    codes: "PaymentTargetTypes"
  },
  RecurrenceCycle: {
    about:
      "Cycle of a recurrence. Recorded: one official client sends the numbers 0 to 3, for MONTH, WEEK, DAY and ON_DEMAND.",
    codes: "RecurrenceCycles"
  },
  RecurrenceState: {
    about: "State of a recurrence. Recorded: refunding its first payment leaves it STARTED.",
    codes: "RecurrenceStates"
  },
  PreauthorizationState: {
    about: "State of a card hold, which lasts 4 days.",
    codes: "PreauthorizationStates"
  },
  OperationResult: {
    about:
      "What became of a refund, a capture or a void. `FAILED` comes with status 200. Recorded: only FINISHED was ever seen.",
    codes: "OperationResults"
  },
  RefundState: {
    about: "State of one refund. Inferred: the meanings are read from the names.",
    codes: "RefundStates"
  },
  CardStatus: { about: "Status of a stored card.", codes: "CardStatuses" },
  ThreeDSecureResult: {
    about: "Result of 3-D Secure: whether the card takes part, a slash, how the authentication ended.",
    codes: "ThreeDSecureResults"
  },
  QrFormat: { about: "Format of a QR picture.", codes: "QrFormats" },
  TokenScope: {
    about:
      "What a token allows. Weakly known: the help centre says that reading a payment needs `payment-all`; an official client reads with `payment-create`.",
    codes: "TokenScopes"
  },
  ErrorScope: { about: "What an error is about.", codes: "ErrorScopes" },
  StatementFormat: {
    about:
      "Format of an account statement. The media type is that of the contents, not of the response. Weakly known: the columns of `CSV_B`, of XLS and of ABO, from public parsers and samples; some statements are in windows-1250. Inferred: the media types of `CSV_E`, `ABO_B` and `PDF_A`; that ABO is in windows-1250. Unknown: the columns of `CSV_A`, `CSV_C`, `CSV_D` and `CSV_E`; whether XLS is the old binary format. Invented: one layout for these four; XLS, ABO and PDF are refused as not implemented.",
    codes: "StatementFormats"
  },
  ErrorCode: {
    about:
      "Decide on this number, not on the name or the message. A name stands before the meaning where one is known. Recorded: 111, 304 and 340 with their names. Weakly known: the name of 341. Inferred: which of the codes the names of 303, 331, 342, 350, 351 and 352 belong to.",
    codes: "ErrorCodes"
  }
} as const satisfies { readonly [name: string]: CodeListNote }
