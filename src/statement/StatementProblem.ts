/**
 * What is wrong with a file, each problem by its name, with its facts. A table for each language words them:
 * `EnglishProblems.ts` here, and those of the command line.
 *
 * Texts of the file are facts as `shown` leaves them.
 */

/** A field of an ABO record, or a balance of a line of CSV, which no head names. */
export type StatementField =
  | "account"
  | "amount"
  | "balanceAfter"
  | "balanceBefore"
  | "credits"
  | "day"
  | "debits"
  | "documentNumber"
  | "newBalance"
  | "oldBalance"
  | "oldBalanceDay"
  | "otherAccount"
  | "statementDay"
  | "variableSymbol"

/**
 * The problems of a whole file, and the facts of each. `column`, `label`, `element` and `attribute` are names in the
 * file, a `text` is what stands there, and amounts are integers in minor units.
 */
export interface FileProblems {
  /** The file is empty. */
  readonly EmptyFile: unknown
  /** It is a PDF. */
  readonly PdfFile: unknown
  /** It can be read as a statement in `encoding` only, and the caller passed another one. */
  readonly OtherEncoding: { readonly encoding: string }
  /**
   * Its columns are unknown. `missing`: the described columns that it lacks. `isSpoilt`: its letters are broken, as by a
   * wrong encoding.
   */
  readonly UnknownColumns: {
    readonly columns: ReadonlyArray<string>
    readonly missing: ReadonlyArray<string> | undefined
    readonly isSpoilt: boolean
  }
  /** The spreadsheet lacks the title or the columns of a statement. */
  readonly UnknownSheet: {
    readonly title: string
    readonly wanted: ReadonlyArray<string>
    readonly columns: ReadonlyArray<string>
  }
  /** The XML is not a clearing. */
  readonly UnknownXml: { readonly root: string; readonly namespace: string }
  /** It is a bank's statement in another format than ABO. */
  readonly NotBankStatement: unknown
  /** It is not a list of orders. */
  readonly NotOrders: { readonly required: ReadonlyArray<string>; readonly optional: ReadonlyArray<string> }
  /** The spreadsheet is damaged, cut off or protected. */
  readonly UnreadableSheet: unknown
  /** It has more bytes than the limit. */
  readonly TooManyBytes: { readonly bytes: number }
  /** It unpacks to more bytes than the limit. */
  readonly TooManyUnpackedBytes: { readonly bytes: number }
  /** A part that lists others has more bytes than the limit. */
  readonly TooManyIndexBytes: { readonly bytes: number }
  /** It has more movements than the limit. */
  readonly TooManyMovements: { readonly limit: number }
  /** It has more lines than the limit. */
  readonly TooManyLines: { readonly limit: number }
  /** It has more parts than the limit. */
  readonly TooManyParts: { readonly limit: number }
}

