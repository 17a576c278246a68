/**
 * Who is told of a change whose program was interrupted after it had been sent.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SentChange } from "./GatewayError.js"

/**
 * Told of every change that was interrupted after it had been handed over to be sent: an interrupted fiber can return
 * no error, and whether the gateway took the change is unknown. Store it, and find out with `reconcile`.
 *
 * The default writes a warning to the log.
 */
export const UnknownOutcomes: Context.Reference<(change: SentChange) => Effect.Effect<void>> = Context.Reference(
  "effect-gopay/UnknownOutcomes",
  {
    defaultValue: () => (change: SentChange) =>
      Effect.logWarning(
        "A change was interrupted after it had been sent, its outcome is unknown: do not repeat it, find out",
        change
      )
  }
)
