/**
 * Finds the outcome of a change by reads alone.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { canonicalId } from "../../contract/CanonicalId.js"
import { afterLoss, changeFacts, type ChangeSearch } from "../../contract/ChangeFacts.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { CardDetailsResponse, GatewayId, PaymentResponse, RefundHistoryItem } from "../../contract/Messages.js"
import type { InvalidField, InvalidRequest } from "../error/GatewayError.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type {
  CannotTellFinding,
  DidNotHappenFinding,
  HappenedFinding,
  NotSeenYetFinding,
  Reconciliation,
  StateReachedFinding
} from "./Reconciliation.js"
import { distinctRefunds, isContradictory } from "./RefundEntries.js"
import { isPayerDone } from "./PaymentState.js"
import { invalidRequest } from "../call/FailureReason.js"
import { checkChangeRecord } from "../error/ChangeRecordSchema.js"

export interface Reads<out E> {
  readonly getPayment: (paymentId: GatewayId) => Effect.Effect<PaymentResponse, E>
  readonly getPaymentRefunds: (paymentId: GatewayId) => Effect.Effect<ReadonlyArray<RefundHistoryItem>, E>
  readonly getCardDetails: (cardId: GatewayId) => Effect.Effect<CardDetailsResponse, E>
}

/** One merchant's reads. */
export interface MerchantReads<out E> extends Reads<E> {
  readonly goid: Effect.Effect<GatewayId>
}

/** A checked change record, and the milliseconds since the change was sent. */
interface SentChange {
  readonly change: ChangeRecord
  readonly ageMillis: number
}

export const reconcile = <E>(
  reads: MerchantReads<E>,
  change: ChangeRecord
): Effect.Effect<Reconciliation, E | GatewayFailure<InvalidRequest>> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const record = checkChangeRecord(change)
    const isNamed = Result.isSuccess(record) && record.success.goid !== undefined
    const checked = isNamed ? Result.flatMap(record, ofMerchant(yield* reads.goid)) : record
    if (Result.isFailure(checked)) {
      const errors = checked.failure.map(({ field, ...error }) => ({
        field: field === undefined ? "change" : `change.${field}`,
        ...error
      }))
      return yield* Effect.fail({ operation: "reconcile" as const, reason: invalidRequest(errors) })
    }
    const { operation, sentAt } = checked.success
    return yield* checkOf(operation)(reads, {
      change: checked.success,
      ageMillis: Math.max(0, now - Date.parse(sentAt))
    })
  })

/**
 * With credentials that cover several merchants, the gateway would show one merchant's client another one's payment.
 */
const ofMerchant =
  (goid: GatewayId) =>
  (change: ChangeRecord): Result.Result<ChangeRecord, ReadonlyArray<InvalidField>> =>
    change.goid === undefined || canonicalId(change.goid) === canonicalId(goid)
      ? Result.succeed(change)
      : Result.fail([{ field: "goid", message: `is ${change.goid}, and this client is that of the GoID ${goid}` }])

type Check = <E>(reads: Reads<E>, sent: SentChange) => Effect.Effect<Reconciliation, E>

/** Judges by the current state of the changed payment. The check of the record guarantees that there is an id. */
const checkPayment =
  (judge: (payment: PaymentResponse, sent: SentChange) => Reconciliation): Check =>
  ({ getPayment }, sent) =>
    Effect.map(getPayment(sent.change.paymentId ?? ""), (payment) => judge(payment, sent))

// ---------------------------------------------------------------------------------------------------------------------
// Findings
// ---------------------------------------------------------------------------------------------------------------------

const notSeenYet = (
  { ageMillis }: SentChange,
  what: string,
  state?: string,
  advice = "Do not repeat it, ask again later"
): NotSeenYetFinding => ({
  _tag: "NotSeenYet",
  message: `${what}, which proves nothing: the gateway may still carry it out. ${advice}.`,
  ageMillis,
  ...(state === undefined ? undefined : { state })
})

const stateReached = (what: string, state: string): StateReachedFinding => ({
  _tag: "StateReached",
  message: `${what}. Whether this call did it is unknown. Do not repeat it.`,
  state
})

const contradiction = (what: string): CannotTellFinding =>
  cannotTell("Contradiction", `${what}: ask again later, and leave it to an operator when it stays so`)

const cannotTell = (why: CannotTellFinding["why"], message: string): CannotTellFinding => ({
  _tag: "CannotTell",
  why,
  message: `${message}. Do not repeat it.`
})

// ---------------------------------------------------------------------------------------------------------------------
// Refunds
// ---------------------------------------------------------------------------------------------------------------------

const noRefundsBefore = cannotTell(
  "NoRefundsBefore",
  "Without the refunds listed before the call (refundsBefore) none of those listed now can be identified as this one"
)

