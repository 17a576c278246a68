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
import {
  type ExpectedPayment,
  isNotificationFailure,
  NotificationError,
  type NotificationFailure,
  type NotificationLimits
} from "../client/notification/Notification.js"
import type { Named } from "../client/notification/ReadLimits.js"
import { logFailure, type NotificationStatus, responseHeaders } from "../client/notification/Deliveries.js"
import * as NotificationDelivery from "../client/notification/NotificationDelivery.js"
import { findOrder, type PaymentReader } from "../client/notification/Verification.js"
import type { NotificationHandlerOptions, NotificationRequestHandler } from "./GatewayClient.js"

/** Makes the function that answers notifications until the scope is closed. */
export const createNotificationHandler = <Order extends ExpectedPayment>(
  reader: PaymentReader<GatewayError>,
  options: NotificationHandlerOptions<Order>,
  scope: Scope.Scope
): NotificationRequestHandler =>
  requestHandler(
    options,
    (failure: NotificationFailure | GatewayError) =>
      isNotificationFailure(failure) ? new NotificationError(failure) : failure,
    (shop) => NotificationDelivery.make(reader, { find: findOrder(options.expected), ...shop }, scope)
  )

/** The shop's functions of any API, except the one that finds the expected order. */
interface ShopFunctions<in Verified, in E, in Notification> {
  readonly handler: (verified: Verified) => unknown
  readonly onError?: ((error: E, notification: Notification | undefined) => unknown) | undefined
  readonly limits?: NotificationLimits | undefined
}

/** The same as programs. */
interface ShopPrograms<in Verified, in Failure, in Notification> {
  readonly handler: (verified: Verified) => Effect.Effect<unknown>
  readonly onError: (failure: Failure, notification: Notification | undefined) => Effect.Effect<unknown>
  readonly limits: NotificationLimits | undefined
}

/**
 * Makes a handler of requests from the function that delivers notifications to the shop, for these methods.
 *
 * @throws TypeError that names every option that is missing, wrong or unknown
 */
export const requestHandler = <
  Verified,
  E extends { readonly reason: { readonly _tag: string } },
  Failure,
  Notification extends Named | Named["id"],
  Request
>(
  options: ShopFunctions<Verified, E, Notification>,
  toError: (failure: Failure) => E,
  deliveries: (
    shop: ShopPrograms<Verified, Failure, Notification>
  ) => (request: Request) => Effect.Effect<NotificationStatus>,
  methods?: string
): ((request: Request) => Promise<Response>) => {
  checkHandlerOptions(options)
  const { handler, limits, onError } = options
  const deliver = deliveries({
    handler: (verified) => Effect.promise(async () => handler(verified)),
    onError: (failure, notification) => {
      const error = toError(failure)
      return onError === undefined
        ? logFailure(error, notification)
        : Effect.promise(async () => onError(error, notification))
    },
    limits
  })
  return async (request) => {
    const status = await Effect.runPromise(deliver(request))
    return new Response(null, { status, headers: responseHeaders(status, methods) })
  }
}

/** @throws TypeError that names every option that is missing, wrong or unknown */
const checkHandlerOptions = (options: object): void => {
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
