import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isThorough } from "../support/Runs.js"
import { ledgerPlanOf } from "./LedgerPlan.js"
import { planOf } from "./Plan.js"
import { simulate } from "./Simulation.js"
import { storyOf } from "./Story.js"
import { Process, RealWait, Simulator } from "./Simulator.js"

describe("In a simulated world where everything goes wrong", () => {
  it("the same seed gives the same story", () => {
    for (const seed of isThorough ? [3, 14, 15] : [3]) {
      for (const plan of [planOf, ledgerPlanOf]) {
        const story = storyOf(simulate(plan(seed)), Infinity)
        simulate(plan(seed + 1))
        assert.strictEqual(storyOf(simulate(plan(seed)), Infinity), story)
      }
    }
  }, 600_000)
})

describe("A simulation", () => {
  const run = (program: Effect.Effect<unknown>) => {
    const simulator = new Simulator(1, () => false)
    const process = new Process(simulator, "a process", true)
    process.start(program, Context.empty())
    simulator.run()
    return { simulator, process }
  }

  it("takes no time for what waits in it", () => {
    const { simulator } = run(Effect.sleep("3 days"))
    assert.strictEqual(simulator.now, 3 * 24 * 3_600_000)
  })

  it("does not let a program wait for a promise or a real timer", () => {
    assert.throws(() => run(Effect.promise(() => Promise.resolve())), RealWait)
    assert.throws(() => run(Effect.callback((resume) => void setTimeout(() => resume(Effect.void), 1))), RealWait)
  })

  it("runs no finalizer of a process that dies", () => {
    let isFinalized = false
    const simulator = new Simulator(1, () => false)
    const process = new Process(simulator, "a process", true)
    process.start(
      Effect.ensuring(
        Effect.sleep(1_000),
        Effect.sync(() => (isFinalized = true))
      ),
      Context.empty()
    )
    simulator.after(new Process(simulator, "fate", false), 500, () => process.die())
    simulator.run()
    assert.isFalse(isFinalized)
  })
})
