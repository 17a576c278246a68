/**
 * A ledger, a local gateway and a store in memory, all on the test's clock.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Gateway, type GatewayId, type PaymentSubState, RetryPolicy } from "../index.js"
import {
  type AttentionItem,
  fileStore,
  type FileStoreOptions,
  type LedgerOptions,
  type LedgerService,
  type LedgerStore,
  makeLedger,
  type SqliteTransaction
} from "../ledger/index.js"
import { LocalGateway, type PayerActionRefused, type SettingsChange } from "../local-gateway/index.js"
import {
  callback,
  type KillPoint,
  lostConnection,
  makeActivity,
  makeProcess,
  nextStep,
  processStore,
  type ShopProcess
} from "./TestProcess.js"
import { attentionWords, changeWords, makeStory, paymentWords, type Story, subscriptionWords } from "./Story.js"

/**
 * The options of a test shop. `R` and those after it are what the handlers need, each its own, as in `LedgerOptions`.
 *
 * @category testing
 */
export interface TestShopOptions<
  out R = never,
  out OnChange = R,
  out OnSubscription = R,
  out OnAttention = R
> extends Pick<
  LedgerOptions<SqliteTransaction, R, OnChange, OnSubscription, OnAttention>,
  "onPayment" | "onChange" | "onSubscription" | "onAttention"
> {
  readonly ledger?:
    | Partial<
        Omit<
          LedgerOptions<SqliteTransaction>,
          "store" | "migrate" | "onPayment" | "onChange" | "onSubscription" | "onAttention"
        >
      >
    | undefined
  readonly gateway?: SettingsChange | undefined
  readonly prepare?: ((store: LedgerStore<SqliteTransaction>) => Effect.Effect<unknown>) | undefined
  readonly driver?: FileStoreOptions["driver"]
}

/**
 * A shop under test. Its ledger, gateway and store follow the `TestClock`.
 *
 * @category testing
 */
export interface TestShopService {
  readonly ledger: LedgerService<SqliteTransaction>
  readonly store: LedgerStore<SqliteTransaction>
  readonly callback: { readonly return_url: string; readonly notification_url: string }
  readonly story: Effect.Effect<ReadonlyArray<string>>
  readonly tell: (event: string) => Effect.Effect<void>
  /**
   * Adjusts the `TestClock` and runs what becomes due on the way, in order: payments time out, notifications arrive,
   * handlers are called, and the ledger's worker sends, reads and retries. `TestClock.adjust` moves shop and gateway as
   * well, but what became due runs with the next `advance`. `advance(0)` runs what is due now.
   */
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
  readonly pay: (paymentId: GatewayId) => Effect.Effect<void, PayerActionRefused>
  readonly decline: (paymentId: GatewayId, subState?: PaymentSubState) => Effect.Effect<void, PayerActionRefused>
  /** Loses the response to the shop's next change, such as a refund: the gateway carries it out. */
  readonly loseNextResponse: Effect.Effect<void>
  readonly killDuring: (point: KillPoint, work: Effect.Effect<unknown, unknown>) => Effect.Effect<void>
  readonly deliverTwice: (paymentId: GatewayId) => Effect.Effect<readonly [number, number]>
}

/** The clock of the test, as it was last told to the store. */
const testNow = "(SELECT millis FROM gopay_test_clock)"

/** A store whose time is that of the test. */
const clocked = (store: LedgerStore<SqliteTransaction>, now: () => number): LedgerStore<SqliteTransaction> => {
  let told = NaN
  const tell = async (): Promise<void> => {
    const millis = now()
    if (millis === told) return
    told = millis
    await store.query("UPDATE gopay_test_clock SET millis = ?", [millis])
  }
  return {
    ...store,
    now: testNow,
    query: async (sql, values) => {
      await tell()
      return store.query(sql, values)
    },
    transaction: async (run) => {
      await tell()
      return store.transaction(run)
    }
  }
}

/** Opens a store in memory, on the clock of the test. */
const openStore = (driver: FileStoreOptions["driver"], now: () => number) =>
  Effect.gen(function* () {
    const memory = yield* Effect.acquireRelease(
      Effect.sync(() => fileStore(":memory:", driver === undefined ? {} : { driver })),
      (opened) => Effect.promise(() => opened.close())
    )
    yield* Effect.promise(() => memory.query("CREATE TABLE gopay_test_clock (millis INTEGER NOT NULL)", []))
    yield* Effect.promise(() => memory.query("INSERT INTO gopay_test_clock VALUES (?)", [now()]))
    return clocked(memory, now)
  })

