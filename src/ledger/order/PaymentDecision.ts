/**
 * What a reading of a payment means for its row: whether the payment is the one that was asked for, whether money has come
 * or is back, what is recorded and reported of it, and when it is checked next. Nothing here reads or writes.
 */
import * as Duration from "effect/Duration"
import { canonicalId } from "../../contract/CanonicalId.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { GatewayId, PaymentResponse, RefundHistoryItem } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import { waitAskedBy } from "../model/LedgerGateway.js"
import type { PaymentDifference } from "../../client/notification/Notification.js"
import { distinctRefunds, isContradictory } from "../../client/payment/RefundEntries.js"
import { listContradicts } from "../change/ChangeJudgement.js"
import {
  hasMoney,
  isAutomatic,
  missedAt,
  pauseAfter,
  type Progress,
  progressOf,
  type Reading,
  readingOf
} from "./PaymentProgress.js"
import { amountsOf, moneyIn } from "./PaymentAmounts.js"
import type { Hold, OperatorDecision, PaymentPatch, PaymentRow } from "../store/PaymentTable.js"
import type { PaymentAmounts } from "../model/Order.js"
import { type ChangeRow, isOwnCapture } from "../store/ChangeRow.js"
import type { AttentionKind } from "../model/Attention.js"
import { failedKinds, failurePause, failuresUnreported, handlerFails } from "../store/HandlerTransaction.js"
import { hasItem, type ItemPatch } from "../store/Items.js"
import { day, hour, minute, second } from "../../basics/Milliseconds.js"
import { now } from "../store/Statements.js"

/** A payment as it was read after its row was. */
export interface Check {
  readonly row: PaymentRow
  readonly payment: PaymentResponse
  /** How long after it has moved a payment that money has come for is checked once a day. */
  readonly compareFor: Duration.Duration
}

/** Whether a reading is believed: if not, its row stays as it is, and the payment is read again. */
export type Judgement = { readonly _tag: "Doubted"; readonly patch: PaymentPatch } | Believed

export interface Believed {
  readonly _tag: "Believed"
  readonly progress: Progress
  readonly refunded: number
  /** Whether less has happened than was reported before. */
  readonly isCorrection: boolean
}

/** What is recorded of a payment, and what follows from it. */
export interface Move {
  readonly patch: PaymentPatch
  readonly believed: Believed
  readonly amounts: PaymentAmounts
  /** Whether the payment has come to something that its order may have come to, too. */
  readonly isNews: boolean
  /** Whether money has come for an order that had none by this payment. */
  readonly isFirst: boolean
  /** Whether it has come when the payment was offered no more. */
  readonly isLate: boolean
  readonly isChargePaid: boolean
  /** Whether money has come or gone, so that another payment of the order may be too much, or no longer. */
  readonly isMoneyMoved: boolean
}

/** How far two reads must be apart that contradict what was known. */
const doubtTime = 10 * minute

/** How much later than it should a hold may end before an operator is notified. */
const holdLateness = 6 * hour

// ---- Whether it is the one that was asked for

/** Whether a payment may be the merchant's: one set of credentials may read those of several. */
export const isOfMerchant = ({ target }: Partial<PaymentResponse>, goid: GatewayId): boolean =>
  target?.goid === undefined || canonicalId(target.goid) === canonicalId(goid)

/**
 * The fields in which a payment is another one than was asked for. What the gateway does not show proves nothing; order
 * numbers are compared as `isEchoOf` does; after a partial capture of the ledger's own the ordered and the captured amount,
 * in minor units, are both right.
 */
export const differencesIn = (
  { order_number: orderNumber, terms }: Pick<PaymentRow, "order_number" | "terms">,
  payment: Partial<PaymentResponse>,
  goid: GatewayId,
  captured: ReadonlyArray<number> = []
): ReadonlyArray<PaymentDifference> => {
  const { amount, currency, order_number, target } = payment
  const isAmount = amount === undefined || amount === terms.amount || captured.includes(amount)
  const isNumber = order_number === undefined || orderNumber === "" || isEchoOf(orderNumber, order_number)
  return [
    ...(isOfMerchant(payment, goid) ? [] : [{ field: "goid" as const, expected: goid, actual: target?.goid }]),
    ...(isNumber ? [] : [{ field: "order_number" as const, expected: orderNumber, actual: order_number }]),
    ...(isAmount ? [] : [{ field: "amount" as const, expected: terms.amount, actual: amount }]),
    ...(currency === undefined || currency === terms.currency
      ? []
      : [{ field: "currency" as const, expected: terms.currency, actual: currency }])
  ]
}

