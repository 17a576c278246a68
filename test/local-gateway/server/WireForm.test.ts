import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { TestClock } from "effect/testing"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { onDemand, openShop, order, paymentIn, requestToken, type Answer } from "../../support/GatewayRequests.js"

describe("The wire form", () => {
  it.effect("a created payment is that of a recorded response, byte for byte but for its id, shop and address", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const answer = yield* shop.postJson("/payments/payment", {
        lang: "CS",
        order_description: "not repeated",
        callback: order.callback,
        order_number: "order-1",
        target: { goid: "8123456781", type: "ACCOUNT" },
        payer: {
          contact: { email: "john@example.com", last_name: "Doe", first_name: "John" },
          allowed_payment_instruments: ["PAYMENT_CARD"],
          verify_pin: "1234",
          allowed_card_token: "not repeated",
          request_card_token: true
        },
        currency: "CZK",
        amount: "10000",
        unknown: "ignored"
      })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers["content-type"], "application/json")
      const { gw_url, id } = paymentIn(answer)
      assert.strictEqual(
        answer.body,
        `{"id":${id},"order_number":"order-1","state":"CREATED","amount":10000,"currency":"CZK","payer":{"allowed_payment_instruments":["PAYMENT_CARD"],"contact":{"first_name":"John","last_name":"Doe","email":"john@example.com"}},"target":{"type":"ACCOUNT","goid":8123456781},"lang":"cs","gw_url":"${gw_url}"}`
      )
      assert.match(gw_url ?? "", /^http:\/\/localhost\/gw\/v3\/[0-9a-f]{32}$/)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a recurrence comes after the target, then the preauthorization and the additional parameters", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { body } = yield* shop.postJson("/payments/payment", {
        ...order,
        additional_params: [{ value: 1, name: "invoice" }],
        preauthorization: true,
        recurrence: {
          recurrence_date_to: "2050-01-01",
          recurrence_period: "10",
          recurrence_cycle: "WEEK",
          recurrence_state: "STARTED"
        }
      })
      assert.include(
        body,
        `"target":{"type":"ACCOUNT","goid":8123456781},"recurrence":{"recurrence_cycle":"WEEK","recurrence_period":10,"recurrence_date_to":"2050-01-01","recurrence_state":"REQUESTED"},"preauthorization":{"requested":true,"state":"REQUESTED"},"additional_params":[{"name":"invoice","value":"1"}],"lang":"cs","gw_url":`
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a refunded card payment is that of a recorded response", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { gw_url, id } = yield* shop.create({
        payer: {
          allowed_payment_instruments: ["PAYMENT_CARD"],
          contact: { first_name: "John", last_name: "Doe", email: "john@example.com" }
        }
      })
      yield* LocalGateway.payByCard(id, { card: "4188030000000003" })
      yield* shop.refund(id, 10_000)
      assert.strictEqual(
        (yield* shop.get(`/payments/payment/${id}`)).body,
        `{"id":${id},"order_number":"order-1","state":"REFUNDED","payment_instrument":"PAYMENT_CARD","amount":10000,"currency":"CZK","payer":{"allowed_payment_instruments":["PAYMENT_CARD"],"payment_card":{"card_number":"418803******0003","card_expiration":"3912","card_brand":"VISA Electron","card_issuer_country":"CZE","card_issuer_bank":"KOMERCNI BANKA, A.S."},"contact":{"first_name":"John","last_name":"Doe","email":"john@example.com","country_code":"CZE"}},"target":{"type":"ACCOUNT","goid":8123456781},"lang":"cs","gw_url":"${gw_url}"}`
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a success may be kept for ten minutes, a refusal not at all, as recorded", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      const kept = ({ headers }: Answer) => [headers["cache-control"], headers["expires"]]
      const never = "no-cache, no-store, must-revalidate"
      yield* TestClock.adjust("1 minute")
      const inElevenMinutes = [`${never}, max-age=600`, "Thu, 01 Jan 1970 00:11:00 GMT"]
      assert.deepStrictEqual(kept(yield* shop.get(`/payments/payment/${id}`)), inElevenMinutes)
      assert.deepStrictEqual(kept(yield* requestToken()), inElevenMinutes)
      assert.deepStrictEqual(kept(yield* shop.get("/payments/payment/1")), [never, undefined])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("payment ids are ten digits, begin with 3 and are multiples of 13", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const payments = yield* Effect.replicateEffect(shop.create(), 20)
      for (const { id } of payments) {
        assert.match(String(id), /^3\d{9}$/)
        assert.strictEqual(id % 13, 0)
      }
      assert.strictEqual(new Set(payments.map(({ id }) => id)).size, 20)
      assert.strictEqual(new Set(payments.map(({ gw_url }) => gw_url)).size, 20)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a seeded run makes the same addresses", () =>
    Effect.gen(function* () {
      const address = Effect.gen(function* () {
        const shop = yield* openShop
        return (yield* shop.create()).gw_url
      })
      const seeded = address.pipe(Effect.provide(LocalGateway.layer), Random.withSeed("a seed"))
      assert.strictEqual(yield* seeded, yield* seeded)
    })
  )

  it.effect("a payment without a payer has none until someone pays", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id, payer } = yield* shop.create(onDemand)
      assert.strictEqual(payer, undefined)
      yield* LocalGateway.payByCard(id)
      const paid = yield* shop.read(id)
      assert.deepStrictEqual(paid.payer?.contact, { country_code: "POL" })
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
