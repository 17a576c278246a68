/**
 * A ledger, a local gateway and an in-memory store, all on the test's clock.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Gateway, type GatewayId, type GatewayLayerOptions, RetryPolicy } from "../index.js"
import { fileStore, makeLedger } from "../ledger/index.js"
import type { AttentionItem, LedgerOptions, LedgerService, SqliteTransaction } from "../ledger/index.js"
import { LocalGateway, type PayerActionRefused } from "../local-gateway/index.js"
import { isError } from "../basics/AnyRealm.js"
import { configErrorOf } from "../basics/InvalidFields.js"
import type { AsEffects } from "../local-gateway/LocalGatewayService.js"
import { bodyOf, withoutConnection } from "./FakeTransport.js"
import { callback, openWorld, shopOperations } from "./ShopWorld.js"
import type { LedgerEvent, Processes, ShopProcess, Story } from "./ShopWorld.js"
import { settingsProblem } from "./TestShopOperations.js"
import type { TestShopOperations, TestShopParts, TestShopSettings } from "./TestShopOperations.js"
import { clocked } from "./TestStore.js"

/**
 * The options of a test shop. `R` and the parameters after it are what each handler requires, as in `LedgerOptions`.
 */
export interface TestShopOptions<out R = never, out OnChange = R, out OnSubscription = R, out OnAttention = R>
  extends
    TestShopSettings<Effect.Effect<unknown>>,
    Pick<
      LedgerOptions<SqliteTransaction, R, OnChange, OnSubscription, OnAttention>,
      "onPayment" | "onChange" | "onSubscription" | "onAttention"
    > {}

type Operations = TestShopOperations<{
  readonly duration: Duration.Input
  readonly work: Effect.Effect<unknown, unknown>
}>

/** The actions of the payer, which may be refused. */
type PayerActions = "pay" | "decline"

/**
 * A shop under test. Its ledger, gateway and store follow the `TestClock`: `advance` adjusts it. `TestClock.adjust` moves
 * them as well, but what became due runs with the next `advance`.
 */
export interface TestShopService
  extends
    TestShopParts<LedgerService<SqliteTransaction>>,
    AsEffects<Pick<Operations, PayerActions>, PayerActionRefused, never>,
    AsEffects<Omit<Operations, PayerActions>, never, never> {}

/** Runs work of the shop, of whose sleeps `advance` knows. */
type Waiting = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** In milliseconds: how far time moves at most while a request is without a response. */
const second = 1_000

/** The shop's handlers, whose calls and failures are recorded. */
const recordedHandlers = <R, OnChange, OnSubscription, OnAttention>(
  { called }: Story,
  waiting: Waiting,
  { onAttention, onChange, onPayment, onSubscription }: TestShopOptions<R, OnChange, OnSubscription, OnAttention>
) => {
  const recorded = <Event extends LedgerEvent, A, R>(handler?: (event: Event) => Effect.Effect<A, unknown, R>) =>
    handler &&
    ((event: Event) =>
      Effect.onExit(waiting(handler(event)), (exit) => {
        const failure = Exit.isSuccess(exit) ? undefined : Cause.pretty(exit.cause).split("\n")[0]
        return Effect.sync(() => called(event, failure))
      }))
  return {
    onPayment: recorded(onPayment),
    onChange: recorded(onChange),
    onSubscription: recorded(onSubscription),
    onAttention: (item: AttentionItem) =>
      Effect.suspend(() => {
        called(item)
        return waiting(onAttention?.(item) ?? Effect.logWarning(`The ledger asks an operator: ${item.kind}`))
      })
  }
}

/** A client that makes each request once. */
export const clientOver = (transport: HttpClient.HttpClient, merchant: GatewayLayerOptions = LocalGateway.merchant) =>
  Gateway.layer(merchant).pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, transport)),
    Layer.provide(Layer.succeed(RetryPolicy, { schedule: Schedule.recurs(0), renewToken: true })),
    Layer.build
  )

