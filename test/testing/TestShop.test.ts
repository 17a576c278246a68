import { isBuiltin } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import Database from "libsql"
import { getPayment, getPaymentRefunds } from "../../src/index.js"
import type { LedgerStore, PaymentEvent, SqliteTransaction } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { TestShop, type TestShopOptions } from "../../src/testing/index.js"
import { captureLog } from "../support/LogGuard.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

/** A shop that ships each order when it is paid. */
const shipping: TestShopOptions = {
  driver: Database,
  prepare: (store) => Effect.promise(() => store.query("CREATE TABLE shipment (order_number TEXT, at INTEGER)", [])),
  onPayment: ({ order, status, tx }: PaymentEvent<SqliteTransaction>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      status === "paid"
        ? Effect.promise(() => tx.query("INSERT INTO shipment VALUES (?, ?)", [order.orderNumber, now]))
        : Effect.void
    )
}

const inShop = <A, E, R>(test: Effect.Effect<A, E, R>, options: TestShopOptions = shipping) =>
  test.pipe(Effect.provide(TestShop.layer({ driver: Database, gateway: partsAtOnce, ...options })))

const ordered = Effect.gen(function* () {
  const { callback, ledger } = yield* TestShop
  const order = yield* ledger.checkout("1", { amount: 50_000, currency: "CZK", callback })
  return order.status === "open" ? order.paymentId : assert.fail("the order has no payment")
})

const paid = Effect.gen(function* () {
  const shop = yield* TestShop
  const id = yield* ordered
  yield* shop.pay(id)
  return id
})

const shipments = Effect.flatMap(TestShop, ({ store }) =>
  Effect.promise(() => store.query("SELECT order_number FROM shipment", []))
)

const refundsOf = (id: number | string) => Effect.map(getPaymentRefunds(id), (all) => all.map(({ amount }) => amount))

const story = Effect.flatMap(TestShop, (shop) => Effect.map(shop.story, (reported) => reported.join("\n")))

