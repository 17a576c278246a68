/**
 * Account statements: read whatever their layout, and compared with a shop's books. Needs nothing installed beside it,
 * but for what reads spreadsheets.
 */
export { parseBankStatement } from "./BankStatement.js"
export type { BankStatement, BankTransfer } from "./BankStatement.js"
export type * from "./BookedOrder.js"
export { parseOrders } from "./parseOrders.js"
export { parseStatement } from "./parseStatement.js"
export type { ParseStatementOptions, StatementFile } from "./parseStatement.js"
export { reconcileStatement } from "./reconcileStatement.js"
export type { ReconcileStatementOptions } from "./reconcileStatement.js"
export type * from "./ParsedStatement.js"
export { StatementError } from "./StatementError.js"
export type {
  CurrencyNeeded,
  InvalidStatement,
  SpreadsheetReaderNeeded,
  StatementErrorReason,
  StatementImbalance,
  StatementTooLarge,
  UnknownStatement
} from "./StatementError.js"
export type * from "./StatementReconciliation.js"
