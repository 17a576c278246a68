/**
 * The error of a file that cannot be read as a statement, and the notes of one that can.
 */
import { brandError, hasBrand } from "../basics/AnyRealm.js"
import { errorsPage } from "../package/Documents.js"
import type { StatementNote } from "./ParsedStatement.js"

/** The file is none of the known layouts. */
export interface UnknownStatement {
  /** The name of the reason. */
  readonly _tag: "UnknownStatement"
  /** The problem, and what to do. */
  readonly message: string
  /** The heads of the columns that were found; empty where there are none. */
  readonly columns: ReadonlyArray<string>
}

/** A line is not what the layout says, or the file is cut off. Download it again. */
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
  /** What the amounts come to. An integer in minor units. */
  readonly expected: number
  /** What the file says. An integer in minor units. */
  readonly actual: number
}

/** The file is larger than any statement that is read here. */
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
  /** What to pass. */
  readonly message: string
}

/** The file is a spreadsheet. Pass `spreadsheets`. */
export interface SpreadsheetReaderNeeded {
  /** The name of the reason. */
  readonly _tag: "SpreadsheetReaderNeeded"
  /** What to install and pass. */
  readonly message: string
}

/** The reasons that a file is refused for; tell them apart by `_tag`. */
export type StatementErrorReason =
  | UnknownStatement
  | InvalidStatement
  | StatementImbalance
  | StatementTooLarge
  | CurrencyNeeded
  | SpreadsheetReaderNeeded

/**
 * The error of a file that cannot be read as a statement. Nothing of it was used. `instanceof` also recognises an error
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

  /** The section of the documents in this package that says what to do about it. */
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

/** A file of no known layout. */
export const unknownStatement = (message: string, columns: ReadonlyArray<string> = []): StatementError =>
  new StatementError({ reason: { _tag: "UnknownStatement", columns, message } })

/** A line that is not what the layout says. */
export const invalidLine = (line: number, problem: string, cause?: unknown): StatementError =>
  new StatementError({ reason: { _tag: "InvalidStatement", line, message: `Line ${line}: ${problem}.` }, cause })

/** A spreadsheet that is damaged. */
export const notReadable = (cause?: unknown): StatementError =>
  new StatementError({
    reason: {
      _tag: "InvalidStatement",
      line: 1,
      message: "The spreadsheet cannot be read: it is damaged, cut off or protected by a password."
    },
    cause
  })

/** A text of the file, short enough for a message, without control characters. */
export const quoted = (text: string): string => {
  const shown = text.replace(/\p{Cc}/gu, "?")
  return JSON.stringify(shown.length > 60 ? `${shown.slice(0, 60)}…` : shown)
}

/** The notes of a file. */
export class Notes {
  readonly list: Array<StatementNote> = []
  private readonly keys = new Set<string>()

  /** Notes a problem of a line; with a key only the first one of that key, since a file may have thousands of them. */
  add(_tag: StatementNote["_tag"], line: number, text: string, problem: string, key?: string): void {
    if (key !== undefined && this.keys.has(key)) return
    if (key !== undefined) this.keys.add(key)
    this.list.push({ _tag, line, text, message: `Line ${line}: ${problem}.` })
  }
}
