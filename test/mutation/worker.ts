/**
 * The one test that Vitest knows of: after it, `MutationRunner` tries the mutants.
 */
import { expect, it } from "vitest"
import { jobVariable, readJob } from "./Job.js"

it("has tests to run", () => {
  expect(readJob(process.env[jobVariable] ?? "").tests).not.toEqual([])
})
