/**
 * Runs a test shop through payers, operators and failures, as a seed decides.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeLedgerOperator } from "../ledger/operator.js"
import { LocalGateway } from "../local-gateway/index.js"
import {
  eachStepSucceeds,
  happeningOf,
  InvariantBroken,
  type Run,
  settlingTime,
  simulation,
  type SimulationSettings,
  usualOrder,
  usualWait
} from "./Simulation.js"
import type { KillPoint } from "./TestProcess.js"
import { TestShop, type TestShopService } from "./TestShop.js"
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
  /** How the shop sells an order. Default: the ledger's `checkout` of 500 CZK. */
  readonly checkout?:
    | ((orderNumber: string) => Effect.Effect<unknown, unknown, TestShop | LocalGateway | NoInfer<R>>)
    | undefined
  /**
   * What else may happen, by name, such as a cron job of the shop's or a cancelled subscription. Each is as likely as a
   * refund or a killed process.
   */
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
    const shop = yield* TestShop
    const { seed } = options
    const broken = (invariant: string, cause?: Cause.Cause<unknown>) =>
      Effect.map(
        shop.story,
        (story) =>
          new InvariantBroken(
            { invariant, seed, story },
            cause === undefined ? undefined : { cause: Cause.squash(cause) }
          )
      )
    const stepped = yield* Effect.exit(
      Effect.gen(function* () {
        for (const step of steps) yield* passingTime(happen(shop, options, step))
        yield* passingTime(shop.advance(settlingTime))
      })
    )
    if (Exit.isFailure(stepped)) return yield* broken(eachStepSucceeds, stepped.cause)
    for (const [invariant, holds] of Object.entries(options.invariants)) {
      const held = yield* Effect.exit(passingTime(holds))
      if (Exit.isFailure(held)) return yield* broken(invariant, held.cause)
      if (held.value === false) return yield* broken(invariant)
    }
    return yield* shop.story
  })

const sold = (orderNumber: string) =>
  Effect.flatMap(TestShop, ({ callback, ledger }) =>
    ledger.checkout(orderNumber, { ...usualOrder, callback }, usualWait)
  )

/** Makes happen what happens in a step. */
const happen = <R, E>(
  shop: TestShopService,
  options: SimulationOptions<R, E>,
  step: number
): Effect.Effect<unknown, unknown, TestShop | LocalGateway | R> =>
  Effect.gen(function* () {
    const { actions = {}, checkout = sold } = options
    const { listPayments } = yield* LocalGateway
    const seen = { made: yield* listPayments, known: yield* makeLedgerOperator(shop.ledger).listPayments() }
    const happening = happeningOf(options, step, Object.keys(actions), seen)
    switch (happening._tag) {
      case "Checkout":
        return yield* unlessKilled(shop, happening.killed, checkout(happening.orderNumber))
      case "Pay":
        return yield* shop.pay(happening.paymentId)
      case "Decline":
        return yield* shop.decline(happening.paymentId)
      case "Refund":
        if (happening.losesResponse) yield* shop.loseNextResponse
        // The worker sends it, so that no one waits for it when its response is lost.
        return yield* unlessKilled(
          shop,
          happening.killed,
          Effect.andThen(submit(shop, happening.key, happening.refund), shop.advance(0))
        )
      case "DeliverTwice":
        return yield* shop.deliverTwice(happening.paymentId)
      case "Advance":
        return yield* shop.advance(happening.duration)
      case "Action":
        yield* shop.tell(happening.name)
        return yield* new Map(Object.entries(actions)).get(happening.name) ?? Effect.void
      case "Nothing":
        return undefined
    }
  })

const submit = (shop: TestShopService, key: string, refund: { readonly refund: number; readonly amount: number }) =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.promise(() =>
      shop.store.transaction((tx) => Effect.runPromiseWith(context)(shop.ledger.submit(tx, key, refund)))
    )
  )

/** Does some work, or kills the process in the middle of it. */
const unlessKilled = <R>(
  shop: TestShopService,
  point: KillPoint | undefined,
  work: Effect.Effect<unknown, unknown, R>
): Effect.Effect<unknown, unknown, R> =>
  point === undefined
    ? work
    : Effect.contextWith((context: Context.Context<R>) => {
        const { ledger } = shop
        return Effect.catchCause(shop.killDuring(point, Effect.provideContext(work, context)), (cause) =>
          // There may have been nothing to send; then the same process goes on.
          shop.ledger === ledger ? Effect.void : Effect.failCause(cause)
        )
      })
