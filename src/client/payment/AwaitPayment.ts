/**
 * Waits for a payment by polling its state.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Pull from "effect/Pull"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { PaymentState } from "../../contract/CodeLists.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import { withoutPrototype } from "../../basics/OwnMember.js"
import type { AnyReason } from "../error/AnyReason.js"
import { askedWait } from "../error/askedWait.js"
import { type HasPaymentState, isPayerDone } from "./PaymentState.js"
import type { GatewayUnavailable, InvalidField, InvalidRequest } from "../error/GatewayError.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import { isTimeLimit, timeLimitMessage } from "../config/GatewayOptions.js"
import { invalidRequest } from "../call/FailureReason.js"

/** The states to wait for, and the time to wait. {@inheritDoc AwaitPaymentCallOptions} */
export interface AwaitPaymentOptions {
  readonly until?: ReadonlyArray<PaymentState> | undefined
  readonly waitAtMost?: Duration.Input | undefined
  /**
   * The pauses between the reads, instead of growing ones: `Schedule.spaced("5 seconds")`, for example. It receives the
   * payment as last read, if it was read, and the waiting ends with the schedule. The first read is immediate.
   */
  readonly schedule?: Schedule.Schedule<unknown, PaymentResponse | undefined> | undefined
}

/** The same for the payments of any API. */
export interface WaitOptions<in Payment> extends Omit<AwaitPaymentOptions, "schedule"> {
  /**
   * The pauses between the reads, instead of growing ones. The schedule receives the payment as last read, if it was
   * read.
   */
  readonly schedule?: Schedule.Schedule<unknown, Payment | undefined> | undefined
}

/** The result of waiting for a payment. */
export type WaitResult<Payment> = { readonly _tag: "Reached" | "StillPending"; readonly payment: Payment }

const defaultWait = Duration.minutes(10)

/** Waits until the payment is to be read again. Returns `false` if it is not to be. */
type Pause = (seen: HasPaymentState | undefined) => Effect.Effect<boolean>

/** In seconds; the last one repeats. */
const waits = [1, 2, 3, 5, 8, 13, 20, 30]

/** Growing pauses, which start short again when the state changes. */
const growingPauses = Effect.sync((): Pause => {
  let pauses = 0
  let state: PaymentState | undefined
  return (seen) => {
    if (seen?.state !== state) pauses = 0
    state = seen?.state
    const seconds = waits[Math.min(pauses, waits.length - 1)] ?? 0
    pauses += 1
    return Effect.as(Effect.sleep(Duration.seconds(seconds)), true)
  }
})

const scheduledPauses = <Payment>(
  schedule: NonNullable<WaitOptions<Payment>["schedule"]>
): Effect.Effect<(seen: Payment | undefined) => Effect.Effect<boolean>> =>
  Effect.map(
    Schedule.toStepWithSleep(schedule),
    (step) => (seen) => Pull.catchDone(Effect.as(step(seen), true), () => Effect.succeed(false))
  )

/**
 * Makes an effect that reads a payment each time it is run: the first time at once, then after a pause. It retries
 * failures that may pass, and returns `undefined` when the schedule has ended.
 */
const pollingReads = <Payment extends HasPaymentState, E extends GatewayFailure<AnyReason, string>>(
  read: Effect.Effect<Payment, E>,
  schedule: WaitOptions<Payment>["schedule"],
  onFailure: (failure: E) => void = () => {}
): Effect.Effect<Effect.Effect<Payment | undefined, E>> =>
  Effect.map(schedule === undefined ? growingPauses : scheduledPauses(schedule), (pause) => {
    let isFirst = true
    let seen: Payment | undefined
    const patient: Effect.Effect<Payment | undefined, E> = Effect.suspend(() => {
      const due = isFirst ? Effect.succeed(true) : pause(seen)
      isFirst = false
      return Effect.flatMap(due, (isDue) => (isDue ? attempt : Effect.undefined))
    })
    const attempt = Effect.matchEffect(read, {
      onFailure: (failure) => {
        onFailure(failure)
        return failure.reason.isRetryable ? Effect.delay(patient, retryAfter(failure)) : Effect.fail(failure)
      },
      onSuccess: (payment) => {
        seen = payment
        return Effect.succeed(payment)
      }
    })
    return patient
  })

/** The pause that the gateway asks for, up to a limit. */
const retryAfter = ({ reason }: GatewayFailure<AnyReason, string>): Duration.Duration =>
  Duration.millis(Math.min(askedWait(reason) ?? 0, maxRetryAfter))

