/**
 * The ledger for callers who do not use Effect: its options and methods.
 */
import type { GatewayError } from "../../client/error/GatewayError.js"
import type {
  PaymentNotification,
  NotificationError,
  NotificationLimits
} from "../../client/notification/Notification.js"
import type { GatewayClient, NotificationRequestHandler } from "../../promise/GatewayClient.js"
import type { BookedOrder } from "../../statement/BookedOrder.js"
import type { BookedOrdersOptions } from "../model/Lists.js"
import type { AttentionItem } from "../model/Attention.js"
import type { SubmittedChange } from "../model/Change.js"
import type { LedgerHandlers, LedgerOperations, LedgerSettings, OperatorOperations } from "../model/LedgerOperations.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/** The options of a ledger. */
export interface LedgerOptions<in out Tx> extends LedgerSettings<Tx>, LedgerHandlers<Tx, void | PromiseLike<unknown>> {
  /**
   * The client, from `createGatewayClient`. Close it after the ledger. A client with foreign methods, such as a spread,
   * a spy or a Proxy, is refused: in a test, use a client of the local gateway.
   */
  readonly gateway: GatewayClient
  /** Called when a change or a payment needs an operator. Default: a warning on the console. */
  readonly onAttention?: ((item: AttentionItem) => unknown) | undefined
}

/** Options of a ledger's notification handler. */
export interface LedgerNotificationOptions {
  /**
   * Called with the reason why a notification was not answered with 200; `notification` is absent if the address names
   * no payment. Default: an error in the log, or a debug message if anyone on the internet can cause it.
   */
  readonly onError?:
    | ((error: NotificationError | GatewayError, notification: PaymentNotification | undefined) => unknown)
    | undefined
  /** Limits of the reads that notifications may cause. Default: those of `NotificationLimits`. */
  readonly limits?: NotificationLimits | undefined
}

/** Calls as promises. Each rejects with the errors that its comment names. */
export type Promises<Calls extends Record<keyof Calls, (...args: never) => unknown>> = {
  readonly [Name in keyof Calls]: (...args: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>>
}

/** An operator's calls, with promises: lists, decisions, adoption, erasure, metrics. */
export interface LedgerOperator extends Promises<OperatorOperations> {
  /**
   * The orders with their payments and refunds, and what is in doubt, as `reconcileStatement` of
   * `effect-gopay/statement` takes them: `reconcileStatement(statements, { orders })`. Days are those of Prague. Reads
   * page by page, in no particular order, each order once. Refunds of payments without an order in the ledger are left
   * out, as are those whose details were erased.
   */
  readonly listBookedOrders: (options?: BookedOrdersOptions) => AsyncIterable<BookedOrder>
}

/** A ledger whose calls return promises. */
export interface Ledger<in out Tx> extends Promises<LedgerOperations<Tx>> {
  /**
   * The calls for operators and auditors: lists, decisions, adoption, erasure, metrics. A shop's checkout needs none of
   * them.
   *
   * ```ts
   * for (const item of await ledger.operator.listAttention()) console.log(item.message)
   * ```
   */
  readonly operator: LedgerOperator
  /**
   * `submit` within a synchronous transaction, as in better-sqlite3 and Drizzle over it:
   * `ledger.submitSync(sqliteTransaction(db), key, change)`. It throws what `submit` rejects with, and a `TypeError`
   * for another kind of transaction.
   */
  readonly submitSync: (tx: Tx, key: string, change: SubmittedChange) => void
  /**
   * Makes the handler of the gateway's notifications. It answers 200 only after the payment was read and `onPayment`
   * was called with whatever is new. See `createNotificationHandler` for the other statuses. `toNodeHandler` turns it
   * into a handler for Node's server.
   */
  readonly notificationHandler: (options?: LedgerNotificationOptions) => NotificationRequestHandler
  /** Starts making due steps, until `close`. Start it in as many processes as you like. */
  readonly startWorker: () => void
  /**
   * Begins nothing new, waits for changes in flight, and closes what the store opened. It may take as long as a change,
   * 120 seconds by default: give a stopping process that much time.
   */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
