/**
 * The one step in which notifications, returns of payers and the sweep end: what was read of a payment moves its row,
 * if no one has moved it since the read began, and the shop is told in the transaction that moves it.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { PaymentDifference } from "../../client/notification/Notification.js"
import type { Database, Query, StoreError } from "../store/Database.js"
import { type HandlerFailure, tellInTransaction } from "../store/HandlerTransaction.js"
import type { Hold, PaymentRow } from "./PaymentRow.js"
import type { PaymentPatch, PaymentTable } from "./PaymentTable.js"
import { isAutomatic, missedAt } from "./AutomaticCharges.js"
import type { PaymentEvent } from "../model/Order.js"
import { distinctRefunds, isContradictory } from "../../client/payment/RefundEntries.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import { isExpired } from "./OrderView.js"
import { differencesIn, sentenceOf } from "./PaymentJudgement.js"
import { hasMoney, pauseAfter, type Progress, progressOf, readingOf, spreadOf } from "./PaymentProgress.js"

/** What the moves of payments need. */
export interface MoveOptions<in out Tx> {
  readonly gateway: LedgerGateway
  readonly database: Database<Tx>
  readonly table: PaymentTable
  /** How long after it has moved a payment that money has come for is compared with the gateway, once a day. */
  readonly compareFor: Duration.Duration
  /** How long a process may take for one look. */
  readonly lease: Duration.Duration
  readonly onPayment: ((event: PaymentEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
  /** Called when a payment needs an operator. */
  readonly onAttention: (row: PaymentRow, kind: NonNullable<PaymentRow["attention"]>) => Effect.Effect<void>
  /** Called before it is recorded that the payment of a charge is paid; again if that fails. */
  readonly onChargePaid: (row: PaymentRow, payment: PaymentResponse) => Effect.Effect<void, StoreError | GatewayError>
  /** The amounts that the ledger's own partial captures of a payment were sent with. */
  readonly capturedAmounts: (paymentId: string) => Effect.Effect<ReadonlyArray<number>, StoreError>
  /** Records the end of a hold as a change of the ledger; again if it is there. */
  readonly endHold: (row: PaymentRow, end: Hold["end"]) => Effect.Effect<void, StoreError>
}

/** The shop's own handler has failed, and so the payment has not moved. */
export interface PaymentHandlerFailure extends HandlerFailure {
  readonly paymentId: number
}

/** A row that has moved, or has not. */
interface Moved {
  readonly after: Option.Option<PaymentRow>
  /** The other payments of its order, where they are known: those that are charges are left out. */
  readonly others: ReadonlyArray<PaymentRow> | undefined
}

/** Why a payment has not moved. */
export type MoveFailure = StoreError | GatewayError | PaymentHandlerFailure

/** In milliseconds. */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long a handler of the shop's may take before it is slow. */
const slowHandler = 100

/** How long before its handler ended a change of the payment may have been decided that could not wake it. */
const decidedLately = 10 * minute

/** How far two reads must be apart that contradict what was known. */
const doubtTime = 10 * minute

/** How often the shop's handler fails for a payment before an operator is notified. */
const failuresUntold = 4

/** How much later than it should a hold may end before an operator is notified. */
const holdLateness = 6 * hour

const now = { after: 0 }

export type PaymentMoves = ReturnType<typeof make>

export const make = <Tx>({
  capturedAmounts,
  compareFor,
  database,
  endHold,
  gateway,
  lease,
  onAttention,
  onChargePaid,
  onPayment,
  table
}: MoveOptions<Tx>) => {
  /** Moves a row, and notifies an operator of what is new about it. */
  const moved = <E>(
    before: PaymentRow,
    move: Effect.Effect<Option.Option<PaymentRow>, E>
  ): Effect.Effect<Option.Option<PaymentRow>, E> =>
    Effect.tap(move, (after) =>
      Option.isSome(after) && after.value.attention !== null && after.value.attention !== before.attention
        ? onAttention(after.value, after.value.attention)
        : Effect.void
    )

  /** When it is checked next. */
  const nextLook = (row: PaymentRow, progress: Progress, isMove: boolean, holdUntil = row.hold_until): PaymentPatch => {
    const tries = isMove ? 0 : row.tries
    const pause = pauseAfter(progress, {
      age: isMove ? 0 : row.now - (row.moved_at ?? row.created_at),
      compareFor: Duration.toMillis(compareFor),
      spread: spreadOf(row.seq, tries),
      tries
    })
    const after = holdUntil === null || pause === undefined ? pause : Math.min(pause, holdUntil - row.now)
    return {
      tries: isMove ? 0 : row.tries + 1,
      looked_at: now,
      next_at: after === undefined ? null : { after: Math.max(second, after) }
    }
  }

  /**
   * The sum of the refunds that have not failed. They are compared too: a second partial refund does not change the state.
   * Nothing where the list says two things of one refund.
   */
  const returnedOf = (row: PaymentRow, { id }: PaymentResponse, progress: Progress) =>
    row.refunded === 0 && progress !== "partiallyRefunded" && progress !== "refunded"
      ? Effect.succeed({ refunded: 0, failed: 0 })
      : Effect.map(gateway.reads.getPaymentRefunds(id), (listed) => {
          if (isContradictory(listed)) return undefined
          const refunds = distinctRefunds(listed)
          return {
            refunded: sumOf(refunds.filter(({ state }) => state !== "FAILED")),
            failed: sumOf(refunds.filter(({ state }) => state === "FAILED"))
          }
        })

  /** What one read says against the row, or what another one, ten minutes later, says again. */
  const doubted = (row: PaymentRow, doubt: string) => {
    const isSame = row.doubt === doubt && row.doubt_since !== null
    const waits = isSame ? doubtTime - (row.now - (row.doubt_since ?? row.now)) : doubtTime
    const isConfirmed = waits <= 0
    const patch: PaymentPatch = {
      ...(isConfirmed
        ? nextLook(row, progressOf(row) ?? "open", false)
        : { looked_at: now, next_at: { after: Math.max(second, waits) } }),
      doubt,
      ...(isSame ? undefined : { doubt_since: now })
    }
    return { isConfirmed, patch }
  }

  /** The fields in which a payment that was read is another one than was asked for. */
  const differencesOf = (
    row: PaymentRow,
    payment: PaymentResponse
  ): Effect.Effect<ReadonlyArray<PaymentDifference>, StoreError> =>
    Effect.gen(function* () {
      const goid = yield* gateway.goid
      const differences = differencesIn(row, payment, { goid, captured: [] })
      if (!differences.some(({ field }) => field === "amount") || row.payment_id === null) return differences
      const captured = yield* capturedAmounts(row.payment_id)
      return differencesIn(row, payment, { goid, captured })
    })

  /**
   * Whether money that comes is that of another payment than was asked for, and no operator has accepted it: then the
   * payment is not taken as paid. What is recorded as paid stays so.
   */
  const refusedIn = (
    row: PaymentRow,
    payment: PaymentResponse
  ): Effect.Effect<ReadonlyArray<PaymentDifference>, StoreError> => {
    const reading = readingOf(row, payment.state)
    const comes = reading._tag === "Forward" && isMoney(reading.progress) && !isMoney(progressOf(row) ?? "open")
    return !comes || decisionOn(row, "PaymentMismatch") === "accepted"
      ? Effect.succeed([])
      : differencesOf(row, payment)
  }

  /** Leaves a payment unpaid that is another one than was asked for. Two reads, ten minutes apart, make it an operator's. */
  const refuse = (row: PaymentRow, differences: ReadonlyArray<PaymentDifference>) => {
    const problem = `${sentenceOf(differences)} It is not taken as paid.`
    if (isResolved(row, "PaymentMismatch")) {
      return table.move(row, { ...nextLook(row, progressOf(row) ?? "open", false), problem })
    }
    const { isConfirmed, patch } = doubted(row, sentenceOf(differences))
    return moved(
      row,
      table.move(row, { ...patch, ...(isConfirmed ? { problem, attention: "PaymentMismatch" as const } : undefined) })
    )
  }

  /**
   * Judges a payment that a notification or a payer's return names, before anything is recorded of it: gives how it
   * differs from what was asked for, where it is not taken as paid.
   */
  const judge = (
    row: PaymentRow,
    payment: PaymentResponse
  ): Effect.Effect<ReadonlyArray<PaymentDifference>, StoreError> =>
    Effect.tap(refusedIn(row, payment), (differences) =>
      differences.length === 0 ? Effect.void : refuse(row, differences)
    )

  /**
   * What a slow handler has kept from waking the payment, since its row was locked, wakes it now. See the triggers of the
   * change table.
   */
  const wokenAfter = (row: PaymentRow, handlerTime: Duration.Duration): Effect.Effect<void> =>
    Duration.toMillis(handlerTime) < slowHandler ? Effect.void : Effect.ignore(table.wakeIfDecided(row, decidedLately))

  /** Moves a row, and finds out whether it is the only payment of its order. */
  const moveInOrder = (row: PaymentRow, patch: PaymentPatch, query?: Query): Effect.Effect<Moved, StoreError> =>
    Effect.map(table.moveInOrder(row, patch, query), ({ others, written }) => ({
      after: Option.fromUndefinedOr(written),
      others: others.filter(({ parent_id }) => parent_id === null)
    }))

  /** Moves a row and tells the shop, both or neither. */
  const told = (
    row: PaymentRow,
    patch: PaymentPatch,
    eventOf: (others: Moved["others"]) => Omit<PaymentEvent<Tx>, "tx">,
    isInOrder: boolean
  ): Effect.Effect<Moved, StoreError | PaymentHandlerFailure> =>
    Effect.gen(function* () {
      const move = (query?: Query): Effect.Effect<Moved, StoreError> =>
        isInOrder
          ? moveInOrder(row, patch, query)
          : Effect.map(table.move(row, patch, query), (after) => ({ after, others: undefined }))
      if (onPayment === undefined) return yield* move()
      let others: Moved["others"]
      const [time, after] = yield* Effect.timed(
        tellInTransaction(database, {
          name: "onPayment",
          move: (query) =>
            Effect.map(move(query), (moved) => {
              others = moved.others
              return moved.after
            }),
          tell: (tx) => onPayment({ ...eventOf(others), tx }),
          answered: (query, after, answer) => {
            const problem = problemIn(answer)
            return problem === undefined || !hasMoney(after) || isResolved(after, "Unfulfillable")
              ? Effect.succeedSome(after)
              : table.move(after, { attention: "Unfulfillable", problem }, query)
          }
        })
      )
      yield* wokenAfter(row, time)
      // Meanwhile another payment of the order may have been created, and paid.
      return { after, others: Duration.toMillis(time) < slowHandler ? others : undefined }
    }).pipe(
      Effect.mapError((failure) =>
        failure._tag === "HandlerFailure" ? { ...failure, paymentId: Number(row.payment_id) } : failure
      )
    )

  /** What failed in the shop is tried again soon, whatever the notification's sender does. */
  const afterFailure = (row: PaymentRow, failure: StoreError | PaymentHandlerFailure) =>
    failure._tag === "LedgerError"
      ? Effect.void
      : moved(
          row,
          table.move(row, {
            tries: row.tries + 1,
            next_at: { after: Math.min(10 * second * 2 ** row.tries, hour) },
            problem: "onPayment fails for it: the shop does not know what became of it.",
            ...(row.tries >= failuresUntold ? { attention: "HandlerFailed" as const } : undefined)
          })
        )

  /** Records what was read after the row was. Gives nothing when the row has moved since: read it again. */
  const record = (row: PaymentRow, payment: PaymentResponse): Effect.Effect<Option.Option<PaymentRow>, MoveFailure> =>
    Effect.gen(function* () {
      const before = progressOf(row) ?? "open"
      const reading = readingOf(row, payment.state)
      const refusedBy = yield* refusedIn(row, payment)
      if (refusedBy.length > 0) return yield* refuse(row, refusedBy)
      const isBack = reading._tag === "Backward" && reading.progress !== undefined && row.refunded > 0
      const returned =
        reading._tag === "Forward" || isBack
          ? yield* returnedOf(row, payment, reading._tag === "Forward" ? reading.progress : before)
          : undefined
      // Less is returned than was: a refund has failed, or the list is behind.
      const isLess = returned !== undefined && returned.refunded < row.refunded
      const isExplained = isLess && row.refunded - returned.refunded <= returned.failed
      if (reading._tag !== "Forward" && !(isBack && isExplained)) {
        const isDoubted =
          reading._tag === "Backward" && reading.contradictsMoney && !isResolved(row, "StateContradicted")
        const problem = `It is ${row.state}, and the gateway said that it is ${payment.state}.`
        if (!isDoubted) return yield* table.move(row, { ...nextLook(row, before, false), problem })
        const { isConfirmed, patch } = doubted(row, problem)
        return yield* moved(
          row,
          table.move(
            row,
            isConfirmed
              ? {
                  ...nextLook(row, before, false),
                  problem: `${problem} Two reads, ten minutes apart, said so.`,
                  attention: "StateContradicted"
                }
              : patch
          )
        )
      }
      const progress = reading._tag === "Forward" ? reading.progress : (reading.progress ?? before)
      if (returned === undefined || isLess) {
        const doubt =
          returned === undefined
            ? "The gateway lists one refund twice, and says two things of it."
            : `Of the payment ${row.refunded} was returned, and the gateway lists ${returned.refunded}.`
        const { isConfirmed, patch } = doubted(row, doubt)
        // What fails is listed as failed in one read; the state agrees in two.
        if (returned === undefined || !(isConfirmed || (isExplained && reading._tag === "Forward"))) {
          return yield* table.move(row, patch)
        }
      }
      const { refunded } = returned
      // A payer's bank may have taken it back. A list that is behind looks the same, for some minutes.
      const isElsewhere =
        (progress === "partiallyRefunded" || progress === "refunded") &&
        refunded === 0 &&
        !isResolved(row, "ReturnedElsewhere")
      const elsewhere = doubted(row, `The gateway says ${payment.state}, and lists no refund.`)
      const differences =
        isMoney(before) && !isResolved(row, "PaymentMismatch") ? yield* differencesOf(row, payment) : []
      const different = doubted(row, sentenceOf(differences))
      const isCorrection = isLess || reading._tag !== "Forward"
      const isNews = progress !== before || refunded !== row.refunded
      const isMove = isNews || payment.state !== row.state
      const holdUntil = progress === "authorized" ? (row.hold_until ?? holdUntilOf(row)) : null
      const isFirst = row.parent_id === null && !isMoney(before) && isMoney(progress)
      const isLate = isFirst && isOfferedNoMore(row)
      const missing = yield* missingCharge(row, payment, progress)
      const patch: PaymentPatch = {
        ...soonest(nextLook(row, progress, isMove, holdUntil), missing.lookIn),
        ...lasting(row, progress),
        ...(missing.isMissing && lasting(row, progress).attention === null ? chargeMissing : undefined),
        ...(isElsewhere
          ? { ...elsewhere.patch, ...(elsewhere.isConfirmed ? returnedElsewhere : undefined) }
          : differences.length > 0
            ? { ...different.patch, ...(different.isConfirmed ? mismatched(differences) : undefined) }
            : { doubt: null, doubt_since: null }),
        ...(isLate
          ? { attention: "PaidLate" as const, problem: "It was paid when it was offered no more." }
          : undefined),
        state: payment.state,
        refunded,
        hold_until: holdUntil,
        ...(isMove ? { moved_at: now } : undefined),
        ...(row.paid_at === null && isPaidFor(progress) ? { paid_at: now } : undefined),
        ...(progress === "open" ? undefined : { gw_url: null }),
        ...(progress === "closed" ? { offered: null } : undefined)
      }
      const isPaid = !isMoney(before) && isMoney(progress)
      if (isPaid && row.parent_id !== null) yield* onChargePaid(row, payment)
      const isInOrder = isFirst && row.group_name === null && database.hasTransactions !== false
      const known = isFirst && !isInOrder ? yield* related(row) : []
      let others: Moved["others"]
      const after = yield* moved(
        row,
        isNews && progress !== "open"
          ? Effect.map(
              told(
                row,
                { ...patch, moves: row.moves + 1 },
                (beside) =>
                  eventOf(row, payment, {
                    status: progress,
                    refunded,
                    ...correctionOf(row, before, isCorrection),
                    attention:
                      isFirst && isPaidBeside(row, beside ?? known) ? "PaidTwice" : isLate ? "PaidLate" : undefined
                  }),
                isInOrder
              ),
              (result) => {
                others = result.others
                return result.after
              }
            )
          : table.move(row, patch)
      ).pipe(Effect.tapError((failure) => Effect.ignore(afterFailure(row, failure))))
      const isAlone = others !== undefined && others.length === 0
      if (Option.isSome(after) && (isMoney(progress) || isMoney(before)) && !isAlone) yield* review(after.value)
      return after
    })

  /** Whether a charge has not come that the gateway makes by itself, and when that is to be looked for. */
  const missingCharge = (
    row: PaymentRow,
    payment: PaymentResponse,
    progress: Progress
  ): Effect.Effect<{ readonly isMissing: boolean; readonly lookIn?: number }, StoreError> =>
    Effect.gen(function* () {
      if (!isAutomatic(row) || !isMoney(progress)) return { isMissing: false }
      const at = missedAt(row, payment, { lastAt: yield* table.lastChargeOf(String(payment.id)) })
      if (at === undefined) return { isMissing: false }
      return at <= row.now
        ? { isMissing: !isResolved(row, "ChargeMissing"), lookIn: 24 * hour }
        : { isMissing: false, lookIn: at - row.now }
    })

  /** The payments of the order, and those of its group, oldest first. */
  const related = (row: PaymentRow): Effect.Effect<ReadonlyArray<PaymentRow>, StoreError> =>
    Effect.gen(function* () {
      const ofOrder = yield* table.ofOrder(row.order_number)
      const ofGroup = row.group_name === null ? [] : yield* table.ofGroup(row.group_name)
      const all = new Map([...ofOrder, ...ofGroup].map((other) => [other.seq, other]))
      return [...all.values()]
        .filter(({ parent_id }) => parent_id === null)
        .toSorted((one, other) => one.seq - other.seq)
    })

  /**
   * Whether an order is paid twice. Of two payments that are paid at the same moment neither transaction sees the other:
   * so it is looked after they are committed.
   */
  const review = (row: PaymentRow): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      if (row.parent_id !== null) return
      const rows = yield* related(row)
      const paid: Array<PaymentRow> = []
      for (const one of rows) {
        const problem = hasMoney(one) ? excessIn(one, paid) : undefined
        if (hasMoney(one)) paid.push(one)
        if (problem === undefined) {
          if (one.attention === "PaidTwice" && isReviewed(row, one)) {
            yield* table.move(one, { attention: null, problem: null })
          }
        } else if (one.attention !== "PaidTwice" && !isResolved(one, "PaidTwice")) {
          const after = yield* table.move(one, { attention: "PaidTwice", problem })
          if (Option.isSome(after)) yield* onAttention(after.value, "PaidTwice")
        }
      }
    })

