/**
 * Decides the next step of a change from what was read: whether it may be sent, what a response means, what the
 * gateway's list of refunds proves.
 */
import * as Duration from "effect/Duration"
import type { PaymentOperationResponse, PaymentResponse, RefundHistoryItem } from "../../contract/Messages.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import { ChangeRecord } from "../../client/error/ChangeRecordSchema.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import { isRefusalOfAnother } from "../../client/call/RefusalReason.js"
import type { Reconciliation } from "../../client/payment/Reconciliation.js"
import { distinctRefunds, isContradictory } from "../../client/payment/RefundEntries.js"
import { type AttentionKind, strangeRefundMessage } from "../model/Attention.js"
import { hasItem, type ItemPatch } from "../store/Items.js"
import { contradicts, fits, isOfSend, mayBeOfLostChange, newEntries } from "./Balance.js"
import { type ChargeRefusal, isOfCharge, stateOf } from "./ChargeSteps.js"
import { type ChangeRow, type Decision, isDecided, isOwnCapture } from "../store/ChangeRow.js"
import { needs, needsNothing } from "./ChangeItems.js"
import type { Mark, Patch } from "../store/ChangeTable.js"
import { day, hour, minute, second } from "../../basics/Milliseconds.js"
import { waitAskedBy } from "../model/LedgerGateway.js"
import type { CheckedSettings } from "../store/LedgerSettings.js"
import { listTime } from "../store/LedgerTable.js"
import { now } from "../store/Statements.js"

export type JudgeSettings = Pick<CheckedSettings, "compareFor" | "escalateAfter" | "noOtherRefunders">

const backoff = (tries: number, first: number, longest: number): number => Math.min(first * 2 ** tries, longest)

// ---- Before it is sent

export type Prepared =
  | { readonly _tag: "Ready"; readonly mark: Mark }
  | { readonly _tag: "NotNow" | "Never"; readonly patch: Patch }

export const ready = (record: ChangeRecord, clock_offset: number | null = null): Prepared => ({
  _tag: "Ready",
  mark: { record, clock_offset }
})

export const never = (patch: Patch): Prepared => ({ _tag: "Never", patch })

/** Why a refund is not sent: the gateway's list lacks refunds that are done. */
export const incomplete = (row: ChangeRow, missing: ReadonlyArray<string>): Prepared => {
  const message = `The gateway does not list refund ${missing.join(", ")}, which is done: its list is not complete.`
  const isLong = row.tries >= triesOfAnHour && row.now - row.created_at > hour
  return notNow(row, { message, ...(isLong ? { attention: needs("ListIncomplete", message) } : undefined) })
}

export const refusedCharge = (row: ChangeRow, refusal: ChargeRefusal): Prepared => {
  switch (refusal._tag) {
    case "Never":
      return never(refused("found", `${refusal.message} Nothing was sent.`, refusal.code))
    case "NotYet": {
      const until = { after: Math.max(second, refusal.from - row.now) }
      return notNow(row, { next_at: until, message: "It is for a later day." })
    }
    case "Waits":
      return notNow(row, { message: refusal.message })
    case "MayBeCharged":
      return never(mayBeCharged(row, refusal))
  }
}

/** Nothing was sent; an operator has to decide whether to send it. */
const stopped = (kind: AttentionKind, message: string): Patch => ({
  status: "needsOperator",
  attention: needs(kind, message),
  next_at: null,
  message
})

/** A refund that is stopped by an entry that belongs to no row of the ledger: see `strangeOf`. */
export const stoppedBy = (strange: ReadonlyArray<RefundHistoryItem>): Patch =>
  stopped(
    "StrangeRefund",
    strangeRefundMessage(strange.map(({ id }) => id)) +
      "Was it made by hand for the same reason? Then resolve this change as byHand, by that refund's id. If not, acknowledge the refund, and this change goes on."
  )

/**
 * A charge that was queued when the database was restored, or that may already have made a payment which the database
 * has forgotten.
 */
