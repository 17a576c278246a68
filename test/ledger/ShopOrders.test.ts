/**
 * What a shop says of its orders: that one is withdrawn, that one cannot take its money, what belongs together.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Gateway } from "../../src/index.js"
import { createRecurrence } from "../../src/index.js"
import type { CheckoutOptions, PaymentEvent } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request, reportedOf, withBooks } from "./OrderBooks.js"
import { inWorld, type TestLedger, type World } from "./World.js"

const run = <A, E>(test: (world: World) => Effect.Effect<A, E, Gateway | LocalGateway>) => inWorld(test)

const payByCard = (id: number) => Effect.orDie(LocalGateway.payByCard(id))

const attentionOf = (ledger: TestLedger): Effect.Effect<ReadonlyArray<string>> =>
  Effect.orDie(
    Effect.map(ledger.operator.listAttention(), (items) => items.map(({ kind, message }) => `${kind}: ${message}`))
  )

describe("an order that is withdrawn", () => {
  it.effect("is offered no more, and gets no payment unless that is asked for", () =>
    run(({ created, ledger }) =>
      Effect.gen(function* () {
        const id = idOf(yield* ledger.checkout("1", request))
        const withdrawn = yield* ledger.withdrawOrder("1")
        assert.deepInclude(withdrawn, { status: "withdrawn", orderNumber: "1", paymentId: id })
        assert.deepStrictEqual(yield* ledger.withdrawOrder("1"), withdrawn)
        assert.deepStrictEqual(yield* ledger.getOrder("1"), withdrawn)
        assert.deepStrictEqual(yield* ledger.checkout("1", request), withdrawn)
        assert.lengthOf(created, 1)
        assert.strictEqual((yield* ledger.checkout("1", request, { replace: true })).status, "open")
        assert.lengthOf(created, 2)
      })
    )
  )

  it.effect("reports money that comes for it after all", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", request))
        yield* ledger.withdrawOrder("1")
        yield* payByCard(id)
        yield* notify(ledger, id)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid, PaidLate"])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid" })
        assert.deepInclude(yield* ledger.withdrawOrder("1"), { status: "paid" })
      })
    )
  )

  it.effect("is not, if it was paid a moment ago", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        yield* payByCard(idOf(yield* ledger.checkout("1", request)))
        assert.deepInclude(yield* ledger.withdrawOrder("1"), { status: "paid" })
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("is not while its payment cannot be read, and is so while its payment is being created", () =>
    run(({ ledger, makeProcess, store }) =>
      Effect.gen(function* () {
        yield* ledger.checkout("1", request)
        for (let attempt = 0; attempt < 3; attempt++) {
          yield* Effect.orDie(
            LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "getPayment" })
          )
        }
        assert.include((yield* Effect.flip(ledger.withdrawOrder("1"))).message, "it may be paid")
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "open" })
        const other = yield* makeProcess()
        let during: unknown
        store.before(/AND \(payment_id IS NULL OR payment_id = \?\)/, async () => {
          during = await Effect.runPromise(other.withdrawOrder("2"))
        })
        assert.deepInclude(yield* ledger.checkout("2", request), { status: "withdrawn" })
        assert.deepInclude(during, { status: "withdrawn", orderNumber: "2" })
      })
    )
  )

  it.effect("is refused by a wrong number", () =>
    run(({ ledger }) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(ledger.withdrawOrder(""))
        assert.include(failure.message, "orderNumber must not be empty")
      })
    )
  )
})

describe("an order that cannot take its money", () => {
  it.effect("is paid, and an operator is asked in the shop's words, until all is refunded", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world, { answer: { attention: "Sold out meanwhile." } })
        const id = idOf(yield* ledger.checkout("1", request))
        yield* payByCard(id)
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid" })
        assert.deepStrictEqual(yield* attentionOf(ledger), ["Unfulfillable: Sold out meanwhile."])
        assert.deepInclude(world.reported[0], { kind: "Unfulfillable", orderNumber: "1", paymentId: id })
        yield* ledger.refund("sold-out", id, { amount: request.amount })
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", `refunded ${request.amount}`])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("stays with the operator's decision", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world, { answer: { attention: "Sold out meanwhile." } })
        const id = idOf(yield* ledger.checkout("1", request))
        yield* payByCard(id)
        yield* notify(ledger, id)
        const [item] = yield* ledger.operator.listAttention()
        if (item === undefined) return assert.fail("nothing needs an operator")
        yield* ledger.operator.resolvePayment(item.key, {
          version: item.version,
          as: "done",
          by: "Jana",
          note: "Found one."
        })
        yield* ledger.refund("a-part", id, { amount: 100 })
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("is one only for an answer that says so", () =>
    run((world) =>
      Effect.gen(function* () {
        for (const answer of [undefined, "attention", { attention: "" }, { attention: 1 }, [{ attention: "no" }]]) {
          const ledger = yield* withBooks(world, { answer })
          const id = idOf(yield* ledger.checkout(JSON.stringify(answer ?? null), request))
          yield* payByCard(id)
          yield* notify(ledger, id)
          assert.deepStrictEqual(yield* attentionOf(ledger), [])
        }
      })
    )
  )
})

describe("an order that is paid twice", () => {
  it.effect("is an item of the payment that onPayment names, which was paid later", () =>
    run((world) =>
      Effect.gen(function* () {
        const twice: Array<number> = []
        const ledger = yield* world.makeProcess({
          onPayment: ({ attention, moved }) =>
            Effect.sync(() => void (attention === "PaidTwice" && twice.push(moved.paymentId)))
        })
        const first = idOf(yield* ledger.checkout("1", request))
        const second = idOf(yield* ledger.checkout("1", { ...request, amount: 200 }, { replace: true }))
        for (const id of [second, first]) {
          yield* payByCard(id)
          yield* notify(ledger, id)
          yield* world.pass("1 second")
        }
        const items = (yield* ledger.operator.listAttention()).filter(({ kind }) => kind === "PaidTwice")
        assert.deepStrictEqual([items.map(({ paymentId }) => paymentId), twice], [[first], [first]])
      })
    )
  )
})

describe("a group of payments", () => {
  const group = (total: number): CheckoutOptions => ({ group: { name: "cart-7", total } })

  const paidFor = (ledger: TestLedger, number: string, amount: number, options: CheckoutOptions) =>
    Effect.gen(function* () {
      const id = idOf(yield* ledger.checkout(number, { ...request, amount }, options))
      yield* payByCard(id)
      yield* notify(ledger, id)
      return id
    })

  it.effect("is paid in parts up to its total without a word", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        yield* paidFor(ledger, "part", 40_000, group(100_000))
        yield* paidFor(ledger, "rest", 60_000, group(100_000))
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "paid"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("reports what is paid beyond it, and no more once that is refunded", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        yield* paidFor(ledger, "session 1", 100_000, group(100_000))
        const second = yield* paidFor(ledger, "session 2", 100_000, group(100_000))
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "paid, PaidTwice"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [
          "PaidTwice: The payments of the group cart-7 are 100000 CZK (in minor units) above its total."
        ])
        yield* ledger.refund("twice", second, { amount: 100_000 })
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("reports an order that is paid within it and without it, and no more once either is refunded", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        for (const refunded of ["without it", "within it"]) {
          const first = idOf(yield* ledger.checkout(refunded, request))
          const asked = { ...request, amount: 50_000 }
          const second = idOf(yield* ledger.checkout(refunded, asked, { ...group(100_000), replace: true }))
          for (const id of [first, second]) {
            yield* payByCard(id)
            yield* notify(ledger, id)
          }
          const before = yield* attentionOf(ledger)
          assert.include(before, `PaidTwice: Payment ${first} of this order is paid or held as well.`)
          const isFirst = refunded === "without it"
          yield* ledger.refund(refunded, isFirst ? first : second, { amount: isFirst ? 100_000 : 50_000 })
          yield* ledger.runOnce()
          assert.notInclude((yield* attentionOf(ledger)).join(), "PaidTwice")
        }
      })
    )
  )

  it.effect("counts what was refunded, and neither another group nor another currency", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const first = yield* paidFor(ledger, "1", 100_000, group(100_000))
        yield* ledger.refund("a-part", first, { amount: 30_000 })
        yield* ledger.runOnce()
        yield* paidFor(ledger, "2", 30_000, group(100_000))
        yield* paidFor(ledger, "3", 100_000, { group: { name: "cart-8", total: 100_000 } })
        const euros = idOf(yield* ledger.checkout("4", { ...request, currency: "EUR" }, group(100_000)))
        yield* payByCard(euros)
        yield* notify(ledger, euros)
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("is checked", () =>
    run(({ created, ledger }) =>
      Effect.gen(function* () {
        const problem = (options: CheckoutOptions) =>
          Effect.map(Effect.flip(ledger.checkout("1", request, options)), ({ message }) => message)
        assert.include(yield* problem({ group: { name: "", total: 1 } }), "group.name: must not be empty")
        assert.include(yield* problem({ group: { name: "a", total: 0 } }), "group.total: must be above 0")
        assert.include(yield* problem({ reference: "x".repeat(1_001) }), "reference: must have at most 1000 characters")
        assert.lengthOf(created, 0)
      })
    )
  )
})

describe("the shop's own words", () => {
  it.effect("are kept with the payment, and given back with its events, its charges and the order", () =>
    run((world) =>
      Effect.gen(function* () {
        const orders: Array<PaymentEvent<unknown>["order"]> = []
        const ledger = yield* withBooks(world, { before: ({ order }) => Effect.sync(() => orders.push(order)) })
        const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2030-12-31" } as const
        const options = { reference: "cart 7", group: { name: "cart-7", total: 300_000 } }
        const opened = yield* ledger.checkout("1", { ...request, recurrence }, options)
        assert.deepInclude(opened, { reference: "cart 7" })
        const id = idOf(opened)
        yield* payByCard(id)
        yield* notify(ledger, id)
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid", reference: "cart 7" })
        const child = yield* createRecurrence(id, {
          amount: 100,
          currency: "CZK",
          order_number: "1-2",
          order_description: "Next"
        })
        yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${child.id}&parent_id=${id}` })
        assert.deepStrictEqual(
          orders.map(({ group, reference }) => ({ group, reference })),
          [
            { group: options.group, reference: "cart 7" },
            { group: undefined, reference: "cart 7" }
          ]
        )
      })
    )
  )
})

describe("an order of nothing", () => {
  it.effect("needs no payment, and is told so", () =>
    run(({ created, ledger, store }) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(ledger.checkout("1", { ...request, amount: 0 }))
        assert.strictEqual(failure.reason._tag, "InvalidArgument")
        assert.include(failure.message, "no payment is needed")
        assert.lengthOf(created, 0)
        assert.deepStrictEqual(yield* Effect.promise(() => store.rows("SELECT * FROM gopay_payment")), [])
      })
    )
  )
})
