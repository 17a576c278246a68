/**
 * What a ledger gives and fails with, across an `HttpApi`, an RPC or a workflow.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import Database from "libsql"
import * as Main from "../../src/ledger/index.js"
import * as PromiseEntry from "../../src/ledger/promise/index.js"
import { TestShop } from "../../src/testing/index.js"

const crossed = <S extends Schema.Codec<unknown, unknown>>(schema: S, value: S["Type"]) => {
  const Json = Schema.fromJsonString(Schema.toCodecJson(schema))
  return Effect.flatMap(Schema.encodeEffect(Json)(value), Schema.decodeUnknownEffect(Json))
}

const purchase = { amount: 50_000, currency: "CZK" }

describe("what a ledger gives", () => {
  it.effect("comes back as it was", () =>
    Effect.gen(function* () {
      const { callback, ledger, pay } = yield* TestShop
      const open = yield* ledger.checkout("1", { ...purchase, callback })
      assert(open.status === "open")
      assert.deepStrictEqual(yield* crossed(Main.Order, open), open)
      const changed = yield* ledger.checkout("1", { ...purchase, amount: 60_000, callback })
      assert.strictEqual(changed.status, "changed")
      assert.deepStrictEqual(yield* crossed(Main.Order, changed), changed)
      yield* pay(open.paymentId)
      const paid = (yield* ledger.getOrder("1")) ?? assert.fail("no order")
      assert.strictEqual(paid.status, "paid")
      assert.deepStrictEqual(yield* crossed(Main.Order, paid), paid)
    }).pipe(Effect.provide(TestShop.layer({ driver: Database })))
  )

  const decidedAt = "2026-11-29T00:00:00.000Z"
  const outcome = { key: "a", paymentId: 1, message: "m" }
  it.effect.each<Main.ChangeOutcome>([
    { _tag: "Done", ...outcome, how: "answered", refundId: 2, decidedAt },
    { _tag: "Done", ...outcome, how: "found", chargeId: 2, decidedAt },
    { _tag: "Refused", ...outcome, how: "operator", code: 332, decidedAt },
    { _tag: "Refused", ...outcome, how: "found", subState: "_101", chargeId: 2, decidedAt },
    { _tag: "Failed", ...outcome, refundId: 2, decidedAt },
    { _tag: "Pending", ...outcome, status: "queued" },
    { _tag: "InDoubt", ...outcome, needsOperator: true, version: 3 }
  ])("comes back as it was: $_tag", (given) =>
    Effect.map(crossed(Main.ChangeOutcome, given), (back) => assert.deepStrictEqual(back, given))
  )

  it("has the types of the ledger", () => {
    expectTypeOf<typeof Main.Order.Type>().toEqualTypeOf<PromiseEntry.Order>()
    expectTypeOf<typeof Main.ChangeOutcome.Type>().toEqualTypeOf<PromiseEntry.ChangeOutcome>()
    expectTypeOf<typeof Main.LedgerErrorSchema.Type>().toEqualTypeOf<Main.LedgerError>()
  })
})

describe("the error of a ledger", () => {
  it.effect("can be yielded, and is caught by its reason", () =>
    Effect.gen(function* () {
      const { ledger } = yield* TestShop
      const error = yield* Effect.flip(ledger.refund("", 1, { amount: 1 }))
      assert.instanceOf(error, Main.LedgerError)
      const again = yield* Effect.flip(
        Effect.gen(function* () {
          return yield* error
        })
      )
      assert.strictEqual(again, error)
      const caught = yield* Effect.catchReason(error, "LedgerError", "InvalidArgument", ({ message }) =>
        Effect.succeed(message)
      )
      assert.strictEqual(caught, error.message)
    }).pipe(Effect.provide(TestShop.layer({ driver: Database })))
  )

  it.effect.each([
    { _tag: "KeyReused", key: "a", message: "m" },
    { _tag: "LedgerUnavailable", message: "m" },
    { _tag: "InvalidArgument", message: "m" },
    { _tag: "NotResolved", key: "a", message: "m" }
  ] as const)("with the reason $_tag comes back as an error", (reason) =>
    Effect.gen(function* () {
      const error = yield* crossed(Main.LedgerErrorSchema, new Main.LedgerError({ reason, cause: "not this" }))
      assert.instanceOf(error, Main.LedgerError)
      assert.deepStrictEqual(error.reason, reason)
      assert.strictEqual(error.message, "m")
      assert.isUndefined(error.cause)
    })
  )

  it("is answered by an HttpApi with the status of its reason, and whatever its reason with one that no client repeats", () => {
    const statusOf = (error: Schema.Top) =>
      Object.keys(
        OpenApi.fromApi(
          HttpApi.make("shop").add(
            HttpApiGroup.make("orders").add(HttpApiEndpoint.get("read", "/", { success: Schema.Void, error }))
          )
        ).paths["/"]?.get?.responses ?? {}
      ).find((status) => !status.startsWith("2"))
    assert.deepStrictEqual(
      [Main.LedgerErrorSchema, Main.KeyReused, Main.InvalidArgument, Main.NotResolved, Main.LedgerUnavailable].map(
        statusOf
      ),
      ["424", "422", "422", "409", "503"]
    )
  })

  it("is known by the promise entry, and the other way round", () => {
    const reason = { _tag: "LedgerUnavailable", message: "m" } as const
    assert.instanceOf(new Main.LedgerError({ reason }), PromiseEntry.LedgerError)
    assert.instanceOf(new PromiseEntry.LedgerError({ reason }), Main.LedgerError)
    assert.deepStrictEqual(new Main.LedgerError({ reason }).toJSON(), new PromiseEntry.LedgerError({ reason }).toJSON())
    assert.strictEqual(new Main.LedgerError({ reason, cause: "c" }).cause, "c")
  })
})

it("an HttpApi documents outcomes, orders and errors by name", () => {
  const shop = HttpApi.make("shop").add(
    HttpApiGroup.make("orders").add(
      HttpApiEndpoint.post("refund", "/refund", { success: Main.ChangeOutcome, error: Main.LedgerErrorSchema }),
      HttpApiEndpoint.get("order", "/order", { success: Main.Order, error: Main.LedgerErrorSchema })
    )
  )
  const { components } = OpenApi.fromApi(shop)
  assert.containsAllKeys(components.schemas, [
    "Done",
    "InDoubt",
    "PaidOrder",
    "ChangedOrder",
    "LedgerError",
    "KeyReused"
  ])
})
