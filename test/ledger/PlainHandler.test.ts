/**
 * The first handler that anyone writes, `UPDATE … SET status WHERE number`, against everything that several payments of one
 * order do: whenever nothing is due, the shop's order is what `getOrder` says.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createRecurrence, type Gateway, refundPayment } from "../../src/index.js"
import type { CheckoutRequest, PaymentEvent, SqliteTransaction } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request } from "./OrderBooks.js"
import { inWorld, type TestProcess, type World } from "./World.js"

type Event = Omit<PaymentEvent<SqliteTransaction>, "tx">

interface Shop {
  readonly ledger: TestProcess
  readonly world: World
  /** The events that it got, oldest first. */
  readonly events: Array<Event>
  readonly status: (number: string) => Effect.Effect<unknown>
}

/** A process of the shop. */
const shopProcess = ({ events, world }: { readonly events: Array<Event>; readonly world: World }) =>
  world.makeProcess({
    onPayment: ({ tx, ...event }) =>
      Effect.promise(async () => {
        events.push(event)
        await tx.query("UPDATE shop_order SET status = ? WHERE number = ?", [event.status, event.order.orderNumber])
      })
  })

const shopIn = (world: World): Effect.Effect<Shop> =>
  Effect.gen(function* () {
    const { store } = world
    yield* Effect.promise(() => store.rows("CREATE TABLE shop_order (number TEXT PRIMARY KEY, status TEXT NOT NULL)"))
    for (const number of ["1", "1-2"]) {
      yield* Effect.promise(() => store.rows(`INSERT INTO shop_order VALUES ('${number}', 'new')`))
    }
    const events: Array<Event> = []
    const ledger = yield* shopProcess({ events, world })
    const status = (number: string) =>
      Effect.promise(async () => {
        const [row] = await store.rows(`SELECT status FROM shop_order WHERE number = '${number}'`)
        return row?.["status"]
      })
    return { ledger, world, events, status }
  })

const inShop = <A, E>(test: (shop: Shop) => Effect.Effect<A, E, Gateway | LocalGateway>) =>
  inWorld((world) => Effect.flatMap(shopIn(world), test))

const lost = { type: "connectionReset", effect: "committed" } as const
const arm = (fault: Parameters<typeof LocalGateway.armFault>[0]) =>
  Effect.orDie(LocalGateway.armFault(fault, { operation: "createPayment" }))

const paid = ({ ledger }: Shop, id: number) =>
  Effect.andThen(Effect.orDie(LocalGateway.payByCard(id)), notify(ledger, id))
const closed = ({ ledger }: Shop, id: number) =>
  Effect.andThen(Effect.orDie(LocalGateway.cancelPayment(id)), notify(ledger, id))
const returned = ({ ledger }: Shop, id: number, amount: number) =>
  Effect.andThen(refundPayment(id, { amount }), notify(ledger, id))

/** The shop's order is what the ledger says, and both are that. */
const both = ({ ledger, status }: Shop, expected: string) =>
  Effect.gen(function* () {
    assert.strictEqual(yield* status("1"), expected)
    assert.strictEqual((yield* ledger.getOrder("1"))?.status, expected)
  })

const less: CheckoutRequest = { ...request, amount: 90_000 }

/** An order with a payment that is replaced by another one. */
const replaced = ({ ledger }: Shop) =>
  Effect.gen(function* () {
    const first = idOf(yield* ledger.checkout("1", request))
    const second = idOf(yield* ledger.checkout("1", less, { replace: true }))
    assert.notStrictEqual(first, second)
    return { first, second }
  })

const textOf = ({ attention, moved, order, status }: Event) =>
  [
    `${status} by ${order.paymentId}`,
    `${moved.status} ${moved.paymentId}`,
    ...(attention === undefined ? [] : [attention])
  ].join(", ")