  /** Reads a payment, and records it. Whoever moves it meanwhile knows more: then it is read again. */
  const refresh = (row: PaymentRow): Effect.Effect<PaymentRow, MoveFailure> =>
    Effect.gen(function* () {
      let current = row
      for (let read = 0; read < 5 && current.payment_id !== null; read++) {
        const payment = yield* Effect.tapError(gateway.reads.getPayment(current.payment_id), ({ reason }) =>
          Effect.ignore(moved(current, table.move(current, unread(current, reason))))
        )
        const after = yield* record(current, payment)
        if (Option.isSome(after)) return after.value
        current = yield* again(current)
      }
      return current
    })

  const again = (row: PaymentRow): Effect.Effect<PaymentRow, StoreError> =>
    Effect.map(table.bySeq(row.seq), (found) => Option.getOrElse(found, () => row))

  /** The next step of a payment that is due. Gives whether it was this process that made it. */
  const look = (due: PaymentRow): Effect.Effect<boolean, MoveFailure> =>
    Effect.gen(function* () {
      // Its lease has expired, and must not begin again: its process may still send it.
      if (due.status === "creating") return Option.isSome(yield* giveUp(due))
      // Only one process looks; if it ends meanwhile, another one does after the lease.
      const taken = yield* table.move(due, { next_at: { after: Duration.toMillis(lease) } })
      if (Option.isNone(taken)) return false
      if (due.payment_id === null) yield* table.move(taken.value, { next_at: null })
      else {
        const row = yield* refresh(taken.value)
        if (row.hold !== null && row.hold_until !== null && row.hold_until <= row.now) yield* holdEnds(row, row.hold)
      }
      return true
    })

