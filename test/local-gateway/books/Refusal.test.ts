import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import { TestClock } from "effect/testing"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import * as Endpoint from "../../../src/contract/Endpoint.js"
import { openShop, order, refusalIn, requestToken, send } from "../../support/GatewayRequests.js"

/** An order with as many more bytes. */
const orderWith = (length: number) => JSON.stringify({ ...order, filling: "x".repeat(length) })

describe("Refusals", () => {
  it.effect("an unknown payment is answered by each operation in its own way", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const id of ["100", "3000000003", "abc", "99999999999999999999"]) {
        const at = (rest: string) => `/payments/payment/${id}${rest}`
        assert.strictEqual(refusalIn(yield* shop.get(at(""))), "404 G 304 PAYMENT_NOT_FOUND")
        assert.strictEqual(refusalIn(yield* shop.get(at("/refunds"))), "404 G 304 PAYMENT_NOT_FOUND")
        assert.strictEqual(refusalIn(yield* shop.get(at("/qr-payment"))), "404 G 304 PAYMENT_NOT_FOUND")
        const unknownToRefund = id === "3000000003" ? "404 G 304 PAYMENT_NOT_FOUND" : "409 id 111 INVALID"
        assert.strictEqual(refusalIn(yield* shop.refund(id, 1)), unknownToRefund)
        assert.strictEqual(refusalIn(yield* shop.charge(id)), "409 G 340 PAYMENT_RECURRENCE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.voidRecurrence(id)), "409 G 340 PAYMENT_RECURRENCE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.capture(id)), "409 G 350 PAYMENT_CAPTURE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.capture(id, 1)), "409 G 350 PAYMENT_CAPTURE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.voidAuthorization(id)), "409 G 352 PAYMENT_AUTH_VOID_FAILED")
        assert.strictEqual(refusalIn(yield* shop.get(`/payments/cards/${id}`)), "404 G 304 PAYMENT_NOT_FOUND")
        assert.strictEqual(refusalIn(yield* shop.remove(`/payments/cards/${id}`)), "404 G 304 PAYMENT_NOT_FOUND")
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("what is not implemented says so", () =>
    Effect.gen(function* () {
      for (const [method, path] of [
        ["GET", "/api/payments/payment/1/eet-receipts"],
        ["POST", "/api/eet-receipts"],
        ["POST", "/api/supercash/coupon"],
        ["GET", "/api/batch/1"]
      ] as const) {
        const answer = yield* send(method, path)
        assert.strictEqual(refusalIn(answer), "409 G 116 INVALID_REQUEST")
        assert.include(answer.body, "is not implemented by the local gateway")
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the body is that of recorded responses, byte for byte", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2023-04-26T13:58:18.581Z"))
      const shop = yield* openShop
      const failed = yield* shop.voidRecurrence(100)
      assert.strictEqual(
        failed.body,
        `{"date_issued":"2023-04-26T15:58:18.581+0200","errors":[{"scope":"G","error_code":340,"error_name":"PAYMENT_RECURRENCE_FAILED","message":"Recurring payment failed"}]}`
      )
      assert.deepStrictEqual(
        [failed.headers["content-type"], failed.headers["cache-control"], failed.headers["x-content-type-options"]],
        ["application/json", "no-cache, no-store, must-revalidate", "nosniff"]
      )
      assert.strictEqual(
        (yield* shop.refund(100, 1)).body,
        `{"date_issued":"2023-04-26T15:58:18.581+0200","errors":[{"scope":"F","field":"id","error_code":111,"error_name":"INVALID","message":"Wrong value."}]}`
      )
      assert.strictEqual(
        (yield* shop.get("/payments/payment/100")).body,
        `{"date_issued":"2023-04-26T15:58:18.581+0200","errors":[{"scope":"G","error_code":304,"error_name":"PAYMENT_NOT_FOUND","message":"Payment not found."}]}`
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the date has the winter's offset in winter", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2023-12-31T23:30:00.007Z"))
      const { body } = yield* send("GET", "/api/payments/payment/100")
      assert.include(body, `{"date_issued":"2024-01-01T00:30:00.007+0100"`)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("messages are Czech for a client that asks for Czech, else English", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const message = (language: string) =>
        Effect.map(
          shop.request("GET", "/payments/payment/100", { headers: { "accept-language": language } }),
          ({ body }) => /"message":"([^"]*)"/.exec(body)?.[1]
        )
      assert.strictEqual(yield* message("cs-CZ"), "Platba nebyla nalezena.")
      assert.strictEqual(yield* message("cs"), "Platba nebyla nalezena.")
      assert.strictEqual(yield* message("en-US"), "Payment not found.")
      assert.strictEqual(yield* message("de, cs"), "Payment not found.")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a path that is not served is 404 with a body that says so, under any method", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const strange = [
        ["GET", "/api/payments"],
        ["GET", "/api"],
        ["PUT", "/api/payments/payment"],
        ["PROPFIND", "/api/payments/payment/100"],
        ["GET", `/api/payments/payment/${"1".repeat(500)}`],
        ["GET", "/api/payments/payment/%ZZ"],
        ["DELETE", "/api/payments/payment/100?a=%"]
      ] as const
      for (const [method, path] of strange) {
        const answer = yield* send(method, path)
        assert.strictEqual(refusalIn(answer), "404 G 116 INVALID_REQUEST", `${method} ${path}`)
        assert.include(answer.body, `There is no service ${method} `)
      }
      assert.strictEqual(refusalIn(yield* shop.post("/payments/payment/100/voidance")), "404 G 116 INVALID_REQUEST")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a failure of its own is 500 with code 100, without a word of what it was", () =>
    Effect.gen(function* () {
      const broken = Random.Random.of({
        nextDoubleUnsafe: () => {
          throw new Error("a secret")
        },
        nextIntUnsafe: () => 0
      })
      const answer = yield* requestToken().pipe(
        Effect.provideService(Random.Random, broken),
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.provide(Logger.layer([]))
      )
      assert.strictEqual(refusalIn(answer), "500 G 100 SYSTEM_ERROR")
      assert.notInclude(answer.body, "secret")
      assert.strictEqual((yield* requestToken()).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("every declared endpoint is served", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const { method, name, path } of Object.values(Endpoint)) {
        const { body } = yield* shop.request(method, path.replaceAll(/\{\w+\}/g, "100"))
        assert.notInclude(body, "There is no service", name)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("what is no JSON object is 116", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const body of ["", " ", "{", "[]", "null", "42", "amount=1", "\u0000", "[".repeat(100_000)]) {
        const answer = yield* shop.post("/payments/payment", { body })
        assert.strictEqual(refusalIn(answer), "409 G 116 INVALID_REQUEST", body.slice(0, 20))
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a body over one mebibyte is 413", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const answer = yield* shop.post("/payments/payment", { body: orderWith(1024 * 1024) })
      assert.strictEqual(refusalIn(answer), "413 G 116 INVALID_REQUEST")
      assert.strictEqual((yield* shop.post("/payments/payment", { body: orderWith(1024 * 1000) })).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("wrong fields of an order are named, missing ones with 110 and wrong ones with 111", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const refused = (changes: object) =>
        Effect.map(shop.postJson("/payments/payment", { ...order, ...changes }), refusalIn)
      const cases: ReadonlyArray<readonly [changes: object, refusal: string]> = [
        [{ amount: undefined }, "amount 110 REQUIRED"],
        [{ amount: null }, "amount 110 REQUIRED"],
        [{ amount: -1 }, "amount 111 INVALID"],
        [{ amount: 0 }, "amount 111 INVALID"],
        [{ amount: 0, preauthorization: false }, "amount 111 INVALID"],
        [{ amount: -1.5 }, "amount 111 INVALID"],
        [{ amount: "1.5" }, "amount 111 INVALID"],
        [{ amount: "" }, "amount 111 INVALID"],
        [{ amount: 2 ** 53 }, "amount 111 INVALID"],
        [{ currency: "XYZ" }, "currency 111 INVALID"],
        [{ currency: undefined }, "currency 110 REQUIRED"],
        [{ order_number: "x".repeat(129) }, "order_number 111 INVALID"],
        [{ order_number: "" }, "order_number 110 REQUIRED"],
        [{ order_description: "x".repeat(257) }, "order_description 111 INVALID"],
        [{ callback: undefined }, "callback 110 REQUIRED"],
        [{ callback: {} }, "return_url 110 REQUIRED"],
        [{ callback: { return_url: "shop.example" } }, "return_url 111 INVALID"],
        [{ target: undefined }, "target 110 REQUIRED"],
        [{ target: { type: "ACCOUNT" } }, "goid 110 REQUIRED"],
        [{ target: { type: "ACCOUNT", goid: "x" } }, "goid 111 INVALID"],
        [{ target: { type: "COUPON", goid: 8123456781 } }, "type 111 INVALID"],
        [{ payer: ["x"] }, "payer 111 INVALID"],
        [{ payer: { contact: { email: "x".repeat(129) } } }, "email 111 INVALID"],
        [{ payer: { verify_pin: "12" } }, "verify_pin 111 INVALID"],
        [{ items: [{ name: "a", amount: 1 }, { amount: "a" }] }, "amount 111 INVALID"],
        [{ preauthorization: "perhaps" }, "preauthorization 111 INVALID"],
        [
          { recurrence: { recurrence_cycle: "YEAR", recurrence_date_to: "2099-12-31" } },
          "recurrence_cycle 111 INVALID"
        ],
        [{ recurrence: { recurrence_cycle: 4, recurrence_date_to: "2099-12-31" } }, "recurrence_cycle 111 INVALID"],
        [
          { recurrence: { recurrence_cycle: "WEEK", recurrence_date_to: "2099-12-31" } },
          "recurrence_period 110 REQUIRED"
        ],
        [
          { recurrence: { recurrence_cycle: 1, recurrence_period: 0, recurrence_date_to: "2099-12-31" } },
          "recurrence_period 111 INVALID"
        ],
        [{ recurrence: { recurrence_cycle: "ON_DEMAND" } }, "recurrence_date_to 110 REQUIRED"],
        [
          { recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2023-02-30" } },
          "recurrence_date_to 111 INVALID"
        ],
        [
          { recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "1970-01-01" } },
          "recurrence_date_to 111 INVALID"
        ],
        [{ target: { type: "ACCOUNT", goid: 8999999999 } }, "G 111 INVALID"]
      ]
      for (const [changes, refusal] of cases) {
        assert.strictEqual(yield* refused(changes), `409 ${refusal}`, JSON.stringify(changes))
      }
      assert.deepStrictEqual(yield* LocalGateway.listPayments, [])
      assert.strictEqual(
        yield* refused({ amount: "x", currency: undefined }),
        "409 amount 111 INVALID, currency 110 REQUIRED"
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the description leads to the field, or tells which shop was not found", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const nested = yield* shop.postJson("/payments/payment", { ...order, items: [{}, { amount: "x" }] })
      assert.include(nested.body, `"description":"items[1].amount must be an integer"`)
      const foreign = yield* shop.postJson("/payments/payment", { ...order, target: { goid: 1 } })
      assert.include(foreign.body, `"message":"Wrong value.","description":"eshop with goId=1 was not found"`)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
