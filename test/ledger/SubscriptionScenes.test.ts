/**
 * Scenes in which a subscription could be charged wrongly, forgotten or misunderstood: a statement that fails at a bad
 * moment, a card that is replaced twice, orders that belong to something else.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { createRecurrence, type Gateway, getPayment, voidRecurrence } from "../../src/index.js"
import type { AttentionItem } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import {
  arm,
  children,
  decline,
  flipped,
  month,
  notify,
  opened,
  paidFirst,
  pay,
  request,
  type Scene,
  set,
  started,
  terms,
  typesOf,
  unanswered
} from "./RecurrenceScene.js"
import * as Outsider from "./Outsider.js"
import { inWorld, order, type TestLedger, type World } from "./World.js"

const stateOfRecurrence = (id: number) =>
  Effect.map(Effect.orDie(getPayment(id)), ({ recurrence }) => recurrence?.recurrence_state)

const periodOf = (shop: TestLedger, index = 0) =>
  Effect.map(shop.getSubscription("sub"), (subscription) => subscription?.periods[index])

describe("a period that was given up, and is paid late", () => {
  /** Gives the period up, and has a payment of it paid while a statement fails. */
  const failing = (statement: RegExp) =>
    started(
      ({ days, events, listed, shop, store }) =>
        Effect.gen(function* () {
          captureLog(/^(A payment could not be checked|The ledger waits)/)
          yield* decline(true)
          yield* shop.chargePeriod("sub", "1970-01", month)
          yield* days(1)
          assert.deepStrictEqual(typesOf(events), ["givenUp"])
          listed.seePayment = { state: "PAID" }
          store.fail(statement, "failsBefore")
          yield* days(10)
          assert.deepStrictEqual(typesOf(events), ["givenUp", "paid"])
          assert.deepInclude(yield* periodOf(shop), { status: "paid" })
        }),
      { retryAfterDays: [] }
    )

  it.effect("is paid though the statement fails that has the charge read again", () =>
    failing(/UPDATE gopay_payment SET .*state = \?/s)
  )

  it.effect("is paid though the statement fails that has the period checked", () =>
    failing(/UPDATE gopay_change SET status = \?.* decision = \?/s)
  )
})

describe("a first payment", () => {
  it.effect("that was refunded at once starts its subscription all the same", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* paidFirst(ledger, "1")
        yield* ledger.refund("back", id, { amount: request.amount })
        yield* notify(ledger, id)
        yield* ledger.createSubscription("sub", terms)
        yield* ledger.chargePeriod("sub", "1970-01", month)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getSubscription("sub"), { status: "active", paymentId: id })
        assert.deepInclude(yield* periodOf(ledger), { status: "paid" })
      })
    )
  )

  it.effect("that is paid after the subscription was cancelled has its recurrence ended", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* opened(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        assert.deepInclude(yield* ledger.cancelSubscription("sub"), { _tag: "Cancelled" })
        yield* ledger.runOnce()
        yield* pay(ledger, id)
        yield* pass("1 minute")
        yield* ledger.runOnce()
        assert.strictEqual(yield* stateOfRecurrence(id), "STOPPED")
        assert.deepInclude(yield* ledger.getSubscription("sub"), { status: "cancelled" })
      })
    )
  )

  it.effect("with another card has its recurrence ended, too, when it is paid after the end", () =>
    started(({ days, events, id, pass, shop }) =>
      Effect.gen(function* () {
        const next = yield* opened(shop, "2")
        yield* shop.replaceCard("sub", "2")
        yield* shop.cancelSubscription("sub")
        yield* shop.runOnce()
        yield* pass("1 hour")
        yield* pay(shop, next)
        yield* days(2)
        assert.deepStrictEqual([yield* stateOfRecurrence(id), yield* stateOfRecurrence(next)], ["STOPPED", "STOPPED"])
        assert.deepStrictEqual(typesOf(events), ["cancelled"])
      })
    )
  )
})

describe("two periods with one order number", () => {
  it.effect("are not taken for one another", () =>
    started(({ days, events, shop }) =>
      Effect.gen(function* () {
        const same = { ...month, order_number: "jana" }
        yield* shop.chargePeriod("sub", "1970-01", same)
        yield* days(1)
        const refused = yield* flipped(shop.chargePeriod("sub", "1970-02", same))
        assert.strictEqual(refused.reason._tag, "InvalidArgument")
        assert.include(refused.message, "order_number jana is that of period 1970-01")
        yield* shop.chargePeriod("sub", "1970-01", same)
        yield* days(40)
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.lengthOf(yield* children, 1)
      })
    )
  )
})

