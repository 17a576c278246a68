/**
 * The ledger as a service.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Gateway } from "../client/call/Gateway.js"
import { makeOver, migrated, notificationRouteOf } from "./ledgerOver.js"
import { remember } from "./wiredLedgers.js"
import type { LedgerNotificationOptions, LedgerOptions, LedgerService } from "./model/LedgerService.js"
import { fromStore } from "./store/Database.js"
import type { LedgerError, LedgerUnavailable } from "./model/LedgerError.js"

/**
 * Makes a ledger whose `submit` takes the store's own transactions. When the scope closes, it begins nothing new and
 * waits for what it has sent. Fails with a `ConfigError` that names every option that is wrong.
 *
 * @category ledger
 */
export const makeLedger = <Tx, R = never, OnChange = R, OnSubscription = R, OnAttention = R>({
  store,
  ...options
}: LedgerOptions<Tx, R, OnChange, OnSubscription, OnAttention>): Effect.Effect<
  LedgerService<Tx>,
  Config.ConfigError,
  Gateway | Scope.Scope | R | OnChange | OnSubscription | OnAttention
> => Effect.map(makeOver(fromStore(store), options), (wired) => remember(wired.core, wired))

/**
 * A ledger as a service: `const ledger = yield* Ledger`, then `ledger.refund(key, paymentId, { amount })`.
 *
 * @category ledger
 */
export class Ledger extends Context.Service<Ledger, Omit<LedgerService, "submit">>()("effect-gopay/Ledger") {
  /**
   * Adds a route that answers the gateway's notifications; see `notificationHandler`. Its path is that of the
   * `notification_url` which orders are made with.
   */
  static readonly notificationRoute = (
    path: `/${string}`,
    options?: LedgerNotificationOptions
  ): Layer.Layer<never, never, HttpRouter.HttpRouter | Ledger> => notificationRouteOf(Ledger, path, options)

  /**
   * A ledger with a worker, for as long as the layer lives. With `migrate` it makes the tables first. Building it fails
   * with a `ConfigError` that names every option that is wrong. What the handlers need, the layer needs. For `submit`,
   * which takes the store's transactions, see `makeLedger`.
   */
  static readonly layer = <Tx, R = never, OnChange = R, OnSubscription = R, OnAttention = R>(
    options: LedgerOptions<Tx, R, OnChange, OnSubscription, OnAttention>
  ): Layer.Layer<
    Ledger,
    LedgerError<LedgerUnavailable> | Config.ConfigError,
    Gateway | R | OnChange | OnSubscription | OnAttention
  > =>
    Layer.effect(
      Ledger,
      Effect.tap(makeLedger(options), (ledger) =>
        Effect.andThen(options.migrate === true ? migrated(ledger) : Effect.void, Effect.forkScoped(ledger.runWorker))
      )
    )
}