describe("A handler that writes each status to its order", () => {
  it.effect("is not told that an order is closed whose lost payment has timed out after the next one was paid", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        yield* arm(lost)
        const second = idOf(yield* shop.ledger.checkout("1", request))
        const [first] = yield* LocalGateway.listPayments
        yield* paid(shop, second)
        yield* closed(shop, first?.id ?? 0)
        yield* both(shop, "paid")
        assert.lengthOf(shop.events, 1)
      })
    )
  )

  it.effect(
    "is not told that an order is closed whose replaced payment has timed out, before or after it is paid",
    () =>
      inShop((shop) =>
        Effect.gen(function* () {
          const { first, second } = yield* replaced(shop)
          yield* closed(shop, first)
          assert.lengthOf(shop.events, 0)
          yield* paid(shop, second)
          yield* both(shop, "paid")
        })
      )
  )

  it.effect("is told how an order stands that another payment moves between the read of it and its own move", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { events, ledger, world } = shop
        const { first, second } = yield* replaced(shop)
        const other = { ...shop, ledger: yield* shopProcess(shop) }
        const services = yield* Effect.context<Gateway | LocalGateway>()
        // What was read is out of date by then: the order was paid, and the money refunded.
        const between = Effect.andThen(paid(other, second), returned(other, second, less.amount))
        world.store.after(/AS order_version/, () =>
          Effect.runPromise(Effect.provideContext(Effect.orDie(between), services))
        )
        yield* paid(shop, first)
        yield* both(shop, "refunded")
        assert.deepStrictEqual(
          events.map(({ status }) => status),
          ["paid", "refunded", "refunded"]
        )
        assert.strictEqual((yield* ledger.getOrder("1"))?.paymentId, second)
      })
    )
  )

  it.effect("is told that an order is closed when the last of its payments is", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { first, second } = yield* replaced(shop)
        yield* closed(shop, second)
        // The payer may still pay the first one.
        assert.strictEqual((yield* shop.ledger.getOrder("1"))?.status, "expired")
        yield* closed(shop, first)
        yield* both(shop, "closed")
      })
    )
  )

  it.effect("keeps an order paid when a late transfer comes, and is given back", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { first, second } = yield* replaced(shop)
        yield* paid(shop, second)
        yield* paid(shop, first)
        yield* both(shop, "paid")
        yield* returned(shop, first, 100_000)
        yield* both(shop, "paid")
        assert.deepStrictEqual(shop.events.map(textOf), [
          `paid by ${second}, paid ${second}`,
          `paid by ${second}, paid ${first}, PaidTwice`,
          `paid by ${second}, refunded ${first}`
        ])
        assert.deepInclude(shop.events[2], { refunded: 0, correction: false })
        assert.deepInclude(shop.events[2]?.moved, { refunded: 100_000 })
      })
    )
  )

  it.effect("hears of the other payment when nothing is left of the first", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { first, second } = yield* replaced(shop)
        yield* paid(shop, second)
        yield* paid(shop, first)
        yield* returned(shop, second, 40_000)
        yield* both(shop, "partiallyRefunded")
        yield* returned(shop, second, 50_000)
        yield* both(shop, "paid")
        assert.deepInclude(yield* shop.ledger.getOrder("1"), { paymentId: first, refunded: 0 })
        yield* returned(shop, first, 100_000)
        yield* both(shop, "refunded")
      })
    )
  )

  it.effect("keeps an order refunded when money comes that it did not ask for, and is told to look", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { first, second } = yield* replaced(shop)
        yield* paid(shop, second)
        yield* returned(shop, second, 90_000)
        yield* paid(shop, first)
        yield* both(shop, "refunded")
        assert.deepStrictEqual(shop.events.map(textOf).at(-1), `refunded by ${second}, paid ${first}, PaidLate`)
        // The shop asks for the money again.
        const third = idOf(yield* shop.ledger.checkout("1", request, { replace: true }))
        yield* paid(shop, third)
        yield* both(shop, "paid")
      })
    )
  )

  it.effect("is told of what goes wrong with the order's payment only as the order's own correction", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { ledger, world } = shop
        const { first, second } = yield* replaced(shop)
        yield* paid(shop, second)
        yield* paid(shop, first)
        yield* returned(shop, first, 100_000)
        // The refund of the other payment fails after all.
        world.listed.see = (refunds) => refunds.map((refund) => ({ ...Object(refund), state: "FAILED" }))
        world.listed.seePayment = { id: first, amount: 100_000, state: "PAID" }
        for (let read = 0; read < 2; read++) {
          yield* notify(ledger, first)
          yield* world.pass("11 minutes")
        }
        const last = shop.events.at(-1)
        assert.deepInclude(last, { status: "paid", refunded: 0, correction: false })
        assert.isUndefined(last?.before)
        assert.deepInclude(last?.moved, { paymentId: first, status: "paid", refunded: 0, correction: true })
        yield* both(shop, "paid")
      })
    )
  )

  it.effect("is told of charges without a number of their own as of the first order, which they do not move", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { events, ledger, status } = shop
        const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2027-12-31" } as const
        const parent = idOf(yield* ledger.checkout("1", { ...request, recurrence }))
        yield* paid(shop, parent)
        yield* returned(shop, parent, 40_000)
        const charge = (orderNumber: string, state: string) =>
          Effect.gen(function* () {
            const { id } = yield* createRecurrence(parent, { amount: 500, currency: "CZK", order_number: orderNumber })
            yield* shop.world.pass("1 hour")
            shop.world.listed.seePayment = { state }
            yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${id}&parent_id=${parent}` })
            shop.world.listed.seePayment = {}
            return id
          })
        const own = yield* charge("1", "PAID")
        yield* both(shop, "partiallyRefunded")
        assert.deepStrictEqual(events.map(textOf).at(-1), `partiallyRefunded by ${parent}, paid ${own}`)
        assert.strictEqual(events.at(-1)?.moved.parentId, parent)
        assert.isUndefined(events.at(-1)?.order.parentId)
        yield* charge("1", "CANCELED")
        yield* both(shop, "partiallyRefunded")
        assert.lengthOf(events, 3)
        yield* charge("1-2", "CANCELED")
        assert.strictEqual(yield* status("1-2"), "closed")
        yield* both(shop, "partiallyRefunded")
        assert.strictEqual(events.at(-1)?.order.parentId, parent)
      })
    )
  )

  it.effect("is told each event by an id that contains all that it says", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { first, second } = yield* replaced(shop)
        yield* paid(shop, second)
        yield* paid(shop, first)
        assert.deepStrictEqual(
          shop.events.map(({ eventId }) => eventId),
          [
            `${second}-1-PAID-90000-0-${second}-paid-90000-0--`,
            `${first}-1-PAID-100000-0-${second}-paid-90000-0-PaidTwice`
          ]
        )
      })
    )
  )
})

const card: CheckoutRequest = { ...request, payer: { allowed_card_token: "a-stored-card" } }

describe("An order that is withdrawn", () => {
  it.effect("before its first checkout is not offered until the shop asks for that", () =>
    inShop(({ ledger, world }) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* ledger.withdrawOrder("1")).status, "withdrawn")
        assert.strictEqual((yield* ledger.getOrder("1"))?.status, "withdrawn")
        assert.strictEqual((yield* ledger.checkout("1", request)).status, "withdrawn")
        assert.lengthOf(world.created, 0)
        assert.strictEqual((yield* ledger.checkout("1", request, { replace: true })).status, "open")
        assert.strictEqual((yield* ledger.getOrder("1"))?.status, "open")
      })
    )
  )

  it.effect("while a stored card may be charged is in doubt, and not charged again", () =>
    inShop(({ ledger, world }) =>
      Effect.gen(function* () {
        yield* arm(lost)
        assert.strictEqual((yield* ledger.checkout("1", card)).status, "inDoubt")
        const [before] = yield* ledger.operator.listAttention()
        assert.strictEqual((yield* ledger.withdrawOrder("1")).status, "inDoubt")
        assert.deepStrictEqual((yield* ledger.operator.listAttention())[0]?.message, before?.message)
        assert.strictEqual((yield* ledger.checkout("1", card, { replace: true })).status, "inDoubt")
        assert.lengthOf(world.created, 1)
      })
    )
  )

  it.effect("before the card's charge is sent is not charged", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { ledger, world } = shop
        const other = yield* world.makeProcess()
        const answers: Array<unknown> = []
        world.store.before(/status = 'creating'\s+AND COALESCE/, async () => {
          answers.push((await Effect.runPromise(Effect.orDie(other.withdrawOrder("1")))).status)
        })
        assert.strictEqual((yield* ledger.checkout("1", card)).status, "withdrawn")
        // Whether it was sent was not known then.
        assert.deepStrictEqual(answers, ["pending"])
        assert.lengthOf(world.created, 0)
        assert.strictEqual((yield* ledger.getOrder("1"))?.status, "withdrawn")
      })
    )
  )

  it.effect("or replaced is neither while its payment cannot be read: it may be paid", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { ledger, world } = shop
        const first = idOf(yield* ledger.checkout("1", request))
        yield* Effect.orDie(LocalGateway.payByCard(first))
        for (const status of [429, 500]) {
          world.listed.fails = ({ method }) => (method === "GET" ? status : undefined)
          assert.strictEqual((yield* Effect.flip(ledger.withdrawOrder("1"))).reason._tag, "LedgerUnavailable")
          yield* Effect.flip(ledger.checkout("1", less, { replace: true }))
        }
        world.listed.fails = () => undefined
        assert.lengthOf(world.created, 1)
        yield* notify(ledger, first)
        yield* both(shop, "paid")
        assert.isUndefined(shop.events[0]?.attention)
        assert.strictEqual((yield* ledger.withdrawOrder("1")).status, "paid")
      })
    )
  )
})

describe("A payment that is replaced", () => {
  it.effect("stays offered when the other one cannot be created", () =>
    inShop(({ ledger, world }) =>
      Effect.gen(function* () {
        const first = yield* ledger.checkout("1", request)
        world.listed.fails = ({ method, pathname }) =>
          method === "POST" && pathname.endsWith("/payments/payment") ? 409 : undefined
        yield* Effect.flip(ledger.checkout("1", less, { replace: true }))
        assert.deepStrictEqual(yield* ledger.getOrder("1"), first)
        assert.deepStrictEqual(yield* ledger.checkout("1", request), first)
      })
    )
  )

  it.effect("and is paid while the other one is created stays the order's: the other one is not offered", () =>
    inShop((shop) =>
      Effect.gen(function* () {
        const { ledger, world } = shop
        const first = idOf(yield* ledger.checkout("1", request))
        const context = yield* Effect.context<LocalGateway | Gateway>()
        world.store.before(/status = 'creating'\s+AND COALESCE/, () =>
          Effect.runPromiseWith(context)(Effect.asVoid(paid(shop, first)))
        )
        const order = yield* ledger.checkout("1", less, { replace: true })
        assert.deepInclude(order, { status: "changed", paymentId: first })
        assert.lengthOf(world.created, 2)
        yield* both(shop, "paid")
        assert.isUndefined(shop.events[0]?.attention)
      })
    )
  )

  it.effect("is not offered beside one with a stored card that may be charged", () =>
    inShop(({ ledger, world }) =>
      Effect.gen(function* () {
        yield* ledger.checkout("1", less)
        yield* arm(lost)
        assert.strictEqual((yield* ledger.checkout("1", card, { replace: true })).status, "inDoubt")
        assert.strictEqual((yield* ledger.getOrder("1"))?.status, "inDoubt")
        assert.strictEqual((yield* ledger.checkout("1", card, { replace: true })).status, "inDoubt")
        assert.deepInclude(yield* ledger.checkout("1", less, { replace: true }), { status: "changed" })
        assert.lengthOf(world.created, 2)
      })
    )
  )
})
