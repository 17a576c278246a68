/**
 * The local GoPay gateway with promises. It needs no other package.
 */
export type { DurationInput } from "../../contract/DurationInput.js"
export type { EventActor } from "../books/EventActor.js"
export type * from "../engine/Fault.js"
export type { LoggedEvent, JournalEntry, LoggedRequest, NotificationResponse } from "../engine/Journal.js"
export type { PayByCardOptions } from "../engine/PayerAction.js"
export {
  defaultSettings,
  strictSettings,
  type OperationCourse,
  type RecurrenceChild,
  type NotificationTiming,
  type LocalGatewaySettings,
  type SettingsChange
} from "../settings/LocalGatewaySettings.js"
export { TestCards, type TestCardNumber } from "../settings/TestCards.js"
export type * from "../LocalGatewayOperations.js"
export * from "./LocalGatewayError.js"
export type { MountedLocalGateway, MountLocalGatewayOptions } from "./MountedLocalGateway.js"
export type { LocalMerchant, RunningLocalGateway, SeedJson, StartLocalGatewayOptions } from "./RunningLocalGateway.js"
export { mountLocalGateway } from "./mountLocalGateway.js"
export { startLocalGateway } from "./startLocalGateway.js"
