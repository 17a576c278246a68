/**
 * Finds the outcome of a change of API v4 by reads alone.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { canonicalId } from "../../contract/CanonicalId.js"
import { changeFactsV4, type ChangeSearchV4 } from "../../contract/ChangeFactsV4.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { GatewayId } from "../../contract/Messages.js"
import {
  type PaymentIdV4,
  type PaymentResponseV4,
  type RecurrenceIdV4,
  type RecurrenceResponseV4,
  type RefundResponseV4
} from "../../contract/MessagesV4.js"
import { invalidRequest } from "../call/FailureReason.js"
import type { InvalidField, InvalidRequest } from "../error/GatewayError.js"
import { isPayerDone } from "../payment/PaymentState.js"
import { type ChangeRecordV4, changeOf, checkChangeRecordV4, type RefundBeforeV4 } from "./ChangeRecordV4.js"
import type { FailureV4 } from "./GatewayErrorV4.js"

/** One merchant's reads by API v4. */
export interface ReadsV4<out E> {
  readonly goid: Effect.Effect<GatewayId>
  readonly getPayment: (paymentId: PaymentIdV4) => Effect.Effect<PaymentResponseV4, E>
  readonly getPaymentRefunds: (paymentId: PaymentIdV4) => Effect.Effect<ReadonlyArray<RefundResponseV4>, E>
  readonly getRecurrence: (recurrenceId: RecurrenceIdV4) => Effect.Effect<RecurrenceResponseV4, E>
}

/** Members of every finding. */
interface FindingDetails<out Tag extends string> {
  readonly _tag: Tag
  /** The finding and the next step, in words. */
  readonly message: string
}

/** The call was carried out. */
export interface HappenedV4 extends FindingDetails<"Happened"> {
  /** The resulting refund or payment. */
  readonly id: string
  /** The state that was read. */
  readonly state: string
  /** Whether this may not be its final state. A refund that is `REQUESTED` may still end as `FAILED`. */
  readonly isPending: boolean
  /**
   * For a recurrence: the payment whose response was lost, with its address, and with `payment_secret` and the customer as
   * the gateway shows them. Do not log it.
   */
  readonly payment?: RecurrenceResponseV4["payment"]
}

/** The goal of the call is reached, by whatever actor. */
export interface StateReachedV4 extends FindingDetails<"StateReached"> {
  /** The state that was read. */
  readonly state: string
}

/** It did not happen, and no longer can. */
export interface DidNotHappenV4 extends FindingDetails<"DidNotHappen"> {
  /** The state that was read. */
  readonly state: string
}

/** The gateway does not show it, which proves nothing: a lost request can still be carried out. Ask again later. */
export interface NotSeenYetV4 extends FindingDetails<"NotSeenYet"> {
  /** Milliseconds from sending to asking, at least 0. */
  readonly ageMillis: number
  /** The state that was read, if there is one. */
  readonly state?: string
}

/** Reads cannot decide it, with what is known of it. */
export interface CannotTellV4 extends FindingDetails<"CannotTell"> {
  /**
   * - `NotSearchable`: payments and recurrences cannot be listed or searched. The message says what that means.
   * - `NoRefundsBefore`, `NoPaymentBefore`: the record does not contain what existed before the call.
   * - `EqualAmounts`: more than one refund could be this one.
   * - `OtherWriters`: a refund, or a payment, is new, and someone else may have made it (`isOnlyWriter`).
   * - `RefundFailed`: the only one that can be this refund is `FAILED`: it may be one that was refused. Nothing was
   *   returned by it.
   * - `RefundsMissing`: a refund that was listed before is not listed any more.
   * - `OtherPayment`: the recurrence's payment has another order number or amount than was sent.
   * - `UnknownState`: the state is unknown.
   * - `CustomRequest`: it was sent with `sendRequest`, and its effect is unknown here.
   */
  readonly why:
    | "NotSearchable"
    | "NoRefundsBefore"
    | "NoPaymentBefore"
    | "EqualAmounts"
    | "OtherWriters"
    | "RefundFailed"
    | "RefundsMissing"
    | "OtherPayment"
    | "UnknownState"
    | "CustomRequest"
}

/** The finding of `reconcile` about a change of API v4; tell the kinds apart by `_tag`. */
export type ReconciliationV4 = HappenedV4 | StateReachedV4 | DidNotHappenV4 | NotSeenYetV4 | CannotTellV4

interface Sent {
  readonly change: ChangeRecordV4
  readonly ageMillis: number
}

const notSeenYet = ({ ageMillis }: Sent, what: string, state?: string): NotSeenYetV4 => ({
  _tag: "NotSeenYet",
  message: `${what}, which proves nothing: the gateway may still carry it out. Ask again later.`,
  ageMillis,
  ...(state === undefined ? undefined : { state })
})

const cannotTell = (why: CannotTellV4["why"], message: string): CannotTellV4 => ({ _tag: "CannotTell", why, message })

type Check = <E>(reads: ReadsV4<E>, sent: Sent) => Effect.Effect<ReconciliationV4, E>

