/**
 * Decides what a reading of a payment means for its row: whether the payment is the one that was asked for, whether
 * money has come or was returned, what is recorded and reported, and when the next check is. Nothing here reads or
 * writes.
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

/** A row, and the payment as read after it. */
export interface Check {
  readonly row: PaymentRow
  readonly payment: PaymentResponse
  /** For how long after it has moved a paid payment is checked once a day. */
  readonly compareFor: Duration.Duration
}

/** Whether a reading is believed. If not, the row keeps its state, and the payment is read again. */
export type Judgement = { readonly _tag: "Doubted"; readonly patch: PaymentPatch } | Believed

export interface Believed {
  readonly _tag: "Believed"
  readonly progress: Progress
  readonly refunded: number
  /** Whether this corrects an earlier report: less has happened than was reported. */
  readonly isCorrection: boolean
}

/** What is recorded of a payment, and what follows from that. */
export interface Move {
  readonly patch: PaymentPatch
  readonly believed: Believed
  readonly amounts: PaymentAmounts
  /** Whether the payment's progress may change its order's. */
  readonly isNews: boolean
  /** Whether it brings the first money to its order. */
  readonly isFirst: boolean
  /** Whether the money came when the payment was no longer offered. */
  readonly isLate: boolean
  readonly isChargePaid: boolean
  /**
   * Whether money has come or gone, so that another payment of the order may have become too much, or may no longer be.
   */
  readonly isMoneyMoved: boolean
}

/** The minimum time between two reads that contradict the row before they are believed. */
const doubtTime = 10 * minute

/** How late a hold may end before an operator is notified. */
const holdLateness = 6 * hour

// ---- Whether it is the one that was asked for

/** Whether a payment may be the merchant's: one set of credentials may read the payments of several merchants. */
export const isOfMerchant = ({ target }: Partial<PaymentResponse>, goid: GatewayId): boolean =>
  target?.goid === undefined || canonicalId(target.goid) === canonicalId(goid)

/**
 * The fields in which a payment differs from what was asked for. A field that the gateway leaves out proves nothing.
 * Order numbers are compared by `isEchoOf`. After a partial capture by the ledger, both the ordered and the captured
 * amount, in minor units, are right.
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

/** The differences in words. The sentence is the same for every read that finds them. */
export const sentenceOf = (differences: ReadonlyArray<PaymentDifference>): string =>
  `The gateway shows another payment than was requested: ${differences
    .map(({ actual, expected, field }) => `${field} ${String(actual)} in place of ${String(expected)}`)
    .join(", ")}.`

/** Whether a payment is compared before its money counts: no operator has accepted it as it is. */
export const isRefusable = ({ payment, row }: Check): boolean => {
  const before = progressOf(row) ?? "open"
  const reading = readingOf(row, payment.state)
  if (reading._tag !== "Forward" || isPaidFor(before)) return false
  const comes = before === "authorized" ? isPaidFor(reading.progress) : isMoney(reading.progress)
  const decision = (row.decisions ?? []).findLast(({ kind }) => kind === "PaymentMismatch")
  return comes && decision?.as !== "accepted"
}

/**
 * Does not record as paid a payment that differs from what was asked for. After two reads, ten minutes apart, an
 * operator has to decide.
 */
export const decideRefusal = (check: Check, differences: ReadonlyArray<PaymentDifference>): PaymentPatch => {
  const message = `${sentenceOf(differences)} It is not taken as paid.`
  if (isResolved(check.row, "PaymentMismatch")) return { ...unchanged(check), message }
  return doubted(check, sentenceOf(differences), { message, attention: { PaymentMismatch: message } }).patch
}

// ---- Whether what was read is believed

/** A second partial refund does not change the state, and a state that goes back may be due to a failed refund. */
export const needsRefunds = ({ payment, row }: Check): boolean => {
  const reading = readingOf(row, payment.state)
  if (reading._tag !== "Forward") return mayBeBack(row, reading)
  return row.refunded > 0 || isRefund(reading.progress)
}

