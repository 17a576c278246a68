import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { openShop, order, paymentIn, refusalIn, requestToken } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const start = "2026-01-31T11:00:00Z"

const recurring = (recurrence_cycle: string, recurrence_period: number, recurrence_date_to: string) => ({
  recurrence: { recurrence_cycle, recurrence_period, recurrence_date_to }
})

/** The days on which the further payments of a recurrence changed their state, and to what. */
const charges = (parentId: number) =>
  Effect.gen(function* () {
    const payments = yield* LocalGateway.listPayments
    const children = new Set(payments.filter(({ parent_id }) => parent_id === parentId).map(({ id }) => id))
    return (yield* LocalGateway.listEvents).flatMap((event) =>
      event.type === "state" && children.has(event.paymentId) && event.to !== "CREATED"
        ? [`${new Date(event.at).toISOString().slice(0, 16)} ${event.to}`]
        : []
    )
  })

describe("Time", () => {
  it.effect("a payment times out after twelve hours in which no method was chosen", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create()
      const paid = yield* shop.create()
      yield* LocalGateway.payByCard(paid.id)
      const states = Effect.map(LocalGateway.listPayments, (payments) => payments.map(({ state }) => state))
      yield* TestClock.adjust(Duration.millis(12 * 3_600_000 - 1))
      assert.deepStrictEqual(yield* states, ["CREATED", "PAID"])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* states, ["TIMEOUTED", "PAID"])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect.each([
    ["PAYMENT_CARD", 3600],
    ["GOPAY", 12 * 3600],
    ["BANK_ACCOUNT", 5 * 24 * 3600]
  ] as const)("a payment whose method is %s times out %d seconds after that was chosen", ([instrument, seconds]) =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* TestClock.adjust("11 hours")
      yield* LocalGateway.choosePaymentMethod(id, instrument)
      yield* TestClock.adjust(Duration.seconds(seconds / 2))
      yield* LocalGateway.declineAttempt(id, "_5006")
      const state = Effect.map(LocalGateway.listPayments, (payments) => payments[0]?.state)
      yield* TestClock.adjust(Duration.millis((seconds / 2) * 1000 - 1))
      assert.strictEqual(yield* state, "PAYMENT_METHOD_CHOSEN")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* state, "TIMEOUTED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a chosen bank transfer may come after the time-out, and says that it was late", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* LocalGateway.choosePaymentMethod(id, "BANK_ACCOUNT")
      yield* LocalGateway.advanceTime(Duration.days(5))
      const paid = yield* LocalGateway.payByBankTransfer(id)
      assert.deepStrictEqual([paid.state, paid.sub_state], ["PAID", "_5047"])
      const never = yield* Effect.flatMap(openShop, (later) => later.create())
      yield* LocalGateway.advanceTime(Duration.days(1))
      const refused = yield* Effect.flip(LocalGateway.payByBankTransfer(never.id))
      assert.strictEqual(refused.reason, "WrongPaymentState")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("operations that were accepted at the same time all end", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* LocalGateway.payByCard(id)
      for (const amount of [1, 2, 3]) yield* shop.refund(id, amount)
      yield* TestClock.adjust("1 minute")
      const { body } = yield* shop.refunds(id)
      assert.deepStrictEqual(
        [...body.matchAll(/"state":"(\w+)","amount":(\d)/g)].map(([, state, amount]) => `${state} ${amount}`),
        ["SUCCESS 1", "SUCCESS 2", "SUCCESS 3"]
      )
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: { ...partsAtOnce, refund: "acceptedThenFinished" } })))
  )

  it.effect("a held amount is released after four days", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ preauthorization: true })
      yield* LocalGateway.payByCard(id)
      yield* TestClock.adjust(Duration.millis(4 * 24 * 3_600_000 - 1))
      const later = yield* openShop
      assert.strictEqual((yield* later.read(id)).state, "AUTHORIZED")
      yield* TestClock.adjust(1)
      const lapsed = yield* later.read(id)
      assert.deepStrictEqual([lapsed.state, lapsed.preauthorization?.state], ["CANCELED", "CANCELED"])
      assert.strictEqual(refusalIn(yield* later.capture(id)), "409 G 350 PAYMENT_CAPTURE_FAILED")
      assert.strictEqual(refusalIn(yield* later.voidAuthorization(id)), "409 G 353 PAYMENT_AUTH_VOID_DONE")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a monthly recurrence is charged on its day, or the month's last, and stops after its end", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse(start))
      const shop = yield* openShop
      const { id } = yield* shop.create(recurring("MONTH", 1, "2026-05-31"))
      yield* LocalGateway.payByCard(id)
      yield* TestClock.setTime(Date.parse("2026-05-31T21:59:59Z"))
      const later = yield* openShop
      assert.strictEqual((yield* later.read(id)).recurrence?.recurrence_state, "STARTED")
      yield* TestClock.adjust("1 second")
      const stopped = yield* later.read(id)
      assert.deepStrictEqual([stopped.state, stopped.recurrence?.recurrence_state], ["PAID", "STOPPED"])
      yield* TestClock.adjust("365 days")
      assert.deepStrictEqual(yield* charges(id), [
        "2026-02-28T11:00 PAID",
        "2026-03-31T10:00 PAID",
        "2026-04-30T10:00 PAID",
        "2026-05-31T10:00 PAID"
      ])
      const [, child] = yield* LocalGateway.listPayments
      assert.deepStrictEqual(
        [child?.amount, child?.order_number, child?.parent_id, child?.recurrence],
        [order.amount, order.order_number, id, undefined]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("moving time forward lets all that is due happen, in order", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse(start))
      const shop = yield* openShop
      const daily = yield* shop.create(recurring("DAY", 10, "2026-03-01"))
      const weekly = yield* shop.create(recurring("WEEK", 2, "2099-12-31"))
      const open = yield* shop.create()
      yield* LocalGateway.payByCard(daily.id)
      yield* LocalGateway.payByCard(weekly.id)
      yield* LocalGateway.advanceTime(Duration.days(35))
      const events = yield* LocalGateway.listEvents
      const times = events.map(({ at }) => at)
      assert.deepStrictEqual(
        times,
        [...times].sort((a, b) => a - b)
      )
      assert.deepStrictEqual(yield* charges(daily.id), ["2026-02-10T11:00 PAID", "2026-02-20T11:00 PAID"])
      assert.deepStrictEqual(yield* charges(weekly.id), ["2026-02-14T11:00 PAID", "2026-02-28T11:00 PAID"])
      const expired = yield* shop.request("GET", `/payments/payment/${open.id}`)
      assert.strictEqual(refusalIn(expired), "403 G 200 UNAUTHORIZED_ACCESS")
      const later = yield* openShop
      assert.strictEqual((yield* later.read(open.id)).state, "TIMEOUTED")
      assert.strictEqual((yield* later.read(daily.id)).recurrence?.recurrence_state, "STOPPED")
      const statement = yield* later.postJson("/accounts/account-statement", {
        date_from: "2026-02-01",
        date_to: "2026-03-31",
        goid: LocalGateway.merchant.goid,
        currency: "CZK",
        format: "CSV_A"
      })
      assert.deepStrictEqual(
        [...statement.body.matchAll(/^(\S+?),PAYMENT,/gm)].map(([, day]) => day),
        ["2026-02-10", "2026-02-14", "2026-02-20", "2026-02-28"]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a voided recurrence, and one whose card has expired, brings nothing more", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2039-12-15T11:00:00Z"))
      const shop = yield* openShop
      const voided = yield* shop.create(recurring("DAY", 1, "2099-12-31"))
      const kept = yield* shop.create(recurring("MONTH", 1, "2040-01-31"))
      yield* LocalGateway.payByCard(voided.id)
      yield* LocalGateway.payByCard(kept.id)
      yield* shop.voidRecurrence(voided.id)
      yield* LocalGateway.advanceTime(Duration.days(40))
      assert.deepStrictEqual(yield* charges(voided.id), [])
      assert.deepStrictEqual(yield* charges(kept.id), ["2040-01-15T11:00 CANCELED"])
      const declined = (yield* LocalGateway.listPayments).at(-1)
      assert.strictEqual(declined?.sub_state, "_5007")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a period too long for any calendar, and an end in the last year there is, break nothing", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse(start))
      const shop = yield* openShop
      for (const [cycle, period] of [
        ["MONTH", Number.MAX_SAFE_INTEGER],
        ["DAY", 1_000_000_000],
        ["WEEK", 10_000_000]
      ] as const) {
        const { id } = yield* shop.create(recurring(cycle, period, "9999-12-31"))
        assert.strictEqual((yield* LocalGateway.payByCard(id)).recurrence?.recurrence_state, "STARTED")
      }
      yield* LocalGateway.advanceTime(Duration.days(3650))
      yield* LocalGateway.changeSettings({ timeToPaySeconds: 60 })
      assert.strictEqual((yield* LocalGateway.listPayments).length, 3)
      assert.strictEqual((yield* requestToken()).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a recurrence that the shop charges ends on its day too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse(start))
      const shop = yield* openShop
      const { id } = yield* shop.create({
        recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2026-02-01" }
      })
      yield* LocalGateway.payByCard(id)
      assert.strictEqual(paymentIn(yield* shop.charge(id)).parent_id, id)
      yield* LocalGateway.advanceTime(Duration.days(2))
      const later = yield* openShop
      assert.strictEqual(refusalIn(yield* later.charge(id)), "409 G 342 PAYMENT_RECURRENCE_STOPPED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
