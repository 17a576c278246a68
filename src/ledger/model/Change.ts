/**
 * The changes that a ledger makes.
 */
import type {
  CaptureAuthorizationPartialRequest,
  CreateRecurrenceRequest,
  GatewayId,
  RefundPaymentRequest
} from "../../contract/Messages.js"
import type { AttentionItem, AttentionKind, ChangeDecision } from "./Attention.js"
import type { DurationInput } from "../../basics/DurationInput.js"
import type { ChangeOutcome, InDoubt } from "./Outcome.js"

/**
 * A charge of an `ON_DEMAND` recurrence. Give each charge its own `order_number`: if its response is lost, the charge
 * can be found on a statement by that number. It is stored, with the description and the items, until the charge's
 * details are erased.
 */
export interface ChargeRequest extends Pick<
  CreateRecurrenceRequest,
  "amount" | "currency" | "order_number" | "order_description" | "items"
> {
  /**
   * The day that the charge is for, `yyyy-mm-dd` in the ledger's `timeZone`; it is not sent earlier. After a restore
   * from a backup, a charge with a later day certainly was not sent before. Charges without a day stop then, until
   * `releaseCharges` is called for their first payment.
   */
  readonly day?: string | undefined
}

/**
 * A change to submit: `{ refund: paymentId, amount }`, `{ capture: paymentId }`, `{ capturePartial:
 * paymentId, amount }`, `{ release: paymentId }` or `{ charge: firstPaymentId, amount, currency, order_number }`.
 */
export type SubmittedChange =
  | ({ readonly refund: GatewayId } & Pick<RefundPaymentRequest, "amount">)
  | { readonly capture: GatewayId }
  | ({ readonly capturePartial: GatewayId } & Pick<CaptureAuthorizationPartialRequest, "amount" | "items">)
  | { readonly release: GatewayId }
  | ({ readonly charge: GatewayId } & ChargeRequest)

/** Options of a change. */
export interface ChangeOptions {
  /**
   * How long the call waits for a final outcome. The change continues if the caller stops waiting; repeat the call
   * later for its outcome. Default: 30 seconds.
   */
  readonly waitAtMost?: DurationInput | undefined
}

/** A change whose outcome is new. */
export interface ChangeEvent<out Tx> extends Pick<ChangeEntry, "key" | "paymentId" | "operation" | "amount"> {
  /**
   * The transaction that records the event in the ledger. What you write through it is written exactly once. `undefined`
   * over a store without transactions: then the handler is called at least once.
   */
  readonly tx: Tx
  /** Stays the same when an event is delivered again: use it as a key for anything done outside the transaction. */
  readonly eventId: string
  /** The outcome. There may be a newer one by now: it arrives next. */
  readonly outcome: ChangeOutcome
  /** Whether an earlier final outcome has proved wrong. `before` has that one. */
  readonly correction: boolean
  /** For a correction: the earlier outcome. */
  readonly before?: ChangeOutcome
}

/** The current state of a change, for an operator. */
export interface ChangeEntry
  extends Pick<AttentionItem, "amount" | "orderNumber" | "proposal" | "sentAt" | "since">, Pick<InDoubt, "version"> {
  /** The key of the change. */
  readonly key: string
  /** The payment's id at the gateway. */
  readonly paymentId: number
  /** The requested operation, such as `refundPayment`. */
  readonly operation:
    | "refundPayment"
    | "captureAuthorization"
    | "captureAuthorizationPartial"
    | "voidAuthorization"
    | "createRecurrence"
  /**
   * - `queued`: not sent yet.
   * - `sending`: a process is sending it.
   * - `unknown`: sent; the ledger is finding out whether it was done.
   * - `accepted`: the gateway has accepted it and has not finished.
   * - `needsOperator`: an operator has to decide, see `listAttention`.
   * - `done`, `refused`: final.
   * - `failed`: a refund that was done and then returned.
   */
  readonly status: "queued" | "sending" | "unknown" | "accepted" | "needsOperator" | "done" | "refused" | "failed"
  /** The kinds of its open items for an operator, oldest first; absent if there are none. See `listAttention`. */
  readonly attention?: ReadonlyArray<AttentionKind>
  /** Its progress, or how it was decided; may be empty. */
  readonly message: string
  /** The decisions that `resolveChange` accepts now; may be empty. */
  readonly decisions: ReadonlyArray<ChangeDecision>
  /** When it was decided, ISO 8601. */
  readonly decidedAt?: string
  /** When the next step is due, ISO 8601. */
  readonly nextAt?: string
}
