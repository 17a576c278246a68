/**
 * A local GoPay gateway to build and test against.
 */
export { DataFileError } from "./engine/DataFileError.js"
export type { EventActor } from "./books/EventActor.js"
export type {
  ArmedFault,
  ArmingOptions,
  RefusalFault,
  CommitLaterFault,
  CompleteFault,
  ConnectionResetFault,
  CommitState,
  ExtraMembersFault,
  FaultName,
  GatewayOperation,
  HtmlBadGatewayFault,
  HtmlForbiddenFault,
  HugeBodyFault,
  LatencyFault,
  MalformedJsonFault,
  NoResponseFault,
  NullMembersFault,
  RateLimitedFault,
  ServerErrorFault,
  SlowBodyFault,
  TokenRefusedFault,
  TruncatedBodyFault,
  UnknownEnumValuesFault,
  WrongContentTypeFault,
  WrongShapeFault
} from "./engine/Fault.js"
export {
  Fault,
  FaultArming,
  faultDescriptions,
  RandomFaults as FaultMix,
  InvalidFault,
  type FaultDescription
} from "./engine/Faults.js"
export type { LoggedEvent, JournalEntry, LoggedRequest, NotificationResponse } from "./engine/Journal.js"
export { LocalGateway } from "./LocalGateway.js"
export type {
  LocalGatewayOptions,
  LocalGatewayServerOptions,
  MountedLocalGatewayOptions
} from "./LocalGatewayOptions.js"
export type * from "./LocalGatewayOperations.js"
export type { LocalGatewayService } from "./LocalGatewayService.js"
export { ServerStartError } from "./http/ServerStartError.js"
export type { LocalMerchant } from "./settings/LocalMerchant.js"
export type { NotificationReceiver } from "./engine/Notifications.js"
export type { PayByCardOptions, PayerAction } from "./engine/PayerAction.js"
export { PayerActionRefused } from "./engine/PayerControls.js"
export { InvalidSeed, readSeed, readSeedText, type Seed } from "./seed/Seed.js"
export type { SeedContent } from "./seed/SeedSchema.js"
export {
  strictSettings,
  type OperationCourse,
  type RecurrenceChild,
  type NotificationTiming,
  type LocalGatewaySettings,
  type SettingsChange
} from "./settings/LocalGatewaySettings.js"
export { TestCards, type TestCardNumber } from "./settings/TestCards.js"
