/**
 * A duration in the form that callers write.
 *
 * This module has no dependency on Effect.
 */

type Unit = "milli" | "second" | "minute" | "hour" | "day" | "week"

/** A duration: milliseconds, or a number and its unit, such as `"20 seconds"` or `"31 days"`. */
export type DurationInput = number | `${number} ${Unit | `${Unit}s`}`