/** Judges a payment by its state and its list of refunds, which is empty if it is not needed. */
export const judgeReading = (check: Check, listed: ReadonlyArray<RefundHistoryItem>): Judgement => {
  const { payment, row } = check
  const before = progressOf(row) ?? "open"
  const reading = readingOf(row, payment.state)
  const isForward = reading._tag === "Forward"
  const returned = returnedIn(listed)
  // Less is refunded than before: a refund has failed, or the list lags behind.
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
    // One read is enough if the list shows the failed refund; otherwise the state has to say so in two.
    if (returned === undefined || !(isConfirmed || (isExplained && isForward))) return { _tag: "Doubted", patch }
  }
  return {
    _tag: "Believed",
    progress: (reading._tag === "Strange" ? undefined : reading.progress) ?? before,
    refunded: returned.refunded,
    isCorrection: isLess || !isForward
  }
}

/** Whether the payment may be back in this state because refunds have failed. */
const mayBeBack = (row: PaymentRow, reading: Reading): boolean =>
  reading._tag === "Backward" && reading.progress !== undefined && row.refunded > 0

/** The sums of the refunds that have failed and of those that have not. `undefined` if the list contradicts itself. */
const returnedIn = (listed: ReadonlyArray<RefundHistoryItem>) => {
  if (isContradictory(listed)) return undefined
  const refunds = distinctRefunds(listed)
  return {
    refunded: sumOf(refunds.filter(({ state }) => state !== "FAILED")),
    failed: sumOf(refunds.filter(({ state }) => state === "FAILED"))
  }
}

/** The patch for a state that is older than the row's, or unknown. */
const contradicted = (check: Check, reading: Reading): PaymentPatch => {
  const { payment, row } = check
  const isDoubted = reading._tag === "Backward" && reading.contradictsMoney && !isResolved(row, "StateContradicted")
  const message = `It is ${row.state}, and the gateway said that it is ${payment.state}.`
  if (!isDoubted) return { ...unchanged(check), message }
  const twice = `${message} Two reads, ten minutes apart, said so.`
  return doubted(check, message, { message: twice, attention: { StateContradicted: twice } }).patch
}

/**
 * Records that a read contradicts the row. A read that says the same ten minutes later confirms it, and applies
 * `confirmed`.
 */
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

/** Whether a payment that counts as paid is compared with what was asked for. */
export const isCompared = (row: PaymentRow): boolean =>
  isMoney(progressOf(row) ?? "open") && !isResolved(row, "PaymentMismatch")

/** Whether the gateway charges the payment's recurrence by itself, so that a charge can be overdue. */
export const awaitsCharge = (row: PaymentRow, progress: Progress): boolean => isAutomatic(row) && isMoney(progress)

/** Whether the ledger's own captures are needed to know how much of a hold was captured. */
export const needsCaptures = ({ captured, terms }: PaymentRow, progress: Progress): boolean =>
  terms.preauthorization === true && captured === null && isPaidFor(progress)