/** The differences in words, the same for each read that shows them. */
export const sentenceOf = (differences: ReadonlyArray<PaymentDifference>): string =>
  `The gateway shows another payment than was requested: ${differences
    .map(({ actual, expected, field }) => `${field} ${String(actual)} in place of ${String(expected)}`)
    .join(", ")}.`

/** Whether a payment is compared before its money is taken, since no operator has accepted it as it is. */
export const isRefusable = ({ payment, row }: Check): boolean => {
  const before = progressOf(row) ?? "open"
  const reading = readingOf(row, payment.state)
  if (reading._tag !== "Forward" || isPaidFor(before)) return false
  const comes = before === "authorized" ? isPaidFor(reading.progress) : isMoney(reading.progress)
  const decision = (row.decisions ?? []).findLast(({ kind }) => kind === "PaymentMismatch")
  return comes && decision?.as !== "accepted"
}

/** Leaves a payment unpaid that is another one than was asked for. Two reads, ten minutes apart, make it an operator's. */
export const decideRefusal = (check: Check, differences: ReadonlyArray<PaymentDifference>): PaymentPatch => {
  const problem = `${sentenceOf(differences)} It is not taken as paid.`
  if (isResolved(check.row, "PaymentMismatch")) return { ...unchanged(check), problem }
  return doubted(check, sentenceOf(differences), { problem, attention: { PaymentMismatch: problem } }).patch
}

// ---- Whether what was read is believed

/** A second partial refund changes no state, and a state that goes back may be explained by a refund that has failed. */
export const needsRefunds = ({ payment, row }: Check): boolean => {
  const reading = readingOf(row, payment.state)
  if (reading._tag !== "Forward") return mayBeBack(row, reading)
  return row.refunded > 0 || isRefund(reading.progress)
}

/** Judges a payment by its state and its refunds; none where they are not needed. */
export const judgeReading = (check: Check, listed: ReadonlyArray<RefundHistoryItem>): Judgement => {
  const { payment, row } = check
  const before = progressOf(row) ?? "open"
  const reading = readingOf(row, payment.state)
  const isForward = reading._tag === "Forward"
  const returned = returnedIn(listed)
  // Less is returned than was: a refund has failed, or the list is behind.
  const isLess = returned !== undefined && returned.refunded < row.refunded
  const isExplained = isLess && row.refunded - returned.refunded <= returned.failed
  if (!isForward && !(mayBeBack(row, reading) && isExplained)) {
    return { _tag: "Doubted", patch: contradicted(check, reading) }
  }
  if (returned === undefined || isLess) {
    const doubt =
      returned === undefined
        ? listContradicts
        : `${row.refunded} of the payment was returned, and the gateway lists ${returned.refunded}.`
    const { isConfirmed, patch } = doubted(check, doubt)
    // What fails is listed as failed in one read; the state agrees in two.
    if (returned === undefined || !(isConfirmed || (isExplained && isForward))) return { _tag: "Doubted", patch }
  }
  return {
    _tag: "Believed",
    progress: (reading._tag === "Strange" ? undefined : reading.progress) ?? before,
    refunded: returned.refunded,
    isCorrection: isLess || !isForward
  }
}

/** Whether a state that was read may be one that refunds have left when they failed. */
const mayBeBack = (row: PaymentRow, reading: Reading): boolean =>
  reading._tag === "Backward" && reading.progress !== undefined && row.refunded > 0

/** The sums of the refunds that have not failed, and of those that have. Nothing where the list says two things of one. */
const returnedIn = (listed: ReadonlyArray<RefundHistoryItem>) => {
  if (isContradictory(listed)) return undefined
  const refunds = distinctRefunds(listed)
  return {
    refunded: sumOf(refunds.filter(({ state }) => state !== "FAILED")),
    failed: sumOf(refunds.filter(({ state }) => state === "FAILED"))
  }
}

