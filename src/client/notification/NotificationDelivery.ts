/**
 * Delivers notifications to the shop's handler: each with a payment read after the notification arrived, one at a time
 * for each payment, and within the limits on reads.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import type { PaymentResponse } from "../../contract/Messages.js"
import { RequestBound } from "../transport/Lease.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import {
  type ExpectationFailed,
  type ExpectedPayment,
  type PaymentNotification,
  type NotificationFailure,
  type NotificationLimits,
  type NotificationRequest,
  type PaymentBusy,
  type TooManyReads,
  type VerifiedPayment
} from "./Notification.js"
import * as ReadLimits from "./ReadLimits.js"
import * as Rounds from "../transport/Rounds.js"
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
 * The status that a notification is answered with: 200 when it was processed, 400 when it names no payment, 405 when it
 * is no GET, else 503, so that the gateway repeats it.
 */
export type NotificationStatus = 200 | 400 | 405 | 503

/**
 * The failure of a notification that was not processed: by the notification itself, the shop, or a read that failed.
 */
type DeliveryFailure<E> = NotificationFailure | E

interface RoundResult {
  /** Whether the shop now knows of the payment. */
  readonly isDelivered: boolean
  /** Whether the round came to that by the parent that its notification claims. */
  readonly isByClaim: boolean
  readonly claimedParent: number | undefined
}

/** A round that was interrupted, or of a scope that has ended. */
const stopped: RoundResult = { isDelivered: false, isByClaim: false, claimedParent: undefined }

/** In milliseconds: the longest wait for a turn. After that the gateway has to repeat the notification. */
const maxWait = 30_000

export interface Shop<Order extends ExpectedPayment, E> {
  readonly find: FindOrder<Order>
  /** Finds the order of a payment that is not known by its id, by what was read of it. */
  readonly recognise?: (
    payment: PaymentResponse
  ) => Effect.Effect<Order | undefined, NotificationFailure<ExpectationFailed>>
  /** Says in which fields a payment differs from what is expected. Default: a field that is not shown differs. */
  readonly compare?: Compare<Order>
  readonly handler: (verified: VerifiedPayment<Order>) => Effect.Effect<unknown, unknown>
  readonly onError: (
    error: DeliveryFailure<E>,
    notification: PaymentNotification | undefined
  ) => Effect.Effect<unknown, unknown>
  readonly limits: NotificationLimits | undefined
}

/**
 * Makes what answers notifications. Rounds under way are interrupted with the scope; whoever asked for them gets 503.
 *
 * @throws TypeError when a limit is not a whole number
 */
