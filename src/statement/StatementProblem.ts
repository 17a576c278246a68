/**
 * What is wrong with a file, each problem by its name, with its facts. A table for each language words them: `EnglishProblems.ts`
 * here, and those of the command line.
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
 * The problems of a whole file, and the facts of each. `column`, `label`, `element` and `attribute` are names in the file,
 * a `text` is what stands there, and amounts are integers in minor units.
 */
export interface FileProblems {
  /** There is nothing in it. */
  readonly EmptyFile: unknown
  /** It is a PDF. */
  readonly PdfFile: unknown
  /** Only this encoding makes a statement of it, and another one was passed. */
  readonly OtherEncoding: { readonly encoding: string }
  /** Its columns are none that are known. `missing` are those that were described; `isSpoilt` if letters are broken. */
  readonly UnknownColumns: {
    readonly columns: ReadonlyArray<string>
    readonly missing: ReadonlyArray<string> | undefined
    readonly isSpoilt: boolean
  }
  /** The spreadsheet has not the title and the columns of a statement. */
  readonly UnknownSheet: {
    readonly title: string
    readonly wanted: ReadonlyArray<string>
    readonly columns: ReadonlyArray<string>
  }
  /** The XML is no clearing. */
  readonly UnknownXml: { readonly root: string; readonly namespace: string }
  /** It is no ABO, and a bank's statement has to be. */
  readonly NotBankStatement: unknown
  /** It is no list of orders. */
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
  /** It has another number of cells than the heads. */
  readonly CellCount: { readonly expected: number; readonly found: number; readonly file: "statement" | "orders" }
  /** It has more columns than the limit. */
  readonly TooManyColumns: { readonly limit: number }
  /** Two columns have this name. */
  readonly RepeatedColumn: { readonly column: string }
  /** A cell begins with a quotation mark that is not closed. */
  readonly OpenQuotation: unknown
  /** A quotation mark stands within a cell. */
  readonly QuotationWithin: unknown
  /** A cell goes on behind its closing quotation mark. */
  readonly TextAfterQuotation: unknown
  /** A cell is no amount. */
  readonly NotAmount: { readonly column: string; readonly text: string }
  /** A cell is no day. */
  readonly NotDay: { readonly column: string; readonly text: string }
  /** A cell is no id of a payment. */
  readonly NotPaymentId: { readonly text: string }
  /** A cell is no currency. */
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
  /** A sum that the file labels differs from the movements. */
  readonly LabelImbalance: { readonly label: string; readonly expected: number; readonly actual: number }
  /** A record of ABO has another length. */
  readonly RecordLength: { readonly expected: number; readonly found: number }
  /** A record of ABO is of another kind. */
  readonly UnexpectedRecord: { readonly record: string }
  /** ABO begins without a record 074. */
  readonly NoHeadRecord: unknown
  /** The booking code of ABO is none of the known ones. */
  readonly BookingCode: { readonly code: string }
  /** The currency number of ABO is none of the known ones. */
  readonly CurrencyNumber: { readonly number: string; readonly known: ReadonlyArray<string> }
  /** A record of ABO is of another account than the first one. */
  readonly OtherAccount: unknown
  /** The day of a record 074 is before that of the one above. */
  readonly EarlierRecord: { readonly day: string; readonly above: string }
  /** A field of ABO has something else than digits. */
  readonly NotDigits: { readonly field: StatementField; readonly text: string }
  /** The sign of a sum of ABO is none. */
  readonly NotSign: { readonly field: StatementField; readonly text: string }
  /** A field of ABO is no day. */
  readonly FieldNotDay: { readonly field: StatementField; readonly text: string }
  /** A list of orders has a line without an order number. */
  readonly NoOrderNumber: unknown
  /** A spreadsheet has lost the digits of an id in a list of orders. */
  readonly LostDigits: { readonly column: string; readonly text: string }
  /** The currency in a list of orders is no code. */
  readonly OrderCurrency: { readonly text: string }
  /** The type in a list of orders is none. */
  readonly OrderType: { readonly text: string }
  /** The amount in a list of orders is negative. */
  readonly NegativeAmount: unknown
  /** The state in a list of orders is none of its type. */
  readonly OrderState: {
    readonly type: "payment" | "refund"
    readonly known: ReadonlyArray<string>
    readonly text: string
  }
  /** The payment's id in a list of orders is none. */
  readonly OrderPaymentId: { readonly text: string }
  /** A list of orders has a payment twice. */
  readonly RepeatedPayment: { readonly paymentId: number; readonly before: number }
  /** A list of orders has a refund of a payment that it has not, beside others of the same order. */
  readonly RefundOfOther: { readonly paymentId: number | undefined; readonly orderNumber: string }
  /** A label of a spreadsheet is missing or empty. */
  readonly NoValue: { readonly label: string }
  /** The number of a day in a spreadsheet is of no day. */
  readonly SerialNotDay: { readonly column: string; readonly serial: number }
  /** A number in a spreadsheet has more than two decimals. */
  readonly TooManyDecimals: { readonly column: string; readonly value: number }
  /** A row of a spreadsheet has a day or an amount, and not both. */
  readonly NoDayOrAmount: unknown
  /** A row of a spreadsheet has no type. */
  readonly NoType: unknown
  /** A row of a spreadsheet has another currency than the account. */
  readonly NotAccountCurrency: { readonly text: string; readonly currency: string }
  /** The days of a spreadsheet are no span. */
  readonly NotSpan: { readonly label: string; readonly text: string }
  /** The days of a spreadsheet end before they begin. */
  readonly ReversedSpan: { readonly label: string }
  /** The account of a spreadsheet is no number, name and currency. */
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
  /** `paymentSessionId` is no id of a payment. */
  readonly NotSession: { readonly text: string }
  /** The external fees are above all fees. */
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
