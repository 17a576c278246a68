/**
 * Delivers notifications to the shop's handler: each with a payment read after the notification arrived, one at a time
 * for each payment, and within the limits on reads.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import * as Deliveries from "./Deliveries.js"
import type { NotificationStatus } from "./Deliveries.js"
import {
  type ExpectationFailed,
  type ExpectedPayment,
  type PaymentNotification,
  type NotificationFailure,
  type NotificationLimits,
  type NotificationRequest,
  type VerifiedPayment
} from "./Notification.js"
import {
  type Compare,
  type FindOrder,
  parse,
  type PaymentReader,
  type Recognized,
  recognize,
  unknownPayment,
  verified
} from "./Verification.js"

/**
 * The failure of a notification that was not processed: by the notification itself, the shop, or a read that failed.
 */
type DeliveryFailure<E> = NotificationFailure | E

export interface Shop<Order extends ExpectedPayment, E> {
  readonly find: FindOrder<Order>
  /** Finds the order of a payment that is not known by its id, from the payment as read. */
  readonly recognise?: (
    payment: PaymentResponse
  ) => Effect.Effect<Order | undefined, NotificationFailure<ExpectationFailed>>
  /**
   * Finds the fields in which a payment differs from the expected one. Default: a field that the gateway leaves out
   * differs.
   */
  readonly compare?: Compare<Order>
  readonly handler: (verified: VerifiedPayment<Order>) => Effect.Effect<unknown, unknown>
  readonly onError: (
    error: DeliveryFailure<E>,
    notification: PaymentNotification | undefined
  ) => Effect.Effect<unknown, unknown>
  readonly limits: NotificationLimits | undefined
}

/**
 * Makes the function that answers notifications. The scope's end interrupts the rounds in progress; their callers get
 * 503.
 *
 * @throws TypeError when a limit is not a whole number
 */
export const make = <Order extends ExpectedPayment, E extends GatewayFailure>(
  gateway: PaymentReader<E>,
  shop: Shop<Order, E>,
  scope: Scope.Scope
): ((request: NotificationRequest) => Effect.Effect<NotificationStatus>) => {
  const read = (id: number, { order }: Recognized<Order>): Effect.Effect<PaymentResponse, DeliveryFailure<E>> =>
    Effect.mapError(gateway.getPayment(id), (error) =>
      // An unknown id is not a failure of the gateway: anyone can send one.
      order === undefined && error.reason._tag === "PaymentNotFound" ? unknownPayment(id) : error
    )

  const { deliver, report } = Deliveries.make<PaymentNotification, Recognized<Order>, DeliveryFailure<E>>(
    {
      recognize: (notification) => recognize(notification, shop.find),
      readAndHandled: ({ id }, recognized, confirm) =>
        Effect.gen(function* () {
          const payment = yield* read(id, recognized)
          const order = recognized.order ?? (shop.recognise && (yield* shop.recognise(payment)))
          const found = yield* verified(payment, { ...recognized, order }, gateway.goid, shop.find, shop.compare)
          if (found.orderOf === "parent") confirm(id)
          yield* Deliveries.handled(id, () => shop.handler(found))
        }),
      tooManyReads: ({ id }, limit) => Deliveries.tooManyReads(id, limit),
      paymentBusy: ({ id }) => Deliveries.paymentBusy(id),
      onError: shop.onError,
      limits: shop.limits
    },
    scope
  )

  return (request) =>
    Effect.suspend(() => {
      const method = Deliveries.methodOf(request)
      if (method !== undefined && method !== "GET") return Effect.succeed(405)
      return Effect.matchEffect(parse(method === undefined ? {} : request), {
        onFailure: (error) => Effect.as(report(error, undefined), 400 as const),
        onSuccess: deliver
      })
    })
}
