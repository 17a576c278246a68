/**
 * The error of a data file.
 */
import * as Data from "effect/Data"

/**
 * The data file cannot be used. It is left as it is.
 *
 * @category local gateway
 */
export class DataFileError extends Data.TaggedError("DataFileError")<{
  /** The path of the data file. */
  readonly path: string
  /** The problem, in words; no value out of the file is repeated. */
  readonly problem: string
}> {
  /** The path and the problem, for an operator. */
  override get message(): string {
    return `The data file ${this.path} cannot be used, and was left as it is. ${this.problem}`
  }
}