describe("a period that needs a new card", () => {
  it.effect("is charged with it though the statement fails that moves its subscription", () =>
    started(({ days, events, shop, store }) =>
      Effect.gen(function* () {
        captureLog(/^The ledger (leaves|waits)/)
        yield* arm({ type: "refusal", code: 343 })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(2)
        yield* paidFirst(shop, "2")
        yield* shop.replaceCard("sub", "2")
        store.fail(/UPDATE gopay_subscription SET status/, "failsBefore")
        yield* days(12)
        assert.deepStrictEqual(typesOf(events), ["needsCard", "cardReplaced", "paid"])
      })
    )
  )

  it.effect("needs none when another process has just taken it", () =>
    started(({ days, events, makeProcess, pass, shop, store }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess({ onSubscription: (event) => Effect.sync(() => void events.push(event)) })
        yield* arm({ type: "refusal", code: 343 })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* shop.runOnce()
        yield* shop.runOnce()
        assert.deepInclude(yield* shop.operator.getChange("subscription:sub:1970-01:1"), { status: "sending" })
        yield* paidFirst(shop, "2")
        const context = yield* Effect.context<Gateway | LocalGateway>()
        store.before(/FROM gopay_change WHERE scope = \? AND key IN/, () =>
          Effect.runPromiseWith(context)(Effect.asVoid(Effect.andThen(other.replaceCard("sub", "2"), other.runOnce())))
        )
        yield* pass("1 minute")
        yield* shop.runOnce()
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["cardReplaced", "paid"])
      })
    )
  )
})

describe("a name that is taken", () => {
  it.effect("is refused for another order: that of a cancelled subscription, and that of one that runs", () =>
    started(({ shop }) =>
      Effect.gen(function* () {
        yield* opened(shop, "2")
        const again = flipped(shop.createSubscription("sub", { ...terms, orderNumber: "2" }))
        assert.strictEqual((yield* again).reason._tag, "KeyReused")
        yield* paidFirst(shop, "3")
        yield* shop.replaceCard("sub", "3")
        yield* shop.runOnce()
        assert.deepInclude(yield* shop.createSubscription("sub", terms), { status: "active", orderNumber: "3" })
        // Paid for something else, such as a second subscription.
        yield* paidFirst(shop, "4")
        const paid = yield* flipped(shop.createSubscription("sub", { ...terms, orderNumber: "4" }))
        assert.strictEqual(paid.reason._tag, "KeyReused")
        yield* shop.cancelSubscription("sub")
        assert.include((yield* again).message, "subscription sub is cancelled")
        assert.deepInclude(yield* shop.createSubscription("sub", { ...terms, orderNumber: "3" }), {
          status: "cancelled"
        })
      })
    )
  )

  it.effect("is that of a subscription that was cancelled before it started", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        yield* opened(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        yield* ledger.cancelSubscription("sub")
        assert.deepInclude(yield* ledger.createSubscription("sub", terms), { status: "cancelled" })
        yield* opened(ledger, "2")
        const again = yield* flipped(ledger.createSubscription("sub", { ...terms, orderNumber: "2" }))
        assert.include(again.message, "subscription sub is cancelled")
      })
    )
  )
})

describe("an order that a subscription cannot charge", () => {
  it.effect("is refused at once: no recurrence on demand, another currency", () =>
    started(({ shop }) =>
      Effect.gen(function* () {
        yield* shop.checkout("plain", { amount: 100, currency: "CZK", callback: order.callback })
        yield* shop.checkout("euro", { ...request, currency: "EUR" })
        const refused = (call: Effect.Effect<unknown, unknown>) => Effect.map(flipped(call), String)
        const isPlain = "the payment of order plain was made without the recurrence ON_DEMAND"
        const isEuro = "the payment of order euro is in EUR, and the subscription in CZK"
        assert.include(yield* refused(shop.replaceCard("sub", "plain")), isPlain)
        assert.include(yield* refused(shop.replaceCard("sub", "euro")), isEuro)
        assert.include(yield* refused(shop.createSubscription("b", { ...terms, orderNumber: "plain" })), isPlain)
        assert.include(yield* refused(shop.createSubscription("b", { ...terms, orderNumber: "euro" })), isEuro)
        assert.isUndefined(yield* shop.getSubscription("b"))
        assert.notProperty(yield* shop.getSubscription("sub"), "awaitedOrder")
      })
    )
  )

  it.effect("is not one whose first payment was replaced by one with a recurrence", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        yield* ledger.checkout("1", { amount: 100, currency: "CZK", callback: order.callback })
        yield* ledger.checkout("1", request, { replace: true })
        assert.deepInclude(yield* ledger.createSubscription("sub", terms), { status: "waiting", awaitedOrder: "1" })
      })
    )
  )
})