/** What a state leaves in the row that is older than the row's, or in no list. */
const contradicted = (check: Check, reading: Reading): PaymentPatch => {
  const { payment, row } = check
  const isDoubted = reading._tag === "Backward" && reading.contradictsMoney && !isResolved(row, "StateContradicted")
  const problem = `It is ${row.state}, and the gateway said that it is ${payment.state}.`
  if (!isDoubted) return { ...unchanged(check), problem }
  const twice = `${problem} Two reads, ten minutes apart, said so.`
  return doubted(check, problem, { problem: twice, attention: { StateContradicted: twice } }).patch
}

/** Records what a read says against the row. One that says the same ten minutes later confirms it, with what follows. */
const doubted = (check: Check, doubt: string, confirmed?: PaymentPatch) => {
  const { row } = check
  const isSame = row.doubt === doubt && row.doubt_since !== null
  const waits = isSame ? doubtTime - (row.now - (row.doubt_since ?? row.now)) : doubtTime
  const isConfirmed = waits <= 0
  const patch: PaymentPatch = {
    ...(isConfirmed ? unchanged(check) : { checked_at: now, next_at: { after: Math.max(second, waits) } }),
    doubt,
    ...(isSame ? undefined : { doubt_since: now }),
    ...(isConfirmed ? confirmed : undefined)
  }
  return { isConfirmed, patch }
}

// ---- What is recorded

/** Whether a payment that was taken as paid is compared with what was asked for. */
export const isCompared = (row: PaymentRow): boolean =>
  isMoney(progressOf(row) ?? "open") && !isResolved(row, "PaymentMismatch")

/** Whether the gateway should charge the payment's recurrence by itself, so that a charge may be missed. */
export const awaitsCharge = (row: PaymentRow, progress: Progress): boolean => isAutomatic(row) && isMoney(progress)

/** Whether the ledger's own captures say how much of a hold was captured. */
export const needsCaptures = ({ captured, terms }: PaymentRow, progress: Progress): boolean =>
  terms.preauthorization === true && captured === null && isPaidFor(progress)

/** What a move is decided by, beside the payment. */
export interface MoveFacts {
  /** The fields in which the payment is another one than was asked for; none unless `isCompared`. */
  readonly differences: ReadonlyArray<PaymentDifference>
  /** The ledger's own captures of it, which are read if `needsCaptures`. */
  readonly captures: ReadonlyArray<Pick<ChangeRow, "amount" | "decision" | "status">>
  /** When the last charge of its recurrence was recorded, which is read if `awaitsCharge`. */
  readonly lastChargeAt: number | undefined
}

export const decideMove = (check: Check, believed: Believed, facts: MoveFacts): Move => {
  const { payment, row } = check
  const { progress, refunded } = believed
  const { captures, differences, lastChargeAt } = facts
  const before = progressOf(row) ?? "open"
  const capture = captures.find(isOwnCapture)
  const captured = capture === undefined ? row.captured : (capture.amount ?? row.terms.amount)
  const amounts = amountsOf({ ...row, captured }, progress, refunded)
  const isNews = progress !== before || refunded !== row.refunded || captured !== row.captured
  const isMove = isNews || payment.state !== row.state
  const holdUntil = progress === "authorized" ? (row.hold_until ?? holdUntilOf(row)) : null
  const isPaid = !isMoney(before) && isMoney(progress)
  const isFirst = row.parent_id === null && isPaid
  const isLate = isFirst && isPaidLate(row)
  const doubts = doubtsOf(check, believed, differences)
  const missedFrom = awaitsCharge(row, progress) ? missedAt(row, payment, lastChargeAt) : Infinity
  const isMissed = missedFrom <= row.now
  const attention: ItemPatch = {
    ...endedBy(progress),
    ChargeMissing: isMissed && !isResolved(row, "ChargeMissing") ? chargeMissing : null,
    ...doubts.attention,
    ...(isLate ? { PaidLate: "It was paid after it was no longer offered." } : undefined)
  }
  const patch: PaymentPatch = {
    ...nextCheck(
      check,
      progress,
      isMove,
      Math.min(holdUntil ?? Infinity, isMissed ? row.now + day : missedFrom, expiryOf(row, progress))
    ),
    ...doubts,
    attention,
    problem: Object.values(attention).findLast((words) => words !== null) ?? null,
    state: payment.state,
    captured,
    refunded,
    hold_until: holdUntil,
    ...(isMove ? { moved_at: now } : undefined),
    ...(row.paid_at === null && isPaidFor(progress) ? { paid_at: now } : undefined),
    ...(progress === "open" ? undefined : { gw_url: null }),
    ...(progress === "closed" ? { offered: null } : undefined)
  }
  return {
    patch,
    believed,
    amounts,
    isNews: isNews && progress !== "open",
    isFirst,
    isLate,
    isChargePaid: isPaid && row.parent_id !== null,
    isMoneyMoved: isMoney(progress) || isMoney(before)
  }
}