/**
 * The list of refunds counts only if the payment agrees with it. By itself the payment proves only a full refund: that
 * everything was returned.
 */
const findRefund: Check = (reads, sent) =>
  Effect.gen(function* () {
    const { amount, paymentId = "", refundsBefore } = sent.change
    const listed = refundsBefore === undefined ? undefined : distinctRefunds(yield* reads.getPaymentRefunds(paymentId))
    const payment = yield* reads.getPayment(paymentId)
    const isAllReturned = payment.state === "REFUNDED" && payment.amount === amount
    if (listed !== undefined && refundsBefore !== undefined) {
      if (contradicts(payment, listed))
        return contradiction("The list of refunds and the payment contradict each other")
      const finding = judgeRefunds(sent, distinctRefunds(refundsBefore), listed)
      if (finding._tag !== "CannotTell" || finding.why === "Contradiction" || !isAllReturned) return finding
    }
    return isAllReturned ? stateReached("All that was paid has been returned", payment.state) : noRefundsBefore
  })

/** A list of refunds contradicts its payment by another currency, by a sum above the amount, or by the state. */
const contradicts = (
  { amount, currency, preauthorization, state }: PaymentResponse,
  refunds: ReadonlyArray<RefundHistoryItem>
): boolean => {
  const returned = sumOf(refunds.filter((refund) => refund.state === "SUCCESS"))
  const claimed = sumOf(refunds.filter((refund) => refund.state !== "FAILED"))
  if (refunds.some((refund) => refund.amount <= 0)) return true
  if (refunds.some((refund) => refund.currency !== undefined && refund.currency !== currency)) return true
  if (claimed > amount) return true
  switch (state) {
    case "REFUNDED":
      // After a partial capture, less than the amount can be returned.
      return preauthorization === undefined && claimed < amount
    case "PARTIALLY_REFUNDED":
      return claimed === 0 || returned === amount
    case "PAID":
      return returned > 0
    case "CREATED":
    case "PAYMENT_METHOD_CHOSEN":
    case "AUTHORIZED":
    case "CANCELED":
    case "TIMEOUTED":
      return claimed > 0
    default:
      return false
  }
}

const sumOf = (refunds: ReadonlyArray<RefundHistoryItem>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0)

/**
 * Recognises a refund as the only new one of its amount. The response of `refundPayment` has the payment's id instead
 * of the refund's, and the dates come from another clock, so neither helps.
 */
const judgeRefunds = (
  sent: SentChange,
  before: ReadonlyArray<RefundHistoryItem>,
  now: ReadonlyArray<RefundHistoryItem>
): HappenedFinding | NotSeenYetFinding | CannotTellFinding => {
  const { change } = sent
  const isAlike = ({ amount, currency }: RefundHistoryItem) =>
    amount === change.amount && (currency === undefined || currency === (change.currency ?? currency))
  const idsNow = new Set(now.map(({ id }) => id))
  const idsBefore = new Set(before.map(({ id }) => id))
  const added = now.filter(({ id }) => !idsBefore.has(id))
  const [refund, ...others] = added.filter(isAlike)

  const changed = now.some((item) => before.some(({ amount, id }) => id === item.id && amount !== item.amount))
  if (isContradictory(now) || changed) {
    return contradiction("The refunds listed now are not the ones that were listed before the call, and further ones")
  }
  const missing = before.filter(({ id }) => !idsNow.has(id))
  // A refund that failed has returned nothing, whether it is still listed or not.
  if (missing.some(({ state }) => state !== "FAILED")) {
    return cannotTell("RefundsMissing", "A refund that was listed before the call is not listed any more")
  }
  if (refund === undefined) return notSeenYet(sent, "No new refund of this amount is listed")
  const earlier = [...now.filter(({ id }) => idsBefore.has(id)), ...missing]
  const isUnsettled = earlier.some((item) => isAlike(item) && item.state !== "SUCCESS")
  if (others.length > 0 || isUnsettled) {
    return cannotTell("EqualAmounts", "More than one refund of this amount could be this one")
  }
  if (change.isOnlyWriter !== true || added.length > 1) {
    return cannotTell("OtherWriters", "A new refund of this amount is listed, and someone else may have made it")
  }
  if (refund.state === "FAILED") {
    return cannotTell("RefundFailed", "It is listed as FAILED, and whether that is final is not documented")
  }
  const isPending = refund.state !== "SUCCESS"
  return {
    _tag: "Happened",
    message: `It is refund ${refund.id}, ${refund.state}${isPending ? ": taken, not done yet" : ""}.`,
    id: refund.id,
    state: refund.state,
    isPending
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Holds on a card
// ---------------------------------------------------------------------------------------------------------------------

const checkHold = (reached: keyof typeof holds): Check => {
  const endedIn = (state: keyof typeof holds): StateReachedFinding | DidNotHappenFinding =>
    state === reached
      ? stateReached(holds[state], state)
      : { _tag: "DidNotHappen", message: `${holds[state]}: it did not happen and cannot any more.`, state }
  return checkPayment(({ preauthorization: { state } = {}, state: paymentState }, sent) => {
    if (state !== undefined && holdRuledOutBy.get(state)?.has(paymentState) === true) {
      return contradiction(`The hold is ${state} and the payment ${paymentState}, which contradict each other`)
    }
    switch (state) {
      case "CAPTURED":
        return endedIn("CAPTURED")
      case "CANCELED":
        return endedIn("CANCELED")
      case "AUTHORIZED":
      case "REQUESTED":
        return notSeenYet(sent, `The hold on the card is ${state}`, state)
      case undefined:
        return cannotTell("NoPreauthorization", "The payment shows no hold on a card")
      default:
        return cannotTell("UnknownState", `The hold on the card is ${state}, a state that is not known here`)
    }
  })
}

const moneyHasCome = ["PAID", "PARTIALLY_REFUNDED", "REFUNDED"]

const payerIsAwaited = ["CREATED", "PAYMENT_METHOD_CHOSEN"]

/** For each state of a hold, the payment states that rule it out. */
const holdRuledOutBy: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["CAPTURED", new Set([...payerIsAwaited, "CANCELED", "TIMEOUTED"])],
  ["CANCELED", new Set([...payerIsAwaited, ...moneyHasCome])]
])