describe("a card that is to be replaced", () => {
  it.effect("is told to expire though the new one never came", () =>
    started(({ days, events, pass, shop }) =>
      Effect.gen(function* () {
        yield* opened(shop, "2")
        yield* shop.replaceCard("sub", "2")
        yield* shop.runOnce()
        const { cardExpires } = (yield* shop.getSubscription("sub")) ?? {}
        yield* pass(Date.parse(`${cardExpires}-01T00:00:00Z`) - 86_400_000)
        yield* days(2)
        assert.deepStrictEqual(typesOf(events), ["cardExpires"])
      })
    )
  )

  it.effect("by one, and again by itself, can be charged", () =>
    started(({ days, events, id, shop }) =>
      Effect.gen(function* () {
        // What is in doubt keeps the old recurrence.
        yield* arm(unanswered)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        const next = yield* paidFirst(shop, "2")
        yield* shop.replaceCard("sub", "2")
        yield* shop.runOnce()
        yield* shop.replaceCard("sub", "1")
        yield* shop.runOnce()
        assert.deepStrictEqual(typesOf(events), ["cardReplaced", "cardReplaced"])
        const [child] = yield* children
        yield* notify(shop, child?.id ?? 0, id)
        yield* shop.chargePeriod("sub", "1970-02", month)
        yield* days(40)
        assert.deepStrictEqual([yield* stateOfRecurrence(id), yield* stateOfRecurrence(next)], ["STARTED", "STOPPED"])
        assert.deepStrictEqual(typesOf(events).slice(2), ["paid", "paid"])
      })
    )
  )
})

describe("two subscriptions of one first payment", () => {
  it.effect("are charged each, and the last one that is cancelled ends the recurrence", () =>
    started(({ days, events, id, shop }) =>
      Effect.gen(function* () {
        yield* shop.createSubscription("other", terms)
        yield* shop.runOnce()
        yield* shop.cancelSubscription("sub")
        yield* days(2)
        yield* shop.chargePeriod("other", "1970-01", month)
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["started", "cancelled", "paid"])
        assert.strictEqual(yield* stateOfRecurrence(id), "STARTED")
        yield* shop.cancelSubscription("other")
        yield* days(1)
        assert.strictEqual(yield* stateOfRecurrence(id), "STOPPED")
      })
    )
  )
})

describe("a subscription that waits for the first payment of another one", () => {
  it.effect("is charged with it when that one is cancelled first", () =>
    started(({ days, id, shop }) =>
      Effect.gen(function* () {
        yield* paidFirst(shop, "2")
        yield* shop.createSubscription("other", { ...terms, orderNumber: "2" })
        yield* shop.runOnce()
        // It is to take the card of the first one, and has not done so yet.
        yield* shop.replaceCard("other", "1")
        yield* shop.cancelSubscription("sub")
        yield* days(2)
        assert.strictEqual(yield* stateOfRecurrence(id), "STARTED")
        assert.deepInclude(yield* shop.getSubscription("other"), { orderNumber: "1", paymentId: id })
        yield* shop.cancelSubscription("other")
        yield* days(1)
        assert.strictEqual(yield* stateOfRecurrence(id), "STOPPED")
      })
    )
  )
})

describe("a row that cannot be read", () => {
  it.effect("stops itself only, and is reported once", () =>
    started(({ days, events, shop, store, reported }) =>
      Effect.gen(function* () {
        captureLog(/^The ledger leaves/)
        const unreadable = () => reported.flatMap(({ key, kind }) => (kind === "UnreadableRow" ? [key] : [])).toSorted()
        yield* paidFirst(shop, "2")
        yield* shop.createSubscription("of a newer release", { ...terms, orderNumber: "2" })
        yield* Outsider.writeUnknownSubscriptionStatus(store, "of a newer release")
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* Outsider.cutFailure(store, "1970-01")
        yield* shop.chargePeriod("sub", "1969-12", month)
        yield* days(3)
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepStrictEqual(unreadable(), ["subscription:of a newer release", "subscription:sub:1970-01"])
        yield* Outsider.clearFailures(store)
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["paid", "paid"])
        yield* Outsider.cutFailure(store, "1970-01")
        yield* Outsider.makePeriodDue(store, "1970-01")
        yield* days(1)
        assert.lengthOf(unreadable(), 3)
      })
    )
  )
})