// ---------------------------------------------------------------------------------------------------------------------
// Refunds
// ---------------------------------------------------------------------------------------------------------------------

const judgeRefund = (sent: Sent, before: ReadonlyArray<RefundBeforeV4>, now: ReadonlyArray<RefundResponseV4>) => {
  const { amount, isOnlyWriter } = sent.change
  const known = new Set<string>(before.map(({ id }) => id))
  const listed = new Set<string>(now.map(({ id }) => id))
  if (before.some(({ id, state }) => !listed.has(id) && state !== "FAILED")) {
    return cannotTell(
      "RefundsMissing",
      "A refund that was listed before the call is not listed any more. Do not repeat it."
    )
  }
  // Not by the time: the list has that of another clock.
  const added = now.filter(({ id }) => !known.has(id))
  const [refund, ...others] = added.filter((one) => one.amount === amount)
  if (refund === undefined) return notSeenYet(sent, "No new refund of this amount is listed")
  if (others.length > 0) {
    return cannotTell(
      "EqualAmounts",
      "More than one new refund of this amount is listed, and they look alike. Do not repeat it."
    )
  }
  if (isOnlyWriter !== true || added.length > 1) {
    return cannotTell(
      "OtherWriters",
      "A new refund of this amount is listed, and someone else may have made it. Do not repeat it."
    )
  }
  switch (refund.state) {
    case "SUCCESS":
      return happened(refund.id, refund.state, false)
    case "REQUESTED":
      return {
        ...happened(refund.id, refund.state, true),
        message: `It is ${refund.id}, REQUESTED, and may still be refused: read it until it is SUCCESS or FAILED.`
      }
    case "FAILED":
      return cannotTell(
        "RefundFailed",
        `The only new refund of this amount is ${refund.id}, and it is FAILED: it was refused, or it failed later. Nothing was returned by it.`
      )
    default:
      return cannotTell(
        "UnknownState",
        `Refund ${refund.id} is ${refund.state}, a state that is not known here. Do not repeat it.`
      )
  }
}

const happened = (id: string, state: string, isPending: boolean, payment?: HappenedV4["payment"]): HappenedV4 => ({
  _tag: "Happened",
  message: `It is ${id}, ${state}${isPending ? ": taken, not done yet" : ""}.`,
  id,
  state,
  isPending,
  ...(payment === undefined ? undefined : { payment })
})

const findRefund: Check = ({ getPaymentRefunds }, sent) => {
  const { paymentId, refundsBefore } = sent.change
  return paymentId === undefined || refundsBefore === undefined
    ? Effect.succeed(
        cannotTell(
          "NoRefundsBefore",
          "Without the refunds listed before the call (refundsBefore) none of those listed now can be identified as this one. Do not repeat it."
        )
      )
    : Effect.map(getPaymentRefunds(paymentId), (now) => judgeRefund(sent, refundsBefore, now))
}

// ---------------------------------------------------------------------------------------------------------------------
// Payments
// ---------------------------------------------------------------------------------------------------------------------

const judgeCancel = (sent: Sent, { state }: PaymentResponseV4): ReconciliationV4 => {
  switch (state) {
    case "CANCELED":
      return { _tag: "StateReached", message: "The payment is cancelled, by this call or otherwise.", state }
    case "CREATED":
      return notSeenYet(sent, "The payment can still be paid", state)
    case "PAYMENT_METHOD_CHOSEN":
    case "PAID":
    case "AUTHORIZED":
    case "PARTIALLY_REFUNDED":
    case "REFUNDED":
    case "TIMEOUTED":
      return {
        _tag: "DidNotHappen",
        message: `The payment is ${state}: it was not cancelled, and cannot be any more.`,
        state
      }
    default:
      return cannotTell("UnknownState", `The payment is ${state}, a state that is not known here.`)
  }
}

const checkCancel: Check = ({ getPayment }, sent) =>
  sent.change.paymentId === undefined
    ? Effect.succeed(notSearchable("v4.createPayment"))
    : Effect.map(getPayment(sent.change.paymentId), (payment) => judgeCancel(sent, payment))

const notSearchable = (operation: ChangeRecordV4["operation"]): CannotTellV4 =>
  cannotTell(
    "NotSearchable",
    operation === "v4.createRecurrence"
      ? "Recurrences cannot be listed. Nothing comes of the lost one, since only its id starts it: create another one."
      : "Payments cannot be listed or searched. No one has the address of the lost one, so no one pays it, and it times out; unless GoPay itself writes to payers, of which nothing is known. Create another one, and send the payer only to the newest address."
  )

// ---------------------------------------------------------------------------------------------------------------------
// Recurrences
// ---------------------------------------------------------------------------------------------------------------------

const checkRecurrence =
  (judge: (sent: Sent, recurrence: RecurrenceResponseV4) => ReconciliationV4): Check =>
  ({ getRecurrence }, sent) =>
    sent.change.recurrenceId === undefined
      ? Effect.succeed(notSearchable("v4.createRecurrence"))
      : Effect.map(getRecurrence(sent.change.recurrenceId), (recurrence) => judge(sent, recurrence))

