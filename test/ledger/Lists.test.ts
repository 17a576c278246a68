/**
 * What is found in a ledger: by payment, order, status and time, some at a time.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Gateway } from "../../src/index.js"
import {
  type ListChangesOptions,
  type ListPaymentsOptions,
  makeAdminHandler,
  type PageOptions
} from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, paid, refundedByHand, type World } from "./World.js"

const run = <A, E>(test: (world: World) => Effect.Effect<A, E, Gateway | LocalGateway>) => inWorld(test)

/** The time some hours after the world has begun, which is a day after 1970 did. */
const hour = (hours: number) => new Date((24 + hours) * 3_600_000)

describe("a list of changes", () => {
  const inShop = (
    test: (
      world: World & {
        readonly keys: (options?: ListChangesOptions) => Effect.Effect<ReadonlyArray<string>, unknown>
        readonly first: number
        readonly second: number
      }
    ) => Effect.Effect<unknown, unknown, Gateway | LocalGateway>
  ) =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const first = yield* paid
        const second = yield* paid
        yield* ledger.refund("a", first, { amount: 100 })
        yield* pass("1 hour")
        yield* ledger.refund("b", second, { amount: 100 })
        yield* ledger.refund("c", first, { amount: 100_000_000 }, { waitAtMost: 0 })
        yield* ledger.runOnce()
        yield* pass("1 hour")
        yield* ledger.runOnce()
        yield* ledger.refund("d", first, { amount: 100 }, { waitAtMost: 0 })
        const keys = (options?: ListChangesOptions) =>
          Effect.map(ledger.operator.listChanges(options), (entries) => entries.map(({ key }) => key))
        yield* test({ ...world, keys, first, second })
      })
    )

  it.effect("has those of a payment, of a status, those that are open, and those of a time", () =>
    inShop(({ first, keys, second }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* keys(), ["a", "b", "c", "d"])
        assert.deepStrictEqual(yield* keys({ paymentId: first }), ["a", "c", "d"])
        assert.deepStrictEqual(yield* keys({ paymentId: `00${first}`, status: "done" }), ["a"])
        assert.deepStrictEqual(yield* keys({ paymentId: [first, `00${second}`] }), ["a", "b", "c", "d"])
        assert.deepStrictEqual(yield* keys({ paymentId: [second] }), ["b"])
        assert.deepStrictEqual(yield* keys({ paymentId: [] }), [])
        assert.deepStrictEqual(yield* keys({ status: "refused" }), ["c"])
        assert.deepStrictEqual(yield* keys({ status: "queued" }), ["d"])
        assert.deepStrictEqual(yield* keys({ status: "needsOperator" }), [])
        assert.deepStrictEqual(yield* keys({ isOpen: true }), ["d"])
        assert.deepStrictEqual(yield* keys({ createdFrom: hour(0.5), createdBefore: hour(1.5) }), ["b", "c"])
        assert.deepStrictEqual(yield* keys({ createdFrom: hour(1.5).toISOString() }), ["d"])
      })
    )
  )

  it.effect("goes on after the last one of a page", () =>
    inShop(({ keys }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* keys({ limit: 3 }), ["a", "b", "c"])
        assert.deepStrictEqual(yield* keys({ limit: 3, after: "c" }), ["d"])
        assert.deepStrictEqual(yield* keys({ limit: 3, after: "d" }), [])
      })
    )
  )

  it.effect("refuses what is wrong, by its name", () =>
    inShop(({ ledger }) =>
      Effect.gen(function* () {
        const problem = (options: ListChangesOptions) =>
          Effect.map(Effect.flip(ledger.operator.listChanges(options)), ({ message }) => message)
        assert.include(yield* problem({ limit: 0 }), "limit must be an integer from 1 to 10000")
        assert.include(yield* problem({ after: "z" }), "after is not a key of this ledger: z")
        assert.include(yield* problem({ createdFrom: "soon" }), "createdFrom is not a time")
        assert.include(yield* problem({ createdBefore: new Date(NaN) }), "createdBefore is not a time")
        assert.include(yield* problem({ paymentId: "x" }), "paymentId ")
        assert.include(yield* problem({ paymentId: [4, "x"] }), "paymentId[1]")
        assert.include(yield* problem({ paymentId: Array.from({ length: 1_001 }, () => 4) }), "more than 1000 ids")
      })
    )
  )
})

