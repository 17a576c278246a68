/**
 * The changes of which a step is due.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { ChangeRow } from "../change/ChangeRow.js"
import type { StepMade } from "../change/Changes.js"
import type { ChangeTable } from "../change/ChangeTable.js"
import type { StoreError } from "../store/Database.js"
import type { InFlight } from "../change/InFlight.js"
import * as Places from "../change/Places.js"

/** What the steps of changes need. */
export interface DueChangesOptions {
  readonly table: ChangeTable
  readonly inFlight: InFlight
  /** How many steps run at once. */
  readonly concurrency: number
  readonly step: (row: ChangeRow) => Effect.Effect<StepMade, StoreError>
}

/** How many rows are read at once. */
export const batch = 50

/** Begins the steps of changes that are due. */
export const make = ({ concurrency, inFlight, step, table }: DueChangesOptions) => {
  const places = Places.make(concurrency, inFlight.scope)

  /** Begins what is due, as places become free. Gives what it has begun: 1 for each step that was made. */
  return (until: number): Effect.Effect<ReadonlyArray<Fiber.Fiber<number>>, StoreError> =>
    Effect.gen(function* () {
      const begun: Array<Fiber.Fiber<number>> = []
      for (const row of yield* table.due(batch)) {
        if (inFlight.has(row.key)) continue
        const mayBegin = Effect.map(Clock.currentTimeMillis, (now) => now < until && !inFlight.isClosing())
        const made = step(row).pipe(
          Effect.flatMap(({ rest }) => Effect.as(rest, 1)),
          Effect.catch((error) => Effect.as(logWaiting(error), 0))
        )
        if (!(yield* mayBegin)) break
        // The time may be over when there is a place.
        begun.push(yield* places.begin(Effect.flatMap(mayBegin, (may) => (may ? made : Effect.succeed(0)))))
      }
      return begun
    })
}

/** Logs why a worker waits. */
export const logWaiting = (error: StoreError): Effect.Effect<void> => Effect.logWarning("The ledger waits", error)
