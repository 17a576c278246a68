import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import {
  type ChangeRecord,
  deleteCard,
  Gateway,
  getPayment,
  OnUnknownOutcome,
  refundPayment,
  RetryPolicy
} from "../../src/index.js"
import * as V4 from "../../src/client/v4/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { FakeTransport } from "../../src/testing/index.js"
import { paymentId } from "../support/GatewayV4.js"

const gateway = Gateway.layer(LocalGateway.merchant)

const id = 3_000_000_003
const refundId = V4.refundIdV4("4000000004")

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

  it.effect("answers by the request", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* refundPayment(id, { amount: 500 })).result, "FINISHED")
      const { reason } = yield* Effect.flip(getPayment(id))
      assert.strictEqual(reason._tag, "GatewayUnavailable")
    }).pipe(
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provide(gateway),
      Effect.provide(
        FakeTransport.layer(({ path }) =>
          path.endsWith("/refund") ? { json: { id, result: "FINISHED" } } : { text: "", status: 503 }
        )
      )
    )
  )

  it.effect("answers after a while, by the program's clock", () =>
    Effect.gen(function* () {
      const refund = yield* Effect.forkChild(refundPayment(id, { amount: 500 }))
      yield* TestClock.adjust("19 seconds")
      assert.isUndefined(refund.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(refund)).result, "FINISHED")
    }).pipe(
      Effect.provide(gateway),
      Effect.provide(FakeTransport.layer({ json: { id, result: "FINISHED" }, delay: "20 seconds" }))
    )
  )

  it.effect("can be silent, until the call's time is up or it is interrupted", () => {
    const inDoubt: Array<ChangeRecord> = []
    return Effect.gen(function* () {
      const refund = yield* Effect.forkChild(Effect.flip(refundPayment(id, { amount: 500 })))
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Fiber.join(refund)).reason._tag, "OutcomeUnknown")
      const other = yield* Effect.forkChild(refundPayment(id, { amount: 700 }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(other)
      assert.deepStrictEqual(
        inDoubt.map(({ amount }) => amount),
        [500, 700]
      )
    }).pipe(
      Effect.provideService(OnUnknownOutcome, (change) => Effect.sync(() => void inDoubt.push(change))),
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.provide(gateway),
      Effect.provide(FakeTransport.layer({ connection: "silent" }))
    )
  })

  it.effect("can answer without a body", () =>
    Effect.gen(function* () {
      yield* deleteCard(1)
      const failure = yield* Effect.flip(getPayment(id))
      assert.strictEqual(failure.reason._tag, "UnexpectedResponse")
    }).pipe(Effect.provide(gateway), Effect.provide(FakeTransport.layer({ status: 204, text: "" })))
  )

  it.effect("gives API v4 a token without a script as well, and shows its paths below the API's address", () =>
    Effect.gen(function* () {
      const refunded = yield* V4.refundPayment(paymentId, { amount: 500 })
      assert.deepStrictEqual([refunded.id, refunded.state], [refundId, "REQUESTED"])
      const [request, ...others] = yield* FakeTransport.requests
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual([request?.method, request?.path], ["POST", `/payments/${paymentId}/refunds`])
      assert.strictEqual(request?.headers["authorization"], "Bearer fake-token")
    }).pipe(
      Effect.provide(V4.GatewayV4.layer(LocalGateway.merchant)),
      Effect.provide(FakeTransport.layer({ status: 201, json: { id: refundId, state: "REQUESTED", amount: 500 } }))
    )
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
