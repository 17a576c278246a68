/**
 * The ledger over Effect's `SqlClient`, as a service.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { configErrorOf } from "../basics/InvalidFields.js"
import type { Gateway } from "../client/call/Gateway.js"
import type { SubmittedChange } from "./model/Change.js"
import { type LedgerMetricsOptions, metricsLayer } from "./MetricsLayer.js"
import { makeOver, migrated, notificationRouteOf, serviceOf, withWorker } from "./Ledger.js"
import type { ChangeError, LedgerNotificationOptions, LedgerOptions, LedgerService } from "./model/LedgerService.js"
import { type EffectSqlClient, fromSqlClient, type SqlTransaction, transactionOf } from "./store/Database.js"
import { invalidArgument, withinTransaction } from "./model/LedgerArguments.js"
import type { LedgerUnavailable } from "./model/LedgerError.js"
import type { LedgerError } from "./model/YieldableLedgerError.js"

/**
 * A ledger whose `submit` joins the transaction of the calling program. Its other changes are refused within a
 * transaction.
 */
export interface PgLedgerService extends Omit<LedgerService<SqlTransaction>, "submit"> {
  /**
   * Records a change within `sql.withTransaction`. A worker makes the change if and when that commits. Fails with
   * `KeyReused` if the key belongs to another change, and with `InvalidArgument` outside of a transaction.
   */
  readonly submit: (key: string, change: SubmittedChange) => Effect.Effect<void, ChangeError>
}

/**
 * The options of a ledger over an `SqlClient`. Its handlers get their services where the layer is built. They may use
 * the client itself; its statements are then part of the transaction that the handler is called in.
 */
export interface PgLedgerOptions<
  in out Id,
  in out Connection,
  out E,
  out R,
  out OnPayment = never,
  out OnChange = OnPayment,
  out OnSubscription = OnPayment,
  out OnAttention = OnPayment
> extends Omit<LedgerOptions<SqlTransaction, OnPayment, OnChange, OnSubscription, OnAttention>, "store"> {
  /** The client: `SqlClient.SqlClient`, or `PgClient.PgClient` of `@effect/sql-pg`. */
  readonly sql: Effect.Effect<EffectSqlClient<Id, Connection>, E, R>
}

/**
 * A ledger over Effect's `SqlClient` as a service: `const ledger = yield* PgLedger`, then `ledger.refund(key,
 * paymentId, { amount })`, or `sql.withTransaction(… ledger.submit(key, change) …)`.
 */
export class PgLedger extends Context.Service<PgLedger, PgLedgerService>()("effect-gopay/PgLedger") {
  /**
   * Adds a route that answers the gateway's notifications; see `notificationHandler`. Its path is that of the orders'
   * `notification_url`.
   */
  static readonly notificationRoute = (
    path: `/${string}`,
    options?: LedgerNotificationOptions
  ): Layer.Layer<never, never, HttpRouter.HttpRouter | PgLedger> => notificationRouteOf(PgLedger, path, options)

  /** Sets the gauges of the ledger. {@link Ledger.layerMetrics} */
  static readonly layerMetrics = (options?: LedgerMetricsOptions): Layer.Layer<never, Config.ConfigError, PgLedger> =>
    metricsLayer(PgLedger, options)

  /**
   * A ledger for as long as the layer lives, without a worker: `PgLedger.layer({ sql: SqlClient.SqlClient })`, for a process
   * beside one that has `layerWorker`. Building it fails with a `ConfigError` that names every option that is wrong.
   *
   * Provide it once, together with its gateway: each time it is provided, it builds another ledger, so that two
   * merchants of a program never share one. For several merchants, compose it with the gateway of each: see
   * `Gateway.layer`.
   */
  static readonly layer = <
    Id,
    Connection,
    E,
    R,
    OnPayment = never,
    OnChange = OnPayment,
    OnSubscription = OnPayment,
    OnAttention = OnPayment
  >({
    sql: client,
    ...options
  }: PgLedgerOptions<Id, Connection, E, R, OnPayment, OnChange, OnSubscription, OnAttention>): Layer.Layer<
    PgLedger,
    E | LedgerError<LedgerUnavailable> | Config.ConfigError,
    Gateway | R | OnPayment | OnChange | OnSubscription | OnAttention
  > =>
    Layer.fresh(
      Layer.effect(
        PgLedger,
        Effect.gen(function* () {
          const sql = yield* client
          if (!sql.onDialectOrElse({ pg: () => true, orElse: () => false })) {
            const problem = "sql: this SqlClient is not of PostgreSQL. For SQLite there is fileStore."
            return yield* Effect.fail(configErrorOf(problem))
          }
          /** The effect of a call would remain if the transaction were rolled back. */
          const outside = Effect.flatMap(transactionOf(sql), (tx) =>
            tx === undefined ? Effect.void : Effect.fail(withinTransaction())
          )
          const ledger = serviceOf(
            yield* makeOver(fromSqlClient(sql), options, outside, ({ run }, handler) => run(handler))
          )
          yield* migrated(ledger, options)
          const service: PgLedgerService = {
            ...ledger,
            submit: (key, change) =>
              Effect.flatMap(transactionOf(sql), (tx) =>
                tx === undefined
                  ? Effect.fail(
                      invalidArgument("submit belongs into sql.withTransaction. Outside of one, refund and the like")
                    )
                  : ledger.submit(tx, key, change)
              )
          }
          return service
        })
      )
    )

  /**
   * The same layer with a worker, which reads open payments and finishes what other processes left unfinished. At least
   * one process of an installation needs it; several share the work.
   */
  static readonly layerWorker = <
    Id,
    Connection,
    E,
    R,
    OnPayment = never,
    OnChange = OnPayment,
    OnSubscription = OnPayment,
    OnAttention = OnPayment
  >(
    options: PgLedgerOptions<Id, Connection, E, R, OnPayment, OnChange, OnSubscription, OnAttention>
  ): Layer.Layer<
    PgLedger,
    E | LedgerError<LedgerUnavailable> | Config.ConfigError,
    Gateway | R | OnPayment | OnChange | OnSubscription | OnAttention
  > => withWorker(PgLedger, PgLedger.layer(options))
}