describe("onSubscription that fails for days", () => {
  it.effect("beside onChange that fails for the same charge, is an item of its own, which only it ends", () => {
    const broken = new Set(["onChange", "onSubscription"])
    const fails = (name: string) => Effect.suspend(() => (broken.has(name) ? Effect.fail("no database") : Effect.void))
    return started(
      ({ days, shop }) =>
        Effect.gen(function* () {
          captureLog(/^on(Subscription|Change) of the ledger failed/)
          yield* shop.chargePeriod("sub", "1970-01", month)
          yield* days(8)
          const kinds = Effect.map(shop.operator.listAttention(), (items) => items.map(({ kind }) => kind).toSorted())
          assert.deepStrictEqual(yield* kinds, ["OnChangeFailed", "OnSubscriptionFailed"])
          broken.delete("onChange")
          yield* days(1)
          assert.deepStrictEqual(yield* kinds, ["OnSubscriptionFailed"])
          broken.clear()
          yield* days(1)
          assert.deepStrictEqual(yield* kinds, [])
        }),
      {
        onChange: () => fails("onChange"),
        onSubscription: ({ type }) => (type === "paid" ? fails("onSubscription") : Effect.void)
      }
    )
  })

  it.effect("needs an operator, until it succeeds", () => {
    let isBroken = true
    return started(
      ({ days, shop, reported }) =>
        Effect.gen(function* () {
          captureLog(/^onSubscription of the ledger failed/)
          yield* shop.chargePeriod("sub", "1970-01", month)
          yield* days(8)
          const key = "subscription:sub:1970-01:1"
          assert.deepStrictEqual(
            reported.map((item) => `${item.kind} ${item.key}`),
            [`OnSubscriptionFailed ${key}`]
          )
          assert.match(reported[0]?.message ?? "", /onSubscription fails for it/)
          isBroken = false
          yield* days(1)
          assert.deepInclude(yield* periodOf(shop), { status: "paid" })
          assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
        }),
      {
        onSubscription: ({ type }) =>
          Effect.suspend(() => (type === "paid" && isBroken ? Effect.fail("no database") : Effect.void))
      }
    )
  })
})

