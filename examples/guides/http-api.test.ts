import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { type ChangeRecord, getPaymentRefunds } from "effect-gopay"
import { Ledger } from "effect-gopay/ledger"
import { LocalGateway } from "effect-gopay/local-gateway"
import { TestShop } from "effect-gopay/testing"
import { HttpServer } from "effect/http"
import { HttpApiTest, OpenApi } from "effect/http-api"
import Database from "libsql"
import { PaymentsLive, RecordUnknown, Shop, UnknownChanges } from "./http-api-effect.js"

const LedgerTest = Layer.effect(
  Ledger,
  Effect.map(TestShop, ({ ledger }) => ledger)
)

const ShopTest = Layer.mergeAll(PaymentsLive.pipe(Layer.provide(LedgerTest)), HttpServer.layerServices).pipe(
  Layer.provideMerge(TestShop.layer({ driver: Database, onAttention: () => Effect.void }))
)

/** A payment that can be refunded. */
const paidYesterday = Effect.gen(function* () {
  const shop = yield* TestShop
  const order = yield* shop.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback: shop.callback })
  if (order.status !== "open") return assert.fail(`The order is ${order.status}.`)
  yield* shop.pay(order.paymentId)
  yield* shop.advance("1 day")
  return order.paymentId
})

it.effect("tells a payment that there is not by its type", () =>
  Effect.gen(function* () {
    const { read } = yield* HttpApiTest.groups(Shop, ["payments"]).pipe(Effect.map(({ payments }) => payments))
    const id = yield* paidYesterday
    assert.strictEqual((yield* read({ params: { id } })).state, "PAID")
    const reason = yield* Effect.flip(read({ params: { id: 3_000_000_000_013 } }))
    assert.strictEqual(reason._tag, "PaymentNotFound")
  }).pipe(Effect.provide(ShopTest))
)

it.effect("fails with the record of a refund whose response is lost, and sends one", () =>
  Effect.gen(function* () {
    const { payments } = yield* HttpApiTest.groups(Shop, ["payments"])
    const id = yield* paidYesterday
    yield* LocalGateway.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
    const reason = yield* Effect.flip(payments.refund({ params: { id }, payload: { amount: 20_000 } }))
    if (reason._tag !== "OutcomeUnknown") return assert.fail(reason._tag)
    yield* (yield* TestShop).advance("1 hour")
    assert.deepInclude(reason.change, { operation: "refundPayment", paymentId: id, amount: 20_000 })
    assert.lengthOf(yield* getPaymentRefunds(id), 1)
  }).pipe(Effect.provide(ShopTest))
)

it.effect("makes a refund of a ledger once, though its response is lost and it is asked for again", () =>
  Effect.gen(function* () {
    const shop = yield* TestShop
    const { payments } = yield* HttpApiTest.groups(Shop, ["payments"])
    const id = yield* paidYesterday
    const refund = payments.refundOnce({ params: { id, key: "complaint-1" }, payload: { amount: 20_000 } })
    yield* shop.loseNextResponse
    const first = yield* Effect.forkChild(refund)
    yield* shop.advance("1 hour")
    assert.strictEqual((yield* Fiber.join(first))._tag, "InDoubt")
    assert.strictEqual((yield* refund)._tag, "Done")
    const other = payments.refundOnce({ params: { id, key: "complaint-1" }, payload: { amount: 10_000 } })
    assert.strictEqual((yield* Effect.flip(other))._tag, "KeyReused")
    assert.lengthOf(yield* getPaymentRefunds(id), 1)
  }).pipe(Effect.provide(ShopTest))
)

it.effect("keeps the record of a refund whose caller hangs up after it was sent", () => {
  const changes: Array<ChangeRecord> = []
  const add = (change: ChangeRecord) => Effect.sync(() => void changes.push(change))
  return Effect.gen(function* () {
    const { advance } = yield* TestShop
    const { payments } = yield* HttpApiTest.groups(Shop, ["payments"])
    const id = yield* paidYesterday
    yield* LocalGateway.armFault({ type: "latency", milliseconds: 5_000 }, { operation: "refundPayment" })
    const caller = yield* Effect.forkChild(payments.refund({ params: { id }, payload: { amount: 20_000 } }))
    yield* advance("1 second")
    yield* Fiber.interrupt(caller)
    assert.deepInclude(changes[0], { operation: "refundPayment", paymentId: id, amount: 20_000 })
    assert.lengthOf(yield* getPaymentRefunds(id), 1)
  }).pipe(
    Effect.provide(Layer.merge(ShopTest, RecordUnknown.pipe(Layer.provide(Layer.succeed(UnknownChanges, { add })))))
  )
})

it("describes the members of a payment, and each status of a refund", () => {
  const { components, paths } = OpenApi.fromApi(Shop)
  assert.include(JSON.stringify(components.schemas["PaymentState"]), `"enum":["CREATED"`)
  assert.deepNestedInclude(components.schemas["Payment"], { "properties.id.description": "Id of the payment." })
  assert.hasAllKeys(paths["/payments/{id}/refund"]?.post?.responses, ["200", "404", "409", "422", "424", "502", "503"])
})
