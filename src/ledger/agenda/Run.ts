/**
 * How long rows are begun: without end by a worker, for its budget by a cron job.
 */
import type { StoreError } from "../store/Database.js"

export interface Run {
  /** In milliseconds since 1970: nothing is begun from then on. */
  readonly until: number
  /** The duties and rows that have failed in this run, if they are not to be tried again in it. */
  readonly failed?: Set<string>
  /** The failures of duties in this run. */
  readonly failures?: Array<StoreError>
}

export const withoutEnd: Run = { until: Infinity }
