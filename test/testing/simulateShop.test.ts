import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import Database from "libsql"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { InvariantBroken, simulateShop, type SimulationOptions, TestShop } from "../../src/testing/index.js"
import { firstOf } from "../support/Runs.js"

/** A shop that ships on each event of a paid order, as far as its table lets it. */
const shopWith = (table: string) =>
  TestShop.layer({
    driver: Database,
    onAttention: () => Effect.void,
    prepare: (store) => Effect.promise(() => store.query(table, [])),
    onPayment: ({ order, status, tx }) =>
      status === "closed"
        ? Effect.void
        : Effect.promise(() => tx.query("INSERT OR IGNORE INTO shipment VALUES (?)", [order.orderNumber]))
  })

const shipsOnce = shopWith("CREATE TABLE shipment (order_number TEXT PRIMARY KEY)")
const shipsAtEachEvent = shopWith("CREATE TABLE shipment (order_number TEXT)")

const shipments = Effect.flatMap(TestShop, ({ store }) =>
  Effect.promise(async () =>
    (await store.query("SELECT order_number FROM shipment", [])).map((row) => row["order_number"])
  )
)

const shippedOnce = Effect.gen(function* () {
  const { listPayments } = yield* LocalGateway
  const paid = (yield* listPayments).filter(({ state }) => /PAID|REFUNDED/.test(state ?? ""))
  const inOrder = (numbers: ReadonlyArray<unknown>) => numbers.map(Number).toSorted((one, other) => one - other)
  assert.deepStrictEqual(inOrder(yield* shipments), inOrder(paid.map((payment) => payment.order_number)))
})

const invariants = { "each paid order is shipped once": shippedOnce }

/** What a simulation fails with. */
const brokenBy = <R, E>(options: SimulationOptions<R, E>) =>
  Effect.flatMap(Effect.flip(simulateShop(options)), (error) =>
    error instanceof InvariantBroken ? Effect.succeed(error) : assert.fail("The shop was not built.")
  )

/** One order and nothing else. */
const oneOrder = { seed: 1, shop: shipsOnce, invariants: {}, orders: 1, steps: 0 }

class CartEmpty extends Data.TaggedError("CartEmpty") {}

class Warehouse extends Context.Service<Warehouse, { readonly name: string }>()("test/Warehouse") {}

