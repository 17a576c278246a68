/**
 * An account statement as data, in the same shape for every kind of file, and the spreadsheet library that some files
 * need.
 *
 * Source of the layouts: public parsers, and samples of merchants' own accounts. GoPay's documentation describes none
 * of them.
 */

/**
 * The kind of a movement. `Unknown` is an unknown type, or a known one whose amount has the wrong sign: it is kept with
 * its text, and never counts as a payment.
 *
 * - `Payment`: a payer's payment, credited.
 * - `Refund`, `RefundFee`: money returned to a payer, and GoPay's charge for it.
 * - `Fee`: GoPay's fee for payments or for a clearing.
 * - `CreditNote`: fees that GoPay returns.
 * - `Payout`: a transfer to the shop's bank account.
 * - `TopUp`: the shop adds money to its account.
 * - `UnmatchedTransfer`: a bank transfer that GoPay could not assign to a payment.
 * - `Hold`: an amount that GoPay blocks.
 */
export type MovementTag =
  | "Payment"
  | "Refund"
  | "RefundFee"
  | "Fee"
  | "CreditNote"
  | "Payout"
  | "TopUp"
  | "UnmatchedTransfer"
  | "Hold"
  | "Unknown"

/** One movement of an account. */
export interface StatementMovement {
  /** The kind of movement. */
  readonly _tag: MovementTag
  /** The type as the file writes it. */
  readonly type: string
  /** The line of the file, or the row of the sheet; the first is 1. */
  readonly line: number
  /** `yyyy-mm-dd`, in Prague. */
  readonly date: string
  /** `hh:mm` or `hh:mm:ss`, in Prague, if the file has it. */
  readonly time?: string
  /** An integer in minor units; negative if it leaves the account. */
  readonly amount: number
  /** The ISO 4217 code. */
  readonly currency: string
  /** The order number of a payment, a refund or their fees, if the file has it. An ABO file never does. */
  readonly orderNumber?: string
  /**
   * The number of the clearing, which is the variable symbol of the bank's transfer. In a file, payouts and their fees
   * have it; in a reconciliation, each movement that a clearing explains has it as well.
   */
  readonly clearing?: string
  /** The column "ID objednávky/VS" of any other kind of movement. */
  readonly reference?: string
  /** GoPay's id of the payment. Only a clearing file has it. */
  readonly paymentId?: number
  /** GoPay's id of the movement, if the file has it. It is not the payment's id. */
  readonly movementId?: string
  /** The movement that a fee belongs to, if the file has it. */
  readonly relatedMovementId?: string
  /** The payment channel, under GoPay's name for it. Only a clearing file has it. */
  readonly paymentChannel?: string
  /** The other party, as written in the file. */
  readonly counterparty?: string
  /** The cells of unknown columns, keyed by their headers. */
  readonly extra?: Readonly<Record<string, string>>
}

/**
 * The fees of one channel of payments in a clearing file. Amounts are integers in minor units, if the file has them.
 */
export interface ClearingChannel {
  /** GoPay's name of the channel. */
  readonly type?: string
  /** The fees of its payments. */
  readonly fee?: number
  /** The part of `fee` that was charged for each payment. */
  readonly transactionFee?: number
  /** The part of `fee` that was charged by amount. */
  readonly volumeFee?: number
}

/**
 * The sums in a clearing file. Amounts are integers in minor units, 0 or more: `gross - refunds - refundFees - fees +
 * creditNote = transfer`.
 */
export interface ClearingTotals {
  /** GoPay's number of the clearing. */
  readonly number: string
  /** The variable symbol of the bank's transfer. */
  readonly variableSymbol?: string
  /** The day of the clearing, `yyyy-mm-dd`. */
  readonly performedOn: string
  /** The sum of the payments. */
  readonly gross: number
  /** The sum of the refunds. */
  readonly refunds: number
  /** The sum of the fees of refunds. */
  readonly refundFees: number
  /** The sum of the other fees, including external ones. */
  readonly fees: number
  /** The part of `fees` that the file calls external. GoPay does not document whose fees they are. 0 if it has none. */
  readonly externalFees: number
  /** Fees that GoPay returned. */
  readonly creditNote: number
  /** The amount that is paid out. */
  readonly transfer: number
  /** The amount that was sent, if the file has it. In every public file it equals `transfer`. */
  readonly sent?: number
  /** The channels of its payments, in the order of the file. */
  readonly channels: ReadonlyArray<ClearingChannel>
}

