/**
 * A failed operation as data, inside the client, and the reasons that each kind of operation may fail for.
 */
import type { AnyReason } from "./AnyReason.js"
import type { CardNotFound, GatewayErrorReason, OutcomeUnknown, PaymentNotFound } from "./GatewayError.js"
import type { OperationName } from "../../contract/GatewayOperations.js"

/** A failed operation as data. It becomes a `GatewayError` where it leaves the client. */
export interface GatewayFailure<
  out Reason extends AnyReason = GatewayErrorReason,
  out Name extends string = OperationName
> {
  /** The operation that failed. */
  readonly operation: Name
  /** The reason of the failure. */
  readonly reason: Reason
  /** A cause besides the reason, such as what an `AbortSignal` was aborted with. */
  readonly cause?: unknown
}

/** The reasons that a read may fail for. */
export type ReadReason = Exclude<GatewayErrorReason, OutcomeUnknown | PaymentNotFound | CardNotFound>

/** The reasons that a change may fail for. `UnexpectedResponse` is about the token call: nothing was sent. */
export type ChangeReason = ReadReason | OutcomeUnknown

/** The reasons that a read of a payment may fail for. */
export type PaymentReadReason = ReadReason | PaymentNotFound

/**
 * The reasons that a change of a payment may fail for. `UnexpectedResponse` is about the token call: nothing was sent.
 */
export type PaymentChangeReason = ChangeReason | PaymentNotFound

/** The reasons that a read of a stored card may fail for. */
export type CardReadReason = ReadReason | CardNotFound

/**
 * The reasons that a change of a stored card may fail for. `UnexpectedResponse` is about the token call: nothing was
 * sent.
 */
export type CardChangeReason = ChangeReason | CardNotFound
