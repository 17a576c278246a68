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
   * The client, as `createGatewayClient` made it. Close it after the ledger. One whose methods are not its own, such as a spread, a
   * spy or a Proxy, is refused: in a test, let a client talk to the local gateway.
   */
  readonly gateway: GatewayClient
  /** Called when a change or a payment needs an operator. Default: a warning on the console. */
  readonly onAttention?: ((item: AttentionItem) => unknown) | undefined
}

/** Options of a ledger's notification handler. */
export interface LedgerNotificationOptions {
  /**
   * Called with the reason why a notification was not answered with 200; `notification` is absent when the address names no payment.
   * Default: an error in the log, or a debug message for what anyone on the internet can cause.
   */
  readonly onError?:
    | ((error: NotificationError | GatewayError, notification: PaymentNotification | undefined) => unknown)
    | undefined
  /** Limits of the reads that notifications may cause. Default: those of `NotificationLimits`. */
  readonly limits?: NotificationLimits | undefined
}

/** Calls as promises. Each rejects with what its comment says that it fails with. */
export type Promises<Calls extends Record<keyof Calls, (...args: never) => unknown>> = {
  readonly [Name in keyof Calls]: (...args: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>>
}

/** An operator's calls, with promises: lists, decisions, adoption, erasure, metrics. */
export interface LedgerOperator extends Promises<OperatorOperations> {
  /**
   * The orders with their payments and refunds, and what is in doubt, as `reconcileStatement` of `effect-gopay/statement`
   * takes them: `reconcileStatement(statements, { orders })`. Days are those of Prague. Reads some orders at a time, in no
   * order, each once. Refunds of payments that the ledger has no order of are not in it, nor those whose details were
   * erased.
   */
  readonly listBookedOrders: (options?: BookedOrdersOptions) => AsyncIterable<BookedOrder>
}

/** A ledger, with promises. */
export interface Ledger<in out Tx> extends Promises<LedgerOperations<Tx>> {
  /**
   * What operators and auditors do: lists, decisions, adoption, erasure, metrics. A shop's checkout needs none of it.
   *
   * ```ts
   * for (const item of await ledger.operator.listAttention()) console.log(item.message)
   * ```
   */
  readonly operator: LedgerOperator
  /**
   * The same as `submit` within a transaction that is synchronous, as those of better-sqlite3 and of Drizzle over it are:
   * `ledger.submitSync(sqliteTransaction(db), key, change)`. It throws what `submit` rejects with, and a `TypeError` for a
   * transaction of another kind.
   */
  readonly submitSync: (tx: Tx, key: string, change: SubmittedChange) => void
  /**
   * Makes what answers the gateway's notifications: 200 only after the payment was read, and `onPayment` was
   * called for what is new. See `createNotificationHandler` for the other statuses. `toNodeHandler` makes a handler for Node's server of
   * it.
   */
  readonly notificationHandler: (options?: LedgerNotificationOptions) => NotificationRequestHandler
  /** Makes the steps that are due from now on, until `close`. Start it in as many processes as you like. */
  readonly startWorker: () => void
  /**
   * Begins nothing new, waits for what was sent, and closes what the store opened. It takes as long as a change may,
   * 120 seconds by default: let the process live for longer when it is stopped.
   */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