const maxRetryAfter = 5 * 60_000

/** Waits until the payment is in one of the states, or the wait has timed out. */
export const awaitPayment = <Payment extends HasPaymentState, E extends GatewayFailure<AnyReason, string>>(
  read: Effect.Effect<Payment, E>,
  options: WaitOptions<Payment> = {}
): Effect.Effect<WaitResult<Payment>, E | WaitFailure> =>
  Effect.suspend((): Effect.Effect<WaitResult<Payment>, E | WaitFailure> => {
    const wrong = wrongOptions(options)
    if (wrong.length > 0) return failed(wrong)
    const { schedule, until, waitAtMost = defaultWait } = withoutPrototype(options)
    const isReached = reachedBy(until)
    let last: Payment | undefined
    let failure: E | undefined
    const notReached = Effect.suspend((): Effect.Effect<WaitResult<Payment>, E | WaitFailure> =>
      last === undefined
        ? Effect.fail(failure ?? neverRead(waitAtMost))
        : Effect.succeed({ _tag: "StillPending", payment: last })
    )
    const reached = Effect.flatMap(
      pollingReads(read, schedule, (error) => (failure = error)),
      (next) => {
        const again: Effect.Effect<WaitResult<Payment>, E | WaitFailure> = Effect.flatMap(next, (payment) => {
          if (payment === undefined) return notReached
          last = payment
          return isReached(payment) ? Effect.succeed({ _tag: "Reached", payment }) : again
        })
        return again
      }
    )
    return Effect.timeoutOrElse(reached, { duration: waitAtMost, orElse: () => notReached })
  })

const reachedBy = (until: AwaitPaymentOptions["until"]): ((payment: HasPaymentState) => boolean) =>
  until === undefined ? isPayerDone : ({ state }) => until.includes(state)

const wrongOptions = (options: WaitOptions<never>): ReadonlyArray<InvalidField> => {
  if (!Predicate.isObject(options))
    return [{ field: "options", message: "must be an object with until and waitAtMost" }]
  const { schedule, until, waitAtMost } = withoutPrototype(options)
  const isStates = until === undefined || (Array.isArray(until) && until.length > 0 && until.every(Predicate.isString))
  const isTime = waitAtMost === undefined || isTimeLimit(waitAtMost)
  return [
    ...(isStates ? [] : [{ field: "options.until", message: "must be a list of states, at least one" }]),
    ...(isTime ? [] : [{ field: "options.waitAtMost", message: timeLimitMessage }]),
    ...(schedule === undefined || Schedule.isSchedule(schedule)
      ? []
      : [{ field: "options.schedule", message: "must be a Schedule" }])
  ]
}

/** The failures of waiting other than those of a read: wrong options, or no read within the time. */
export type WaitFailure = GatewayFailure<InvalidRequest | GatewayUnavailable>

const failed = (wrong: ReadonlyArray<InvalidField>): Effect.Effect<never, WaitFailure> =>
  Effect.fail({ operation: "getPayment", reason: invalidRequest(wrong) })

const neverRead = (limit: Duration.Input): WaitFailure => ({
  operation: "getPayment",
  reason: {
    _tag: "GatewayUnavailable",
    isRetryable: true,
    message: `The payment could not be read within ${Duration.toSeconds(limit)} s.`
  }
})

/** Follows a payment by polling it: emits it as first read, and again each time its state has changed. */
export const paymentStates = <Payment extends HasPaymentState, E extends GatewayFailure<AnyReason, string>>(
  read: Effect.Effect<Payment, E>,
  options: Pick<WaitOptions<Payment>, "until" | "schedule">
): Stream.Stream<Payment, E | WaitFailure> =>
  Stream.unwrap(
    Effect.suspend(() => {
      const wrong = wrongOptions(options)
      const reads: Effect.Effect<Effect.Effect<Payment | undefined, E | WaitFailure>> =
        wrong.length > 0 ? Effect.succeed(failed(wrong)) : pollingReads(read, options.schedule)
      return Effect.map(reads, (next) =>
        Stream.fromEffectRepeat(next).pipe(
          Stream.takeWhile(Predicate.isNotUndefined),
          Stream.changesWith((before, after) => before.state === after.state),
          Stream.takeUntil(reachedBy(options.until))
        )
      )
    })
  )
