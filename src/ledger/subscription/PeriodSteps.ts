/**
 * The steps of a period. Read it from top to bottom:
 *
 * ```
 * waiting ──its day has come──▶ charging ──the attempt is paid──▶ paid
 *    ▲                             │
 *    └──declined: another day──────┴──▶ givenUp, cancelled
 * ```
 *
 * An attempt is a change of the ledger's, by a key of the period and its number: whatever dies, each number is sent once at
 * most. The next one is made when the one before is certainly refused or closed. What is over becomes `paid` all the same
 * when a charge of it is paid late.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { jsonColumn } from "../store/Columns.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { SubmittedChange } from "../model/Change.js"
import { type ChangeRow, isDecided } from "../change/ChangeRow.js"
import { stateOf } from "../change/ChargeSteps.js"
import type { ChangeTable } from "../change/ChangeTable.js"
import type { StoreError } from "../store/Database.js"
import type { InvalidArgument, KeyReused, LedgerError, LedgerUnavailable } from "../model/LedgerError.js"
import { attemptKey } from "../model/LedgerKey.js"
import { remedyOf } from "./ChargeRemedy.js"
import type { SubscriptionEventType } from "../model/Subscription.js"
import type { PeriodPatch, PeriodRow, SubscriptionRow, SubscriptionTable } from "./SubscriptionTable.js"

/** The error of a charge that was not recorded. */
export type ChangeError = LedgerError<KeyReused | LedgerUnavailable | InvalidArgument>

/** What the steps of periods need. */
export interface PeriodStepsOptions {
  readonly table: SubscriptionTable
  readonly changes: Pick<ChangeTable, "ofKeys" | "move">
  readonly getPayment: (id: string) => Effect.Effect<PaymentResponse, GatewayError>
  /** Records a charge by a key of the ledger's own. */
  readonly record: (key: string, change: SubmittedChange) => Effect.Effect<ChangeRow, ChangeError>
  /** Days after the first attempt. */
  readonly retryAfterDays: ReadonlyArray<number>
  /** Moves a period and tells the shop, both or neither. */
  readonly told: (
    row: PeriodRow,
    subscription: SubscriptionRow,
    patch: PeriodPatch,
    type: SubscriptionEventType
  ) => Effect.Effect<boolean, StoreError>
  /** Whether a restored ledger may have forgotten an attempt of a period: see `distrust`. */
  readonly mayBeForgotten: (
    row: Pick<PeriodRow, "due_at">,
    subscription: Pick<SubscriptionRow, "payment_id">,
    attempts: ReadonlyArray<ChangeRow>
  ) => Effect.Effect<boolean, StoreError>
  /** Reports an attempt that is paid beside another one. Gives whether its row says so. */
  readonly onPaidTwice: (row: ChangeRow) => Effect.Effect<boolean, StoreError>
}

/** In milliseconds. */
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const now = { after: 0 }

/** What is stored of the request of a charge. */
export const PeriodRequest = Schema.Struct({
  order_description: GatewaySchema.CreateRecurrenceRequest.fields.order_description,
  items: GatewaySchema.CreateRecurrenceRequest.fields.items
})
const decodeRequest = Schema.decodeUnknownOption(jsonColumn(PeriodRequest))

/** What ends a period. */
const over = { next_at: null, request: null, needs_card: 0, tries: 0 } as const

/** The attempts of a period that were recorded, oldest first. */
export const attemptsOf = (
  changes: Pick<ChangeTable, "ofKeys">,
  { attempts, period, subscription }: Pick<PeriodRow, "attempts" | "period" | "subscription">
): Effect.Effect<ReadonlyArray<ChangeRow>, StoreError> =>
  changes.ofKeys(
    Array.from({ length: attempts }, (_, index) => attemptKey({ subscription, period, attempt: index + 1 }))
  )

/** Whether the gateway says of each attempt that it is not paid, just before the next one is made. */
export const stillClosed = (
  { changes, getPayment }: Pick<PeriodStepsOptions, "changes" | "getPayment">,
  attempts: ReadonlyArray<ChangeRow>
): Effect.Effect<boolean, StoreError> =>
  Effect.gen(function* () {
    for (const attempt of attempts) {
      if (attempt.entry === null) continue
      const read = yield* Effect.result(getPayment(attempt.entry))
      if (read._tag === "Failure") return false
      if (stateOf(read.success.state) === "closed") continue
      // The ledger reads it again, and the period goes on by it.
      yield* changes.move(attempt, { next_at: now })
      return false
    }
    return true
  })

