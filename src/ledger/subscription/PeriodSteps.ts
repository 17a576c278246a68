/**
 * The steps of a period. Read it from top to bottom:
 *
 * ```
 * waiting ──its day has come──▶ charging ──the attempt is paid──▶ paid
 *    ▲                             │
 *    ├──declined: another day──────┼──▶ givenUp, cancelled
 *    └──────────mended────── blocked ◀── refused for what only the merchant can mend
 * ```
 *
 * An attempt is a change of the ledger whose key is made of the period and a number, so each number is sent at most
 * once, whatever process dies. The next attempt is made when the one before is certainly refused or closed. Even a
 * period that has ended becomes `paid` if a charge of it is paid late.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hasItem } from "../store/Items.js"
import { jsonColumn } from "../store/Rows.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import type { SubmittedChange } from "../model/Change.js"
import { type ChangeRow, isDecided } from "../store/ChangeRow.js"
import { isOfChange, record } from "../change/Changes.js"
import { stillClosed } from "../change/Steps.js"
import type { ChangeError } from "../model/LedgerService.js"
import { type ChangeReports, reportItems } from "../change/ChangeItems.js"
import { attemptsOf } from "../change/ChargeFacts.js"
import { type ChargeSource, othersOfPeriod } from "../store/ChargeReads.js"
import { isBeforeRestore, stateOf } from "../change/ChargeSteps.js"
import type { ChangeTable } from "../store/ChangeTable.js"
import type { PaymentTable } from "../store/PaymentTable.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { StoreError } from "../store/Database.js"
import { attemptKey } from "../model/LedgerKey.js"
import type { PeriodFailure, SubscriptionEvent } from "../model/Subscription.js"
import type { SubscriptionEvents } from "./SubscriptionEvents.js"
import type { PeriodPatch, PeriodRow, SubscriptionRow, SubscriptionTable } from "../store/SubscriptionTable.js"
import { day, hour, minute } from "../../basics/Milliseconds.js"
import { now } from "../store/Statements.js"

/** The parts that the steps of subscriptions and their periods share. */
export interface SubscriptionParts extends ChangeReports, ChargeSource {
  readonly events: SubscriptionEvents
  readonly gateway: LedgerGateway
  readonly payments: PaymentTable
  /** The days after the first attempt on which a declined charge is retried. */
  readonly retryAfterDays: ReadonlyArray<number>
  readonly subscriptions: SubscriptionTable
  /** The time zone of the days on which periods are charged. */
  readonly timeZone: string
}

/** A period whose row was taken, with its subscription and its attempts, oldest first. */
interface Taken {
  readonly row: PeriodRow
  readonly subscription: SubscriptionRow
  readonly attempts: ReadonlyArray<ChangeRow>
}

/** A move of a period. If it has a type, the shop is notified of it. */
interface PeriodMove {
  readonly patch: PeriodPatch
  readonly type?: SubscriptionEvent<unknown>["type"]
}

/** Makes the next step of a period whose row was taken. */
export const step = Effect.fnUntraced(function* (
  parts: SubscriptionParts,
  row: PeriodRow
): Effect.fn.Return<void, StoreError | ChangeError> {
  const { changes, subscriptions } = parts
  const found = yield* subscriptions.find(row.subscription)
  if (Option.isNone(found)) return yield* Effect.asVoid(subscriptions.movePeriod(row, postponed(row, day).patch))
  const taken: Taken = { row, subscription: found.value, attempts: yield* attemptsOf(changes, row) }
  const twice = paidTwice(taken)
  if (twice !== undefined) {
    if (yield* reportTwice(parts, twice)) {
      yield* subscriptions.movePeriod(row, { reported_twice: row.reported_twice + 1, next_at: now })
    }
    return
  }
  const move = paidMove(taken) ?? (yield* nextMove(parts, taken))
  if (move !== undefined) return yield* makeMove(parts, taken, move)
  const begun = yield* subscriptions.movePeriod(row, beginning(row))
  if (Option.isNone(begun)) return
  const charging = { ...taken, row: begun.value }
  yield* makeMove(parts, charging, yield* follow(parts, charging))
})

/** The next move of a period that is not paid; nothing if its next attempt begins. */
const nextMove = (
  parts: SubscriptionParts,
  taken: Taken
): Effect.Effect<PeriodMove | undefined, StoreError | ChangeError> => {
  switch (taken.row.status) {
    case "waiting":
      return obstacleTo(parts, taken)
    case "charging":
      return follow(parts, taken)
    case "blocked":
      return unblock(parts, taken)
    case "givenUp":
    case "cancelled":
      // A charge that a restored ledger has forgotten may appear.
      return Effect.map(otherMove(parts, taken), (other) => other ?? closed)
    case "paid":
      return Effect.succeed(closed)
  }
}

