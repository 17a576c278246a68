import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import {
  createPayment,
  Gateway,
  getPayment,
  getPaymentRefunds,
  OnResponse,
  type ResponseHead
} from "../../../src/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { startLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { order } from "../../ledger/World.js"

describe("OnResponse", () => {
  it.effect("reports status and clock of each response, and changes no call", () => {
    const heads: Array<ResponseHead> = []
    const report = (head: ResponseHead) =>
      Effect.andThen(
        Effect.sync(() => heads.push(head)),
        Effect.die(new Error("the observer failed"))
      )
    const throwing = (head: ResponseHead): Effect.Effect<void> => {
      heads.push(head)
      throw new Error("the observer failed")
    }
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 day")
      const { id } = yield* createPayment(order)
      yield* TestClock.adjust("90 seconds")
      yield* getPaymentRefunds(id).pipe(Effect.provideService(OnResponse, report))
      yield* Effect.flip(getPayment(4).pipe(Effect.provideService(OnResponse, throwing)))
      assert.deepStrictEqual(heads, [
        { status: 200, gatewayTimeMillis: 86_490_000 },
        { status: 404, gatewayTimeMillis: 86_490_000 }
      ])
    }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant).pipe(Layer.provideMerge(LocalGateway.layer))))
  })

  it("is onResponse with promises, which tells of no request for a token", async () => {
    const local = await startLocalGateway()
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const heads: Array<ResponseHead> = []
    const onResponse = (head: ResponseHead) => void heads.push(head)
    const { id } = await gateway.createPayment(order, { onResponse })
    await local.advanceTime("10 minutes")
    await gateway.getPayment(id, { onResponse })
    const [created, read, ...others] = heads
    assert.deepStrictEqual(others, [])
    assert.strictEqual(created?.status, 200)
    const passed = (read?.gatewayTimeMillis ?? 0) - (created?.gatewayTimeMillis ?? 0)
    assert.isAtLeast(passed, 600_000)
    await local.close()
  })

  it("refuses what is no function", async () => {
    const local = await startLocalGateway()
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const options = JSON.parse('{"onResponse":"log"}')
    await expect(gateway.getPayment(1, options)).rejects.toThrow("options.onResponse")
    await local.close()
  })
})