const mayBeCharged = (
  { payment_id }: ChangeRow,
  { chargeId, isReleasable }: Extract<ChargeRefusal, { readonly _tag: "MayBeCharged" }>
): Patch => {
  const message =
    isReleasable === true
      ? `Nothing was sent: what was charged since the backup is forgotten, and this charge is for no day after the restore. Look for charges of payment ${payment_id} since then in GoPay's administration or on a statement. ` +
        "Was this one made? Then resolve it as done with its id (chargeId). If not, release the charges of the payment (releaseCharges): this one and later ones go on."
      : chargeId === undefined
        ? "Nothing was sent since the backup was restored. Whether it was sent before that, the database has forgotten: look for its order number in GoPay's administration or on a statement."
        : `Nothing was sent: charge ${chargeId} of the same first payment has its order number, and no change of this ledger made it. ` +
          "Was it this one, before a backup was restored? Then resolve this change as done with its id (chargeId). If not, resolve it as notDone, and charge with another order number."
  return { ...stopped("InDoubt", message), holds: null, attempt: null }
}

/**
 * Decides from the state of the hold whether to send a capture or a release: not if it has already happened, or cannot
 * happen. Only a capture of the whole can be made twice with the same result, since a partial capture releases the
 * rest. After a restore from a backup (`isDistrusted`), the hold may have been captured by a change that the database
 * has forgotten.
 */
export const preparedBy = (
  row: ChangeRow,
  captures: ReadonlyArray<ChangeRow>,
  found: Reconciliation,
  record: ChangeRecord,
  settings: JudgeSettings,
  isDistrusted = false
): Prepared => {
  if (found._tag === "StateReached" && isCapture(row)) {
    const own = captures.find(isOwnCapture)
    if (row.amount !== null || (own !== undefined && own.amount !== null)) {
      if (own === undefined && isDistrusted) return never({ ...stopped("InDoubt", mayBeCaptured), holds: null })
      return never(refused("found", `${capturedBefore(own)} Nothing was sent.`))
    }
  }
  if (found._tag === "StateReached" || found._tag === "DidNotHappen") {
    return never(judge(row, { ...found, message: `${found.message} Nothing was sent.` }, settings))
  }
  return isUnsettled(found) ? notNow(row, unreadable(row, found.message, settings)) : ready(record)
}

const mayBeCaptured =
  "Nothing was sent since the backup was restored, and the hold is captured: the database may have forgotten that this change did it. " +
  "Look for the amount in GoPay's administration. Was it this one? Then resolve it as done. If not, resolve it as cancelled."

const isCapture = ({ operation }: ChangeRow): boolean =>
  operation === "captureAuthorization" || operation === "captureAuthorizationPartial"

const capturedBefore = (own: ChangeRow | undefined): string =>
  own === undefined
    ? "The hold was captured without this ledger, and how much of it is not known."
    : `Change ${own.key} has captured ${own.amount === null ? "all of the hold" : `${own.amount} of the hold (in minor units), and the rest is released`}.`

/** It stays queued and is retried after a pause. */
export const notNow = (row: ChangeRow, patch: Patch): Prepared => ({
  _tag: "NotNow",
  patch: { next_at: { after: pauseOf(row) }, attention: needsNothing, message: null, ...patch }
})

/** A payment that the gateway does not know cannot be changed. Any other failure of a read proves nothing. */
export const unprepared = (
  row: ChangeRow,
  { reason }: GatewayError,
  settings: JudgeSettings,
  doReadsFail: boolean
): Prepared => {
  if (reason._tag === "PaymentNotFound") return never(refused("answered", reason.message))
  const blocked = blockedBy(row, reason)
  if (doReadsFail) return notNow(row, { ...blocked, attention: { CredentialsRefused: null, NotSent: null } })
  const isBlocked = blockOf(reason).attention !== undefined
  return notNow(row, isBlocked ? blocked : { ...blocked, ...unreadable(row, reason.message, settings) })
}

/**
 * A change stays queued if its payment cannot be read or contradicts itself. An operator is notified after as long a
 * time as for a change in doubt.
 */
export const unreadable = (row: ChangeRow, message: string, settings: JudgeSettings): Patch => ({
  message,
  attention: isStuck(row, settings) ? { NotSent: message } : {}
})

/**
 * Whether it has been queued for so long, and has failed to be prepared so often, that an operator is to be notified
 * for the first time, provided that reads fail only for this change.
 */
export const isStuck = (row: ChangeRow, settings: JudgeSettings): boolean =>
  row.tries >= triesOfAnHour && isOverdue(row, settings) && !hasItem(row, "NotSent")

