/**
 * A local GoPay gateway to build and test against.
 */
export { DataFileError } from "./engine/DataFile.js"
export type { Actor } from "./books/Actor.plain.js"
export {
  FakeTransport,
  type CapturedRequest,
  type FakeTransportService,
  type ScriptedResponse
} from "./FakeTransport.js"
export type {
  ArmedFault,
  ArmingOptions,
  CodeRefused,
  CommitLater,
  CompleteFault,
  ConnectionReset,
  Effectiveness,
  ExtraMembers,
  FaultName,
  GatewayOperation,
  HtmlBadGateway,
  HtmlForbidden,
  HugeBody,
  Latency,
  MalformedJson,
  NoResponse,
  NullMembers,
  RateLimited,
  ServerError,
  SlowBody,
  TokenRefused,
  TruncatedBody,
  UnknownEnumValues,
  WrongContentType,
  WrongShape
} from "./engine/Fault.plain.js"
export {
  Fault,
  FaultArming,
  faultDescriptions,
  RandomFaults as FaultMix,
  InvalidFault,
  type FaultDescription
} from "./engine/Fault.js"
export type { LoggedEvent, JournalEntry, LoggedRequest } from "./engine/Journal.plain.js"
export { LocalGateway } from "./LocalGateway.js"
export type {
  LocalGatewayOptions,
  LocalGatewayServerOptions,
  MountedLocalGatewayOptions
} from "./LocalGatewayOptions.js"
export type * from "./LocalGatewayOperations.plain.js"
export type { LocalGatewayService } from "./LocalGatewayService.js"
export { ServerStartError } from "./http/LoopbackServer.js"
export type { Merchant } from "./settings/Merchant.js"
export type { NotificationReceiver } from "./engine/Notifications.js"
export type { PayByCardOptions, PayerAction } from "./engine/PayerAction.plain.js"
export { PayerActionRefused } from "./engine/PayerControls.js"
export { InvalidSeed, readSeed, readSeedText, type Seed } from "./seed/Seed.js"
export type { SeedContent } from "./seed/SeedSchema.js"
export {
  strictSettings,
  type OperationResult,
  type RecurrenceChild,
  type ReturnOrder,
  type Settings,
  type SettingsChange
} from "./settings/Settings.plain.js"
export { TestCards, type TestCardNumber } from "./settings/TestCards.plain.js"
