/**
 * Why a gateway does not start: its data file, or its port.
 */
import * as Data from "effect/Data"

/** The data file cannot be used. It was left unchanged. */
export class DataFileError extends Data.TaggedError("DataFileError")<{
  /** The path of the data file. */
  readonly path: string
  /** The problem, in words, without any value from the file. */
  readonly problem: string
}> {
  /** The path and the problem, for an operator. */
  override get message(): string {
    return `The data file ${this.path} cannot be used, and was left as it is. ${this.problem}`
  }
}

/** The server could not start, most often because its port is taken. */
export class ServerStartError extends Data.TaggedError("ServerStartError")<{
  /** The name or address that it should have listened on. */
  readonly host: string
  /** The port that it should have listened on. */
  readonly port: number
  /** The system's error. */
  readonly cause: unknown
}> {
  /** The address and the problem, for an operator. */
  override get message(): string {
    return `Could not listen on ${this.host}, port ${this.port}: ${String(this.cause)}`
  }
}
