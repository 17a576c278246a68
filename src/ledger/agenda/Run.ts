/**
 * For how long rows are begun: a worker without end, a cron job for its budget.
 */
import type { StoreError } from "../store/Database.js"

export interface Run {
  /** In milliseconds since 1970: nothing is begun from then on. */
  readonly until: number
  /** The duties and rows that have failed in it, where these are not begun again. */
  readonly failed?: Set<string>
  /** What the duties have failed with. */
  readonly failures?: Array<StoreError>
}

export const withoutEnd: Run = { until: Infinity }
