/**
 * Runs a test shop through payers, operators and failures, as a seed decides.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeLedgerOperator } from "../ledger/operator.js"
import { LocalGateway } from "../local-gateway/index.js"
import {
  InvariantBroken,
  type Run,
  runIn,
  type SimulatedShop,
  simulation,
  type SimulationSettings,
  usualOrder,
  usualWait
} from "./Simulation.js"
import { TestShop } from "./TestShop.js"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Fiber from "effect/Fiber"
import { setImmediate } from "node:timers/promises"

/**
 * The options of a simulation. `R` are the services of the shop beside `TestShop` and `LocalGateway`, `E` is how its layer
 * fails.
 *
 * @category testing
 */
export interface SimulationOptions<R = never, E = never> extends SimulationSettings {
  /** The shop and what the effects below need, such as `TestShop.layer(handlers)`. It is built anew for each run. */
  readonly shop: Layer.Layer<TestShop | LocalGateway | R, E>
  /** What must hold when everything has settled, by name: it does not when the effect fails, or succeeds with `false`. */
  readonly invariants: {
    readonly [name: string]: Effect.Effect<unknown, unknown, TestShop | LocalGateway | NoInfer<R>>
  }
  readonly checkout?:
    | ((orderNumber: string) => Effect.Effect<unknown, unknown, TestShop | LocalGateway | NoInfer<R>>)
    | undefined
  readonly actions?:
    | { readonly [name: string]: Effect.Effect<unknown, unknown, TestShop | LocalGateway | NoInfer<R>> }
    | undefined
}

/**
 * Runs a shop through what a seed decides: orders are paid, declined and refunded, notifications come twice, responses are
 * lost, processes are killed, and days pass. Then it checks the invariants. Succeeds with the story; fails with an
 * `InvariantBroken`, whose story is shortened: `shop` is built again for each attempt to leave something out.
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
 *
 * @category testing
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

/** Runs in a shop of its own, on a clock of its own. */
const inNewShop = <A, E, R>(shop: Layer.Layer<R, E>, run: Effect.Effect<A, never, R>): Effect.Effect<A, E> =>
  Layer.build(Layer.fresh(shop)).pipe(
    Effect.flatMap((services) =>
      Effect.updateContext(run, (context: Context.Context<never>) => Context.merge(context, services))
    ),
    Effect.scoped,
    Effect.provide(TestClock.layer())
  )

/** Turns of the event loop in which no sleep begins or ends: then nothing but time goes on. */
const quietTurns = 20

/** A clock that knows until when its fibers sleep. Sleeps of others, such as a gateway's, are not among them. */
const knowingSleeps = (clock: TestClock.TestClock) => {
  const ends = new Set<{ readonly at: number }>()
  let changes = 0
  const sleep = (duration: Duration.Duration) =>
    Effect.suspend(() => {
      const end = { at: clock.currentTimeMillisUnsafe() + Duration.toMillis(duration) }
      ends.add(end)
      changes++
      return Effect.ensuring(
        clock.sleep(duration),
        Effect.sync(() => {
          ends.delete(end)
          changes++
        })
      )
    })
  return {
    clock: { ...clock, sleep },
    changes: () => changes,
    /** How long it is to the first end of a sleep: for ever, when none has an end. */
    wait: () => Math.min(...Array.from(ends, ({ at }) => at)) - clock.currentTimeMillisUnsafe()
  }
}

/** Runs some work, and moves the `TestClock` to the end of its first sleep whenever it only sleeps. */
const passingTime = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  TestClock.testClockWith((base) =>
    Effect.gen(function* () {
      const { changes, clock, wait } = knowingSleeps(base)
      const fiber = yield* Effect.forkChild(Effect.provideService(work, Clock.Clock, clock))
      let seen = changes()
      for (let quiet = 0; fiber.pollUnsafe() === undefined; quiet++) {
        yield* Effect.promise(() => setImmediate())
        const left = wait()
        if (left === Infinity || seen !== changes()) quiet = 0
        seen = changes()
        if (quiet < quietTurns) continue
        yield* base.adjust(Math.max(0, left))
        quiet = 0
      }
      return yield* Fiber.join(fiber)
    })
  )

/** Runs some of the steps. */
const runOf = <R, E>(
  options: SimulationOptions<R, E>,
  steps: ReadonlyArray<number>
): Effect.Effect<Run, never, TestShop | LocalGateway | R> =>
  Effect.gen(function* () {
    const { actions = {}, checkout = sold, invariants } = options
    const shop = yield* TestShop
    const { listPayments } = yield* LocalGateway
    const context = yield* Effect.context<TestShop | LocalGateway | R>()
    const run = Effect.runPromiseWith(context)
    const passing = <A, E>(work: Effect.Effect<A, E, TestShop | LocalGateway | R>) => run(passingTime(work))
    const simulated: SimulatedShop = {
      payments: async () => ({
        made: await run(listPayments),
        known: await run(makeLedgerOperator(shop.ledger).listPayments())
      }),
      checkout: (orderNumber) => passing(checkout(orderNumber)),
      submit: (key, refund) => shop.store.transaction((tx) => run(shop.ledger.submit(tx, key, refund))),
      act: (name) => passing(new Map(Object.entries(actions)).get(name) ?? Effect.void),
      holds: (name) => passing(new Map(Object.entries(invariants)).get(name) ?? Effect.void),
      pay: (paymentId) => passing(shop.pay(paymentId)),
      decline: (paymentId) => passing(shop.decline(paymentId)),
      deliverTwice: (paymentId) => passing(shop.deliverTwice(paymentId)),
      advance: (duration) => passing(shop.advance(duration)),
      loseNextResponse: () => Effect.runSync(shop.loseNextResponse),
      killDuring: (point, work) =>
        run(
          shop.killDuring(
            point,
            Effect.tryPromise(async () => work())
          )
        ),
      process: () => shop.ledger,
      tell: (event) => Effect.runSync(shop.tell(event)),
      story: () => Effect.runSync(shop.story)
    }
    return yield* Effect.promise(() => runIn(simulated, options, steps))
  })

const sold = (orderNumber: string) =>
  Effect.flatMap(TestShop, ({ callback, ledger }) =>
    ledger.checkout(orderNumber, { ...usualOrder, callback }, usualWait)
  )