const makeMove = Effect.fnUntraced(function* (
  parts: SubscriptionParts,
  { attempts, row, subscription }: Taken,
  { patch, type }: PeriodMove
): Effect.fn.Return<void, StoreError> {
  // The item ends first: if the process dies then, the period is still blocked, and the step is made again.
  if (row.status === "blocked" && patch.status !== undefined) yield* endRefused(parts.changes, attempts)
  if (type === undefined) yield* parts.subscriptions.movePeriod(row, patch)
  else yield* parts.events.reportPeriod(row, subscription, patch, type)
})

/** Reports that a second attempt is also paid. Returns whether the row says so now. */
const reportTwice = Effect.fnUntraced(function* (parts: SubscriptionParts, attempt: ChangeRow) {
  const message = "Another attempt of the same period is paid as well. Refund one of them."
  const moved = yield* parts.changes.move(attempt, { attention: { PaidTwice: message } })
  if (Option.isSome(moved)) yield* reportItems(parts, moved.value, attempt)
  return Option.isSome(moved)
})

/** What prevents the next attempt. */
const obstacleTo = Effect.fnUntraced(function* (parts: SubscriptionParts, taken: Taken) {
  const { attempts, row, subscription } = taken
  const other = yield* otherMove(parts, taken)
  if (other !== undefined) return other
  if (yield* isOver(parts, taken)) return cancelled
  const obstacle = obstacleIn(taken)
  if (obstacle !== undefined) return obstacle
  // A new card may have paid before a backup was restored: an operator decides, as about an attempt that is not sent.
  const isCardRefused = row.needs_card === 1 && attempts.at(-1)?.payment_id === subscription.payment_id
  if (isCardRefused && !(yield* mayLackAttempt(parts.changes, row, subscription, attempts))) return givenUp
  const isClosed = yield* stillClosed(parts, attempts)
  if (!isClosed) return postponed(row, hour)
  return undefined
})

const follow = Effect.fnUntraced(function* (parts: SubscriptionParts, taken: Taken) {
  const { attempts, row, subscription } = taken
  // Whatever the outcome of the attempt, a proxy may have sent it twice.
  const other = yield* otherMove(parts, taken)
  if (other !== undefined) return other
  const key = attemptKey({ subscription: row.subscription, period: row.period, attempt: row.attempts })
  const attempt = attempts.find((one) => one.key === key)
  if (attempt === undefined) {
    if (yield* isOver(parts, taken)) return cancelled
    yield* record(parts.changes, key, chargeOf(row, subscription))
    return postponed(row, 10 * minute)
  }
  // The decision of the attempt wakes the period.
  if (!isDecided(attempt)) return postponed(row, Math.min(10 * minute * 2 ** row.tries, hour))
  return (yield* isOver(parts, taken)) ? anotherTry : judgeAttempt(taken, attempt, parts.retryAfterDays)
})

/** Decides the next move of a blocked period, and notifies an operator of its last attempt. */
const unblock = Effect.fnUntraced(function* (parts: SubscriptionParts, taken: Taken) {
  const other = yield* otherMove(parts, taken)
  if (other !== undefined) return other
  if (yield* isOver(parts, taken)) return cancelled
  const { attempts, row, subscription } = taken
  const attempt = attempts.at(-1)
  if (attempt === undefined) return closed
  const isOther = !(yield* isOfChange(attempt, chargeOf(row, subscription)))
  const move = judgeBlocked(row, attempt, isOther)
  if (move !== undefined || hasItem(attempt, "ChargeRefused")) return move ?? closed
  const reported = yield* parts.changes.move(attempt, { attention: { ChargeRefused: refusedWords(row, attempt) } })
  if (Option.isNone(reported)) return postponed(row, minute)
  yield* reportItems(parts, reported.value, attempt)
  return closed
})

/** Ends the item that operators see while a period is blocked. */
export const endRefused = (
  changes: Pick<ChangeTable, "recordItems">,
  attempts: ReadonlyArray<ChangeRow>
): Effect.Effect<void, StoreError> =>
  Effect.forEach(
    attempts.filter((attempt) => hasItem(attempt, "ChargeRefused")),
    (attempt) => changes.recordItems(attempt, { ChargeRefused: null }),
    { discard: true }
  )

/** The move that another charge of the period calls for, if there is one. */
const otherMove = (parts: SubscriptionParts, taken: Taken) =>
  Effect.map(otherCharge(parts, taken), (other) => {
    if (other === undefined) return undefined
    return other.state === "open" ? postponed(taken.row, hour) : paidBy(other.id)
  })

/** Whether no further attempt is begun. An operator still has to decide about one that may have been charged. */
const isOver = ({ changes }: SubscriptionParts, { attempts, row, subscription }: Taken) =>
  subscription.status === "cancelling" || subscription.status === "cancelled"
    ? Effect.map(mayLackAttempt(changes, row, subscription, attempts), (may) => !may)
    : Effect.succeed(false)