describe("a list of payments", () => {
  it.effect("has those of an order, of a state, of a group, and those of a time", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const options = { group: { name: "cart", total: 500_000 }, reference: "cart 7" }
        const first = idOf(yield* ledger.checkout("1", request, options))
        yield* pass("1 hour")
        yield* ledger.checkout("2", request)
        yield* Effect.orDie(LocalGateway.payByCard(first))
        yield* notify(ledger, first)
        const orders = (listed?: ListPaymentsOptions) =>
          Effect.map(ledger.operator.listPayments(listed), (entries) => entries.map(({ orderNumber }) => orderNumber))
        assert.deepStrictEqual(yield* orders(), ["1", "2"])
        assert.deepStrictEqual(yield* orders({ state: "PAID" }), ["1"])
        assert.deepStrictEqual(yield* orders({ status: "created" }), ["1", "2"])
        assert.deepStrictEqual(yield* orders({ group: "cart" }), ["1"])
        assert.deepStrictEqual(yield* orders({ createdFrom: hour(0.5) }), ["2"])
        const [entry] = yield* ledger.operator.listPayments({ orderNumber: "1" })
        assert.deepInclude(entry, {
          orderNumber: "1",
          paymentId: first,
          status: "created",
          state: "PAID",
          amount: request.amount,
          currency: "CZK",
          refunded: 0,
          ...options
        })
        assert.deepStrictEqual(yield* orders({ after: entry?.key ?? "" }), ["2"])
        assert.deepStrictEqual((yield* ledger.operator.listPayments({ paymentId: first })).length, 1)
        assert.deepStrictEqual(yield* orders({ paymentId: [first, 4] }), ["1"])
      })
    )
  )
})

describe("the page of accountants", () => {
  /** How many statements it makes when as many payments need an operator. */
  const statementsFor = (count: number) =>
    Effect.gen(function* () {
      let made = 0
      yield* run(({ ledger, makeProcess, store }) =>
        Effect.gen(function* () {
          for (let paymentId = 1; paymentId <= count; paymentId++) {
            yield* ledger.capture(`capture-${paymentId}`, paymentId, { waitAtMost: 0 })
          }
          yield* Outsider.leaveInDoubt(store)
          const shop = yield* makeProcess()
          const page = makeAdminHandler(shop.operator, { authorize: () => Effect.succeed("Jana") })
          const show = Effect.flatMap(page(new Request("https://shop.example/gopay")), (response) =>
            Effect.promise(() => response.text())
          )
          yield* show
          const before = shop.statements()
          assert.include(yield* show, `capture-${count}`)
          made = shop.statements() - before
        })
      )
      return made
    })

  it.effect("names no operator of an acknowledged refund whose name was erased", () =>
    run(({ ledger, pass, store }) =>
      Effect.gen(function* () {
        const { operator } = ledger
        const id = yield* paid
        const { id: refundId } = yield* refundedByHand(id, 500)
        yield* operator.acknowledgeRefund(id, refundId, { by: "Jana", note: "made for another complaint" })
        yield* pass("2 hours")
        yield* operator.eraseDetails({ olderThan: "1 hour" })
        yield* ledger.refund("a", id, { amount: 700 }, { waitAtMost: 0 })
        yield* Outsider.leaveInDoubt(store)
        const page = makeAdminHandler(operator, { authorize: () => Effect.succeed("Petr") })
        const response = yield* page(new Request("https://shop.example/gopay?lang=en"))
        assert.include(yield* Effect.promise(() => response.text()), "<td>another reason</td>")
      })
    )
  )

  it.effect("makes no statement more for many payments than for one", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* statementsFor(7), yield* statementsFor(1))
    })
  )
})

describe("what needs an operator", () => {
  it.effect("is listed some at a time, changes and payments together, by their time", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, pass, store } = world
        const id = yield* paid
        for (const number of ["1", "2", "3"]) {
          yield* ledger.checkout(number, request)
          yield* ledger.refund(`refund ${number}`, id, { amount: 100 }, { waitAtMost: 0 })
          if (number === "2") yield* pass("1 hour")
        }
        yield* Outsider.leaveInDoubt(store)
        yield* Outsider.payLate(store)
        const keysOf = (options?: PageOptions) =>
          Effect.map(ledger.operator.listAttention(options), (items) => items.map(({ key }) => key))
        const all = yield* keysOf()
        assert.lengthOf(all, 6)
        const paged: Array<string> = []
        for (;;) {
          const page = yield* keysOf({ limit: 2, after: paged.at(-1) })
          if (page.length === 0) break
          paged.push(...page)
        }
        assert.deepStrictEqual(paged, all)
      })
    )
  )
})