/** What a process does, as long as it lives. A dead one is left alone: what it does would not let itself be interrupted. */
const untilDeath = <A, E>(
  { death }: Pick<ShopProcess, "death">,
  work: Effect.Effect<A, E>
): Effect.Effect<A | undefined, E> =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<A, E>()
    yield* Effect.forkDetach(Effect.flatMap(Effect.exit(work), (exit) => Deferred.done(ended, exit)))
    return yield* Effect.raceFirst(
      Deferred.await(ended),
      Effect.promise(() => death.then(() => undefined))
    )
  })

/** Moves time step by step, to what is due next. A kill ends what it interrupts: time must not go on beside the next process. */
const inSteps = (
  store: LedgerStore<SqliteTransaction>,
  all: number,
  isKilled: () => boolean,
  move: (millis: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    yield* move(0)
    for (let left = all; left > 0 && !isKilled();) {
      const step = yield* Effect.promise(() => nextStep(store, { all, left }))
      yield* move(step)
      left -= step
    }
  })

/** The shop's handlers, whose calls and failures are told. */
const toldHandlers = <R, OnChange, OnSubscription, OnAttention>(
  tell: Story["tell"],
  { onAttention, onChange, onPayment, onSubscription }: TestShopOptions<R, OnChange, OnSubscription, OnAttention>
) => {
  const toldBy = <Event, A, R>(
    words: (event: Event) => string,
    handler: ((event: Event) => Effect.Effect<A, unknown, R>) | undefined
  ) =>
    handler === undefined
      ? undefined
      : (event: Event) =>
          Effect.onExit(handler(event), (exit) =>
            Effect.sync(() =>
              tell(
                Exit.isSuccess(exit)
                  ? words(event)
                  : `${words(event)}, and the handler fails: ${Cause.pretty(exit.cause).split("\n")[0]}`
              )
            )
          )
  return {
    onPayment: toldBy(paymentWords, onPayment),
    onChange: toldBy(changeWords, onChange),
    onSubscription: toldBy(subscriptionWords, onSubscription),
    onAttention: (item: AttentionItem) =>
      Effect.suspend(() => {
        tell(attentionWords(item))
        return onAttention?.(item) ?? Effect.logWarning(`The ledger asks an operator: ${item.kind}`)
      })
  }
}

/** The client of a process, which makes each request once. */
const gatewayIn = (scope: Scope.Scope, transport: HttpClient.HttpClient) =>
  Effect.map(
    Effect.orDie(
      Layer.buildWithScope(
        Gateway.layer(LocalGateway.merchant).pipe(
          Layer.provide(Layer.succeed(HttpClient.HttpClient, transport)),
          Layer.provide(Layer.succeed(RetryPolicy, { schedule: Schedule.recurs(0), renewToken: true }))
        ),
        scope
      )
    ),
    (context) => Context.get(context, Gateway)
  )

/** What a process reaches the gateway by. */
const transportOf = (process: ShopProcess, http: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const sent = process.send(request.method, url, body)
      if (sent === undefined) return yield* Effect.never
      const answer = yield* http.execute(request)
      const { headers, status } = answer
      const text = sent.isChange ? yield* answer.text : ""
      switch (sent.received(status, text)) {
        case "dead":
          return yield* Effect.never
        case "lost": {
          const reason = new HttpClientError.TransportError({ request, cause: lostConnection() })
          return yield* Effect.fail(new HttpClientError.HttpClientError({ reason }))
        }
        case "arrives":
          return sent.isChange
            ? HttpClientResponse.fromWeb(request, new Response(text, { status, headers: { ...headers } }))
            : answer
      }
    })
  )

