/**
 * Waits for a payment by polling its state.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { PaymentState } from "../../contract/CodeLists.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import { withoutPrototype } from "../../contract/OwnMember.js"
import { type AwaitedPayment, isPayerDone } from "./PaymentState.js"
import type { GatewayUnavailable, InvalidField, InvalidRequest } from "../error/GatewayError.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import { isTimeLimit, timeLimitMessage } from "../config/GatewayOptions.js"
import { invalidRequest } from "../call/FailureReason.js"

/** The states to wait for, and the time to wait. */
export interface AwaitPaymentOptions {
  readonly until?: ReadonlyArray<PaymentState> | undefined
  readonly waitAtMost?: Duration.Input | undefined
}

const defaultWait = Duration.minutes(10)

/** Pauses before each read, in seconds; the last one repeats. The first read is immediate. */
const waits = [0, 1, 2, 3, 5, 8, 13, 20, 30]

/**
 * Reads a payment each time it is run: at once, then after ever longer waits, which become short again when the state
 * changes. A failure that may pass is waited through.
 */
const pollingReads = <E extends GatewayFailure>(
  read: Effect.Effect<PaymentResponse, E>,
  onFailure: (failure: E) => void = () => {}
): Effect.Effect<PaymentResponse, E> => {
  let reads = 0
  let state: PaymentState | undefined
  const next: Effect.Effect<PaymentResponse, E> = Effect.suspend(() => {
    const seconds = waits[Math.min(reads, waits.length - 1)] ?? 0
    reads += 1
    return Effect.delay(read, Duration.seconds(seconds))
  })
  const seen = (payment: PaymentResponse): PaymentResponse => {
    if (payment.state !== state) reads = 1
    state = payment.state
    return payment
  }
  const patient: Effect.Effect<PaymentResponse, E> = Effect.catch(next, (failure) => {
    onFailure(failure)
    return failure.reason.isRetryable ? Effect.delay(patient, retryAfter(failure)) : Effect.fail(failure)
  })
  return Effect.map(patient, seen)
}

/** The pause that the gateway asks for, up to a limit. */
const retryAfter = ({ reason }: GatewayFailure): Duration.Duration =>
  Duration.millis(reason._tag === "RateLimited" ? Math.min(reason.retryAfterMillis ?? 0, longestRetryAfter) : 0)

const longestRetryAfter = 5 * 60_000

/** Waits until the payment is in one of the states, or the wait has timed out. */
export const awaitPayment = <E extends GatewayFailure>(
  read: Effect.Effect<PaymentResponse, E>,
  options: AwaitPaymentOptions = {}
): Effect.Effect<AwaitedPayment, E | WaitFailure> =>
  Effect.suspend((): Effect.Effect<AwaitedPayment, E | WaitFailure> => {
    const wrong = wrongOptions(options)
    if (wrong.length > 0) return failed(wrong)
    const { until, waitAtMost = defaultWait } = withoutPrototype(options)
    const isReached = reachedBy(until)
    let last: PaymentResponse | undefined
    let failure: E | undefined
    const next = pollingReads(read, (error) => (failure = error))
    const reached: Effect.Effect<AwaitedPayment, E> = Effect.flatMap(next, (payment) => {
      last = payment
      return isReached(payment) ? Effect.succeed({ _tag: "Reached", payment }) : reached
    })
    return Effect.timeoutOrElse(reached, {
      duration: waitAtMost,
      orElse: (): Effect.Effect<AwaitedPayment, E | WaitFailure> =>
        last === undefined
          ? Effect.fail(failure ?? neverRead(waitAtMost))
          : Effect.succeed({ _tag: "StillPending", payment: last })
    })
  })

const reachedBy = (until: AwaitPaymentOptions["until"]): ((payment: PaymentResponse) => boolean) =>
  until === undefined ? isPayerDone : ({ state }) => until.includes(state)

const wrongOptions = (options: AwaitPaymentOptions): ReadonlyArray<InvalidField> => {
  if (!Predicate.isObject(options))
    return [{ field: "options", message: "must be an object with until and waitAtMost" }]
  const { until, waitAtMost } = withoutPrototype(options)
  const isStates = until === undefined || (Array.isArray(until) && until.length > 0 && until.every(Predicate.isString))
  const isTime = waitAtMost === undefined || isTimeLimit(waitAtMost)
  return [
    ...(isStates ? [] : [{ field: "options.until", message: "must be a list of states, at least one" }]),
    ...(isTime ? [] : [{ field: "options.waitAtMost", message: timeLimitMessage }])
  ]
}

/** What waiting fails with by itself: wrong options, or no time to read. */
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

/** Follows a payment by reading it: it is given as first read, and again each time its state has become another. */
export const paymentStates = <E extends GatewayFailure>(
  read: Effect.Effect<PaymentResponse, E>,
  options: Pick<AwaitPaymentOptions, "until">
): Stream.Stream<PaymentResponse, E | WaitFailure> =>
  Stream.suspend(() => {
    const wrong = wrongOptions(options)
    const next: Effect.Effect<PaymentResponse, E | WaitFailure> = wrong.length > 0 ? failed(wrong) : pollingReads(read)
    return Stream.fromEffectRepeat(next).pipe(
      Stream.changesWith((before, after) => before.state === after.state),
      Stream.takeUntil(reachedBy(options.until))
    )
  })
