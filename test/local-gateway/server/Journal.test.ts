import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Journal, masked } from "../../../src/local-gateway/server/Journal.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { onDemand, openShop } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

/** What payments have become since the last time, without its time and number. */
const newEvents = () => {
  let seen = 0
  return Effect.map(LocalGateway.listEvents, (events) => {
    const fresh = events.slice(seen)
    seen = events.length
    return fresh.flatMap(({ at: _at, number: _number, ...event }) => ("by" in event ? [event] : []))
  })
}

describe("The log of a gateway", () => {
  it.effect("tells each change of a payment once, and who made it", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const happened = newEvents()
      const { id: paymentId } = yield* shop.create({ amount: 1000, preauthorization: true, ...onDemand })
      const merchant = { paymentId, by: "merchant" }
      const payer = { paymentId, by: "payer" }
      const none = { received: 0, refunded: 0 }
      assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* happened, [
        { type: "state", ...merchant, to: "CREATED", ...none },
        { type: "recurrence", ...merchant, to: "REQUESTED" },
        { type: "preauthorization", ...merchant, to: "REQUESTED" }
      ])
      yield* LocalGateway.payByCard(paymentId)
      assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* happened, [
        { type: "state", ...payer, from: "CREATED", to: "AUTHORIZED", ...none },
        { type: "recurrence", ...payer, to: "STARTED" },
        { type: "preauthorization", ...payer, to: "AUTHORIZED" }
      ])
      yield* shop.capture(paymentId, 400)
      assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* happened, [
        { type: "state", ...merchant, from: "AUTHORIZED", to: "PAID", received: 400, refunded: 0 },
        { type: "preauthorization", ...merchant, to: "CAPTURED" }
      ])
      for (const refunded of [100, 200]) {
        yield* shop.refund(paymentId, 100)
        const from = refunded === 100 ? "PAID" : "PARTIALLY_REFUNDED"
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* happened, [
          { type: "state", ...merchant, from, to: "PARTIALLY_REFUNDED", received: 400, refunded }
        ])
      }
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("tells why a payment has its state, and which jump in time ended it", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const happened = newEvents()
      const { id: paymentId } = yield* shop.create()
      yield* LocalGateway.choosePaymentMethod(paymentId, "PAYMENT_CARD")
      yield* LocalGateway.declineAttempt(paymentId, "_5001")
      yield* LocalGateway.advanceTime(Duration.days(1))
      const reasons = (yield* happened).flatMap((event) =>
        event.type === "state" ? [[event.by, event.to, event.subState, event.jumpMillis].join(" ")] : []
      )
      assert.deepStrictEqual(reasons, [
        "merchant CREATED  ",
        "payer PAYMENT_METHOD_CHOSEN _101 ",
        "payer PAYMENT_METHOD_CHOSEN _5001 ",
        "time TIMEOUTED  86400000"
      ])
      yield* (yield* openShop).create()
      const [created] = yield* happened
      assert.notProperty(created, "jumpMillis")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it("masks a card number wherever it stands, and no part of a pay page's name", () => {
    assert.strictEqual(masked("4444444444444448"), "444444******4448")
    assert.strictEqual(masked("card4444444444444448"), "card444444******4448")
    const path = "/pay/3000000001/a4444444444444448b9c1d2e3f405162"
    assert.strictEqual(masked(path), path)
  })

  it("keeps the newest 5000 events", () => {
    const journal = new Journal()
    for (let at = 1; at <= 12_345; at++) journal.add(at, { type: "time", advancedMillis: 0 })
    const events = journal.events()
    assert.deepStrictEqual(
      [events.length, events[0]?.at, events.at(-1)?.at, events.at(-1)?.number],
      [5000, 7346, 12_345, 12_345]
    )
    journal.clear()
    assert.deepStrictEqual(journal.events(), [])
    assert.strictEqual(journal.newest, 12_345)
  })
})
