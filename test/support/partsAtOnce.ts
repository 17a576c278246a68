import type { SettingsChange } from "../../src/local-gateway/index.js"

/** Parts of a payment are refunded at once, not after GoPay's 24 hours: for tests that are about something else. */
export const partsAtOnce = { partialRefundDelaySeconds: 0 } as const satisfies SettingsChange