/** How often within an hour a change is retried that cannot be prepared. */
const triesOfAnHour = 20

export const recordOf = (
  { operation, payment_id, request }: ChangeRow,
  timing: Parameters<typeof ChangeRecord.refundPayment>[2]
): ChangeRecord => {
  const { amount = 0, currency = "CZK", order_number = "" } = request ?? {}
  switch (operation) {
    case "refundPayment":
    case "captureAuthorizationPartial":
      return ChangeRecord[operation](payment_id, { amount }, timing)
    case "captureAuthorization":
    case "voidAuthorization":
      return ChangeRecord[operation](payment_id, timing)
    case "createRecurrence":
      return ChangeRecord.createRecurrence(payment_id, { amount, currency, order_number }, timing)
  }
}

// ---- How it ended

/** How sending has ended. */
export interface Ending {
  readonly patch: Patch
  /** Whether it was certainly not sent; then it returns to the queue. */
  readonly isNotSent?: boolean
  /** The payment that a charge has made. */
  readonly child?: PaymentResponse
}

export const chargedBy = ({ id }: PaymentResponse): Patch => ({
  ...accepted(`The gateway has made payment ${id} of it.`),
  entry: String(id),
  next_at: now
})

/** Decides from the gateway's response. A refund that is done then waits for `follow` to bind its entry. */
export const answeredBy = ({ operation }: ChangeRow, { result }: PaymentOperationResponse, lease: number): Patch => {
  if (result !== "FINISHED") return accepted("The gateway has accepted it.")
  const decided = done("answered", "The gateway has done it.")
  if (operation !== "refundPayment") return decided
  const { holds: _, ...patch } = decided
  return { ...patch, next_at: { after: lease }, tries: 0 }
}

/**
 * Decides from the client's failure; a defect has no reason. A first refusal by something in front of the gateway may
 * be of this change alone: an operator is notified only if it is refused again while others are sent.
 */
export const endOf = (
  row: ChangeRow,
  reason: GatewayErrorReason | undefined,
  wasAllowed: boolean,
  isProbe: boolean
): Ending => {
  const ending = endedBy(row, reason, wasAllowed)
  return reason?._tag === "PermissionDenied" && (isProbe || row.tries === 0)
    ? { ...ending, patch: { ...ending.patch, attention: {} } }
    : ending
}

const endedBy = (row: ChangeRow, reason: GatewayErrorReason | undefined, wasAllowed: boolean): Ending => {
  if (reason === undefined) {
    return wasAllowed
      ? { patch: unknown("The client failed after it had been sent.") }
      : { isNotSent: true, patch: { next_at: { after: second }, message: "The client failed before it was sent." } }
  }
  const { message } = reason
  const notSent: Ending = { isNotSent: true, patch: blockedBy(row, reason) }
  switch (reason._tag) {
    case "OutcomeUnknown":
      // The refusal belongs to another operation. Reads decide about it as about any refusal, but a charge cannot be
      // read.
      return row.operation !== "createRecurrence" && isRefusalOfAnother(row.operation, reason)
        ? { patch: refusing(message) }
        : { patch: unknown(message) }
    case "UnexpectedResponse":
      // Either the token request was answered so, or the client itself failed.
      return wasAllowed ? { patch: unknown(message) } : notSent
    case "GatewayUnavailable":
    // A copy of the request would carry the same token.
    case "AuthenticationFailed":
      return notSent
    case "RateLimited":
    case "PermissionDenied":
      return wasAllowed && isRepeatable(row) ? { patch: passing(row, reason) } : notSent
    case "OperationRefused":
      if (reason.code === accountEmpty || (row.operation === "createRecurrence" && reason.code === chargesDisabled)) {
        return isRepeatable(row) ? { patch: passing(row, reason, reason.code) } : notSent
      }
      // This may be the answer to another request, even if the goal of the change is reached. Reads decide.
      return { patch: reason.goalReached ? { ...unknown(message), next_at: now } : refusing(message, reason.code) }
    case "InvalidRequest":
    case "PaymentNotFound":
    case "CardNotFound":
      return { patch: wasAllowed ? refusing(message) : refused("answered", message) }
  }
}

