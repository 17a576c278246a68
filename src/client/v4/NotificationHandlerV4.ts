/**
 * The handler of the gateway's notifications by API v4, as a program.
 */
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { findOrder } from "../notification/Verification.js"
import * as Stream from "effect/Stream"
import type { PaymentIdV4 } from "../../contract/MessagesV4.js"
import type { NotificationStatus } from "../notification/Deliveries.js"
import { routeOf, shopOf } from "../notification/HandlerProgram.js"
import { GatewayV4 } from "./GatewayV4.js"
import {
  type ExpectedPaymentV4,
  type NotificationFailureV4,
  type NotificationLimitsV4,
  type NotificationRequestV4,
  type VerifiedPaymentV4
} from "./NotificationV4.js"
import {
  deliveriesV4,
  isNotificationFailureV4,
  notificationMethods,
  type PaymentExpectationV4
} from "./VerificationV4.js"
import type { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"
import { NotificationErrorV4 } from "./YieldableNotificationErrorV4.js"

/** The shop's part in handling notifications, with programs. {@inheritDoc NotificationHandlerOptionsV4} */
export interface NotificationOptionsV4<
  Order extends ExpectedPaymentV4 = ExpectedPaymentV4,
  ExpectedR = never,
  HandlerR = never,
  OnErrorR = never
> {
  readonly expected: PaymentExpectationV4<Order, unknown, ExpectedR>
  readonly handler: (verified: VerifiedPaymentV4<Order>) => Effect.Effect<unknown, unknown, HandlerR>
  readonly onError?:
    | ((
        error: NotificationErrorV4 | GatewayErrorV4,
        paymentId: PaymentIdV4 | undefined
      ) => Effect.Effect<unknown, unknown, OnErrorR>)
    | undefined
  readonly limits?: NotificationLimitsV4 | undefined
}

/** Answers one notification. It never fails, and interrupting it does not interrupt the shop's handler. */
export type NotificationHandlerV4 = (request: NotificationRequestV4) => Effect.Effect<NotificationStatus>

/**
 * Makes a handler that answers the gateway's notifications, as `createNotificationHandler` of the promise client does:
 * by GET or POST, and nothing in them is trusted except the id. It works until its scope ends. Dies with a `TypeError`
 * when a limit is not a whole number.
 */
export const makeNotificationHandler = <
  Order extends ExpectedPaymentV4,
  ExpectedR = never,
  HandlerR = never,
  OnErrorR = never
>(
  options: NotificationOptionsV4<Order, ExpectedR, HandlerR, OnErrorR>
): Effect.Effect<NotificationHandlerV4, never, GatewayV4 | ExpectedR | HandlerR | OnErrorR | Scope.Scope> =>
  Effect.gen(function* () {
    const shop = yield* shopOf(
      options,
      findOrder(options.expected),
      (failure: NotificationFailureV4 | GatewayErrorV4) =>
        isNotificationFailureV4(failure) ? new NotificationErrorV4(failure) : failure
    )
    return deliveriesV4(yield* GatewayV4, shop, yield* Effect.scope)
  })

/**
 * Adds a route that answers the gateway's notifications; see {@link makeNotificationHandler}. Its path is that of the
 * payments' `notification_url`.
 */
export const notificationRoute = <
  Order extends ExpectedPaymentV4,
  ExpectedR = never,
  HandlerR = never,
  OnErrorR = never
>(
  path: `/${string}`,
  options: NotificationOptionsV4<Order, ExpectedR, HandlerR, OnErrorR>
): Layer.Layer<never, never, HttpRouter.HttpRouter | GatewayV4 | ExpectedR | HandlerR | OnErrorR> =>
  routeOf(
    path,
    Effect.map(
      makeNotificationHandler(options),
      (handle) => (request: HttpServerRequest.HttpServerRequest) =>
        handle({ method: request.method, url: request.url, body: Stream.toReadableStream(request.stream) })
    ),
    notificationMethods
  )
