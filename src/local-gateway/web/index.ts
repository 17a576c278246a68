/**
 * The local GoPay gateway without Node: in a page, a worker, or another runtime of the web. It needs no other package.
 */
export type { DurationInput } from "../../api/DurationInput.plain.js"
export type { EventActor } from "../books/EventActor.plain.js"
export type * from "../engine/Fault.plain.js"
export type { LoggedEvent, JournalEntry, LoggedRequest } from "../engine/Journal.plain.js"
export type { PayByCardOptions } from "../engine/PayerAction.plain.js"
export {
  defaultSettings,
  strictSettings,
  type OperationCourse,
  type RecurrenceChild,
  type NotificationTiming,
  type LocalGatewaySettings,
  type SettingsChange
} from "../settings/LocalGatewaySettings.plain.js"
export { TestCards, type TestCardNumber } from "../settings/TestCards.plain.js"
export type * from "../LocalGatewayOperations.plain.js"
export * from "../promise/LocalGatewayError.plain.js"
export type { LocalMerchant, SeedJson } from "../promise/RunningLocalGateway.plain.js"
export type { MountedLocalGateway, MountLocalGatewayOptions } from "./MountedLocalGateway.plain.js"
export { mountLocalGateway } from "./mountLocalGateway.js"
