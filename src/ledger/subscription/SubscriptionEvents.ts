/**
 * Shows subscriptions and their periods, and notifies the shop of them: a row moves and the shop is notified in one
 * transaction. If a handler keeps failing, an operator is notified.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChangeRow } from "../store/ChangeRow.js"
import { hasItem } from "../store/Items.js"
import type { Database, Query, StoreError } from "../store/Database.js"
import type { HandlerTable } from "../store/HandlerTable.js"
import {
  failedKinds,
  failurePause,
  failuresUnreported,
  handlerFails,
  reportInTransaction
} from "../store/HandlerTransaction.js"
import type { After } from "../store/Statements.js"
import { type ChangeReports, reportItems as reportChangeItems } from "../change/ChangeItems.js"
import { type PaymentReports, reportItems as reportPaymentItems } from "../order/PaymentItems.js"
import { isResolved } from "../order/PaymentDecision.js"
import type { PaymentRow } from "../store/PaymentTable.js"
import type { AttentionKind } from "../model/Attention.js"
import { attemptKey } from "../model/LedgerKey.js"
import type { Subscription, SubscriptionEvent, SubscriptionPeriod } from "../model/Subscription.js"
import type {
  PeriodPatch,
  PeriodRow,
  SubscriptionPatch,
  SubscriptionRow,
  SubscriptionTable
} from "../store/SubscriptionTable.js"

export interface SubscriptionEventsOptions<in out Tx> extends ChangeReports, PaymentReports {
  readonly database: Database<Tx>
  readonly handlers: HandlerTable
  readonly onSubscription: ((event: SubscriptionEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
  readonly subscriptions: SubscriptionTable
}

/** How a row moves when it is reported to the shop, and what an operator is notified of while that fails. */
interface Report<out Row> {
  readonly name: string
  /** How often the handler has failed for it. */
  readonly tries: number
  readonly move: (query?: Query) => Effect.Effect<Option.Option<Row>, StoreError>
  readonly postpone: (patch: { readonly tries: number; readonly next_at: After }) => Effect.Effect<unknown, StoreError>
  readonly needsOperator: Effect.Effect<void, StoreError>
  /** Ends the item for an operator. */
  readonly endItem: Effect.Effect<void, StoreError>
}

const failing = failedKinds.onSubscription

export interface SubscriptionEvents {
  /** Notifies an operator of a first payment, once. */
  readonly firstNeeds: (
    paymentId: string | null,
    kind: AttentionKind,
    message: string
  ) => Effect.Effect<void, StoreError>
  /** Moves a subscription and reports it to the shop. */
  readonly report: (
    row: SubscriptionRow,
    patch: SubscriptionPatch,
    type: SubscriptionEvent<unknown>["type"]
  ) => Effect.Effect<void, StoreError>
  /** Moves a period and reports it to the shop. */
  readonly reportPeriod: (
    row: PeriodRow,
    subscription: SubscriptionRow,
    patch: PeriodPatch,
    type: SubscriptionEvent<unknown>["type"]
  ) => Effect.Effect<void, StoreError>
}

