/**
 * The merchant of a call, in its span and its log messages.
 */
import type { GatewayId } from "../../contract/Messages.js"

/** Spans and messages have it, metrics do not: each merchant of a platform would multiply their series. */
export const merchantAttribute = (goid: GatewayId) => ({ "gopay.goid": String(goid) })
