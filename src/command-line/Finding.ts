/**
 * What a check says: one line.
 */

/**
 * - `ok`: it is as it has to be.
 * - `problem`: what to do is in the message.
 * - `unknown`: it cannot be seen from here, and the message says who can.
 */
export type FindingStatus = "ok" | "problem" | "unknown"

/** One line of `check`. */
export interface Finding {
  readonly check: string
  readonly status: FindingStatus
  readonly message: string
}

/** Makes the findings of one check. */
export const findingsOf = (check: string) => ({
  ok: (message: string): Finding => ({ check, status: "ok", message }),
  problem: (message: string): Finding => ({ check, status: "problem", message }),
  unknown: (message: string): Finding => ({ check, status: "unknown", message })
})