// The merchant's account holds too little; recurrences are not enabled for the shop: https://doc.gopay.com, error codes.
const accountEmpty = 333
const chargesDisabled = 341

/**
 * Whether the gateway would carry it out a second time. For a captured or released hold, the read before the send
 * prevents that.
 */
const isRepeatable = ({ operation }: ChangeRow): boolean =>
  operation === "refundPayment" || operation === "createRecurrence"

/**
 * A temporary refusal of a request that was on the wire. A proxy may have sent it twice, and the gateway may have
 * accepted the first copy. So the change returns to the queue only when enough time has passed for that to show.
 */
const passing = (row: ChangeRow, reason: GatewayErrorReason, code?: number): Patch => {
  const block = blockOf(reason)
  // The gateway itself has answered, so nothing in front of it refused the request.
  const [ended, pause = 0] = code === undefined ? [{}, block.pause] : [needsNothing, second]
  return {
    ...refusing(reason.message, code),
    decision: { ...refusal(reason.message, code), isPassing: true },
    attention: { ...ended, ...block.attention },
    // A charge cannot be found by a read.
    next_at: row.operation === "createRecurrence" ? now : { after: Math.min(Math.max(pause, second), listTime) }
  }
}

/** A temporary refusal: the change returns to the queue once two reads list nothing new. */
export const passingAgain = (message: string): Patch => ({
  ...refusing(message),
  decision: { ...refusal(message), isPassing: true },
  attention: needsNothing
})

/** What keeps a change in the queue. */
const blockedBy = (row: ChangeRow, reason: GatewayErrorReason): Patch => {
  const { attention = {}, pause = 0 } = blockOf(reason)
  return { next_at: { after: Math.max(pause, pauseOf(row)) }, message: reason.message, attention }
}

/** Why an operator has to act on a request that was refused, and its minimum pause in milliseconds. */
const blockOf = (reason: GatewayErrorReason): { readonly attention?: ItemPatch; readonly pause?: number } => {
  const block = (kind: AttentionKind, pause: number) => ({ attention: { [kind]: reason.message }, pause })
  switch (reason._tag) {
    case "AuthenticationFailed":
      // This concerns all changes: see the breaker.
      return { pause: minute }
    case "PermissionDenied":
      return block("CredentialsRefused", minute)
    case "RateLimited":
      return { pause: waitAskedBy(reason) ?? 0 }
    case "OperationRefused":
      if (reason.code === chargesDisabled) return block("ChargesDisabled", hour)
      if (reason.code === accountEmpty) return block("AccountEmpty", 10 * minute)
      return {}
    case "InvalidRequest":
    case "PaymentNotFound":
    case "CardNotFound":
    case "GatewayUnavailable":
    case "OutcomeUnknown":
    case "UnexpectedResponse":
      return {}
  }
}

// ---- What was read of it

/**
 * Decides what follows if the gateway could not be read. The payment of a change that was sent may stay unfindable for
 * a long time.
 */
export const unread = (
  row: ChangeRow,
  { reason }: GatewayError,
  settings: JudgeSettings,
  doReadsFail: boolean
): Patch => {
  const { message } = reason
  // A failed read settles nothing. If reads fail in general, one item stands for all changes.
  const isOperators = row.status === "needsOperator" || row.status === "refused"
  const waits = { ...later(row, message), attention: (isOperators ? undefined : blockOf(reason).attention) ?? {} }
  if (doReadsFail) return { ...waits, attention: isPassing(row) ? {} : { CredentialsRefused: null } }
  if (!isGrave(row, settings)) return waits
  if (!isDecided(row)) return needsOperator(row, `Whether the gateway took it cannot be read. ${message}`)
  return hasItem(row, "Unbound") ? waits : { ...waits, attention: { Unbound: message } }
}

/** Whether an operator is notified if a read for it fails once more, unless reads fail in general. */
export const isGrave = (row: ChangeRow, settings: JudgeSettings): boolean =>
  isOverdue(row, settings) && row.status !== "needsOperator" && (!isDecided(row) || isUnbound(row))

/** A refund that is done and blocks its payment until its entry is known. */
const isUnbound = ({ entry, holds, status }: ChangeRow): boolean =>
  status === "done" && holds !== null && entry === null

