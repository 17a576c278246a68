/**
 * GoPay payments with promises: needs nothing installed beside it.
 */
export { amountFromDecimal, amountToDecimal } from "../api/Amount.js"
export * from "../api/CodeLists.js"
export type * from "../api/Messages.js"
export * from "../client/GatewayError.js"
export type { CallOutcome, FinishedCall } from "../client/FinishedCall.js"
export { createGatewayClient } from "./createGatewayClient.js"
export type { CallOptions, GatewayClient, GatewayClientOptions } from "./GatewayClient.js"