/** The transport of a process, until it is killed. */
export const transportOf = (process: ShopProcess, http: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(http, (sending, request) =>
    Effect.gen(function* () {
      const url = yield* Effect.orDie(Effect.fromOption(HttpClientRequest.toUrl(request)))
      const receive = process.send(request.method, url, bodyOf(request))
      if (receive === undefined) return yield* Effect.never
      const { headers, status, text } = yield* sending
      const body = yield* text
      const reception = receive(status, body)
      if (reception === "dead") return yield* Effect.never
      if (reception === "lost") return yield* withoutConnection(request, "lost")
      // A body can be read only once.
      return HttpClientResponse.fromWeb(request, new Response(body === "" ? null : body, { status, headers }))
    })
  )

const make = <R, OnChange, OnSubscription, OnAttention>(
  options: TestShopOptions<R, OnChange, OnSubscription, OnAttention>
) =>
  Effect.gen(function* () {
    const {
      driver,
      gateway: settings,
      ledger: ledgerSettings,
      prepare,
      processes: count = 1,
      startAt,
      ...handlers
    } = options
    const services = yield* Effect.context<R | OnChange | OnSubscription | OnAttention | Scope.Scope>()
    const clock = yield* Clock.Clock
    const now = (): number => clock.currentTimeMillisUnsafe()
    const problem =
      settingsProblem(options) ??
      (startAt !== undefined && startAt.getTime() < now()
        ? `startAt must not be before the time of the TestClock, ${new Date(now()).toISOString()}`
        : undefined)
    if (problem !== undefined) return yield* Effect.fail(configErrorOf(`TestShop: ${problem}`))
    const memory = yield* Effect.try({
      try: () => fileStore(":memory:", { driver }),
      catch: (failure) => configErrorOf(`TestShop: driver: ${isError(failure) ? failure.message : "cannot be used"}`)
    })
    if (startAt !== undefined) yield* TestClock.setTime(startAt.getTime())
    // The times in rows are never 0.
    else if (now() === 0) yield* TestClock.adjust("1 day")
    const begun = now()
    yield* Effect.addFinalizer(() => Effect.promise(memory.close))
    const store = yield* Effect.promise(() => clocked(memory, now))
    const world = openWorld(store, () => now() - begun)
    const { activity, story } = world
    const waiting: Waiting = (work) =>
      TestClock.testClockWith((own) => {
        const sleep = (duration: Duration.Duration) =>
          Effect.suspend(() => {
            const end = own.currentTimeMillisUnsafe() + Duration.toMillis(duration)
            return Effect.acquireUseRelease(
              Effect.sync(() => activity.waitForClock(() => end - own.currentTimeMillisUnsafe())),
              () => own.sleep(duration),
              (awake) => Effect.sync(awake)
            )
          })
        return Effect.provideService(work, Clock.Clock, { ...own, sleep })
      })
    if (prepare !== undefined) yield* prepare(store)

    const gateways = yield* Layer.build(
      LocalGateway.layerWith({
        settings,
        notificationReceiver: (url) => operating(({ receive }) => receive(url))
      })
    )
    const http = Context.get(gateways, HttpClient.HttpClient)
    // A step of the worker may wait for a request that a call of the test has sent: time moves by seconds until it is answered, or
    // that call's own time limit ends it.
    const sender = HttpClient.transform(http, (sending) =>
      Effect.acquireUseRelease(
        Effect.sync(() => activity.waitForClock(() => second)),
        () => sending,
        (ended) => Effect.sync(ended)
      )
    )
    const local = Context.get(gateways, LocalGateway)

    const beginning = Effect.gen(function* () {
      const process = world.beginProcess()
      const ledger = yield* makeLedger({
        readsPerSecond: 1_000,
        processName: process.name,
        ...ledgerSettings,
        ...recordedHandlers(story, waiting, handlers),
        store: process.store
      }).pipe(
        Effect.provideContext(yield* clientOver(transportOf(process, sender))),
        Effect.provideService(Scope.Scope, yield* Scope.make())
      )
      return { ...process, ledger, notified: ledger.notificationHandler() }
    })
    // What the handlers require comes from the layer, also in a process that begins after a test has killed another one.
    const begin = Effect.updateContext(beginning, (context: Context.Context<never>) => Context.merge(context, services))
    const first = yield* begin
    const processes: Processes<typeof first> = [first]
    while (processes.length < count) processes.push(yield* begin)
    yield* Effect.orDie(first.ledger.migrate)

    /** Operates the shop in the caller's context, since the handlers sleep by its clock. */
    const operating = <A>(
      operate: (shop: ReturnType<typeof shopOperations>, run: <B>(work: Effect.Effect<B>) => Promise<B>) => Promise<A>
    ): Effect.Effect<A> =>
      Effect.contextWith((context: Context.Context<never>) => {
        const run = Effect.runPromiseWith(context)
        const operations = shopOperations(world, processes, {
          begin: () => run(Effect.orDie(begin)),
          passTime: (millis) => run(TestClock.adjust(millis)),
          deliverNotifications: () => run(local.deliverNotifications),
          runOnce: ({ ledger }) => run(waiting(Effect.orDie(ledger.runOnce()))),
          notify: ({ notified }, url) => run(waiting(notified({ method: "GET", url })))
        })
        return Effect.promise(() => operate(operations, run))
      })

    const playing = <A, E>(paymentId: GatewayId, what: string, action: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        story.tell(`payment ${paymentId} is ${what}`)
        return Effect.andThen(
          action,
          operating(({ deliverNotifications }) => deliverNotifications())
        )
      })

    const shop: TestShopService = {
      get ledger() {
        return processes[0].ledger
      },
      get ledgers() {
        return processes.map(({ ledger }) => ledger)
      },
      store,
      callback,
      story: Effect.sync(story.lines),
      tell: (event) => Effect.sync(() => story.tell(event)),
      advance: (duration) =>
        Effect.suspend(() => {
          const time = Duration.fromInputUnsafe(duration)
          return operating(({ advance }) => advance(Math.round(Duration.toMillis(time)), Duration.format(time)))
        }),
      pay: (paymentId) => playing(paymentId, "paid by card", local.payByCard(paymentId)),
      decline: (paymentId, subState) => playing(paymentId, "declined", local.declinePayment(paymentId, subState)),
      loseNextResponse: Effect.sync(world.loseNextResponse),
      killDuring: (point, work) =>
        operating(({ killDuring }, run) => killDuring(point, () => run(Effect.ignore(work)))),
      deliverTwice: (paymentId) => operating(({ deliverTwice }) => deliverTwice(paymentId))
    }
    return Context.make(TestShop, shop).pipe(Context.add(LocalGateway, local), Context.merge(yield* clientOver(http)))
  })

