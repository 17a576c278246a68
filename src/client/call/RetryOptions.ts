/**
 * Options for the promise client's automatic retries.
 */
import type { DurationInput } from "../../contract/DurationInput.js"

/** Limits of the attempts at a read, or at the request for a token. Changes are never repeated by this. */
export interface RetryOptions {
  /** Attempts in all, the first included: a whole number, 1 or more. Default: 4. */
  readonly attempts?: number | undefined
  /**
   * The time limit of a read with all its attempts and the waits between them; then it rejects with the last error.
   * Waiting for a token may take as long again. Default: 2 minutes.
   */
  readonly totalTimeout?: DurationInput | undefined
}
