/**
 * The handler of the gateway's notifications by API v4, as a program.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { PaymentIdV4 } from "../../contract/MessagesV4.js"
import { logFailure, type NotificationStatus, responseHeaders } from "../notification/Deliveries.js"
import { GatewayV4 } from "./GatewayV4.js"
import {
  type ExpectedPaymentV4,
  NotificationErrorV4,
  type NotificationLimitsV4,
  type NotificationRequestV4,
  type VerifiedPaymentV4
} from "./NotificationV4.js"
import {
  deliveriesV4,
  findOrderV4,
  isNotificationFailureV4,
  notificationMethods,
  type PaymentExpectationV4
} from "./VerificationV4.js"
import type { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"

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
 * Makes a handler that answers the gateway's notifications, as `createNotificationHandler` of the promise client does: by GET or POST,
 * and nothing of them is believed but the id. It works until its scope ends. Dies with a `TypeError` when a limit is not a whole number.
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
    const gateway = yield* GatewayV4
    const provided = yield* Effect.context<ExpectedR | HandlerR | OnErrorR>()
    const scope = yield* Effect.scope
    const { expected, handler, limits, onError = logFailure } = options
    const find = findOrderV4(expected)
    const withContext = <A, E>(effect: Effect.Effect<A, E, ExpectedR | HandlerR | OnErrorR>): Effect.Effect<A, E> =>
      Effect.updateContext(effect, (caller: Context.Context<never>) => Context.merge(provided, caller))
    return deliveriesV4<Order, GatewayErrorV4>(
      gateway,
      {
        find: (paymentId) => withContext(find(paymentId)),
        handler: (verified) => withContext(handler(verified)),
        onError: (failure, paymentId) =>
          withContext(
            onError(isNotificationFailureV4(failure) ? new NotificationErrorV4(failure) : failure, paymentId)
          ),
        limits
      },
      scope
    )
  })

/**
 * Adds a route that answers the gateway's notifications; see {@link makeNotificationHandler}. Its path is that of the
 * `notification_url` which payments are created with.
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
  HttpRouter.use((router) =>
    Effect.flatMap(makeNotificationHandler(options), (handle) =>
      router.add("*", path, ({ method, text, url }) =>
        Effect.map(handle({ method, url, text: () => Effect.runPromise(text) }), (status) =>
          HttpServerResponse.empty({ status, headers: responseHeaders(status, notificationMethods) })
        )
      )
    )
  )
