/**
 * A local GoPay gateway for development and tests.
 */
export { DataFileError } from "./server/StartErrors.js"
export type { EventActor, LocalMerchant } from "./books/Actors.js"
export type { ArmedFault, ArmingOptions, CompleteFault, GatewayOperation } from "./server/Fault.js"
export {
  Fault,
  FaultArming,
  faultDescriptions,
  RandomFaults as FaultMix,
  InvalidFault,
  type FaultDescription
} from "./server/Faults.js"
export type {
  LoggedEvent,
  JournalEntry,
  LoggedRequest,
  NotificationRequest,
  NotificationResponse
} from "./server/Journal.js"
export { LocalGateway } from "./LocalGateway.js"
export type { LocalGatewayOptions, LocalGatewayServerOptions, LocalGatewayService } from "./LocalGatewayService.js"
export { ServerStartError } from "./server/StartErrors.js"
export type { NotificationReceiver } from "./server/Notifications.js"
export { PayerActionRefused, type PayerAction } from "./server/PayerControls.js"
export { InvalidSeed, readSeed, readSeedText, type Seed } from "./books/Seed.js"
export type { SeedContent } from "./books/SeedSchema.js"
export { strictSettings, type LocalGatewaySettings, type SettingsChange } from "./books/LocalGatewaySettings.js"
export { TestCards, type PayByCardOptions, type TestCardNumber } from "./books/TestCards.js"