  /**
   * A payment whose process has ended, or is slow: it may exist. No one has its address, so another one may be created,
   * unless it needs no payer.
   */
  const giveUp = (row: PaymentRow) =>
    moved(
      row,
      table.move(
        row,
        row.needs_payer === 0
          ? {
              status: "inDoubt",
              next_at: null,
              attention: "InDoubt",
              problem: "It was sent with a stored card, and whether the gateway took it is not known."
            }
          : { status: "lost", offered: null, next_at: null }
      )
    )

  const holdEnds = (row: PaymentRow, hold: Hold) =>
    Effect.gen(function* () {
      yield* endHold(row, hold.end)
      const isLate = row.now - (row.hold_until ?? row.now) > holdLateness && !isResolved(row, "HoldNotEnded")
      yield* moved(
        row,
        table.move(row, {
          next_at: { after: 5 * minute },
          ...(isLate
            ? { attention: "HoldNotEnded" as const, problem: `It should be ended (${hold.end}) by now, and is held.` }
            : undefined)
        })
      )
    })

  return { judge, record, refresh, look, giveUp, review }
}

const chargeMissing = {
  attention: "ChargeMissing" as const,
  problem:
    "The gateway should have charged this recurrence by itself, and no charge has been heard of. Was it declined, or its notification lost? Look into GoPay's administration."
}

