import { assert, describe, it } from "@effect/vitest"
import { decode as decodePayBySquare, validateDataModel } from "bysquare/pay"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ResponseSchema from "../../../src/contract/ResponseSchema.js"
import { newPayment } from "../../../src/local-gateway/books/Payment.js"
import { qrPaymentResponse } from "../../../src/local-gateway/documents/QrPayment.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { readPng, readSvg } from "../../support/QrReader.js"
import { openShop, refusalIn } from "../../support/GatewayRequests.js"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ResponseSchema.PaymentQrResponse))

const accounts = {
  CZK: { iban: "CZ9300000000001000000005", bic: "TESTCZP0" },
  EUR: { iban: "SK9100000000001000000005", bic: "TESTSKB0" }
}

/** The id of a shop's first payment. */
const firstId = "3000000003"

/** Reads a PAY by square, and checks it as its library does. Members that are absent are left out. */
const payBySquareIn = (texts: ReadonlyMap<string, string>): unknown =>
  JSON.parse(JSON.stringify(validateDataModel(decodePayBySquare(texts.get("paybysquare") ?? ""))))

const payBySquareOf = (amount: number) => ({
  payments: [
    {
      type: 1,
      amount,
      currencyCode: "EUR",
      variableSymbol: firstId,
      paymentNote: "TEST",
      bankAccounts: [accounts.EUR],
      beneficiary: { name: "TEST" }
    }
  ]
})

const epcOf = (amount: string): string =>
  ["BCD", "002", "1", "SCT", "TESTSKB0", "TEST", accounts.EUR.iban, `EUR${amount}`, "", "", `TEST ${firstId}`].join(
    "\n"
  )

/** The QR codes of a new payment, read: the first one of its shop. */
const qrCodesOf = (order: object, format: "png" | "svg") =>
  Effect.gen(function* () {
    const shop = yield* openShop
    const { id } = yield* shop.create(order)
    assert.strictEqual(String(id), firstId)
    const { body } = yield* shop.get(`/payments/payment/${id}/qr-payment?format=${format}`)
    const answer = decode(body)
    const texts = Object.entries(answer.qr_code).map(([name, picture]) => {
      const bytes = Buffer.from(picture, "base64")
      return [name, format === "png" ? readPng(bytes) : readSvg(bytes.toString())] as const
    })
    return { body, answer, texts: new Map(texts) }
  })

