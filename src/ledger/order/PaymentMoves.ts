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
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { PaymentEvent } from "../model/Order.js"
import type { Database, Query, StoreError } from "../store/Database.js"
import { type HandlerFailure, tellInTransaction } from "../store/HandlerTransaction.js"
import * as PaymentDecision from "./PaymentDecision.js"
import { hasMoney } from "./PaymentProgress.js"
import type { Hold, PaymentRow } from "./PaymentRow.js"
import type { PaymentPatch, PaymentTable } from "./PaymentTable.js"

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

/** In milliseconds: how long a handler of the shop's may take before it is slow. */
const slowHandler = 100

/** In milliseconds: how long before its handler ended a change of the payment may have been decided that could not wake it. */
const decidedLately = 600_000

/** The fields in which a payment that was read is another one than was asked for. */
const differencesOf = Effect.fnUntraced(function* <Tx>(
  { capturedAmounts, gateway }: MoveOptions<Tx>,
  row: PaymentRow,
  payment: PaymentResponse
): Effect.fn.Return<ReadonlyArray<PaymentDifference>, StoreError> {
  const goid = yield* gateway.goid
  const differences = PaymentDecision.differencesIn(row, payment, { goid, captured: [] })
  if (!differences.some(({ field }) => field === "amount") || row.payment_id === null) return differences
  const captured = yield* capturedAmounts(row.payment_id)
  return PaymentDecision.differencesIn(row, payment, { goid, captured })
})

/** Moves a row, and finds out whether it is the only payment of its order. */
const moveInOrder = (
  table: PaymentTable,
  row: PaymentRow,
  patch: PaymentPatch,
  query?: Query
): Effect.Effect<Moved, StoreError> =>
  Effect.map(table.moveInOrder(row, patch, query), ({ others, written }) => ({
    after: Option.fromUndefinedOr(written),
    others: others.filter(({ parent_id }) => parent_id === null)
  }))

/** Moves a row and tells the shop, both or neither. */
const tellMove = Effect.fnUntraced(function* <Tx>(
  { database, onPayment, table }: MoveOptions<Tx>,
  row: PaymentRow,
  patch: PaymentPatch,
  eventOf: (others: Moved["others"]) => Omit<PaymentEvent<unknown>, "tx">,
  isInOrder: boolean
): Effect.fn.Return<Moved, StoreError | PaymentHandlerFailure> {
  const moved = (query?: Query): Effect.Effect<Moved, StoreError> =>
    isInOrder
      ? moveInOrder(table, row, patch, query)
      : Effect.map(table.move(row, patch, query), (after) => ({ after, others: undefined }))
  if (onPayment === undefined) return yield* moved()
  let others: Moved["others"]
  const telling = tellInTransaction(database, {
    name: "onPayment",
    move: (query) =>
      Effect.map(moved(query), (result) => {
        others = result.others
        return result.after
      }),
    tell: (tx) => onPayment({ ...eventOf(others), tx }),
    answered: (query, after, answer) => {
      const problem = problemIn(answer)
      return problem === undefined || !hasMoney(after) || PaymentDecision.isResolved(after, "Unfulfillable")
        ? Effect.succeedSome(after)
        : table.move(after, { attention: "Unfulfillable", problem }, query)
    }
  })
  const [time, after] = yield* Effect.timed(
    Effect.mapError(telling, (failure) =>
      failure._tag === "HandlerFailure" ? { ...failure, paymentId: Number(row.payment_id) } : failure
    )
  )
  if (Duration.toMillis(time) < slowHandler) return { after, others }
  // What could not wake the payment while its row was locked wakes it now. See the triggers of the change table.
  yield* Effect.ignore(table.wakeIfDecided(row, decidedLately))
  // Meanwhile another payment of the order may have been created, and paid.
  return { after, others: undefined }
})

