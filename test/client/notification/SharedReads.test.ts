/**
 * Payers who return at the same time share the reads of their payment.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { RequestBound } from "../../../src/client/transport/Lease.js"
import { AttemptTimeout, RetryPolicy, verifyPayment } from "../../../src/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { idIn, order, orders, parentId, paymentId, paymentOf } from "../../support/NotifiedPayments.js"
import { order as sent, payment, paymentId as id } from "../../support/OperationCases.js"
import { startScriptedGateway } from "../../support/ScriptedGateway.js"
import { gatewayOver, held, json, refusal, scripted, settled } from "../../support/ScriptedTransport.js"

const returning = verifyPayment(`/return?id=${paymentId}`, (id) => orders.get(id))

const stateOf = (state: string) => held(() => json(paymentOf(paymentId, order, { state })))

const aSecond = TestClock.adjust("1 second")

describe("payers who return at the same time", () => {
  it.effect.each([false, true])(
    "cause two reads, and each gets one that began after it came (Workers: %s)",
    (isBound) => {
      const first = stateOf("CREATED")
      const second = stateOf("PAID")
      const transport = scripted((_, index) => [first, second][index]?.answer ?? refusal(500, 500))
      return Effect.gen(function* () {
        const early = yield* Effect.forkChild(returning)
        yield* first.reached
        const late = yield* Effect.forEach(Array.from({ length: 499 }), () => Effect.forkChild(returning))
        yield* settled
        yield* first.open
        assert.strictEqual((yield* Fiber.join(early)).payment.state, "CREATED")
        yield* settled
        // No request wakes another: each has a timer of its own.
        assert.strictEqual(transport.sent.length, 1)
        yield* aSecond
        yield* second.reached
        yield* second.open
        yield* aSecond
        const verified = yield* Fiber.joinAll(late)
        assert.deepStrictEqual(new Set(verified.map(({ payment }) => payment.state)), new Set(["PAID"]))
        assert.strictEqual(transport.sent.length, 2)
      }).pipe(Effect.provide(gatewayOver(transport)), Effect.provideService(RequestBound, isBound))
    }
  )

  it.effect("read other payments as they like, and this one again when no one else reads it", () => {
    const slow = stateOf("PAID")
    const transport = scripted((request) =>
      idIn(request) === parentId ? json(paymentOf(parentId, orders.get(parentId) ?? order)) : slow.answer
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(returning)
      yield* slow.reached
      yield* verifyPayment(`?id=${parentId}`, (id) => orders.get(id))
      yield* slow.open
      yield* Fiber.join(fiber)
      yield* returning
      assert.deepStrictEqual(transport.sent.map(idIn), [paymentId, parentId, paymentId])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("read for themselves when whoever read for them has gone", () => {
    const first = stateOf("CREATED")
    const second = stateOf("CREATED")
    const transport = scripted(
      (_, index) => [first, second][index]?.answer ?? json(paymentOf(paymentId, order, { state: "PAID" }))
    )
    return Effect.gen(function* () {
      const early = yield* Effect.forkChild(returning)
      yield* first.reached
      const leaving = yield* Effect.forkChild(returning)
      yield* settled
      const staying = yield* Effect.forkChild(returning)
      yield* settled
      yield* first.open
      yield* Fiber.join(early)
      yield* TestClock.adjust("20 millis")
      yield* second.reached
      yield* Fiber.interrupt(leaving)
      yield* aSecond
      assert.strictEqual((yield* Fiber.join(staying)).payment.state, "PAID")
      assert.strictEqual(transport.sent.length, 3)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("share a failure, but not of one who had less time or fewer attempts", () => {
    const first = stateOf("CREATED")
    const transport = scripted((_, index) =>
      index === 0 ? first.answer : index < 3 ? Effect.never : refusal(404, 304)
    )
    return Effect.gen(function* () {
      const early = yield* Effect.forkChild(returning)
      yield* first.reached
      const impatient = yield* Effect.forkChild(
        Effect.flip(
          returning.pipe(
            Effect.provideService(AttemptTimeout, "100 millis"),
            Effect.provideService(RetryPolicy, RetryPolicy.none)
          )
        )
      )
      yield* settled
      const others = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(Effect.flip(returning)))
      yield* settled
      yield* first.open
      yield* Fiber.join(early)
      yield* aSecond
      assert.strictEqual((yield* Fiber.join(impatient)).reason._tag, "GatewayUnavailable")
      yield* TestClock.adjust("40 seconds")
      yield* TestClock.adjust("40 seconds")
      const failures = yield* Fiber.joinAll(others)
      assert.deepStrictEqual(new Set(failures.map(({ reason }) => reason._tag)), new Set(["PaymentNotFound"]))
      assert.strictEqual(transport.sent.length, 4)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("share a success, also of one who had less time", () => {
    const first = stateOf("CREATED")
    const transport = scripted((_, index) =>
      index === 0 ? first.answer : json(paymentOf(paymentId, order, { state: "PAID" }))
    )
    return Effect.gen(function* () {
      const early = yield* Effect.forkChild(returning)
      yield* first.reached
      const hurried = yield* Effect.forkChild(Effect.provideService(returning, AttemptTimeout, "5 seconds"))
      const others = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(returning))
      yield* settled
      yield* first.open
      yield* aSecond
      yield* Fiber.joinAll([early, hurried, ...others])
      assert.strictEqual(transport.sent.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it("share their reads at a client for promises too", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${id}`, { body: { ...payment, state: "PAID" } })
    await using client = createGatewayClient(gateway.merchant)
    const expected = { amount: 139_950, currency: "CZK", order_number: sent.order_number }
    const verified = await Promise.all(
      Array.from({ length: 500 }, () => client.verifyPayment(`?id=${id}`, () => expected))
    )
    assert.deepStrictEqual(new Set(verified.map(({ payment }) => payment.state)), new Set(["PAID"]))
    assert.isAtMost(gateway.calls.length, 2)
  })
})
