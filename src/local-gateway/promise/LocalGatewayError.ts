/**
 * The error of the local gateway with promises, and its reasons.
 *
 * This module has no dependency on Effect.
 */
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import type { GatewayId } from "../../contract/Messages.js"

/** Members of every reason. */
interface LocalGatewayReasonDetails<Tag extends string> {
  /** The name of the reason. */
  readonly _tag: Tag
  /** The problem and its remedy, in words. */
  readonly message: string
}

/** An argument or an option is wrong; the message names each of them. Nothing was done. */
export interface InvalidInput extends LocalGatewayReasonDetails<"InvalidInput"> {}

/** The seed cannot be used; the message names each problem and its path. Nothing was done. */
export interface InvalidSeed extends LocalGatewayReasonDetails<"InvalidSeed"> {}

/** The local gateway has no such payment. */
export interface PaymentNotFound extends LocalGatewayReasonDetails<"PaymentNotFound"> {
  /** The payment of the call. */
  readonly paymentId: GatewayId
}

/** The payer cannot do this in the payment's state: it is already paid, held, cancelled or timed out. */
export interface WrongPaymentState extends LocalGatewayReasonDetails<"WrongPaymentState"> {
  /** The payment of the call. */
  readonly paymentId: GatewayId
  /** The state of the payment. */
  readonly state: string
}

/** The shop does not offer this instrument for the payment, or the amount is to be held, which takes a card. */
export interface InstrumentNotOffered extends LocalGatewayReasonDetails<"InstrumentNotOffered"> {
  /** The payment of the call. */
  readonly paymentId: GatewayId
}

/** The server could not start, most often because its port is taken. */
export interface ServerStartError extends LocalGatewayReasonDetails<"ServerStartError"> {
  /** The name or address that it was to listen on. */
  readonly host: string
  /** The port that it was to listen on. */
  readonly port: number
  /** The system's error code, such as `EADDRINUSE`. */
  readonly code?: string
}

/** The data file is not a seed, or cannot be read or written. It was left untouched. */
export interface DataFileError extends LocalGatewayReasonDetails<"DataFileError"> {
  /** The path of the data file. */
  readonly path: string
}

/** The gateway was closed before the call or during it. */
export interface LocalGatewayClosed extends LocalGatewayReasonDetails<"LocalGatewayClosed"> {}

/** The reason of a failed call; tell them apart by `_tag`. */
export type LocalGatewayErrorReason =
  | InvalidInput
  | InvalidSeed
  | PaymentNotFound
  | WrongPaymentState
  | InstrumentNotOffered
  | ServerStartError
  | DataFileError
  | LocalGatewayClosed

/** The one error of `startLocalGateway` and of a running local gateway: the method's name and the reason. */
export class LocalGatewayError extends Error {
  /** Always `LocalGatewayError`. */
  readonly _tag = "LocalGatewayError"
  /** The method that failed, such as `payByCard`. */
  readonly operation: string
  /** The reason of the failure; its `_tag` says which. */
  readonly reason: LocalGatewayErrorReason

  /** Makes an error of a reason. */
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
    brandError(this, "LocalGatewayError")
  }

  /** Recognises the errors of both copies of this entry, of ESM and of CommonJS. */
  static override [Symbol.hasInstance](value: unknown): value is LocalGatewayError {
    return isInstance(this, value, "LocalGatewayError")
  }
}
