/**
 * How a payment that was given up differs from one that was declined. The dashboard reads it too, so it imports nothing.
 */

/** Whether a cancelled payment was given up by its payer or its shop. Any other sub-state is the reason of a decline. */
export const isGivenUp = (subState: string | undefined): boolean => subState === undefined || subState === "_5043"
