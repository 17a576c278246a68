/**
 * What `npm run parity` says of a recording.
 */
import type { Comparison } from "./Differences.js"

/** Whether a comparison proves anything: without a common response it has no difference either. */
export const isPassed = ({ compared, differences }: Comparison): boolean =>
  compared.steps > 0 && differences.length === 0

/** The summary of a comparison, then each difference and each thing that was left out. */
export const reportOf = ({ compared, differences, leftOut }: Comparison): ReadonlyArray<string> => [
  compared.steps === 0
    ? "NOT PASSED: there is no response to compare"
    : `${differences.length === 0 ? "passed" : "NOT PASSED"}: ${differences.length} differences`,
  `compared: ${compared.steps} steps with their statuses, ${compared.headers} headers, ${compared.fields} fields of bodies`,
  ...differences.map((difference) => `  ${difference}`),
  `left out: ${leftOut.length}`,
  ...leftOut.map((reason) => `  ${reason}`)
]
