/**
 * The error of a server that cannot listen.
 */
import * as Data from "effect/Data"

/**
 * The server could not start, most often because its port is taken.
 *
 * @category local gateway
 */
export class ServerStartError extends Data.TaggedError("ServerStartError")<{
  /** The name or address that it was to listen on. */
  readonly host: string
  /** The port that it was to listen on. */
  readonly port: number
  /** The system's error. */
  readonly cause: unknown
}> {
  /** The address and the problem, for an operator. */
  override get message(): string {
    return `Could not listen on ${this.host}, port ${this.port}: ${String(this.cause)}`
  }
}
