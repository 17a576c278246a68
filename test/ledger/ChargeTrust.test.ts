/**
 * Whether a charge may have been made before a backup was restored.
 */
import { expect, it } from "@effect/vitest"
import { trustProblem } from "../../src/ledger/change/ChargeSteps.js"

const restored = { at: 100, releasedAt: undefined, madeAt: undefined }
const asked = { createdAt: 101, dayBegins: undefined }

it.each([
  ["where nothing was restored", asked, undefined, undefined],
  ["that waited when it was restored", { ...asked, createdAt: 100 }, restored, "Waited"],
  ["that waited, although its day is later", { createdAt: 99, dayBegins: 200 }, restored, "Waited"],
  [
    "that waited, although charges are released",
    { ...asked, createdAt: 99 },
    { ...restored, releasedAt: 150 },
    "Waited"
  ],
  ["without a day", asked, restored, "Undated"],
  ["for a day before", { ...asked, dayBegins: 100 }, restored, "Undated"],
  ["for a later day", { ...asked, dayBegins: 101 }, restored, undefined],
  ["that is released", asked, { ...restored, releasedAt: 101 }, undefined],
  ["that was released after an earlier restore only", asked, { ...restored, releasedAt: 100 }, "Undated"],
  ["of a first payment made since", asked, { ...restored, madeAt: 101 }, undefined],
  ["of a first payment made before", asked, { ...restored, madeAt: 100 }, "Undated"]
] as const)("a charge %s", (_, charge, trust, expected) => {
  expect(trustProblem(charge, trust)).toBe(expected)
})
