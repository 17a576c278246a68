/**
 * The error of a file that cannot be read as a statement, and the notes about a file that can.
 */
import { brandError, hasBrand } from "../basics/AnyRealm.js"
import { errorsPage } from "../package/Documents.js"
import type { StatementNote } from "./ParsedStatement.js"

/** The file has none of the known layouts. */
export interface UnknownStatement {
  /** The name of the reason. */
  readonly _tag: "UnknownStatement"
  /** The problem, and what to do. */
  readonly message: string
  /** The headers of the columns that were found; empty if there are none. */
  readonly columns: ReadonlyArray<string>
}

/** A line does not match the layout, or the file is cut off. Download it again. */
export interface InvalidStatement {
  /** The name of the reason. */
  readonly _tag: "InvalidStatement"
  /** The problem. */
  readonly message: string
  /** The line of the file, or the row of the sheet; the first is 1. */
  readonly line: number
}

/** The amounts do not add up to the balances or sums of the file. */
export interface StatementImbalance {
  /** The name of the reason. */
  readonly _tag: "StatementImbalance"
  /** The problem. */
  readonly message: string
  /** The line of the file, or the row of the sheet; the first is 1. */
  readonly line: number
  /** The sum of the amounts, an integer in minor units. */
  readonly expected: number
  /** The value in the file, an integer in minor units. */
  readonly actual: number
}

/** The file exceeds a limit. */
export interface StatementTooLarge {
  /** The name of the reason. */
  readonly _tag: "StatementTooLarge"
  /** The problem, with the limit. */
  readonly message: string
}

/** The file does not say its currency. Pass `currency`. */
export interface CurrencyNeeded {
  /** The name of the reason. */
  readonly _tag: "CurrencyNeeded"
  /** The option to pass. */
  readonly message: string
}

/** The file is a spreadsheet. Pass `spreadsheets`. */
export interface SpreadsheetReaderNeeded {
  /** The name of the reason. */
  readonly _tag: "SpreadsheetReaderNeeded"
  /** What to install and pass. */
  readonly message: string
}

/** The reasons why a file is refused; tell them apart by `_tag`. */
export type StatementErrorReason =
  | UnknownStatement
  | InvalidStatement
  | StatementImbalance
  | StatementTooLarge
  | CurrencyNeeded
  | SpreadsheetReaderNeeded

/**
 * The error of a file that cannot be read as a statement. Nothing in it was used. `instanceof` also recognises an error
 * of another copy of this package.
 */
export class StatementError extends Error {
  /** Always `StatementError`. */
  readonly _tag = "StatementError"
  /** The reason of the error; its `_tag` says which. */
  readonly reason: StatementErrorReason

  /** Makes an error of a reason. */
  constructor({ cause, reason }: { readonly reason: StatementErrorReason; readonly cause?: unknown }) {
    super(reason.message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }

  static {
    brandError(this, "StatementError")
  }

  /** Recognises the errors of every copy of this package. */
  static override [Symbol.hasInstance](value: unknown): value is StatementError {
    return hasBrand(value, "StatementError")
  }

  /** The section of this package's documentation that says what to do about it. */
  get help(): string {
    return errorsPage(this.reason._tag)
  }

  /** A stable form without the stack and the cause, fit for logs. */
  toJSON(): {
    readonly _tag: "StatementError"
    readonly message: string
    readonly help: string
    readonly reason: StatementErrorReason
  } {
    const { _tag, help, message, reason } = this
    return { _tag, message, help, reason }
  }
}

/** The reason for a file without a known layout. */
export const unknownStatement = (message: string, columns: ReadonlyArray<string> = []): StatementError =>
  new StatementError({ reason: { _tag: "UnknownStatement", columns, message } })

/** The reason for an empty file. */
export const emptyFile = (): StatementError => unknownStatement("The file is empty. Download it again.")

/** The reason for a line that does not match the layout. */
export const invalidLine = (line: number, problem: string, cause?: unknown): StatementError =>
  new StatementError({ reason: { _tag: "InvalidStatement", line, message: `Line ${line}: ${problem}.` }, cause })

/** The reason for a damaged spreadsheet. */
export const notReadable = (cause?: unknown): StatementError =>
  new StatementError({
    reason: {
      _tag: "InvalidStatement",
      line: 1,
      message: "The spreadsheet cannot be read: it is damaged, cut off or protected by a password."
    },
    cause
  })

/** A text from the file for a message: shortened, and without control characters. */
export const quoted = (text: string): string => {
  const shown = text.replace(/\p{Cc}/gu, "?")
  return JSON.stringify(shown.length > 60 ? `${shown.slice(0, 60)}…` : shown)
}

/** The notes about a file. */
export class Notes {
  readonly list: Array<StatementNote> = []
  private readonly keys = new Set<string>()

  /** Notes a problem of a line. Of notes with the same key only the first is kept, since a file may have thousands. */
  add(_tag: StatementNote["_tag"], line: number, text: string, problem: string, key?: string): void {
    if (key !== undefined && this.keys.has(key)) return
    if (key !== undefined) this.keys.add(key)
    this.list.push({ _tag, line, text, message: `Line ${line}: ${problem}.` })
  }
}
