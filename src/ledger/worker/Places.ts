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
  return {
    /** Waits for a free place and begins. Does not wait for the end. */
    begin: <A, E>(step: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(free.take(1)), () =>
          Effect.forkIn(Effect.ensuring(restore(step), free.release(1)), scope)
        )
      )
  }
}
