/**
 * When the processes of a test shop are idle.
 */
import { setImmediate } from "node:timers/promises"

/** What the processes of a shop do at the store and the gateway. */
export interface Activity {
  /** Counts what is under way. */
  readonly during: <A>(work: () => Promise<A>) => Promise<A>
  /** Waits until nothing is under way, and nothing follows from what was. */
  readonly ended: () => Promise<void>
}

/** Begins with nothing under way. */
export const makeActivity = (): Activity => {
  let begun = 0
  let underWay = 0
  return {
    during: async (work) => {
      begun++
      underWay++
      try {
        return await work()
      } finally {
        underWay--
      }
    },
    ended: async () => {
      let seen = -1
      for (let quiet = 0; quiet < 5; quiet++) {
        if (underWay > 0 || seen !== begun) quiet = 0
        seen = begun
        await setImmediate()
      }
    }
  }
}
