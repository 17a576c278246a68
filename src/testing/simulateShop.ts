/**
 * Runs a test shop through payers, operators and failures, as a seed decides.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { LocalGateway } from "../local-gateway/index.js"
import { InvariantBroken, runIn, simulation, usualCheckout } from "./Simulation.js"
import type { SimulatedShop, SimulationSettings } from "./Simulation.js"
import { TestShop } from "./TestShop.js"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Fiber from "effect/Fiber"
import { setImmediate } from "node:timers/promises"

/** An effect that a simulation runs in its shop. */
type ShopEffect<R> = Effect.Effect<unknown, unknown, TestShop | LocalGateway | NoInfer<R>>

/**
 * The options of a simulation. `R` are the services of the shop beside `TestShop` and `LocalGateway`, `E` is how its
 * layer fails.
 */
export interface SimulationOptions<R = never, E = never> extends SimulationSettings<
  ShopEffect<R>,
  (orderNumber: string) => ShopEffect<R>
> {
  /** The shop and what the effects need, such as `TestShop.layer(handlers)`. It is built anew for each run. */
  readonly shop: Layer.Layer<TestShop | LocalGateway | R, E>
}

/**
 * Runs a shop through what a seed decides: orders are paid, declined and refunded, notifications come twice, responses
 * are lost, processes are killed, and days pass. Partial refunds are possible at once. Then it checks the invariants.
 * Succeeds with the story; fails with an `InvariantBroken`, whose story is shortened: `shop` is built again for each
 * attempt to leave something out.
 *
 * Each run has a `TestClock` of its own, which moves on when a step sleeps. A step that fails or dies breaks
 * `each step succeeds`.
 *
 * ```ts
 * it.effect("ships each paid order once", () =>
 *   simulateShop({
 *     seed: 7,
 *     shop: TestShop.layer(handlers),
 *     invariants: { "each paid order is shipped once": shippedOnce }
 *   })
 * )
 * ```
 */
export const simulateShop = <R, E>(
  options: SimulationOptions<R, E>
): Effect.Effect<ReadonlyArray<string>, InvariantBroken | E> =>
  Effect.gen(function* () {
    const runs = simulation(options)
    let run = runs.next()
    while (run.done !== true) run = runs.next(yield* inNewShop(options.shop, runOf(options, run.value)))
    return run.value instanceof InvariantBroken ? yield* Effect.fail(run.value) : run.value
  })

const inNewShop = <A, E, R>(shop: Layer.Layer<R, E>, run: Effect.Effect<A, never, R>): Effect.Effect<A, E> =>
  Layer.build(Layer.fresh(shop)).pipe(
    Effect.flatMap((services) =>
      Effect.updateContext(run, (context: Context.Context<never>) => Context.merge(context, services))
    ),
    Effect.scoped,
    Effect.provide(TestClock.layer())
  )

/**
 * Runs some work, and moves the `TestClock` to the end of its first sleep whenever it only sleeps. Sleeps of others,
 * such as a gateway's, do not count.
 */
const passingTime = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  TestClock.testClockWith((clock) =>
    Effect.gen(function* () {
      /** Another list after each begin and end of a sleep. */
      let sleeps: ReadonlyArray<{ readonly end: number }> = []
      const sleep = (duration: Duration.Duration) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const own = { end: clock.currentTimeMillisUnsafe() + Duration.toMillis(duration) }
            sleeps = [...sleeps, own]
            return own
          }),
          () => clock.sleep(duration),
          (own) => Effect.sync(() => (sleeps = sleeps.filter((other) => other !== own)))
        )
      const fiber = yield* Effect.forkChild(Effect.provideService(work, Clock.Clock, { ...clock, sleep }))
      let seen = sleeps
      for (let quiet = 0; fiber.pollUnsafe() === undefined; quiet++) {
        yield* Effect.promise(() => setImmediate())
        // For ever, when no sleep has an end.
        const end = Math.min(...sleeps.map((one) => one.end))
        if (end === Infinity || seen !== sleeps) quiet = 0
        seen = sleeps
        // No sleep has begun or ended for some turns of the event loop: nothing but time goes on.
        if (quiet < 20) continue
        yield* clock.adjust(Math.max(0, end - clock.currentTimeMillisUnsafe()))
        quiet = 0
      }
      return yield* Fiber.join(fiber)
    })
  )

const runOf = <R, E>(options: SimulationOptions<R, E>, steps: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const shop = yield* TestShop
    const { checkout = (orderNumber) => shop.ledger.checkout(orderNumber, ...usualCheckout) } = options
    const { changeSettings, listPayments } = yield* LocalGateway
    const run = Effect.runPromiseWith(yield* Effect.context<TestShop | LocalGateway | R>())
    const passing = <A, E>(work: Effect.Effect<A, E, TestShop | LocalGateway | R>) => run(passingTime(work))
    const attempted = (work: () => unknown) => Effect.tryPromise(async () => work())
    const simulated: SimulatedShop<ShopEffect<R>> = {
      store: shop.store,
      changeSettings: (change) => run(changeSettings(change)),
      made: () => run(listPayments),
      checkout: (orderNumber) => passing(checkout(orderNumber)),
      submit: (key, refund) => shop.store.transaction((tx) => run(shop.ledger.submit(tx, key, refund))),
      run: passing,
      pay: (paymentId) => passing(shop.pay(paymentId)),
      decline: (paymentId) => passing(shop.decline(paymentId)),
      deliverTwice: (paymentId) => passing(shop.deliverTwice(paymentId)),
      advance: (duration) => passing(shop.advance(duration)),
      loseNextResponse: () => Effect.runSync(shop.loseNextResponse),
      killDuring: (point, work) => run(shop.killDuring(point, attempted(work))),
      tell: (event) => Effect.runSync(shop.tell(event)),
      story: () => Effect.runSync(shop.story)
    }
    return yield* Effect.promise(() => runIn(simulated, options, steps))
  })
