/**
 * Places for steps: so many run at once, and whichever ends makes room for the next one at once.
 */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

export type Places = ReturnType<typeof make>

/** Makes `count` places. What runs in them ends with the scope. */
export const make = (count: number, scope: Scope.Scope) => {
  const free = Semaphore.makeUnsafe(count)
  const inPlace = <A, E>(step: Effect.Effect<A, E>) =>
    Effect.forkIn(Effect.ensuring(Effect.interruptible(step), free.release(1)), scope)
  return {
    /** Waits for a free place and begins. Does not wait for the end. */
    begin: <A, E>(step: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
      Effect.uninterruptibleMask((restore) => Effect.andThen(restore(free.take(1)), inPlace(step))),

    /** Begins if there is a free place. */
    beginIfFree: <A, E>(step: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E> | undefined> =>
      Effect.uninterruptible(
        Effect.flatMap(free.takeIfAvailable(1), (isFree) => (isFree ? inPlace(step) : Effect.undefined))
      )
  }
}