/**
 * A shop under test: a ledger over a store in memory and a local gateway, both on the `TestClock`. It needs no port, no
 * database server and no waiting.
 *
 * ```ts
 * it.effect("ships a paid order once", () =>
 *   Effect.gen(function* () {
 *     const shop = yield* TestShop
 *     const order = yield* shop.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback: shop.callback })
 *     if (order.status === "open") yield* shop.pay(order.paymentId)
 *     yield* shop.advance("3 days")
 *   }).pipe(Effect.provide(TestShop.layer({ onPayment })))
 * )
 * ```
 */
export class TestShop extends Context.Service<TestShop, TestShopService>()("effect-gopay/TestShop") {
  /**
   * Opens a new shop, wherever the layer is built: one constant under two services is a shop for each. `Gateway` is the test's own client, which never loses a response; `LocalGateway` has the gateway's
   * other controls. If the clock is at 0 and there is no `startAt`, it is first moved by a day. Building it fails with a `ConfigError` that names
   * every option that is wrong.
   */
  static readonly layer = <R = never, OnChange = R, OnSubscription = R, OnAttention = R>(
    options: TestShopOptions<R, OnChange, OnSubscription, OnAttention> = {}
  ): Layer.Layer<TestShop | Gateway | LocalGateway, Config.ConfigError, R | OnChange | OnSubscription | OnAttention> =>
    Layer.fresh(Layer.effectContext(make(options)))
}
