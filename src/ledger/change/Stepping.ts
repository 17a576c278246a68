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

/** The result of a step. */
export interface StepMade {
  /** The row after the step, if the step has moved it. */
  readonly row: ChangeRow | undefined
  /** The follow-up that this process makes at once. No caller has to wait for it. */
  readonly rest: Effect.Effect<void, StoreError>
}

export interface Stepping {
  /** Takes a row and makes its step. Returns the follow-up. */
  readonly step: (row: ChangeRow) => Effect.Effect<StepMade, StoreError>
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

  /** Makes the step, unless this process is already making a step of the row. */
  const runStep = (row: ChangeRow, make: Step): Effect.Effect<ChangeRow | undefined, StoreError> =>
    inFlight.runOnce(row.key, stepOf(row, make))

  const isFollowed = (row: ChangeRow, after: ChangeRow | undefined): after is ChangeRow =>
    row.status === "queued" && after !== undefined

  const takeAndMake: Step = (row) =>
    Effect.flatMap(steps.take(row), (taken) => (Option.isSome(taken) ? steps.next(taken.value) : Effect.succeed(taken)))

  return {
    step: (row) =>
      Effect.map(runStep(row, takeAndMake), (after) => ({
        row: after,
        rest: isFollowed(row, after) ? Effect.asVoid(runStep(after, steps.follow)) : Effect.void
      })),
    stepTaken: (row) =>
      Effect.flatMap(stepOf(row, steps.next), (after) =>
        isFollowed(row, after) ? Effect.as(stepOf(after, steps.follow), true) : Effect.succeed(after !== undefined)
      )
  }
}
