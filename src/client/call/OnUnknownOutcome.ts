/**
 * Reports the changes whose outcome is unknown.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { AnyReason, ApiTypes, SentChange } from "../error/AnyReason.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { Doubt } from "./CallObserver.js"
import { adviceOn } from "./FailureReason.js"
import { merchantAttribute } from "./merchantAttribute.js"
import { subjectAttributes } from "./subjectAttributes.js"

/**
 * Called once for each change whose outcome is unknown, however its call ends: with `OutcomeUnknown`, which an
 * `Effect.race` or `Effect.ignore` may swallow, or by an interruption, such as that of `Effect.timeout`, which can
 * return no error. A change that is interrupted before the gateway can have received it is not reported, for example
 * while it waits for its turn, or, with a client whose attempts can be observed, between a refusal and a retry. A
 * change that cannot be interrupted, and ends after it should have been, is reported even if it succeeds, since an
 * `Effect.timeout` around it discards its result. Store the record, and find out with `reconcile`. The call waits for
 * this program for at most ten seconds.
 *
 * The record of a refund lacks the list of earlier refunds, without which `reconcile` cannot recognise a partial
 * refund: add the list that you have read. Add `isOnlyWriter: true` only if you hold a lock on the payment since before
 * that read, and no one refunds it by hand.
 *
 * ```ts
 * Effect.gen(function* () {
 *   const refundsBefore = yield* getPaymentRefunds(id)
 *   return yield* refundPayment(id, { amount }).pipe(
 *     Effect.provideService(OnUnknownOutcome, (change) => store.put({ ...change, refundsBefore }))
 *   )
 * })
 * ```
 *
 * The default writes the record to the log: as a warning if the change failed, since its error has the record too; as
 * an error if it was interrupted, since the record is nowhere else. With a `MinimumLogLevel` above `Error` that record
 * is lost: provide a store of your own. If this program fails, or takes more than ten seconds and is interrupted, the
 * record is logged as well. Its log messages have the annotations `error.type` and `http.response.status_code`, if there
 * was a response. A ledger searches for the outcome of its own changes, and calls this for none of them.
 */
export const OnUnknownOutcome: Context.Reference<(change: ChangeRecord) => Effect.Effect<void, unknown>> =
  Context.Reference<(change: ChangeRecord) => Effect.Effect<void, unknown>>("effect-gopay/OnUnknownOutcome", {
    defaultValue: () => logInterrupted
  })

/** For a change that was interrupted, the record is nowhere else. If it failed, its error has it. */
const logInterrupted = (change: ChangeRecord): Effect.Effect<void> => interruptionLog(adviceOn)(change)

/** How changes of one API whose outcome is unknown are reported. */
export interface UnknownOutcomes<in out Change extends SentChange> {
  readonly reference: Context.Reference<(change: Change) => Effect.Effect<void, unknown>>
  /** The default of `reference`: a message in the log, and nothing else. */
  readonly onlyLogged: (change: Change) => Effect.Effect<void, unknown>
  readonly adviceOn: (change: Change) => string
}

export const unknownOutcomesV3: UnknownOutcomes<ChangeRecord> = {
  reference: OnUnknownOutcome,
  onlyLogged: logInterrupted,
  adviceOn
}

/** Logs that a change was interrupted: as an error, since its caller gets none. */
export const interruptionLog =
  <Change extends SentChange>(adviceOn: (change: Change) => string) =>
  (change: Change): Effect.Effect<void> =>
    logChange(
      "Error",
      "A change was interrupted after it had been sent, its outcome is unknown",
      change,
      adviceOn(change)
    )

/** Logs the record, with the same annotations as the messages of attempts. */
export const logChange = (
  level: "Info" | "Warn" | "Error",
  what: string,
  change: SentChange,
  advice: string,
  ...causes: ReadonlyArray<Cause.Cause<unknown>>
): Effect.Effect<void> =>
  Effect.logWithLevel(level)(`${what}: ${advice}`, change, ...causes).pipe(
    Effect.annotateLogs({
      "gopay.operation": change.operation,
      ...(change.goid === undefined ? undefined : merchantAttribute(change.goid)),
      ...(change.orderNumber === undefined ? undefined : { "gopay.order_number": change.orderNumber }),
      ...subjectAttributes(change)
    })
  )

/** Whether it is only logged. */
export const isOnlyLogged = <Change extends SentChange>(
  fiber: Fiber.Fiber<unknown, unknown>,
  { onlyLogged, reference }: UnknownOutcomes<Change>
): boolean => fiber.getRef(reference) === onlyLogged

/**
 * Reports a change that ended in doubt, or whose result is discarded because its fiber is about to be interrupted. If
 * it failed, its error has the record and, by default, the log of its call.
 */
export const reportDoubt = <Types extends ApiTypes>(
  outcomes: UnknownOutcomes<Types["change"]>,
  exit: Exit.Exit<unknown, GatewayFailure<AnyReason, string>>,
  { annotations = {}, change }: Doubt<Types>
): Effect.Effect<void> => {
  if (change === undefined) return Effect.void
  const isFailed = Exit.isFailure(exit) && Option.isSome(Cause.findErrorOption(exit.cause))
  return Effect.flatMap(isToBeInterrupted, (isThrownAway) =>
    Effect.withFiber((fiber) => {
      const isKnown = !isThrownAway && (Exit.isSuccess(exit) || (isFailed && isOnlyLogged(fiber, outcomes)))
      if (isKnown) return Effect.void
      const level = isFailed && !isThrownAway ? "Warn" : "Error"
      return Effect.suspend(() => fiber.getRef(outcomes.reference)(change)).pipe(
        // An interrupted call waits for it.
        Effect.interruptible,
        Effect.timeout(maxReportTime),
        Effect.catchCause((cause) =>
          logChange(level, "The outcome of a change is unknown", change, outcomes.adviceOn(change), cause)
        ),
        Effect.annotateLogs(annotations)
      )
    })
  )
}

/** Whether the fiber has been asked to end; in an uninterruptible region that happens later. */
const isToBeInterrupted: Effect.Effect<boolean> = Effect.map(
  Effect.exit(Effect.interruptible(Effect.void)),
  Exit.isFailure
)

/** How long the end of a call waits for the caller to store the record. */
const maxReportTime = "10 seconds"
