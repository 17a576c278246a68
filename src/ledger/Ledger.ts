/**
 * The ledger as a service.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { CaptureAuthorizationPartialRequest, Id, RefundPaymentRequest } from "../api/Messages.plain.js"
import { Gateway } from "../client/gateway/Gateway.js"
import type { AttentionItem, Resolution } from "./Attention.plain.js"
import type { ChangeOptions, SubmittedChange } from "./Change.plain.js"
import * as LedgerCore from "./LedgerCore.js"
import type {
  InvalidArgument,
  KeyReused,
  LedgerError,
  LedgerUnavailable,
  NotResolved
} from "./table/LedgerError.plain.js"
import { fromService } from "./LedgerGateway.js"
import type { LedgerSettings, RunOnceOptions } from "./LedgerOptions.plain.js"
import type { ChangeOutcome } from "./Outcome.plain.js"

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

/**
 * Makes a ledger whose `submit` takes the store's own transactions. When the scope closes, it begins nothing new and
 * waits for what it has sent.
 *
 * @category ledger
 * @since 0.1.0
 */
export const makeLedger = <Tx>(
  options: LedgerOptions<Tx>
): Effect.Effect<LedgerService<Tx>, never, Gateway | Scope.Scope> =>
  Effect.gen(function* () {
    const gateway = fromService(yield* Gateway)
    const core = yield* LedgerCore.make({ onAttention: undefined, ...options, gateway })
    return {
      migrate: core.migrate,
      refund: (key, paymentId, { amount }, options) => core.make(key, { refund: paymentId, amount }, options),
      capture: (key, paymentId, options) => core.make(key, { capture: paymentId }, options),
      capturePartial: (key, paymentId, { amount, items }, options) =>
        core.make(key, { capturePartial: paymentId, amount, items }, options),
      release: (key, paymentId, options) => core.make(key, { release: paymentId }, options),
      submit: core.submit,
      outcome: core.outcome,
      attention: core.attention,
      resolve: core.resolve,
      runOnce: core.runOnce,
      work: core.work,
      pause: core.pause,
      resume: core.resume
    }
  })

/**
 * A ledger as a service: `const ledger = yield* Ledger`, then `ledger.refund(key, paymentId, { amount })`.
 *
 * @category ledger
 * @since 0.1.0
 */
export class Ledger extends Context.Service<Ledger, Omit<LedgerService, "submit">>()("effect-gopay/Ledger") {
  /**
   * A ledger with a worker, for as long as the layer lives. With `migrate` it makes the tables first. For `submit`,
   * which takes the store's transactions, see `makeLedger`.
   */
  static readonly layer = <Tx>({
    migrate = false,
    ...options
  }: LedgerOptions<Tx> & { readonly migrate?: boolean }): Layer.Layer<
    Ledger,
    LedgerError<LedgerUnavailable>,
    Gateway
  > =>
    Layer.effect(
      Ledger,
      Effect.tap(makeLedger(options), (ledger) =>
        Effect.andThen(migrate ? ledger.migrate : Effect.void, Effect.forkScoped(ledger.work))
      )
    )
}