/**
 * A charge of a period that is none of its attempts, and is paid or may be: one that a restored ledger has forgotten, or that
 * an operator has adopted.
 */
export const otherCharge = (
  { getPayment, table }: Pick<PeriodStepsOptions, "getPayment" | "table">,
  row: PeriodRow,
  { payment_id }: SubscriptionRow,
  attempts: ReadonlyArray<ChangeRow>
): Effect.Effect<{ readonly id: string; readonly state: "paid" | "open" } | undefined, StoreError> =>
  Effect.gen(function* () {
    const firstPaymentIds = [payment_id ?? "", ...attempts.map((attempt) => attempt.payment_id)]
    const known = yield* table.knownCharge(row, firstPaymentIds, attempts)
    if (known === undefined) return undefined
    const { id, isPaid, isResolved } = known
    if (isPaid) return { id, state: "paid" }
    if (!isResolved) return { id, state: "open" }
    // An operator has only said that it is known.
    const read = yield* Effect.result(getPayment(id))
    const state = read._tag === "Success" ? stateOf(read.success.state) : "open"
    return state === "closed" ? undefined : { id, state }
  })

/** Makes the next step of a period whose row was taken. */
export const make = (options: PeriodStepsOptions) => {
  const { changes, getPayment, mayBeForgotten, onPaidTwice, record, retryAfterDays, table, told } = options
  const lastDay = retryAfterDays.at(-1) ?? 0

  const postponed = (row: PeriodRow, after: number) =>
    Effect.asVoid(table.movePeriod(row, { tries: row.tries + 1, next_at: { after } }))

  const step = (row: PeriodRow): Effect.Effect<void, StoreError | ChangeError> =>
    Effect.gen(function* () {
      const found = yield* table.find(row.subscription)
      if (Option.isNone(found)) return yield* postponed(row, day)
      const subscription = found.value
      const attempts = yield* attemptsOf(changes, row)
      const paidAttempts = attempts.filter(({ status }) => status === "done")
      const [paid] = paidAttempts
      if (paid !== undefined) {
        // All but one of them are too much: each is reported, the latest first.
        const twice = paidAttempts.findLast(({ attention }) => attention !== "PaidTwice")
        if (twice !== undefined && paidAttempts.length - 1 > row.twice_told) {
          if (yield* onPaidTwice(twice)) {
            yield* table.movePeriod(row, { twice_told: row.twice_told + 1, next_at: now })
          }
          return
        }
        if (row.status === "paid") return yield* closed(row)
        return yield* paidBy(row, subscription, paid.entry)
      }
      switch (row.status) {
        case "waiting":
          return yield* begin(row, subscription, attempts)
        case "charging":
          return yield* follow(row, subscription, attempts)
        case "givenUp":
        case "cancelled": {
          // A charge that a restored ledger has forgotten may turn up.
          const takingUp = yield* takingUpOther(row, subscription, attempts)
          return yield* takingUp ?? closed(row)
        }
        case "paid":
          return yield* closed(row)
      }
    })

  const paidBy = (row: PeriodRow, subscription: SubscriptionRow, payment_id: string | null) =>
    Effect.asVoid(told(row, subscription, { ...over, status: "paid", failure: null, payment_id }, "paid"))

  /** What another charge of the period calls for, if there is one. */
  const takingUpOther = (row: PeriodRow, subscription: SubscriptionRow, attempts: ReadonlyArray<ChangeRow>) =>
    Effect.map(otherCharge({ getPayment, table }, row, subscription, attempts), (other) => {
      if (other === undefined) return undefined
      return other.state === "open" ? postponed(row, hour) : paidBy(row, subscription, other.id)
    })

  const closed = (row: PeriodRow) => Effect.asVoid(table.movePeriod(row, { next_at: null }))

  /** Whether nothing more is begun. What may have been charged is an operator's all the same. */
  const isOver = (subscription: SubscriptionRow, row: PeriodRow, attempts: ReadonlyArray<ChangeRow>) =>
    subscription.status === "cancelling" || subscription.status === "cancelled"
      ? Effect.map(mayBeForgotten(row, subscription, attempts), (may) => !may)
      : Effect.succeed(false)

  /** Begins an attempt, when nothing is in its way. */
  const begin = (row: PeriodRow, subscription: SubscriptionRow, attempts: ReadonlyArray<ChangeRow>) =>
    Effect.gen(function* () {
      const takingUp = yield* takingUpOther(row, subscription, attempts)
      if (takingUp !== undefined) return yield* takingUp
      if (yield* isOver(subscription, row, attempts))
        return yield* Effect.asVoid(told(row, subscription, cancelled, "cancelled"))
      // One that was declined may be on its way again.
      if (attempts.some((one) => !isDecided(one))) return yield* postponed(row, hour)
      if (subscription.status === "waiting" || subscription.payment_id === null) return yield* postponed(row, day)
      if (row.due_at > row.now) return yield* Effect.asVoid(table.movePeriod(row, { next_at: row.due_at }))
      const isCardOld = attempts.at(-1)?.payment_id === subscription.payment_id
      // What a new card may have paid before a backup was restored is an operator's, as an attempt that is not sent.
      if (row.needs_card === 1 && isCardOld && !(yield* mayBeForgotten(row, subscription, attempts))) {
        return yield* Effect.asVoid(told(row, subscription, givenUp, "givenUp"))
      }
      const isClosed = yield* stillClosed({ changes, getPayment }, attempts)
      if (!isClosed) return yield* postponed(row, hour)
      const begun = yield* table.movePeriod(row, {
        status: "charging",
        needs_card: 0,
        attempts: row.attempts + 1,
        ...(row.first_at === null ? { first_at: now } : undefined),
        tries: 0,
        next_at: { after: minute }
      })
      if (Option.isSome(begun)) yield* follow(begun.value, subscription, attempts)
    })

  /** Follows an attempt to its end. */
  const follow = (row: PeriodRow, subscription: SubscriptionRow, attempts: ReadonlyArray<ChangeRow>) =>
    Effect.gen(function* () {
      const key = attemptKey({ subscription: row.subscription, period: row.period, attempt: row.attempts })
      const attempt = attempts.find((one) => one.key === key)
      if (attempt === undefined) {
        if (yield* isOver(subscription, row, attempts))
          return yield* Effect.asVoid(told(row, subscription, cancelled, "cancelled"))
        yield* record(key, chargeOf(row, subscription))
        return yield* postponed(row, 10 * minute)
      }
      // Its decision wakes the period.
      if (!isDecided(attempt)) return yield* postponed(row, Math.min(10 * minute * 2 ** row.tries, hour))
      if (!(yield* isOver(subscription, row, attempts))) return yield* retried(row, subscription, attempt)
      yield* table.movePeriod(row, { status: "waiting", tries: 0, next_at: now })
    })

  /** What follows when an attempt was not paid. */
  const retried = (row: PeriodRow, subscription: SubscriptionRow, { decision, entry, payment_id }: ChangeRow) => {
    const { as, code, how, message = "It was declined.", subState } = decision ?? {}
    const isLast = row.attempts > retryAfterDays.length
    if (how === "operator") {
      // Not made, says an operator: so it can be made.
      return as === "notDone" && !isLast
        ? Effect.asVoid(table.movePeriod(row, { status: "waiting", tries: 0, next_at: now }))
        : Effect.asVoid(told(row, subscription, givenUp, "givenUp"))
    }
    const remedy = remedyOf({ code, entry, subState })
    const failure = {
      remedy,
      message,
      ...(code === undefined ? undefined : { code }),
      ...(subState === undefined ? undefined : { subState })
    }
    if (isLast) return Effect.asVoid(told(row, subscription, { ...givenUp, failure }, "givenUp"))
    const days = remedy === "newCard" ? lastDay : (retryAfterDays[row.attempts - 1] ?? lastDay)
    const at = Math.round(Math.max((row.first_at ?? row.now) + days * day, row.now + hour))
    const waiting: PeriodPatch = { status: "waiting", failure, tries: 0, due_at: at, next_at: at }
    if (remedy !== "newCard") return Effect.asVoid(told(row, subscription, waiting, "declined"))
    return payment_id === subscription.payment_id
      ? Effect.asVoid(told(row, subscription, { ...waiting, needs_card: 1 }, "needsCard"))
      : // A new card has come while this attempt was under way.
        Effect.asVoid(table.movePeriod(row, { ...waiting, due_at: row.now, next_at: now }))
  }

  return step
}

const cancelled: PeriodPatch = { ...over, status: "cancelled" }
const givenUp: PeriodPatch = { ...over, status: "givenUp" }

const chargeOf = (row: PeriodRow, { currency, payment_id }: SubscriptionRow): SubmittedChange => ({
  ...Option.getOrElse(decodeRequest(row.request), () => ({})),
  charge: payment_id ?? "",
  amount: row.amount,
  currency,
  order_number: row.order_number
})
