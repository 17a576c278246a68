import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { expect } from "vitest"
import {
  BeforeSend,
  type ChangeRecord,
  createPayment,
  getPayment,
  OnUnknownOutcome,
  refundPayment
} from "../../../src/index.js"
import { createGatewayClient, GatewayError } from "../../../src/promise/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { startLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { makeLossyGateway } from "../../support/LossyGateway.js"

const order = {
  amount: 100_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

const paid = Effect.gen(function* () {
  const { id } = yield* createPayment(order)
  yield* LocalGateway.payByCard(id)
  return id
})

describe("BeforeSend", () => {
  it.effect("is asked before every attempt of a change, also after a refused token, and of no read", () => {
    const { arrived, layer, next } = makeLossyGateway()
    const asked: Array<ChangeRecord> = []
    return Effect.gen(function* () {
      const id = yield* paid
      const before = arrived()
      next("token refused", "answered")
      const look = (change: ChangeRecord) => Effect.sync(() => asked.push(change) > 0)
      yield* Effect.andThen(refundPayment(id, { amount: 500 }), getPayment(id)).pipe(
        Effect.provideService(BeforeSend, look)
      )
      assert.deepStrictEqual(
        asked.map(({ amount, operation, paymentId }) => ({ amount, operation, paymentId })),
        [1, 2].map(() => ({ amount: 500, operation: "refundPayment" as const, paymentId: id }))
      )
      assert.strictEqual(arrived(), before + 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    ["says no", Effect.succeed(false)],
    ["fails", Effect.fail("no database")],
    ["dies", Effect.die("no database")]
  ] as const)("holds a change back when it %s: certainly not sent", ([, look]) => {
    const { arrived, layer } = makeLossyGateway()
    return Effect.gen(function* () {
      const id = yield* paid
      const before = arrived()
      const { reason } = yield* Effect.flip(
        refundPayment(id, { amount: 500 }).pipe(Effect.provideService(BeforeSend, () => look))
      )
      assert.strictEqual(reason._tag, "GatewayUnavailable")
      assert.isTrue(reason.isRetryable)
      assert.include(reason.message, "beforeSend")
      assert.strictEqual(arrived(), before)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    ["is interrupted", Cause.interrupt()],
    ["fails and is interrupted", Cause.combine(Cause.fail("no database"), Cause.interrupt())]
  ] as const)("sends nothing and ends the call when it %s", ([, cause]) => {
    const { arrived, layer } = makeLossyGateway()
    return Effect.gen(function* () {
      const id = yield* paid
      const before = arrived()
      const inDoubt: Array<ChangeRecord> = []
      const refund = refundPayment(id, { amount: 500 })
      const exit = yield* Effect.provideService(refund, BeforeSend, () => Effect.failCause(cause)).pipe(
        Effect.provideService(OnUnknownOutcome, (change) => Effect.sync(() => inDoubt.push(change))),
        Effect.exit
      )
      assert.isTrue(Exit.hasInterrupts(exit))
      assert.deepStrictEqual(inDoubt, [])
      assert.strictEqual(arrived(), before)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is asked when the token is there, with nothing left but sending", () => {
    const { layer } = makeLossyGateway()
    return Effect.gen(function* () {
      const id = yield* paid
      const gateway = yield* LocalGateway
      yield* gateway.revokeTokens
      const seen: Array<string | undefined> = []
      const look = Effect.map(gateway.requests, (requests) => {
        seen.push(requests.at(-1)?.operation)
        return true
      })
      yield* refundPayment(id, { amount: 500 }).pipe(Effect.provideService(BeforeSend, () => look))
      // The first attempt had the revoked token, the second one a new one.
      assert.deepStrictEqual(seen, ["createPayment", "getAccessToken"])
    }).pipe(Effect.provide(layer))
  })
})

describe("beforeSend of the promise client", () => {
  it("holds a change back, and is asked of changes only", async () => {
    const gateway = await startLocalGateway()
    await using client = createGatewayClient({ ...gateway.merchant, environment: gateway.url })
    const payment = await client.createPayment(order, { beforeSend: async ({ amount }) => amount === 100_000 })
    await gateway.payByCard(payment.id)
    const refuse = () => false
    await client.getPayment(payment.id, { beforeSend: refuse })
    for (const beforeSend of [refuse, () => Promise.reject(new Error("no database"))]) {
      const error = await client.refundPayment(payment.id, { amount: 500 }, { beforeSend }).catch((error) => error)
      expect(error).toBeInstanceOf(GatewayError)
      expect(error.reason).toMatchObject({ _tag: "GatewayUnavailable", isRetryable: true })
    }
    expect(await client.getPaymentRefunds(payment.id)).toEqual([])
    await gateway.stop()
  })
})
