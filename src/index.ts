/**
 * GoPay payments as Effect programs, and the same as promises through `createGatewayClient`.
 */
export { amountFromDecimal, amountToDecimal } from "./api/Amount.js"
export * from "./api/CodeLists.js"
export * as GatewaySchema from "./api/GatewaySchema.js"
export type * from "./api/Messages.js"
export { AccessToken, type AccessTokens, type Token } from "./client/AccessToken.js"
export { AttemptTimeout } from "./client/Attempt.js"
export { Gateway, type GatewayService } from "./client/Gateway.js"
export { GatewayConfig, type GatewaySettings } from "./client/GatewayConfig.js"
export * from "./client/GatewayError.js"
export type { Environment, GatewayOptions } from "./client/GatewayOptions.js"
export * from "./client/Programs.js"
export { RetryPolicy } from "./client/RetryPolicy.js"
export { UnknownOutcomes } from "./client/UnknownOutcomes.js"
export { createGatewayClient } from "./promise/createGatewayClient.js"
export type { CallOptions, GatewayClient, GatewayClientOptions } from "./promise/GatewayClient.js"
