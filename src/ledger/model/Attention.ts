/**
 * The items of a ledger that need an operator.
 */
import type { GatewayId } from "../../contract/Messages.js"

/** The kinds of items that need an operator; see `AttentionKind`. */
export const attentionKinds = [
  "InDoubt",
  "StrangeRefund",
  "ListIncomplete",
  "NotSent",
  "Unbound",
  "CredentialsRefused",
  "AccountEmpty",
  "ChargesDisabled",
  "ChargeRefused",
  "DecisionContradicted",
  "PaidTwice",
  "PaidLate",
  "Unfulfillable",
  "UnknownPayment",
  "PaymentMismatch",
  "StateContradicted",
  "ReturnedElsewhere",
  "HoldNotEnded",
  "ChargeMissing",
  "OnPaymentFailed",
  "OnChangeFailed",
  "OnSubscriptionFailed",
  "UnreadableRow",
  "SendingStopped",
  "WorkStopped",
  "DatabaseRestored"
] as const

/**
 * The kind of an item:
 * - `InDoubt`: it is not known whether the gateway took it. It was sent, or may have been: its process ended before it
 *   had a response, or a backup was restored. Reading cannot decide it, or it cannot be read for `escalateAfter`, while
 *   others can. Look in GoPay's administration, then `resolveChange`.
 * - `StrangeRefund`: nothing was sent, since the payment has a refund that the ledger does not know as its own. `resolveChange` it
 *   as `byHand` when that refund is the one that was wanted; else `acknowledgeRefund`, and this one is sent.
 * - `ListIncomplete`: the gateway's list of refunds does not show one that is done. Nothing is sent until it does.
 * - `NotSent`: it was not sent, since its payment cannot be read for `escalateAfter`, while others can, or the gateway
 *   contradicts itself about it. It is tried again.
 * - `Unbound`: the refund is done, and which entry of the list is its own cannot be determined. The payment's next change
 *   waits.
 * - `CredentialsRefused`: something before the gateway, such as a firewall, refuses the requests for it (403), while
 *   those for others work; a request that changes something was refused twice. It is tried again, until it is
 *   `cancelled`. If everything is refused, there is one item instead: `SendingStopped`.
 * - `AccountEmpty`: the merchant's account holds too little for the refund (333). It is tried again about every ten
 *   minutes, until there is enough, or it is `cancelled`.
 * - `ChargesDisabled`: GoPay has not enabled recurrences for the shop (341), so nothing was charged. It is tried again,
 *   once an hour, until it is `cancelled`.
 * - `ChargeRefused`: the charge for a period of a subscription was refused for a reason that its payer cannot mend, such
 *   as a malformed request. The payer is not notified, and nothing is charged until the shop calls `chargePeriod` with
 *   other items or another description, or the subscription has another card, or this is resolved: as `notDone`, it is
 *   charged again; as `cancelled`, it is given up.
 * - `PaidTwice`, of a charge: another attempt of the same period of a subscription is paid as well. Refund one, then
 *   resolve this one as `done`.
 * - `DecisionContradicted`: an operator decided that it was not made, and the gateway shows that it was.
 * - `OnChangeFailed`: `onChange` fails for it again and again, so the shop does not know what became of it.
 * - `OnSubscriptionFailed`, also of a payment: `onSubscription` fails again and again for the period whose charge it is,
 *   or for the subscription whose first payment it is. Each of the three ends when its handler has worked.
 *
 * And of the payment of an order, whose `operation` is `createPayment`:
 *
 * - `PaidTwice`: another payment of the same order is paid or held as well, or those of its group are more than the
 *   group's total. Refund or release one: this one by `giveBack`. It ends when the excess has been returned.
 * - `PaidLate`: it was paid after the ledger had stopped offering it: a later read still showed it as unpaid. Deliver,
 *   or refund it (`giveBack`). It ends when all is returned.
 * - `Unfulfillable`: `onPayment` has answered that the order cannot take the money, in the words of the item; or a
 *   subscription waits for it that cannot be charged with it. Refund it (`giveBack`), or deliver. It ends when all is
 *   returned.
 * - `UnknownPayment`: it was paid, and a ledger created it, but this one does not have it, for example after a backup
 *   was restored. See `adoptPayment`. Until it is adopted or resolved, its order is `inDoubt`, and gets no other payment.
 * - `PaymentMismatch`: two reads of the gateway, ten minutes apart, show another amount, currency, order number or
 *   merchant than requested. It is not taken as paid, unless it was recorded as paid before. Resolve it as `accepted` or
 *   `refused`.
 * - `StateContradicted`: it was paid, and the gateway says that it was not. It stays paid.
 * - `ReturnedElsewhere`: the gateway says that money was returned, and lists no refund: perhaps a chargeback. Look into
 *   GoPay's administration and mail.
 * - `HoldNotEnded`: its hold should have been captured or released by now, and was not.
 * - `ChargeMissing`: a recurrence that the gateway charges by itself (`DAY`, `WEEK`, `MONTH`) has had no charge, three
 *   days after its day. It ends with the next charge; once resolved it is not reported again.
 * - `OnPaymentFailed`: `onPayment` fails for it again and again, so the shop does not know what became of it.
 * - `InDoubt`: it was being created with a stored card, and it is not known whether it was.
 *
 * And of the ledger itself, or of a row in either table:
 *
 * - `UnreadableRow`: a row cannot be read, such as one of a newer release or one that was edited by hand. Nothing is done
 *   for its payment; of an outcome that cannot be read, the shop is not notified. All others go on. That of a
 *   subscription, a period or an outcome is reported to `onAttention` only.
 * - `SendingStopped`: nothing is sent any more. The item says why; see `getHealth`. A pause is reported after an hour.
 *   It is reported to `onAttention` only.
 * - `WorkStopped`: a part of a worker's work, which the item names, fails because of a fault in the program or its
 *   database client, which is in the log; or the gateway asks to wait for longer than ten minutes. It is tried again,
 *   and everything else goes on. It is reported to `onAttention` only.
 * - `DatabaseRestored`: the database was restored to an earlier time, or a standby was promoted. If it has lost commits,
 *   run `distrust`. It is reported to `onAttention` only.
 */
