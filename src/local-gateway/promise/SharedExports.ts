/**
 * What the local gateway with promises exports on Node and on the web.
 */
export type { DurationInput } from "../../contract/DurationInput.js"
export type { EventActor, LocalMerchant } from "../books/Actors.js"
export type {
  ArmedFault,
  ArmingOptions,
  CommitState,
  CompleteFault,
  Fault,
  FaultArming,
  FaultName,
  GatewayOperation,
  RandomFaults
} from "../server/Fault.js"
export type { PlaceOptions } from "../server/BasePath.js"
export type {
  LoggedEvent,
  JournalEntry,
  JournalListeners,
  LoggedRequest,
  NotificationResponse
} from "../server/Journal.js"
export { defaultSettings } from "../books/DefaultSettings.js"
export {
  strictSettings,
  type OperationCourse,
  type RecurrenceChild,
  type NotificationTiming,
  type LocalGatewaySettings,
  type SettingsChange
} from "../books/LocalGatewaySettings.js"
export { TestCards, type PayByCardOptions, type TestCardNumber } from "../books/TestCards.js"
export type * from "../LocalGatewayOperations.js"
export * from "./LocalGatewayError.js"
