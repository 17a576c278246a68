/**
 * The ledger for callers who do not use Effect: its options and methods.
 *
 * This module does not depend on Effect.
 */
import type { CaptureAuthorizationPartialRequest, Id, RefundPaymentRequest } from "../../api/Messages.plain.js"
import type { GatewayClient } from "../../promise/GatewayClient.plain.js"
import type { AdminOptions, AdminRequest } from "../Admin.plain.js"
import type { AttentionItem, Resolution } from "../Attention.plain.js"
import type { ChangeEntry, ChangeOptions, SubmittedChange } from "../Change.plain.js"
import type { LedgerSettings, RunOnceOptions } from "../LedgerOptions.plain.js"
import type { ChangeOutcome } from "../Outcome.plain.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * The part of a `GatewayClient` that a ledger uses.
 *
 * @category ledger
 * @since 0.1.0
 */
export type LedgerGatewayClient = Pick<
  GatewayClient,
  | "goid"
  | "getEmbedJsUrl"
  | "getPayment"
  | "getPaymentRefunds"
  | "getCardDetails"
  | "refundPayment"
  | "captureAuthorization"
  | "captureAuthorizationPartial"
  | "voidAuthorization"
>

/**
 * The options of a ledger.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface LedgerOptions<in out Tx> extends LedgerSettings<Tx> {
  /** The client of `createGatewayClient`. Close it after the ledger. */
  readonly gateway: LedgerGatewayClient
  /** Told when somebody has to look at a change. Default: a warning on the console. */
  readonly onAttention?: ((item: AttentionItem) => void | Promise<void>) | undefined
}

/**
 * A ledger: changes that survive crashes, deployments and any number of processes. Each has a key of the shop's; for
 * each key the gateway is sent one request at most that it may have taken, whatever dies.
 *
 * What becomes of a change is a value, a `ChangeOutcome`. A promise rejects with a `LedgerError` when the change was
 * not put down, or that is unknown.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface Ledger<in out Tx> {
  /**
   * Makes the tables, and gives the database the installation's name. It may be run again, and by several processes.
   */
  readonly migrate: () => Promise<void>
  /**
   * Refunds, and waits for the outcome. The same key with the same refund tells the same outcome and sends nothing
   * more; with another one it rejects with `KeyReused`. Not within a transaction of the shop's: there, `submit`.
   */
  readonly refund: (
    key: string,
    paymentId: Id,
    refund: Pick<RefundPaymentRequest, "amount">,
    options?: ChangeOptions
  ) => Promise<ChangeOutcome>
  /** Captures all of a hold; see `refund`. */
  readonly capture: (key: string, paymentId: Id, options?: ChangeOptions) => Promise<ChangeOutcome>
  /** Captures a part of a hold, and releases the rest; see `refund`. */
  readonly capturePartial: (
    key: string,
    paymentId: Id,
    capture: Pick<CaptureAuthorizationPartialRequest, "amount" | "items">,
    options?: ChangeOptions
  ) => Promise<ChangeOutcome>
  /** Releases a hold; see `refund`. */
  readonly release: (key: string, paymentId: Id, options?: ChangeOptions) => Promise<ChangeOutcome>
  /**
   * Puts a change down in the shop's own transaction: it is made if and when that commits, by a worker. Rejects with
   * `KeyReused` when the key belongs to another change; then roll back.
   */
  readonly submit: (tx: Tx, key: string, change: SubmittedChange) => Promise<void>
  /** The outcome of a change as it is now; `undefined` for a key that is not there. */
  readonly outcome: (key: string) => Promise<ChangeOutcome | undefined>
  /** A change with all that the ledger knows of it, for a person; `undefined` for a key that is not there. */
  readonly change: (key: string) => Promise<ChangeEntry | undefined>
  /** The changes that are not decided yet, oldest first, 500 at most. */
  readonly openChanges: () => Promise<ReadonlyArray<ChangeEntry>>
  /** The changes that somebody has to look at, oldest first. */
  readonly attention: () => Promise<ReadonlyArray<AttentionItem>>
  /**
   * Ends a change by the decision of a person. A refund that was decided not to have been made is watched on, and
   * reported when the gateway shows it.
   */
  readonly resolve: (key: string, resolution: Resolution) => Promise<ChangeOutcome>
  /**
   * One small page for accountants, in Czech and English: what needs a decision, with a form for it, and what is under
   * way. The handler takes a web `Request` at any path of the shop's, and gives a `Response`; for Node's server,
   * Express, Fastify and NestJS there is `toNodeHandler`. The page needs no script, sets no cookie, and takes decisions
   * only from itself. Throws a `TypeError` without `authorize`.
   */
  readonly adminHandler: (options: AdminOptions) => (request: AdminRequest) => Promise<Response>
  /** Makes all steps that are due, such as in a cron job. Resolves with how many. */
  readonly runOnce: (options?: RunOnceOptions) => Promise<number>
  /** Makes the steps that are due from now on, until `close`. Start it in as many processes as you like. */
  readonly startWorker: () => void
  /** Sends nothing more, in all processes, until `resume`. What is submitted is kept, what was sent is looked for. */
  readonly pause: () => Promise<void>
  /** Ends a pause. */
  readonly resume: () => Promise<void>
  /**
   * Begins nothing new, waits for what was sent, and closes what the store opened. It takes as long as a change may,
   * 120 seconds by default: let the process live for longer when it is stopped.
   */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
