/**
 * The ledger as a service.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Scope from "effect/Scope"
import { Gateway } from "../client/call/Gateway.js"
import { responseHeaders } from "../client/notification/NotificationDelivery.js"
import type { BookedOrder } from "../statement/BookedOrder.js"
import type { BooksPlace, LedgerCore } from "./model/LedgerCore.js"
import { wireLedger } from "./wireLedger.js"
import { fromService } from "./model/LedgerGateway.js"
import { asHandler, outsideHandlers } from "./store/outsideTransactions.js"
import type { CallError, LedgerNotificationOptions, LedgerOptions, LedgerService } from "./model/LedgerService.js"
import { traced } from "./model/Trace.js"
import { type Database, fromStore } from "./store/Database.js"
import type { InvalidArgument, LedgerError, LedgerUnavailable } from "./model/LedgerError.js"

/**
 * Makes a ledger whose `submit` takes the store's own transactions. When the scope closes, it begins nothing new and
 * waits for what it has sent.
 *
 * @category ledger
 */
export const makeLedger = <Tx>({
  store,
  ...options
}: LedgerOptions<Tx>): Effect.Effect<LedgerService<Tx>, never, Gateway | Scope.Scope> =>
  Effect.map(makeOver(fromStore(store), options), streaming)

/** Makes a ledger over a database, whose calls also fail where `outside` does. */
export const makeOver = <Tx>(
  database: Database<Tx>,
  options: Omit<LedgerOptions<Tx>, "store">,
  outside: Effect.Effect<void, LedgerError<InvalidArgument>> = Effect.void
): Effect.Effect<LedgerCore<Tx>, never, Gateway | Scope.Scope> =>
  Effect.flatMap(Gateway, (gateway) => {
    const { onChange, onPayment, onSubscription } = options
    return wireLedger<Tx>({
      ...options,
      outside: Effect.andThen(outside, outsideHandlers),
      database,
      gateway: fromService(gateway),
      trace: traced,
      onChange: onChange === undefined ? undefined : (event) => asHandler(Effect.suspend(() => onChange(event))),
      onPayment: onPayment === undefined ? undefined : (event) => asHandler(Effect.suspend(() => onPayment(event))),
      onSubscription:
        onSubscription === undefined ? undefined : (event) => asHandler(Effect.suspend(() => onSubscription(event)))
    })
  })

/** A ledger whose books are a stream. */
export const streaming = <Tx>({ pageOfBookedOrders, ...ledger }: LedgerCore<Tx>): LedgerService<Tx> => ({
  ...ledger,
  listBookedOrders: (options = {}) =>
    Stream.paginate<BooksPlace | undefined, BookedOrder, CallError>(undefined, (after) =>
      Effect.map(pageOfBookedOrders(options, after), ({ next, orders }) => [orders, Option.fromUndefinedOr(next)])
    )
})

/** Makes the tables where a layer is made, which is in no transaction. */
export const migrated = ({
  migrate
}: Pick<LedgerService, "migrate">): Effect.Effect<void, LedgerError<LedgerUnavailable>> =>
  Effect.catchReasons(migrate, "LedgerError", { InvalidArgument: Effect.die })

/** A route that answers notifications by a ledger that is a service. */
export const notificationRouteOf = <Id>(
  ledger: Effect.Effect<Pick<LedgerService, "notificationHandler">, never, Id>,
  path: `/${string}`,
  options: LedgerNotificationOptions | undefined
): Layer.Layer<never, never, HttpRouter.HttpRouter | Id> =>
  HttpRouter.use((router) =>
    Effect.flatMap(ledger, ({ notificationHandler }) => {
      const handle = notificationHandler(options)
      return router.add("*", path, (request) =>
        Effect.map(handle(request), (status) => HttpServerResponse.empty({ status, headers: responseHeaders(status) }))
      )
    })
  )

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
   * A ledger with a worker, for as long as the layer lives. With `migrate` it makes the tables first. For `submit`,
   * which takes the store's transactions, see `makeLedger`.
   */
  static readonly layer = <Tx>(
    options: LedgerOptions<Tx>
  ): Layer.Layer<Ledger, LedgerError<LedgerUnavailable>, Gateway> =>
    Layer.effect(
      Ledger,
      Effect.tap(makeLedger(options), (ledger) =>
        Effect.andThen(options.migrate === true ? migrated(ledger) : Effect.void, Effect.forkScoped(ledger.runWorker))
      )
    )
}
