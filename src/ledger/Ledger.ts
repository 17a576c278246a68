/**
 * The ledger as a service, and the parts that it shares with the ledger over an `SqlClient`.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import { configErrorOf } from "../basics/InvalidFields.js"
import { portOf } from "../client/call/ClientPort.js"
import { Gateway } from "../client/call/Gateway.js"
import { responseHeaders } from "../client/notification/Deliveries.js"
import type { BookedOrder } from "../statement/BookedOrder.js"
import { withinTransaction } from "./model/LedgerArguments.js"
import type { InvalidArgument, LedgerUnavailable } from "./model/LedgerError.js"
import type { LedgerError } from "./model/YieldableLedgerError.js"
import { type LedgerMetricsOptions, metricsLayer, withMerchant } from "./MetricsLayer.js"
import { fromService, notOwnClient } from "./model/LedgerGateway.js"
import {
  type BooksPlace,
  type CallError,
  type LedgerNotificationOptions,
  type LedgerOptions,
  type LedgerService
} from "./model/LedgerService.js"
import { watching } from "./model/ChangeWatch.js"
import { traced } from "./model/Trace.js"
import { type Database, fromStore } from "./store/Database.js"
import { type LedgerCore, wireLedger } from "./wireLedger.js"

/**
 * Makes a ledger whose `submit` takes the store's own transactions. When the scope closes, it starts nothing new and
 * waits for changes in flight. Fails with a `ConfigError` that names every option that is wrong.
 */
export const makeLedger = <Tx, R = never, OnChange = R, OnSubscription = R, OnAttention = R>({
  store,
  ...options
}: LedgerOptions<Tx, R, OnChange, OnSubscription, OnAttention>): Effect.Effect<
  LedgerService<Tx>,
  Config.ConfigError,
  Gateway | Scope.Scope | R | OnChange | OnSubscription | OnAttention
> => Effect.map(makeOver(fromStore(store), options), serviceOf)

/** A ledger as a service: `const ledger = yield* Ledger`, then `ledger.refund(key, paymentId, { amount })`. */
export class Ledger extends Context.Service<Ledger, Omit<LedgerService, "submit">>()("effect-gopay/Ledger") {
  /**
   * Adds a route that answers the gateway's notifications; see `notificationHandler`. Its path is that of the orders'
   * `notification_url`.
   */
  static readonly notificationRoute = (
    path: `/${string}`,
    options?: LedgerNotificationOptions
  ): Layer.Layer<never, never, HttpRouter.HttpRouter | Ledger> => notificationRouteOf(Ledger, path, options)

  /**
   * Sets the gauges of the ledger, `gopay.ledger.sending` and the others that `docs/alert-rules.yml` watches, once a
   * minute or as often as you say, for as long as the layer lives. A database that is away is logged. The tables show
   * what all processes do: one process of an installation sets them. Building it fails with a `ConfigError` if `every`
   * is no duration above zero.
   *
   * ```ts
   * const LedgerLive = Ledger.layerMetrics().pipe(Layer.provideMerge(Ledger.layerWorker(options)))
   * ```
   */
  static readonly layerMetrics = (options?: LedgerMetricsOptions): Layer.Layer<never, Config.ConfigError, Ledger> =>
    metricsLayer(Ledger, options)

  /**
   * A ledger for as long as the layer lives, without a worker: for a process beside one that has `layerWorker`. With
   * `migrate` it makes the tables first. Building it fails with a `ConfigError` that names every option that is wrong.
   * The layer requires what the handlers require. For `submit`, which takes the store's transactions, see `makeLedger`.
   *
   * Provide it once, together with its gateway: each time it is provided, it builds another ledger, so that two
   * merchants of a program never share one. For several merchants, compose it with the gateway of each: see
   * `Gateway.layer`.
   */
  static readonly layer = <Tx, R = never, OnChange = R, OnSubscription = R, OnAttention = R>(
    options: LedgerOptions<Tx, R, OnChange, OnSubscription, OnAttention>
  ): Layer.Layer<
    Ledger,
    LedgerError<LedgerUnavailable> | Config.ConfigError,
    Gateway | R | OnChange | OnSubscription | OnAttention
  > =>
    Layer.fresh(
      Layer.effect(
        Ledger,
        Effect.tap(makeLedger(options), (ledger) => migrated(ledger, options))
      )
    )

  /**
   * The same layer with a worker, which reads open payments and finishes what other processes left unfinished. At least
   * one process of an installation needs it; several share the work.
   */
  static readonly layerWorker = <Tx, R = never, OnChange = R, OnSubscription = R, OnAttention = R>(
    options: LedgerOptions<Tx, R, OnChange, OnSubscription, OnAttention>
  ): Layer.Layer<
    Ledger,
    LedgerError<LedgerUnavailable> | Config.ConfigError,
    Gateway | R | OnChange | OnSubscription | OnAttention
  > => withWorker(Ledger, Ledger.layer(options))
}

