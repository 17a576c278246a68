/**
 * The handler of the gateway's notifications by API v4 for callers who do not use Effect.
 */
import type * as Scope from "effect/Scope"
import { findOrder } from "../../client/notification/Verification.js"
import type { GatewayErrorV4 } from "../../client/v4/GatewayErrorV4.js"
import {
  type ExpectedPaymentV4,
  NotificationErrorV4,
  type NotificationFailureV4
} from "../../client/v4/NotificationV4.js"
import {
  deliveriesV4,
  isNotificationFailureV4,
  notificationMethods,
  type PaymentReaderV4
} from "../../client/v4/VerificationV4.js"
import { requestHandler } from "../createNotificationHandler.js"
import type { NotificationHandlerOptionsV4, NotificationRequestHandlerV4 } from "./GatewayClientV4.js"

/** Makes the function that answers notifications until the scope is closed. */
export const createNotificationHandlerV4 = <Order extends ExpectedPaymentV4>(
  reader: PaymentReaderV4<GatewayErrorV4>,
  options: NotificationHandlerOptionsV4<Order>,
  scope: Scope.Scope
): NotificationRequestHandlerV4 =>
  requestHandler(
    options,
    (failure: NotificationFailureV4 | GatewayErrorV4) =>
      isNotificationFailureV4(failure) ? new NotificationErrorV4(failure) : failure,
    (shop) => deliveriesV4(reader, { find: findOrder(options.expected), ...shop }, scope),
    notificationMethods
  )
