/**
 * A shop whose requests and handlers wait for the test's clock: `advance` moves it past them, and waits for none of them for ever.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import Database from "libsql"
import { getPaymentRefunds } from "../../src/index.js"
import { LocalGateway, type Fault } from "../../src/local-gateway/index.js"
import { TestShop, type TestShopOptions } from "../../src/testing/index.js"
import { captureLog } from "../support/LogGuard.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const inShop = <A, E, R>(test: Effect.Effect<A, E, R>, options: TestShopOptions = {}) =>
  test.pipe(Effect.provide(TestShop.layer({ driver: Database, gateway: partsAtOnce, ...options })))

const checkedOut = Effect.gen(function* () {
  const { callback, ledger } = yield* TestShop
  const order = yield* ledger.checkout("1", { amount: 50_000, currency: "CZK", callback })
  return order.status === "open" ? order.paymentId : assert.fail("the order has no payment")
})

const paid = Effect.gen(function* () {
  const shop = yield* TestShop
  const id = yield* checkedOut
  yield* shop.pay(id)
  return id
})

/** A refund that the worker sends. */
const submitted = Effect.gen(function* () {
  const { ledger, store } = yield* TestShop
  const refund = yield* paid
  yield* Effect.promise(() =>
    store.transaction((tx) => Effect.runPromise(ledger.submit(tx, "r1", { refund, amount: 100 })))
  )
  return refund
})

const outcome = Effect.flatMap(TestShop, ({ ledger }) => Effect.map(ledger.getOutcome("r1"), (known) => known?._tag))

/** How far the clock has gone, in milliseconds. */
const elapsed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    yield* work
    return (yield* Clock.currentTimeMillis) - before
  })

const delays: ReadonlyArray<Fault> = [
  { type: "latency", milliseconds: 10_000 },
  { type: "slowBody", milliseconds: 10_000 }
]

/** Records when each handler has ended, by the clock. */
const slowly = (seconds: number, ended: Array<number>): TestShopOptions => ({
  onPayment: () =>
    Effect.andThen(
      Effect.sleep(seconds * 1_000),
      Effect.map(Clock.currentTimeMillis, (now) => ended.push(now))
    )
})

