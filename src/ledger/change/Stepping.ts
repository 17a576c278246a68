/**
 * The steps that this process makes: traced, and one at a time for each row, whoever began them.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChangeWatch } from "../model/ChangeWatch.js"
import { outcomeAttribute, type Trace } from "../model/Trace.js"
import type { InFlight } from "../process/InFlight.js"
import { type ChangeRow, outcomeOf } from "../store/ChangeRow.js"
import { type StoreError, unavailable } from "../store/Database.js"
import type { Step, Steps } from "./Steps.js"

export interface SteppingOptions {
  /** Runs after each step, whatever its outcome. */
  readonly afterStep: Effect.Effect<unknown>
  readonly inFlight: InFlight
  readonly steps: Steps
  readonly trace: Trace
  readonly watch: ChangeWatch
}

export interface Stepping {
  /**
   * Takes a row and makes its step, and then its follow-up, whether or not the caller waits. Returns the row after the
   * step, if the step has moved it.
   */
  readonly step: (row: ChangeRow) => Effect.Effect<ChangeRow | undefined, StoreError>
  /** Makes the step of a row that was taken, and its follow-up. Returns whether the row has moved. */
  readonly stepTaken: (row: ChangeRow) => Effect.Effect<boolean, StoreError>
}

export const make = ({ afterStep, inFlight, steps, trace, watch }: SteppingOptions): Stepping => {
  const showOutcome = (before: ChangeRow, after: ChangeRow): Effect.Effect<void> => {
    const { _tag } = outcomeOf(after)
    return Effect.andThen(
      Effect.annotateCurrentSpan(outcomeAttribute, _tag),
      watch.moved(after, outcomeOf(before)._tag, _tag)
    )
  }

  /** Makes a step of a row. A defect must not stop the other rows. */
  const stepOf = (row: ChangeRow, make: Step): Effect.Effect<ChangeRow | undefined, StoreError> =>
    Effect.andThen(watch.link(row.key), make(row)).pipe(
      Effect.map(Option.getOrUndefined),
      Effect.tap((after) => (after === undefined ? Effect.void : showOutcome(row, after))),
      Effect.catchDefect((defect) =>
        Effect.fail(unavailable("The ledger failed to process a change, and left it as it was.", defect))
      ),
      Effect.ensuring(afterStep),
      trace("Ledger.step", {
        "gopay.ledger.key": row.key,
        "gopay.ledger.status": row.status,
        "gopay.operation": row.operation,
        "gopay.payment_id": row.payment_id
      })
    )

  /** A refund that is done holds its payment until its entry is found, so it is looked for at once. */
  const followed = (row: ChangeRow, after: ChangeRow | undefined): Effect.Effect<unknown, StoreError> =>
    row.status === "queued" && after !== undefined ? stepOf(after, steps.follow) : Effect.void

  const takeAndMake: Step = (row) =>
    Effect.flatMap(steps.take(row), (taken) => (Option.isSome(taken) ? steps.next(taken.value) : Effect.succeed(taken)))

  return {
    // Once at a time: this process may already be making a step of the row.
    step: (row) => inFlight.runOnce(row.key, stepOf(row, takeAndMake), (after) => followed(row, after)),
    stepTaken: (row) =>
      Effect.flatMap(stepOf(row, steps.next), (after) => Effect.as(followed(row, after), after !== undefined))
  }
}
