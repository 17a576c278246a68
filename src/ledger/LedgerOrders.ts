/**
 * The orders of a ledger: what is asked of them, their attention, and the sweep.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { GatewayError } from "../client/error/GatewayError.js"
import type { GatewayFailure } from "../client/error/GatewayError.plain.js"
import type { HandlerFailed, NotificationFailure } from "../client/notification/Notification.plain.js"
import { logFailure } from "../client/notification/NotificationDelivery.js"
import { NotificationError } from "../client/notification/NotificationError.js"
import type { AttentionItem, Resolution } from "./change/Attention.plain.js"
import type { LedgerGateway } from "./change/LedgerGateway.js"
import * as Places from "./Places.js"
import type { LedgerSettings } from "./LedgerSettings.js"
import type { LedgerOptions, LedgerService } from "./LedgerService.js"
import * as OrderNotifications from "./order/OrderNotifications.js"
import type { Order } from "./order/Order.plain.js"
import * as Orders from "./order/Orders.js"
import { orderOf } from "./order/OrderView.js"
import * as PaymentMoves from "./order/PaymentMoves.js"
import { LedgerError, type LedgerUnavailable, type NotResolved } from "./table/LedgerError.plain.js"
import type { Hold, PaymentRow } from "./table/PaymentRow.js"
import * as PaymentTable from "./table/PaymentTable.js"
import type { Database, StoreError } from "./table/Database.js"
import type { RefundTable } from "./table/RefundTable.js"
import { type Rows, type UnreadableRow, unreadableMessage } from "./table/Rows.js"
import type { UnnotifiedItem } from "./AttentionReports.js"
import { countEach } from "./table/Statements.js"

/** What the orders of a ledger need. */
export interface LedgerOrdersOptions<in out Tx>
  extends Pick<LedgerOptions<Tx>, "onPayment">, Pick<LedgerSettings, "installation" | "lease" | "readsPerSecond"> {
  readonly database: Database<Tx>
  readonly gateway: LedgerGateway
  readonly gatewayScope: string
  readonly acknowledged: RefundTable
  readonly scope: Scope.Scope
  readonly isClosing: () => boolean
  /** Sees that the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  readonly detached: Orders.OrdersOptions["detached"]
  /** Notifies an operator, and records that. */
  readonly tell: (item: AttentionItem, markNotified: Effect.Effect<void, StoreError>) => Effect.Effect<void>
  /** Puts the end of a hold down, by a key of the ledger's own. */
  readonly endHold: (key: string, paymentId: string, end: Hold["end"]) => Effect.Effect<void, StoreError>
}

/** What a sweep has begun, 1 for each payment that it has checked, and whether more wait for the limit to let them. */
export interface Swept {
  readonly begun: ReadonlyArray<Fiber.Fiber<number>>
  readonly isLimited: boolean
}

/** How many payments are looked at at once. */
const concurrency = 4

/** In milliseconds: how long a sweep stops for when the gateway does not say how long. */
const pauseAfterTooMany = 10_000

