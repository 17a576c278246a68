/**
 * The ledger, as programs.
 */
import type * as Effect from "effect/Effect"
import type { CaptureAuthorizationPartialRequest, Id, RefundPaymentRequest } from "../api/Messages.plain.js"
import type { AttentionItem, Resolution } from "./Attention.plain.js"
import type { ChangeEntry, ChangeOptions, SubmittedChange } from "./Change.plain.js"
import type { LedgerSettings, RunOnceOptions } from "./LedgerOptions.plain.js"
import type { ChangeOutcome } from "./Outcome.plain.js"
import type {
  InvalidArgument,
  KeyReused,
  LedgerError,
  LedgerUnavailable,
  NotResolved
} from "./table/LedgerError.plain.js"

/**
 * The options of a ledger.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface LedgerOptions<in out Tx> extends LedgerSettings<Tx> {
  /** Told when somebody has to look at a change. Default: a warning in the log. */
  readonly onAttention?: ((item: AttentionItem) => Effect.Effect<void>) | undefined
}

/**
 * The error of a change that was not put down, or of which that is unknown.
 *
 * @category ledger
 * @since 0.1.0
 */
export type ChangeError = LedgerError<KeyReused | LedgerUnavailable | InvalidArgument>

/**
 * A ledger: changes that survive crashes, deployments and any number of processes. Each has a key of the shop's; for
 * each key the gateway is sent one request at most that it may have taken, whatever dies.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface LedgerService<in out Tx = unknown> {
  /**
   * Makes the tables, and gives the database the installation's name. It may be run again, and by several processes.
   */
  readonly migrate: Effect.Effect<void, LedgerError<LedgerUnavailable>>
  /**
   * Refunds, and waits for the outcome. The same key with the same refund tells the same outcome and sends nothing
   * more; with another one it fails with `KeyReused`. Not within a transaction of the shop's: there, `submit`.
   */
  readonly refund: (
    key: string,
    paymentId: Id,
    refund: Pick<RefundPaymentRequest, "amount">,
    options?: ChangeOptions
  ) => Effect.Effect<ChangeOutcome, ChangeError>
  /** Captures all of a hold; see `refund`. */
  readonly capture: (key: string, paymentId: Id, options?: ChangeOptions) => Effect.Effect<ChangeOutcome, ChangeError>
  /** Captures a part of a hold, and releases the rest; see `refund`. */
  readonly capturePartial: (
    key: string,
    paymentId: Id,
    capture: Pick<CaptureAuthorizationPartialRequest, "amount" | "items">,
    options?: ChangeOptions
  ) => Effect.Effect<ChangeOutcome, ChangeError>
  /** Releases a hold; see `refund`. */
  readonly release: (key: string, paymentId: Id, options?: ChangeOptions) => Effect.Effect<ChangeOutcome, ChangeError>
  /**
   * Puts a change down in the shop's own transaction: it is made if and when that commits, by a worker. Fails with
   * `KeyReused` when the key belongs to another change; then roll back.
   */
  readonly submit: (tx: Tx, key: string, change: SubmittedChange) => Effect.Effect<void, ChangeError>
  /** The outcome of a change as it is now; `undefined` for a key that is not there. */
  readonly outcome: (key: string) => Effect.Effect<ChangeOutcome | undefined, LedgerError<LedgerUnavailable>>
  /** A change with all that the ledger knows of it, for a person; `undefined` for a key that is not there. */
  readonly change: (key: string) => Effect.Effect<ChangeEntry | undefined, LedgerError<LedgerUnavailable>>
  /** The changes that are not decided yet, oldest first, 500 at most. */
  readonly openChanges: Effect.Effect<ReadonlyArray<ChangeEntry>, LedgerError<LedgerUnavailable>>
  /** The changes that somebody has to look at, oldest first. */
  readonly attention: Effect.Effect<ReadonlyArray<AttentionItem>, LedgerError<LedgerUnavailable>>
  /**
   * Ends a change by the decision of a person. A refund that was decided not to have been made is watched on, and
   * reported when the gateway shows it.
   */
  readonly resolve: (
    key: string,
    resolution: Resolution
  ) => Effect.Effect<ChangeOutcome, LedgerError<LedgerUnavailable | NotResolved | InvalidArgument>>
  /** Makes all steps that are due, such as in a cron job. Returns how many. */
  readonly runOnce: (options?: RunOnceOptions) => Effect.Effect<number, LedgerError<LedgerUnavailable>>
  /** Makes the steps that are due until it is interrupted. Run it in as many processes as you like. */
  readonly work: Effect.Effect<never>
  /** Sends nothing more, in all processes, until `resume`. What is submitted is kept, what was sent is looked for. */
  readonly pause: Effect.Effect<void, LedgerError<LedgerUnavailable>>
  /** Ends a pause. */
  readonly resume: Effect.Effect<void, LedgerError<LedgerUnavailable>>
}