interface FoundCharge {
  readonly id: string
  readonly state: "paid" | "open"
}

/**
 * A charge of a period that is not one of its attempts and may be paid: a restored ledger has forgotten it, or it was
 * adopted.
 */
export const otherCharge = Effect.fnUntraced(function* (
  parts: SubscriptionParts,
  taken: Taken
): Effect.fn.Return<FoundCharge | undefined, StoreError> {
  const { attempts, row, subscription } = taken
  const firstPaymentIds = [subscription.payment_id ?? "", ...attempts.map((attempt) => attempt.payment_id)]
  const [other] = yield* othersOfPeriod(parts, row, firstPaymentIds, attempts)
  if (other === undefined) return undefined
  const { id, isPaid, isUnresolved } = other
  if (isPaid) return { id, state: "paid" as const }
  if (isUnresolved) return { id, state: "open" as const }
  // An operator has only said that the charge is known.
  const read = yield* Effect.result(parts.gateway.reads.getPayment(id))
  const state = read._tag === "Success" ? stateOf(read.success.state) : "open"
  return state === "closed" ? undefined : { id, state }
})

/** Whether a restored ledger may have forgotten an attempt of a period: see `distrust`. */
export const mayLackAttempt = (
  changes: ChangeTable,
  period: Pick<PeriodRow, "due_at">,
  { payment_id }: Pick<SubscriptionRow, "payment_id">,
  attempts: ReadonlyArray<ChangeRow>
): Effect.Effect<boolean, StoreError> =>
  Effect.map(
    changes.distrusted,
    (distrusted) => distrusted !== undefined && payment_id !== null && isBeforeRestore(distrusted.at, period, attempts)
  )

// ---- Decisions

/**
 * An attempt that is paid in addition to another one, the latest first: all except one are too much, and each is
 * reported.
 */
export const paidTwice = ({ attempts, row }: Pick<Taken, "attempts" | "row">): ChangeRow | undefined => {
  const paidAttempts = attempts.filter(({ status }) => status === "done")
  const twice = paidAttempts.findLast((attempt) => !hasItem(attempt, "PaidTwice"))
  // Another charge may have paid for the period.
  const isPaidByOther =
    row.status === "paid" && row.payment_id !== null && !attempts.some(({ entry }) => entry === row.payment_id)
  return paidAttempts.length - (isPaidByOther ? 0 : 1) > row.reported_twice ? twice : undefined
}

/** The move of a period that has a paid attempt. */
const paidMove = ({ attempts, row }: Taken): PeriodMove | undefined => {
  const paid = attempts.find(({ status }) => status === "done")
  if (paid === undefined) return undefined
  if (row.status === "paid") return closed
  return paidBy(paid.entry)
}

export const obstacleIn = ({ attempts, row, subscription }: Taken): PeriodMove | undefined => {
  // A declined attempt may be in flight again.
  if (attempts.some((one) => !isDecided(one))) return postponed(row, hour)
  if (subscription.status === "waiting" || subscription.payment_id === null) return postponed(row, day)
  return row.due_at > row.now ? { patch: { next_at: row.due_at } } : undefined
}

/** Decides what follows when an attempt was not paid. */
export const judgeAttempt = (
  { attempts, row, subscription }: Taken,
  { decision, entry, payment_id }: Pick<ChangeRow, "decision" | "entry" | "payment_id">,
  retryAfterDays: ReadonlyArray<number>
): PeriodMove => {
  const { as, code, how, message = "It was declined.", subState } = decision ?? {}
  // Attempts from before the period was blocked do not count: the days are counted anew from the next one.
  const tries = attempts.filter(({ created_at }) => created_at >= (row.first_at ?? 0)).length
  const isLast = tries > retryAfterDays.length
  // An operator decided that it was not made, so it can be made.
  if (how === "operator") return as === "notDone" && !isLast ? anotherTry : givenUp
  const remedy = remedyOf(code, entry, subState)
  const failure = withoutUndefined({ remedy, message, code, subState })
  if (remedy === "merchant") return { patch: { status: "blocked", failure, tries: 0, next_at: now } }
  if (isLast) return { patch: { ...givenUp.patch, failure }, type: "givenUp" }
  const lastDay = retryAfterDays.at(-1) ?? 0
  const days = remedy === "newCard" ? lastDay : (retryAfterDays[tries - 1] ?? lastDay)
  const at = Math.round(Math.max((row.first_at ?? row.now) + days * day, row.now + hour))
  const waiting: PeriodPatch = { status: "waiting", failure, tries: 0, due_at: at, next_at: at }
  if (remedy !== "newCard") return { patch: waiting, type: "declined" }
  return payment_id === subscription.payment_id
    ? { patch: { ...waiting, needs_card: 1 }, type: "needsCard" }
    : // A new card has come while this attempt was under way.
      { patch: { ...waiting, due_at: row.now, next_at: now } }
}