/**
 * Whether a payment was certainly paid when it was offered no more: one that is adopted was never offered here, and when
 * one was paid is not known, so it must have been read as unpaid after its time.
 */
const isPaidLate = ({ checked_at, offered, pay_until }: PaymentRow): boolean =>
  checked_at !== null && (offered === null || (pay_until !== null && checked_at >= pay_until))

/** What a believed reading has in it that two reads must say before an operator is notified. */
const doubtsOf = (
  check: Check,
  believed: Believed,
  differences: ReadonlyArray<PaymentDifference>
): PaymentPatch & { readonly attention: ItemPatch } => {
  const { payment, row } = check
  const { progress, refunded } = believed
  // A payer's bank may have taken it back. A list that is behind looks the same, for some minutes.
  const isReturned = isRefund(progress) && refunded === 0 && !isResolved(row, "ReturnedElsewhere")
  const isOther = differences.length > 0
  const ended: ItemPatch = {
    ...(isReturned ? undefined : { ReturnedElsewhere: null }),
    ...(isOther ? undefined : { PaymentMismatch: null })
  }
  if (!isReturned && !isOther) return { doubt: null, doubt_since: null, attention: ended }
  const [doubt, kind, problem] = isReturned
    ? ([
        `The gateway says ${payment.state}, and lists no refund.`,
        "ReturnedElsewhere",
        "Money was returned, and the gateway lists no refund: perhaps a chargeback. Check GoPay's administration."
      ] as const)
    : ([
        sentenceOf(differences),
        "PaymentMismatch",
        `${sentenceOf(differences)} It was recorded as paid before, and stays so.`
      ] as const)
  const { attention, ...patch } = doubted(check, doubt, { attention: { [kind]: problem } }).patch
  return { ...patch, attention: { ...ended, ...attention } }
}

/** The next check: by what the payment has come to, and no later than that time. */
const nextCheck = ({ compareFor, row }: Check, progress: Progress, isMove: boolean, atLatest: number): PaymentPatch => {
  const [age, tries] = isMove ? [0, 0] : [row.now - (row.moved_at ?? row.created_at), row.tries]
  const pause = pauseAfter(progress, { age, compareFor: Duration.toMillis(compareFor), seq: row.seq, tries })
  const after = Math.min(pause, atLatest - row.now)
  return {
    tries: isMove ? 0 : row.tries + 1,
    checked_at: now,
    next_at: after === Infinity ? null : { after: Math.max(second, after) }
  }
}

/** When a payment that is open is read to see whether it is paid in its time. */
const expiryOf = ({ now, pay_until }: PaymentRow, progress: Progress): number =>
  progress === "open" && pay_until !== null && pay_until > now ? pay_until : Infinity

/** When a payment is checked next that has not moved. */
const unchanged = (check: Check): PaymentPatch =>
  nextCheck(check, progressOf(check.row) ?? "open", false, check.row.hold_until ?? Infinity)

/** The items that end when a reading is believed, and comes to this. */
const endedBy = (progress: Progress): ItemPatch => ({
  CredentialsRefused: null,
  StateContradicted: null,
  [failedKinds.onPayment]: null,
  ...(progress === "authorized" ? undefined : { HoldNotEnded: null }),
  ...(progress === "refunded" || progress === "closed" ? { Unfulfillable: null, PaidLate: null } : undefined)
})