export type AttentionKind = (typeof attentionKinds)[number]

/** A change, or a payment of an order, that needs an operator. */
export interface AttentionItem {
  /** The kind of the item. */
  readonly kind: AttentionKind
  /**
   * The key of the change, or the name of the order's payment, for `resolveChange` or `resolvePayment`; `ledger` for the
   * ledger itself; `subscription:` with the name, and the period, for one that cannot be read.
   */
  readonly key: string
  /** The order number: of the payment of an order, or of a charge, by which it is found in GoPay's administration. */
  readonly orderNumber?: string
  /** The payment; of a charge, its first payment. Absent when it is in doubt whether it was created. */
  readonly paymentId?: number
  /** The requested operation, such as `refundPayment`; `createPayment` for the payment of an order. */
  readonly operation: string
  /** The amount in minor units; absent for a full capture and a release. */
  readonly amount?: number
  /** The problem and the next step, in words. */
  readonly message: string
  /**
   * The version, for `resolveChange` or `resolvePayment`. It changes with what is shown of the item, but not when a
   * read finds nothing new.
   */
  readonly version: number
  /** The decisions that `resolveChange` or `resolvePayment` accepts; may be empty. */
  readonly decisions: ReadonlyArray<ChangeDecision | PaymentDecision>
  /** The decision of a first operator that a second one has to confirm; see `dualApprovalAbove`. */
  readonly proposal?: ProposedDecision
  /** The time at which the change or payment was requested, ISO 8601. */
  readonly since: string
  /**
   * The time at which its process was about to send it, ISO 8601; absent when that has certainly not happened. If the
   * process ended then, it may not have been sent.
   */
  readonly sentAt?: string
}

/**
 * What an operator may decide about a change.
 *
 * - `done`: it was made. With `refundId` the refund's entry in the gateway's list is bound to it. For a charge,
 *   `chargeId` names its payment, which decides whether it was paid.
 * - `notDone`: it was sent, or may have been, and was not made. A new attempt needs a new key; a period of a
 *   subscription makes one by itself. A charge whose payment is known is `notDone` only when that is closed, which is
 *   read.
 * - `cancelled`: it will not be sent. It never was, or the gateway has refused it in a way that passes, such as for lack
 *   of money in the account. A new attempt needs a new key.
 * - `byHand`: it was never sent, and the refund `refundId` was made in its place, such as in GoPay's administration.
 * - `undecided`: takes back what an operator has decided, while no other change of the payment was sent since.
 */
