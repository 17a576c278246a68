/**
 * Account statements: read from any layout, and compared with a shop's books. No other package has to be installed,
 * except a library to read spreadsheets.
 */
export { parseBankStatement, type BankStatement, type BankTransfer } from "./AboStatement.js"
export { parseOrders } from "./BookedOrder.js"
export type {
  BookedOrder,
  BookedPayment,
  BookedRefund,
  DetachedRefund,
  DoubtfulChange,
  GatewayPayment
} from "./BookedOrder.js"
export { parseStatement, type ParseStatementOptions, type StatementFile } from "./parseStatement.js"
export { reconcileStatement, type ReconcileStatementOptions } from "./reconcileStatement.js"
export type * from "./ParsedStatement.js"
export {
  StatementError,
  type CurrencyNeeded,
  type InvalidStatement,
  type SpreadsheetReaderNeeded,
  type StatementErrorReason,
  type StatementImbalance,
  type StatementTooLarge,
  type UnknownStatement
} from "./StatementError.js"
export type {
  FileProblem,
  FileProblems,
  LineProblem,
  LineProblems,
  StatementField,
  StatementProblem,
  StatementProblems
} from "./StatementProblem.js"
export type * from "./StatementReconciliation.js"
