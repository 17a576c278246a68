/**
 * Changes of payments that survive crashes, deployments and any number of processes, over the shop's own database.
 */
export * from "./SharedExports.js"
export {
  ChangeOutcome,
  InvalidArgument,
  KeyReused,
  LedgerErrorSchema,
  LedgerUnavailable,
  NotResolved,
  Order
} from "./model/LedgerSchema.js"
export { makeAdminHandler } from "./admin/makeAdminHandler.js"
export { LedgerError } from "./model/YieldableLedgerError.js"
export { Ledger, makeLedger } from "./Ledger.js"
export type {
  CallError,
  ChangeError,
  LedgerErrorOf,
  LedgerNotificationOptions,
  LedgerOperator,
  LedgerOptions,
  LedgerService
} from "./model/LedgerService.js"
export type { LedgerMetricsOptions } from "./MetricsLayer.js"
export { PgLedger, type PgLedgerOptions, type PgLedgerService } from "./PgLedger.js"
export type { EffectSqlClient, SqlTransaction } from "./store/Database.js"
