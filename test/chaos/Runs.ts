/**
 * How much a generated test generates, and from what: `CHAOS_RUNS=100000 CHAOS_SEED=7 npx vitest run test/chaos`.
 */

/** How many cases: a thousand, unless `CHAOS_RUNS` says otherwise. */
export const runs = Number(process.env["CHAOS_RUNS"] ?? 1_000)

/** What the cases are generated from: another number each time, unless `CHAOS_SEED` says which. */
export const seed = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

console.log(`generated with CHAOS_SEED=${seed} CHAOS_RUNS=${runs}`)
