/**
 * The callback for changes that were sent but whose program was interrupted before the response.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import { adviceOn } from "./FailureReason.js"

/**
 * Called for every change that was interrupted after it had been handed over to be sent: an interrupted fiber can return
 * no error, and whether the gateway took the change is unknown. Store it, and find out with `reconcile`.
 *
 * The default writes a warning to the log.
 *
 * @category calls
 */
export const OnUnknownOutcome: Context.Reference<(change: ChangeRecord) => Effect.Effect<void>> = Context.Reference(
  "effect-gopay/UnknownOutcomes",
  {
    defaultValue: () => (change: ChangeRecord) =>
      Effect.logWarning(
        `A change was interrupted after it had been sent, its outcome is unknown: ${adviceOn(change)}`,
        change
      )
  }
)