/** The facts of each kind of note, beside its line and its text. */
export interface NoteFacts {
  /** An unknown type of movement; pass `types` to define its meaning, except in a clearing file. */
  readonly UnknownType: { readonly isOfClearing: boolean }
  /** A known type whose amount has the other sign; the movement is `Unknown`. */
  readonly UnexpectedSign: { readonly amount: number; readonly isOfClearing: boolean }
  /** An unknown column; its cells are kept in `extra`. */
  readonly UnknownColumn: unknown
  /** An unknown attribute of a clearing file. Those of a movement are kept in its `extra`. */
  readonly UnknownAttribute: { readonly element: string; readonly isKept: boolean }
  /** An unknown element of a clearing file. Nothing in it was read. */
  readonly UnknownElement: unknown
  /** The fees of a clearing's channels and its external fees do not add up to its fees. */
  readonly ChannelFees: { readonly fees: number; readonly channels: number }
  /**
   * A number whose digits a spreadsheet has lost, such as `1E+11`. It is kept in `extra` and identifies nothing.
   */
  readonly SpoiltNumber: { readonly column: string; readonly isOfSheet: boolean }
  /** The file does not say its encoding; pass `encoding` if the guess is wrong. */
  readonly GuessedEncoding: unknown
  /** By the balances, a movement comes before one of an earlier day, `next`. The day may be mistyped. */
  readonly DayOutOfOrder: { readonly next: string }
  /** A clearing does not cover the day of one of its movements. */
  readonly OutsideOfPeriod: { readonly from: string; readonly to: string }
  /** The file contradicts an option, `given`, and the file's own value was used. */
  readonly OptionNotUsed: {
    readonly option: "currency" | "encoding" | "period" | "types"
    readonly given: string
    readonly own: string
  }
  /** A row that is no movement: a remark above the headers, or a row without an amount. */
  readonly UnknownRow: { readonly row: "aboveHeads" | "withoutAmount" | "ofSheet" }
  /** The last line has no line end, so the file may be cut off. */
  readonly NoFinalLineEnd: unknown
  /** The file has no balances, so its sums cannot be checked. */
  readonly NoBalances: unknown
}

/** A note without its sentence. */
export type UnwordedNote<Tag extends keyof NoteFacts = keyof NoteFacts> = {
  readonly [Own in Tag]: {
    /** The kind of note. */
    readonly _tag: Own
    /** The line of the file, or the row of the sheet; the first is 1. */
    readonly line: number
    /** The type, column or text that it is about. */
    readonly text: string
  } & NoteFacts[Own]
}[Tag]

/** Something to know about a file that is no reason to refuse it: `_tag` is a kind of {@link NoteFacts}. */
export type StatementNote = UnwordedNote & {
  /** A sentence for the operator. */
  readonly message: string
}

/** A statement. Its movements add up: otherwise the file is refused. */
export interface ParsedStatement {
  /** The layout of the file. `CSV` is a layout described by `columns`. */
  readonly format: "CSV_B" | "CSV" | "XLS" | "ABO" | "CLEARING_XML"
  /** The account's number at GoPay, which is not the `goid`. A CSV file does not have it. */
  readonly account?: string
  /** The account's name. */
  readonly accountName?: string
  /** The ISO 4217 code. */
  readonly currency: string
  /**
   * The days that the file covers, both `yyyy-mm-dd`. For a CSV file, which does not say them: those of the option
   * `period`, if given.
   */
  readonly period?: { readonly from: string; readonly to: string }
  /** An integer in minor units, if the file has it. */
  readonly openingBalance?: number
  /** An integer in minor units, if the file has it. */
  readonly closingBalance?: number
  /** In the order of the file. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** The sums of a clearing file. */
  readonly clearing?: ClearingTotals
  /** The notes about the file. */
  readonly notes: ReadonlyArray<StatementNote>
}

/** The headers of a CSV file's columns, as in its first line. */
export interface StatementColumns {
  /** The day, with a time or without: `d.m.yyyy hh:mm` or `yyyy-mm-dd hh:mm`. */
  readonly date: string
  /** The type of movement. */
  readonly type: string
  /** The amount, signed. */
  readonly amount: string
  /** The currency's code. Without this column, pass `currency`. */
  readonly currency?: string
  /** The order number; for payouts and their fees, the clearing's number. */
  readonly orderNumber?: string
  /** GoPay's id of the payment. */
  readonly paymentId?: string
  /** GoPay's id of the movement. */
  readonly movementId?: string
  /** The movement that a fee belongs to. */
  readonly relatedMovementId?: string
  /** The other party. */
  readonly counterparty?: string
  /** The balance before the movement. */
  readonly balanceBefore?: string
  /** The balance after the movement. */
  readonly balanceAfter?: string
}

/**
 * The library that reads XLS and XLSX files: the module `@e965/xlsx`, which is SheetJS. It is not part of this package,
 * since it is larger than everything else in it.
 */
export interface SpreadsheetReader {
  /** Reads the bytes of a file. */
  readonly read: (
    data: Uint8Array,
    options: {
      readonly type: "array"
      readonly cellFormula: true
      readonly cellHTML: false
      readonly cellText: false
      readonly sheets: 0
      readonly sheetRows: number
    }
  ) => {
    /** The sheets in their order. */
    readonly SheetNames: ReadonlyArray<string>
    /** Their cells by address, such as `B12`. */
    readonly Sheets: Readonly<Record<string, object>>
    /** Properties of the workbook. */
    readonly Workbook?: { readonly WBProps?: { readonly date1904?: boolean } }
  }
  /** Reads and writes compound files, the container of XLS. Without it, only XLSX is read. */
  readonly CFB?: CompoundFiles
}

/** The library for compound files: `CFB` of `@e965/xlsx`. */
export interface CompoundFiles {
  /** Reads the bytes of a file. */
  readonly read: (data: Uint8Array, options: { readonly type: "array" }) => object
  /** The stream of a path. */
  readonly find: (container: object, path: string) => { readonly content: ArrayLike<number> } | null
  /** The bytes of a file. */
  readonly write: (container: object, options: { readonly type: "array" }) => ArrayLike<number>
  /** Makes files. */
  readonly utils: {
    /** An empty file. */
    readonly cfb_new: () => object
    /** Adds a stream. */
    readonly cfb_add: (container: object, path: string, content: Uint8Array) => unknown
  }
}
