import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Result from "effect/Result"
import type { Movement } from "../../../src/local-gateway/books/Books.js"
import type { StatementOrder } from "../../../src/local-gateway/books/RequestDecoder.js"
import { newPayment } from "../../../src/local-gateway/books/Payment.js"
import type { RequestError } from "../../../src/local-gateway/books/Refusal.js"
import { defaultSettings } from "../../../src/local-gateway/books/DefaultSettings.js"
import type { SettingsChange } from "../../../src/local-gateway/books/LocalGatewaySettings.js"
import { accountStatement } from "../../../src/local-gateway/documents/StatementFile.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { onDemand, openShop, paymentIn, refusalIn } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const june: StatementOrder = {
  date_from: "2023-06-01",
  date_to: "2023-06-30",
  goid: LocalGateway.merchant.goid,
  currency: "CZK",
  format: "CSV_A"
}

const path = "/accounts/account-statement"

const guess = (format: string): string => `A guess of the local gateway: the columns of ${format} are not known\r\n`

const columns = "date,type,payment_id,parent_id,order_number,amount,balance,currency\r\n"

const opening = (balance: string): string => `2023-06-01,OPENING_BALANCE,,,,,${balance},CZK\r\n`
const closing = (balance: string): string => `2023-06-30,CLOSING_BALANCE,,,,,${balance},CZK\r\n`

/** A movement of money, in the middle of June. */
const movement = (order_number: string, amount = 100): Movement => ({
  at: Date.parse("2023-06-15T12:00:00Z"),
  type: amount < 0 ? "REFUND" : "PAYMENT",
  amount,
  payment: newPayment(
    3_000_000_003,
    {
      amount: Math.abs(amount),
      currency: "CZK",
      order_number,
      target: { goid: june.goid },
      callback: { return_url: "http://localhost/return" }
    },
    "",
    0
  )
})

/** Half a year later. */
const now = Date.parse("2023-12-31T12:00:00Z")

const fileOf = (
  movements: ReadonlyArray<Movement>,
  changes: Partial<StatementOrder> = {},
  settings: SettingsChange = {}
) => Result.getOrThrow(accountStatement(movements, { ...june, ...changes }, { ...defaultSettings, ...settings }, now))

