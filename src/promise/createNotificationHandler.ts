/**
 * The handler of the gateway's notifications for callers who do not use Effect.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { describeFields } from "../contract/InvalidFields.js"
import type { GatewayError } from "../client/error/GatewayError.js"
import { type ExpectedPayment, isNotificationFailure, NotificationError } from "../client/notification/Notification.js"
import * as NotificationDelivery from "../client/notification/NotificationDelivery.js"
import { findOrder, type PaymentReader } from "../client/notification/Verification.js"
import type { NotificationHandlerOptions, NotificationRequestHandler } from "./NotificationHandler.js"

/** Makes what answers notifications until the scope is closed. */
export const createNotificationHandler = <Order extends ExpectedPayment>(
  reader: PaymentReader<GatewayError>,
  options: NotificationHandlerOptions<Order>,
  scope: Scope.Scope
): NotificationRequestHandler => {
  check(options)
  const { expected, handler, limits, onError } = options
  const deliver = NotificationDelivery.make(
    reader,
    {
      find: findOrder<Order, never>(expected),
      handler: (verified) => Effect.promise(async () => handler(verified)),
      onError: (failure, notification) => {
        const error = isNotificationFailure(failure) ? new NotificationError(failure) : failure
        return onError === undefined
          ? NotificationDelivery.logFailure(error)
          : Effect.promise(async () => onError(error, notification))
      },
      limits
    },
    scope
  )
  return async (request) => {
    const status = await Effect.runPromise(deliver(request))
    return new Response(null, { status, headers: NotificationDelivery.responseHeaders(status) })
  }
}

const isFunction = (value: unknown): string | undefined =>
  Predicate.isFunction(value) ? undefined : "must be a function"

const optional =
  (check: (value: unknown) => string | undefined) =>
  (value: unknown): string | undefined =>
    value === undefined ? undefined : check(value)

const checks: { readonly [option in keyof NotificationHandlerOptions]-?: (value: unknown) => string | undefined } = {
  expected: isFunction,
  handler: isFunction,
  onError: optional(isFunction),
  limits: optional((value) => (Predicate.isObject(value) ? undefined : "must be an object"))
}

const check = (options: object): void => {
  const given = new Map<string, unknown>(Object.entries(options ?? {}))
  const errors = [
    ...Object.entries(checks).flatMap(([field, check]) => {
      const message = check(given.get(field))
      return message === undefined ? [] : [{ field, message }]
    }),
    ...[...given.keys()].flatMap((field) =>
      Object.hasOwn(checks, field) ? [] : [{ field, message: "is not known here; check its spelling" }]
    )
  ]
  if (errors.length > 0) throw new TypeError(`createNotificationHandler: ${describeFields(errors)}`)
}
