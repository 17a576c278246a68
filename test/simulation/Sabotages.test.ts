import { assert, it } from "@effect/vitest"
import { allSabotages, misfitsOf } from "./AllSabotages.js"

it("each sabotage changes one place of the source, as it is now", () => {
  assert.deepStrictEqual(misfitsOf(allSabotages), [])
})
