/**
 * The handler of the gateway's notifications for callers who do not use Effect.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import type * as Scope from "effect/Scope"
import { aFunction } from "../client/config/GatewayOptions.js"
import { withoutPrototype } from "../basics/OwnMember.js"
import { describeFields, invalidFields } from "../basics/InvalidFields.js"
import type { GatewayError } from "../client/error/GatewayError.js"
import { type ExpectedPayment, isNotificationFailure, NotificationError } from "../client/notification/Notification.js"
import { logFailure, responseHeaders } from "../client/notification/Deliveries.js"
import * as NotificationDelivery from "../client/notification/NotificationDelivery.js"
import { findOrder, type PaymentReader } from "../client/notification/Verification.js"
import type { NotificationHandlerOptions, NotificationRequestHandler } from "./GatewayClient.js"

/** Makes what answers notifications until the scope is closed. */
export const createNotificationHandler = <Order extends ExpectedPayment>(
  reader: PaymentReader<GatewayError>,
  options: NotificationHandlerOptions<Order>,
  scope: Scope.Scope
): NotificationRequestHandler => {
  checkHandlerOptions(options)
  const { expected, handler, limits, onError } = options
  const deliver = NotificationDelivery.make(
    reader,
    {
      find: findOrder<Order, never>(expected),
      handler: (verified) => Effect.promise(async () => handler(verified)),
      onError: (failure, notification) => {
        const error = isNotificationFailure(failure) ? new NotificationError(failure) : failure
        return onError === undefined ? logFailure(error) : Effect.promise(async () => onError(error, notification))
      },
      limits
    },
    scope
  )
  return async (request) => {
    const status = await Effect.runPromise(deliver(request))
    return new Response(null, { status, headers: responseHeaders(status) })
  }
}

/** @throws TypeError that names every option that is missing, wrong or unknown */
export const checkHandlerOptions = (options: object): void => {
  const checked = check(withoutPrototype(options ?? {}))
  if (Result.isFailure(checked)) {
    throw new TypeError(`createNotificationHandler: ${describeFields(invalidFields(checked.failure))}`)
  }
}

const check = SchemaParser.decodeUnknownResult(
  Schema.Struct({
    expected: aFunction,
    handler: aFunction,
    onError: Schema.optional(aFunction),
    limits: Schema.optional(Schema.declare(Predicate.isObject, { message: "must be an object" }))
  }),
  { errors: "all", onExcessProperty: "error" }
)