const chargeMissing =
  "The gateway should have charged this recurrence by itself, and no charge has been heard of. Was it declined, or its notification lost? Check GoPay's administration."

// ---- Whether an order is paid twice

/** Why a payment is too much that has come to these amounts: its order is paid by another one, or its group by others. */
export const excessBeside = (
  row: PaymentRow,
  amounts: PaymentAmounts,
  related: ReadonlyArray<PaymentRow>
): string | undefined =>
  excessIn(
    row,
    amounts,
    related.filter((other) => other.seq !== row.seq && hasMoney(other))
  )

interface ReviewedPayment {
  readonly row: PaymentRow
  readonly patch: PaymentPatch
}

/** What changes in the payments of an order and its group, oldest first, after one of them has moved. */
export const decideReview = (row: PaymentRow, related: ReadonlyArray<PaymentRow>): ReadonlyArray<ReviewedPayment> => {
  // As `onPayment` names them: what was paid later is too much.
  const byMoney = related.toSorted((one, other) => moneyAt(one) - moneyAt(other) || one.seq - other.seq)
  return byMoney.flatMap((one, index): ReadonlyArray<ReviewedPayment> => {
    const paid = byMoney.slice(0, index).filter(hasMoney)
    const problem = hasMoney(one) ? excessIn(one, amountsIn(one), paid) : undefined
    const isListed = hasItem(one, "PaidTwice")
    if (problem === undefined) {
      // All must be known that it is judged by: its order's, and its group's.
      const isReviewed = one.group_name === row.group_name
      return isListed && isReviewed ? [{ row: one, patch: { attention: { PaidTwice: null } } }] : []
    }
    return isListed || isResolved(one, "PaidTwice")
      ? []
      : [{ row: one, patch: { attention: { PaidTwice: problem }, problem } }]
  })
}

/** When money has come by a payment, as far as that is known. */
const moneyAt = ({ created_at, moved_at, paid_at }: PaymentRow): number => paid_at ?? moved_at ?? created_at

/** Whether a payment is too much by those of another group than the one that has moved: all of that have to be known. */
export const isJudgedElsewhere = (row: PaymentRow, moved: PaymentRow): boolean =>
  hasItem(row, "PaidTwice") && row.group_name !== moved.group_name

/** Why a payment is too much, beside others that are paid: of its order, or of its group. */
const excessIn = (row: PaymentRow, amounts: PaymentAmounts, paid: ReadonlyArray<PaymentRow>): string | undefined => {
  const { group_name, group_total, order_number, terms } = row
  const first = paid.find((other) => other.order_number === order_number)
  if (first !== undefined) return `Payment ${first.payment_id} of this order is paid or held as well.`
  const others = paid.filter((other) => other.group_name === group_name && other.terms.currency === terms.currency)
  if (group_name === null || group_total === null || others.length === 0) return undefined
  const excess = others.reduce((sum, other) => sum + moneyIn(amountsIn(other)), moneyIn(amounts)) - group_total
  return excess > 0
    ? `The payments of the group ${group_name} are ${excess} ${terms.currency} (in minor units) above its total.`
    : undefined
}

// ---- Whether what an operator has given back is back

/** Whether a change is over and has moved no money. */
export const cameToNothing = ({ status }: Pick<ChangeRow, "status">): boolean =>
  status === "refused" || status === "failed"

/** The decision to give back a payment whose money is still there. */
export const givenBack = (row: PaymentRow): OperatorDecision | undefined =>
  moneyIn(amountsIn(row)) === 0 ? undefined : (row.decisions ?? []).findLast(({ as }) => as === "giveBack")

/** Takes that decision for none, since its change came to nothing: the payment needs an operator for the same again. */
export const decideNotGivenBack = (
  { decisions }: PaymentRow,
  given: OperatorDecision,
  { decision, key, problem: said, status }: Pick<ChangeRow, "decision" | "key" | "problem" | "status">
): PaymentPatch => {
  const came = status === "failed" ? "has failed" : "was refused"
  const problem = `Its money was not given back: the change ${key} ${came}. ${decision?.message ?? said ?? ""}`.trim()
  return {
    attention: { [given.kind]: problem },
    problem,
    decisions: (decisions ?? []).filter((one) => one !== given)
  }
}

