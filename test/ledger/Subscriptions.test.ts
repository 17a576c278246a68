/**
 * Subscriptions: each period is charged once, whatever dies, and ends paid, given up or with an operator.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { createPayment, createRecurrence, getPayment } from "../../src/index.js"
import { startOfDay } from "../../src/basics/Day.js"
import { chargeDayOf } from "../../src/ledger/subscription/PeriodDay.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import {
  arm,
  children,
  decline,
  flipped,
  lost,
  month,
  notify,
  paidFirst,
  recurrence,
  request,
  started,
  terms,
  typesOf,
  unanswered
} from "./RecurrenceScene.js"
import * as Outsider from "./Outsider.js"
import { statements } from "./FailingStore.js"
import { inWorld, order } from "./World.js"

describe("a period", () => {
  it.effect("is a name, and its day follows from it", () =>
    Effect.sync(() => {
      assert.strictEqual(chargeDayOf("2026"), "2026-01-01")
      assert.strictEqual(chargeDayOf("2026-Q4"), "2026-10-01")
      assert.strictEqual(chargeDayOf("2026-W01"), "2025-12-29")
      assert.strictEqual(chargeDayOf("2026-W53"), "2026-12-28")
      assert.strictEqual(chargeDayOf("2025-W53"), undefined)
      assert.deepStrictEqual(
        [31, 30, 29, 28, undefined].map((day) => chargeDayOf("2026-02", day)),
        ["2026-02-28", "2026-02-28", "2026-02-28", "2026-02-28", "2026-02-01"]
      )
      assert.strictEqual(chargeDayOf("2028-02", 31), "2028-02-29")
      assert.strictEqual(chargeDayOf("2026-04", 31), "2026-04-30")
      for (const none of [
        "2026-13",
        "2026-02-29",
        "26-01",
        "2026-Q5",
        "2026-W00",
        "",
        "2026-1",
        "0026-01",
        "0026-W01"
      ]) {
        assert.isUndefined(chargeDayOf(none))
      }
    })
  )

  it.effect("begins in the shop's time zone, also on a day when the clocks change", () =>
    Effect.sync(() => {
      const at = (day: string, zone: string) => new Date(startOfDay(day, zone)).toISOString()
      assert.strictEqual(at("2026-12-01", "Europe/Prague"), "2026-11-30T23:00:00.000Z")
      // Long ago, or a mistyped year: offsets had seconds.
      assert.strictEqual(at("1026-12-01", "Europe/Prague"), "1026-11-30T23:02:16.000Z")
      assert.strictEqual(at("2026-03-29", "Europe/Prague"), "2026-03-28T23:00:00.000Z")
      assert.strictEqual(at("2026-03-30", "Europe/Prague"), "2026-03-29T22:00:00.000Z")
      assert.strictEqual(at("2026-10-25", "Europe/Prague"), "2026-10-24T22:00:00.000Z")
      assert.strictEqual(at("2026-12-01", "America/New_York"), "2026-12-01T05:00:00.000Z")
      assert.strictEqual(at("2026-12-01", "Pacific/Kiritimati"), "2026-11-30T10:00:00.000Z")
      // At midnight the clocks go forward, or back.
      assert.strictEqual(at("2026-03-29", "Atlantic/Azores"), "2026-03-29T01:00:00.000Z")
      assert.strictEqual(at("2026-10-25", "Atlantic/Azores"), "2026-10-25T00:00:00.000Z")
      assert.strictEqual(at("2026-03-08", "America/Havana"), "2026-03-08T05:00:00.000Z")
      assert.strictEqual(at("2026-04-24", "Africa/Cairo"), "2026-04-23T22:00:00.000Z")
      assert.strictEqual(at("2026-04-05", "Pacific/Auckland"), "2026-04-04T11:00:00.000Z")
    })
  )

  it.effect("is charged once, on its day, however often it is asked for", () =>
    started(({ days, events, sent, shop }) =>
      Effect.gen(function* () {
        const asked = yield* shop.chargePeriod("sub", "1970-01", { ...month, dayOfMonth: 5 })
        assert.deepInclude(asked, {
          status: "due",
          orderNumber: "sub-1970-01",
          nextAttemptAt: "1970-01-04T23:00:00.000Z"
        })
        yield* days(2)
        assert.deepStrictEqual(sent, [])
        yield* days(2)
        yield* shop.chargePeriod("sub", "1970-01", { ...month, dayOfMonth: 5 })
        yield* days(40)
        assert.deepStrictEqual(sent, ["create-recurrence"])
        const [child] = yield* children
        assert.deepInclude(child, { amount: 29_900, order_number: "sub-1970-01" })
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepInclude(events[0]?.period, { period: "1970-01", status: "paid", attempts: 1 })
        assert.strictEqual(events[0]?.period?.paymentId, child?.id)
        const other = yield* flipped(shop.chargePeriod("sub", "1970-01", { amount: 1 }))
        assert.strictEqual(other.reason._tag, "KeyReused")
      })
    )
  )

  it.effect("is refused above the maximum, of a wrong name, and of no subscription", () =>
    started(({ shop }) =>
      Effect.gen(function* () {
        for (const call of [
          shop.chargePeriod("sub", "1970-02", { amount: 50_001 }),
          shop.chargePeriod("sub", "February", month),
          shop.chargePeriod("sub", "1970-Q1", { ...month, dayOfMonth: 3 }),
          shop.chargePeriod("sub", "1970-02", { ...month, dayOfMonth: 32 }),
          shop.chargePeriod("other", "1970-02", month)
        ]) {
          assert.strictEqual((yield* flipped(call)).reason._tag, "InvalidArgument")
        }
        assert.deepInclude(yield* shop.getSubscription("sub"), { status: "active", periods: [] })
      })
    )
  )

  it.effect("that is declined is charged again after two, five and ten days, and given up", () =>
    started(({ days, events, sent, shop }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        assert.lengthOf(sent, 1)
        yield* days(2)
        assert.lengthOf(sent, 2)
        yield* days(3)
        assert.lengthOf(sent, 3)
        yield* days(40)
        assert.lengthOf(sent, 4)
        assert.deepStrictEqual(typesOf(events), ["declined", "declined", "declined", "givenUp"])
        assert.deepInclude(events[0]?.period, { status: "retrying", attempts: 1 })
        assert.deepInclude(events[0]?.period?.failure, { remedy: "anotherDay" })
        assert.deepInclude(events[3]?.period, { status: "givenUp", attempts: 4 })
      })
    )
  )

  it.effect("that is declined is charged again on its day, however often it is checked before", () =>
    started(({ days, events, pass, sent, shop, store }) =>
      Effect.gen(function* () {
        const wake = Outsider.makePeriodDue(store, "1970-01")
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        for (let hour = 0; hour < 10; hour++) {
          yield* pass("1 hour")
          yield* wake
          yield* shop.runOnce()
        }
        assert.lengthOf(sent, 1)
        yield* arm({ type: "refusal", code: 343 })
        yield* days(3)
        assert.deepStrictEqual(typesOf(events), ["declined", "needsCard"])
        yield* wake
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["declined", "needsCard"])
        assert.lengthOf(sent, 2)
      })
    )
  )

  it.effect("that is declined once is paid by the next attempt", () =>
    started(({ days, events, sent, shop }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        yield* decline(false)
        yield* days(30)
        assert.lengthOf(sent, 2)
        assert.deepStrictEqual(typesOf(events), ["declined", "paid"])
      })
    )
  )

  it.effect("whose charge is in doubt is not charged again until it is known", () =>
    started(({ days, events, id, sent, shop, reported }) =>
      Effect.gen(function* () {
        yield* arm(unanswered)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(20)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(
          reported.map(({ kind }) => kind),
          ["InDoubt"]
        )
        const [child] = yield* children
        assert.deepInclude((yield* shop.getSubscription("sub"))?.periods[0], {
          status: "charging",
          attemptKey: "subscription:sub:1970-01:1"
        })
        yield* notify(shop, child?.id ?? 0, id)
        yield* shop.runOnce()
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("whose charge was not made, says an operator, is charged again at once", () =>
    started(({ days, events, sent, shop, reported }) =>
      Effect.gen(function* () {
        yield* arm(lost)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        const { key = "" } = reported[0] ?? {}
        const { version = 0 } = (yield* shop.operator.getChange(key)) ?? {}
        yield* shop.operator.resolveChange(key, { version, as: "notDone", by: "Eva", note: "GoPay has none" })
        yield* shop.runOnce()
        assert.lengthOf(sent, 2)
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.lengthOf(yield* children, 1)
      })
    )
  )

  it.effect("is told with the shop's own transaction, again until that commits", () =>
    inWorld(({ makeProcess, pass }) =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        let failures = 2
        const ledger = yield* makeProcess({
          onSubscription: ({ eventId, type }) =>
            Effect.suspend(() => {
              seen.push(`${type} ${eventId}`)
              return type === "paid" && failures-- > 0 ? Effect.fail(new Error("not now")) : Effect.void
            })
        })
        yield* paidFirst(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        yield* ledger.chargePeriod("sub", "1970-01", month)
        const log = captureLog(/^onSubscription of the ledger failed/)
        for (let minute = 0; minute < 10; minute++) {
          yield* ledger.runOnce()
          yield* pass("1 minute")
        }
        assert.lengthOf(log, 2)
        assert.deepStrictEqual(
          seen.slice(1),
          Array.from({ length: 3 }, () => "paid sub:1970-01:paid:1")
        )
        assert.deepInclude((yield* ledger.getSubscription("sub"))?.periods[0], { status: "paid" })
      })
    )
  )
})

describe("what onSubscription calls", () => {
  it.effect("is refused where it would wait for it: all but submit", () =>
    inWorld(({ makeProcess }) =>
      Effect.gen(function* () {
        const inside: Array<string> = []
        let call: Effect.Effect<unknown, unknown> = Effect.void
        const ledger = yield* makeProcess({
          onSubscription: () => Effect.map(Effect.flip(call), (error) => inside.push(String(error)))
        })
        call = ledger.refund("a", 1, { amount: 1 })
        yield* paidFirst(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        yield* ledger.runOnce()
        assert.lengthOf(inside, 1)
        assert.match(String(inside), /InvalidArgument|Within one, submit/)
        assert.isUndefined(yield* ledger.getOutcome("a"))
      })
    )
  )
})

describe("a store without transactions", () => {
  it.effect("has each event told at least once, before it is recorded", () =>
    inWorld(({ makeProcess, store }) =>
      Effect.gen(function* () {
        const events: Array<string> = []
        const ledger = yield* makeProcess({
          store: {
            ...store,
            queryIn: () => store.query,
            hasTransactions: false,
            transaction: (run) => run({ query: store.query })
          },
          onSubscription: ({ period, subscription, type }) =>
            Effect.sync(() => void events.push(`${type} ${subscription.status} ${period?.status ?? ""}`))
        })
        yield* paidFirst(ledger, "1")
        yield* ledger.createSubscription("sub", terms)
        yield* ledger.chargePeriod("sub", "1970-01", month)
        yield* ledger.runOnce()
        assert.deepStrictEqual(events, ["started active ", "paid active paid"])
      })
    )
  )
})

describe("a period whose attempt is paid late", () => {
  it.effect("is paid, and charged no more", () =>
    started(({ days, events, listed, sent, shop }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["declined"])
        listed.seePayment = { state: "PAID" }
        yield* days(5)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["declined", "paid"])
      })
    )
  )

  it.effect("is charged no more, though the ledger has not read that payment since", () =>
    started(({ days, events, listed, sent, shop, store }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        yield* Outsider.stopReadingCharges(store)
        listed.seePayment = { state: "PAID" }
        yield* days(3)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["declined", "paid"])
      })
    )
  )

  it.effect("is charged no more, though the next attempt waits in the queue", () =>
    started(({ days, events, listed, sent, shop, store }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        yield* shop.operator.pause
        yield* days(2)
        assert.deepInclude(yield* shop.operator.getChange("subscription:sub:1970-01:2"), { status: "queued" })
        yield* Outsider.stopReadingCharges(store)
        listed.seePayment = { state: "PAID" }
        yield* shop.operator.resume
        yield* days(2)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["declined", "paid"])
        assert.deepInclude(yield* shop.getOutcome("subscription:sub:1970-01:2"), { _tag: "Refused" })
      })
    )
  )

  it.effect("is no reason to answer Cancelled while the next attempt is in doubt", () =>
    started(({ days, events, listed, sent, shop }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        yield* arm(lost)
        yield* days(2)
        assert.lengthOf(sent, 2)
        listed.seePayment = { state: "PAID" }
        yield* days(4)
        assert.deepStrictEqual(typesOf(events), ["declined", "paid"])
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelling" })
        const key = "subscription:sub:1970-01:2"
        const { version = 0 } = (yield* shop.operator.getChange(key)) ?? {}
        yield* shop.operator.resolveChange(key, { version, as: "notDone", by: "Eva", note: "GoPay has none" })
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelled" })
      })
    )
  )

  it.effect("is paid when it was given up, too", () =>
    started(({ days, events, listed, sent, shop }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(20)
        assert.strictEqual(events.at(-1)?.type, "givenUp")
        listed.seePayment = { state: "PAID" }
        yield* days(3)
        assert.strictEqual(events.at(-1)?.type, "paid")
        assert.lengthOf(sent, 4)
      })
    )
  )

  it.effect("after the next one was paid is reported, once", () =>
    started(({ days, events, listed, shop, reported }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        yield* decline(false)
        yield* days(5)
        assert.deepStrictEqual(typesOf(events), ["declined", "paid"])
        listed.seePayment = { state: "PAID" }
        yield* days(5)
        assert.deepStrictEqual(
          reported.map(({ decisions, key, kind }) => ({ kind, key, decisions })),
          [{ kind: "PaidTwice", key: "subscription:sub:1970-01:2", decisions: ["done"] }]
        )
        const { key = "", version = 0 } = reported[0] ?? {}
        yield* shop.operator.resolveChange(key, { version, as: "done", by: "Eva", note: "refunded" })
        yield* days(5)
        assert.deepStrictEqual(yield* shop.operator.listAttention(), [])
      })
    )
  )
})

describe("three attempts of a period", () => {
  it.effect("that are all paid are two too many, and both are reported", () =>
    started(({ days, listed, shop, reported }) =>
      Effect.gen(function* () {
        yield* decline(true)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(4)
        yield* decline(false)
        yield* days(6)
        listed.seePayment = { state: "PAID" }
        yield* days(5)
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => ({ kind, key })),
          [
            { kind: "PaidTwice", key: "subscription:sub:1970-01:3" },
            { kind: "PaidTwice", key: "subscription:sub:1970-01:2" }
          ]
        )
        yield* days(5)
        assert.lengthOf(reported, 2)
      })
    )
  )
})

describe("a card", () => {
  it.effect("that is lost is replaced, and the old recurrence is ended when the new one is paid", () =>
    started(({ days, events, id, sent, shop }) =>
      Effect.gen(function* () {
        yield* arm({ type: "refusal", code: 343 })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(2)
        assert.deepStrictEqual(typesOf(events.splice(0)), ["needsCard"])
        yield* days(3)
        assert.lengthOf(sent, 1)
        const next = yield* paidFirst(shop, "2")
        yield* shop.replaceCard("sub", "2")
        yield* shop.runOnce()
        assert.deepStrictEqual(typesOf(events), ["cardReplaced", "paid"])
        const [child] = yield* children
        assert.deepInclude(child, { parent_id: next })
        yield* days(1)
        const { recurrence } = yield* Effect.orDie(getPayment(id))
        assert.deepInclude(recurrence, { recurrence_state: "STOPPED" })
        assert.deepInclude(yield* shop.getSubscription("sub"), { paymentId: next, orderNumber: "2", status: "active" })
      })
    )
  )

  it.effect("that is new is not charged for a period whose charge is in doubt", () =>
    started(({ days, sent, shop }) =>
      Effect.gen(function* () {
        yield* arm(unanswered)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(2)
        yield* paidFirst(shop, "2")
        yield* shop.replaceCard("sub", "2")
        yield* days(10)
        assert.lengthOf(sent, 1)
        assert.deepInclude((yield* shop.getSubscription("sub"))?.periods[0], { status: "charging", attempts: 1 })
      })
    )
  )

  it.effect("that is old is not charged by an attempt that waits in the queue when the new one is taken", () =>
    started(({ days, events, sent, shop }) =>
      Effect.gen(function* () {
        const next = yield* paidFirst(shop, "2")
        yield* shop.operator.pause
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        assert.deepInclude(yield* shop.operator.getChange("subscription:sub:1970-01:1"), { status: "queued" })
        yield* shop.replaceCard("sub", "2")
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["cardReplaced"])
        yield* shop.operator.resume
        yield* days(1)
        assert.lengthOf(sent, 1)
        assert.deepInclude((yield* children)[0], { parent_id: next })
        assert.deepStrictEqual(typesOf(events), ["cardReplaced", "paid"])
      })
    )
  )

  it.effect("that is old is not charged when another process takes the new one just after the mark", () =>
    started(({ days, makeProcess, sent, shop, store }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess({ onSubscription: () => Effect.void })
        const next = yield* paidFirst(shop, "2")
        yield* shop.chargePeriod("sub", "1970-01", month)
        store.before(statements.mark, async () =>
          store.before(/^SELECT refunds_from/, async () => {
            await Effect.runPromise(other.replaceCard("sub", "2"))
            await Effect.runPromise(other.runOnce())
          })
        )
        yield* days(2)
        assert.lengthOf(sent, 1)
        assert.deepInclude((yield* children)[0], { parent_id: next })
        assert.deepInclude((yield* shop.getSubscription("sub"))?.periods[0], { status: "paid", attempts: 2 })
      })
    )
  )

  it.effect("that is taken by a process that dies then charges the waiting period at once all the same", () =>
    started(({ days, events, makeProcess, sent, shop, store }) =>
      Effect.gen(function* () {
        yield* arm({ type: "refusal", code: 342 })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        assert.deepStrictEqual(typesOf(events), ["needsCard"])
        yield* paidFirst(shop, "2")
        yield* shop.replaceCard("sub", "2")
        // What comes after the move is committed, it does no more.
        let isDead = false
        const dying = yield* makeProcess({
          store: {
            ...store,
            query: (sql, values) => (isDead ? new Promise(() => {}) : store.query(sql, values)),
            transaction: async (run) => {
              const result = await store.transaction(run)
              isDead = true
              await Effect.runPromise(dying.kill)
              return result
            }
          },
          onSubscription: () => Effect.void
        })
        yield* Effect.raceFirst(Effect.ignore(dying.runOnce()), dying.killed)
        yield* days(2)
        assert.lengthOf(sent, 2)
        assert.strictEqual(typesOf(events).at(-1), "paid")
      })
    )
  )

  it.effect("that does not come in time gives the period up", () =>
    started(({ days, events, sent, shop }) =>
      Effect.gen(function* () {
        yield* arm({ type: "refusal", code: 342 })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(9)
        assert.deepStrictEqual(typesOf(events), ["needsCard"])
        yield* days(3)
        assert.deepStrictEqual(typesOf(events), ["needsCard", "givenUp"])
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("that expires is told while the order of a new one waits for its payment, too", () =>
    started(({ days, events, pass, shop }) =>
      Effect.gen(function* () {
        yield* shop.checkout("2", request)
        yield* shop.replaceCard("sub", "2")
        const { cardExpires } = (yield* shop.getSubscription("sub")) ?? {}
        yield* pass(startOfDay(`${cardExpires}-01`, "Europe/Prague") - 3 * 86_400_000)
        yield* days(1)
        assert.deepStrictEqual(events, [])
        yield* days(20)
        assert.deepStrictEqual(typesOf(events), ["cardExpires"])
        assert.deepInclude(yield* shop.getSubscription("sub"), { awaitedOrder: "2" })
      })
    )
  )

  it.effect("that expires is told at the beginning of its last month, once", () =>
    started(({ events, pass, shop }) =>
      Effect.gen(function* () {
        const { cardExpires } = (yield* shop.getSubscription("sub")) ?? {}
        assert.match(cardExpires ?? "", /^\d{4}-\d\d$/)
        const begins = startOfDay(`${cardExpires}-01`, "Europe/Prague")
        yield* pass(begins - 2 * 86_400_000)
        yield* shop.runOnce()
        assert.deepStrictEqual(events, [])
        yield* pass("2 days")
        yield* shop.runOnce()
        yield* pass("10 days")
        yield* shop.runOnce()
        assert.deepStrictEqual(typesOf(events), ["cardExpires"])
      })
    )
  )
})

describe("a subscription", () => {
  it.effect("starts when its first payment is paid, and not before", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        yield* ledger.createSubscription("sub", terms)
        yield* ledger.chargePeriod("sub", "1970-01", month)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getSubscription("sub"), { status: "waiting", awaitedOrder: "1" })
        const id = yield* paidFirst(ledger, "1")
        yield* ledger.runOnce()
        const subscription = yield* ledger.getSubscription("sub")
        assert.deepInclude(subscription, { status: "active", paymentId: id, orderNumber: "1" })
        assert.deepInclude(subscription?.periods[0], { status: "paid" })
      })
    )
  )

  it.effect("is of a payment with a recurrence on demand, and the same however often it is made", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        yield* ledger.checkout("1", { amount: 100, currency: "CZK", callback: order.callback })
        assert.strictEqual((yield* flipped(ledger.createSubscription("sub", terms))).reason._tag, "InvalidArgument")
        yield* ledger.checkout("2", request)
        const made = yield* ledger.createSubscription("sub", { ...terms, orderNumber: "2" })
        assert.deepStrictEqual(yield* ledger.createSubscription("sub", { ...terms, orderNumber: "2" }), made)
        const other = yield* flipped(ledger.createSubscription("sub", { ...terms, orderNumber: "2", maximum: 1 }))
        assert.strictEqual(other.reason._tag, "KeyReused")
        assert.strictEqual((yield* flipped(ledger.createSubscription("", terms))).reason._tag, "InvalidArgument")
      })
    )
  )

  it.effect("is cancelled when nothing is under way, and charges nothing more", () =>
    started(({ days, events, id, sent, shop }) =>
      Effect.gen(function* () {
        yield* shop.chargePeriod("sub", "1970-02", month)
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelled" })
        assert.strictEqual((yield* flipped(shop.chargePeriod("sub", "1970-03", month))).reason._tag, "InvalidArgument")
        yield* days(60)
        assert.deepStrictEqual(sent, [])
        assert.deepStrictEqual(typesOf(events), ["cancelled"])
        assert.deepInclude((yield* shop.getSubscription("sub"))?.periods[0], { status: "cancelled" })
        const { recurrence } = yield* Effect.orDie(getPayment(id))
        assert.deepInclude(recurrence, { recurrence_state: "STOPPED" })
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelled" })
      })
    )
  )

  it.effect("is cancelling while a charge is in doubt, which is reported when it succeeds", () =>
    started(({ days, events, id, sent, shop }) =>
      Effect.gen(function* () {
        yield* arm(unanswered)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* shop.runOnce()
        yield* shop.runOnce()
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelling" })
        const [child] = yield* children
        yield* notify(shop, child?.id ?? 0, id)
        yield* days(2)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["paid", "cancelled"])
        assert.deepInclude(events[0], { type: "paid" })
        assert.deepInclude(events[0]?.subscription, { status: "cancelling" })
      })
    )
  )

  it.effect("is cancelled by another process just before its charge is recorded", () =>
    started(({ days, makeProcess, sent, shop, store }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess({ onSubscription: () => Effect.void })
        let cancelled = ""
        store.before(/INSERT INTO gopay_change/, async () => {
          cancelled = (await Effect.runPromise(other.cancelSubscription("sub")))._tag
        })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        assert.strictEqual(cancelled, "Cancelled")
        assert.deepStrictEqual(sent, [])
        assert.deepInclude(yield* shop.getOutcome("subscription:sub:1970-01:1"), { _tag: "Refused" })
      })
    )
  )

  it.effect("is cancelled by another process between the look at it and the mark", () =>
    started(({ days, makeProcess, sent, shop, store }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess({ onSubscription: () => Effect.void })
        let cancelled = ""
        store.before(statements.mark, async () => {
          cancelled = (await Effect.runPromise(other.cancelSubscription("sub")))._tag
        })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        assert.strictEqual(cancelled, "Cancelled")
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect("is cancelling when it is cancelled just after the mark", () =>
    started(({ days, events, hooks, makeProcess, sent, shop }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess({ onSubscription: () => Effect.void })
        let cancelled = ""
        hooks.push(
          Effect.map(Effect.orDie(other.cancelSubscription("sub")), ({ _tag }) => {
            cancelled = _tag
          })
        )
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        assert.strictEqual(cancelled, "Cancelling")
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["paid", "cancelled"])
      })
    )
  )

  it.effect("whose charge waits in the queue is cancelled without it", () =>
    started(({ days, sent, shop }) =>
      Effect.gen(function* () {
        yield* shop.operator.pause
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        assert.deepInclude(yield* shop.operator.getChange("subscription:sub:1970-01:1"), { status: "queued" })
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelled" })
        yield* shop.operator.resume
        yield* days(3)
        assert.deepStrictEqual(sent, [])
      })
    )
  )
})

describe("a period of a restored backup", () => {
  it.effect("that had begun is an operator's, and one that begins later is charged", () =>
    started(({ days, events, sent, shop, reported }) =>
      Effect.gen(function* () {
        yield* shop.operator.distrust({ since: new Date(0) })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* shop.chargePeriod("sub", "1970-02", month)
        yield* days(5)
        assert.deepStrictEqual(sent, [])
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => ({ kind, key })),
          [{ kind: "InDoubt", key: "subscription:sub:1970-01:1" }]
        )
        yield* days(40)
        assert.deepStrictEqual(sent, ["create-recurrence"])
        const { key = "", version = 0 } = reported[0] ?? {}
        yield* shop.operator.resolveChange(key, { version, as: "notDone", by: "Eva", note: "GoPay has none" })
        yield* days(1)
        assert.lengthOf(sent, 2)
        assert.deepStrictEqual(typesOf(events), ["paid", "paid"])
      })
    )
  )

  it.effect("that waits for a new card is an operator's, and not given up: one may have paid it", () =>
    started(({ days, events, makeProcess, pass, sent, shop, store, reported }) =>
      Effect.gen(function* () {
        yield* arm({ type: "refusal", code: 342 })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(2)
        yield* Effect.promise(() => store.backUp())
        yield* paidFirst(shop, "2")
        yield* shop.replaceCard("sub", "2")
        yield* days(2)
        assert.deepStrictEqual(typesOf(events.splice(0)), ["needsCard", "cardReplaced", "paid"])
        yield* Effect.promise(() => store.restore())
        const restored = yield* makeProcess({ onSubscription: (event) => Effect.sync(() => void events.push(event)) })
        yield* restored.operator.distrust({ since: new Date(2 * 86_400_000) })
        for (let day = 0; day < 15; day++) {
          yield* pass("1 day")
          yield* restored.runOnce()
        }
        assert.deepStrictEqual(typesOf(events), [])
        assert.deepStrictEqual(
          reported.flatMap(({ key, kind }) => (kind === "InDoubt" ? [key] : [])),
          ["subscription:sub:1970-01:2"]
        )
        assert.lengthOf(sent, 2)
      })
    )
  )

  it.effect("that had begun is an operator's though the subscription is cancelled, which waits for that", () =>
    started(({ days, events, sent, shop, reported }) =>
      Effect.gen(function* () {
        yield* days(1)
        yield* shop.operator.distrust({ since: new Date(0) })
        yield* shop.chargePeriod("sub", "1970-01", month)
        assert.strictEqual((yield* shop.cancelSubscription("sub"))._tag, "Cancelling")
        yield* days(1)
        const { key = "", kind, version = 0 } = reported[0] ?? {}
        assert.deepStrictEqual([key, kind], ["subscription:sub:1970-01:1", "InDoubt"])
        assert.deepStrictEqual(typesOf(events), [])
        yield* shop.operator.resolveChange(key, { version, as: "notDone", by: "Eva", note: "GoPay has none" })
        yield* days(1)
        assert.deepStrictEqual(typesOf(events), ["cancelled"])
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect.each(["given up", "cancelled"])(
    "that was %s is paid all the same when a forgotten charge turns up",
    (how) =>
      started(({ days, events, id, shop }) =>
        Effect.gen(function* () {
          yield* decline(true)
          yield* shop.chargePeriod("sub", "1970-01", month)
          yield* days(how === "cancelled" ? 1 : 20)
          if (how === "cancelled") yield* shop.cancelSubscription("sub")
          events.splice(0)
          yield* decline(false)
          const forgotten = {
            currency: "CZK",
            order_number: "sub-1970-01",
            additional_params: [{ name: "effect-gopay", value: "forgotten" }]
          }
          const { id: child } = yield* Effect.orDie(createRecurrence(id, { ...month, ...forgotten }))
          yield* notify(shop, child, id)
          yield* days(1)
          yield* shop.operator.adoptPayment("sub-1970-01", child)
          yield* days(1)
          assert.deepStrictEqual(typesOf(events), ["paid"])
          assert.deepInclude((yield* shop.getSubscription("sub"))?.periods[0], { status: "paid", paymentId: child })
        })
      )
  )

  it.effect("is not paid by a forgotten charge of another subscription with its order number", () =>
    started(({ days, events, id, sent, shop }) =>
      Effect.gen(function* () {
        yield* paidFirst(shop, "2")
        yield* shop.createSubscription("other", { ...terms, orderNumber: "2" })
        yield* shop.chargePeriod("other", "1970-02", { ...month, order_number: "family" })
        yield* shop.chargePeriod("sub", "1970-03", { ...month, order_number: "family" })
        const forgotten = { additional_params: [{ name: "effect-gopay", value: "forgotten" }] }
        const { id: child } = yield* Effect.orDie(
          createRecurrence(id, { ...month, ...forgotten, currency: "CZK", order_number: "family" })
        )
        yield* shop.runOnce()
        events.splice(0)
        yield* notify(shop, child, id)
        yield* shop.operator.adoptPayment("family", child)
        yield* days(62)
        assert.deepStrictEqual(
          events.map(({ period, subscription, type }) => [subscription.name, type, period?.paymentId === child]),
          [
            ["sub", "paid", true],
            ["other", "paid", false]
          ]
        )
        // The forgotten one, and that of the other subscription.
        assert.lengthOf(sent, 2)
      })
    )
  )

  it.effect("of a subscription that never started is cancelled with it", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        yield* ledger.checkout("1", request)
        yield* ledger.createSubscription("sub", { orderNumber: "1", maximum: 50_000, currency: "CZK" })
        yield* ledger.chargePeriod("sub", "1970-01", month)
        yield* pass("1 day")
        yield* ledger.operator.distrust({ since: new Date(0) })
        assert.strictEqual((yield* ledger.cancelSubscription("sub"))._tag, "Cancelled")
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect("whose charge turns up before it is paid waits for an operator, who adopts it", () =>
    started(({ days, events, id, listed, sent, shop, store, reported }) =>
      Effect.gen(function* () {
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        const [child] = yield* children
        yield* Outsider.forgetCharges(store)
        yield* Outsider.forgetPeriods(store)
        listed.seePayment = { state: "CREATED" }
        yield* notify(shop, child?.id ?? 0, id)
        listed.seePayment = {}
        assert.strictEqual(reported.at(-1)?.kind, "UnknownPayment")
        events.length = 0
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(3)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(events, [])
        yield* shop.operator.adoptPayment("sub-1970-01", child?.id ?? 0)
        yield* days(1)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["paid"])
      })
    )
  )

  it.effect("that another card has paid is not charged again once an operator has adopted that charge", () =>
    started(({ days, events, sent, shop }) =>
      Effect.gen(function* () {
        // The new card, which the backup does not know.
        const { id } = yield* Effect.orDie(createPayment({ ...order, recurrence }))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        const charge = { ...month, currency: "CZK", order_number: "sub-1970-01" } as const
        const child = yield* Effect.orDie(createRecurrence(id, charge))
        yield* shop.operator.distrust({ since: new Date(0) })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        yield* shop.operator.adoptPayment("sub-1970-01", child.id)
        const key = "subscription:sub:1970-01:1"
        const { version = 0 } = (yield* shop.operator.getChange(key)) ?? {}
        yield* shop.operator.resolveChange(key, { version, as: "notDone", by: "Eva", note: "It was the other card." })
        yield* days(1)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["paid"])
        assert.deepInclude(events[0]?.period, { paymentId: child.id })
      })
    )
  )

  it.effect("that another card has paid is told paid, though the subscription is cancelled before that", () =>
    started(({ days, events, sent, shop }) =>
      Effect.gen(function* () {
        // The new card, which the backup does not know.
        const { id } = yield* Effect.orDie(createPayment({ ...order, recurrence }))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        const charge = { ...month, currency: "CZK", order_number: "sub-1970-01" } as const
        const child = yield* Effect.orDie(createRecurrence(id, charge))
        yield* shop.operator.distrust({ since: new Date(0) })
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        yield* shop.operator.adoptPayment("sub-1970-01", child.id)
        const key = "subscription:sub:1970-01:1"
        const { version = 0 } = (yield* shop.operator.getChange(key)) ?? {}
        yield* shop.operator.resolveChange(key, { version, as: "notDone", by: "Eva", note: "It was the other card." })
        assert.deepInclude(yield* shop.cancelSubscription("sub"), { _tag: "Cancelling" })
        yield* days(2)
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(typesOf(events), ["paid", "cancelled"])
        assert.deepInclude(events[0]?.period, { paymentId: child.id })
      })
    )
  )

  it.effect("that is paid, says a notification, is not charged again", () =>
    started(({ days, events, id, sent, shop, store }) =>
      Effect.gen(function* () {
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(1)
        const [child] = yield* children
        yield* Outsider.forgetCharges(store)
        yield* Outsider.forgetPeriods(store)
        yield* notify(shop, child?.id ?? 0, id)
        yield* shop.chargePeriod("sub", "1970-01", month)
        yield* days(2)
        assert.lengthOf(sent, 1)
        assert.deepInclude(events.at(-1)?.period, { status: "paid", attempts: 0 })
        assert.strictEqual(events.at(-1)?.period?.paymentId, child?.id)
      })
    )
  )
})

it.effect("are stepped for as long as the budget of a cron job lasts, and the next one goes on", () =>
  inWorld(({ makeProcess }) =>
    Effect.gen(function* () {
      const types: Array<string> = []
      const slow = yield* makeProcess({
        onSubscription: ({ type }) => Effect.as(TestClock.adjust("3 seconds"), void types.push(type))
      })
      for (let number = 1; number <= 5; number++) {
        yield* paidFirst(slow, `${number}`)
        yield* slow.createSubscription(`sub ${number}`, { ...terms, orderNumber: `${number}` })
      }
      yield* slow.runOnce({ budget: "5 seconds" })
      // Two at a time: the third one begins when the first has ended.
      assert.deepStrictEqual(types, ["started", "started", "started"])
      yield* slow.runOnce({ budget: "1 minute" })
      assert.lengthOf(types, 5)
    })
  )
)

it.effect("is made of a payment that was adopted, too", () =>
  inWorld(({ ledger }) =>
    Effect.gen(function* () {
      const { id } = yield* Effect.orDie(createPayment({ ...order, recurrence }))
      yield* Effect.orDie(LocalGateway.payByCard(id))
      yield* ledger.operator.adoptPayment("1", id)
      yield* ledger.createSubscription("sub", terms)
      yield* ledger.runOnce()
      assert.deepInclude(yield* ledger.getSubscription("sub"), { status: "active", paymentId: id })
    })
  )
)