/** The patch, with a look no later than that. */
const soonest = (patch: PaymentPatch, lookIn: number | undefined): PaymentPatch => {
  if (lookIn === undefined) return patch
  const { next_at } = patch
  const after = typeof next_at === "object" && next_at !== null ? next_at.after : Infinity
  return { ...patch, next_at: { after: Math.min(after, lookIn) } }
}

/** What is recorded as paid stays so. */
const mismatched = (differences: ReadonlyArray<PaymentDifference>) => ({
  attention: "PaymentMismatch" as const,
  problem: `${sentenceOf(differences)} It was recorded as paid before, and stays so.`
})

const returnedElsewhere = {
  attention: "ReturnedElsewhere" as const,
  problem:
    "Money was returned, and the gateway lists no refund: perhaps a chargeback. Look into GoPay's administration."
}

/** Why an order cannot take its money, where the handler says so. */
const problemIn = (answer: unknown): string | undefined => {
  const attention: unknown =
    typeof answer === "object" && answer !== null
      ? Object.getOwnPropertyDescriptor(answer, "attention")?.value
      : undefined
  return typeof attention === "string" && attention.trim() !== ""
    ? attention.replaceAll("\0", "").slice(0, 1_000)
    : undefined
}

/** Whether the order is paid by another payment, or its group by others. */
const isPaidBeside = (row: PaymentRow, related: ReadonlyArray<PaymentRow>): boolean => {
  const paid = related.filter((other) => other.seq !== row.seq && hasMoney(other))
  return paid.some((other) => other.order_number === row.order_number) || excessOf(row, paid) > 0
}