export const make = <Order extends ExpectedPayment, E extends GatewayFailure>(
  gateway: PaymentReader<E>,
  shop: Shop<Order, E>,
  scope: Scope.Scope
): ((request: NotificationRequest) => Effect.Effect<NotificationStatus>) => {
  const limits = ReadLimits.make(shop.limits)
  const takeTurn = Rounds.make<RoundResult>(maxWait, stopped)

  const report = (error: DeliveryFailure<E>, notification: PaymentNotification | undefined): Effect.Effect<void> =>
    Effect.suspend(() => shop.onError(error, notification)).pipe(
      Effect.catchCause((cause) => Effect.logError("onError failed while it was given a notification's error", cause)),
      Effect.asVoid
    )

  const handled = (verified: VerifiedPayment<Order>): Effect.Effect<unknown, NotificationFailure> =>
    Effect.catchCause(
      Effect.suspend(() => shop.handler(verified)),
      (cause) => Effect.fail(handlerFailed(verified.payment.id, Cause.squash(cause)))
    )

  const read = (id: number, { order }: Recognized<Order>): Effect.Effect<PaymentResponse, DeliveryFailure<E>> =>
    Effect.mapError(gateway.getPayment(id), (error) =>
      // An unknown id is not a failure of the gateway: anyone can send one.
      order === undefined && error.reason._tag === "PaymentNotFound" ? unknownPayment(id) : error
    )

  const readAndHandled = (
    { id }: PaymentNotification,
    recognized: Recognized<Order>
  ): Effect.Effect<void, DeliveryFailure<E>> =>
    Effect.gen(function* () {
      const payment = yield* read(id, recognized)
      const order = recognized.order ?? (shop.recognise && (yield* shop.recognise(payment)))
      const found = yield* verified(payment, { ...recognized, order }, gateway.goid, shop.find, shop.compare)
      if (found.orderOf === "parent") limits.confirm(id)
      yield* handled(found)
    })

  /**
   * One read and its delivery, for all notifications that arrived before it began. Gives `undefined` when a limit puts
   * the read off.
   */
  const round = (notification: PaymentNotification): Effect.Effect<RoundResult | undefined> => {
    const ended = (isDelivered: boolean, isByClaim: boolean): RoundResult => ({
      isDelivered,
      isByClaim,
      claimedParent: notification.parent_id
    })
    const failed = (isByClaim: boolean) => (error: DeliveryFailure<E>) =>
      Effect.as(report(error, notification), ended(false, isByClaim))
    return Effect.matchEffect(recognize(notification, shop.find), {
      onFailure: failed(true),
      onSuccess: (recognized) =>
        Effect.flatMap(limits.admit(notification, recognized), (admission) => {
          if (admission === "later") return Effect.undefined
          const isByClaim = recognized.order === undefined
          if (admission !== "now") return failed(isByClaim)(tooManyReads(notification.id, admission.limit))
          return Effect.matchEffect(readAndHandled(notification, recognized), {
            onFailure: failed(isByClaim),
            onSuccess: () => Effect.succeed(ended(true, isByClaim))
          })
        })
    })
  }

  /**
   * Waits for the payment's turn, or for another notification's round that begins from now on. Interrupting it does not
   * interrupt the round, which ends with the scope.
   */
  const deliver = (notification: PaymentNotification): Effect.Effect<NotificationStatus> =>
    Effect.withFiber((fiber) => {
      if (scope.state._tag === "Closed") return Effect.succeed(503)
      const turn = takeTurn(notification.id, {
        round: round(notification),
        putOffFor: (now) => limits.putOffFor(notification, now),
        // A false claim by a stranger fails the stranger's own round only.
        isShared: ({ claimedParent, isByClaim, isDelivered }) =>
          isDelivered || !isByClaim || claimedParent === notification.parent_id
      })
      // The scope would retain requests that were cut off for ever.
      const forked = fiber.getRef(RequestBound) ? Effect.forkDetach(turn) : Effect.forkIn(turn, scope)
      return Effect.flatMap(Effect.flatMap(forked, Fiber.await), (exit) => {
        const result = Exit.isSuccess(exit) ? exit.value : stopped
        if (result === undefined) return Effect.as(report(paymentBusy(notification.id), notification), 503)
        return Effect.succeed(result.isDelivered ? 200 : 503)
      })
    })

  return (request) =>
    Effect.suspend(() => {
      const method = methodOf(request)
      if (method !== undefined && method !== "GET") return Effect.succeed(405)
      return Effect.matchEffect(parse(method === undefined ? {} : request), {
        onFailure: (error) => Effect.as(report(error, undefined), 400 as const),
        onSuccess: deliver
      })
    })
}

/** The method of a framework's request; `undefined` if it is not a request at all or reading it throws. */
const methodOf = (request: NotificationRequest): unknown => {
  try {
    return Predicate.isObject(request) ? (request.method ?? null) : undefined
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------------------------------------------------

const tooManyReads = (paymentId: number, limit: keyof NotificationLimits): NotificationFailure<TooManyReads> => ({
  reason: {
    _tag: "TooManyReads",
    paymentId,
    limit,
    message: `Payment ${paymentId} was not read: the limit ${limit} is reached. The gateway repeats the notification.`
  }
})

const paymentBusy = (paymentId: number): NotificationFailure<PaymentBusy> => ({
  reason: {
    _tag: "PaymentBusy",
    paymentId,
    message: `Payment ${paymentId} was not read: an earlier notification of it is still being processed. The gateway repeats the notification.`
  }
})

const handlerFailed = (paymentId: number, cause: unknown): NotificationFailure => ({
  reason: {
    _tag: "HandlerFailed",
    paymentId,
    message: `The handler failed for payment ${paymentId}. The gateway repeats the notification.`
  },
  cause
})

/**
 * Logs what a handler's `onError` would get, and what the shop's own code failed with. What anyone on the internet can cause is
 * logged quietly.
 */
export const logFailure = (error: DeliveryFailure<GatewayFailure>): Effect.Effect<void> =>
  (isAnybodys(error) ? Effect.logDebug : Effect.logError)(
    "A notification was not processed",
    error,
    ...(error.reason._tag === "HandlerFailed" && "cause" in error ? [error.cause] : [])
  )

const isAnybodys = ({ reason: { _tag } }: DeliveryFailure<GatewayFailure>): boolean =>
  _tag === "InvalidNotification" || _tag === "UnknownPayment" || _tag === "TooManyReads"

/** The headers of a response. A stored response would swallow later notifications, since they look alike. */
export const responseHeaders = (status: NotificationStatus): { readonly [name: string]: string } => ({
  "cache-control": "no-store",
  ...(status === 405 ? { allow: "GET" } : undefined)
})
