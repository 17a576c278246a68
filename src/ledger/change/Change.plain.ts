/**
 * The changes that a ledger makes.
 *
 * This module does not depend on Effect, so that every entry of the package shows the same types.
 */
import type { CaptureAuthorizationPartialRequest, GatewayId, RefundPaymentRequest } from "../../api/Messages.plain.js"
import type { AttentionKind } from "../Attention.plain.js"
import type { DurationInput } from "../../api/DurationInput.plain.js"

/**
 * A change, as it is submitted: `{ refund: paymentId, amount }`, `{ capture: paymentId }`, `{ capturePartial:
 * paymentId, amount }` or `{ release: paymentId }`.
 *
 * @category ledger
 * @since 0.1.0
 */
export type SubmittedChange =
  | ({ readonly refund: GatewayId } & Pick<RefundPaymentRequest, "amount">)
  | { readonly capture: GatewayId }
  | ({ readonly capturePartial: GatewayId } & Pick<CaptureAuthorizationPartialRequest, "amount" | "items">)
  | { readonly release: GatewayId }

/**
 * Options of a change.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface ChangeOptions {
  /**
   * The time to wait for a decision. The change goes on afterwards, with or without the caller; the same call later
   * tells its outcome. Default: 30 seconds.
   */
  readonly waitAtMost?: DurationInput | undefined
}

/**
 * A change in the ledger as it is now, for an operator.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface ChangeEntry {
  /** The key of the change. */
  readonly key: string
  /** The payment that it changes. */
  readonly paymentId: number
  /** The operation. */
  readonly operation: string
  /** The amount in minor units; absent for a full capture and a release. */
  readonly amount?: number
  /**
   * - `queued`: not sent yet.
   * - `sending`: a process is at it.
   * - `unknown`: sent, and looked for.
   * - `accepted`: the gateway has taken it and is not done.
   * - `needsOperator`: an operator has to decide, see `listAttention`.
   * - `done`, `refused`: decided.
   */
  readonly status: "queued" | "sending" | "unknown" | "accepted" | "needsOperator" | "done" | "refused"
  /** The reason why it needs an operator. */
  readonly attention?: AttentionKind
  /** How far it is, or how it was decided; empty when there is nothing to say. */
  readonly message: string
  /** The version of the change, for `resolveChange`. */
  readonly version: number
  /** The time at which it was asked for, ISO 8601. */
  readonly since: string
  /** The time at which it was sent, ISO 8601; absent when it was not. */
  readonly sentAt?: string
  /** The time at which it was decided, ISO 8601. */
  readonly decidedAt?: string
  /** The time of the next step, ISO 8601. */
  readonly nextAt?: string
}