/** A change in doubt is escalated to an operator after its time, whatever its reads say. */
export const escalated = (row: ChangeRow, patch: Patch, settings: JudgeSettings): Patch => {
  const isInDoubt = row.status === "unknown" || row.status === "refusing"
  // A refusal that one read has confirmed waits for a second read.
  const isConfirmed = (patch.decision ?? row.decision)?.agreedAt !== undefined
  return isInDoubt && !isConfirmed && (patch.status ?? row.status) === row.status && isOverdue(row, settings)
    ? needsOperator(row, patch.message ?? row.message ?? "Reads do not decide it.")
    : patch
}

/** Whether it returns to the queue unless a read shows that it was accepted. */
export const isPassing = ({ decision, status }: Pick<ChangeRow, "decision" | "status">): boolean =>
  status === "refusing" && decision?.isPassing === true

export const listContradicts = "The gateway lists one refund twice, and the entries contradict each other."

/**
 * A charge whose payment is unknown. There is nothing to read until something, such as a notification, names the
 * payment.
 */
export const judgeLostCharge = (row: ChangeRow): Patch => {
  if (row.status === "refusing") return stands(row)
  if (row.status !== "unknown") return { next_at: null }
  const message =
    "No response to it is known: its response was lost, or its process ended before it had one, perhaps before it sent it. The gateway lists no charges: its notification, a statement or GoPay's administration shows what came of it."
  return later(row, message)
}

/**
 * A charge whose payment is known. The payment of a declined charge is watched like any other: if it is paid late, that
 * wakes this row.
 */
export const judgeCharge = (row: ChangeRow, child: PaymentResponse): Patch => {
  const { id, state, sub_state: subState } = child
  if (!isOfCharge(row, child)) {
    return contradicted(row, `Payment ${row.entry} is not what was requested.`)
  }
  switch (stateOf(state)) {
    case "paid":
      if (row.status !== "done") return done("found", `It is paid: payment ${id}.`)
      return { ...released, attention: needsNothing, message: null }
    case "closed": {
      if (row.status === "refused" || row.status === "failed") return { next_at: null }
      const reason = subState === undefined ? "" : `, ${subState}`
      return refused("found", `It was declined: payment ${id} is ${state}${reason}.`, undefined, subState)
    }
    case "open":
      return isDecided(row) ? { next_at: null } : processing(row, `The gateway is processing it: payment ${id}.`)
  }
}

export const judgeHold = (row: ChangeRow, found: Reconciliation, settings: JudgeSettings): Patch => {
  if (row.status !== "refusing" || found._tag === "StateReached") return judge(row, found, settings)
  return isUnsettled(found) ? later(row, found.message) : stands(row)
}

export interface ReadRefunds {
  readonly refunds: ReadonlyArray<ChangeRow>
  /** The entries of the gateway's list that belong to none of these refunds. */
  readonly entries: ReadonlyArray<RefundHistoryItem>
  /** The time of the backup that was restored; `undefined` if none was. */
  readonly distrustedSince: number | undefined
}

/** Decides about a refund that is decided or was refused, from listed entries that may be its own. */
export const judgeListed = (row: ChangeRow, read: ReadRefunds, settings: JudgeSettings): Patch => {
  const { entries, refunds } = read
  switch (row.status) {
    case "done":
      return bind(row, entries, settings)
    case "refusing":
      return judgeRefused(row, read, settings)
    case "refused":
      if (row.decision?.how === "operator") return judgeDecided(row, entries)
      return refunds.some((other) => isRival(row, other)) ? watchedOn(row) : judgeRefused(row, read, settings)
    case "queued":
    case "locked":
    case "sending":
    case "accepted":
    case "unknown":
    case "needsOperator":
    case "failed":
      return { next_at: null }
  }
}

/** Decides about an undecided refund, from its payment and the list together. */
export const judgeSearched = (
  row: ChangeRow,
  read: ReadRefunds,
  found: Reconciliation,
  settings: JudgeSettings
): Patch => {
  const alike = read.entries.filter((entry) => fits(row, entry))
  const [own, ...more] = alike.filter(isOwnOf(row, read, settings))
  // The list and the payment agree, and the date proves whose entry it is.
  if (own !== undefined && more.length === 0 && !isUnsettled(found)) return boundTo(row, own, settings)
  const [other] = found._tag === "Happened" ? alike : []
  return other === undefined ? judge(row, found, settings) : notOurs(row, other, settings)
}

