/**
 * Logs a repeated failure only now and then: a store that is down fails each duty of a worker at every poll.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { minute } from "../../basics/Milliseconds.js"

/** In milliseconds: how long the same message is not logged again. */
const logEvery = 10 * minute

export type RareLog = (error: unknown) => Effect.Effect<void>

export const make = (): RareLog => {
  const logged = new Map<string, number>()
  return (error) =>
    Effect.flatMap(Clock.currentTimeMillis, (time) => {
      const what = String(error)
      const last = logged.get(what)
      if (last !== undefined && time < last + logEvery) return Effect.void
      for (const [other, at] of logged) if (time >= at + logEvery) logged.delete(other)
      logged.set(what, time)
      return Effect.logWarning("The ledger waits", error)
    })
}
