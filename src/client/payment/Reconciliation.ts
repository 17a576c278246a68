/**
 * The findings that `reconcile` can make about a change.
 */
import type { PaymentState, RefundState } from "../../contract/CodeLists.js"

/**
 * The finding of `reconcile`; tell the kinds apart by `_tag`. A change that the gateway does not show never counts as
 * not made: a lost request can still be carried out after the read.
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
 * The gateway took this very change. Treat it as a late success: record it, and never repeat it.
 *
 * Only for `refundPayment` and `createRecurrence`, which leave something that can be recognised.
 */
export interface HappenedFinding extends ReconciliationDetails<"Happened"> {
  /** The refund's own id, or the new payment's. */
  readonly id: number
  /** The current state of that refund or payment. A charge can be accepted and then declined: `CANCELED`. */
  readonly state: RefundState | PaymentState
  /** Accepted but not done (`REQUESTED`, or an unknown state). Read it again until it is done; it may still fail. */
  readonly isPending: boolean
}

/**
 * The gateway's state rules out that it happened, and that it still can: the hold is released (for a capture), or
 * captured (for its release). Treat it as refused; repeating it is useless.
 */
export interface DidNotHappenFinding extends ReconciliationDetails<"DidNotHappen"> {
  /** The state that rules it out. */
  readonly state: string
}

/**
 * The goal of the change is reached; it is unknown whether by this call, another one or the gateway itself. If only the
 * state matters, continue as after a success, and do not repeat it.
 *
 * It does not say how much was captured: nothing known records that.
 */
export interface StateReachedFinding extends ReconciliationDetails<"StateReached"> {
  /** The requested state: `REFUNDED`, `CAPTURED`, `CANCELED`, `STOPPED` or `DELETED`. */
  readonly state: string
}

/**
 * The gateway does not show it, which proves nothing: it may still carry it out. Do not repeat it. Ask again later, and
 * if it stays so, leave it to an operator. (Only the deletion of a card may be repeated: the gateway accepts it each
 * time.)
 */
export interface NotSeenYetFinding extends ReconciliationDetails<"NotSeenYet"> {
  /**
   * Milliseconds from sending to asking, at least 0: it is 0 if this machine's clock is behind the one that wrote
   * `sentAt`.
   */
  readonly ageMillis: number
  /** The state that was read, if there is one. */
  readonly state?: string
}

/**
 * Reads cannot decide it, now or later, with what is known of it. Do not repeat it; see `why`, then leave it to an
 * operator.
 */
export interface CannotTellFinding extends ReconciliationDetails<"CannotTell"> {
  /**
   * - `NotSearchable`: payments cannot be found by order number. Creating the payment again makes another one.
   * - `NoChildId`: a charge can be recognised only by the id that its notification brings: add it as `childId`.
   * - `OtherPayment`: the payment of `childId` is not this charge.
   * - `NoRefundsBefore`: without the list from before the call (`refundsBefore`) no refund can be identified as this
   *   one.
   * - `RefundsMissing`: a refund of that list, which had not failed, is not listed any more, so the lists cannot be
   *   compared.
   * - `EqualAmounts`: several refunds could be this one, or an unfinished earlier one of the same amount has become it.
   * - `OtherWriters`: a refund of this amount is new, and someone else may have made it (`isOnlyWriter`).
   * - `RefundFailed`: the only one that can be this refund is `FAILED`, and whether that is final is not documented.
   * - `NoPreauthorization`: the payment shows no hold on a card.
   * - `UnknownState`: the hold is in a state that is not known here.
   * - `Contradiction`: the gateway's responses contradict each other, so none of them is believed. Ask again later.
   * - `CustomRequest`: it was a custom request, about which nothing is known here.
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