/** A ledger as programs: the orders of its books are a stream. @internal */
export const serviceOf = <Tx>({ operator, ...own }: LedgerCore<Tx>): LedgerService<Tx> => {
  const { pageOfBookedOrders, ...calls } = operator
  return {
    ...own,
    operator: {
      ...calls,
      listBookedOrders: (options = {}) =>
        Stream.paginate<BooksPlace | undefined, BookedOrder, CallError>(undefined, (after) =>
          Effect.map(pageOfBookedOrders(options, after), ({ next, orders }) => [orders, Option.fromUndefinedOr(next)])
        )
    }
  }
}

/** Adds a worker to a ledger's layer. @internal */
export const withWorker = <Id, Service extends Pick<LedgerService, "runWorker">, E, R>(
  service: Context.Service<Id, Service>,
  layer: Layer.Layer<Id, E, R>
): Layer.Layer<Id, E, R> =>
  Layer.fresh(
    Layer.provideMerge(
      Layer.effectDiscard(Effect.flatMap(service, ({ runWorker }) => Effect.forkScoped(runWorker))),
      layer
    )
  )

/** Whether the current program runs within `onPayment`. */
class Handler extends Context.Reference<{ isOpen: boolean }>("effect-gopay/ledger/Handler", {
  defaultValue: () => ({ isOpen: false })
}) {}

/** Marks a handler's program as running within `onPayment`, until it ends. */
const asHandler = <A, E, R>(handler: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const scope = { isOpen: true }
    return Effect.ensuring(
      Effect.provideService(handler, Handler, scope),
      Effect.sync(() => (scope.isOpen = false))
    )
  })

const outsideHandlers: Effect.Effect<void, LedgerError<InvalidArgument>> = Effect.flatMap(
  Effect.service(Handler),
  ({ isOpen }) => (isOpen ? Effect.fail(withinTransaction()) : Effect.void)
)

/**
 * Makes a ledger over a database. Every call runs `outside` first and fails with its error; handlers run inside
 * `within`. @internal
 */
export const makeOver = Effect.fnUntraced(function* <Tx, R, OnChange, OnSubscription, OnAttention>(
  database: Database<Tx>,
  options: Omit<LedgerOptions<Tx, R, OnChange, OnSubscription, OnAttention>, "store">,
  outside: Effect.Effect<void, LedgerError<InvalidArgument>> = Effect.void,
  within: <A, E, Needs>(tx: Tx, handler: Effect.Effect<A, E, Needs>) => Effect.Effect<A, E, Needs> = (_, handler) =>
    handler
): Effect.fn.Return<
  LedgerCore<Tx>,
  Config.ConfigError,
  Gateway | Scope.Scope | R | OnChange | OnSubscription | OnAttention
> {
  const gateway = yield* Gateway
  const port = portOf(gateway)
  if (port?.style !== "Effect") {
    return yield* Effect.fail(configErrorOf(`gateway: ${notOwnClient("Gateway.layer")}.`))
  }
  const services = yield* Effect.context<R | OnChange | OnSubscription | OnAttention>()
  const { onAttention, onChange, onPayment, onSubscription } = options
  const given = handlerGiven(services)
  const handler = <Event extends { readonly tx: Tx }>(
    handle: ((event: Event) => Effect.Effect<unknown, unknown, R | OnChange | OnSubscription>) | undefined
  ) => given(handle && ((event: Event) => asHandler(Effect.suspend(() => within(event.tx, handle(event))))))
  const wired = yield* Effect.mapError(
    wireLedger<Tx>({
      ...options,
      outside: Effect.andThen(outside, outsideHandlers),
      database,
      gateway: fromService(gateway),
      trace: traced(port.merchant),
      watch: watching(port.merchant),
      onChange: handler(onChange),
      onPayment: handler(onPayment),
      onSubscription: handler(onSubscription),
      onAttention: given(onAttention)
    }),
    ({ message }) => configErrorOf(message)
  )
  return withMerchant(wired, port.merchant)
})

/**
 * Runs a handler with the services that the ledger was made with, so that its `SqlClient` is the one whose transaction
 * it is in, whatever the caller provides. Its span is a child of the caller's.
 */
const handlerGiven =
  <Services>(services: Context.Context<Services>) =>
  <Event, A, E>(
    handle: ((event: Event) => Effect.Effect<A, E, Services>) | undefined
  ): ((event: Event) => Effect.Effect<A, E>) | undefined =>
    handle &&
    ((event) =>
      Effect.updateContext(
        Effect.suspend(() => handle(event)),
        (current: Context.Context<never>) =>
          Context.merge(Context.merge(current, services), Context.pick(Tracer.ParentSpan)(current))
      ))

/** Creates the tables if `migrate` is set, outside any transaction. @internal */
export const migrated = (
  { migrate }: Pick<LedgerService, "migrate">,
  options: Pick<LedgerOptions<never>, "migrate">
): Effect.Effect<void, LedgerError<LedgerUnavailable>> =>
  options.migrate === true ? Effect.catchReasons(migrate, "LedgerError", { InvalidArgument: Effect.die }) : Effect.void

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
