/**
 * The error of the local gateway with promises, and its reasons.
 *
 * This module has no dependency on Effect.
 */
import type { Id } from "../../api/Messages.plain.js"

/** Members of every reason. */
export interface LocalGatewayReasonDetails {
  /** The problem and its remedy, in words. */
  readonly message: string
}

/** An argument or an option is wrong; the message names each of them. Nothing was done. */
export interface InvalidInput extends LocalGatewayReasonDetails {
  readonly _tag: "InvalidInput"
}

/** The local gateway has no such payment. */
export interface UnknownPayment extends LocalGatewayReasonDetails {
  readonly _tag: "UnknownPayment"
  readonly paymentId: Id
}

/** The payer cannot do this in the payment's state: it is already paid, held, cancelled or timed out. */
export interface WrongState extends LocalGatewayReasonDetails {
  readonly _tag: "WrongState"
  readonly paymentId: Id
  /** The state of the payment. */
  readonly state: string
}

/** The shop does not offer this instrument for the payment, or the amount is to be held, which takes a card. */
export interface NotOffered extends LocalGatewayReasonDetails {
  readonly _tag: "NotOffered"
  readonly paymentId: Id
}

/** The server could not start, most often because its port is taken. */
export interface ServerStartError extends LocalGatewayReasonDetails {
  readonly _tag: "ServerStartError"
  readonly host: string
  readonly port: number
  /** The system's error code, such as `EADDRINUSE`. */
  readonly code?: string
}

/** The data file is not a seed, or cannot be read or written. It was left untouched. */
export interface DataFileError extends LocalGatewayReasonDetails {
  readonly _tag: "DataFileError"
  readonly path: string
}

/** The gateway was stopped before the call or during it. */
export interface Stopped extends LocalGatewayReasonDetails {
  readonly _tag: "Stopped"
}

/** The reason of a failed call; `_tag` tells them apart. */
export type LocalGatewayErrorReason =
  | InvalidInput
  | UnknownPayment
  | WrongState
  | NotOffered
  | ServerStartError
  | DataFileError
  | Stopped

const brand = "~effect-gopay/LocalGatewayError"

/** The one error of `startLocalGateway` and of a running local gateway: the method's name and the reason. */
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
    // Node prints the class's own name, which a minifier shortens.
    Object.defineProperty(this, "name", { value: "LocalGatewayError" })
    Object.defineProperty(this.prototype, "name", { value: "LocalGatewayError" })
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  /** Recognises the errors of both copies of this entry, of ESM and of CommonJS. */
  static override [Symbol.hasInstance](value: unknown): value is LocalGatewayError {
    return this === LocalGatewayError
      ? typeof value === "object" && value !== null && brand in value
      : Function.prototype[Symbol.hasInstance].call(this, value)
  }
}
