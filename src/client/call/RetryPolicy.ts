/**
 * Retries of reads and the token call. A change is retried only when the gateway certainly did not carry it out.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { withoutPrototype } from "../../basics/OwnMember.js"
import type { GatewayErrorReason } from "../error/GatewayError.js"
import type { AnyReason } from "../error/AnyReason.js"
import { askedWait } from "../error/askedWait.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { OperationName } from "../../contract/GatewayOperations.js"

/** When to try again. */
export interface RetryPolicy {
  /**
   * Receives the failure of each attempt of a read whose reason `isRetryable`. When the schedule ends, the call fails
   * with the last one.
   */
  readonly schedule: Schedule.Schedule<
    unknown,
    { readonly operation: OperationName; readonly reason: GatewayErrorReason; readonly cause?: unknown }
  >
  /**
   * The time limit of a whole read, with its attempts and the pauses between them. Then it fails with the last error.
   * An attempt has less time if less is left. Waiting for a token may take as long again. Absent: no limit.
   */
  readonly totalTimeout?: Duration.Input | undefined
  /** Whether a call whose token was refused is sent once more with a new token. */
  readonly renewToken: boolean
}

const maxWait = Duration.seconds(30)

const retryAfter = ({ reason }: GatewayFailure): Duration.Duration => Duration.millis(askedWait(reason) ?? 0)

const repeating = (times: number, totalTimeout: Duration.Duration): RetryPolicy => ({
  schedule: Schedule.exponential("200 millis").pipe(
    Schedule.jittered,
    Schedule.setInputType<GatewayFailure>(),
    Schedule.upTo({ times }),
    Schedule.while(({ input }) => Duration.isLessThanOrEqualTo(retryAfter(input), maxWait)),
    Schedule.modifyDelay(({ duration, input }) => Effect.succeed(Duration.max(duration, retryAfter(input))))
  ),
  totalTimeout,
  renewToken: true
})

/**
 * Three retries, after about 0.2, 0.4 and 0.8 seconds, or when the gateway's `Retry-After` says. A read that is asked
 * to wait for more than 30 seconds fails at once. Two minutes in all.
 */
const standard = repeating(3, Duration.minutes(2))

/** Exactly one request per call, and one for a token. */
const none: RetryPolicy = { schedule: Schedule.recurs(0), renewToken: false }

/**
 * The policy of the current fiber.
 *
 * `RetryPolicy.standard` unless another one is provided, to the layer of the client or to a part of a program:
 *
 * ```ts
 * getPayment(id).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none))
 * ```
 */
export const RetryPolicy: Context.Reference<RetryPolicy> & {
  readonly standard: RetryPolicy
  readonly none: RetryPolicy
} = Object.assign(Context.Reference<RetryPolicy>("effect-gopay/RetryPolicy", { defaultValue: () => standard }), {
  standard,
  none
})

type RetryLimits = Pick<RetryPolicy, "totalTimeout"> & { readonly attempts?: number | undefined }

/** The policy for the options of a promise client; `false` means one request per call. */
export const fromOptions = (options: RetryLimits | false): RetryPolicy => {
  if (options === false) return none
  const { attempts = 4, totalTimeout = "2 minutes" } = withoutPrototype(options)
  return repeating(attempts - 1, totalTime({ totalTimeout }))
}

export const totalTime = ({ totalTimeout }: Pick<RetryPolicy, "totalTimeout">): Duration.Duration =>
  totalTimeout === undefined
    ? Duration.infinity
    : Option.getOrElse(Duration.fromInput(totalTimeout), () => Duration.infinity)

/**
 * Retries by the current policy if the failure's reason `isRetryable`, unless `isFinal` excludes the failure. The
 * policy's schedule receives the result of `shown` for each failure. There is no overhead if the first attempt
 * succeeds.
 */
export const retried = <A, E extends GatewayFailure<AnyReason, string>>(
  attempt: Effect.Effect<A, E>,
  shown: (failure: E) => GatewayFailure,
  isFinal: (failure: E) => boolean = () => false
): Effect.Effect<A, E> => {
  const mayRepeat = (failure: E) => failure.reason.isRetryable && !isFinal(failure)
  return Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const policy = fiber.getRef(RetryPolicy)
    const startedAt = clock.currentTimeMillisUnsafe()
    return Effect.catch(attempt, (first) => {
      if (!mayRepeat(first)) return Effect.fail(first)
      let last = first
      let isFirst = true
      const next = Effect.suspend((): Effect.Effect<A, E> => {
        if (!isFirst) return Effect.tapError(attempt, (failure) => Effect.sync(() => (last = failure)))
        isFirst = false
        return Effect.fail(first)
      })
      const elapsed = Duration.millis(Math.max(0, clock.currentTimeMillisUnsafe() - startedAt))
      const duration = Duration.subtract(totalTime(policy), elapsed)
      if (Duration.isZero(duration)) return Effect.fail(first)
      const shownNext: Effect.Effect<A, GatewayFailure> = Effect.mapError(next, shown)
      const repeated = Effect.retry(
        shownNext,
        withoutPrototype({ schedule: policy.schedule, while: () => mayRepeat(last) })
      )
      const retries = Effect.mapError(repeated, () => last)
      return Duration.isFinite(duration)
        ? Effect.timeoutOrElse(retries, { duration, orElse: () => Effect.fail(last) })
        : retries
    })
  })
}
