import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { deleteCard, Gateway, getPayment, refundPayment, RetryPolicy } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { FakeTransport } from "../../src/testing/index.js"

const gateway = Gateway.layer(LocalGateway.merchant)

const id = 3_000_000_003

describe("The fake transport", () => {
  it.effect("answers what it is told, and shows what it was sent", () =>
    Effect.gen(function* () {
      const { result } = yield* refundPayment(id, { amount: 500 })
      const [request, ...others] = yield* FakeTransport.requests
      assert.strictEqual(result, "FINISHED")
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(
        [request?.method, request?.path, request?.query, request?.body],
        ["POST", `/payments/payment/${id}/refund`, "", "amount=500"]
      )
      assert.strictEqual(request?.headers["authorization"], "Bearer fake-token")
    }).pipe(Effect.provide(gateway), Effect.provide(FakeTransport.layer({ json: { id, result: "FINISHED" } })))
  )

  it.effect("gives its responses one after another, then the last one again", () =>
    Effect.gen(function* () {
      const reasons = yield* Effect.replicateEffect(Effect.flip(refundPayment(id, { amount: 1 })), 5)
      assert.deepStrictEqual(
        reasons.map(({ reason }) => reason._tag),
        ["OperationRefused", "GatewayUnavailable", "OutcomeUnknown", "OutcomeUnknown", "OutcomeUnknown"]
      )
      assert.strictEqual((yield* FakeTransport.requests).length, 5)
    }).pipe(
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provide(gateway),
      Effect.provide(
        FakeTransport.layer(
          { status: 409, json: { errors: [{ scope: "G", error_code: 303 }] } },
          { connection: "refused" },
          { connection: "lost" },
          { status: 502, text: "<html>" }
        )
      )
    )
  )

  it.effect("can answer without a body", () =>
    Effect.gen(function* () {
      yield* deleteCard(1)
      const failure = yield* Effect.flip(getPayment(id))
      assert.strictEqual(failure.reason._tag, "UnexpectedResponse")
    }).pipe(Effect.provide(gateway), Effect.provide(FakeTransport.layer({ status: 204, text: "" })))
  )

  it.effect("is a new one each time its layer is built", () =>
    Effect.gen(function* () {
      const layer = FakeTransport.layer({ status: 204, text: "" })
      const count = Effect.gen(function* () {
        yield* deleteCard(1)
        return (yield* FakeTransport.requests).length
      }).pipe(Effect.provide(gateway), Effect.provide(layer))
      assert.deepStrictEqual(yield* Effect.all([count, count]), [1, 1])
    })
  )
})
