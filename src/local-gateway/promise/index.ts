/**
 * The local GoPay gateway with promises. It needs no other package.
 */
export type { DurationInput } from "../../basics/DurationInput.js"
export type { EventActor, LocalMerchant } from "../books/Actors.js"
export type {
  ArmedFault,
  ArmingOptions,
  CompleteFault,
  Fault,
  FaultArming,
  GatewayOperation,
  RandomFaults
} from "../server/Fault.js"
export type {
  LoggedEvent,
  JournalEntry,
  LoggedRequest,
  NotificationRequest,
  NotificationResponse
} from "../server/Journal.js"
export { defaultSettings } from "../books/DefaultSettings.js"
export { strictSettings, type LocalGatewaySettings, type SettingsChange } from "../books/LocalGatewaySettings.js"
export { TestCards, type PayByCardOptions, type TestCardNumber } from "../books/TestCards.js"
export * from "./LocalGatewayError.js"
export type {
  MountedLocalGateway,
  MountLocalGatewayOptions,
  RunningLocalGateway,
  SeedJson,
  StartLocalGatewayOptions
} from "./RunningLocalGateway.js"
export { mountLocalGateway, startLocalGateway } from "./startLocalGateway.js"