describe("a charge that the gateway refuses for what only the merchant can mend", () => {
  const key = "subscription:sub:1970-01:1"
  const items = [{ name: "Membership", amount: month.amount, count: 1 }]
  const mended = { ...month, order_description: "Membership", items }
  const decide = (shop: TestLedger, as: "done" | "notDone" | "cancelled") =>
    Effect.gen(function* () {
      const [item] = yield* shop.operator.listAttention()
      const version = item?.version ?? 0
      yield* shop.operator.resolveChange(key, { version, as, by: "Eva", note: "The shop's account was wrong." })
    })
  const refusedOnce = (scene: Scene) =>
    Effect.gen(function* () {
      yield* arm({ type: "refusal", code: 110 })
      yield* scene.shop.chargePeriod("sub", "1970-01", month)
      yield* judged(scene)
    })
  /** A refusal stands when it has been checked twice. */
  const judged = ({ pass, shop }: Scene) =>
    Effect.gen(function* () {
      for (let minutes = 0; minutes < 2; minutes++) {
        yield* shop.runOnce()
        yield* pass("1 minute")
      }
      yield* shop.runOnce()
      assert.deepInclude(yield* periodOf(shop), { status: "blocked" })
    })

  it.effect("needs an operator, is not sent again, and is not the payer's to know", () => {
    const reported: Array<AttentionItem> = []
    return started(
      (scene) =>
        Effect.gen(function* () {
          const { days, events, sent, shop } = scene
          yield* refusedOnce(scene)
          yield* days(20)
          assert.lengthOf(sent, 1)
          assert.deepStrictEqual(typesOf(events), [])
          assert.deepInclude(yield* periodOf(shop), { status: "blocked", attempts: 1, attemptKey: key })
          assert.deepInclude((yield* periodOf(shop))?.failure, { remedy: "merchant" })
          assert.notProperty(yield* periodOf(shop), "nextAttemptAt")
          assert.deepStrictEqual(
            reported.map((item) => [item.kind, item.key, item.decisions]),
            [["ChargeRefused", key, ["done", "notDone", "cancelled"]]]
          )
          assert.match(reported[0]?.message ?? "", /110.* Nothing is charged for period 1970-01 of sub/s)
        }),
      { onAttention: (item) => Effect.sync(() => void reported.push(item)) }
    )
  })

  it.effect("is charged again when an operator says that it is mended, also after the last of the days", () =>
    started(
      (scene) =>
        Effect.gen(function* () {
          const { events, shop } = scene
          yield* refusedOnce(scene)
          yield* decide(shop, "notDone")
          yield* shop.runOnce()
          assert.deepStrictEqual(typesOf(events), ["paid"])
          assert.deepInclude(yield* periodOf(shop), { status: "paid", attempts: 2 })
          assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
        }),
      { retryAfterDays: [] }
    )
  )

  it.effect("leaves the payer all days for a card that is declined then", () =>
    started(
      (scene) =>
        Effect.gen(function* () {
          const { days, events, shop } = scene
          yield* refusedOnce(scene)
          yield* days(9)
          yield* decline(true)
          yield* decide(shop, "notDone")
          yield* shop.runOnce()
          assert.deepStrictEqual(typesOf(events), ["declined"])
          const nextAttempt = Date.parse(events[0]?.period?.nextAttemptAt ?? "")
          assert.strictEqual(nextAttempt - (yield* Clock.currentTimeMillis), 2 * 86_400_000)
          yield* days(6)
          assert.deepStrictEqual(typesOf(events), ["declined", "declined", "givenUp"])
        }),
      { retryAfterDays: [2, 5] }
    )
  )

  it.effect("is given up when an operator says so, and the shop is told why", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { days, events, sent, shop } = scene
        yield* refusedOnce(scene)
        yield* decide(shop, "cancelled")
        yield* days(20)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["givenUp"])
        assert.deepInclude(events[0]?.period?.failure, { remedy: "merchant" })
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
      })
    )
  )

  it.effect("is charged again as soon as the shop asks for it with other items, and only then", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { days, events, pass, sent, shop } = scene
        yield* set({ orderChecks: "documented" })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* judged(scene)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        assert.lengthOf(sent, 1)
        yield* shop.chargePeriod("sub", "1970-01", mended)
        yield* shop.runOnce()
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
        // Nor is one that is paid.
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* pass("1 day")
        yield* shop.runOnce()
        assert.lengthOf(yield* children, 1)
      })
    )
  )

  it.effect("is not charged again within the hour, in which its notification may come", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { pass, sent, shop } = scene
        yield* set({ orderChecks: "documented" })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* judged(scene)
        yield* shop.chargePeriod("sub", "1970-01", mended)
        yield* pass("50 minutes")
        yield* shop.runOnce()
        assert.lengthOf(sent, 1)
        yield* pass("15 minutes")
        yield* shop.runOnce()
        assert.deepInclude(yield* periodOf(shop), { status: "paid" })
      })
    )
  )

  it.effect("takes the items that the shop has asked for last", () =>
    started(({ days, shop }) =>
      Effect.gen(function* () {
        yield* set({ orderChecks: "documented" })
        yield* shop.chargePeriod("sub", "1970-02", month)
        yield* shop.chargePeriod("sub", "1970-02", mended)
        yield* days(40)
        assert.deepInclude(yield* periodOf(shop), { status: "paid", attempts: 1 })
      })
    )
  )

  it.effect("is cancelled with its subscription, and needs no operator then", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { days, sent, shop } = scene
        yield* refusedOnce(scene)
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelled" })
        yield* days(3)
        assert.deepInclude(yield* periodOf(shop), { status: "cancelled" })
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
      })
    )
  )

  it.effect("is charged again by another card", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { days, events, shop } = scene
        yield* refusedOnce(scene)
        yield* shop.replaceCard("sub", "2")
        yield* paidFirst(shop, "2")
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["cardReplaced", "paid"])
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
      })
    )
  )

  it.effect("is paid by a charge that turns up, and needs no operator for the refusal then", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { events, id, shop } = scene
        yield* refusedOnce(scene)
        const { id: chargeId } = yield* Effect.orDie(
          createRecurrence(id, { ...month, currency: "CZK", order_number: "sub-1970-01" })
        )
        yield* notify(shop, chargeId, id)
        yield* shop.runOnce()
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepInclude(yield* periodOf(shop), { status: "paid", paymentId: chargeId })
        assert.deepStrictEqual(
          (yield* shop.operator.listAttention()).filter(({ kind }) => kind === "ChargeRefused"),
          []
        )
      })
    )
  )
})

