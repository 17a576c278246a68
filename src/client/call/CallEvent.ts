/**
 * The event reported when a call has ended.
 */
import type { GatewayId } from "../../contract/Messages.js"
import type { GatewayErrorReason } from "../error/GatewayError.js"
import type { OperationName } from "../../contract/GatewayOperations.js"

/**
 * `success`, the reason's `_tag`, or `interrupted`. A change that was interrupted while the gateway may have
 * taken it is `OutcomeUnknown`. A `defect` is a failure of what the application provided, such as its own retry policy.
 */
export type CallOutcome = "success" | GatewayErrorReason["_tag"] | "interrupted" | "defect"

/** The end of a call. It contains nothing secret or personal. */
export interface CallEvent {
  /** Requests for an access token are calls too: `getAccessToken`. */
  readonly operation: OperationName
  /** The payment that it was about, or that it created. */
  readonly paymentId?: GatewayId
  /** The stored card that it was about. */
  readonly cardId?: GatewayId
  /** The outcome of the call in one word. */
  readonly outcome: CallOutcome
  /**
   * The number of attempts, without those for a token; 0 if the call failed before the first one. An attempt that was
   * held back counts. Retries by an `HttpClient` of the application's own count as one attempt.
   */
  readonly attempts: number
  /** The HTTP status of the last attempt, when it was answered. */
  readonly status?: number
  /**
   * The kind of failure, when there was one: the status from 400 on, `timeout`, the system's error code such as
   * `ECONNRESET`, the name of the transport's error, or else the outcome.
   */
  readonly errorType?: string
  /** Milliseconds, with all that it waited for: a token, attempts and the pauses between them. */
  readonly durationMillis: number
}

/** The status of a response and the gateway's clock. */
export interface ResponseHead {
  /** The HTTP status. */
  readonly status: number
  /**
   * The time at the gateway when it responded, in milliseconds since 1970, to the second: its `Date` header. Absent
   * when the response has none. `date_requested` of a refund is by the same clock.
   */
  readonly gatewayTimeMillis?: number
}
