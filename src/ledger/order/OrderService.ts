/**
 * The orders of a ledger, as their callers see them.
 */
import * as Effect from "effect/Effect"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { HandlerFailed } from "../../client/notification/Notification.js"
import { logFailure } from "../../client/notification/NotificationDelivery.js"
import { NotificationError, toNotificationError } from "../../client/notification/NotificationError.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import type { LedgerError } from "../model/LedgerError.js"
import type { LedgerPrograms, LedgerService } from "../model/LedgerService.js"
import * as OrderNotifications from "./OrderNotifications.js"
import * as Orders from "./Orders.js"
import * as PaymentMoves from "./PaymentMoves.js"

export interface OrderServiceOptions<in out Tx>
  extends PaymentMoves.MoveOptions<Tx>, Pick<LedgerParts, "inFlight" | "ready"> {}

type OrderCalls = Pick<LedgerPrograms, "checkout" | "getOrder" | "verifyReturn" | "withdrawOrder"> &
  Pick<LedgerService, "notificationHandler">

export const make = <Tx>(options: OrderServiceOptions<Tx>) => {
  const { ready } = options
  const moves = PaymentMoves.make(options)
  const parts = { ...options, moves }
  const notifications = OrderNotifications.make(parts)
  const calls: OrderCalls = {
    checkout: (...args) => Effect.andThen(ready, Orders.order(parts, ...args)),
    getOrder: (orderNumber) => Effect.andThen(ready, Orders.orderStatus(parts, orderNumber)),
    withdrawOrder: (orderNumber) => Effect.andThen(ready, Orders.withdraw(parts, orderNumber)),
    verifyReturn: (source) => Effect.mapError(Effect.andThen(ready, notifications.verifyReturn(source)), toCallError),
    notificationHandler: ({ limits, onError = logFailure } = {}) =>
      notifications.handler({
        limits,
        onError: (failure, notification) => onError(toNotificationError(failure), notification)
      })
  }
  return { calls, moves }
}

/** What failed in the shop's handler, as an error. */
export const toCallError = <E extends LedgerError | GatewayError | NotificationError>(
  failure: E | PaymentMoves.PaymentHandlerFailure
): E | NotificationError<HandlerFailed> => {
  if (failure._tag !== "HandlerFailure") return failure
  const { cause, paymentId } = failure
  const message = `onPayment failed for payment ${paymentId}. It is called again.`
  return new NotificationError({ reason: { _tag: "HandlerFailed", paymentId, message }, cause })
}