/** The payments of the order, and those of its group, oldest first. */
const relatedTo = Effect.fnUntraced(function* (
  table: PaymentTable,
  row: PaymentRow
): Effect.fn.Return<ReadonlyArray<PaymentRow>, StoreError> {
  const ofOrder = yield* table.ofOrder(row.order_number)
  const ofGroup = row.group_name === null ? [] : yield* table.ofGroup(row.group_name)
  const all = new Map([...ofOrder, ...ofGroup].map((other) => [other.seq, other]))
  return [...all.values()].filter(({ parent_id }) => parent_id === null).toSorted((one, other) => one.seq - other.seq)
})

export type PaymentMoves = ReturnType<typeof make>

export const make = <Tx>(options: MoveOptions<Tx>) => {
  const { database, gateway, lease, onAttention, table } = options
  const compareFor = Duration.toMillis(options.compareFor)

  /** Notifies an operator of what is new about a row that has moved. */
  const notify = (before: PaymentRow, after: Option.Option<PaymentRow>): Effect.Effect<void> =>
    Option.isSome(after) && after.value.attention !== null && after.value.attention !== before.attention
      ? onAttention(after.value, after.value.attention)
      : Effect.void

  /** Moves a row, and notifies an operator of what is new about it. */
  const move = (row: PaymentRow, patch: PaymentPatch): Effect.Effect<Option.Option<PaymentRow>, StoreError> =>
    Effect.tap(table.move(row, patch), (after) => notify(row, after))

  /** How a payment differs from what was asked for, where it is not taken as paid. What is recorded as paid stays so. */
  const refusedFor = (
    row: PaymentRow,
    payment: PaymentResponse
  ): Effect.Effect<ReadonlyArray<PaymentDifference>, StoreError> =>
    PaymentDecision.isRefusable({ row, payment }) ? differencesOf(options, row, payment) : Effect.succeed([])

  const refuse = (row: PaymentRow, differences: ReadonlyArray<PaymentDifference>) =>
    move(row, PaymentDecision.decideRefusal({ row, compareFor }, differences))

  /**
   * Judges a payment that a notification or a payer's return names, before anything is recorded of it: gives how it
   * differs from what was asked for, where it is not taken as paid.
   */
  const judge = (
    row: PaymentRow,
    payment: PaymentResponse
  ): Effect.Effect<ReadonlyArray<PaymentDifference>, StoreError> =>
    Effect.tap(refusedFor(row, payment), (differences) =>
      differences.length === 0 ? Effect.void : refuse(row, differences)
    )

  /**
   * Whether an order is paid twice. Of two payments that are paid at the same moment neither transaction sees the other:
   * so it is checked after they are committed.
   */
  const review = Effect.fnUntraced(function* (row: PaymentRow): Effect.fn.Return<void, StoreError> {
    if (row.parent_id !== null) return
    const changes = PaymentDecision.decideReview(row, yield* relatedTo(table, row))
    for (const change of changes) yield* move(change.row, change.patch)
  })

  /** Writes what was decided of a payment, and whatever follows from it. */
  const perform = Effect.fnUntraced(function* (
    row: PaymentRow,
    payment: PaymentResponse,
    decision: PaymentDecision.Move
  ): Effect.fn.Return<Option.Option<PaymentRow>, MoveFailure> {
    const { isFirst, isLate, isMoneyMoved, news, patch } = decision
    if (decision.isChargePaid) yield* options.onChargePaid(row, payment)
    const isInOrder = isFirst && row.group_name === null && database.hasTransactions !== false
    const known = isFirst && !isInOrder ? yield* relatedTo(table, row) : []
    const written =
      news === undefined
        ? Effect.map(table.move(row, patch), (after) => ({ after, others: undefined }))
        : tellMove(
            options,
            row,
            patch,
            (others) => {
              const isTwice = isFirst && PaymentDecision.isPaidBeside(row, others ?? known)
              return eventOf(row, payment, news, isTwice ? "PaidTwice" : isLate ? "PaidLate" : undefined)
            },
            isInOrder
          )
    const { after, others } = yield* Effect.tapError(
      Effect.tap(written, ({ after }) => notify(row, after)),
      (failure) =>
        failure._tag === "HandlerFailure"
          ? Effect.ignore(move(row, PaymentDecision.afterFailedHandler(row)))
          : Effect.void
    )
    const isAlone = others !== undefined && others.length === 0
    if (Option.isSome(after) && isMoneyMoved && !isAlone) yield* review(after.value)
    return after
  })

  /** Records what was read after the row was. Gives nothing when the row has moved since: read it again. */
  const record = Effect.fnUntraced(function* (
    row: PaymentRow,
    payment: PaymentResponse
  ): Effect.fn.Return<Option.Option<PaymentRow>, MoveFailure> {
    const check = { row, payment, compareFor }
    const refused = yield* refusedFor(row, payment)
    if (refused.length > 0) return yield* refuse(row, refused)
    const refunds = PaymentDecision.needsRefunds(check) ? yield* gateway.reads.getPaymentRefunds(payment.id) : []
    const judgement = PaymentDecision.judgeReading(check, refunds)
    if (judgement._tag === "Doubted") return yield* move(row, judgement.patch)
    const differences = PaymentDecision.isCompared(row) ? yield* differencesOf(options, row, payment) : []
    const isCharged = PaymentDecision.awaitsCharge(row, judgement.progress)
    const lastChargeAt = isCharged ? yield* table.lastChargeOf(String(payment.id)) : undefined
    return yield* perform(row, payment, PaymentDecision.decideMove(check, judgement, { differences, lastChargeAt }))
  })

  /** Reads a payment, and records it. Whoever moves it meanwhile knows more: then it is read again. */
  const refresh = Effect.fnUntraced(function* (row: PaymentRow): Effect.fn.Return<PaymentRow, MoveFailure> {
    let current = row
    for (let read = 0; read < 5 && current.payment_id !== null; read++) {
      const payment = yield* Effect.tapError(gateway.reads.getPayment(current.payment_id), ({ reason }) =>
        Effect.ignore(move(current, PaymentDecision.afterFailedRead(current, reason)))
      )
      const after = yield* record(current, payment)
      if (Option.isSome(after)) return after.value
      current = Option.getOrElse(yield* table.bySeq(row.seq), () => current)
    }
    return current
  })

  /** Leaves a payment whose process has ended, or is slow, and that may exist. */
  const giveUp = (row: PaymentRow) => move(row, PaymentDecision.afterLostCreation(row))

  /** The next step of a payment that is due. Gives whether it was this process that made it. */
  const look = Effect.fnUntraced(function* (due: PaymentRow): Effect.fn.Return<boolean, MoveFailure> {
    // Its lease has expired, and must not begin again: its process may still send it.
    if (due.status === "creating") return Option.isSome(yield* giveUp(due))
    // Only one process looks; if it ends meanwhile, another one does after the lease.
    const taken = yield* table.move(due, { next_at: { after: Duration.toMillis(lease) } })
    if (Option.isNone(taken)) return false
    if (due.payment_id === null) yield* table.move(taken.value, { next_at: null })
    else {
      const row = yield* refresh(taken.value)
      if (row.hold !== null && row.hold_until !== null && row.hold_until <= row.now) {
        yield* options.endHold(row, row.hold.end)
        yield* move(row, PaymentDecision.afterHoldEnd(row, row.hold))
      }
    }
    return true
  })

  return { judge, record, refresh, look, giveUp }
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

/** What the shop is told. */
const eventOf = (
  row: PaymentRow,
  payment: PaymentResponse,
  news: NonNullable<PaymentDecision.Move["news"]>,
  attention: PaymentEvent<unknown>["attention"] | undefined
): Omit<PaymentEvent<unknown>, "tx"> => ({
  eventId: [payment.id, row.moves + 1, payment.state, news.refunded].join("-"),
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
  ...news,
  ...(attention === undefined ? undefined : { attention })
})
