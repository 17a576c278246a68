/**
 * Account statements: read whatever their layout, and compared with a shop's books. Needs nothing installed beside it,
 * but for what reads spreadsheets.
 */
export { parseBankStatement } from "./BankStatement.plain.js"
export type { BankStatement, BankTransfer } from "./BankStatement.plain.js"
export type * from "./BookedOrder.plain.js"
export type { StatementColumns } from "./CsvStatement.plain.js"
export { parseOrders } from "./parseOrders.plain.js"
export { parseStatement } from "./parseStatement.js"
export type { ParseStatementOptions, StatementFile } from "./parseStatement.js"
export { reconcileStatement } from "./reconcileStatement.plain.js"
export type { ReconcileStatementOptions } from "./reconcileStatement.plain.js"
export type { SpreadsheetReader } from "./Spreadsheet.plain.js"
export type * from "./ParsedStatement.plain.js"
export { StatementError } from "./StatementError.plain.js"
export type {
  CurrencyNeeded,
  InvalidStatement,
  SpreadsheetReaderNeeded,
  StatementErrorReason,
  StatementImbalance,
  StatementTooLarge,
  UnknownStatement
} from "./StatementError.plain.js"
export type * from "./StatementReconciliation.plain.js"