/** The facts, besides the payment, that decide a move. */
export interface MoveFacts {
  /** The fields in which the payment differs from what was asked for; empty unless `isCompared`. */
  readonly differences: ReadonlyArray<PaymentDifference>
  /** The ledger's own captures of it. Read only if `needsCaptures`. */
  readonly captures: ReadonlyArray<Pick<ChangeRow, "amount" | "decision" | "status">>
  /** When the last charge of its recurrence was recorded. Read only if `awaitsCharge`. */
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
    message: Object.values(attention).findLast((words) => words !== null) ?? null,
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
 * Whether a payment was certainly paid after it was no longer offered. An adopted payment was never offered here. The
 * gateway does not say when a payment was paid, so it has to have been read as unpaid after its time.
 */
const isPaidLate = ({ checked_at, offered, pay_until }: PaymentRow): boolean =>
  checked_at !== null && (offered === null || (pay_until !== null && checked_at >= pay_until))

/** Findings of a believed reading that a second read has to confirm before an operator is notified. */
const doubtsOf = (
  check: Check,
  believed: Believed,
  differences: ReadonlyArray<PaymentDifference>
): PaymentPatch & { readonly attention: ItemPatch } => {
  const { payment, row } = check
  const { progress, refunded } = believed
  // The payer's bank may have taken the money back. For some minutes, a list that lags behind looks the same.
  const isReturned = isRefund(progress) && refunded === 0 && !isResolved(row, "ReturnedElsewhere")
  const isOther = differences.length > 0
  const ended: ItemPatch = {
    ...(isReturned ? undefined : { ReturnedElsewhere: null }),
    ...(isOther ? undefined : { PaymentMismatch: null })
  }
  if (!isReturned && !isOther) return { doubt: null, doubt_since: null, attention: ended }
  const [doubt, kind, message] = isReturned
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
  const { attention, ...patch } = doubted(check, doubt, { attention: { [kind]: message } }).patch
  return { ...patch, attention: { ...ended, ...attention } }
}

/** When the next check is due, from the payment's progress, and no later than `latest`. */
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

/** When an open payment is read to see whether it was paid in time. */
const expiryOf = ({ now, pay_until }: PaymentRow, progress: Progress): number =>
  progress === "open" && pay_until !== null && pay_until > now ? pay_until : Infinity

/** When a payment that has not moved is checked next. */
const unchanged = (check: Check): PaymentPatch =>
  nextCheck(check, progressOf(check.row) ?? "open", false, check.row.hold_until ?? Infinity)

/** The items that end when a believed reading has this progress. */
const endedBy = (progress: Progress): ItemPatch => ({
  CredentialsRefused: null,
  StateContradicted: null,
  [failedKinds.onPayment]: null,
  ...(progress === "authorized" ? undefined : { HoldNotEnded: null }),
  ...(progress === "refunded" || progress === "closed"
    ? { Unfulfillable: null, PaidLate: null, PaidTwice: null }
    : undefined)
})

const chargeMissing =
  "The gateway should have charged this recurrence by itself, and no charge has been heard of. Was it declined, or its notification lost? Check GoPay's administration."

// ---- Whether an order is paid twice

/** Why a payment with these amounts is too much: its order or its group is paid by others. */
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

/** The patches for the payments of an order and its group, oldest first, after one of them has moved. */
export const decideReview = (row: PaymentRow, related: ReadonlyArray<PaymentRow>): ReadonlyArray<ReviewedPayment> => {
  // Later money is too much, in the words of `onPayment`.
  const byMoney = related.toSorted((one, other) => moneyAt(one) - moneyAt(other) || one.seq - other.seq)
  return byMoney.flatMap((one, index): ReadonlyArray<ReviewedPayment> => {
    const paid = byMoney.slice(0, index).filter(hasMoney)
    const message = hasMoney(one) ? excessIn(one, amountsIn(one), paid) : undefined
    const isListed = hasItem(one, "PaidTwice")
    if (message === undefined) {
      // A payment is only judged if all others of its order and of its group are known.
      const isReviewed = one.group_name === row.group_name
      return isListed && isReviewed ? [{ row: one, patch: { attention: { PaidTwice: null } } }] : []
    }
    return isListed || isResolved(one, "PaidTwice")
      ? []
      : [{ row: one, patch: { attention: { PaidTwice: message }, message } }]
  })
}

/** When the money of a payment came, as far as that is known. */
const moneyAt = ({ created_at, moved_at, paid_at }: PaymentRow): number => paid_at ?? moved_at ?? created_at

/**
 * Whether a payment has to be judged by another group than that of the payment that has moved, since all payments of
 * that group have to be known.
 */
export const isJudgedElsewhere = (row: PaymentRow, moved: PaymentRow): boolean =>
  hasItem(row, "PaidTwice") && row.group_name !== moved.group_name

/** Why a payment is too much, given other paid payments of its order or its group. */
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

/** Whether a change has ended without moving money. */
export const cameToNothing = ({ status }: Pick<ChangeRow, "status">): boolean =>
  status === "refused" || status === "failed"

/** The decision to return the money of a payment, if the money is still there. */
export const givenBack = (row: PaymentRow): OperatorDecision | undefined =>
  moneyIn(amountsIn(row)) === 0 ? undefined : (row.decisions ?? []).findLast(({ as }) => as === "giveBack")

/** Discards that decision, since its change moved no money: the payment needs an operator again. */
export const decideNotGivenBack = (
  { decisions }: PaymentRow,
  given: OperatorDecision,
  { decision, key, message: said, status }: Pick<ChangeRow, "decision" | "key" | "message" | "status">
): PaymentPatch => {
  const came = status === "failed" ? "has failed" : "was refused"
  const message = `Its money was not given back: the change ${key} ${came}. ${decision?.message ?? said ?? ""}`.trim()
  return {
    attention: { [given.kind]: message },
    message,
    decisions: (decisions ?? []).filter((one) => one !== given)
  }
}

// ---- What follows when a step has failed, or is over

/** A failed read proves nothing. If reads fail in general, it is not about this payment. */
export const afterFailedRead = (
  row: PaymentRow,
  reason: GatewayError["reason"],
  doReadsFail: boolean
): PaymentPatch => {
  const isRefused = reason._tag === "PermissionDenied" && !doReadsFail && row.status !== "unknown"
  return {
    tries: row.tries + 1,
    next_at: { after: Math.max(waitAskedBy(reason) ?? 0, Math.min(30 * second * 2 ** row.tries, hour)) },
    message: reason.message,
    ...(isRefused && !hasItem(row, "CredentialsRefused")
      ? { attention: { CredentialsRefused: reason.message } }
      : undefined)
  }
}

/** If the shop's handler fails, the payment is retried soon, whether or not the notification is repeated. */
export const afterFailedHandler = (row: PaymentRow): PaymentPatch => {
  const { tries } = row
  const message = handlerFails("onPayment")
  return {
    tries: tries + 1,
    next_at: failurePause(tries),
    message,
    ...(tries >= failuresUnreported && !hasItem(row, failedKinds.onPayment)
      ? { attention: { [failedKinds.onPayment]: message } }
      : undefined)
  }
}

/** The payment may exist. No one has its address, so another one may be created, unless it needs no payer. */
export const afterLostCreation = (row: PaymentRow): PaymentPatch =>
  row.needs_payer === 0
    ? { status: "inDoubt", next_at: null, attention: { InDoubt: sentWithCard }, message: sentWithCard }
    : { status: "lost", offered: null, next_at: null }

const sentWithCard = "It was sent with a stored card, or may have been, and whether the gateway took it is not known."

/** A hold that has expired and whose end is recorded as a change. */
export const afterHoldEnd = (row: PaymentRow, { end }: Hold): PaymentPatch => {
  const isLate = row.now - (row.hold_until ?? row.now) > holdLateness && !isResolved(row, "HoldNotEnded")
  return {
    next_at: { after: 5 * minute },
    ...(isLate ? { attention: { HoldNotEnded: `It should be ended (${end}) by now, and is still held.` } } : undefined)
  }
}

/**
 * What a read records of a payment that is not the ledger's. The shop is not notified of it, but its state counts when
 * a charge is judged. So it is read again while it is open and no operator has been asked about it. `undefined` if
 * nothing has changed for the operator.
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

/** Whether an operator has resolved an item of this kind for a payment. */
export const isResolved = ({ decisions }: Pick<PaymentRow, "decisions">, kind: AttentionKind): boolean =>
  (decisions ?? []).some((decision) => decision.kind === kind)

const amountsIn = (row: PaymentRow): PaymentAmounts => amountsOf(row, progressOf(row), row.refunded)

const isPaidFor = (progress: Progress): boolean => isMoney(progress) && progress !== "authorized"

const isRefund = (progress: Progress): boolean => progress === "partiallyRefunded" || progress === "refunded"

/** Whether money has come, even if it was returned since. */
export const isMoney = (progress: Progress | undefined): boolean =>
  progress !== undefined && progress !== "open" && progress !== "closed"

/** The gateway releases a hold after four days. Six hours are left to capture it. */
const surelyHeld = 90 * hour

/**
 * When the ledger ends a hold that has just been found. It was authorized after the last check, but it is not known when: its
 * time counts from now. One that is to be captured does not wait so long that the gateway may have released it.
 */
const holdUntilOf = ({ checked_at, created_at, hold, now }: PaymentRow): number | null => {
  if (hold === null) return null
  const { atMost, end } = hold
  const until = now + atMost
  return end === "release" ? until : Math.min(until, (checked_at ?? created_at) + Math.max(atMost, surelyHeld))
}

const sumOf = (refunds: ReadonlyArray<{ readonly amount: number }>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0)
