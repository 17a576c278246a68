/**
 * A gateway of one's own, to build and test against.
 */
export { FakeTransport, type CapturedRequest, type FakeTransportService, type ScriptedAnswer } from "./FakeTransport.js"
export {
  Fault,
  FaultArming,
  faultDescriptions,
  FaultMix,
  InvalidFault,
  type ArmedFault,
  type CodeRefused,
  type CommitLater,
  type CompleteFault,
  type ConnectionReset,
  type Effectiveness,
  type ExtraMembers,
  type FaultDescription,
  type FaultName,
  type GatewayOperation,
  type HtmlBadGateway,
  type HtmlForbidden,
  type HugeBody,
  type Latency,
  type MalformedJson,
  type NoAnswer,
  type NullMembers,
  type RateLimited,
  type ServerError,
  type SlowBody,
  type TokenRefused,
  type TruncatedBody,
  type UnknownEnumValues,
  type WrongContentType,
  type WrongShape
} from "./Faults.js"
export type { Happening, JournalEntry, LoggedRequest } from "./Journal.js"
export {
  LocalGateway,
  type ArmingOptions,
  type LocalGatewayOptions,
  type LocalGatewayServerOptions,
  type LocalGatewayService
} from "./LocalGateway.js"
export { ServerNotStarted } from "./LoopbackServer.js"
export type { Merchant } from "./Merchant.js"
export type { Actor } from "./Moment.js"
export type { NotificationReceiver } from "./Notifications.js"
export { PayerActionRefused, type PayByCardOptions, type PayerAction } from "./PayerControls.js"
export type { OperationResult, RecurrenceChild, ReturnOrder, Settings, SettingsChange } from "./Settings.js"
export { TestCards, type TestCardNumber } from "./TestCards.js"
