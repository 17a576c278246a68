/**
 * The error of a file that cannot be read as a statement, and the notes about a file that can.
 */
import { brandError, hasBrand } from "../basics/AnyRealm.js"
import { errorsPage } from "../package/Documents.js"
import { englishProblem, noteOf } from "./EnglishProblems.js"
import type { StatementNote, UnwordedNote } from "./ParsedStatement.js"
import type { FileProblem, LineProblem } from "./StatementProblem.js"

/** The file has none of the known layouts. */
export interface UnknownStatement {
  /** The name of the reason. */
  readonly _tag: "UnknownStatement"
  /** The problem by its name, with its facts. */
  readonly problem: FileProblem
  /** The problem, and what to do. */
  readonly message: string
  /** The headers of the columns that were found; empty if there are none. */
  readonly columns: ReadonlyArray<string>
}

/** A line does not match the layout, or the file is cut off. Download it again. */
export interface InvalidStatement {
  /** The name of the reason. */
  readonly _tag: "InvalidStatement"
  /** The problem by its name, with its facts. */
  readonly problem: FileProblem | LineProblem
  /** The problem. */
  readonly message: string
  /** The line of the file, or the row of the sheet; the first is 1. */
  readonly line: number
}

/** The amounts do not add up to the balances or sums of the file. */
export interface StatementImbalance {
  /** The name of the reason. */
  readonly _tag: "StatementImbalance"
  /** The problem by its name, with its facts. */
  readonly problem: LineProblem
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
  /** The problem by its name, with its facts. */
  readonly problem: FileProblem
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
export const unknownStatement = (problem: FileProblem, columns: ReadonlyArray<string> = []): StatementError =>
  new StatementError({
    reason: { _tag: "UnknownStatement", problem, columns, message: englishProblem(problem, 1) }
  })

/** The reason for an empty file. */
export const emptyFile = (): StatementError => unknownStatement({ _tag: "EmptyFile" })

/** The reason for a file that exceeds a limit. */
export const tooLarge = (problem: FileProblem): StatementError =>
  new StatementError({ reason: { _tag: "StatementTooLarge", problem, message: englishProblem(problem, 1) } })

/** The reason for a line that does not match the layout. */
export const invalidLine = (line: number, problem: LineProblem, cause?: unknown): StatementError =>
  new StatementError({
    reason: { _tag: "InvalidStatement", problem, line, message: englishProblem(problem, line) },
    cause
  })

/** The reason for a sum in the file that does not match its amounts. */
export const imbalance = (
  line: number,
  problem: Extract<LineProblem, { readonly expected: number; readonly actual: number }>
): StatementError => {
  const { actual, expected } = problem
  const message = englishProblem(problem, line)
  return new StatementError({ reason: { _tag: "StatementImbalance", problem, line, expected, actual, message } })
}

/** The reason for a damaged spreadsheet. */
export const notReadable = (cause?: unknown): StatementError => {
  const problem = { _tag: "UnreadableSheet" } as const
  const message = englishProblem(problem, 1)
  return new StatementError({ reason: { _tag: "InvalidStatement", problem, line: 1, message }, cause })
}

/** The notes about a file. */
export class Notes {
  readonly list: Array<StatementNote> = []
  private readonly keys = new Set<string>()

  /** Notes a problem of a line. Of notes with the same key only the first is kept, since a file may have thousands. */
  add(note: UnwordedNote, key?: string): void {
    if (key !== undefined && this.keys.has(key)) return
    if (key !== undefined) this.keys.add(key)
    this.list.push(noteOf(note))
  }
}
