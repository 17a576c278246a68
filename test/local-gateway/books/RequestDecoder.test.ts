import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { openShop, order, paymentIn, refusalIn } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const paidPayment = Effect.gen(function* () {
  const shop = yield* openShop
  const { id } = yield* shop.create()
  yield* LocalGateway.payByCard(id)
  return { shop, id }
})

const heldPayment = Effect.gen(function* () {
  const shop = yield* openShop
  const { id } = yield* shop.create({ preauthorization: true })
  yield* LocalGateway.payByCard(id)
  return { shop, id }
})

describe("Requests are read leniently", () => {
  it.effect("what PHP makes of empty objects: empty lists", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      assert.strictEqual((yield* shop.create({ payer: [] })).state, "CREATED")
      assert.strictEqual((yield* shop.create({ payer: { contact: [] } })).state, "CREATED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("what the .NET client sends: its defaults, empty lists, the cycle's number", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const answer = yield* shop.post("/payments/payment", {
        body: JSON.stringify(
          {
            ...order,
            preauthorization: false,
            items: [],
            additional_params: [],
            payer: {
              allowed_payment_instruments: [],
              allowed_swifts: [],
              allowed_bnpl_types: [],
              request_card_token: false
            },
            recurrence: {
              recurrence_cycle: 3,
              recurrence_period: 0,
              recurrence_date_to: "2099-12-31",
              recurrence_state: "REQUESTED"
            }
          },
          undefined,
          2
        )
      })
      const { additional_params, id, payer, preauthorization, recurrence } = paymentIn(answer)
      assert.deepStrictEqual(payer, {})
      assert.deepStrictEqual([preauthorization, additional_params], [undefined, undefined])
      assert.strictEqual(recurrence?.recurrence_cycle, "ON_DEMAND")
      yield* LocalGateway.payByCard(id)
      assert.strictEqual((yield* shop.read(id)).payer?.card_id, undefined)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("cycles 0, 1 and 2 are MONTH, WEEK and DAY", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const cycles = yield* Effect.forEach([0, 1, 2], (recurrence_cycle) =>
        shop.create({
          recurrence: { recurrence_cycle, recurrence_period: "7", recurrence_date_to: "2099-12-31" }
        })
      )
      assert.deepStrictEqual(
        cycles.map(({ recurrence }) => recurrence?.recurrence_cycle),
        ["MONTH", "WEEK", "DAY"]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("numbers as text, nulls for absent, flags as text, a number for an order number", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const payment = yield* shop.create({
        amount: "139951",
        order_number: 42,
        target: { goid: "8123456781" },
        items: [{ name: "a", amount: "-100", count: "2" }],
        payer: { contact: null, default_swift: null },
        preauthorization: "true",
        recurrence: null,
        lang: null
      })
      assert.strictEqual(payment.amount, 139_951)
      assert.strictEqual(payment.order_number, "42")
      assert.strictEqual(payment.preauthorization?.state, "REQUESTED")
      assert.strictEqual(payment.recurrence, undefined)
      assert.strictEqual(payment.lang, "en")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("an amount of nothing, with a recurrence or to be held", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { amount } = yield* shop.create({ amount: 0, preauthorization: true })
      assert.strictEqual(amount, 0)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the sum of items may differ from the amount", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { state } = yield* shop.create({ items: [{ name: "a", amount: 1, vat_rate: "12" }] })
      assert.strictEqual(state, "CREATED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a refund as a form, with or without its content type, or as JSON", () =>
    Effect.gen(function* () {
      const { id, shop } = yield* paidPayment
      const path = `/payments/payment/${id}/refund`
      const contents = [
        { body: "amount=100", headers: { "content-type": "application/x-www-form-urlencoded" } },
        { body: "amount=100" },
        { body: `{"amount":100}`, headers: { "content-type": "application/json" } },
        { body: `{"amount":"100","items":[],"eet":{}}` },
        { body: ` {"amount":100}`, headers: { "content-type": "" } }
      ]
      for (const content of contents) assert.strictEqual((yield* shop.post(path, content)).status, 200, content.body)
      assert.strictEqual(refusalIn(yield* shop.post(path, { body: "amount=9501" })), "409 G 332 PAYMENT_WRONG_AMOUNT")
      assert.strictEqual(refusalIn(yield* shop.post(path, {})), "409 amount 110 REQUIRED")
      assert.strictEqual(refusalIn(yield* shop.post(path, { body: "amount=0" })), "409 amount 111 INVALID")
      assert.strictEqual(refusalIn(yield* shop.post(path, { body: "amount=1,5" })), "409 amount 111 INVALID")
      assert.strictEqual(
        refusalIn(yield* shop.post(path, { body: "amount=1", headers: { "content-type": "application/json" } })),
        "409 G 116 INVALID_REQUEST"
      )
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("an empty body captures all, with any content type or none", () =>
    Effect.gen(function* () {
      for (const content of [
        {},
        { body: "" },
        { body: " \r\n" },
        { headers: { "content-type": "application/x-www-form-urlencoded" } },
        { body: "", headers: { "content-type": "application/json" } }
      ]) {
        const { id, shop } = yield* heldPayment
        assert.strictEqual((yield* shop.post(`/payments/payment/${id}/capture`, content)).status, 200)
        assert.strictEqual((yield* shop.refund(id, 10_000)).status, 200)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("an amount captures a part, as JSON or as a form", () =>
    Effect.gen(function* () {
      for (const body of [`{"amount":4000,"items":[]}`, `{"amount":"4000"}`, "amount=4000"]) {
        const { id, shop } = yield* heldPayment
        assert.strictEqual((yield* shop.post(`/payments/payment/${id}/capture`, { body })).status, 200)
        assert.strictEqual(refusalIn(yield* shop.refund(id, 4_001)), "409 G 332 PAYMENT_WRONG_AMOUNT")
        assert.strictEqual((yield* shop.refund(id, 4_000)).status, 200)
      }
      const { id, shop } = yield* heldPayment
      const empty = yield* shop.post(`/payments/payment/${id}/capture`, { body: `{"items":[]}` })
      assert.strictEqual(refusalIn(empty), "409 amount 110 REQUIRED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a content type on a GET or a DELETE, and a body where none is asked for", () =>
    Effect.gen(function* () {
      const { id, shop } = yield* heldPayment
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      assert.strictEqual((yield* shop.request("GET", `/payments/payment/${id}`, { headers })).status, 200)
      const voided = yield* shop.post(`/payments/payment/${id}/void-authorization`, { body: "{not json", headers })
      assert.strictEqual(voided.status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
