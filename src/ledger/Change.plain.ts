/**
 * The changes that a ledger makes.
 *
 * This module does not depend on Effect, so that every entry of the package shows the same types.
 */
import type { CaptureAuthorizationPartialRequest, Id, RefundPaymentRequest } from "../api/Messages.plain.js"
import type { LedgerDuration } from "./store/LedgerStore.plain.js"

/**
 * A change, as it is submitted: `{ refund: paymentId, amount }`, `{ capture: paymentId }`, `{ capturePartial:
 * paymentId, amount }` or `{ release: paymentId }`.
 *
 * @category ledger
 * @since 0.1.0
 */
export type SubmittedChange =
  | ({ readonly refund: Id } & Pick<RefundPaymentRequest, "amount">)
  | { readonly capture: Id }
  | ({ readonly capturePartial: Id } & Pick<CaptureAuthorizationPartialRequest, "amount" | "items">)
  | { readonly release: Id }

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
  readonly waitAtMost?: LedgerDuration | undefined
}
