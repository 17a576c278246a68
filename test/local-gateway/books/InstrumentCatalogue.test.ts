import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ResponseSchema from "../../../src/contract/ResponseSchema.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { openShop, refusalIn } from "../../support/GatewayRequests.js"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ResponseSchema.PaymentInstrumentsResponse))

const path = `/eshops/eshop/${LocalGateway.merchant.goid}/payment-instruments`

const groupCodes = ["card-payment", "bank-transfer", "wallet", "bnpl", "others"]

describe("Payment instruments", () => {
  it.effect("of one currency are a list, with the banks of that currency's country", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const czk = yield* shop.get(`${path}/CZK`)
      const { enabledPaymentInstruments, groups } = decode(czk.body)
      assert.deepStrictEqual(Object.keys(groups ?? {}), groupCodes)
      assert.deepStrictEqual(
        enabledPaymentInstruments.map(({ group }) => group),
        groupCodes
      )
      const banks = enabledPaymentInstruments.find(({ paymentInstrument }) => paymentInstrument === "BANK_ACCOUNT")
      assert.deepStrictEqual(
        banks?.enabledSwifts?.find(({ swift }) => swift === "GIBACZPX"),
        {
          swift: "GIBACZPX",
          label: { cs: "Česká spořitelna", en: "Česká spořitelna" },
          image: {
            normal: "https://gate.gopay.cz/images/checkout/GIBACZPX.png",
            large: "https://gate.gopay.cz/images/checkout/GIBACZPX@2x.png"
          },
          isOnline: true
        }
      )
      assert.include(
        czk.body,
        `"enabledPaymentInstruments":[{"paymentInstrument":"PAYMENT_CARD","label":{"cs":"Platební karta","en":"Payment card"},"image":{"normal":"https://gate.gopay.cz/images/checkout/payment_card.png","large":"https://gate.gopay.cz/images/checkout/payment_card@2x.png"},"group":"card-payment","enabledSwifts":null}`
      )
      const eur = decode((yield* shop.get(`${path}/EUR`)).body)
      const slovak = eur.enabledPaymentInstruments.flatMap(({ enabledSwifts = [] }) =>
        enabledSwifts.map(({ swift }) => swift)
      )
      assert.include(slovak, "TATRSKBX")
      assert.notInclude(slovak, "GIBACZPX")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("of a currency without banks are cards alone", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { enabledPaymentInstruments } = decode((yield* shop.get(`${path}/PLN`)).body)
      assert.deepStrictEqual(
        enabledPaymentInstruments.map(({ paymentInstrument }) => paymentInstrument),
        ["PAYMENT_CARD"]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("of all currencies are an object by code, and so are their banks", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { body } = yield* shop.get(path)
      assert.include(body, `"enabledPaymentInstruments":{"PAYMENT_CARD":{"label":`)
      assert.include(body, `"currencies":["CZK","EUR"],"group":"bank-transfer","enabledSwifts":{"GIBACZPX":{`)
      assert.include(body, `"currencies":{"CZK":{"isOnline":true}}`)
      assert.deepStrictEqual(
        decode(body).enabledPaymentInstruments.map(({ paymentInstrument }) => paymentInstrument),
        ["PAYMENT_CARD", "BANK_ACCOUNT", "GOPAY", "TWISTO", "PRSMS"]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("are those of the shop, whatever zeros its number begins with", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const rest of ["", "/CZK"]) {
        const { body, status } = yield* shop.get(
          `/eshops/eshop/000${LocalGateway.merchant.goid}/payment-instruments${rest}`
        )
        assert.strictEqual(status, 200, body)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("of another shop or an unknown currency are refused", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const rest of ["", "/CZK"]) {
        const answer = yield* shop.get(`/eshops/eshop/8999999999/payment-instruments${rest}`)
        assert.strictEqual(refusalIn(answer), "409 G 111 INVALID")
        assert.include(answer.body, `"description":"eshop with goId=8999999999 was not found"`)
      }
      for (const currency of ["czk", "XYZ", "toString"]) {
        assert.strictEqual(refusalIn(yield* shop.get(`${path}/${currency}`)), "409 currency 111 INVALID")
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