/** Whether an entry that resembles a refund is its own. */
const isOwnOf =
  (row: ChangeRow, { distrustedSince }: ReadRefunds, { noOtherRefunders }: JudgeSettings) =>
  (entry: RefundHistoryItem): boolean =>
    !mayBeOfLostChange(row, entry, distrustedSince) &&
    (noOtherRefunders || (isOfSend(row, entry) ?? row.status === "accepted"))

export const boundTo = (row: ChangeRow, entry: RefundHistoryItem, settings: JudgeSettings): Patch =>
  judgeEntry({ ...row, entry: String(entry.id) }, [entry], settings)

/** A refund that is done is read again each day for some weeks, at a time of day of its own. */
const compared = (row: ChangeRow, patch: Patch, { compareFor }: JudgeSettings): Patch => {
  const isDone = (patch.status ?? row.status) === "done" && patch.next_at === null
  const isRecent = row.now - (row.decided_at ?? row.now) < Duration.toMillis(compareFor)
  return isDone && isRecent ? { ...patch, next_at: { after: day * (0.9 + (row.seq % 100) / 500) } } : patch
}

/** A refund whose response was lost, and an entry that may belong to another refund. */
const notOurs = (row: ChangeRow, entry: RefundHistoryItem, settings: JudgeSettings): Patch => {
  const message =
    `The gateway lists refund ${entry.id} of the same amount, and does not date it to when this one was sent: it may have been made by hand. ` +
    "If it is this one, resolve the change as done with its id. If not, resolve it as notDone, then acknowledge that refund; this one is watched for."
  return row.status === "accepted" && !isOverdue(row, settings) ? later(row, message) : needsOperator(row, message)
}

/**
 * A refusal that may be the answer to a duplicate: a proxy has sent the request twice, and the gateway accepted the
 * first copy. It is final when two reads list no refund that could be this one. The list is watched after that as well.
 */
const judgeRefused = (row: ChangeRow, read: ReadRefunds, settings: JudgeSettings): Patch => {
  const entries = read.entries.filter((entry) => fits(row, entry))
  const [entry, ...others] = entries.filter(isOwnOf(row, read, settings))
  if (entry !== undefined && others.length === 0) return boundTo(row, entry, settings)
  if (row.status === "refused") return watchedOn(row)
  if (entries.length > 0) return unknown("The gateway refused it, and lists a new refund of the same amount.")
  return stands(row)
}

/** A read agrees with the refusal. The second one that does decides. */
const stands = (row: ChangeRow): Patch => {
  const { message, code } = row.decision ?? { message: "The gateway refused it." }
  const agreedAt = row.decision?.agreedAt
  if (agreedAt === undefined) {
    const pause = isPassing(row) ? { next_at: { after: code === chargesDisabled ? hour : listTime } } : undefined
    const decision = { ...(row.decision ?? refusal(message)), agreedAt: row.now }
    return { ...later(row, message, {}), ...pause, decision }
  }
  if (isPassing(row)) {
    return row.now < agreedAt + listTime ? later(row, message, {}) : { ...queuedAgain, message }
  }
  const decided = refused("answered", message, code)
  return row.operation === "refundPayment" ? { ...decided, next_at: { after: hour }, tries: 0 } : decided
}

/**
 * Binds a refund that is done to its entry in the list, if exactly one entry may be its own. Then it releases the
 * payment.
 */
const bind = (row: ChangeRow, entries: ReadonlyArray<RefundHistoryItem>, settings: JudgeSettings): Patch => {
  const alike = entries.filter((entry) => fits(row, entry) && isOfSend(row, entry) !== false)
  const [entry] = alike
  if (entry !== undefined && alike.length === 1) return boundTo(row, entry, settings)
  const message =
    entry === undefined
      ? "It is done, and the gateway does not list it yet. The payment's next change waits for that."
      : `It is done, and refunds ${alike.map(({ id }) => id).join(", ")} of the list could be it. The payment's next change waits.`
  const isLate = entry !== undefined || isOverdue(row, settings)
  return later(row, message, isLate ? needs("Unbound", message) : needsNothing)
}

