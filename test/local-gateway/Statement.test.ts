import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { onDemand, openShop, paymentIn, refusalIn } from "./Shop.js"

const june = {
  date_from: "2023-06-01",
  date_to: "2023-06-30",
  goid: LocalGateway.merchant.goid,
  currency: "CZK",
  format: "CSV_A"
}

const path = "/accounts/account-statement"

const columns = "date,type,payment_id,parent_id,order_number,amount,currency\r\n"

describe("The account statement", () => {
  it.effect("lists what came and went within its days, and nothing that did not happen", () =>
    Effect.gen(function* () {
      // The evening of 31 May in London is 1 June in Prague.
      yield* TestClock.setTime(Date.parse("2023-05-31T21:59:59Z"))
      const shop = yield* openShop
      const tooEarly = yield* shop.create()
      yield* LocalGateway.payByCard(tooEarly.id)
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
      yield* LocalGateway.cancel(canceled.id)
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
        columns +
          `2023-06-01,PAYMENT,${first.id},,"a ""quoted"", number",100.00,CZK\r\n` +
          `2023-06-01,PAYMENT,${child.id},${first.id},order-2,25.00,CZK\r\n` +
          `2023-06-01,PAYMENT,${held.id},,order-1,40.05,CZK\r\n` +
          `2023-06-30,REFUND,${first.id},,"a ""quoted"", number",-0.01,CZK\r\n`
      )
      assert.strictEqual(headers["content-type"], "application/octet-stream")
      assert.strictEqual(
        headers["content-disposition"],
        `attachment; filename="statement_8123456781_CZK_2023-06-01_2023-06-30.csv"`
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is empty but for its columns where nothing happened, in each CSV format alike", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const format of ["CSV_A", "CSV_B", "CSV_C", "CSV_D", "CSV_E"]) {
        const { body } = yield* shop.postJson(path, { ...june, goid: String(june.goid), format })
        assert.strictEqual(body, columns)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("other formats are refused, and the answer says which there are", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const format of ["XLS_A", "ABO_B", "PDF_A"]) {
        const answer = yield* shop.postJson(path, { ...june, format })
        assert.strictEqual(refusalIn(answer), "409 G 116 INVALID_REQUEST")
        assert.include(
          answer.body,
          `"description":"${format} is not implemented by the local gateway; it has CSV_A, CSV_B, CSV_C, CSV_D, CSV_E."`
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
})
