/**
 * The one loop over all duties: look for what is due (`Work.ts`), take a row with a lease, find it a place, act (`Page.ts`).
 * What fails or dies stops itself only.
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
  /** Does what is due for as long as it runs: a fiber for each duty, so that none waits for another. */
  readonly runWorker: (works: ReadonlyArray<Work.Work>) => Effect.Effect<never>
  /**
   * Does what is due, pass after pass, until one begins nothing or the budget is spent, and waits for what was begun. What has
   * failed is not begun again. Gives how many rows were done.
   */
  readonly runOnce: (works: ReadonlyArray<Work.Work>, budget: Duration.Duration) => Effect.Effect<number, StoreError>
}

export const make = ({ ready, ...options }: AgendaOptions): Agenda => {
  const begun = nothingBegun()
  const logRarely = RareLog.make()

  /** Looks again and again, whether that fails or not. */
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
