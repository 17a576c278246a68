/**
 * Where a test kills a process.
 */

/**
 * Where a test kills the shop's process: before it sends its next change, or after the gateway has carried the change out
 * and before the response arrives.
 *
 * @category testing
 */
export type KillPoint = "beforeSending" | "afterSending"