// ---- What follows when a step has failed, or is over

/** A read that failed proves nothing. What fails at large is no matter of this payment. */
export const afterFailedRead = (
  row: PaymentRow,
  reason: GatewayError["reason"],
  doReadsFail: boolean
): PaymentPatch => {
  const isRefused = reason._tag === "PermissionDenied" && !doReadsFail && row.status !== "unknown"
  return {
    tries: row.tries + 1,
    next_at: { after: Math.max(waitAskedBy(reason) ?? 0, Math.min(30 * second * 2 ** row.tries, hour)) },
    problem: reason.message,
    ...(isRefused && !hasItem(row, "CredentialsRefused")
      ? { attention: { CredentialsRefused: reason.message } }
      : undefined)
  }
}

/** What failed in the shop is tried again soon, whatever the notification's sender does. */
export const afterFailedHandler = (row: PaymentRow): PaymentPatch => {
  const { tries } = row
  const problem = handlerFails("onPayment")
  return {
    tries: tries + 1,
    next_at: failurePause(tries),
    problem,
    ...(tries >= failuresUnreported && !hasItem(row, failedKinds.onPayment)
      ? { attention: { [failedKinds.onPayment]: problem } }
      : undefined)
  }
}

/** It may exist. No one has its address, so another one may be created, unless it needs no payer. */
export const afterLostCreation = (row: PaymentRow): PaymentPatch =>
  row.needs_payer === 0
    ? { status: "inDoubt", next_at: null, attention: { InDoubt: sentWithCard }, problem: sentWithCard }
    : { status: "lost", offered: null, next_at: null }

const sentWithCard = "It was sent with a stored card, and whether the gateway took it is not known."

/** A hold that has expired, and whose end is recorded as a change. */
export const afterHoldEnd = (row: PaymentRow, { end }: Hold): PaymentPatch => {
  const isLate = row.now - (row.hold_until ?? row.now) > holdLateness && !isResolved(row, "HoldNotEnded")
  return {
    next_at: { after: 5 * minute },
    ...(isLate ? { attention: { HoldNotEnded: `It should be ended (${end}) by now, and is still held.` } } : undefined)
  }
}

/**
 * What a read leaves of a payment that is not the ledger's. No one is notified of it: its state counts where a charge is judged, so
 * it is read again while it is open, and no operator has been asked about it. Nothing where nothing has changed for the
 * operator who is.
 */
export const decideUnknown = (check: Check): PaymentPatch | undefined => {
  const { payment, row } = check
  const reading = readingOf(row, payment.state)
  const isMove = reading._tag === "Forward" && payment.state !== row.state
  const state = isMove ? { state: payment.state, moved_at: now } : undefined
  if (row.attention.length > 0) return state
  const isOver = reading._tag === "Forward" && reading.progress !== "open"
  return { ...nextCheck(check, "open", isMove, Infinity), ...(isOver ? { next_at: null } : undefined), ...state }
}

/** Whether an operator has resolved this kind of attention for a payment. */
export const isResolved = ({ decisions }: Pick<PaymentRow, "decisions">, kind: AttentionKind): boolean =>
  (decisions ?? []).some((decision) => decision.kind === kind)

const amountsIn = (row: PaymentRow): PaymentAmounts => amountsOf(row, progressOf(row), row.refunded)

const isPaidFor = (progress: Progress): boolean => isMoney(progress) && progress !== "authorized"

const isRefund = (progress: Progress): boolean => progress === "partiallyRefunded" || progress === "refunded"

/** Whether money has come, even if it is returned. */
export const isMoney = (progress: Progress | undefined): boolean =>
  progress !== undefined && progress !== "open" && progress !== "closed"

const holdUntilOf = ({ created_at, hold, checked_at }: PaymentRow): number | null =>
  hold === null ? null : (checked_at ?? created_at) + hold.atMost

const sumOf = (refunds: ReadonlyArray<{ readonly amount: number }>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0)
