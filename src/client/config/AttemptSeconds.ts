/** How long an attempt may take unless the options say otherwise, in seconds. */
export const attemptSeconds = { read: 30, change: 120 } as const
