/**
 * A gateway of one's own with promises: needs nothing installed beside it.
 */
export type { Actor } from "../Actor.js"
export type * from "../Fault.js"
export type { Happening, JournalEntry, LoggedRequest } from "../Journal.js"
export type { PayByCardOptions } from "../PayerAction.js"
export {
  defaultSettings,
  type OperationResult,
  type RecurrenceChild,
  type ReturnOrder,
  type Settings,
  type SettingsChange
} from "../Settings.js"
export { TestCards, type TestCardNumber } from "../TestCards.js"
export * from "./LocalGatewayError.js"
export type { LocalMerchant, RunningLocalGateway, SeedJson, StartLocalGatewayOptions } from "./RunningLocalGateway.js"
export { startLocalGateway } from "./startLocalGateway.js"
