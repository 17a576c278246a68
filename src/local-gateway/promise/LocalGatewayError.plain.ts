/**
 * The one error of a local gateway that is used with promises, and the reasons it can have.
 *
 * This module has no dependency on Effect.
 */
import type { Id } from "../../api/Messages.plain.js"

/** What every reason has. */
export interface LocalGatewayReasonDetails {
  /** What happened and what to do, for a person. */
  readonly message: string
}

/** An argument or an option cannot be right; the message names each. Nothing was done. */
export interface InvalidInput extends LocalGatewayReasonDetails {
  readonly _tag: "InvalidInput"
}

/** The local gateway has no such payment. */
export interface UnknownPayment extends LocalGatewayReasonDetails {
  readonly _tag: "UnknownPayment"
  readonly paymentId: Id
}

/** The payer cannot do this with a payment in this state: it is paid, held, cancelled or timed out already. */
export interface WrongState extends LocalGatewayReasonDetails {
  readonly _tag: "WrongState"
  readonly paymentId: Id
  /** The state of the payment. */
  readonly state: string
}

/** The merchant does not allow this instrument for the payment, or it must be paid by card to be held. */
export interface NotOffered extends LocalGatewayReasonDetails {
  readonly _tag: "NotOffered"
  readonly paymentId: Id
}

/** The server could not be started: most often because its port is taken. */
export interface ServerStartError extends LocalGatewayReasonDetails {
  readonly _tag: "ServerStartError"
  readonly host: string
  readonly port: number
  /** The system's error code, such as `EADDRINUSE`. */
  readonly code?: string
}

/** The data file is not a seed, or cannot be read or written. It was left as it is. */
export interface DataFileError extends LocalGatewayReasonDetails {
  readonly _tag: "DataFileError"
  readonly path: string
}

/** It was stopped before, or while the call ran. */
export interface Stopped extends LocalGatewayReasonDetails {
  readonly _tag: "Stopped"
}

/** Why a call failed; tell them apart by `_tag`. */
export type LocalGatewayErrorReason =
  | InvalidInput
  | UnknownPayment
  | WrongState
  | NotOffered
  | ServerStartError
  | DataFileError
  | Stopped

/** What `startLocalGateway` and the methods of what it starts reject with: the method's name, and the reason. */
export class LocalGatewayError extends Error {
  readonly _tag = "LocalGatewayError"
  readonly operation: string
  readonly reason: LocalGatewayErrorReason

  constructor(details: {
    readonly operation: string
    readonly reason: LocalGatewayErrorReason
    readonly cause?: unknown
  }) {
    super(
      `${details.operation}: ${details.reason.message}`,
      details.cause === undefined ? undefined : { cause: details.cause }
    )
    this.operation = details.operation
    this.reason = details.reason
  }

  static {
    // Said, since a minifier shortens the class's own name, which Node prints.
    Object.defineProperty(this, "name", { value: "LocalGatewayError" })
    Object.defineProperty(this.prototype, "name", { value: "LocalGatewayError" })
  }
}
