/**
 * Messages to the processes of the throughput benchmark.
 */

/** What is made. */
export type Work = "refund" | "submit" | "order" | "notification"

/** A process's task: how many to make, and the number of the first. */
export interface Task {
  readonly work: Work
  readonly first: number
  readonly count: number
}

/** What a process makes its work with. */
export interface Worker {
  /** Prepares what is not measured. */
  readonly prepare: (task: Task) => Promise<void>
  readonly run: (work: Work, number: number) => Promise<unknown>
  /** Ends what is under way. */
  readonly close: () => Promise<void>
}

/** Whose number a payment is. */
export const firstPaymentId = 3_000_000_000
