/**
 * Making a plan that fails as small as it can be: without the events, and without the troubles, that it fails without.
 */
import type { Plan } from "./Plan.js"
import { type Outcome, simulate } from "./Simulation.js"

/** A smaller plan, and what came of it. */
export interface Shrunk {
  readonly plan: Plan
  readonly outcome: Outcome
  readonly simulations: number
}

/** Leaves out of a list as much as possible, in ever smaller parts. */
const leaveOut = <A>(list: ReadonlyArray<A>, fails: (rest: ReadonlyArray<A>) => boolean): void => {
  let rest = list
  for (let size = rest.length; size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < rest.length;) {
      const shorter = [...rest.slice(0, start), ...rest.slice(start + size)]
      if (fails(shorter)) rest = shorter
      else start += size
    }
  }
}

/** Shrinks a plan for as long as it violates the same invariant. */
export const shrink = (plan: Plan, outcome: Outcome, most = 300): Shrunk => {
  let best = { plan, outcome }
  let simulations = 0
  const tries = (smaller: Plan): boolean => {
    if (simulations >= most) return false
    simulations++
    const came = simulate(smaller)
    if (came.violation?.invariant !== outcome.violation?.invariant) return false
    best = { plan: smaller, outcome: came }
    return true
  }
  leaveOut(plan.events, (events) => tries({ ...best.plan, events }))
  const troubles = [...best.outcome.troubles]
  leaveOut(troubles, (left) =>
    tries({ ...best.plan, spared: new Set(troubles.filter((trouble) => !left.includes(trouble))) })
  )
  leaveOut(best.plan.events, (events) => tries({ ...best.plan, events }))
  return { ...best, simulations }
}
