/**
 * The work of the agenda that is in flight in this process, whether a worker, a cron job or a wake began it.
 */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { InFlight } from "../process/InFlight.js"

type Fibers = Set<Fiber.Fiber<unknown, unknown>>

export interface Begun {
  readonly acts: Fibers
  readonly looks: Fibers
  /** The names of the rows that are being acted on, or wait for a place. */
  readonly acting: Set<string>
  done: number
  /** How many of the rows done belong to duties that a cron job does not count. */
  uncounted: number
}

export const nothingBegun = (): Begun => ({
  acts: new Set(),
  looks: new Set(),
  acting: new Set(),
  done: 0,
  uncounted: 0
})

/** Keeps a fiber in some sets until it ends. */
export const follow = (fiber: Fiber.Fiber<unknown, unknown>, ...sets: ReadonlyArray<Fibers>): void => {
  for (const fibers of sets) {
    fibers.add(fiber)
    fiber.addObserver(() => fibers.delete(fiber))
  }
}

/** Begins a poll in the background. */
export const beginLook = (
  { looks }: Pick<Begun, "looks">,
  { scope }: Pick<InFlight, "scope">,
  look: Effect.Effect<unknown>
): Effect.Effect<void> => Effect.map(Effect.forkIn(look, scope), (fiber) => follow(fiber, looks))
