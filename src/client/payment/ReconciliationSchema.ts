/**
 * The schema of the result of `reconcile`.
 */
import * as Schema from "effect/Schema"
import type * as Plain from "./Reconciliation.js"

const details = {
  /** The finding and the next step, in words. */
  message: Schema.String
}

/**
 * The finding of `reconcile`; tell the kinds apart by `_tag`. What the gateway does not show is never taken for not
 * done: a lost request can still be carried out after one has looked.
 *
 * @category outcomes
 */
export type Reconciliation = Plain.Reconciliation
/**
 * The result of `reconcile` as a schema: to store it, or to let it cross an `HttpApi`, an RPC or a workflow.
 *
 * @category outcomes
 */
export const Reconciliation = Schema.Union([
  Schema.TaggedStruct("Happened", {
    ...details,
    /** The refund's own id, or the new payment's. */
    id: Schema.Int,
    /** The state of that refund or payment now. A charge can be taken and declined: `CANCELED`. */
    state: Schema.String,
    /**
     * Taken, not done (`REQUESTED`, or a state that is not known here): read it again until it is, it may still fail.
     */
    isPending: Schema.Boolean
  }),
  Schema.TaggedStruct("DidNotHappen", {
    ...details,
    /** The state that rules it out. */
    state: Schema.String
  }),
  Schema.TaggedStruct("StateReached", {
    ...details,
    /** The state that was asked for: `REFUNDED`, `CAPTURED`, `CANCELED`, `STOPPED` or `DELETED`. */
    state: Schema.String
  }),
  Schema.TaggedStruct("NotSeenYet", {
    ...details,
    /**
     * Milliseconds from sending to asking, 0 or more: 0 when this machine's clock is behind the one that wrote
     * `sentAt`.
     */
    ageMillis: Schema.Finite,
    /** The state that was read, where there is one. */
    state: Schema.optionalKey(Schema.String)
  }),
  Schema.TaggedStruct("CannotTell", {
    ...details,
    /**
     * - `NotSearchable`: payments cannot be looked up by order number. Creating the payment again makes another one.
     * - `NoChildId`: a charge can be recognised only by the id that its notification brings: add it as `childId`.
     * - `OtherPayment`: the payment of `childId` is not this charge.
     * - `NoRefundsBefore`: without the list from before the call (`refundsBefore`) no refund can be identified as this
     *   one.
     * - `RefundsMissing`: a refund of that list is not listed any more, so the lists cannot be compared.
     * - `EqualAmounts`: several refunds could be this one, or an unfinished earlier one of the same amount has become
     *   it.
     * - `OtherWriters`: a refund of this amount is new, and someone else may have made it (`isOnlyWriter`).
     * - `RefundFailed`: the only one that can be this refund is `FAILED`, and whether that is final is not documented.
     * - `NoPreauthorization`: the payment shows no hold on a card.
     * - `UnknownState`: the hold is in a state that is not known here.
     * - `Contradiction`: the gateway's responses contradict each other, so none of them is believed. Ask again later.
     * - `CustomRequest`: it was a request of your own, of which nothing is known here.
     */
    why: Schema.Literals([
      "NotSearchable",
      "NoChildId",
      "OtherPayment",
      "NoRefundsBefore",
      "RefundsMissing",
      "EqualAmounts",
      "OtherWriters",
      "RefundFailed",
      "NoPreauthorization",
      "UnknownState",
      "Contradiction",
      "CustomRequest"
    ])
  })
])