/** The problems of one line, and the facts of each, as in {@link FileProblems}. */
export interface LineProblems {
  /** It has more or fewer cells than the header. */
  readonly CellCount: { readonly expected: number; readonly found: number; readonly file: "statement" | "orders" }
  /** It has more columns than the limit. */
  readonly TooManyColumns: { readonly limit: number }
  /** Two columns have this name. */
  readonly RepeatedColumn: { readonly column: string }
  /** A cell begins with a quotation mark that is not closed. */
  readonly OpenQuotation: unknown
  /** A quotation mark stands within a cell. */
  readonly QuotationWithin: unknown
  /** Text follows a cell's closing quotation mark. */
  readonly TextAfterQuotation: unknown
  /** A cell should be an amount and is not. */
  readonly NotAmount: { readonly column: string; readonly text: string }
  /** A cell should be a day and is not. */
  readonly NotDay: { readonly column: string; readonly text: string }
  /** A cell should be the id of a payment and is not. */
  readonly NotPaymentId: { readonly text: string }
  /** A cell should be the code of a currency and is not. */
  readonly NotCurrency: { readonly text: string }
  /** Its currency differs from that of the lines above. */
  readonly SecondCurrency: {
    readonly currency: string
    readonly above: string
    readonly format: "CSV" | "ABO"
  }
  /** Its movement is on another line, too. */
  readonly RepeatedMovement: { readonly movementId: string; readonly before: number }
  /** Its day is outside of the days that were ordered. */
  readonly OutsideOfOrder: { readonly day: string }
  /** Its day is outside of the statement's. */
  readonly OutsideOfStatement: { readonly day: string; readonly from: string; readonly to: string }
  /** A balance or sum of a field differs from the movements. */
  readonly FieldImbalance: { readonly field: StatementField; readonly expected: number; readonly actual: number }
  /** The sum under `label` in the file differs from the movements. */
  readonly LabelImbalance: { readonly label: string; readonly expected: number; readonly actual: number }
  /** A record of an ABO file is too long or too short. */
  readonly RecordLength: { readonly expected: number; readonly found: number }
  /** A record of an ABO file is of a kind that was not expected there. */
  readonly UnexpectedRecord: { readonly record: string }
  /** The ABO file does not begin with a record 074. */
  readonly NoHeadRecord: unknown
  /** The booking code in an ABO file is unknown. */
  readonly BookingCode: { readonly code: string }
  /** The currency number in an ABO file is unknown. */
  readonly CurrencyNumber: { readonly number: string; readonly known: ReadonlyArray<string> }
  /** A record of an ABO file belongs to another account than the first one. */
  readonly OtherAccount: unknown
  /** The day of a record 074 is before that of the one above. */
  readonly EarlierRecord: { readonly day: string; readonly above: string }
  /** A field of an ABO file has characters other than digits. */
  readonly NotDigits: { readonly field: StatementField; readonly text: string }
  /** The sign of a sum in an ABO file is not `+`, `-`, `0` or a blank. */
  readonly NotSign: { readonly field: StatementField; readonly text: string }
  /** A field of an ABO file should be a day and is not. */
  readonly FieldNotDay: { readonly field: StatementField; readonly text: string }
  /** A list of orders has a line without an order number. */
  readonly NoOrderNumber: unknown
  /** A spreadsheet has lost the digits of an id in a list of orders. */
  readonly LostDigits: { readonly column: string; readonly text: string }
  /** The currency in a list of orders is not a code such as `CZK`. */
  readonly OrderCurrency: { readonly text: string }
  /** The type in a list of orders is neither `payment` nor `refund`. */
  readonly OrderType: { readonly text: string }
  /** The amount in a list of orders is negative. */
  readonly NegativeAmount: unknown
  /** The state in a list of orders is not one of its type. */
  readonly OrderState: {
    readonly type: "payment" | "refund"
    readonly known: ReadonlyArray<string>
    readonly text: string
  }
  /** The payment's id in a list of orders is not an id. */
  readonly OrderPaymentId: { readonly text: string }
  /** A list of orders has a payment twice. */
  readonly RepeatedPayment: { readonly paymentId: number; readonly before: number }
  /** A list of orders has a refund whose payment is missing, though it has other payments of that order. */
  readonly RefundOfOther: { readonly paymentId: number | undefined; readonly orderNumber: string }
  /** A label of a spreadsheet is missing or empty. */
  readonly NoValue: { readonly label: string }
  /** A number in a spreadsheet stands for no day. */
  readonly SerialNotDay: { readonly column: string; readonly serial: number }
  /** A number in a spreadsheet has more than two decimals. */
  readonly TooManyDecimals: { readonly column: string; readonly value: number }
  /** A row of a spreadsheet has only one of day and amount. */
  readonly NoDayOrAmount: unknown
  /** A row of a spreadsheet has no type. */
  readonly NoType: unknown
  /** A row of a spreadsheet has another currency than the account. */
  readonly NotAccountCurrency: { readonly text: string; readonly currency: string }
  /** The period in a spreadsheet is not two days. */
  readonly NotSpan: { readonly label: string; readonly text: string }
  /** The period in a spreadsheet ends before it begins. */
  readonly ReversedSpan: { readonly label: string }
  /** The account in a spreadsheet is not a number, a name and a currency. */
  readonly NotAccount: { readonly text: string }
  /** A cell has a formula. */
  readonly Formula: unknown
  /** A cell has more characters than the limit. */
  readonly LongCell: { readonly limit: number }
  /** The XML has a DOCTYPE. */
  readonly Doctype: unknown
  /** An element has more attributes than the limit. */
  readonly TooManyAttributes: { readonly limit: number }
  /** Elements are nested deeper than the limit. */
  readonly TooDeep: { readonly limit: number }
  /** The XML is not well-formed. */
  readonly NotWellFormed: unknown
  /** An attribute is missing. */
  readonly NoAttribute: { readonly element: string; readonly attribute: string }
  /** `paymentSessionId` is not the id of a payment. */
  readonly NotSession: { readonly text: string }
  /** The external fees exceed the fees that they are a part of. */
  readonly ExternalFees: { readonly external: number; readonly fees: number }
  /** `accountName` does not end with a currency. */
  readonly NoAccountCurrency: { readonly text: string }
}

/** Each problem, and its facts. */
export interface StatementProblems extends FileProblems, LineProblems {}

type Named<Name extends keyof StatementProblems> = {
  readonly [Own in Name]: { readonly _tag: Own } & StatementProblems[Own]
}[Name]

/** A problem of a whole file: its name, and its facts. */
export type FileProblem = Named<keyof FileProblems>

/** A problem of one line: its name, and its facts. */
export type LineProblem = Named<keyof LineProblems>

/** A problem of a file or a line: its name as `_tag`, and its facts. Newer versions may have more of them. */
export type StatementProblem = FileProblem | LineProblem

/** What words each problem. The line is that of the file; the first is 1. */
export type ProblemWords<Extra extends ReadonlyArray<unknown> = []> = {
  readonly [Name in keyof StatementProblems]: (facts: StatementProblems[Name], line: number, ...extra: Extra) => string
}

/** Words a problem by a table. */
export const wordedBy = <Name extends keyof StatementProblems, Extra extends ReadonlyArray<unknown>>(
  words: ProblemWords<Extra>,
  problem: Named<Name>,
  line: number,
  ...extra: Extra
): string => words[problem._tag](problem, line, ...extra)