const make = <R, OnChange, OnSubscription, OnAttention>({
  driver,
  gateway: settings,
  ledger: ledgerSettings,
  prepare,
  ...handlers
}: TestShopOptions<R, OnChange, OnSubscription, OnAttention>) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const services = yield* Effect.context<R | OnChange | OnSubscription | OnAttention>()
    const clock = yield* Clock.Clock
    const now = (): number => clock.currentTimeMillisUnsafe()
    // The times of rows differ from 0.
    if (now() === 0) yield* TestClock.adjust("1 day")
    const begun = now()
    const store = yield* openStore(driver, now)
    if (prepare !== undefined) yield* prepare(store)

    const activity = makeActivity()
    const idle = Effect.promise(activity.ended)
    const story = makeStory(() => now() - begun)
    const { lines, tell } = story
    const loss = { armed: false }
    let processes = 0

    const world = yield* Layer.buildWithScope(
      LocalGateway.layerWith({ ...settings, notificationReceiver: (url) => deliver(url) }),
      scope
    )
    const http = Context.get(world, HttpClient.HttpClient)
    const local = Context.get(world, LocalGateway)
    const gatewayOver = (transport: HttpClient.HttpClient) => gatewayIn(scope, transport)

    const beginning = Effect.gen(function* () {
      const process = makeProcess(`process ${++processes}`, story, loss)
      const ledger = yield* makeLedger({
        readsPerSecond: 1_000,
        processName: process.name,
        ...ledgerSettings,
        ...toldHandlers(tell, handlers),
        store: processStore(store, process.isKilled, activity)
      }).pipe(
        Effect.provideService(Gateway, yield* gatewayOver(transportOf(process, http))),
        Effect.provideService(Scope.Scope, yield* Scope.make())
      )
      return { ...process, ledger, notified: ledger.notificationHandler() }
    })
    // Also where a test kills the process: what the handlers need is the layer's.
    const begin = Effect.updateContext(beginning, (context: Context.Context<never>) => Context.merge(context, services))
    let current: Effect.Success<typeof begin> = yield* begin
    yield* Effect.orDie(current.ledger.migrate)

    const whileAlive = <A, E>(work: (process: typeof current) => Effect.Effect<A, E>) =>
      Effect.suspend(() => untilDeath(current, work(current)))

    const deliver = (url: string): Effect.Effect<number> =>
      Effect.map(
        whileAlive(({ notified }) => notified({ method: "GET", url })),
        (status = 503) => {
          tell(`a notification of payment ${new URL(url).searchParams.get("id") ?? "?"} is answered with ${status}`)
          return status
        }
      )

    const move = (millis: number) =>
      Effect.gen(function* () {
        if (millis > 0) yield* TestClock.adjust(millis)
        yield* idle
        yield* local.deliverNotifications
        yield* whileAlive(({ ledger }) => Effect.orDie(ledger.runOnce()))
        yield* idle
      })

    const playing = <A, E>(paymentId: GatewayId, what: string, action: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        tell(`payment ${paymentId} is ${what}`)
        return Effect.andThen(action, local.deliverNotifications)
      })

    const shop: TestShopService = {
      get ledger() {
        return current.ledger
      },
      store,
      callback,
      story: Effect.sync(lines),
      tell: (event) => Effect.sync(() => tell(event)),
      advance: (duration) =>
        Effect.suspend(() => {
          const time = Duration.fromInputUnsafe(duration)
          const all = Math.round(Duration.toMillis(time))
          if (all > 0) tell(`time moves by ${Duration.format(time)}`)
          return Effect.andThen(idle, inSteps(store, all, current.isKilled, move))
        }),
      pay: (paymentId) => playing(paymentId, "paid by card", local.payByCard(paymentId)),
      decline: (paymentId, subState) => playing(paymentId, "declined", local.declinePayment(paymentId, subState)),
      loseNextResponse: Effect.sync(() => {
        loss.armed = true
      }),
      killDuring: (point, work) =>
        Effect.gen(function* () {
          const process = current
          process.killAt(point)
          yield* Effect.ensuring(
            untilDeath(process, Effect.ignore(work)),
            Effect.sync(() => process.killAt(undefined))
          )
          if (!process.isKilled())
            return yield* Effect.die(new Error("killDuring: the work ended and sent no change, so nothing was killed."))
          // Not where the old one dies: the new one would take over what that place is provided with.
          current = yield* Effect.orDie(begin)
        }),
      deliverTwice: (paymentId) => {
        const once = deliver(`${callback.notification_url}?id=${paymentId}`)
        return Effect.all([once, once], { concurrency: 2 })
      }
    }
    return Context.make(TestShop, TestShop.of(shop)).pipe(
      Context.add(LocalGateway, local),
      Context.add(Gateway, yield* gatewayOver(http))
    )
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
 *
 * @category testing
 */
export class TestShop extends Context.Service<TestShop, TestShopService>()("effect-gopay/TestShop") {
  /**
   * Opens a new shop. `Gateway` is the test's own client, which never loses a response; `LocalGateway` has the gateway's
   * other controls. If the clock is at 0, it is first moved by a day. Building it fails with a `ConfigError` that names
   * every option that is wrong.
   */
  static readonly layer = <R = never, OnChange = R, OnSubscription = R, OnAttention = R>(
    options: TestShopOptions<R, OnChange, OnSubscription, OnAttention> = {}
  ): Layer.Layer<TestShop | Gateway | LocalGateway, Config.ConfigError, R | OnChange | OnSubscription | OnAttention> =>
    Layer.effectContext(make(options))
}