const judge = (row: ChangeRow, found: Reconciliation, settings: JudgeSettings): Patch => {
  const { message } = found
  const wasAccepted = row.status === "accepted"
  switch (found._tag) {
    case "Happened": {
      const patch = found.isPending ? processing(row, message) : done("found", message)
      return compared(row, { ...patch, entry: String(found.id) }, settings)
    }
    case "StateReached":
      // How much of the hold was captured is unknown.
      if (row.operation === "captureAuthorizationPartial" && !wasAccepted) return needsOperator(row, message)
      return done(wasAccepted ? "found" : "stateReached", message)
    case "DidNotHappen":
      return refused("found", message)
    case "NotSeenYet":
      return later(row, message)
    case "CannotTell":
      if (wasAccepted && found.why === "RefundFailed") return refused("found", message)
      return isUnsettled(found) ? later(row, message) : needsOperator(row, message)
  }
}

/** The entry of a refund that is done, if it is the only new one in the list. */
export const soleEntryOf = (row: ChangeRow, list: ReadonlyArray<RefundHistoryItem>): RefundHistoryItem | undefined => {
  if (isContradictory(list)) return undefined
  const [entry, ...others] = newEntries(row, distinctRefunds(list), [], new Set())
  return entry !== undefined && others.length === 0 && fits(row, entry) && isOfSend(row, entry) !== false
    ? entry
    : undefined
}

/** A refund whose entry is known: the state of the entry decides, also after an earlier decision. */
export const judgeEntry = (row: ChangeRow, list: ReadonlyArray<RefundHistoryItem>, settings: JudgeSettings): Patch =>
  compared(row, { entry: row.entry, ...shownBy(row, list) }, settings)

const shownBy = (row: ChangeRow, list: ReadonlyArray<RefundHistoryItem>): Patch => {
  const { amount, entry: id, status, tries } = row
  const entry = list.find((listed) => String(listed.id) === id)
  if (entry !== undefined && amount !== null && entry.amount !== amount) {
    return contradicted(row, `The gateway lists refund ${id} with another amount than it was made with.`)
  }
  switch (entry?.state) {
    case "SUCCESS":
      return status === "done"
        ? { ...released, attention: needsNothing, message: null }
        : done("found", `The gateway has done it: refund ${id}.`)
    case "FAILED":
      return failedBy(row)
    case undefined: {
      if (status === "failed" || status === "refused") return watchedOn(row)
      // During the first ten minutes or so the list may only be out of date.
      const isLongMissing = status === "done" && tries >= 10
      const message = `The gateway does not list refund ${id}.`
      return later(row, message, isLongMissing ? needs("ListIncomplete", message) : needsNothing)
    }
    case "REQUESTED":
    default:
      return status === "done"
        ? // It is not done yet, whatever the response was.
          { ...watchedOn(row), holds: null, attention: needsNothing, message: null }
        : processing(row, `The gateway has accepted it: refund ${id}.`)
  }
}

/** The gateway lists the refund as failed. It is not documented that this is final, so it is watched further. */
const failedBy = (row: ChangeRow): Patch => {
  if (row.status === "failed" || row.status === "refused") return watchedOn(row)
  const message = `The gateway said that it was done, and then it failed: refund ${row.entry}. The payer does not have the money.`
  const decision =
    row.status === "done"
      ? decided({ outcome: "failed", how: "found", message })
      : refused("found", `The gateway accepted it, and then it failed: refund ${row.entry}.`)
  return { ...decision, next_at: { after: hour }, tries: 0 }
}

/** A decided change is read again for sixty days, at growing intervals, since it may still prove wrong. */
const watchedOn = ({ created_at, decided_at, now, tries }: ChangeRow): Patch =>
  now - (decided_at ?? created_at) > 60 * day
    ? { next_at: null }
    : { tries: tries + 1, next_at: { after: backoff(tries, minute, day) } }

/** Whether a new entry may belong to another refund of the payment. */
const isRival = (row: ChangeRow, other: ChangeRow): boolean =>
  other.key !== row.key && other.record !== null && other.entry === null && other.status !== "refused"

