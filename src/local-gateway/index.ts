/**
 * A gateway of one's own, to build and test against.
 */
export { DataFileUnusable } from "./DataFile.js"
export type { Actor } from "./Actor.js"
export { FakeTransport, type CapturedRequest, type FakeTransportService, type ScriptedAnswer } from "./FakeTransport.js"
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
  NoAnswer,
  NullMembers,
  RateLimited,
  ServerError,
  SlowBody,
  TokenRefused,
  TruncatedBody,
  UnknownEnumValues,
  WrongContentType,
  WrongShape
} from "./Fault.js"
export { Fault, FaultArming, faultDescriptions, FaultMix, InvalidFault, type FaultDescription } from "./Faults.js"
export type { Happening, JournalEntry, LoggedRequest } from "./Journal.js"
export {
  LocalGateway,
  type LocalGatewayOptions,
  type LocalGatewayServerOptions,
  type LocalGatewayService
} from "./LocalGateway.js"
export { ServerNotStarted } from "./LoopbackServer.js"
export type { Merchant } from "./Merchant.js"
export type { NotificationReceiver } from "./Notifications.js"
export type { PayByCardOptions, PayerAction } from "./PayerAction.js"
export { PayerActionRefused } from "./PayerControls.js"
export { InvalidSeed, readSeed, readSeedText, type Seed } from "./Seed.js"
export type { SeedContent } from "./SeedSchema.js"
export type { OperationResult, RecurrenceChild, ReturnOrder, Settings, SettingsChange } from "./Settings.js"
export { TestCards, type TestCardNumber } from "./TestCards.js"
