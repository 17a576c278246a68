/**
 * The orders of a ledger, as their callers see them.
 */
import * as Effect from "effect/Effect"
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
import type { InFlight } from "../change/InFlight.js"
import type { StoreError } from "../store/Database.js"
import type { RefundTable } from "../store/RefundTable.js"
import type { InvalidArgument, LedgerError, LedgerUnavailable } from "../model/LedgerError.js"
import type { ChargeMovement } from "../model/Lists.js"
import type { Order, CheckoutOptions, CheckoutRequest } from "../model/Order.js"
import * as OrderNotifications from "./OrderNotifications.js"
import * as Orders from "./Orders.js"
import * as PaymentMoves from "./PaymentMoves.js"

/** What the orders of a ledger need. */
export interface OrderServiceOptions<in out Tx> extends PaymentMoves.MoveOptions<Tx> {
  readonly acknowledged: RefundTable
  readonly inFlight: InFlight
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
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
  const { ready } = options
  const moves = PaymentMoves.make(options)
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
