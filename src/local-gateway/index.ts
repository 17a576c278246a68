/**
 * A gateway of one's own, to build and test against.
 */
export type { RecurrenceChild } from "./Books.js"
export {
  LocalGateway,
  type LocalGatewayServerOptions,
  type LocalGatewayService,
  type LocalGatewaySettings
} from "./LocalGateway.js"
export { ServerNotStarted } from "./LoopbackServer.js"
export type { Merchant } from "./Merchant.js"
export { PayerActionRefused, type PayByCardOptions, type PayerAction } from "./PayerControls.js"
export type { LoggedRequest } from "./RequestLog.js"
export { TestCards, type TestCardNumber } from "./TestCards.js"