export const make = <Tx>(options: SubscriptionEventsOptions<Tx>): SubscriptionEvents => {
  const { changes, database, handlers, onSubscription, payments, subscriptions } = options
  /** Moves a row and reports it to the shop in one transaction. */
  const moveAndReport = <Row>(
    { endItem, move, name, needsOperator, postpone, tries }: Report<Row>,
    event: Omit<SubscriptionEvent<Tx>, "tx">
  ): Effect.Effect<void, StoreError> => {
    if (onSubscription === undefined) {
      return Effect.flatMap(handlers.isLeftToOthers("onSubscription"), (isLeft) =>
        Effect.asVoid(isLeft ? postpone({ tries, next_at: { after: 0 } }) : move())
      )
    }
    return reportInTransaction(database, {
      name: "onSubscription",
      move,
      report: (tx) => onSubscription({ ...event, tx })
    }).pipe(
      Effect.flatMap((moved) => (Option.isSome(moved) && tries > failuresUnreported ? endItem : Effect.void)),
      Effect.catch((failure) =>
        failure._tag === "LedgerError"
          ? Effect.fail(failure)
          : Effect.logError(`onSubscription of the ledger failed for ${name}`, failure.cause).pipe(
              Effect.andThen(postpone({ tries: tries + 1, next_at: failurePause(tries) })),
              Effect.andThen(tries >= failuresUnreported ? needsOperator : Effect.void)
            )
      )
    )
  }

  /** The last attempt of a period, for operators. */
  const lastAttempt = (row: PeriodRow): Effect.Effect<ChangeRow | undefined, StoreError> => {
    const key = keyOf(row)
    return key === undefined ? Effect.undefined : Effect.map(changes.find(key), Option.getOrUndefined)
  }

  const periodNeedsOperator = Effect.fnUntraced(function* (row: PeriodRow): Effect.fn.Return<void, StoreError> {
    const attempt = yield* lastAttempt(row)
    if (attempt === undefined || hasItem(attempt, failing)) return
    const recorded = yield* changes.recordItems(attempt, { [failing]: handlerFails("onSubscription") })
    if (Option.isSome(recorded)) yield* reportChangeItems(options, recorded.value, attempt)
  })

  const retriedPeriod = Effect.fnUntraced(function* (row: PeriodRow): Effect.fn.Return<void, StoreError> {
    const attempt = yield* lastAttempt(row)
    if (attempt !== undefined && hasItem(attempt, failing)) {
      yield* changes.recordItems(attempt, { [failing]: null })
    }
  })

  const reportPeriod: SubscriptionEvents["reportPeriod"] = (row, subscription, patch, type) =>
    moveAndReport(
      {
        name: `${row.subscription} ${row.period}`,
        tries: row.tries,
        move: (query) => subscriptions.movePeriod(row, patch, query),
        postpone: (postponed) => subscriptions.movePeriod(row, postponed),
        needsOperator: periodNeedsOperator(row),
        endItem: retriedPeriod(row)
      },
      {
        eventId: `${row.subscription}:${row.period}:${type}:${patch.attempts ?? row.attempts}`,
        type,
        subscription: subscriptionOf(subscription),
        period: periodOf(periodAfter(row, patch))
      }
    )

  const firstPayment = (paymentId: string | null): Effect.Effect<PaymentRow | undefined, StoreError> =>
    paymentId === null ? Effect.undefined : Effect.map(payments.byPaymentId(paymentId), Option.getOrUndefined)

  const firstNeeds = Effect.fnUntraced(function* (
    paymentId: string | null,
    kind: AttentionKind,
    message: string
  ): Effect.fn.Return<void, StoreError> {
    const first = yield* firstPayment(paymentId)
    if (first === undefined || hasItem(first, kind) || isResolved(first, kind)) return
    const recorded = yield* payments.recordItems(first, { [kind]: message })
    if (Option.isSome(recorded)) yield* reportPaymentItems(options, recorded.value, first)
  })

  const retriedSubscription = Effect.fnUntraced(function* (
    paymentId: string | null
  ): Effect.fn.Return<void, StoreError> {
    const first = yield* firstPayment(paymentId)
    if (first !== undefined && hasItem(first, failing)) {
      yield* payments.recordItems(first, { [failing]: null })
    }
  })

  const report: SubscriptionEvents["report"] = (row, patch, type) => {
    const after = { ...row, ...patch }
    const card = type === "cardExpires" ? `:${after.card_expires}` : ""
    return moveAndReport(
      {
        name: row.name,
        tries: row.tries,
        move: (query) => subscriptions.move(row, patch, query),
        postpone: (postponed) => subscriptions.move(row, postponed),
        needsOperator: firstNeeds(after.payment_id, failing, handlerFails("onSubscription")),
        endItem: retriedSubscription(after.payment_id)
      },
      { eventId: `${row.name}:${type}:${after.payment_id ?? ""}${card}`, type, subscription: subscriptionOf(after) }
    )
  }

  return { firstNeeds, report, reportPeriod }
}

// ---- Rows as the shop gets them

export const subscriptionOf = (row: Omit<SubscriptionRow, "next_at">): Subscription => {
  const { awaits, card_expires, currency, maximum, name, order_number, payment_id, status } = row
  return {
    name,
    status,
    maximum,
    currency,
    ...(payment_id === null ? undefined : { paymentId: Number(payment_id) }),
    ...(order_number === null ? undefined : { orderNumber: order_number }),
    ...(awaits === null || status === "cancelled" ? undefined : { awaitedOrder: awaits }),
    ...(card_expires === null ? undefined : { cardExpires: card_expires })
  }
}

export const periodOf = (row: ShownPeriod): SubscriptionPeriod => {
  const { amount, attempts, failure, next_at, order_number, payment_id, period, status } = row
  const key = keyOf(row)
  return {
    period,
    status: status === "waiting" ? (attempts === 0 ? "due" : "retrying") : status,
    amount,
    orderNumber: order_number,
    attempts,
    ...(key === undefined ? undefined : { attemptKey: key }),
    ...(status === "waiting" && next_at !== null && row.needs_card === 0
      ? { nextAttemptAt: new Date(Math.max(next_at, row.due_at)).toISOString() }
      : undefined),
    ...(failure === null ? undefined : { failure }),
    ...(payment_id === null ? undefined : { paymentId: Number(payment_id) })
  }
}

type ShownPeriod = Omit<PeriodRow, "first_at">

/** The key of the last attempt; `undefined` before the first one. */
export const keyOf = ({
  attempts,
  ...period
}: Pick<PeriodRow, "attempts" | "period" | "subscription">): string | undefined =>
  attempts === 0 ? undefined : attemptKey({ ...period, attempt: attempts })

/** The period after a patch. A time from now becomes a time by the row's clock. */
const periodAfter = (row: PeriodRow, patch: PeriodPatch): ShownPeriod => {
  const { next_at = row.next_at } = patch
  return {
    ...row,
    ...patch,
    next_at: typeof next_at === "object" && next_at !== null ? row.now + next_at.after : next_at
  }
}
