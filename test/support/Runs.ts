/**
 * How much a generated test generates, and from what: `CHAOS_RUNS=100000 CHAOS_SEED=7 npx vitest run test/chaos`.
 */
import { beforeEach } from "vitest"

const asked = process.env["CHAOS_RUNS"]

/** Someone waits for more than a response in a minute. */
export const isThorough = asked !== undefined

/** How many cases: a thousand, unless `CHAOS_RUNS` says otherwise. */
export const runs = Number(asked ?? 1_000)

/** What the cases are generated from: another number each time, unless `CHAOS_SEED` says which. */
export const seed = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

/** Lets each test of a file that fails say how to generate the same again. */
export const sayHowToRepeat = (): void => {
  beforeEach(({ onTestFailed }) =>
    onTestFailed(() => console.log(`generated with CHAOS_SEED=${seed} CHAOS_RUNS=${runs}`))
  )
}
