/**
 * Reports the changes whose outcome is unknown.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { AnyReason, SentChange } from "../error/AnyReason.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import { adviceOn } from "./FailureReason.js"
import { merchantAttribute } from "./merchantAttribute.js"
import { subjectAttributes } from "./subjectAttributes.js"

/**
 * Called once for each change whose outcome is unknown, however its call ends: with `OutcomeUnknown`, which an
 * `Effect.race` or `Effect.ignore` may swallow, or by an interruption, such as that of `Effect.timeout`, which can return
 * no error. One that is interrupted before the gateway can have taken it is not reported: while the client waits for its
 * turn, for one, or, over a client whose sendings are seen, between a refusal and a retry. One that cannot be interrupted,
 * and ends when it should have been, is reported even if it succeeds: an `Effect.timeout` around it throws its result
 * away. Store the record, and find out with `reconcile`. The call waits for it, for ten seconds at most.
 *
 * Of a refund, the record has no list of the refunds before it, without which `reconcile` cannot recognise a part: add
 * the one that you have read. Add `isOnlyWriter: true` only under a lock of the payment, taken before that read, and if no one refunds it by hand.
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
 * The default writes the record to the log: as a warning of a change that failed, whose error has it too, and as an error
 * of one that was interrupted, whose record is nowhere else. A `MinimumLogLevel` above `Error` loses that one: provide a
 * store of your own there. One that fails, or that takes more than ten seconds, is logged so, too: it is interrupted then. A ledger finds out about its own changes, and needs none.
 */
export const OnUnknownOutcome: Context.Reference<(change: ChangeRecord) => Effect.Effect<void, unknown>> =
  Context.Reference<(change: ChangeRecord) => Effect.Effect<void, unknown>>("effect-gopay/OnUnknownOutcome", {
    defaultValue: () => logInterrupted
  })

/** Nothing else has the record of a change that was interrupted. One that failed has it in its error. */
const logInterrupted = (change: ChangeRecord): Effect.Effect<void> => interruptionLog(adviceOn)(change)

/** What is reported of the changes of one API whose outcome is unknown. */
export interface UnknownOutcomes<in out Change extends SentChange> {
  readonly reference: Context.Reference<(change: Change) => Effect.Effect<void, unknown>>
  /** Its default. */
  readonly onlyLogged: (change: Change) => Effect.Effect<void, unknown>
  readonly adviceOn: (change: Change) => string
}

export const unknownOutcomesV3: UnknownOutcomes<ChangeRecord> = {
  reference: OnUnknownOutcome,
  onlyLogged: logInterrupted,
  adviceOn
}

/** Says that a change was interrupted, in the log: as an error, since its caller is given none. */
export const interruptionLog =
  <Change extends SentChange>(adviceOn: (change: Change) => string) =>
  (change: Change): Effect.Effect<void> =>
    logChange(
      "Error",
      "A change was interrupted after it had been sent, its outcome is unknown",
      change,
      adviceOn(change)
    )

/** Logs the record, annotated like the messages of attempts. */
export const logChange = (
  level: "Warn" | "Error",
  what: string,
  change: SentChange,
  advice: string,
  ...causes: ReadonlyArray<Cause.Cause<unknown>>
): Effect.Effect<void> =>
  Effect.logWithLevel(level)(`${what}: ${advice}`, change, ...causes).pipe(
    Effect.annotateLogs({
      "gopay.operation": change.operation,
      ...(change.goid === undefined ? undefined : merchantAttribute(change.goid)),
      ...subjectAttributes(change)
    })
  )

/** Whether it is reported nowhere but in the log. */
export const isOnlyLogged = <Change extends SentChange>(
  fiber: Fiber.Fiber<unknown, unknown>,
  { onlyLogged, reference }: UnknownOutcomes<Change>
): boolean => fiber.getRef(reference) === onlyLogged

/**
 * Reports a change that ended in doubt, or whose result is thrown away, since its fiber is to be interrupted as soon as it
 * can be. One that failed is in its error and, by default, in the log of its call.
 */
export const reportDoubt = <Change extends SentChange>(
  outcomes: UnknownOutcomes<Change>,
  exit: Exit.Exit<unknown, GatewayFailure<AnyReason, string>>,
  { change }: { readonly change: Change | undefined }
): Effect.Effect<void> => {
  if (change === undefined) return Effect.void
  const isFailed = Exit.isFailure(exit) && Option.isSome(Cause.findErrorOption(exit.cause))
  return Effect.flatMap(isToBeInterrupted, (isThrownAway) =>
    Effect.withFiber((fiber) => {
      const isKnown = !isThrownAway && (Exit.isSuccess(exit) || (isFailed && isOnlyLogged(fiber, outcomes)))
      if (isKnown) return Effect.void
      const level = isFailed && !isThrownAway ? "Warn" : "Error"
      return Effect.suspend(() => fiber.getRef(outcomes.reference)(change)).pipe(
        // What has been interrupted waits for it.
        Effect.interruptible,
        Effect.timeout(maxReportTime),
        Effect.catchCause((cause) =>
          logChange(level, "The outcome of a change is unknown", change, outcomes.adviceOn(change), cause)
        )
      )
    })
  )
}

/** Whether the fiber has been told to end, which one that cannot be interrupted does later. */
const isToBeInterrupted: Effect.Effect<boolean> = Effect.map(
  Effect.exit(Effect.interruptible(Effect.void)),
  Exit.isFailure
)

/** How long the end of a call waits for the caller to store its record. */
const maxReportTime = "10 seconds"