/** How much more than its total a group gets by a payment, in minor units, if others of it are paid. */
const excessOf = (row: PaymentRow, paid: ReadonlyArray<PaymentRow>): number => {
  const { group_name, group_total, refunded, terms } = row
  const others = paid.filter((other) => other.group_name === group_name && other.terms.currency === terms.currency)
  if (group_name === null || group_total === null || others.length === 0) return 0
  const kept = sumOf(others.map((other) => ({ amount: other.terms.amount - other.refunded })))
  return kept + terms.amount - refunded - group_total
}

/** Why a payment is too much, beside those that were paid before. */
const excessIn = (row: PaymentRow, paid: ReadonlyArray<PaymentRow>): string | undefined => {
  const [first] = paid.filter(({ order_number }) => order_number === row.order_number)
  if (first !== undefined) return `Payment ${first.payment_id} of this order is paid or held as well.`
  const excess = excessOf(row, paid)
  return excess > 0
    ? `The payments of the group ${row.group_name} are ${excess} ${row.terms.currency} (in minor units) above its total.`
    : undefined
}

/** Whether all is known that another payment is judged by: its order's, and its group's. */
const isReviewed = (row: PaymentRow, other: PaymentRow): boolean =>
  row.group_name === null ? other.group_name === null : other.group_name === row.group_name

