/**
 * A local GoPay gateway to build and test against.
 */
export { DataFileError } from "./server/DataFileError.js"
export type { EventActor } from "./books/EventActor.js"
export type {
  ArmedFault,
  ArmingOptions,
  CommitState,
  CompleteFault,
  FaultName,
  GatewayOperation
} from "./server/Fault.js"
export {
  Fault,
  FaultArming,
  faultDescriptions,
  RandomFaults as FaultMix,
  InvalidFault,
  type FaultDescription
} from "./server/Faults.js"
export type { LoggedEvent, JournalEntry, LoggedRequest, NotificationResponse } from "./server/Journal.js"
export { LocalGateway } from "./LocalGateway.js"
export type {
  LocalGatewayOptions,
  LocalGatewayServerOptions,
  MountedLocalGatewayOptions
} from "./LocalGatewayOptions.js"
export type * from "./LocalGatewayOperations.js"
export type { LocalGatewayService } from "./LocalGatewayService.js"
export { ServerStartError } from "./server/ServerStartError.js"
export type { LocalMerchant } from "./books/LocalMerchant.js"
export type { NotificationReceiver } from "./server/Notifications.js"
export type { PayByCardOptions, PayerAction } from "./server/PayerAction.js"
export { PayerActionRefused } from "./server/PayerControls.js"
export { InvalidSeed, readSeed, readSeedText, type Seed } from "./books/Seed.js"
export type { SeedContent } from "./books/SeedSchema.js"
export {
  strictSettings,
  type OperationCourse,
  type RecurrenceChild,
  type NotificationTiming,
  type LocalGatewaySettings,
  type SettingsChange
} from "./books/LocalGatewaySettings.js"
export { TestCards, type TestCardNumber } from "./books/TestCards.js"