describe("advance", () => {
  for (const fault of delays) {
    it.effect(`moves time past a response under ${fault.type}`, () =>
      inShop(
        Effect.gen(function* () {
          const { advance } = yield* TestShop
          const id = yield* submitted
          yield* LocalGateway.armFault(fault, { operation: "refundPayment" })
          assert.strictEqual(yield* elapsed(advance("5 seconds")), 5_000)
          assert.strictEqual(yield* outcome, "Pending")
          assert.strictEqual(yield* elapsed(advance("55 seconds")), 55_000)
          assert.strictEqual(yield* outcome, "Done")
          assert.lengthOf(yield* getPaymentRefunds(id), 1)
        })
      )
    )
  }

  it.effect("moves time past a response that never comes", () =>
    inShop(
      Effect.gen(function* () {
        captureLog(/unknown/)
        const { advance } = yield* TestShop
        const id = yield* submitted
        yield* LocalGateway.armFault({ type: "noResponse" }, { operation: "refundPayment" })
        assert.strictEqual(yield* elapsed(advance("1 hour")), 3_600_000)
        assert.strictEqual(yield* outcome, "Done")
        assert.lengthOf(yield* getPaymentRefunds(id), 1)
      })
    )
  )

  it.effect("moves time past a read of the worker that gets no response, and finds the payment", () =>
    inShop(
      Effect.gen(function* () {
        captureLog(/could not be checked/)
        const { advance, ledger } = yield* TestShop
        yield* paid
        yield* LocalGateway.armFault({ type: "noResponse" }, { operation: "getPayment" })
        assert.strictEqual(yield* elapsed(advance("1 day")), 86_400_000)
        assert.strictEqual((yield* ledger.getOrder("1"))?.status, "paid")
      }),
      { gateway: { ...partsAtOnce, notificationCopies: 0 } }
    )
  )

  /** A refund and a checkout of the test's own, which the worker finds in flight. */
  const ownCalls: Readonly<Record<string, { readonly fault: Fault; readonly options?: TestShopOptions }>> = {
    "waits for a late response": { fault: { type: "latency", milliseconds: 40_000 } },
    "waits for a response that never comes": { fault: { type: "noResponse" } },
    "waits for a slow handler": {
      fault: { type: "latency", milliseconds: 10 },
      options: { onChange: () => Effect.sleep("10 seconds") }
    }
  }

  for (const [name, { fault, options }] of Object.entries(ownCalls)) {
    it.effect(`moves time past a refund of the test that ${name}`, () =>
      inShop(
        Effect.gen(function* () {
          captureLog(/unknown/)
          const { advance, ledger } = yield* TestShop
          const id = yield* paid
          yield* LocalGateway.armFault(fault, { operation: "refundPayment" })
          const refund = yield* Effect.forkChild(ledger.refund("own", id, { amount: 100 }, { waitAtMost: "1 hour" }))
          assert.strictEqual(yield* elapsed(advance("1 hour")), 3_600_000)
          assert.strictEqual((yield* Fiber.join(refund))._tag, "Done")
          assert.lengthOf(yield* getPaymentRefunds(id), 1)
        }),
        options
      )
    )
  }

  it.effect("moves time past a checkout of the test that waits for a late response", () =>
    inShop(
      Effect.gen(function* () {
        const { advance, callback, ledger } = yield* TestShop
        yield* LocalGateway.armFault({ type: "latency", milliseconds: 25_000 }, { operation: "createPayment" })
        const order = yield* Effect.forkChild(ledger.checkout("1", { amount: 50_000, currency: "CZK", callback }))
        assert.strictEqual(yield* elapsed(advance("1 hour")), 3_600_000)
        assert.strictEqual((yield* Fiber.join(order)).status, "open")
      })
    )
  )

  it.effect("lets the other processes go on while one waits for a response", () =>
    inShop(
      Effect.gen(function* () {
        const { advance } = yield* TestShop
        yield* submitted
        yield* LocalGateway.armFault({ type: "latency", milliseconds: 60_000 }, { operation: "refundPayment" })
        assert.strictEqual(yield* elapsed(advance("2 minutes")), 120_000)
        assert.strictEqual(yield* outcome, "Done")
      }),
      { processes: 2 }
    )
  )

  it.effect("brings a handler that sleeps to its end at its time", () => {
    const ended: Array<number> = []
    return inShop(
      Effect.gen(function* () {
        const { advance, ledger } = yield* TestShop
        const before = yield* Clock.currentTimeMillis
        const id = yield* paid
        assert.deepStrictEqual(ended, [])
        yield* advance("1 minute")
        assert.deepStrictEqual(ended, [before + 5_000])
        assert.strictEqual((yield* ledger.getOrder("1"))?.status, "paid")
        assert.isDefined(id)
      }),
      slowly(5, ended)
    )
  })

  it.effect("brings a handler that sleeps longer than the gateway waits to its end, once", () => {
    const ended: Array<number> = []
    return inShop(
      Effect.gen(function* () {
        const { advance } = yield* TestShop
        const before = yield* Clock.currentTimeMillis
        yield* paid
        yield* advance("1 day")
        assert.deepStrictEqual(ended, [before + 45_000])
      }),
      slowly(45, ended)
    )
  })

  it.effect("ends a notification that is delivered twice to a handler that sleeps", () => {
    const ended: Array<number> = []
    return inShop(
      Effect.gen(function* () {
        const { advance, deliverTwice } = yield* TestShop
        const id = yield* checkedOut
        yield* LocalGateway.payByCard(id)
        const delivered = yield* Effect.forkChild(deliverTwice(id))
        yield* advance("1 minute")
        assert.deepStrictEqual(yield* Fiber.join(delivered), [200, 200])
        assert.lengthOf(ended, 1)
      }),
      { ...slowly(5, ended), gateway: { ...partsAtOnce, notificationCopies: 0 } }
    )
  })

  it.effect("stops for the process that is killed while a response is late", () =>
    inShop(
      Effect.gen(function* () {
        captureLog(/The ledger asks an operator|unknown|was not processed/)
        const shop = yield* TestShop
        const id = yield* submitted
        yield* LocalGateway.armFault({ type: "latency", milliseconds: 10_000 }, { operation: "refundPayment" })
        yield* shop.killDuring("afterSending", shop.advance("1 minute"))
        yield* shop.advance("1 day")
        assert.strictEqual(yield* outcome, "Done")
        assert.lengthOf(yield* getPaymentRefunds(id), 1)
      })
    )
  )
})