/** An operator has decided that the refund was not made; the list may have entries that contradict that. */
const judgeDecided = (row: ChangeRow, entries: ReadonlyArray<RefundHistoryItem>): Patch => {
  const evidence = entries.filter((entry) => contradicts(row, entry))
  if (evidence.length === 0) return watchedOn(row)
  const ids = evidence.map(({ id }) => id).join(", ")
  const message = `It was decided that it was not made. The gateway lists refund ${ids} of the same amount.`
  return { attention: { DecisionContradicted: message }, message, next_at: null }
}

// ---- Patches

export const decided = (decision: Decision): Patch => ({
  status: decision.outcome,
  decision,
  proposal: null,
  decided_at: now,
  holds: null,
  next_at: null,
  // A charge that was paid twice: one of its payments is no longer paid.
  attention: { ...needsNothing, DecisionContradicted: null, PaidTwice: null },
  message: null
})

const done = (how: Decision["how"], message: string): Patch => decided({ outcome: "done", how, message })

const refused = (how: Decision["how"], message: string, code?: number, subState?: string): Patch =>
  decided({ outcome: "refused", how, message, ...withoutUndefined({ code, subState }) })

/** A change that is done releases its payment, and is not due for a while. */
const released: Patch = { holds: null, next_at: null, tries: 0 }

const accepted = (message: string): Patch => ({
  status: "accepted",
  tries: 0,
  message,
  attention: needsNothing,
  next_at: { after: second }
})

/** The columns as they were before it was sent. */
const queuedAgain: Patch = {
  status: "queued",
  attempt: null,
  holds: null,
  record: null,
  sent_at: null,
  decision: null,
  // Not 0, since it was tried before.
  tries: 1,
  next_at: now
}

/** The gateway has refused; the refusal has not been compared with the list yet. */
const refusing = (message: string, code?: number): Patch => ({
  status: "refusing",
  decision: refusal(message, code),
  tries: 0,
  message,
  next_at: now
})

const refusal = (message: string, code?: number): Decision => ({
  outcome: "refused",
  how: "answered",
  message,
  ...withoutUndefined({ code })
})

const unknown = (message: string): Patch => ({ status: "unknown", tries: 0, message, next_at: { after: second } })

const needsOperator = (row: ChangeRow, message: string): Patch =>
  row.status === "needsOperator"
    ? later(row, message)
    : {
        status: "needsOperator",
        attention: needs("InDoubt", message),
        decision: null,
        message,
        tries: 0,
        next_at: { after: minute }
      }

/** The gateway has accepted it, and is still processing it. */
const processing = (row: ChangeRow, message: string): Patch => ({
  ...later({ ...row, status: "accepted" }, message),
  status: "accepted"
})

const contradicted = (row: ChangeRow, message: string): Patch =>
  later(row, message, needs("StateContradicted", message))

/**
 * Nothing new: it is checked again after a growing pause. A change in doubt that an operator has to decide stays with
 * them, with the message of this read.
 */
export const later = (row: ChangeRow, message: string, attention: ItemPatch = needsNothing): Patch => ({
  tries: row.tries + 1,
  next_at: { after: pauseOf(row) },
  message,
  attention: row.status === "needsOperator" ? { InDoubt: message } : row.status === "refused" ? {} : attention
})

const pauseOf = ({ status, tries }: ChangeRow): number => backoff(tries, ...pauses[status])

const pauses: { readonly [status in ChangeRow["status"]]: readonly [first: number, longest: number] } = {
  queued: [second, 5 * minute],
  locked: [second, 5 * minute],
  sending: [second, 5 * minute],
  refusing: [second, 10 * minute],
  unknown: [second, 10 * minute],
  accepted: [second, hour],
  needsOperator: [minute, hour],
  done: [second, 10 * minute],
  refused: [hour, day],
  failed: [hour, day]
}

/** Whether another read may come to another finding. */
const isUnsettled = (found: Reconciliation): boolean =>
  found._tag === "CannotTell" && ["Contradiction", "RefundsMissing", "UnknownState"].includes(found.why)

/** Whether the search for it has taken as long as it may before an operator is notified. */
const isOverdue = ({ created_at, now, sent_at }: ChangeRow, { escalateAfter }: JudgeSettings): boolean =>
  now - (sent_at ?? created_at) >= Duration.toMillis(escalateAfter)