describe("the order number of a first payment", () => {
  it.effect("is no period's: its payer would pay one order twice", () =>
    started(({ days, sent, shop }) =>
      Effect.gen(function* () {
        yield* shop.chargePeriod("sub", "1970-02", month)
        for (const refused of [
          yield* flipped(shop.chargePeriod("sub", "1970-01", { ...month, order_number: "1" })),
          yield* flipped(shop.replaceCard("sub", "sub-1970-02"))
        ]) {
          assert.strictEqual(refused.reason._tag, "InvalidArgument")
          assert.match(refused.message, /order_?number (1|sub-1970-02) is that of (the first payment|period 1970-02)/i)
        }
        yield* days(3)
        assert.lengthOf(sent, 0)
      })
    )
  )

  it.effect("is not charged for a period that came to it all the same", () =>
    started(({ days, sent, shop, store }) =>
      Effect.gen(function* () {
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* Outsider.renumberPeriods(store, "1")
        yield* days(3)
        assert.lengthOf(sent, 0)
        assert.deepStrictEqual(
          (yield* shop.operator.listAttention()).map(({ kind }) => kind),
          ["ChargeRefused"]
        )
      })
    )
  )
})

describe("days after which a period is charged again", () => {
  it.effect("may be parts of days, and not of another age", () =>
    started(
      ({ days, events, makeProcess, sent, shop }) =>
        Effect.gen(function* () {
          yield* decline(true)
          yield* shop.chargePeriod("sub", "1970-01", month)
          yield* days(3)
          assert.lengthOf(sent, 3)
          assert.deepStrictEqual(typesOf(events), ["declined", "declined", "givenUp"])
          for (const retryAfterDays of [[1e9], [2, 1], [0], [Number.NaN]]) {
            const refused = yield* Effect.exit(makeProcess({ retryAfterDays }))
            assert.match(String(refused), /retryAfterDays must be/)
          }
        }),
      { retryAfterDays: [1 / 7, 1 + 1 / 7] }
    )
  )
})

describe("names", () => {
  it.effect("of any characters keep their subscriptions apart", () =>
    started(({ days, sent, shop }) =>
      Effect.gen(function* () {
        const names = ["sub:1970-01", "sub:1970-01:1", "a/b?c=d", "caf\u00e9", "cafe\u0301", " sub", "'; --"]
        for (const name of names) {
          yield* shop.createSubscription(name, terms)
          yield* shop.chargePeriod(name, "1970-01", month)
        }
        yield* days(1)
        assert.lengthOf(sent, names.length)
        for (const name of names) {
          const subscription = yield* shop.getSubscription(name)
          assert.deepInclude(subscription?.periods[0], { status: "paid", orderNumber: `${name}-1970-01` })
        }
        const own = { ...month, currency: "CZK", order_number: "x" }
        const refused = yield* flipped(shop.charge("subscription:sub:1970-02:1", 1, own))
        assert.strictEqual(refused.reason._tag, "InvalidArgument")
        const broken = yield* flipped(shop.createSubscription("half \ud800", terms))
        assert.include(broken.message, "the name of a subscription")
      })
    )
  )
})