const ofPayment = (payment: NonNullable<RecurrenceResponseV4["payment"]>, id: string): HappenedV4 =>
  happened(id, payment.state ?? "", payment.state === undefined || !isPayerDone({ state: payment.state }), payment)

/** Whether a payment has the fields that were sent. */
const isAsSent = (
  { amount, orderNumber }: ChangeRecordV4,
  payment: NonNullable<RecurrenceResponseV4["payment"]>
): boolean =>
  (orderNumber === undefined || isEchoOf(orderNumber, payment.order_number)) &&
  (amount === undefined || amount === payment.amount)

const judgeStart = (sent: Sent, { payment, state }: RecurrenceResponseV4): ReconciliationV4 => {
  const id = payment?.id
  if (payment !== undefined && id !== undefined) {
    // While a recurrence's payment is unpaid, it is the first one; later the newest one is shown.
    if (state !== "REQUESTED") {
      return {
        _tag: "StateReached",
        message: `The recurrence was started, by this call or otherwise, and is ${state} now. It shows its newest payment only.`,
        state
      }
    }
    return isAsSent(sent.change, payment)
      ? ofPayment(payment, id)
      : cannotTell("OtherPayment", `The recurrence was started with another payment, ${id}. Do not start it again.`)
  }
  if (state === "NEW") return notSeenYet(sent, "The recurrence is not started", state)
  if (state === "STOPPED") {
    return {
      _tag: "DidNotHappen",
      message: "The recurrence is stopped, and has no payment: it was not started, and cannot be any more.",
      state
    }
  }
  return cannotTell("UnknownState", `The recurrence is ${state} and shows no payment.`)
}

const judgeNext = (sent: Sent, { payment, type }: RecurrenceResponseV4): ReconciliationV4 => {
  const { isOnlyWriter, orderNumber, paymentBefore } = sent.change
  const id = payment?.id
  if (paymentBefore === undefined) {
    return cannotTell(
      "NoPaymentBefore",
      "Without the recurrence's payment before the call (paymentBefore) none can be identified as this one. Do not repeat it."
    )
  }
  if (payment === undefined || id === undefined || id === paymentBefore) {
    return notSeenYet(sent, "The recurrence shows no new payment")
  }
  if (!isAsSent(sent.change, payment)) {
    return cannotTell(
      "OtherPayment",
      `The recurrence's newest payment, ${id}, is another one; this one may lie before it. Do not repeat it.`
    )
  }
  // Of ON_DEMAND only it is known that GoPay does not charge it by itself, as it does AUTO.
  return orderNumber === undefined && (isOnlyWriter !== true || type !== "ON_DEMAND")
    ? cannotTell(
        "OtherWriters",
        `The recurrence has a new payment, ${id}, and without an order number of its own someone else may have made it. Do not repeat it.`
      )
    : ofPayment(payment, id)
}

const judgeStop = (sent: Sent, { state }: RecurrenceResponseV4): ReconciliationV4 =>
  state === "STOPPED"
    ? { _tag: "StateReached", message: "The recurrence is stopped, by this call or otherwise.", state }
    : notSeenYet(sent, "The recurrence is not shown to be stopped", state)

// ---------------------------------------------------------------------------------------------------------------------

const customRequest = cannotTell(
  "CustomRequest",
  "What became of a request of your own is for you to find out. Do not repeat it."
)

const searches: { readonly [search in ChangeSearchV4]: Check } = {
  createdAgain: (_, { change }) => Effect.succeed(notSearchable(change.operation)),
  paymentCanceled: checkCancel,
  refundList: findRefund,
  recurrenceStarted: checkRecurrence(judgeStart),
  recurrencePayment: checkRecurrence(judgeNext),
  recurrenceStopped: checkRecurrence(judgeStop)
}

/**
 * With credentials that cover several merchants, the gateway would show one merchant's client another one's payment.
 */
const ofMerchant =
  (goid: GatewayId) =>
  (change: ChangeRecordV4): Result.Result<ChangeRecordV4, ReadonlyArray<InvalidField>> =>
    change.goid === undefined || canonicalId(change.goid) === canonicalId(goid)
      ? Result.succeed(change)
      : Result.fail([{ field: "goid", message: `is ${change.goid}, and this client is that of the GoID ${goid}` }])

export const reconcileV4 = <E>(
  reads: ReadsV4<E>,
  change: ChangeRecordV4
): Effect.Effect<ReconciliationV4, E | FailureV4<InvalidRequest>> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const checked = Result.flatMap(checkChangeRecordV4(change), ofMerchant(yield* reads.goid))
    if (Result.isFailure(checked)) {
      const errors = checked.failure.map(({ field, ...error }) => ({
        field: field === undefined ? "change" : `change.${field}`,
        ...error
      }))
      return yield* Effect.fail({ operation: "v4.reconcile" as const, reason: invalidRequest(errors) })
    }
    const sent = { change: checked.success, ageMillis: Math.max(0, now - Date.parse(checked.success.sentAt)) }
    const name = changeOf(sent.change)
    return name === undefined ? customRequest : yield* searches[changeFactsV4[name].search](reads, sent)
  })
