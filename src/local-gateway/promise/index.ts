/**
 * The local GoPay gateway with promises. It needs no other package.
 */
export type { DurationInput } from "../../contract/DurationInput.js"
export type { EventActor } from "../books/EventActor.js"
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
export type { LoggedEvent, JournalEntry, LoggedRequest, NotificationResponse } from "../server/Journal.js"
export type { PayByCardOptions } from "../server/PayerAction.js"
export { defaultSettings } from "../books/DefaultSettings.js"
export {
  strictSettings,
  type OperationCourse,
  type RecurrenceChild,
  type NotificationTiming,
  type LocalGatewaySettings,
  type SettingsChange
} from "../books/LocalGatewaySettings.js"
export { TestCards, type TestCardNumber } from "../books/TestCards.js"
export type * from "../LocalGatewayOperations.js"
export * from "./LocalGatewayError.js"
export type {
  LocalMerchant,
  MountedLocalGateway,
  MountLocalGatewayOptions,
  RunningLocalGateway,
  SeedJson,
  StartLocalGatewayOptions
} from "./RunningLocalGateway.js"
export { mountLocalGateway } from "./mountLocalGateway.js"
export { startLocalGateway } from "./startLocalGateway.js"
