/**
 * How often a ledger asks an operator about a change that needed none: an alarm that is for nothing too often is read by no one.
 */
import { assert, it } from "@effect/vitest"
import { isThorough } from "../support/Runs.js"
import { alarmsOf } from "./alarmsOf.js"
import { seedsFrom } from "./checkSeeds.js"

const last = isThorough ? 300 : 20

it(`an operator is asked for nothing about at most one key in two hundred: seeds 1 to ${last}`, () => {
  const days = seedsFrom(1, last).map((seed) => alarmsOf(seed))
  assert.deepStrictEqual(
    days.flatMap(({ violation }) => violation?.what ?? []),
    []
  )
  const keys = days.reduce((sum, { alarms }) => sum + alarms.keys, 0)
  const asked = days.flatMap(({ alarms }) => alarms.asked)
  const forNothing = asked.filter((kind) => kind.endsWith("for nothing"))
  // With fewer keys the limit below would prove nothing.
  assert.isAbove(keys, 5 * last)
  assert.isNotEmpty(asked)
  assert.isAtMost(200 * forNothing.length, keys, `${forNothing.length} of ${keys} keys: ${forNothing.join(", ")}`)
}, 900_000)
