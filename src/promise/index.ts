/**
 * GoPay payments with promises: needs nothing installed beside it.
 */
export { amountFromDecimal, amountToDecimal } from "../api/Amount.js"
export * from "../api/CodeLists.js"
export type * from "../api/Messages.js"
export { aboutToSend, type RefundSending, type Sending } from "../client/AboutToSend.js"
export * from "../client/GatewayError.js"
export type * from "../client/Reconciliation.js"
export { createGatewayClient } from "./createGatewayClient.js"
export type { CallOptions, GatewayClient, GatewayClientOptions } from "./GatewayClient.js"
export { parseSentChange } from "./parseSentChange.js"
