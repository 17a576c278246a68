/**
 * Tells the shop what becomes of its subscriptions: a row moves and the shop knows, both or neither. A handler that fails
 * again and again becomes an operator's matter.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChangeRow } from "../change/ChangeRow.js"
import type { ChangeTable } from "../change/ChangeTable.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import type { Database, Query, StoreError } from "../store/Database.js"
import { failurePause, failuresUnreported, slowHandler, tellInTransaction } from "../store/HandlerTransaction.js"
import type { After } from "../store/Statements.js"
import { isResolved } from "../order/PaymentDecision.js"
import type { MoveOptions } from "../order/PaymentMoves.js"
import type { PaymentRow, PaymentTable } from "../order/PaymentTable.js"
import type { SubscriptionEvent } from "../model/Subscription.js"
import {
  periodAfter,
  type PeriodPatch,
  type PeriodRow,
  subscriptionAfter,
  type SubscriptionPatch,
  type SubscriptionRow,
  type SubscriptionTable
} from "./SubscriptionTable.js"
import { keyOf, periodOf, subscriptionOf } from "./SubscriptionView.js"

export interface SubscriptionEventsOptions<in out Tx>
  extends Pick<LedgerParts, "onChangeAttention">, Pick<MoveOptions<Tx>, "onPaymentAttention"> {
  readonly database: Database<Tx>
  readonly subscriptions: Pick<SubscriptionTable, "move" | "movePeriod" | "wakePeriod">
  readonly changes: Pick<ChangeTable, "find" | "move">
  readonly payments: Pick<PaymentTable, "byPaymentId" | "move">
  readonly onSubscription: ((event: SubscriptionEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
}

const handlerFails = "onSubscription fails for it: the shop does not know what became of it."

/** How a row moves when the shop is told, and what an operator is told while that fails. */
interface Telling<out Row> {
  readonly name: string
  /** How often the handler has failed for it. */
  readonly tries: number
  readonly move: (query?: Query) => Effect.Effect<Option.Option<Row>, StoreError>
  readonly postpone: (patch: { readonly tries: number; readonly next_at: After }) => Effect.Effect<unknown, StoreError>
  readonly needsOperator: Effect.Effect<void, StoreError>
  /** An operator is not needed any more. */
  readonly ended: Effect.Effect<void, StoreError>
}

export type SubscriptionEvents = ReturnType<typeof make>

