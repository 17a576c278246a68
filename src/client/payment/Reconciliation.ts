/**
 * The findings that `reconcile` can make about a change.
 */
import type { PaymentState, RefundState } from "../../contract/CodeLists.js"

/**
 * The finding of `reconcile`; tell the kinds apart by `_tag`. What the gateway does not show is never taken for not
 * done: a lost request can still be carried out after one has looked.
 */
export type Reconciliation =
  | HappenedFinding
  | DidNotHappenFinding
  | StateReachedFinding
  | NotSeenYetFinding
  | CannotTellFinding

/** Members of every finding. */
interface ReconciliationDetails<out Tag extends string> {
  /** The name of the finding. */
  readonly _tag: Tag
  /** The finding and the next step, in words. */
  readonly message: string
}

/**
 * The gateway took this very change. Treat it as a success that came late: enter it in your books, never repeat it.
 *
 * Only for `refundPayment` and `createRecurrence`, which leave something that can be recognised.
 */
export interface HappenedFinding extends ReconciliationDetails<"Happened"> {
  /** The refund's own id, or the new payment's. */
  readonly id: number
  /** The state of that refund or payment now. A charge can be taken and declined: `CANCELED`. */
  readonly state: RefundState | PaymentState
  /** Taken, not done (`REQUESTED`, or a state that is not known here): read it again until it is, it may still fail. */
  readonly isPending: boolean
}

/**
 * The gateway's state rules out that it happened and that it still can: the hold is released (for a capture), or
 * captured (for its release). Treat it as refused; repeating it is of no use.
 */
export interface DidNotHappenFinding extends ReconciliationDetails<"DidNotHappen"> {
  /** The state that rules it out. */
  readonly state: string
}

/**
 * The goal of the change is reached; whether by this call, another one or the gateway itself is unknown. Go on as after
 * a success where the state is all that matters, and do not repeat it.
 *
 * It does not tell how much a capture captured: nothing known records that.
 */
export interface StateReachedFinding extends ReconciliationDetails<"StateReached"> {
  /** The state that was asked for: `REFUNDED`, `CAPTURED`, `CANCELED`, `STOPPED` or `DELETED`. */
  readonly state: string
}

/**
 * The gateway does not show it, which proves nothing: it may still carry it out. Do not repeat it; ask again later, and
 * leave it to an operator when it stays so. (A card's deletion alone may be repeated: the gateway takes it as often as it
 * comes.)
 */
export interface NotSeenYetFinding extends ReconciliationDetails<"NotSeenYet"> {
  /**
   * Milliseconds from sending to asking, 0 or more: 0 when this machine's clock is behind the one that wrote `sentAt`.
   */
  readonly ageMillis: number
  /** The state that was read, where there is one. */
  readonly state?: string
}

/**
 * Reading cannot decide it, now or later, with what is known of it. Do not repeat it; see `why`, then leave it to an
 * operator.
 */
export interface CannotTellFinding extends ReconciliationDetails<"CannotTell"> {
  /**
   * - `NotSearchable`: payments cannot be looked up by order number. Creating the payment again makes another one.
   * - `NoChildId`: a charge can be recognised only by the id that its notification brings: add it as `childId`.
   * - `OtherPayment`: the payment of `childId` is not this charge.
   * - `NoRefundsBefore`: without the list from before the call (`refundsBefore`) no refund can be identified as this one.
   * - `RefundsMissing`: a refund of that list, which had not failed, is not listed any more, so the lists cannot be compared.
   * - `EqualAmounts`: several refunds could be this one, or an unfinished earlier one of the same amount has become it.
   * - `OtherWriters`: a refund of this amount is new, and someone else may have made it (`isOnlyWriter`).
   * - `RefundFailed`: the only one that can be this refund is `FAILED`, and whether that is final is not documented.
   * - `NoPreauthorization`: the payment shows no hold on a card.
   * - `UnknownState`: the hold is in a state that is not known here.
   * - `Contradiction`: the gateway's responses contradict each other, so none of them is believed. Ask again later.
   * - `CustomRequest`: it was a request of your own, of which nothing is known here.
   */
  readonly why:
    | "NotSearchable"
    | "NoChildId"
    | "OtherPayment"
    | "NoRefundsBefore"
    | "RefundsMissing"
    | "EqualAmounts"
    | "OtherWriters"
    | "RefundFailed"
    | "NoPreauthorization"
    | "UnknownState"
    | "Contradiction"
    | "CustomRequest"
}