describe("a period whose charge was sent twice", () => {
  const asked = { amount: month.amount, currency: "CZK", order_number: "sub-1970-01" }
  const key = "subscription:sub:1970-01:1"

  /** Sends the attempt of the first period; a copy of it is taken, and a fault answers the attempt itself. */
  const answeredBy = (
    fault: Parameters<typeof arm>[0],
    test: (scene: Scene, copy: number) => Effect.Effect<void, unknown, Gateway | LocalGateway>
  ) =>
    started((scene) =>
      Effect.gen(function* () {
        const { hooks, id, pass, shop } = scene
        const context = yield* Effect.context<Gateway | LocalGateway>()
        let copy = 0
        hooks.push(
          Effect.gen(function* () {
            const { attempt = "" } = (yield* shop.operator.getHistory(key)).at(-1) ?? {}
            const additional_params = [{ name: "effect-gopay", value: attempt }]
            copy = (yield* createRecurrence(id, { ...asked, additional_params })).id
            yield* arm(fault)
          }).pipe(Effect.provideContext(context), Effect.orDie)
        )
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* pass("1 day")
        yield* shop.runOnce()
        yield* Effect.orDie(test(scene, copy))
      })
    )

  const faults = [
    ["429", { type: "rateLimited" }],
    ["341", { type: "refusal", code: 341 }],
    ["333", { type: "refusal", code: 333 }],
    ["403", { type: "htmlForbidden" }]
  ] as const

  it.effect.each(faults)("and answered with %s is paid once, by the notification of the copy", ([, fault]) =>
    answeredBy(fault, ({ days, events, id, shop }, copy) =>
      Effect.gen(function* () {
        yield* notify(shop, copy, id)
        yield* days(3)
        assert.lengthOf(yield* children, 1)
        assert.deepInclude(yield* periodOf(shop), { status: "paid", paymentId: copy, attempts: 1 })
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
      })
    )
  )

  it.effect("is paid once when the copy is known after the attempt was queued again", () =>
    answeredBy({ type: "rateLimited" }, ({ days, events, id, listed, pass, sent, shop }, copy) =>
      Effect.gen(function* () {
        yield* pass("10 minutes")
        listed.fails = ({ method }) => (method === "GET" ? 503 : undefined)
        yield* shop.runOnce()
        listed.fails = () => undefined
        assert.deepInclude(yield* shop.operator.getChange(key), { status: "queued" })
        yield* notify(shop, copy, id)
        yield* shop.runOnce()
        // It is reported, and pays its period at once.
        assert.deepInclude(yield* periodOf(shop), { status: "paid", paymentId: copy })
        yield* days(3)
        assert.lengthOf(sent, 2)
        assert.lengthOf(yield* children, 1)
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepInclude(yield* shop.getOutcome(key), { _tag: "Refused" })
      })
    )
  )
})

describe("a period of which another charge is known", () => {
  const asked = { amount: month.amount, currency: "CZK", order_number: "sub-1970-01" }
  const key = "subscription:sub:1970-01:1"

  /** Has the attempt of the first period queued, and the gateway away. */
  const queued = (test: (scene: Scene) => Effect.Effect<void, unknown, Gateway | LocalGateway>) =>
    started((scene) =>
      Effect.gen(function* () {
        const { listed, pass, shop } = scene
        captureLog(/^A payment could not be checked/)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* pass("1 day")
        listed.fails = ({ method }) => (method === "GET" ? 503 : undefined)
        yield* shop.runOnce()
        listed.fails = () => undefined
        assert.deepInclude(yield* shop.operator.getChange(key), { status: "queued" })
        yield* Effect.orDie(test(scene))
      })
    )

  it.effect("while its own waits is paid by it at once: an operator has adopted it", () =>
    queued(({ days, events, id, sent, shop }) =>
      Effect.gen(function* () {
        const { id: child } = yield* Effect.orDie(createRecurrence(id, asked))
        yield* shop.operator.adoptPayment("sub-1970-01", child)
        yield* shop.runOnce()
        assert.deepInclude(yield* periodOf(shop), { status: "paid", paymentId: child })
        yield* days(2)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepInclude(yield* shop.getOutcome(key), { _tag: "Refused" })
      })
    )
  )

  it.effect("and open waits for it, and is charged when it is declined", () =>
    queued(({ id, pass, sent, shop }) =>
      Effect.gen(function* () {
        yield* set({ recurrenceChild: "pending" })
        const { id: child } = yield* Effect.orDie(createRecurrence(id, asked))
        yield* notify(shop, child, id)
        for (let minutes = 0; minutes < 30; minutes += 5) {
          yield* shop.runOnce()
          yield* pass("5 minutes")
        }
        assert.lengthOf(sent, 1)
        assert.deepInclude(yield* periodOf(shop), { status: "charging" })
        yield* set({ recurrenceChild: "paid" })
        yield* Effect.orDie(LocalGateway.declinePayment(child))
        yield* notify(shop, child, id)
        yield* shop.runOnce()
        assert.lengthOf(sent, 2)
        assert.deepInclude(yield* periodOf(shop), { status: "paid", attempts: 1 })
      })
    )
  )

  it.effect("is not charged when that one becomes known between the mark and the send", () =>
    queued(({ days, id, listed, sent, shop }) =>
      Effect.gen(function* () {
        const { id: child } = yield* Effect.orDie(createRecurrence(id, asked))
        const context = yield* Effect.context<Gateway | LocalGateway>()
        let isAdopted = false
        listed.afterRead = Effect.suspend(() => {
          if (isAdopted) return Effect.void
          isAdopted = true
          return Effect.orDie(Effect.provideContext(shop.operator.adoptPayment("sub-1970-01", child), context))
        })
        yield* days(2)
        assert.isTrue(isAdopted)
        assert.lengthOf(sent, 1)
        assert.lengthOf(yield* children, 1)
        assert.deepInclude(yield* periodOf(shop), { status: "paid", paymentId: child })
      })
    )
  )

  it.effect("and paid beside an attempt that was in doubt is reported", () =>
    started(({ days, id, shop, reported }) =>
      Effect.gen(function* () {
        yield* arm(unanswered)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        const [own] = yield* children
        // It names another attempt, and comes first.
        const additional_params = [{ name: "effect-gopay", value: "another" }]
        const { id: child } = yield* Effect.orDie(createRecurrence(id, { ...asked, additional_params }))
        yield* shop.operator.adoptPayment("sub-1970-01", child)
        yield* shop.runOnce()
        assert.deepInclude(yield* periodOf(shop), { status: "paid", paymentId: child })
        assert.deepStrictEqual(reported, [])
        yield* notify(shop, own?.id ?? 0, id)
        yield* days(1)
        assert.deepStrictEqual(
          reported.map(({ key: subject, kind }) => [subject, kind]),
          [[key, "PaidTwice"]]
        )
      })
    )
  )
})