describe("The account statement", () => {
  it.effect("lists what came and went within its days, and what that comes to", () =>
    Effect.gen(function* () {
      // The evening of 31 May in London is 1 June in Prague.
      yield* TestClock.setTime(Date.parse("2023-05-31T21:59:59Z"))
      const shop = yield* openShop
      const tooEarly = yield* shop.create()
      yield* LocalGateway.payByCard(tooEarly.id)
      yield* shop.refund(tooEarly.id, 3)
      yield* TestClock.adjust("1 second")
      const first = yield* shop.create({ ...onDemand, order_number: `a "quoted", number` })
      yield* LocalGateway.payByCard(first.id)
      const child = paymentIn(yield* shop.charge(first.id))
      const held = yield* shop.create({ preauthorization: true })
      yield* LocalGateway.payByCard(held.id)
      yield* shop.capture(held.id, 4_005)
      const voided = yield* shop.create({ preauthorization: true })
      yield* LocalGateway.payByCard(voided.id)
      yield* shop.voidAuthorization(voided.id)
      const canceled = yield* shop.create()
      yield* LocalGateway.cancelPayment(canceled.id)
      const euros = yield* shop.create({ currency: "EUR" })
      yield* LocalGateway.payByCard(euros.id)
      const verification = yield* shop.create({ amount: 0, ...onDemand })
      yield* LocalGateway.payByCard(verification.id)
      yield* TestClock.setTime(Date.parse("2023-06-30T21:59:59Z"))
      const later = yield* openShop
      yield* later.refund(first.id, 1)
      yield* TestClock.adjust("1 second")
      yield* later.refund(first.id, 2)

      const { body, headers, status } = yield* later.postJson(path, june)
      assert.strictEqual(status, 200)
      assert.strictEqual(
        body,
        guess("CSV_A") +
          columns +
          opening("99.97") +
          `2023-06-01,PAYMENT,${first.id},,"a ""quoted"", number",100.00,199.97,CZK\r\n` +
          `2023-06-01,PAYMENT,${child.id},${first.id},order-2,25.00,224.97,CZK\r\n` +
          `2023-06-01,PAYMENT,${held.id},,order-1,40.05,265.02,CZK\r\n` +
          `2023-06-30,REFUND,${first.id},,"a ""quoted"", number",-0.01,265.01,CZK\r\n` +
          closing("265.01")
      )
      assert.strictEqual(headers["content-type"], "application/octet-stream")
      assert.strictEqual(
        headers["content-disposition"],
        `attachment; filename="statement_8123456781_CZK_2023-06-01_2023-06-30.csv"`
      )

      const july = yield* later.postJson(path, { ...june, date_from: "2023-07-01", date_to: "2023-07-31" })
      assert.strictEqual(
        july.body,
        guess("CSV_A") +
          columns +
          "2023-07-01,OPENING_BALANCE,,,,,265.01,CZK\r\n" +
          `2023-07-01,REFUND,${first.id},,"a ""quoted"", number",-0.02,264.99,CZK\r\n` +
          "2023-07-31,CLOSING_BALANCE,,,,,264.99,CZK\r\n"
      )
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("has balances alone where nothing happened, in each CSV format whose columns are not known", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const format of ["CSV_A", "CSV_C", "CSV_D", "CSV_E"]) {
        const { body } = yield* shop.postJson(path, { ...june, goid: String(june.goid), format })
        assert.strictEqual(body, guess(format) + columns + opening("0.00") + closing("0.00"))
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it("a spreadsheet takes no order number for a formula, and negative amounts stay numbers", () => {
    for (const order_number of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"]) {
      const csv = new TextDecoder().decode(fileOf([movement(order_number, -1)]).bytes)
      assert.include(csv, `REFUND,3000000003,,'${order_number},-0.01,-0.01,CZK\r\n`)
    }
    assert.include(new TextDecoder().decode(fileOf([movement("\r=1")]).bytes), `,"'\r=1",`)
    assert.include(new TextDecoder().decode(fileOf([movement("1=1")]).bytes), ",1=1,")
  })

  it("CSV is windows-1250 unless UTF-8 is asked for, where a question mark stands for what that has not", () => {
    const movements = [movement("příliš žluťoučký Đ € 日")]
    const utf8 = fileOf(movements, {}, { statementEncoding: "utf-8" }).bytes
    assert.include(new TextDecoder("utf-8", { fatal: true }).decode(utf8), ",příliš žluťoučký Đ € 日,")
    const windows1250 = fileOf(movements).bytes
    assert.include(new TextDecoder("windows-1250").decode(windows1250), ",příliš žluťoučký Đ € ?,")
  })

  it("has the documented content type, or its own when that is asked for", () => {
    assert.strictEqual(fileOf([]).contentType, "application/octet-stream")
    assert.strictEqual(
      fileOf([], {}, { statementContentType: "ofFormat" }).contentType,
      "text/csv; charset=windows-1250"
    )
    assert.strictEqual(
      fileOf([], {}, { statementContentType: "ofFormat", statementEncoding: "utf-8" }).contentType,
      "text/csv; charset=utf-8"
    )
  })

  it.effect("other formats are refused, and the response says which there are", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const format of ["PDF_A", "XLS_A", "XLS_B", "XLS_C", "ABO_A", "ABO_B"]) {
        const answer = yield* shop.postJson(path, { ...june, format })
        assert.strictEqual(refusalIn(answer), "409 G 116 INVALID_REQUEST")
        assert.include(
          answer.body,
          `"description":"${format} is not implemented by the local gateway; ` +
            `it has CSV_A, CSV_B, CSV_C, CSV_D, CSV_E."`
        )
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("wrong orders name their fields", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const refused = (changes: object) => Effect.map(shop.postJson(path, { ...june, ...changes }), refusalIn)
      assert.strictEqual(yield* refused({ date_from: undefined }), "409 date_from 110 REQUIRED")
      assert.strictEqual(yield* refused({ date_to: "30.6.2023" }), "409 date_to 111 INVALID")
      assert.strictEqual(yield* refused({ date_to: "2023-05-31" }), "409 date_to 111 INVALID")
      assert.strictEqual(yield* refused({ currency: "x" }), "409 currency 111 INVALID")
      assert.strictEqual(yield* refused({ format: "CSV_Z" }), "409 format 111 INVALID")
      assert.strictEqual(yield* refused({ goid: 8999999999 }), "409 G 111 INVALID")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it("sums that are no longer exact are refused", () => {
    const refused = accountStatement(
      [Number.MAX_SAFE_INTEGER, 1, -1].map((amount) => movement("1", amount)),
      june,
      defaultSettings,
      now
    )
    const error: RequestError = {
      code: 116,
      description: "CSV_A has room for amounts and balances up to 90071992547409.91."
    }
    assert.deepStrictEqual(refused.pipe(Result.flip, Result.getOrThrow).errors, [error])
  })
})
