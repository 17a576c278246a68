/**
 * How much a generated test generates, and from what: `CHAOS_RUNS=100000 CHAOS_SEED=7 npx vitest run test/chaos`. With
 * more than a thousand cases a test is also thorough in other ways: more seeds, more killed processes.
 */
import { beforeEach } from "vitest"

const usual = 1_000

/** How many cases: a thousand, unless `CHAOS_RUNS` says otherwise. */
export const runs = Number(process.env["CHAOS_RUNS"] ?? usual)

/** Whether there are so many cases that each thing that can go wrong has to come about. */
export const isCampaign = runs >= usual

/** Whether this is a long check, in which nothing is left out. */
export const isThorough = runs > usual

/** The first of some cases; in a long check all of them. */
export const firstOf = <A>(few: number, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  isThorough ? all : all.slice(0, few)

/** Every fifth of some cases, from the offset on; in a long check all of them. */
export const everyFifthOf = <A>(all: ReadonlyArray<A>, offset: number): ReadonlyArray<A> =>
  isThorough ? all : all.filter((_, index) => index % 5 === offset % 5)

/** What the cases are generated from: another number each time, unless `CHAOS_SEED` says which. */
export const seed = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

declare module "vitest" {
  interface TaskMeta {
    /** The variables that a test depends on beside its source, for whoever repeats it. */
    variables?: Readonly<Record<string, string>>
  }
}

/** Makes a failed test print the seed and the number of runs that reproduce it. */
export const sayHowToRepeat = (): void => {
  beforeEach(({ task }) => {
    task.meta.variables = { CHAOS_SEED: String(seed), CHAOS_RUNS: String(runs) }
  })
}
