/**
 * Bringing notifications to the shop's handler: each with a payment read after it arrived, one after the other for each
 * payment, and no more reads than allowed.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { GatewayError } from "../error/GatewayError.plain.js"
import {
  type ExpectedPayment,
  type Notification,
  NotificationError,
  type NotificationLimits,
  type NotificationRequest,
  type TooManyReads,
  type VerifiedPayment
} from "./Notification.plain.js"
import {
  type FindOrder,
  parse,
  type PaymentReader,
  type Recognized,
  recognize,
  unknownPayment,
  verified
} from "./Verification.js"

/**
 * What a notification is answered with: 200 when it was processed, 400 when it names no payment, 405 when it is no GET,
 * else 503, so that the gateway repeats it.
 */
export type NotificationStatus = 200 | 400 | 405 | 503

/** What can be told of a notification that was not processed. */
export type DeliveryError = NotificationError | GatewayError

/** The shop's part in it. */
export interface Shop<Order extends ExpectedPayment> {
  readonly find: FindOrder<Order>
  readonly handler: (verified: VerifiedPayment<Order>) => Effect.Effect<unknown, unknown>
  readonly onError: (error: DeliveryError, notification: Notification | undefined) => Effect.Effect<unknown, unknown>
  readonly limits: NotificationLimits | undefined
}

/** One read and its delivery, for all notifications that arrived before the read began. */
interface Round<Order> {
  readonly notification: Notification
  recognized: Recognized<Order>
  readonly status: Deferred.Deferred<NotificationStatus>
}

/** The rounds of one payment: at most one under way, and one that waits for its turn. */
interface Line<Order> {
  waiting: Round<Order> | undefined
}

/**
 * Makes what answers notifications. Rounds under way are interrupted with the scope; whoever asked for them gets 503.
 *
 * @throws TypeError when a limit is not a whole number
 */
export const make = <Order extends ExpectedPayment>(
  gateway: PaymentReader,
  shop: Shop<Order>,
  scope: Scope.Scope
): ((request: NotificationRequest) => Effect.Effect<NotificationStatus>) => {
  const mayRead = readLimits(shop.limits)
  /** Only payments with a round under way are in it. */
  const lines = new Map<number, Line<Order>>()

  const report = (error: DeliveryError, notification: Notification | undefined): Effect.Effect<void> =>
    Effect.suspend(() => shop.onError(error, notification)).pipe(
      Effect.catchCause((cause) => Effect.logError("onError failed, with which a notification was reported", cause)),
      Effect.asVoid
    )

  const handled = (verified: VerifiedPayment<Order>): Effect.Effect<unknown, NotificationError> =>
    Effect.catchCause(
      Effect.suspend(() => shop.handler(verified)),
      (cause) => Effect.fail(handlerFailed(verified.payment.id, Cause.squash(cause)))
    )

  const perform = ({ notification, recognized, status }: Round<Order>): Effect.Effect<void> =>
    gateway.read(notification.id).pipe(
      // An id that nobody knows is no failure of the gateway's: anybody can send one.
      Effect.mapError((error) =>
        recognized.order === undefined && error.reason._tag === "PaymentNotFound"
          ? unknownPayment(notification.id)
          : error
      ),
      Effect.flatMap((payment) => verified(payment, recognized, gateway.goid, shop.find)),
      Effect.flatMap(handled),
      Effect.as<NotificationStatus>(200),
      Effect.catch((error) => Effect.as(report(error, notification), 503 as const)),
      Effect.onExit((exit) => Deferred.done(status, Exit.isSuccess(exit) ? exit : Exit.succeed(503 as const))),
      Effect.asVoid
    )

  const work = (id: number, line: Line<Order>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const round = line.waiting
      line.waiting = undefined
      if (round === undefined) {
        lines.delete(id)
        return Effect.void
      }
      return Effect.andThen(perform(round), work(id, line))
    })

  /** Waits for a read that has not begun: the one that is to come, or a new one where a limit allows it. */
  const join = (
    notification: Notification,
    recognized: Recognized<Order>
  ): Effect.Effect<Deferred.Deferred<NotificationStatus>, NotificationError<TooManyReads>> =>
    Effect.uninterruptible(
      Effect.withFiber((fiber) => {
        const { id } = notification
        const line = lines.get(id)
        if (line?.waiting !== undefined) {
          line.waiting.recognized = better(line.waiting.recognized, recognized)
          return Effect.succeed(line.waiting.status)
        }
        const limit = mayRead(id, recognized, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
        if (limit !== undefined) return Effect.fail(tooManyReads(id, limit))
        const round: Round<Order> = { notification, recognized, status: Deferred.makeUnsafe() }
        if (line !== undefined) {
          line.waiting = round
          return Effect.succeed(round.status)
        }
        const begun: Line<Order> = { waiting: round }
        lines.set(id, begun)
        return Effect.map(Effect.forkIn(work(id, begun), scope), (worker) => {
          // Also when it is interrupted before it has begun: whoever waits is answered.
          worker.addObserver(() => {
            if (lines.get(id) === begun) lines.delete(id)
            if (begun.waiting !== undefined) Deferred.doneUnsafe(begun.waiting.status, Exit.succeed(503))
          })
          return round.status
        })
      })
    )

  const deliver = (notification: Notification): Effect.Effect<NotificationStatus> =>
    recognize(notification, shop.find).pipe(
      Effect.flatMap((recognized) => join(notification, recognized)),
      Effect.flatMap(Deferred.await),
      Effect.catch((error) => Effect.as(report(error, notification), 503 as const))
    )

  return (request) =>
    request.method === "GET"
      ? Effect.matchEffect(parse(request), {
          onFailure: (error) => Effect.as(report(error, undefined), 400 as const),
          onSuccess: deliver
        })
      : Effect.succeed(405)
}

