/**
 * The handler of the gateway's notifications, as a route of Effect's `HttpRouter`.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import type { Gateway } from "../call/Gateway.js"
import type { ExpectedPayment } from "./Notification.js"
import { makeNotificationHandler, type NotificationOptions } from "./NotificationHandler.js"
import { responseHeaders } from "./NotificationDelivery.js"

/**
 * Adds a route that answers the gateway's notifications; see {@link makeNotificationHandler}. Its path is that of the
 * `notification_url` which payments are created with.
 *
 * @category notifications
 */
export const notificationRoute = <Order extends ExpectedPayment, ExpectedR = never, HandlerR = never, OnErrorR = never>(
  path: `/${string}`,
  options: NotificationOptions<Order, ExpectedR, HandlerR, OnErrorR>
): Layer.Layer<never, never, HttpRouter.HttpRouter | Gateway | ExpectedR | HandlerR | OnErrorR> =>
  HttpRouter.use((router) =>
    Effect.flatMap(makeNotificationHandler(options), (handle) =>
      router.add("*", path, (request) =>
        Effect.map(handle(request), (status) => HttpServerResponse.empty({ status, headers: responseHeaders(status) }))
      )
    )
  )
