/**
 * Where a test kills a process.
 *
 * This module does not depend on Effect.
 */

/**
 * Where a process of the shop is killed: before the next change is sent, or after the gateway has carried it out and
 * before the process hears of it.
 *
 * @category testing
 * @since 0.1.0
 */
export type KillPoint = "beforeSending" | "afterSending"