/** Of what two notifications for one payment know, the better. */
const better = <Order>(known: Recognized<Order>, other: Recognized<Order>): Recognized<Order> => ({
  order: other.order ?? known.order,
  parent: known.parent ?? other.parent
})

// ---------------------------------------------------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------------------------------------------------

const minute = 60_000

const defaultReadsPerMinute = 30

/**
 * Counts the reads of each minute: those of each known payment for themselves, those of all unknown ones together. It
 * tells the limit that one more read would go beyond.
 */
const readLimits = (limits: NotificationLimits = {}) => {
  const perMinute = {
    knownReadsPerMinute: limits.knownReadsPerMinute ?? defaultReadsPerMinute,
    unknownReadsPerMinute: limits.unknownReadsPerMinute ?? defaultReadsPerMinute
  }
  for (const [limit, reads] of Object.entries(perMinute)) {
    if (!Number.isSafeInteger(reads) || reads < 0) throw new TypeError(`limits.${limit}: must be an integer, 0 or more`)
  }
  /** In the order of their first read, so that those whose minute is over are in front. */
  const counts = new Map<number | "unknown", { readonly since: number; readonly reads: number }>()

  return (id: number, recognized: Recognized<unknown>, now: number): keyof NotificationLimits | undefined => {
    for (const [payer, { since }] of counts) {
      // A clock that jumps back must not lengthen it.
      if (Math.abs(now - since) < minute) break
      counts.delete(payer)
    }
    const payer = recognized.order === undefined ? (recognized.parent?.id ?? "unknown") : id
    const { reads, since } = counts.get(payer) ?? { reads: 0, since: now }
    const limit = payer === "unknown" ? "unknownReadsPerMinute" : "knownReadsPerMinute"
    if (reads >= perMinute[limit]) return limit
    counts.set(payer, { reads: reads + 1, since })
    return undefined
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------------------------------------------------

const tooManyReads = (paymentId: number, limit: keyof NotificationLimits): NotificationError<TooManyReads> =>
  new NotificationError({
    reason: {
      _tag: "TooManyReads",
      paymentId,
      limit,
      message: `Payment ${paymentId} was not read: the limit ${limit} is reached. The gateway repeats the notification.`
    }
  })

const handlerFailed = (paymentId: number, cause: unknown): NotificationError =>
  new NotificationError({
    reason: {
      _tag: "HandlerFailed",
      paymentId,
      message: `The handler failed for payment ${paymentId}. The gateway repeats the notification.`
    },
    cause
  })

/** Tells the log of what a handler's `onError` would be told. What anybody on the internet can cause is told quietly. */
export const logFailure = (error: DeliveryError): Effect.Effect<void> =>
  (isAnybodys(error) ? Effect.logDebug : Effect.logError)("A notification was not processed", error)

const isAnybodys = ({ reason: { _tag } }: DeliveryError): boolean =>
  _tag === "InvalidNotification" || _tag === "UnknownPayment" || _tag === "TooManyReads"

/** The headers of an answer. A stored answer would swallow later notifications, since they look alike. */
export const responseHeaders = (status: NotificationStatus): { readonly [name: string]: string } => ({
  "cache-control": "no-store",
  ...(status === 405 ? { allow: "GET" } : undefined)
})