describe("a charge of another ledger that an operator has refused, and not adopted", () => {
  /** Has a period whose forgotten charge was open when it turned up, and is in a state now. */
  const resolved = (state: "PAID" | "CANCELED", expected: number) =>
    started(({ days, events, id, listed, sent, shop, store }) =>
      Effect.gen(function* () {
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        const [child] = yield* children
        yield* Outsider.forgetCharges(store)
        yield* Outsider.forgetPeriods(store)
        listed.seePayment = { state: "CREATED" }
        yield* notify(shop, child?.id ?? 0, id)
        listed.seePayment = {}
        const [item] = yield* shop.operator.listAttention()
        const { key = "", version = 0 } = item ?? {}
        yield* shop.operator.resolvePayment(key, { version, as: "refused", by: "Eva", note: "seen" })
        events.length = 0
        if (state === "CANCELED") listed.seePayment = { state }
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* shop.runOnce()
        listed.seePayment = {}
        yield* days(2)
        assert.strictEqual(events.at(-1)?.type, "paid")
        assert.lengthOf(sent, expected)
      })
    )

  it.effect("pays the period when it is paid", () => resolved("PAID", 1))
  it.effect("is followed by another one when it is closed", () => resolved("CANCELED", 2))
})

describe("a first payment that is paid, and starts nothing", () => {
  const items = ({ reported }: World) => reported.map(({ kind, orderNumber }) => `${kind} ${orderNumber}`)

  it.effect("needs an operator when its recurrence is stopped", () =>
    started((scene) =>
      Effect.gen(function* () {
        const { days, shop, reported } = scene
        const next = yield* paidFirst(shop, "2")
        yield* Effect.orDie(voidRecurrence(next))
        yield* shop.replaceCard("sub", "2")
        yield* days(3)
        assert.deepStrictEqual(items(scene), ["Unfulfillable 2"])
        assert.include(reported[0]?.message, "its recurrence is stopped")
        const { key = "", version = 0 } = (yield* shop.operator.listAttention())[0] ?? {}
        yield* shop.operator.resolvePayment(key, { version, as: "done", by: "Eva", note: "wrote to the payer" })
        yield* days(3)
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
        yield* paidFirst(shop, "3")
        yield* shop.replaceCard("sub", "3")
        yield* shop.runOnce()
        assert.deepInclude(yield* shop.getSubscription("sub"), { orderNumber: "3" })
      })
    )
  )

  it.effect("needs an operator when onSubscription fails for days, until it succeeds", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onSubscription of the ledger failed/)
        let isBroken = true
        const shop = yield* world.makeProcess({
          onSubscription: () => Effect.suspend(() => (isBroken ? Effect.fail("no database") : Effect.void))
        })
        const id = yield* opened(shop, "1")
        yield* shop.createSubscription("sub", terms)
        for (let hour = 0; hour < 10; hour++) {
          yield* shop.runOnce()
          yield* world.pass("1 hour")
        }
        yield* pay(shop, id)
        yield* shop.runOnce()
        assert.deepStrictEqual(items(world), [])
        for (let hour = 0; hour < 7; hour++) {
          yield* world.pass("1 hour")
          yield* shop.runOnce()
        }
        assert.strictEqual(items(world)[0], "OnSubscriptionFailed 1")
        isBroken = false
        yield* world.pass("1 hour")
        yield* shop.runOnce()
        assert.deepInclude(yield* shop.getSubscription("sub"), { status: "active" })
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
      })
    )
  )
})
