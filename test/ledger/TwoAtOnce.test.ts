/**
 * What two operators or two processes do to the same money at the same moment: it moves once, and what one of them did not see is
 * reported.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createRecurrence, type Gateway, getPayment } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, reportedOf, request, withBooks } from "./OrderBooks.js"
import { charge, children, first, month, started, terms, typesOf, unanswered } from "./RecurrenceScene.js"
import { inWorld, paid, type World } from "./World.js"

const operator = { by: "Jana", note: "on the statement" }

/** Does something while the response to the next read of a payment is on its way. */
const duringRead = (
  { listed }: World,
  work: Effect.Effect<unknown, unknown, Gateway | LocalGateway>
): Effect.Effect<void, never, Gateway | LocalGateway> =>
  Effect.map(Effect.context<Gateway | LocalGateway>(), (services) => {
    listed.afterRead = Effect.suspend(() => {
      listed.afterRead = Effect.void
      return Effect.orDie(Effect.provideContext(work, services))
    })
  })

describe("two operators at once", () => {
  it.effect("adopt one payment: the shop is notified of it once", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const other = yield* withBooks(world)
        const id = yield* paid
        yield* duringRead(world, other.operator.adoptPayment("1", id))
        assert.deepInclude(yield* ledger.operator.adoptPayment("1", id), { status: "paid", paymentId: id })
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("adopt one charge: it is one payment, and the shop is notified of it once", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const other = yield* withBooks(world)
        const { id } = yield* Effect.orDie(createRecurrence(yield* first, charge))
        yield* duringRead(world, other.operator.adoptPayment(charge.order_number, id))
        assert.deepInclude(yield* ledger.operator.adoptPayment(charge.order_number, id), {
          status: "paid",
          paymentId: id
        })
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("adopt the payment of a stored card, and decide that it was not made: what is paid twice is reported", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const other = yield* withBooks(world)
        const withCard = { ...request, payer: { allowed_card_token: "a-stored-card" } }
        yield* Effect.orDie(LocalGateway.armFault(unanswered, { operation: "createPayment" }))
        yield* ledger.checkout("1", withCard)
        const [lost] = yield* Effect.orDie(LocalGateway.listPayments)
        yield* Effect.orDie(LocalGateway.payByCard(lost?.id ?? 0))
        const [item] = yield* ledger.operator.listAttention()
        const { key = "", version = 0 } = item ?? {}
        // The other one has looked at another order's number, and the customer pays again at once.
        yield* duringRead(
          world,
          Effect.gen(function* () {
            yield* other.operator.resolvePayment(key, { ...operator, version, as: "notDone" })
            yield* LocalGateway.payByCard(idOf(yield* other.checkout("1", withCard)))
          })
        )
        yield* ledger.operator.adoptPayment("1", lost?.id ?? 0)
        for (let minute = 0; minute < 10; minute++) {
          yield* world.pass("1 minute")
          yield* ledger.runOnce()
        }
        const payments = yield* Effect.orDie(LocalGateway.listPayments)
        assert.strictEqual((yield* ledger.getOrder("1"))?.status, "paid")
        assert.isAtMost(payments.length, 2)
        assert.deepStrictEqual(
          (yield* ledger.operator.listAttention()).map(({ kind }) => kind),
          payments.length === 2 ? ["PaidTwice"] : []
        )
      })
    )
  )

  it.effect("decide one item: the second one is told that it has moved", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, makeProcess, listed, pass } = world
        const other = yield* makeProcess()
        listed.fails = ({ method, pathname }) => (method === "POST" && pathname.endsWith("/refund") ? 503 : undefined)
        yield* ledger.refund("a", yield* paid, { amount: 500 }, { waitAtMost: 0 })
        yield* ledger.runOnce()
        listed.fails = () => undefined
        for (let hour = 0; hour < 26; hour++) {
          yield* pass("1 hour")
          yield* ledger.runOnce()
        }
        const [item] = yield* ledger.operator.listAttention()
        const seen = { ...operator, version: item?.version ?? 0 }
        const decided = yield* Effect.all(
          [
            Effect.result(ledger.operator.resolveChange("a", { ...seen, as: "notDone" })),
            Effect.result(other.operator.resolveChange("a", { ...seen, by: "Petr", as: "done" }))
          ],
          { concurrency: 2 }
        )
        assert.deepStrictEqual(decided.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})

describe("two processes at once", () => {
  it.effect("cancel the subscriptions of one first payment: its recurrence ends", () =>
    started(({ days, events, id, makeProcess, shop }) =>
      Effect.gen(function* () {
        yield* shop.createSubscription("other", terms)
        yield* shop.runOnce()
        const other = yield* makeProcess()
        yield* Effect.all([shop.cancelSubscription("sub"), other.cancelSubscription("other")], { concurrency: 2 })
        yield* Effect.all([shop.runOnce(), other.runOnce()], { concurrency: 2 })
        yield* days(2)
        assert.deepStrictEqual(typesOf(events).toSorted(), ["cancelled", "cancelled", "started"])
        assert.strictEqual((yield* Effect.orDie(getPayment(id))).recurrence?.recurrence_state, "STOPPED")
      })
    )
  )

  it.effect("charge a period, and its order number by a key of the shop's: the period is paid by that", () =>
    started(({ days, events, id, reported, shop }) =>
      Effect.gen(function* () {
        const { orderNumber } = yield* shop.chargePeriod("sub", "1970-02", month)
        const request = { amount: month.amount, currency: "CZK", order_number: orderNumber }
        assert.strictEqual((yield* shop.charge("by hand", id, request))._tag, "Done")
        yield* days(40)
        assert.lengthOf(yield* children, 1)
        assert.deepStrictEqual([typesOf(events), reported.map(({ kind }) => kind)], [["paid"], []])
      })
    )
  )
})
