/**
 * When reads and the token call are tried again. Changes never are, beyond what is certain not to have been taken.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { GatewayError } from "./GatewayError.js"

/** When to try again. */
export interface RetryPolicy {
  /**
   * Steps with the error of each failed attempt of a read, when its reason `isRetryable`; the call fails with the last
   * error when the schedule ends.
   */
  readonly schedule: Schedule.Schedule<unknown, GatewayError>
  /** Whether a call whose token is refused is sent once more with a new token. */
  readonly renewToken: boolean
}

const longestWait = Duration.seconds(30)

const retryAfter = ({ reason }: GatewayError): Duration.Duration =>
  Duration.millis(reason._tag === "RateLimited" ? (reason.retryAfter ?? 0) : 0)

/** Three more attempts, after about 0.2, 0.4 and 0.8 seconds, or when the gateway says, if that is within 30 seconds. */
const standard: RetryPolicy = {
  schedule: Schedule.exponential("200 millis").pipe(
    Schedule.jittered,
    Schedule.setInputType<GatewayError>(),
    Schedule.upTo({ times: 3 }),
    Schedule.while(({ input }) => Duration.isLessThanOrEqualTo(retryAfter(input), longestWait)),
    Schedule.modifyDelay(({ duration, input }) => Effect.succeed(Duration.max(duration, retryAfter(input))))
  ),
  renewToken: true
}

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

/**
 * Tries again as the current policy says, when the error's reason `isRetryable` and it is not one that `isFinal` excludes.
 * A first attempt that succeeds costs nothing more.
 */
export const retried = <A>(
  attempt: Effect.Effect<A, GatewayError>,
  isFinal: (error: GatewayError) => boolean = () => false
): Effect.Effect<A, GatewayError> => {
  const mayRepeat = (error: GatewayError) => error.reason.isRetryable && !isFinal(error)
  return Effect.catch(attempt, (error) =>
    mayRepeat(error)
      ? Effect.flatMap(RetryPolicy, ({ schedule }) => {
          let first: GatewayError | undefined = error
          const next = Effect.suspend(() => {
            const failed = first
            first = undefined
            return failed === undefined ? attempt : Effect.fail(failed)
          })
          return Effect.retry(next, { schedule, while: mayRepeat })
        })
      : Effect.fail(error)
  )
}
