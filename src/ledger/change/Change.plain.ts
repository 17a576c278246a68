/**
 * The changes that a ledger makes.
 *
 * This module does not depend on Effect, so that every entry of the package shows the same types.
 */
import type {
  CaptureAuthorizationPartialRequest,
  CreateRecurrenceRequest,
  GatewayId,
  RefundPaymentRequest
} from "../../api/Messages.plain.js"
import type { AttentionKind, ChangeDecision, ProposedDecision } from "../Attention.plain.js"
import type { DurationInput } from "../../api/DurationInput.plain.js"
import type { ChangeOutcome } from "./Outcome.plain.js"

/**
 * A charge of an `ON_DEMAND` recurrence. `order_number` is the charge's own: give each another one, since a charge whose
 * response was lost is found by it on a statement. It is stored, with the description and the items, until the details of
 * the charge are erased.
 *
 * @category ledger
 * @since 0.1.0
 */
export type ChargeRequest = Pick<
  CreateRecurrenceRequest,
  "amount" | "currency" | "order_number" | "order_description" | "items"
>

/**
 * A change, as it is submitted: `{ refund: paymentId, amount }`, `{ capture: paymentId }`, `{ capturePartial:
 * paymentId, amount }`, `{ release: paymentId }` or `{ charge: firstPaymentId, amount, currency, order_number }`.
 *
 * @category ledger
 * @since 0.1.0
 */
export type SubmittedChange =
  | ({ readonly refund: GatewayId } & Pick<RefundPaymentRequest, "amount">)
  | { readonly capture: GatewayId }
  | ({ readonly capturePartial: GatewayId } & Pick<CaptureAuthorizationPartialRequest, "amount" | "items">)
  | { readonly release: GatewayId }
  | ({ readonly charge: GatewayId } & ChargeRequest)

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
 * A change that has come to another outcome.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface ChangeEvent<out Tx> {
  /**
   * The transaction that records that the shop was told. What is written through it is written exactly once. `undefined`
   * over a store that has no transactions: then this is called at least once.
   */
  readonly tx: Tx
  /** The same when the same event is told again: a key for whatever is done outside of the transaction. */
  readonly eventId: string
  /** The key of the change. */
  readonly key: string
  /** The payment that it changes. */
  readonly paymentId: number
  /** The operation. */
  readonly operation: ChangeEntry["operation"]
  /** The amount in minor units; absent for a full capture and a release. */
  readonly amount?: number
  /** What it has come to. By now it may have come to more, which is told next. */
  readonly outcome: ChangeOutcome
  /**
   * Whether what was told before has proved wrong: it was decided, and now it is something else. `before` has what was
   * decided.
   */
  readonly correction: boolean
  /** For a correction: the last decision. */
  readonly before?: ChangeOutcome
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
  readonly operation:
    | "refundPayment"
    | "captureAuthorization"
    | "captureAuthorizationPartial"
    | "voidAuthorization"
    | "createRecurrence"
  /** The amount in minor units; absent for a full capture and a release. */
  readonly amount?: number
  /**
   * - `queued`: not sent yet.
   * - `sending`: a process is at it.
   * - `unknown`: sent, and looked for.
   * - `accepted`: the gateway has taken it and is not done.
   * - `needsOperator`: an operator has to decide, see `listAttention`.
   * - `done`, `refused`: decided.
   * - `failed`: it was done, and then returned.
   */
  readonly status: "queued" | "sending" | "unknown" | "accepted" | "needsOperator" | "done" | "refused" | "failed"
  /** The reason why it needs an operator. */
  readonly attention?: AttentionKind
  /** How far it is, or how it was decided; empty when there is nothing to say. */
  readonly message: string
  /** The version of the change, for `resolveChange`. */
  readonly version: number
  /** What may be decided of it with `resolveChange`; empty when nothing can. */
  readonly decisions: ReadonlyArray<ChangeDecision>
  /** What one operator has said, where another one has to say the same; see `dualApprovalAbove`. */
  readonly proposal?: ProposedDecision
  /** The time at which it was asked for, ISO 8601. */
  readonly since: string
  /** The time at which it was sent, ISO 8601; absent when it was not. */
  readonly sentAt?: string
  /** The time at which it was decided, ISO 8601. */
  readonly decidedAt?: string
  /** The time of the next step, ISO 8601. */
  readonly nextAt?: string
}
