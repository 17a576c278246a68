/**
 * A failed operation as data, inside the client.
 */
import type { GatewayErrorReason } from "./GatewayError.js"
import type { OperationName } from "../../contract/GatewayOperations.js"

/**
 * A failed operation as data: a `GatewayError` is made of it where it leaves the client.
 */
export interface GatewayFailure<out Reason extends GatewayErrorReason = GatewayErrorReason> {
  /** The operation that failed. */
  readonly operation: OperationName
  /** The reason of the failure. */
  readonly reason: Reason
  /** Something beside the reason, such as what an `AbortSignal` was aborted with. */
  readonly cause?: unknown
}