export type ChangeDecision = "done" | "notDone" | "cancelled" | "byHand" | "undecided"

/**
 * What an operator may decide about the payment of an order.
 *
 * - `done`: what was wrong is settled. Not for a payment in doubt, nor for one that the ledger does not know.
 * - `notDone`: a payment in doubt was not created; for any other, nothing had to be done.
 * - `accepted`, for a payment that differs from the request (`PaymentMismatch`): it counts as it is, and is taken as
 *   paid. For one that the ledger does not know (`UnknownPayment`): the ledger takes it over, and reports it to
 *   `onPayment`.
 * - `refused`, for such a payment: it does not count, and its order may have another one. Give its money back.
 * - `giveBack`, for one whose money is too much, late or not wanted (`PaidTwice`, `PaidLate`, `Unfulfillable`): the
 *   ledger refunds what is left of it, or releases its hold, by a change whose key the item names. The item ends when
 *   that is done. If it is refused or fails, the item is reported again, and may be decided anew. Not while another
 *   change of the payment is under way. More than `dualApprovalAbove` is for the shop to refund.
 */
export type PaymentDecision = "done" | "notDone" | "accepted" | "refused" | "giveBack"

/** The decision of a first operator, which takes effect when a second one decides the same. */
export interface ProposedDecision {
  /** The decision. */
  readonly as: ChangeDecision
  /** The refund's id at the gateway, if the decision names one. */
  readonly refundId?: number
  /** The payment that the charge made, if the decision names one. */
  readonly chargeId?: number
  /** The name of the operator. */
  readonly by: string
  /** The evidence, in a sentence. */
  readonly note: string
}

/** The decision of an operator about a change. */
export interface ChangeResolution extends Pick<ProposedDecision, "by" | "note"> {
  /**
   * The version that the operator has seen: that of the item, the change or the payment. If it has changed since,
   * nothing is decided.
   */
  readonly version: number
  /**
   * The kind of the item that is decided about. It may be omitted if there is only one item, if the version identifies
   * it, or, for a change, if only one decision fits.
   */
  readonly kind?: AttentionKind | undefined
  /** The decision: one of the `decisions` of the item or the change. */
  readonly as: ChangeDecision
  /**
   * Decides `notDone` of a change that was sent, and that the ledger still looks for without an operator. Without it that
   * is refused: GoPay may still carry it out, and what is done in its place would then be done twice. Only where GoPay
   * has said that it never will.
   */
  readonly early?: boolean | undefined
  /** With `done` and `byHand`: the refund's id at the gateway, of the same amount. Required with `byHand`. */
  readonly refundId?: GatewayId | undefined
  /** With `done` of a charge, for which it is required: the payment that it made. */
  readonly chargeId?: GatewayId | undefined
}

/** The decision of an operator about the payment of an order. */
export interface PaymentResolution extends Pick<ChangeResolution, "version" | "kind" | "by" | "note"> {
  /**
   * The decision: one of the `decisions` of the item. A payment in doubt is `notDone`, or adopted by its id. A payment
   * that differs from what was asked for, or that the ledger does not know, is `accepted` or `refused`.
   */
  readonly as: PaymentDecision
}

/** The words before the ids of the refunds. */
const strangeRefund = "Nothing was sent: the gateway lists refund "

/** The sentence that names the refunds that stop a change. */
export const strangeRefundMessage = (ids: ReadonlyArray<number>): string =>
  `${strangeRefund}${ids.join(", ")} of this payment, which the ledger does not know as its own. `

/** The refund that stops a change; `undefined` if something else does, or several refunds do. */
export const namedRefund = ({ kind, message }: Pick<AttentionItem, "kind" | "message">): number | undefined => {
  if (kind !== "StrangeRefund" || !message.startsWith(strangeRefund)) return undefined
  const id = /^\d+(?= of )/.exec(message.slice(strangeRefund.length))?.[0]
  return id === undefined ? undefined : Number(id)
}