/** The attention that a look does not end. */
const lasting = ({ attention, problem }: PaymentRow, progress: Progress): PaymentPatch =>
  attention === null ||
  attention === "CredentialsRefused" ||
  attention === "HandlerFailed" ||
  attention === "StateContradicted" ||
  attention === "PaymentMismatch" ||
  attention === "ReturnedElsewhere" ||
  attention === "ChargeMissing" ||
  (attention === "HoldNotEnded" && progress !== "authorized") ||
  (attention === "Unfulfillable" && progress === "refunded")
    ? { attention: null, problem: null }
    : { attention, problem }

/** What was told before, where it has proved wrong. */
const correctionOf = (
  { refunded }: PaymentRow,
  status: Progress,
  correction: boolean
): Pick<PaymentEvent<unknown>, "correction" | "before"> => ({
  correction,
  ...(correction && status !== "open" ? { before: { status, refunded } } : undefined)
})

const sumOf = (refunds: ReadonlyArray<{ readonly amount: number }>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0)

/** What the shop is told. */
const eventOf = (
  row: PaymentRow,
  payment: PaymentResponse,
  {
    attention,
    ...what
  }: Pick<PaymentEvent<unknown>, "status" | "refunded" | "correction" | "before"> & {
    readonly attention: PaymentEvent<unknown>["attention"] | undefined
  }
): Omit<PaymentEvent<unknown>, "tx"> => ({
  eventId: [payment.id, row.moves + 1, payment.state, what.refunded].join("-"),
  order: {
    orderNumber: row.order_number,
    paymentId: payment.id,
    ...(row.parent_id === null ? undefined : { parentId: Number(row.parent_id) }),
    amount: row.terms.amount,
    currency: row.terms.currency,
    ...(row.group_name === null || row.group_total === null
      ? undefined
      : { group: { name: row.group_name, total: row.group_total } }),
    ...(row.reference === null ? undefined : { reference: row.reference })
  },
  payment,
  ...what,
  ...(attention === undefined ? undefined : { attention })
})

