/**
 * The handler of the gateway's notifications, as a program.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { NotificationStatus } from "./Deliveries.js"
import { routeOf, shopOf } from "./HandlerProgram.js"
import * as NotificationDelivery from "./NotificationDelivery.js"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as Layer from "effect/Layer"
import type { GatewayError } from "../error/YieldableGatewayError.js"
import type { PaymentReadReason } from "../error/GatewayFailure.js"
import { Gateway } from "../call/Gateway.js"
import type {
  ExpectedPayment,
  PaymentNotification,
  NotificationErrorReason,
  NotificationLimits,
  NotificationRequest,
  VerifiedPayment
} from "./Notification.js"
import { type NotificationError, toNotificationError } from "./NotificationError.js"
import { type PaymentExpectation, findOrder } from "./Verification.js"

/** The error of a notification that was not processed: by the notification itself, the shop, or a read that failed. */
export type NotificationDeliveryError = NotificationError | GatewayError<PaymentReadReason>

/** The shop's part in handling notifications, and its limits: `NotificationHandlerOptions`, with programs. {@inheritDoc NotificationHandlerOptions} */
export interface NotificationOptions<
  Order extends ExpectedPayment = ExpectedPayment,
  ExpectedR = never,
  HandlerR = never,
  OnErrorR = never
> {
  readonly expected: PaymentExpectation<Order, unknown, ExpectedR>
  readonly handler: (verified: VerifiedPayment<Order>) => Effect.Effect<unknown, unknown, HandlerR>
  readonly onError?:
    | ((
        error: NotificationDeliveryError,
        notification: PaymentNotification | undefined
      ) => Effect.Effect<unknown, unknown, OnErrorR>)
    | undefined
  readonly limits?: NotificationLimits | undefined
}

/** Answers one notification. It never fails, and interrupting it does not interrupt the shop's handler. */
export type NotificationHandler = (request: NotificationRequest) => Effect.Effect<NotificationStatus>

/**
 * Makes a handler that answers the gateway's notifications: 200 only if the payment was read after the notification had
 * arrived, and the shop's handler has succeeded; 400 for an address that names no payment, 405 for any method but GET,
 * and 503 for everything else (an unknown payment, one that is not as expected, a limit, a failure), so that the
 * gateway repeats it. A limit first makes a notification wait; see `NotificationLimits`.
 *
 * For each payment there is at most one read and one call of the shop's handler at a time; notifications that arrive
 * meanwhile wait for half a minute at most, and are answered together by one more. It works until its scope ends. Dies
 * with a `TypeError` when a limit is not a whole number.
 */
export const makeNotificationHandler = <
  Order extends ExpectedPayment,
  ExpectedR = never,
  HandlerR = never,
  OnErrorR = never
>(
  options: NotificationOptions<Order, ExpectedR, HandlerR, OnErrorR>
): Effect.Effect<NotificationHandler, never, Gateway | ExpectedR | HandlerR | OnErrorR | Scope.Scope> =>
  Effect.gen(function* () {
    const shop = yield* shopOf(
      options,
      findOrder(options.expected),
      toNotificationError<NotificationErrorReason, GatewayError<PaymentReadReason>>
    )
    return NotificationDelivery.make(yield* Gateway, shop, yield* Effect.scope)
  })

/**
 * Adds a route that answers the gateway's notifications; see {@link makeNotificationHandler}. Its path is that of the
 * payments' `notification_url`.
 */
export const notificationRoute = <Order extends ExpectedPayment, ExpectedR = never, HandlerR = never, OnErrorR = never>(
  path: `/${string}`,
  options: NotificationOptions<Order, ExpectedR, HandlerR, OnErrorR>
): Layer.Layer<never, never, HttpRouter.HttpRouter | Gateway | ExpectedR | HandlerR | OnErrorR> =>
  routeOf(path, makeNotificationHandler(options))
