/**
 * An effect that is run until it succeeds.
 */
import * as Effect from "effect/Effect"

/** Caches a success. A failure is forgotten: the next caller tries again. */
export const onceSuccessful = <E>(effect: Effect.Effect<void, E>): Effect.Effect<void, E> => {
  let hasSucceeded = false
  const tried = Effect.tap(effect, () =>
    Effect.sync(() => {
      hasSucceeded = true
    })
  )
  return Effect.suspend(() => (hasSucceeded ? Effect.void : tried))
}