export const make = <Tx>({
  changes,
  database,
  onChangeAttention,
  onPaymentAttention,
  onSubscription,
  payments,
  subscriptions
}: SubscriptionEventsOptions<Tx>) => {
  /**
   * Moves a row and tells the shop, both or neither. Gives whether it has moved; a handler that fails is called again, and
   * is an operator's matter when it fails again and again.
   */
  const tell = <Row>(
    { ended, move, name, needsOperator, postpone, tries }: Telling<Row>,
    event: Omit<SubscriptionEvent<Tx>, "tx">
  ): Effect.Effect<boolean, StoreError> => {
    if (onSubscription === undefined) return Effect.map(move(), Option.isSome)
    return tellInTransaction(database, {
      name: "onSubscription",
      move,
      tell: (tx) => onSubscription({ ...event, tx })
    }).pipe(
      Effect.map(Option.isSome),
      Effect.catch((failure) =>
        failure._tag === "LedgerError"
          ? Effect.fail(failure)
          : Effect.logError(`onSubscription of the ledger failed for ${name}`, failure.cause).pipe(
              Effect.andThen(postpone({ tries: tries + 1, next_at: failurePause(tries) })),
              Effect.andThen(tries >= failuresUnreported ? needsOperator : Effect.void),
              Effect.as(false)
            )
      ),
      Effect.tap((isTold) => (isTold && tries > failuresUnreported ? ended : Effect.void))
    )
  }

  /** The last attempt of a period, which operators see. */
  const lastAttempt = (row: PeriodRow): Effect.Effect<ChangeRow | undefined, StoreError> => {
    const key = keyOf(row)
    return key === undefined ? Effect.undefined : Effect.map(changes.find(key), Option.getOrUndefined)
  }

  const periodUntold = Effect.fnUntraced(function* (row: PeriodRow): Effect.fn.Return<void, StoreError> {
    const attempt = yield* lastAttempt(row)
    if (attempt === undefined || attempt.attention !== null) return
    const moved = yield* changes.move(attempt, { attention: "HandlerFailed", problem: handlerFails })
    if (Option.isSome(moved)) yield* onChangeAttention(moved.value, "HandlerFailed")
  })

  const periodToldAtLast = Effect.fnUntraced(function* (row: PeriodRow): Effect.fn.Return<void, StoreError> {
    const attempt = yield* lastAttempt(row)
    if (attempt?.attention === "HandlerFailed") yield* changes.move(attempt, { attention: null, problem: null })
  })

  const periodTold = (
    row: PeriodRow,
    subscription: SubscriptionRow,
    patch: PeriodPatch,
    type: SubscriptionEvent<Tx>["type"]
  ): Effect.Effect<boolean, StoreError> =>
    type === "cancelled"
      ? Effect.map(subscriptions.movePeriod(row, patch), Option.isSome)
      : tell(
          {
            name: `${row.subscription} ${row.period}`,
            tries: row.tries,
            move: (query) => subscriptions.movePeriod(row, patch, query),
            postpone: (postponed) => subscriptions.movePeriod(row, postponed),
            needsOperator: periodUntold(row),
            ended: periodToldAtLast(row)
          },
          {
            eventId: `${row.subscription}:${row.period}:${type}:${patch.attempts ?? row.attempts}`,
            type,
            subscription: subscriptionOf(subscription),
            period: periodOf(periodAfter(row, patch))
          }
        ).pipe(
          Effect.timed,
          // What was decided meanwhile could not wake a row that was locked for so long.
          Effect.tap(([time]) =>
            Duration.toMillis(time) < slowHandler
              ? Effect.void
              : Effect.ignore(subscriptions.wakePeriod(row.subscription, row.period))
          ),
          Effect.map(([, isTold]) => isTold)
        )

  const firstPayment = (paymentId: string | null): Effect.Effect<PaymentRow | undefined, StoreError> =>
    paymentId === null ? Effect.undefined : Effect.map(payments.byPaymentId(paymentId), Option.getOrUndefined)

  /** Has an operator see to a first payment, once. */
  const firstNeeds = Effect.fnUntraced(function* (
    paymentId: string | null,
    kind: "HandlerFailed" | "Unfulfillable",
    problem: string
  ): Effect.fn.Return<void, StoreError> {
    const first = yield* firstPayment(paymentId)
    if (first === undefined || first.attention !== null || isResolved(first, kind)) return
    const moved = yield* payments.move(first, { attention: kind, problem })
    if (Option.isSome(moved)) yield* onPaymentAttention(moved.value, kind)
  })

  const toldAtLast = Effect.fnUntraced(function* ({ payment_id }: SubscriptionRow): Effect.fn.Return<void, StoreError> {
    const first = yield* firstPayment(payment_id)
    if (first?.attention === "HandlerFailed") yield* payments.move(first, { attention: null, problem: null })
  })

  const told = (
    row: SubscriptionRow,
    patch: SubscriptionPatch,
    type: SubscriptionEvent<Tx>["type"],
    wake: (query?: Query) => Effect.Effect<void, StoreError> = () => Effect.void
  ) => {
    const after = subscriptionAfter(row, patch)
    const card = type === "cardExpires" ? `:${after.card_expires}` : ""
    return tell(
      {
        name: row.name,
        tries: row.tries,
        // First, where there is no transaction: a row that was woken for nothing goes on waiting.
        move: (query) => Effect.andThen(wake(query), subscriptions.move(row, patch, query)),
        postpone: (postponed) => subscriptions.move(row, postponed),
        needsOperator: firstNeeds(after.payment_id, "HandlerFailed", handlerFails),
        ended: toldAtLast(after)
      },
      { eventId: `${row.name}:${type}:${after.payment_id ?? ""}${card}`, type, subscription: subscriptionOf(after) }
    )
  }

  return {
    firstNeeds,
    /** Moves a subscription, and tells the shop. What it concerns is woken with the move. */
    told,
    periodTold
  }
}
