/**
 * The handler of the gateway's notifications by API v4 for callers who do not use Effect.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { logFailure, responseHeaders } from "../../client/notification/Deliveries.js"
import type { GatewayErrorV4 } from "../../client/v4/GatewayErrorV4.js"
import { type ExpectedPaymentV4, NotificationErrorV4 } from "../../client/v4/NotificationV4.js"
import {
  deliveriesV4,
  findOrderV4,
  isNotificationFailureV4,
  notificationMethods,
  type PaymentReaderV4
} from "../../client/v4/VerificationV4.js"
import { checkHandlerOptions } from "../createNotificationHandler.js"
import type { NotificationHandlerOptionsV4, NotificationRequestHandlerV4 } from "./GatewayClientV4.js"

/** Makes what answers notifications until the scope is closed. */
export const createNotificationHandlerV4 = <Order extends ExpectedPaymentV4>(
  reader: PaymentReaderV4<GatewayErrorV4>,
  options: NotificationHandlerOptionsV4<Order>,
  scope: Scope.Scope
): NotificationRequestHandlerV4 => {
  checkHandlerOptions(options)
  const { expected, handler, limits, onError } = options
  const deliver = deliveriesV4<Order, GatewayErrorV4>(
    reader,
    {
      find: findOrderV4(expected),
      handler: (verified) => Effect.promise(async () => handler(verified)),
      onError: (failure, paymentId) => {
        const error = isNotificationFailureV4(failure) ? new NotificationErrorV4(failure) : failure
        return onError === undefined ? logFailure(error) : Effect.promise(async () => onError(error, paymentId))
      },
      limits
    },
    scope
  )
  return async (request) => {
    const status = await Effect.runPromise(deliver(request))
    return new Response(null, { status, headers: responseHeaders(status, notificationMethods) })
  }
}
