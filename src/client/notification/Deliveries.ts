/**
 * Delivers notifications one at a time for each payment, and within the limits on reads, for every API. The API
 * determines what a notification names, how it is recognised and what is read.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { subjectAttributes } from "../call/subjectAttributes.js"
import { RequestBound } from "../transport/Lease.js"
import * as Rounds from "../transport/Rounds.js"
import type { NotificationLimits, NotificationRequest } from "./Notification.js"
import * as ReadLimits from "./ReadLimits.js"
import type { Known, Named } from "./ReadLimits.js"

/**
 * The status of the response to a notification: 200 if it was processed, 400 if it names no payment, 405 for another
 * method, else 503, so that the gateway repeats it.
 */
export type NotificationStatus = 200 | 400 | 405 | 503

interface RoundResult {
  /** Whether the shop now knows of the payment. */
  readonly isDelivered: boolean
  /** Whether it was recognised by the parent that the notification claims. */
  readonly isByClaim: boolean
  readonly claimedParent: Named["id"] | undefined
}

/** A round that was interrupted, or whose scope has ended. */
const stopped: RoundResult = { isDelivered: false, isByClaim: false, claimedParent: undefined }

/** In milliseconds: the longest wait for a turn. After that the gateway has to repeat the notification. */
const maxWait = 30_000

/** The API's parts of a delivery. */
interface Steps<in out Notification extends Named, in out Recognized extends Known, in out Failure> {
  /** Looks up what the shop knows about the payment that a notification names. */
  readonly recognize: (notification: Notification) => Effect.Effect<Recognized, Failure>
  /**
   * Reads the payment and passes it to the shop's handler. `confirm` is called for a charge whose parent the gateway
   * has named.
   */
  readonly readAndHandled: (
    notification: Notification,
    recognized: Recognized,
    confirm: (id: Named["id"]) => void
  ) => Effect.Effect<void, Failure>
  readonly tooManyReads: (notification: Notification, limit: keyof NotificationLimits) => Failure
  readonly paymentBusy: (notification: Notification) => Failure
  readonly onError: (error: Failure, notification: Notification | undefined) => Effect.Effect<unknown, unknown>
  readonly limits: NotificationLimits | undefined
}

/** Answers notifications, and reports those that could not be processed. */
interface Deliveries<in Notification, in Failure> {
  readonly deliver: (notification: Notification) => Effect.Effect<NotificationStatus>
  readonly report: (error: Failure, notification: Notification | undefined) => Effect.Effect<void>
}

/**
 * Makes the function that answers notifications. The scope's end interrupts the rounds in progress; their callers get
 * 503.
 *
 * @throws TypeError when a limit is not a whole number
 */
export const make = <Notification extends Named, Recognized extends Known, Failure>(
  steps: Steps<Notification, Recognized, Failure>,
  scope: Scope.Scope
): Deliveries<Notification, Failure> => {
  const limits = ReadLimits.make(steps.limits)
  const takeTurn = Rounds.make<RoundResult>(maxWait, stopped)

  const report = (error: Failure, notification: Notification | undefined): Effect.Effect<void> =>
    Effect.suspend(() => steps.onError(error, notification)).pipe(
      Effect.catchCause((cause) => Effect.logError("onError failed while it was given a notification's error", cause)),
      Effect.asVoid
    )

  /**
   * One read and its delivery, for all notifications that arrived before it began. Returns `undefined` if a limit
   * postpones the read.
   */
  const round = (notification: Notification): Effect.Effect<RoundResult | undefined> => {
    const ended = (isDelivered: boolean, isByClaim: boolean): RoundResult => ({
      isDelivered,
      isByClaim,
      claimedParent: notification.parent_id
    })
    const failed = (isByClaim: boolean) => (error: Failure) =>
      Effect.as(report(error, notification), ended(false, isByClaim))
    return Effect.matchEffect(steps.recognize(notification), {
      onFailure: failed(true),
      onSuccess: (recognized) =>
        Effect.flatMap(limits.admit(notification, recognized), (admission) => {
          if (admission === "later") return Effect.undefined
          const isByClaim = recognized.order === undefined
          if (admission !== "now") return failed(isByClaim)(steps.tooManyReads(notification, admission.limit))
          return Effect.matchEffect(steps.readAndHandled(notification, recognized, limits.confirm), {
            onFailure: failed(isByClaim),
            onSuccess: () => Effect.succeed(ended(true, isByClaim))
          })
        })
    })
  }

  /**
   * Waits for the payment's turn, or for the round of another notification that begins after this one arrived.
   * Interrupting it does not interrupt the round, which ends with the scope.
   */
  const deliver = (notification: Notification): Effect.Effect<NotificationStatus> =>
    Effect.withFiber((fiber) => {
      if (scope.state._tag === "Closed") return Effect.succeed(503)
      const turn = takeTurn(notification.id, {
        round: round(notification),
        putOffFor: (now) => limits.putOffFor(notification, now),
        // A false claim by a stranger fails the stranger's own round only.
        isShared: ({ claimedParent, isByClaim, isDelivered }) =>
          isDelivered || !isByClaim || claimedParent === notification.parent_id
      })
      // Otherwise the scope would retain requests that were cut off.
      const forked = fiber.getRef(RequestBound) ? Effect.forkDetach(turn) : Effect.forkIn(turn, scope)
      return Effect.flatMap(Effect.flatMap(forked, Fiber.await), (exit) => {
        const result = Exit.isSuccess(exit) ? exit.value : stopped
        if (result === undefined) return Effect.as(report(steps.paymentBusy(notification), notification), 503)
        return Effect.succeed(result.isDelivered ? 200 : 503)
      })
    })

  return { deliver, report }
}

