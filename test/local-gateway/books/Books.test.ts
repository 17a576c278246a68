import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Engine } from "../../../src/local-gateway/server/Engine.js"
import { canceled } from "../../../src/local-gateway/books/Payment.js"
import { testCard } from "../../../src/local-gateway/books/TestCards.js"

const order = {
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "http://localhost/" },
  target: { goid: 1 },
  payer: { request_card_token: true }
} as const

const newBooks = Effect.gen(function* () {
  const engine = yield* Engine.start({ url: "http://localhost", settings: {} })
  return { books: engine.books, moment: yield* engine.eventContext("control") }
})

describe("The books", () => {
  it.effect("show a merchant its own payments, cards and movements only", () =>
    Effect.gen(function* () {
      const { books, moment } = yield* newBooks
      const created = books.createPayment(order, moment)
      const { id, storedCard } = books.payByCard(created, testCard("4444444444444448"), moment)
      const [payment, card] = [String(id), String(storedCard?.id)]
      assert.strictEqual(books.paymentOf(1, payment)?.state, "PAID")
      assert.strictEqual(books.cardOf(1, card)?.status, "ACTIVE")
      assert.strictEqual(books.movementsOf(1).length, 1)
      assert.isUndefined(books.paymentOf(2, payment))
      assert.isUndefined(books.cardOf(2, card))
      assert.deepStrictEqual(books.movementsOf(2), [])
      assert.isTrue(Result.isFailure(books.refund(2, payment, Result.succeed(1), moment)))
      assert.isTrue(Result.isFailure(books.deleteCard(2, card)))
      const presented = { ...order, payer: { allowed_card_token: storedCard?.token ?? "" }, target: { goid: 2 } }
      const other = books.createPayment(presented, moment)
      assert.isUndefined(books.payByCard(other, testCard("4188030000000003"), moment).storedCard)
    })
  )

  it.effect("hand out what was in them: a change makes a new entry", () =>
    Effect.gen(function* () {
      const { books, moment } = yield* newBooks
      const created = books.createPayment(order, moment)
      books.enter(canceled(created), moment)
      assert.strictEqual(created.state, "CREATED")
      assert.deepStrictEqual(
        books.allPayments().map(({ state }) => state),
        ["CANCELED"]
      )
    })
  )
})