/** Whether an operator has resolved this kind of attention for a payment. */
export const isResolved = ({ decisions }: PaymentRow, kind: PaymentRow["attention"]): boolean =>
  (decisions ?? []).some((decision) => decision.kind === kind)

/** What an operator has last said of this kind of attention for a payment. */
const decisionOn = ({ decisions }: PaymentRow, kind: PaymentRow["attention"]) =>
  (decisions ?? []).findLast((decision) => decision.kind === kind)?.as

const isPaidFor = (progress: Progress): boolean => isMoney(progress) && progress !== "authorized"

const isMoney = (progress: Progress): boolean => progress !== "open" && progress !== "closed"

const isOfferedNoMore = (row: PaymentRow): boolean => row.offered === null || isExpired(row)

const holdUntilOf = ({ created_at, hold, looked_at }: PaymentRow): number | null =>
  hold === null ? null : (looked_at ?? created_at) + hold.atMost

/** A read that failed proves nothing. */
const unread = (row: PaymentRow, reason: GatewayError["reason"]): PaymentPatch => {
  const isRefused = reason._tag === "AuthenticationFailed" || reason._tag === "PermissionDenied"
  const asked = reason._tag === "RateLimited" ? (reason.retryAfterMillis ?? 0) : 0
  return {
    tries: row.tries + 1,
    next_at: { after: Math.max(asked, Math.min(30 * second * 2 ** row.tries, hour)) },
    ...(row.attention === null ? { problem: reason.message } : undefined),
    ...(isRefused && row.attention === null ? { attention: "CredentialsRefused" as const } : undefined)
  }
}