describe("QR payments", () => {
  it("the accounts' check digits are right, no bank has their code, and their BICs are for tests", () => {
    for (const { bic, iban } of Object.values(accounts)) {
      const moved = `${iban.slice(4)}${iban.slice(0, 4)}`
      const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
      assert.strictEqual(BigInt(digits) % 97n, 1n)
      assert.strictEqual(iban.slice(4, 8), "0000")
      const weights = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1]
      const weighed = weights.map((weight, index) => weight * Number(iban[14 + index]))
      assert.strictEqual(weighed.reduce((sum, value) => sum + value) % 11, 0)
      assert.match(bic, /^[A-Z]{4}(CZ|SK).0$/)
    }
  })

  it.effect("a payment in CZK has a picture of its SPAYD", () =>
    Effect.gen(function* () {
      const { answer, body, texts } = yield* qrCodesOf({ amount: 139_950 }, "png")
      assert.include(
        body,
        `{"amount":139950,"currency":"CZK","recipient":{"name":"TEST","bank_account":{"local":{"prefix":"000000",` +
          `"account_number":"1000000005","bank_code":"0000","variable_symbol":"${firstId}"},"international":{` +
          `"bic":"TESTCZP0","iban":"${accounts.CZK.iban}","reference":"${firstId}"}}},"qr_code":{"spayd":"`
      )
      assert.deepStrictEqual(Object.keys(answer.qr_code), ["spayd"])
      assert.strictEqual(
        texts.get("spayd"),
        `SPD*1.0*ACC:${accounts.CZK.iban}*AM:1399.50*CC:CZK*X-VS:${firstId}*MSG:TEST`
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("one in EUR has pictures for Slovakia and for SEPA", () =>
    Effect.gen(function* () {
      const { answer, body, texts } = yield* qrCodesOf({ amount: 139_950, currency: "EUR" }, "png")
      assert.include(
        body,
        `{"amount":139950,"currency":"EUR","recipient":{"name":"TEST","bank_account":{"local":{"prefix":"000000",` +
          `"account_number":"1000000005","bank_code":"0000","variable_symbol":"${firstId}"},"international":{` +
          `"bic":"TESTSKB0","iban":"${accounts.EUR.iban}","reference":"${firstId}"}}},"qr_code":{"paybysquare":"`
      )
      assert.deepStrictEqual(Object.keys(answer.qr_code), ["paybysquare", "sepa"])
      assert.deepStrictEqual(payBySquareIn(texts), payBySquareOf(1399.5))
      assert.strictEqual(texts.get("sepa"), epcOf("1399.50"))
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the same as SVG", () =>
    Effect.gen(function* () {
      const { answer, texts } = yield* qrCodesOf({ amount: 1, currency: "EUR" }, "svg")
      assert.match(
        Buffer.from(answer.qr_code.sepa ?? "", "base64").toString(),
        /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]*><rect[^>]*fill="white".*<path[^>]*fill="black".*<\/svg>$/
      )
      assert.deepStrictEqual(payBySquareIn(texts), payBySquareOf(0.01))
      assert.strictEqual(texts.get("sepa"), epcOf("0.01"))
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the greatest sums that the codes have room for", () =>
    Effect.gen(function* () {
      const crowns = yield* Effect.provide(qrCodesOf({ amount: 999_999_999 }, "svg"), LocalGateway.layer)
      assert.include(crowns.texts.get("spayd"), "*AM:9999999.99*")
      const order = { amount: 99_999_999_999, currency: "EUR" }
      const euros = yield* Effect.provide(qrCodesOf(order, "png"), LocalGateway.layer)
      assert.deepStrictEqual(payBySquareIn(euros.texts), payBySquareOf(999_999_999.99))
      assert.strictEqual(euros.texts.get("sepa"), epcOf("999999999.99"))
    })
  )

  it.effect("other currencies are not implemented, and the response says which are", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const currency of ["HUF", "PLN", "USD"]) {
        const { id } = yield* shop.create({ currency })
        const answer = yield* shop.get(`/payments/payment/${id}/qr-payment`)
        assert.strictEqual(refusalIn(answer), "409 G 302 PAYMENT_NOT_PERFORMED")
        assert.include(
          answer.body,
          `"description":"QR codes in ${currency} are not implemented by the local gateway; it has CZK, EUR."`
        )
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("sums that the codes have no room for are refused, and so is nothing", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const free = { amount: 0, preauthorization: true }
      const refused = [
        [{ amount: 1_000_000_000 }, "CZK is for 0.01 to 9999999.99."],
        [free, "CZK is for 0.01 to 9999999.99."],
        [{ amount: 100_000_000_000, currency: "EUR" }, "EUR is for 0.01 to 999999999.99."],
        [{ ...free, currency: "EUR" }, "EUR is for 0.01 to 999999999.99."]
      ] as const
      for (const [order, description] of refused) {
        const { id } = yield* shop.create(order)
        const answer = yield* shop.get(`/payments/payment/${id}/qr-payment`)
        assert.strictEqual(refusalIn(answer), "409 G 302 PAYMENT_NOT_PERFORMED")
        assert.include(answer.body, `"description":"A QR code in ${description}"`)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it("a payment's id that is too long to be a variable symbol is refused", () => {
    const order = {
      amount: 100,
      currency: "EUR",
      order_number: "order-1",
      target: { goid: LocalGateway.merchant.goid },
      callback: { return_url: "http://localhost/return" }
    } as const
    assert.isTrue(Result.isSuccess(qrPaymentResponse(newPayment(9_999_999_999, order, "", 0), "png")))
    const [fault] = Result.getOrThrow(
      Result.flip(qrPaymentResponse(newPayment(10_000_000_000, order, "", 0), "png"))
    ).errors
    assert.deepStrictEqual(fault, {
      code: 302,
      description: "A QR code has room for ten digits of the payment's id."
    })
  })

  it.effect("is refused in other formats, and once it is paid", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const refused = (id: number, query = "") =>
        Effect.map(shop.get(`/payments/payment/${id}/qr-payment${query}`), refusalIn)
      const { id } = yield* shop.create()
      assert.strictEqual(yield* refused(id, "?format=gif"), "409 format 111 INVALID")
      yield* LocalGateway.payByBankTransfer(id)
      assert.strictEqual(yield* refused(id), "409 G 303 PAYMENT_WRONG_STATE")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
