import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { basic, onDemand, openShop, order, refusalIn, send, type Answer } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const form = "application/x-www-form-urlencoded"
const json = "application/json"
const token = "grant_type=client_credentials&scope=payment-all"
const statement = {
  date_from: "2026-01-01",
  date_to: "2026-01-31",
  goid: order.target.goid,
  currency: "CZK",
  format: "CSV_A"
}

const openPayments = Effect.gen(function* () {
  const shop = yield* openShop
  const { id: paid } = yield* shop.create()
  const { id: held } = yield* shop.create({ preauthorization: true })
  const { id: recurring } = yield* shop.create(onDemand)
  for (const id of [paid, held, recurring]) yield* LocalGateway.payByCard(id)
  const post = (path: string, type: string | undefined, body: string) =>
    shop.post(path, { body, headers: type === undefined ? {} : { "content-type": type } })
  return { shop, paid, held, recurring, post }
})

const isRefused = ({ body, status }: Answer): boolean =>
  status === 500 && body.includes("RESTEASY003065: Cannot consume content type")

describe("The content type", () => {
  it.effect("of a voidRecurrence sent as JSON is refused in the form that was reported", () =>
    Effect.gen(function* () {
      const { post, recurring, shop } = yield* openPayments
      for (const body of ["", "{}"]) {
        const { body: answer, status } = yield* post(`/payments/payment/${recurring}/void-recurrence`, json, body)
        assert.strictEqual(status, 500)
        const { errors } = JSON.parse(answer)
        assert.deepInclude(errors[0], {
          scope: "F",
          error_code: 500,
          message: "RESTEASY003065: Cannot consume content type",
          description: `The content type is ${json}, and must be ${form}.`
        })
      }
      assert.strictEqual((yield* shop.read(recurring)).recurrence?.recurrence_state, "STARTED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is refused where an operation takes another, and nothing is done", () =>
    Effect.gen(function* () {
      const { held, paid, post, recurring, shop } = yield* openPayments
      const create = JSON.stringify(order)
      const charge = JSON.stringify({ amount: 100, currency: "CZK", order_number: "2" })
      const before = (yield* LocalGateway.exportSeed).payments
      const answers = [
        yield* post("/payments/payment", form, create),
        yield* post("/payments/payment", "text/plain;charset=UTF-8", create),
        yield* post("/payments/payment", `${json}p`, create),
        yield* post(`/payments/payment/${paid}/refund`, "text/plain", "amount=100"),
        yield* post(`/payments/payment/${recurring}/create-recurrence`, form, charge),
        yield* post(`/payments/payment/${held}/void-authorization`, json, ""),
        yield* post(`/payments/payment/${held}/capture`, form, "amount=100"),
        yield* post(`/payments/payment/${held}/capture`, "text/plain", ""),
        yield* post("/accounts/account-statement", form, JSON.stringify(statement)),
        yield* send("POST", "/api/oauth2/token", {
          body: token,
          headers: { authorization: basic, "content-type": json }
        })
      ]
      assert.deepStrictEqual(
        answers.map(isRefused),
        answers.map(() => true)
      )
      assert.deepStrictEqual((yield* LocalGateway.exportSeed).payments, before)
      assert.strictEqual((yield* shop.read(held)).state, "AUTHORIZED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("says how a body is read: JSON that is sent as a form has no amount", () =>
    Effect.gen(function* () {
      const { paid, post } = yield* openPayments
      const path = `/payments/payment/${paid}/refund`
      assert.strictEqual(refusalIn(yield* post(path, form, JSON.stringify({ amount: 1 }))), "409 amount 110 REQUIRED")
      assert.strictEqual(refusalIn(yield* post(path, json, "amount=1")), "409 G 116 INVALID_REQUEST")
      assert.strictEqual((yield* post(path, undefined, JSON.stringify({ amount: 1 }))).status, 200)
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("is taken as official clients send it, with parameters, in any case, or not at all", () =>
    Effect.gen(function* () {
      const { held, paid, post, recurring, shop } = yield* openPayments
      const create = JSON.stringify(order)
      const answers = [
        yield* post("/payments/payment", json, create),
        yield* post("/payments/payment", "Application/JSON; charset=utf-8", create),
        yield* post("/payments/payment", undefined, create),
        yield* post(`/payments/payment/${paid}/refund`, form, "amount=100"),
        yield* post(`/payments/payment/${paid}/refund`, `${form}; charset=UTF-8`, "amount=100"),
        yield* post(`/payments/payment/${paid}/refund`, json, JSON.stringify({ amount: 100 })),
        yield* post(`/payments/payment/${held}/capture`, json, JSON.stringify({ amount: 100 })),
        yield* post(`/payments/payment/${recurring}/void-recurrence`, undefined, ""),
        yield* shop.request("GET", `/payments/payment/${paid}`, { headers: { "content-type": form } }),
        yield* post("/accounts/account-statement", json, JSON.stringify(statement)),
        yield* send("POST", "/api/oauth2/token", {
          body: token,
          headers: { authorization: basic, "content-type": form }
        })
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200)
      )
      for (const type of [form, json, undefined]) {
        const { id } = yield* shop.create({ preauthorization: true })
        yield* LocalGateway.payByCard(id)
        assert.strictEqual((yield* post(`/payments/payment/${id}/capture`, type, "")).status, 200, type)
      }
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )
})