export const make = <Tx>(options: LedgerOrdersOptions<Tx>) => {
  const { database, detached, endHold, gateway, installation, isClosing, lease, ready, scope } = options
  const { readsPerSecond, tell } = options
  const table = PaymentTable.make(database, options.gatewayScope, installation)
  const onAttention = (row: PaymentRow, kind: NonNullable<PaymentRow["attention"]>) =>
    tell(itemOf(row, kind), table.markNotified(row.seq, kind))
  const moves = PaymentMoves.make({
    gateway,
    database,
    table,
    lease,
    onPayment: options.onPayment,
    onAttention,
    endHold: (row, end) => endHold(`${nameOf(row)}:${end}`, row.payment_id ?? "", end)
  })
  const orders = Orders.make({ acknowledged: options.acknowledged, gateway, table, moves, lease, detached })
  const notifications = OrderNotifications.make({ gateway, table, moves, orders, onAttention, scope })

  // -------------------------------------------------------------------------------------------------------------------
  // The sweep
  // -------------------------------------------------------------------------------------------------------------------

  /** How many reads are left, and until when none is made since there were too many. */
  const budget = { reads: readsPerSecond, at: 0, stoppedUntil: 0 }

  const look = (row: PaymentRow): Effect.Effect<number> =>
    detached(nameOf(row), Effect.tapError(moves.look(row), stoppedBy)).pipe(
      Effect.map((isMine) => (isMine ? 1 : 0)),
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("A payment could not be looked at", cause), 0))
    )

  const places = Places.make(concurrency, scope)

  /** Begins to check the payments that are due, within the limit on reads. */
  const sweep = (until: number): Effect.Effect<Swept, StoreError> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (isClosing() || now >= until || now < budget.stoppedUntil) return { begun: [], isLimited: false }
      budget.reads = Math.min(readsPerSecond, budget.reads + (Math.max(0, now - budget.at) / 1_000) * readsPerSecond)
      budget.at = now
      const most = Math.floor(budget.reads)
      if (most < 1) return { begun: [], isLimited: true }
      const due = yield* table.due(most)
      budget.reads -= due.length
      const begun: Array<Fiber.Fiber<number>> = []
      for (const row of due) {
        const mayLook = Effect.sync(() => !isClosing() && now >= budget.stoppedUntil)
        begun.push(yield* places.begin(Effect.flatMap(mayLook, (may) => (may ? look(row) : Effect.succeed(0)))))
      }
      return { begun, isLimited: due.length === most && now >= budget.stoppedUntil }
    })

  /** Stops the sweep of this process when the gateway says that there are too many requests. */
  const stoppedBy = (failure: PaymentMoves.MoveFailure): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (!("operation" in failure) || failure.reason._tag !== "RateLimited") return
      budget.stoppedUntil = now + (failure.reason.retryAfter ?? pauseAfterTooMany)
    })

  // -------------------------------------------------------------------------------------------------------------------
  // Attention
  // -------------------------------------------------------------------------------------------------------------------

  const resolve = (
    key: string,
    { as, by, note, version }: Resolution
  ): Effect.Effect<Order, LedgerError<LedgerUnavailable | NotResolved>> =>
    Effect.gen(function* () {
      const refuse = (message: string) =>
        Effect.fail(new LedgerError({ reason: { _tag: "NotResolved", key, message } }))
      const found = yield* table.bySeq(Number(/\d+$/.exec(key)?.[0]))
      if (Option.isNone(found) || nameOf(found.value) !== key) return yield* refuse("There is no such payment.")
      const row = found.value
      const { attention: kind, decisions } = row
      if (kind === null) return yield* refuse("There is nothing to decide about this payment.")
      if (row.version !== version) {
        return yield* refuse(`The payment has moved since: it is at version ${row.version}. Look at it again.`)
      }
      if (row.status === "inDoubt" && as === "done") {
        return yield* refuse("Adopt it by its id in GoPay's administration: adopt(orderNumber, paymentId).")
      }
      const moved = yield* table.move(row, {
        attention: null,
        problem: null,
        decisions: [...(decisions ?? []), { kind, as, by, note }],
        ...(row.status === "inDoubt" ? { status: "lost" as const, offered: null } : undefined)
      })
      return Option.isSome(moved)
        ? orderOf(moved.value)
        : yield* refuse("The payment has moved since. Look at it again.")
    })

  /** Forgets what is over: see `forget`. */
  const forget = (age: number): Effect.Effect<number, StoreError> =>
    Effect.gen(function* () {
      const removed = yield* countEach(
        (afterSeq) => table.removeUnpaid(age, afterSeq),
        () => Effect.succeed(true)
      )
      const erased = yield* countEach(
        (afterSeq) => table.forgettable(age, afterSeq),
        (row) => {
          const said = row.decisions ?? []
          if (row.problem === null && said.every(({ by }) => by === "")) return Effect.succeed(false)
          const decisions = said.map((decision) => ({ ...decision, by: "", note: "" }))
          return Effect.map(
            table.move(row, { problem: null, ...(said.length === 0 ? undefined : { decisions }) }),
            Option.isSome
          )
        }
      )
      return removed + erased
    })

  const service: Pick<LedgerService<Tx>, "order" | "orderStatus" | "adopt" | "verifyReturn" | "notificationHandler"> = {
    order: (...args) => Effect.mapError(Effect.andThen(ready, orders.order(...args)), toOrderError),
    orderStatus: (orderNumber) => Effect.andThen(ready, orders.orderStatus(orderNumber)),
    adopt: (...args) => Effect.mapError(Effect.andThen(ready, orders.adopt(...args)), toMoveError),
    verifyReturn: (source) => Effect.mapError(Effect.andThen(ready, notifications.verifyReturn(source)), toReturnError),
    notificationHandler: ({ limits, onError = logFailure } = {}) =>
      notifications.handler({
        limits,
        onError: (failure, notification) =>
          onError("operation" in failure ? new GatewayError(failure) : new NotificationError(failure), notification)
      })
  }
  return {
    ...service,
    forget,
    resolve,
    sweep,
    attention: Effect.map(table.attention, itemsOf),
    unnotified: Effect.map(table.unnotified, (found) =>
      itemsOf(found).map(({ item, seq }): UnnotifiedItem => ({
        item,
        markNotified: table.markNotified(seq, item.kind)
      }))
    )
  }
}

