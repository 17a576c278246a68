/**
 * How long the gateway asks to wait before a request is repeated: `Retry-After` of a response with status 429, 408 or 5xx.
 */
import type { AnyReason } from "./AnyReason.js"

/** In milliseconds; `undefined` if the gateway does not say. */
export const askedWait = (reason: AnyReason): number | undefined =>
  reason._tag === "RateLimited" || reason._tag === "GatewayUnavailable" ? reason.retryAfterMillis : undefined