/** The headers of a response. A stored response would swallow later notifications, since they look alike. */
export const responseHeaders = (status: NotificationStatus, methods = "GET"): { readonly [name: string]: string } => ({
  "cache-control": "no-store",
  ...(status === 405 ? { allow: methods } : undefined)
})

/** The method of a framework's request; `undefined` if it is not a request at all or reading it throws. */
export const methodOf = (request: NotificationRequest): unknown => {
  try {
    return Predicate.isObject(request) ? (request.method ?? null) : undefined
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------------------------------------------------

/** The parts of a notification's error. */
interface Failed<out Reason> {
  readonly reason: Reason
  readonly cause?: unknown
}

/** A reason about a payment, whose id may be of any API. */
interface About<out Tag extends string, out Id> {
  readonly _tag: Tag
  readonly paymentId: Id
  readonly message: string
}

export const tooManyReads = <Id extends Named["id"]>(
  paymentId: Id,
  limit: keyof NotificationLimits
): Failed<About<"TooManyReads", Id> & { readonly limit: keyof NotificationLimits }> => ({
  reason: {
    _tag: "TooManyReads",
    paymentId,
    limit,
    message: `Payment ${paymentId} was not read: the limit ${limit} is reached. The gateway repeats the notification.`
  }
})

export const paymentBusy = <Id extends Named["id"]>(paymentId: Id): Failed<About<"PaymentBusy", Id>> => ({
  reason: {
    _tag: "PaymentBusy",
    paymentId,
    message: `Payment ${paymentId} was not read: an earlier notification of it is still being processed. The gateway repeats the notification.`
  }
})

/** Passes a payment to the shop's handler. Whatever the handler fails with is the cause. */
export const handled = <Id extends Named["id"]>(
  paymentId: Id,
  handler: () => Effect.Effect<unknown, unknown>
): Effect.Effect<void, Failed<About<"HandlerFailed", Id>>> =>
  Effect.suspend(handler).pipe(
    Effect.asVoid,
    Effect.catchCause((cause) =>
      Effect.fail({
        reason: {
          _tag: "HandlerFailed" as const,
          paymentId,
          message: `The handler failed for payment ${paymentId}. The gateway repeats the notification.`
        },
        cause: Cause.squash(cause)
      })
    )
  )

/**
 * Logs what would be passed to a handler's `onError`, and the failure of the shop's own code. Failures that anyone on
 * the internet can cause are logged at a low level.
 */
export const logFailure = (
  error: { readonly reason: { readonly _tag: string } },
  named: Named | Named["id"] | undefined
): Effect.Effect<void> =>
  (isAnybodys(error) ? Effect.logDebug : Effect.logError)(
    "A notification was not processed",
    error,
    ...(error.reason._tag === "HandlerFailed" && "cause" in error ? [error.cause] : [])
  ).pipe(
    Effect.annotateLogs({
      "error.type": error.reason._tag,
      ...subjectAttributes({ paymentId: typeof named === "object" ? named.id : named })
    })
  )

const isAnybodys = ({ reason: { _tag } }: { readonly reason: { readonly _tag: string } }): boolean =>
  _tag === "InvalidNotification" || _tag === "UnknownPayment" || _tag === "TooManyReads"