describe("a test shop by the TestClock", () => {
  it.effect("ships a paid order once, however often it is notified", () =>
    inShop(
      Effect.gen(function* () {
        const shop = yield* TestShop
        const id = yield* paid
        assert.deepStrictEqual(yield* shop.deliverTwice(id), [200, 200])
        yield* shop.advance("3 days")
        assert.lengthOf(yield* shipments, 1)
        assert.lengthOf((yield* story).match(/a notification of payment/g) ?? [], 3)
      })
    )
  )

  it.effect("lets a handler read the store while its transaction is open", () => {
    let store: LedgerStore<SqliteTransaction> | undefined
    const read: Array<unknown> = []
    const options: TestShopOptions = {
      prepare: (opened) => Effect.sync(() => void (store = opened)),
      onPayment: () =>
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          const rows = yield* Effect.promise(async () => store?.query("\n select order_number from gopay_payment", []))
          read.push(rows)
        })
    }
    const test = Effect.map(paid, () => assert.deepStrictEqual(read, [[{ order_number: "1" }]]))
    return inShop(test, options)
  })

  it.effect("moves ledger, gateway and store by TestClock.adjust", () =>
    inShop(
      Effect.gen(function* () {
        const shop = yield* TestShop
        const id = yield* ordered
        const before = yield* Clock.currentTimeMillis
        const times = Effect.promise(() => shop.store.query(`SELECT ${shop.store.now} AS now`, []))
        assert.deepStrictEqual(yield* times, [{ now: before }])
        yield* TestClock.adjust("6 days")
        assert.strictEqual((yield* getPayment(id)).state, "TIMEOUTED")
        assert.deepStrictEqual(yield* times, [{ now: before + 6 * 86_400_000 }])
        yield* shop.advance(0)
        assert.strictEqual((yield* shop.ledger.getOrder("1"))?.status, "closed")
      })
    )
  )

  it.effect("finds a payment by the sweep when no notification comes, when it is due", () =>
    inShop(
      Effect.gen(function* () {
        const shop = yield* TestShop
        const id = yield* ordered
        yield* shop.pay(id)
        assert.deepStrictEqual(yield* shipments, [])
        const before = yield* Clock.currentTimeMillis
        yield* shop.advance("5 days")
        assert.strictEqual(yield* Clock.currentTimeMillis, before + 5 * 86_400_000)
        const [row] = yield* Effect.promise(() => shop.store.query("SELECT at FROM shipment", []))
        assert.isBelow(Number(row?.["at"]) - before, 3_600_000)
      }),
      { ...shipping, gateway: { notificationCopies: 0 } }
    )
  )

  for (const [point, refunds, outcome] of [
    ["beforeSending", [], "InDoubt"],
    ["afterSending", [20_000], "Done"]
  ] as const) {
    it.effect(`refunds once at most when it is killed ${point}`, () =>
      inShop(
        Effect.gen(function* () {
          captureLog(/The ledger asks an operator|unknown|was not processed/)
          const shop = yield* TestShop
          const id = yield* paid
          const killed = shop.ledger
          yield* shop.killDuring(point, killed.refund("r1", id, { amount: 20_000 }))
          assert.notStrictEqual(shop.ledger, killed)
          yield* shop.advance("1 day")
          assert.strictEqual((yield* shop.ledger.getOutcome("r1"))?._tag, outcome)
          assert.deepStrictEqual(yield* refundsOf(id), [...refunds])
          assert.include(yield* story, "process 1 is killed")
        })
      )
    )
  }

  it.effect("stops the time that passes when the process is killed", () =>
    inShop(
      Effect.gen(function* () {
        captureLog(/The ledger asks an operator|unknown|was not processed/)
        const shop = yield* TestShop
        const id = yield* paid
        yield* Effect.promise(() =>
          shop.store.transaction((tx) =>
            Effect.runPromise(shop.ledger.submit(tx, "r1", { refund: id, amount: 20_000 }))
          )
        )
        const before = yield* Clock.currentTimeMillis
        yield* shop.killDuring("afterSending", shop.advance("3 days"))
        yield* shop.advance("1 hour")
        yield* shop.advance("1 hour")
        assert.isBelow((yield* Clock.currentTimeMillis) - before, 3 * 3_600_000)
        assert.strictEqual((yield* shop.ledger.getOutcome("r1"))?._tag, "Done")
      })
    )
  )

  it.effect("refuses a part on the day of the payment as GoPay does, and says how to go on", () =>
    inShop(
      Effect.gen(function* () {
        const { advance, ledger } = yield* TestShop
        const id = yield* paid
        const refundAsTimePasses = (key: string) =>
          Effect.gen(function* () {
            const refund = yield* Effect.forkChild(ledger.refund(key, id, { amount: 20_000 }))
            yield* advance("1 second")
            return yield* Fiber.join(refund)
          })
        const refused = yield* refundAsTimePasses("r1")
        assert.strictEqual(refused._tag, "Refused")
        assert.match(refused.message, /a test shop's advance.* or set partialRefundDelaySeconds to 0/)
        yield* advance("1 day")
        assert.strictEqual((yield* refundAsTimePasses("r1-2"))._tag, "Done")
        assert.deepStrictEqual(yield* refundsOf(id), [20_000])
      }),
      { ...shipping, gateway: {} }
    )
  )

  it.effect("settles a refund whose response is lost, when time passes", () =>
    inShop(
      Effect.gen(function* () {
        captureLog(/The ledger asks an operator|unknown/)
        const shop = yield* TestShop
        const id = yield* paid
        yield* shop.loseNextResponse
        const refund = yield* Effect.forkChild(
          shop.ledger.refund("r1", id, { amount: 20_000 }, { waitAtMost: "1 day" })
        )
        yield* shop.advance(0)
        assert.include(yield* story, "its response is lost")
        assert.isUndefined(refund.pollUnsafe())
        yield* shop.advance("1 hour")
        assert.strictEqual((yield* Fiber.join(refund))._tag, "Done")
        assert.deepStrictEqual(yield* refundsOf(id), [20_000])
      })
    )
  )

  it.effect("starts at a date, with its gateway", () =>
    inShop(
      Effect.gen(function* () {
        const shop = yield* TestShop
        assert.strictEqual(yield* Clock.currentTimeMillis, Date.parse("2024-02-29T12:00:00Z"))
        const id = yield* paid
        yield* shop.ledger.refund("r1", id, { amount: 20_000 })
        const [refund] = yield* getPaymentRefunds(id)
        assert.include(String(refund?.date_requested), "2024-02-29")
      }),
      { ...shipping, startAt: new Date("2024-02-29T12:00:00Z") }
    )
  )

  it.effect.skipIf(isBuiltin("node:sqlite"))("says which option is missing where Node.js has no SQLite", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(Effect.void, TestShop.layer()))
      assert.strictEqual(error._tag, "ConfigError")
      assert.match(String(error), /TestShop: driver: .*node:sqlite/)
    })
  )

  it.effect("starts at no date that is none, nor at one that has passed", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("2 days")
      for (const [startAt, message] of [
        [new Date("x"), "TestShop: startAt must be a valid Date"],
        [
          new Date(86_400_000),
          "TestShop: startAt must not be before the time of the TestClock, 1970-01-03T00:00:00.000Z"
        ]
      ] as const) {
        const exit = yield* Effect.exit(inShop(Effect.void, { startAt }))
        assert.include(String(exit), message)
        assert.include(String(exit), "ConfigError")
      }
    })
  )

  it.effect("has several processes over one store, the notifications of which come to each in turn", () =>
    inShop(
      Effect.gen(function* () {
        const shop = yield* TestShop
        const id = yield* paid
        assert.deepStrictEqual(yield* shop.deliverTwice(id), [200, 200])
        assert.lengthOf(yield* shipments, 1)
        const refunds = shop.ledgers.map((ledger) => ledger.refund("r1", id, { amount: 20_000 }))
        const outcomes = yield* Effect.forkChild(Effect.all(refunds, { concurrency: "unbounded" }))
        yield* shop.advance("5 seconds")
        assert.deepStrictEqual(
          (yield* Fiber.join(outcomes)).map(({ _tag }) => _tag),
          ["Done", "Done"]
        )
        assert.deepStrictEqual(yield* refundsOf(id), [20_000])
        assert.match(yield* story, /answered with 200 by process 1$/m)
        assert.match(yield* story, /answered with 200 by process 2$/m)
      }),
      { ...shipping, processes: 2 }
    )
  )

  it.effect("has no half process", () =>
    Effect.map(Effect.exit(inShop(Effect.void, { processes: 0.5 })), (exit) =>
      assert.include(String(exit), "TestShop: processes must be a whole number from 1")
    )
  )

  it.effect("has the gateway's controls, and dies when nothing was there to be killed", () =>
    inShop(
      Effect.gen(function* () {
        const shop = yield* TestShop
        yield* ordered
        assert.lengthOf(yield* LocalGateway.listPayments, 1)
        const exit = yield* Effect.exit(shop.killDuring("afterSending", shop.ledger.getHealth))
        assert.include(String(exit), "sent no change")
      })
    )
  )
})
