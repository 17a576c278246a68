/**
 * The step that every notification, every return of a payer and the sweep end in: a reading moves the payment's row,
 * unless the row has moved since the read began, and the shop is notified in the same transaction.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { amountsOf } from "./PaymentAmounts.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { PaymentDifference } from "../../client/notification/Notification.js"
import type { Breaker } from "../change/Breaker.js"
import { endHold } from "../change/Changes.js"
import { type ChargeOwners, ownerOf } from "../change/ChargePayments.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { PaymentEvent } from "../model/Order.js"
import { type Database, type Query, type StoreError, unavailable } from "../store/Database.js"
import type { HandlerFailed } from "../../client/notification/Notification.js"
import { type HandlerFailure, slowHandler, reportInTransaction } from "../store/HandlerTransaction.js"
import * as PaymentDecision from "./PaymentDecision.js"
import type { Check } from "./PaymentDecision.js"
import type { HandlerTable } from "../store/HandlerTable.js"
import { hasItem } from "../store/Items.js"
import { reportItems } from "./PaymentItems.js"
import { now } from "../store/Statements.js"
import { decideOrder, isSameState } from "./OrderDecision.js"
import { type OrderPatch, type OrderRow, type OrderState, shopOrder } from "../store/OrderTable.js"
import type { OrderWithPayments } from "./OrderView.js"
import { nameOf, type PaymentPatch, type PaymentRow, type PaymentTable } from "../store/PaymentTable.js"
import { hasMoney, type Progress, progressOf } from "./PaymentProgress.js"

export interface MoveOptions<in out Tx> extends ChargeOwners {
  readonly breaker: Breaker
  /** For how long a paid payment is compared with the gateway once a day. */
  readonly compareFor: Duration.Duration
  readonly gateway: LedgerGateway
  readonly handlers: HandlerTable
  readonly lease: Duration.Duration
  readonly database: Database<Tx>
  readonly onPayment: ((event: PaymentEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
}

export interface MoveParts extends Omit<MoveOptions<never>, "database" | "onPayment"> {
  /** Runs statements in one transaction. */
  readonly inTransaction: <A>(run: (query: Query) => Effect.Effect<A, StoreError>) => Effect.Effect<A, StoreError>
  /** Moves a payment and its order in one transaction, if both are as they were read. */
  readonly moveInOrder: (
    row: PaymentRow,
    patch: PaymentPatch,
    order: OrderRow,
    state: OrderPatch
  ) => Effect.Effect<Option.Option<PaymentRow>, StoreError>
  /** The same, and notifies the shop; absent if the shop is not to be notified. */
  readonly notifyMove: ReturnType<typeof notifierOf>
}

/** The shop's own handler has failed, so the payment has not moved. */
export interface PaymentHandlerFailure extends HandlerFailure {
  readonly reason: HandlerFailed
}

const handlerFailed = (paymentId: number): HandlerFailed => ({
  _tag: "HandlerFailed",
  paymentId,
  message: `onPayment failed for payment ${paymentId}. It is called again.`
})

export type MoveFailure = StoreError | GatewayError | PaymentHandlerFailure

const differencesOf = Effect.fnUntraced(function* ({ changes, gateway }: MoveParts, { payment, row }: Check) {
  const goid = yield* gateway.goid
  const differences = PaymentDecision.differencesIn(row, payment, goid)
  if (!differences.some(({ field }) => field === "amount") || row.payment_id === null) return differences
  const captures = yield* changes.capturesOf(row.payment_id)
  return PaymentDecision.differencesIn(
    row,
    payment,
    goid,
    captures.flatMap(({ amount }) => amount ?? [])
  )
})

const notifierOf = <Tx>({ database, onPayment, payments }: MoveOptions<Tx>) =>
  onPayment &&
  Effect.fnUntraced(function* (
    row: PaymentRow,
    moving: (query: Query) => Effect.Effect<Option.Option<PaymentRow>, StoreError>,
    event: Omit<PaymentEvent<unknown>, "tx">
  ): Effect.fn.Return<
    { readonly after: Option.Option<PaymentRow>; readonly wasSlow: boolean },
    StoreError | PaymentHandlerFailure
  > {
    const reporting = reportInTransaction(database, {
      name: "onPayment",
      move: moving,
      report: (tx) => onPayment({ ...event, tx }),
      answered: (query, after, answer) => {
        const message = messageIn(answer)
        return message === undefined || !hasMoney(after) || PaymentDecision.isResolved(after, "Unfulfillable")
          ? Effect.succeedSome(after)
          : payments.move(after, { attention: { Unfulfillable: message }, message }, query)
      }
    })
    const [time, after] = yield* Effect.timed(
      Effect.mapError(reporting, (failure) =>
        failure._tag === "HandlerFailure" ? { ...failure, reason: handlerFailed(Number(row.payment_id)) } : failure
      )
    )
    return { after, wasSlow: Duration.toMillis(time) >= slowHandler }
  })

/** The parts, without the type of the shop's transactions. */
export const partsOf = <Tx>(options: MoveOptions<Tx>): MoveParts => {
  const { database, payments } = options
  const inTransaction: MoveParts["inTransaction"] = (run) =>
    database.transaction(
      (tx) => run(database.queryIn(tx)),
      Effect.fail(unavailable("The ledger's store did not end a transaction in time."))
    )
  return {
    ...options,
    inTransaction,
    moveInOrder: (row, patch, order, state) =>
      database.dialect === "postgres"
        ? payments.moveInOrder(row, patch, order, state)
        : inTransaction((query) => payments.moveInOrder(row, patch, order, state, query)),
    notifyMove: notifierOf(options)
  }
}

/**
 * The order of a payment. A charge with an order number of its own is an order, identified by that number and its first
 * payment. A charge with the number of its first payment is reported with that order.
 */
const orderOfPayment = Effect.fnUntraced(function* (
  payments: PaymentTable,
  { order_number: orderNumber, parent_id }: PaymentRow
): Effect.fn.Return<OrderOfPayment, StoreError> {
  const read =
    parent_id === null
      ? yield* payments.inOrderOf(shopOrder(orderNumber))
      : yield* payments.inOrder(shopOrder(orderNumber))
  if (parent_id === null || read.payments.some(({ payment_id }) => payment_id === parent_id)) {
    return { ...read, isOwn: parent_id === null }
  }
  return { ...(yield* payments.inOrderOf({ orderNumber, parentId: parent_id })), isOwn: true }
})

interface OrderOfPayment extends OrderWithPayments {
  /** Whether the payment belongs to the order itself, and is not a charge without a number of its own. */
  readonly isOwn: boolean
}

/** The state of an order after a payment of it has moved. */
const stateAfter = (
  { isOwn, order, payments }: OrderOfPayment,
  row: PaymentRow,
  { progress, refunded }: Pick<PaymentDecision.Believed, "progress" | "refunded">
): OrderState =>
  isOwn
    ? decideOrder(
        order,
        { payment_id: row.payment_id, progress, refunded, isOffered: row.offered !== null },
        payments.flatMap((other) =>
          other.seq === row.seq
            ? []
            : {
                payment_id: other.payment_id,
                progress: progressOf(other),
                refunded: other.refunded,
                isOffered: other.offered !== null
              }
        )
      )
    : order

/** The payments of the order and of its group, oldest first. */
const relatedTo = Effect.fnUntraced(function* (payments: PaymentTable, row: PaymentRow) {
  const ofOrder = yield* payments.ofOrder(row.order_number)
  const ofGroup = row.group_name === null ? [] : yield* payments.ofGroup(row.group_name)
  const all = new Map([...ofOrder, ...ofGroup].map((other) => [other.seq, other]))
  return [...all.values()].filter(({ parent_id }) => parent_id === null).toSorted((one, other) => one.seq - other.seq)
})

/** The payments of the order, which was read, and of its group. */
const relatedIn = (payments: PaymentTable, row: PaymentRow, read: OrderWithPayments) =>
  row.group_name === null ? Effect.succeed(read.payments) : relatedTo(payments, row)

/** Notifies an operator of new items of a row that has moved. */
const notify = (parts: MoveParts, before: PaymentRow, after: Option.Option<PaymentRow>) =>
  Option.isSome(after) ? reportItems(parts, after.value, before) : Effect.void

const move = (parts: MoveParts, row: PaymentRow, patch: PaymentPatch) =>
  Effect.tap(parts.payments.move(row, patch), (after) => notify(parts, row, after))

/** Does not record as paid a payment that differs from what was asked for. What is recorded as paid stays so. */
const refuse = Effect.fnUntraced(function* (parts: MoveParts, check: Check) {
  const differences = PaymentDecision.isRefusable(check) ? yield* differencesOf(parts, check) : []
  if (differences.length === 0) return undefined
  return { differences, after: yield* move(parts, check.row, PaymentDecision.decideRefusal(check, differences)) }
})

/**
 * Judges a payment before it is recorded, and records a refusal. Returns how the payment differs from what was asked
 * for.
 */
export const judge = (
  parts: MoveParts,
  row: PaymentRow,
  payment: PaymentResponse
): Effect.Effect<ReadonlyArray<PaymentDifference>, StoreError> =>
  Effect.map(refuse(parts, { row, payment, compareFor: parts.compareFor }), (refused) => refused?.differences ?? [])

/**
 * The item of a payment that is too much. Written in the move by which its money comes, since the process may be killed
 * after that.
 */
const twiceItem = ({ attention }: PaymentPatch, message: string): PaymentPatch => ({
  attention: { ...attention, PaidTwice: message },
  message
})

/**
 * If two payments are paid at the same moment, neither transaction sees the other one. So this runs after the commit.
 */
const review = Effect.fnUntraced(function* (parts: MoveParts, row: PaymentRow): Effect.fn.Return<void, StoreError> {
  if (row.parent_id !== null) return
  const related = yield* relatedTo(parts.payments, row)
  for (const change of PaymentDecision.decideReview(row, related)) yield* move(parts, change.row, change.patch)
  for (const other of related.filter((one) => PaymentDecision.isJudgedElsewhere(one, row))) {
    const reviewed = PaymentDecision.decideReview(other, yield* relatedTo(parts.payments, other))
    for (const change of reviewed) yield* move(parts, change.row, change.patch)
  }
})

/**
 * Leaves a move that `onPayment` has to be notified of to a process that has that handler: makes the payment due, and
 * returns it as that process will record it.
 */
const leave = Effect.fnUntraced(function* (
  { payments }: MoveParts,
  { payment, row }: Check,
  { believed: { refunded }, patch: { captured = row.captured } }: Pick<PaymentDecision.Move, "believed" | "patch">
) {
  yield* Effect.logInfo(
    `Payment ${row.payment_id} is ${payment.state}: it is left to the processes that have onPayment, which this one has not`
  )
  const due = yield* payments.move(row, { tries: 0, next_at: now })
  return Option.map(due, (left): PaymentRow => ({ ...left, state: payment.state, captured, refunded }))
})

const perform = Effect.fnUntraced(function* (
  parts: MoveParts,
  check: Check,
  decision: PaymentDecision.Move
): Effect.fn.Return<Option.Option<PaymentRow>, StoreError | PaymentHandlerFailure> {
  const { payment, row } = check
  const { payments, notifyMove } = parts
  const { believed, isFirst, isLate, isMoneyMoved, isNews, patch } = decision
  if (decision.isChargePaid) {
    // Before the payment is recorded as paid: another payment of the same charge may be paid as well.
    yield* ownerOf(parts, payment)
  }
  if (!isNews) return yield* move(parts, row, patch)
  const read = yield* orderOfPayment(payments, row)
  const state = stateAfter(read, row, believed)
  // If the order's state stays the same, the move is reported only if money has moved.
  const isReported = !isSameState(state, read.order) || isMoneyMoved
  if (isReported && (yield* parts.handlers.isLeftToOthers("onPayment"))) return yield* leave(parts, check, decision)
  const moves = row.moves + (isReported ? 1 : 0)
  const related = isFirst ? yield* relatedIn(payments, row, read) : []
  const excess = isFirst ? PaymentDecision.excessBeside(row, decision.amounts, related) : undefined
  const isTwice = excess !== undefined
  const item = isTwice && row.parent_id === null ? twiceItem(patch, excess) : undefined
  const moving = (query?: Query) =>
    query === undefined
      ? parts.moveInOrder(row, { ...patch, ...item, moves }, read.order, state)
      : payments.moveInOrder(row, { ...patch, ...item, moves }, read.order, state, query)
  const attention = isTwice ? "PaidTwice" : isLate ? "PaidLate" : undefined
  const written =
    notifyMove === undefined || !isReported
      ? Effect.map(moving(), (after) => ({ after, wasSlow: false }))
      : notifyMove(row, moving, eventOf(check, decision, read, state, attention))
  const { after, wasSlow } = yield* Effect.tapError(
    Effect.tap(written, ({ after }) => notify(parts, row, after)),
    (failure) =>
      failure._tag === "HandlerFailure"
        ? Effect.ignore(move(parts, row, PaymentDecision.afterFailedHandler(row)))
        : Effect.void
  )
  // While the handler ran, another payment of the order may have been created and paid.
  const isAlone = row.group_name === null && read.payments.length <= 1 && !wasSlow
  if (Option.isSome(after) && isMoneyMoved && !isAlone) yield* review(parts, after.value)
  return after
})

/** Records a reading made after the row was read. Returns nothing if the row has moved since: read it again. */
export const record = Effect.fnUntraced(function* (
  parts: MoveParts,
  row: PaymentRow,
  payment: PaymentResponse
): Effect.fn.Return<Option.Option<PaymentRow>, MoveFailure> {
  const { compareFor, gateway, payments } = parts
  const check = { row, payment, compareFor }
  if (row.status === "unknown") {
    const patch = PaymentDecision.decideUnknown(check)
    return patch === undefined ? Option.some(row) : yield* move(parts, row, patch)
  }
  const refused = yield* refuse(parts, check)
  if (refused !== undefined) return refused.after
  const refunds = PaymentDecision.needsRefunds(check) ? yield* gateway.reads.getPaymentRefunds(payment.id) : []
  const judgement = PaymentDecision.judgeReading(check, refunds)
  if (judgement._tag === "Doubted") return yield* move(parts, row, judgement.patch)
  const differences = PaymentDecision.isCompared(row) ? yield* differencesOf(parts, check) : []
  const isCharged = PaymentDecision.awaitsCharge(row, judgement.progress)
  const lastChargeAt = isCharged ? yield* payments.lastChargeOf(String(payment.id)) : undefined
  const isCaptured = PaymentDecision.needsCaptures(row, judgement.progress)
  const captures = isCaptured ? yield* parts.changes.capturesOf(String(payment.id)) : []
  const facts = { differences, captures, lastChargeAt }
  const after = yield* perform(parts, check, PaymentDecision.decideMove(check, judgement, facts))
  if (Option.isNone(after)) return after
  // Another payment may have been refunded since, and the process have been killed before its review.
  if (hasItem(after.value, "PaidTwice")) yield* review(parts, after.value)
  return yield* withoutFailedReturn(parts, after.value)
})

/**
 * The change that should return a payment's money came to nothing: the payment needs an operator again. Its item ends
 * and begins anew, so that an operator is notified again.
 */
const withoutFailedReturn = Effect.fnUntraced(function* (
  parts: MoveParts,
  row: PaymentRow
): Effect.fn.Return<Option.Option<PaymentRow>, StoreError> {
  const decision = PaymentDecision.givenBack(row)
  const [change] = decision?.change === undefined ? [] : yield* parts.changes.ofKeys([decision.change])
  if (decision === undefined || change === undefined || !PaymentDecision.cameToNothing(change)) return Option.some(row)
  const { kind } = decision
  const after = yield* parts.inTransaction((query) =>
    Effect.flatMap(parts.payments.move(row, { attention: { [kind]: null } }, query), (ended) =>
      Option.isNone(ended)
        ? Effect.succeedNone
        : parts.payments.move(ended.value, PaymentDecision.decideNotGivenBack(row, decision, change), query)
    )
  )
  if (Option.isNone(after)) return after
  yield* reportItems(parts, after.value, { attention: row.attention.filter((item) => item.kind !== kind) })
  // It may no longer be too much.
  if (kind === "PaidTwice") yield* review(parts, after.value)
  return after
})

/**
 * Reads a payment and records the reading. If its row moves meanwhile, reads it again, since the other process knows
 * more.
 */
export const refresh = Effect.fnUntraced(function* (
  parts: MoveParts,
  row: PaymentRow
): Effect.fn.Return<PaymentRow, MoveFailure> {
  let current = row
  for (let read = 0; read < 5 && current.payment_id !== null; read++) {
    const { payment_id: id } = current
    const payment = yield* Effect.tapError(parts.gateway.reads.getPayment(id), ({ reason }) =>
      Effect.flatMap(parts.breaker.readFailed(id, reason), (doReadsFail) =>
        Effect.ignore(move(parts, current, PaymentDecision.afterFailedRead(current, reason, doReadsFail)))
      )
    )
    const after = yield* record(parts, current, payment)
    if (Option.isSome(after)) return after.value
    current = Option.getOrElse(yield* parts.payments.bySeq(row.seq), () => current)
  }
  return current
})

/** Gives up a creation whose process has ended or is slow: the payment may exist. */
export const giveUp = (parts: MoveParts, row: PaymentRow): Effect.Effect<Option.Option<PaymentRow>, StoreError> =>
  move(parts, row, PaymentDecision.afterLostCreation(row))

/**
 * Takes a payment that is due, with a lease, so that only one process checks it. If that process ends, another one
 * takes it when the lease has expired.
 */
export const takeDue = (
  { lease, payments }: MoveParts,
  due: PaymentRow
): Effect.Effect<Option.Option<PaymentRow>, StoreError> =>
  // If it is being created, its lease has expired and must not be renewed: its process may still send it.
  due.status === "creating"
    ? Effect.succeedSome(due)
    : payments.move(due, { next_at: { after: Duration.toMillis(lease) } })

/** Makes the next step of a payment that was taken. Returns whether this process made it. */
export const checkTaken = Effect.fnUntraced(function* (
  parts: MoveParts,
  taken: PaymentRow
): Effect.fn.Return<boolean, MoveFailure> {
  const { changes, payments } = parts
  if (taken.status === "creating") return Option.isSome(yield* giveUp(parts, taken))
  if (taken.payment_id === null) yield* payments.move(taken, { next_at: null })
  else {
    const row = yield* refresh(parts, taken)
    if (row.hold !== null && row.hold_until !== null && row.hold_until <= row.now) {
      const { end } = row.hold
      yield* endHold(changes, `${nameOf(row)}:${end}`, row.payment_id ?? "", end)
      yield* move(parts, row, PaymentDecision.afterHoldEnd(row, row.hold))
    }
  }
  return true
})

/** Why an order cannot accept its money, if the handler says so. */
const messageIn = (answer: unknown): string | undefined => {
  const attention: unknown =
    typeof answer === "object" && answer !== null
      ? Object.getOwnPropertyDescriptor(answer, "attention")?.value
      : undefined
  return typeof attention === "string" && attention.trim() !== ""
    ? attention.replaceAll("\0", "").slice(0, 1_000)
    : undefined
}

const eventOf = (
  { payment, row }: Check,
  { amounts, believed: { isCorrection, progress } }: Pick<PaymentDecision.Move, "amounts" | "believed">,
  { isOwn, order, payments }: OrderOfPayment,
  state: OrderState,
  attention: PaymentEvent<unknown>["attention"]
): Omit<PaymentEvent<unknown>, "tx"> => {
  const status = statusOf(progress)
  const standing = payments.find(({ payment_id }) => payment_id !== null && payment_id === state.payment_id) ?? row
  const reported =
    state.status === "open"
      ? { status, ...amounts }
      : {
          status: state.status,
          ...(standing.seq === row.seq ? amounts : amountsOf(standing, state.status, state.refunded))
        }
  const correction = isCorrection && !isSameState(state, order)
  const parentId = row.parent_id === null ? undefined : { parentId: Number(row.parent_id) }
  const paymentId = Number(standing.payment_id)
  return {
    eventId: [
      payment.id,
      row.moves + 1,
      payment.state,
      amounts.captured,
      amounts.refunded,
      paymentId,
      reported.status,
      reported.captured,
      reported.refunded,
      attention ?? "-"
    ].join("-"),
    order: {
      orderNumber: row.order_number,
      paymentId,
      ...(isOwn ? parentId : undefined),
      amount: standing.terms.amount,
      currency: standing.terms.currency,
      ...(standing.group_name === null || standing.group_total === null
        ? undefined
        : { group: { name: standing.group_name, total: standing.group_total } }),
      ...(standing.reference === null ? undefined : { reference: standing.reference })
    },
    payment,
    ...reported,
    correction,
    ...(correction && order.status !== "open"
      ? { before: { status: order.status, refunded: order.refunded } }
      : undefined),
    moved: { paymentId: payment.id, ...parentId, status, ...amounts, correction: isCorrection },
    ...(attention && { attention })
  }
}

/** The status under which a payment is reported; such a payment is never open. */
const statusOf = (progress: Progress): PaymentEvent<unknown>["status"] => (progress === "open" ? "closed" : progress)