describe("a simulated shop by the TestClock", () => {
  for (const seed of firstOf(2, [2, 1, 3])) {
    it.effect(`ships each paid order once, with seed ${seed}`, () =>
      Effect.gen(function* () {
        const story = yield* simulateShop({ seed, shop: shipsOnce, invariants, steps: 12 })
        assert.isAbove(story.length, 8)
      })
    )
  }

  it.effect("lets the same happen at the same times with the same seed", () =>
    Effect.gen(function* () {
      const storyOf = (seed: number) => simulateShop({ seed, shop: shipsOnce, invariants: {}, orders: 2, steps: 4 })
      const first = yield* storyOf(4)
      assert.deepStrictEqual(yield* storyOf(4), first)
      assert.notDeepEqual(yield* storyOf(5), first)
    })
  )

  it.effect("makes the story of a shop that ships twice as short as it can be", () =>
    Effect.gen(function* () {
      const error = yield* brokenBy({ seed: 2, shop: shipsAtEachEvent, invariants, orders: 2, steps: 12 })
      assert.strictEqual(error.invariant, "each paid order is shipped once")
      assert.strictEqual(error.seed, 2)
      assert.match(String(error.cause), /^AssertionError/)
      assert.match(error.message, /^"each paid order is shipped once" does not hold with seed 2:\nday 0/)
      assert.deepStrictEqual(
        error.story.map((line) => line.replace(/\d{10}|order \d|\d+000/g, "…")),
        [
          "day 0 00:00:00 process 1 sends POST /payments/payment (…, … CZK): payment …",
          "day 0 00:00:00 payment … is paid by card",
          "day 0 00:00:00 onPayment: … is paid",
          "day 0 00:00:00 a notification of payment … is answered with 200 by process 1",
          "day 0 00:00:00 process 1 sends POST /payments/payment/…/refund (…): FINISHED",
          "day 0 00:00:00 its response is lost",
          "day 0 00:00:00 onPayment: … is partiallyRefunded, … refunded",
          "day 0 00:00:00 a notification of payment … is answered with 200 by process 1",
          "day 0 00:00:00 time moves by 2d"
        ]
      )
    })
  )

  it.effect("does not hold by false, by a failure and by a defect", () =>
    Effect.gen(function* () {
      const breaking = (holds: Effect.Effect<unknown, unknown>) =>
        brokenBy({ ...oneOrder, invariants: { "nothing is wrong": Effect.void, "it holds": holds } })
      const defect = new Error("a defect")
      for (const [holds, cause] of [
        [Effect.succeed(false), undefined],
        [Effect.fail("a failure"), "a failure"],
        [Effect.die(defect), defect]
      ] as const) {
        const error = yield* breaking(holds)
        assert.strictEqual(error.invariant, "it holds")
        assert.strictEqual(error.cause, cause)
      }
    })
  )

  it.effect("reports an action that fails or dies, with its cause and by name", () =>
    Effect.gen(function* () {
      const defect = new Error("The cron job has a bug.")
      for (const [job, cause] of [
        [Effect.fail(new CartEmpty()), new CartEmpty()],
        [Effect.die(defect), defect]
      ] as const) {
        const error = yield* brokenBy({ ...oneOrder, actions: { "the cron job runs": job }, steps: 12 })
        assert.strictEqual(error.invariant, "each step succeeds")
        assert.deepStrictEqual(error.cause, cause)
        assert.deepStrictEqual(error.story, ["day 0 00:00:00 the cron job runs"])
      }
    })
  )

  it.effect("fails with a tagged error", () =>
    Effect.gen(function* () {
      const reported = yield* simulateShop({ ...oneOrder, checkout: () => Effect.fail(new CartEmpty()) }).pipe(
        Effect.catchTag("InvariantBroken", ({ cause, invariant }) => Effect.succeed([invariant, cause]))
      )
      assert.deepStrictEqual(reported, ["each step succeeds", new CartEmpty()])
    })
  )

  it.effect("gives checkout, actions and invariants the services of the shop", () =>
    Effect.gen(function* () {
      const names: Array<string> = []
      const note = (by: string) => Effect.map(Warehouse, ({ name }) => void names.push(`${by}: ${name}`))
      yield* simulateShop({
        ...oneOrder,
        shop: Layer.provideMerge(Layer.succeed(Warehouse, { name: "Brno" }), shipsOnce),
        checkout: (orderNumber) => note(`order ${orderNumber}`),
        actions: { counted: note("counted") },
        invariants: { checked: note("checked") },
        steps: 12
      })
      assert.deepStrictEqual([...new Set(names)], ["order 1: Brno", "counted: Brno", "checked: Brno"])
    })
  )

  it.effect("builds a shop for each run, and closes it before the next one", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const reported = Layer.effect(
        Warehouse,
        Effect.as(
          Effect.acquireRelease(
            Effect.sync(() => events.push("opened")),
            () => Effect.sync(() => events.push("closed"))
          ),
          { name: "Brno" }
        )
      )
      const shop = Layer.provideMerge(reported, shipsOnce)
      // The layer that the test itself has is another shop.
      yield* Effect.provide(simulateShop({ ...oneOrder, shop }), shop)
      assert.deepStrictEqual(events.splice(0), ["opened", "opened", "closed", "closed"])
      yield* brokenBy({ ...oneOrder, shop, invariants: { never: Effect.succeed(false) } })
      assert.isAbove(events.length, 2)
      assert.deepStrictEqual(
        events,
        events.map((_, index) => (index % 2 === 0 ? "opened" : "closed"))
      )
    })
  )

  it.effect("closes the shop when it is interrupted", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const shop = Layer.provideMerge(
        Layer.effect(
          Warehouse,
          Effect.as(
            Effect.addFinalizer(() => Effect.sync(() => events.push("closed"))),
            { name: "Brno" }
          )
        ),
        shipsOnce
      )
      const begun = yield* Deferred.make<void>()
      const checkout = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const fiber = yield* Effect.forkChild(simulateShop({ ...oneOrder, shop, checkout }))
      yield* Deferred.await(begun)
      const exit = yield* Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.deepStrictEqual(events, ["closed"])
    })
  )

  it.effect("lets time pass for a step that sleeps, and none for the test", () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const note = Effect.map(Clock.currentTimeMillis, (now) => void times.push(now))
      const began = performance.now()
      yield* simulateShop({
        ...oneOrder,
        checkout: () => note.pipe(Effect.andThen(Effect.sleep("3 days")), Effect.andThen(note)),
        invariants: { "settled for two days": note }
      })
      const day = 86_400_000
      assert.deepStrictEqual(times, [day, 4 * day, 6 * day])
      assert.isBelow(performance.now() - began, 30_000)
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
    })
  )

  it.effect("fails as the layer of the shop fails", () =>
    Effect.gen(function* () {
      const shop = Layer.provideMerge(Layer.effect(Warehouse, Effect.fail(new CartEmpty())), shipsOnce)
      assert.deepStrictEqual(yield* Effect.flip(simulateShop({ ...oneOrder, shop })), new CartEmpty())
    })
  )

  it.effect("refuses a seed that is no integer", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(simulateShop({ ...oneOrder, seed: 0.5 }))
      assert.match(
        String(Exit.isFailure(exit) && Cause.squash(exit.cause)),
        /simulateShop: the seed must be an integer, not 0.5/
      )
    })
  )
})