/**
 * Decides what follows for a blocked period by its last attempt. `isOther` means that it would be charged with another request
 * or card now. Returns `undefined` while it stays blocked.
 */
export const judgeBlocked = (
  { now: time }: Pick<PeriodRow, "now">,
  { decided_at, decision }: Pick<ChangeRow, "decided_at" | "decision">,
  isOther: boolean
): PeriodMove | undefined => {
  if (decision?.how === "operator") return decision.as === "notDone" ? mended : givenUp
  if (!isOther) return undefined
  // A proxy may have sent the refused request twice. A notification of the first one would have come within the hour.
  const at = Math.max(time, (decided_at ?? time) + hour)
  return { patch: { ...mended.patch, due_at: at, next_at: at } }
}

const refusedWords = ({ period, subscription }: PeriodRow, { decision }: ChangeRow): string =>
  `${decision?.message ?? ""} Nothing is charged for period ${period} of ${subscription} until that is mended: its payer cannot help it, and is not notified. ` +
  "Correct the request, and call chargePeriod with other items or another description: it is charged again. Was the cause elsewhere, as in the shop's account at GoPay, resolve this change as notDone when it is mended. " +
  "To give the period up, resolve it as cancelled. If GoPay has charged it all the same, resolve it as done with that payment (chargeId)."

type Remedy = PeriodFailure["remedy"]

/**
 * What may help after a refusal, by its error code. 340 also stands for an unknown or unpaid first payment, but a read
 * excludes both before the charge is sent. Source: https://doc.gopay.com, error codes; for 341 a third-party program.
 */
const byCode: { readonly [code: number]: Remedy } = {
  340: "anotherDay",
  341: "merchant",
  342: "newCard",
  343: "newCard"
}

/**
 * Sub-states for which only another card helps: the card is blocked or has expired, its number is wrong, it may not
 * pay, its region is not supported, or the payer has cancelled it. Others may be temporary. Source:
 * https://doc.gopay.com, sub-states.
 */
const ofCard: ReadonlySet<string> = new Set(["_5005", "_5007", "_5013", "_5016", "_5035", "_5039", "_5037"])

/**
 * Sub-states that concern the merchant's own configuration or permissions. Source: https://doc.gopay.com, sub-states.
 */
const ofMerchant: ReadonlySet<string> = new Set(["_5020", "_5027"])

/** What may help after a refusal or a declined payment. Without a code and a payment, no card was charged. */
const remedyOf = (code: number | undefined, chargeId: string | null, subState = ""): Remedy => {
  if (code !== undefined) return byCode[code] ?? "merchant"
  if (chargeId === null || ofMerchant.has(subState)) return "merchant"
  return ofCard.has(subState) ? "newCard" : "anotherDay"
}

/** The columns of a period that has ended. */
const over = { next_at: null, request: null, needs_card: 0, tries: 0 } as const

export const cancelled: PeriodMove = { patch: { ...over, status: "cancelled" } }
const givenUp: PeriodMove = { patch: { ...over, status: "givenUp" }, type: "givenUp" }
const closed: PeriodMove = { patch: { next_at: null } }
const anotherTry: PeriodMove = { patch: { status: "waiting", tries: 0, next_at: now } }
/** The cause was remedied, so the days of `retryAfterDays` are counted anew. */
const mended: PeriodMove = { patch: { ...anotherTry.patch, first_at: null } }

const paidBy = (payment_id: string | null): PeriodMove => ({
  patch: { ...over, status: "paid", failure: null, payment_id },
  type: "paid"
})

const postponed = ({ tries }: PeriodRow, after: number): PeriodMove => ({
  patch: { tries: tries + 1, next_at: { after } }
})

const beginning = ({ attempts, first_at }: PeriodRow): PeriodPatch => ({
  status: "charging",
  needs_card: 0,
  attempts: attempts + 1,
  ...(first_at === null ? { first_at: now } : undefined),
  tries: 0,
  next_at: { after: minute }
})

/** The part of a charge's request that is stored. */
const { items, order_description } = GatewaySchema.CreateRecurrenceRequest.fields
const decodeRequest = Schema.decodeUnknownOption(jsonColumn(Schema.Struct({ order_description, items })))

const chargeOf = (row: PeriodRow, { currency, payment_id }: SubscriptionRow): SubmittedChange => ({
  ...Option.getOrElse(decodeRequest(row.request), () => ({})),
  charge: payment_id ?? "",
  amount: row.amount,
  currency,
  order_number: row.order_number
})
