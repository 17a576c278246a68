/**
 * The orders of a ledger, as their callers see them.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { GatewayId } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type {
  HandlerFailed,
  PaymentNotification,
  NotificationLimits,
  NotificationSource
} from "../../client/notification/Notification.js"
import { logFailure } from "../../client/notification/NotificationDelivery.js"
import { NotificationError, toNotificationError } from "../../client/notification/NotificationError.js"
import type { NotificationHandler } from "../../client/notification/NotificationHandler.js"
import type { Database, StoreError } from "../store/Database.js"
import type { RefundTable } from "../store/RefundTable.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { InvalidArgument, LedgerError, LedgerUnavailable } from "../model/LedgerError.js"
import type { ChargeMovement, Order, CheckoutOptions, CheckoutRequest, PaymentEvent } from "../model/Order.js"
import * as OrderNotifications from "./OrderNotifications.js"
import * as Orders from "./Orders.js"
import { nameOf } from "./PaymentItems.js"
import * as PaymentMoves from "./PaymentMoves.js"
import type { Hold, PaymentRow } from "./PaymentRow.js"
import type { PaymentTable } from "./PaymentTable.js"

/** What the orders of a ledger need. */
export interface OrderServiceOptions<in out Tx> {
  readonly acknowledged: RefundTable
  /** The amounts that the ledger's own partial captures of a payment were sent with. */
  readonly capturedAmounts: PaymentMoves.MoveOptions<Tx>["capturedAmounts"]
  /** Those of a payment's listed refunds that the ledger has not made, and cannot have made. */
  readonly foreignRefunds: Orders.OrdersOptions["foreignRefunds"]
  readonly refundedAtLeast: Orders.OrdersOptions["refundedAtLeast"]
  readonly database: Database<Tx>
  readonly gateway: LedgerGateway
  readonly compareFor: Duration.Duration
  readonly lease: Duration.Duration
  readonly scope: Scope.Scope
  readonly table: PaymentTable
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  readonly run: Orders.OrdersOptions["run"]
  /** Whether the payment of a charge is one of the ledger's changes. */
  readonly recogniseCharge: Orders.OrdersOptions["recogniseCharge"]
  /** The order numbers of the charges whose responses were lost. */
  readonly lostCharges: Orders.OrdersOptions["lostCharges"]
  readonly onPayment: ((event: PaymentEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
  /** Notifies an operator, and records that. */
  readonly onAttention: (row: PaymentRow, kind: NonNullable<PaymentRow["attention"]>) => Effect.Effect<void>
  /** Called when money has come for the payment of an order. */
  /** Called before it is recorded that the payment of a charge is paid; again if that fails. */
  readonly onChargePaid: PaymentMoves.MoveOptions<Tx>["onChargePaid"]
  /** Records the end of a hold, by a key of the ledger's own. */
  readonly endHold: (key: string, paymentId: string, end: Hold["end"]) => Effect.Effect<void, StoreError>
}

/** Options of a notification handler. */
interface HandlerOptions {
  readonly onError?:
    | ((
        error: NotificationError | GatewayError,
        notification: PaymentNotification | undefined
      ) => Effect.Effect<unknown, unknown>)
    | undefined
  readonly limits?: NotificationLimits | undefined
}

type CallError = LedgerError<InvalidArgument | LedgerUnavailable>

export const make = <Tx>(options: OrderServiceOptions<Tx>) => {
  const { endHold, ready } = options
  const moves = PaymentMoves.make({
    ...options,
    endHold: (row, end) => endHold(`${nameOf(row)}:${end}`, row.payment_id ?? "", end)
  })
  const orders = Orders.make({ ...options, moves })
  const notifications = OrderNotifications.make({ ...options, moves, orders })

  return {
    /** Reads a payment that is due. Gives whether it was this process that did. */
    look: moves.look,

    adopting: {
      adoptPayment: (
        orderNumber: string,
        paymentId: GatewayId,
        orderOptions?: Pick<CheckoutOptions, "hold">
      ): Effect.Effect<Order, NotificationError<HandlerFailed> | GatewayError | CallError> =>
        Effect.mapError(Effect.andThen(ready, orders.adopt(orderNumber, paymentId, orderOptions)), toCallError),

      adoptCharges: (
        movements: Iterable<ChargeMovement>
      ): Effect.Effect<ReadonlyArray<Order>, NotificationError<HandlerFailed> | GatewayError | CallError> =>
        Effect.mapError(Effect.andThen(ready, orders.adoptCharges(movements)), toCallError)
    },

    calls: {
      checkout: (
        orderNumber: string,
        request: CheckoutRequest,
        orderOptions?: CheckoutOptions
      ): Effect.Effect<Order, CallError | GatewayError> =>
        Effect.andThen(ready, orders.order(orderNumber, request, orderOptions)),

      getOrder: (orderNumber: string): Effect.Effect<Order | undefined, CallError> =>
        Effect.andThen(ready, orders.orderStatus(orderNumber)),

      withdrawOrder: (orderNumber: string): Effect.Effect<Order | undefined, CallError> =>
        Effect.andThen(ready, orders.withdraw(orderNumber)),

      verifyReturn: (source: NotificationSource): Effect.Effect<Order, NotificationError | GatewayError | CallError> =>
        Effect.mapError(Effect.andThen(ready, notifications.verifyReturn(source)), toCallError),

      notificationHandler: ({ limits, onError = logFailure }: HandlerOptions = {}): NotificationHandler =>
        notifications.handler({
          limits,
          onError: (failure, notification) => onError(toNotificationError(failure), notification)
        })
    }
  }
}

/** What failed in the shop's handler, as an error. */
const toCallError = <E extends LedgerError | GatewayError | NotificationError>(
  failure: E | PaymentMoves.PaymentHandlerFailure
): E | NotificationError<HandlerFailed> => {
  if (failure._tag !== "HandlerFailure") return failure
  const { cause, paymentId } = failure
  const message = `onPayment failed for payment ${paymentId}. It is called again.`
  return new NotificationError({ reason: { _tag: "HandlerFailed", paymentId, message }, cause })
}
