/**
 * The one loop over all duties: poll for due rows (`Work.ts`), take each with a lease, wait for a place, act on it
 * (`Page.ts`). A duty that fails or dies stops only itself.
 */
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StoreError } from "../store/Database.js"
import { nothingBegun } from "./Begun.js"
import type { Duty } from "./Duty.js"
import * as RareLog from "./RareLog.js"
import { withoutEnd } from "./Run.js"
import { runOnce } from "./RunOnce.js"
import * as Work from "./Work.js"

export interface AgendaOptions extends Omit<Work.WorkOptions, "begun" | "logRarely"> {
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
}

export interface Agenda {
  readonly work: <Row, Taken, E>(duty: Duty<Row, Taken, E>) => Work.Work
  /** Runs the duties until it is interrupted, each in a fiber of its own, so that none waits for another. */
  readonly runWorker: (works: ReadonlyArray<Work.Work>) => Effect.Effect<never>
  /**
   * Makes passes over the due rows until a pass begins nothing or the budget is spent, then waits for what it has
   * begun. A row or duty that has failed is not tried again in the same run. Returns how many rows were done.
   */
  readonly runOnce: (works: ReadonlyArray<Work.Work>, budget: Duration.Duration) => Effect.Effect<number, StoreError>
}

export const make = ({ ready, ...options }: AgendaOptions): Agenda => {
  const begun = nothingBegun()
  const logRarely = RareLog.make()

  /** Polls again after each pause, whether the last poll failed or not. */
  const looping = ({ isWatch, look, pause }: Work.Work): Effect.Effect<never> =>
    Effect.forever(
      Effect.andThen(
        Effect.catchCause(
          Effect.andThen(isWatch === true ? Effect.ignoreCause(ready) : ready, look(withoutEnd)),
          (cause) => logRarely(Cause.squash(cause))
        ),
        Effect.sleep(pause)
      )
    )

  return {
    work: (duty) => Work.make({ ...options, begun, logRarely }, duty),
    runWorker: (works) =>
      Effect.andThen(Effect.forEach(works, looping, { concurrency: "unbounded", discard: true }), Effect.never),
    runOnce: (works, budget) => runOnce({ begun, budget, inFlight: options.inFlight, works })
  }
}