const toOrderError = <E extends LedgerError>(failure: E | GatewayFailure): E | GatewayError =>
  "operation" in failure ? new GatewayError(failure) : failure

const toMoveError = <E extends LedgerError>(
  failure: E | GatewayFailure | PaymentMoves.HandlerFailure
): E | GatewayError | NotificationError<HandlerFailed> => {
  if ("reason" in failure) return toOrderError(failure)
  const { cause, paymentId } = failure
  const message = `onPayment failed for payment ${paymentId}. It is told again.`
  return new NotificationError({ reason: { _tag: "HandlerFailed", paymentId, message }, cause })
}

const toReturnError = <E extends LedgerError>(
  failure: E | GatewayFailure | PaymentMoves.HandlerFailure | NotificationFailure
): E | GatewayError | NotificationError =>
  !("reason" in failure) || "operation" in failure || "_tag" in failure
    ? toMoveError(failure)
    : new NotificationError(failure)

/** The name of an order's payment, for people. No key of the shop's begins like it. */
const nameOf = ({ order_number, seq }: PaymentRow): string => `${orderPrefix}${order_number}:${seq}`

/** The beginning of the keys that are the ledger's own. */
export const orderPrefix = "order:"

/** The items of rows, with the rows' numbers. */
const itemsOf = ({ rows, unreadable }: Rows<PaymentRow>) => [
  ...rows.flatMap((row) => (row.attention === null ? [] : [{ item: itemOf(row, row.attention), seq: row.seq }])),
  ...unreadable.map((row) => ({ item: unreadableItemOf(row), seq: row.seq }))
]

const unreadableItemOf = (row: UnreadableRow): AttentionItem => ({
  kind: "UnreadableRow",
  key: `${orderPrefix}${String(row.raw["order_number"])}:${row.seq}`,
  orderNumber: String(row.raw["order_number"]),
  operation: "createPayment",
  message: unreadableMessage(row),
  version: Number(row.raw["version"]),
  since: new Date(Number(row.raw["created_at"]) || 0).toISOString()
})

const itemOf = (row: PaymentRow, kind: NonNullable<PaymentRow["attention"]>): AttentionItem => ({
  kind,
  key: nameOf(row),
  orderNumber: row.order_number,
  ...(row.payment_id === null ? undefined : { paymentId: Number(row.payment_id) }),
  operation: "createPayment",
  amount: row.terms.amount,
  message: row.problem ?? kind,
  version: row.version,
  since: new Date(row.created_at).toISOString()
})
