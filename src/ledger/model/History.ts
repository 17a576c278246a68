/**
 * The history of a ledger: what became of its rows, step by step.
 */
import type { AttentionKind } from "./Attention.js"

/**
 * One step of a change, or of the payment of an order. Steps are appended together with the move of the row, and never
 * edited; `eraseDetails` erases the words of old ones, and what is left of removed payments. A look that finds nothing new
 * is no step.
 *
 * @category ledger
 */
export interface HistoryEntry {
  /** The number of the entry: it grows. */
  readonly id: number
  /** The time of the step by the database's clock, ISO 8601. */
  readonly at: string
  /** The key of the change, or the name of the order's payment as in `listAttention`. */
  readonly key: string
  /** The operation; `createPayment` for the payment of an order. */
  readonly operation: string
  /** The number of the order, for a payment of an order. */
  readonly orderNumber?: string
  /** The payment; absent before it has an id. */
  readonly paymentId?: number
  /** The amount that was asked for, in minor units; absent for a full capture and a release, and once erased. */
  readonly amount?: number
  /** The version that the row came to. */
  readonly version: number
  /**
   * How it stood from then on. A change: `queued`, `sending`, `refusing` (refused, and being checked),
   * `unknown`, `accepted`, `needsOperator`, `done`, `refused`, `failed`. A payment: `creating`, `created`, `lost`, `inDoubt`, `unknown`.
   */
  readonly status: string
  /** The state of the payment as the gateway said it. */
  readonly state?: string
  /** The sum of the payment's refunds as the gateway listed it, in minor units. */
  readonly refunded?: number
  /** The refund at the gateway, once it was recognised. */
  readonly refundId?: number
  /** The refunds that the gateway listed before this one was sent. */
  readonly refundsBefore?: ReadonlyArray<number>
  /** What the gateway said, what was read, or who decided what and why. */
  readonly message?: string
  /** Why it needed an operator. */
  readonly attention?: AttentionKind
  /** For a step that sends: the attempt, the name of what is sent. */
  readonly attempt?: string
  /** The process that did it; see `processName`. */
  readonly process?: string
}

/**
 * Which part of the history to list.
 *
 * @category ledger
 */
export interface HistoryOptions {
  /** Only entries after the one with this `id`. Default: from the first one. */
  readonly after?: number | undefined
  /** The most to return, 1 to 10,000. Default: 1,000. */
  readonly limit?: number | undefined
}