const holds = {
  CAPTURED: "The hold is captured, how much of it is not known",
  CANCELED: "The hold is released, by a call or because its time ran out"
}

// ---------------------------------------------------------------------------------------------------------------------
// Recurrences
// ---------------------------------------------------------------------------------------------------------------------

const checkRecurrence = checkPayment(({ recurrence: { recurrence_state: state } = {} }, sent) =>
  state === "STOPPED"
    ? stateReached("The recurrence is stopped", state)
    : notSeenYet(sent, "The recurrence is not shown to be stopped", state)
)

const noChildId = cannotTell(
  "NoChildId",
  "A charge can be recognised only by the payment that its notification names (childId)"
)

const findCharge: Check = ({ getPayment }, { change }) =>
  change.childId === undefined
    ? Effect.succeed(noChildId)
    : Effect.map(getPayment(change.childId), (child) => judgeCharge(change, child))

const judgeCharge = (
  change: ChangeRecord,
  { amount, currency, id, order_number, parent_id, state }: PaymentResponse
): HappenedFinding | CannotTellFinding =>
  parent_id === Number(change.paymentId) &&
  isEchoOf(change.orderNumber, order_number) &&
  amount === change.amount &&
  currency === change.currency
    ? {
        _tag: "Happened",
        message: `It is payment ${id}, ${state}.`,
        id,
        state,
        isPending: !isPayerDone({ state })
      }
    : cannotTell("OtherPayment", `Payment ${id} is another charge, or none of this recurrence`)

// ---------------------------------------------------------------------------------------------------------------------
// Cards, payments
// ---------------------------------------------------------------------------------------------------------------------

const checkCard: Check = (reads, sent) =>
  Effect.map(reads.getCardDetails(sent.change.cardId ?? ""), ({ status }): Reconciliation =>
    status === "DELETED"
      ? stateReached("The card is deleted", status)
      : notSeenYet(sent, "The card is not shown to be deleted", status, "Deleting it again is safe")
  )

const createdAgain: Check = (_, { change: { operation, usesStoredCard = false } }) => {
  const advice = {
    makeAgain: "create another one, and send the payer only to the newest address",
    findOut: "a stored card may have paid this one: do not repeat it, find out in GoPay's administration"
  }
  return Effect.succeed({
    _tag: "CannotTell",
    why: "NotSearchable",
    message: `Payments cannot be looked up by order number: ${advice[afterLoss(operation, usesStoredCard)]}.`
  })
}

// ---------------------------------------------------------------------------------------------------------------------

const customRequest = cannotTell("CustomRequest", "What became of a request of your own is for you to find out")

const searches: { readonly [search in ChangeSearch]: Check } = {
  createdAgain,
  refundList: findRefund,
  childPayment: findCharge,
  recurrenceState: checkRecurrence,
  holdCaptured: checkHold("CAPTURED"),
  holdReleased: checkHold("CANCELED"),
  cardStatus: checkCard
}

const checkOf = (operation: ChangeRecord["operation"]): Check =>
  operation === "sendRequest" ? () => Effect.succeed(customRequest) : searches[changeFacts[operation].search]
