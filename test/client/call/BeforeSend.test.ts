import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import {
  AttemptTimeout,
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
import { gatewayErrorOf } from "../../support/Rejection.js"
import { deferred, startScriptedGateway, tokenResponse, tokenRoute } from "../../support/ScriptedGateway.js"
import { finished, gatewayOver, json, scripted } from "../../support/ScriptedTransport.js"

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
    ["fails", Effect.fail("no database")]
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

  it.effect("leaves what it failed with as the cause of the error", () => {
    const failure = new Error("no database")
    const refund = refundPayment(3090066980, { amount: 500 })
    return Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provideService(refund, BeforeSend, () => Effect.fail(failure)))
      assert.strictEqual(error.cause, failure)
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(finished)))))
  })

  it.effect("ends the call with its defect, and sends nothing", () => {
    const transport = scripted(() => json(finished))
    const defect = new TypeError("a bug of the shop")
    return Effect.gen(function* () {
      const exit = yield* refundPayment(3090066980, { amount: 500 }).pipe(
        Effect.provideService(BeforeSend, () => Effect.die(defect)),
        Effect.exit
      )
      assert.deepStrictEqual(exit, Exit.die(defect))
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("holds a change back that is handed over later than it says, by the process's own clock", () => {
    const transport = scripted(() => json(finished))
    const checked = (time: Duration.Input) =>
      refundPayment(3090066980, { amount: 500 }).pipe(
        Effect.provideService(BeforeSend, () => Effect.as(TestClock.adjust("30 seconds"), time))
      )
    return Effect.gen(function* () {
      for (const over of [30_000, 0, -1, Number.NaN, "30 seconds", Duration.seconds(30)] as const) {
        const { reason } = yield* Effect.flip(checked(over))
        assert.deepInclude(reason, { _tag: "GatewayUnavailable", isRetryable: true })
        assert.include(reason.message, "beforeSend")
      }
      assert.deepStrictEqual(transport.sent, [])
      for (const over of [30_001, "31 seconds", Duration.infinity] as const) {
        assert.deepStrictEqual(yield* checked(over), finished)
      }
      assert.lengthOf(transport.sent, 3)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("holds a change back after its machine was suspended, which only the time of day shows", () => {
    const transport = scripted(() => json(finished))
    return Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const stopped = new Proxy(clock, {
        get: (target, name) => (name === "monotonicTimeNanosUnsafe" ? () => 0n : Reflect.get(target, name))
      })
      const checked = (millis: number) =>
        refundPayment(3090066980, { amount: 500 }).pipe(
          Effect.provideService(BeforeSend, () => Effect.as(TestClock.adjust("30 seconds"), millis)),
          Effect.provideService(Clock.Clock, stopped)
        )
      assert.strictEqual((yield* Effect.flip(checked(30_000))).reason._tag, "GatewayUnavailable")
      assert.deepStrictEqual(transport.sent, [])
      assert.deepStrictEqual(yield* checked(30_001), finished)
    }).pipe(Effect.provide(gatewayOver(transport)))
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
      const look = Effect.map(gateway.listRequests, (requests) => {
        seen.push(requests.at(-1)?.operation)
        return true
      })
      yield* refundPayment(id, { amount: 500 }).pipe(Effect.provideService(BeforeSend, () => look))
      // The first attempt had the revoked token, the second one a new one.
      assert.deepStrictEqual(seen, ["createPayment", "getAccessToken"])
    }).pipe(Effect.provide(layer))
  })
})

/** It never answers, as a database that no one reaches. */
const silent = { "that can be interrupted": Effect.never, "that cannot": Effect.uninterruptible(Effect.never) }

describe.each(Object.entries(silent))("a BeforeSend that never answers, and %s", (_, look) => {
  const refund = refundPayment(3090066980, { amount: 500 })
  const asking = Effect.provideService(refund, BeforeSend, () => look)

  it.effect("holds a change back no longer than its time: nothing was sent", () => {
    const transport = scripted(() => json(finished))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.flip(Effect.provideService(asking, AttemptTimeout, "20 seconds")))
      yield* TestClock.adjust("20 seconds")
      const { reason } = yield* Fiber.join(call)
      assert.deepInclude(reason, { _tag: "GatewayUnavailable", isRetryable: true })
      assert.include(reason.message, "beforeSend")
      assert.include(reason.message, "20 s")
      assert.include(reason.message, "nothing was sent")
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("gives its turn to the others then", () => {
    const transport = scripted(() => json(finished))
    return Effect.gen(function* () {
      yield* Effect.forkChild(Effect.exit(Effect.provideService(asking, AttemptTimeout, "20 seconds")))
      yield* TestClock.adjust("1 second")
      const other = yield* Effect.forkChild(refund)
      yield* TestClock.adjust("18 seconds")
      assert.isUndefined(other.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(other), finished)
      assert.lengthOf(transport.sent, 1)
    }).pipe(Effect.provide(gatewayOver(transport, { maxConcurrentRequests: 1 })))
  })

  it.effect("ends with its call when that is interrupted, and nothing was sent", () => {
    const transport = scripted(() => json(finished))
    const inDoubt: Array<ChangeRecord> = []
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(
        Effect.provideService(asking, OnUnknownOutcome, (change) => Effect.sync(() => inDoubt.push(change)))
      )
      yield* TestClock.adjust("1 second")
      const interruption = yield* Effect.forkChild(Fiber.interrupt(call))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(interruption)
      assert.deepStrictEqual(inDoubt, [])
      assert.deepStrictEqual(transport.sent, [])
      assert.deepStrictEqual(yield* refund, finished)
    }).pipe(Effect.provide(gatewayOver(transport, { maxConcurrentRequests: 1 })))
  })
})

describe("a BeforeSend that takes its time", () => {
  const slowly = (time: Duration.Input) =>
    refundPayment(3090066980, { amount: 500 }).pipe(
      Effect.provideService(BeforeSend, () => Effect.as(Effect.sleep(time), true)),
      Effect.provideService(AttemptTimeout, "20 seconds")
    )

  it.effect("takes it from its attempt", () => {
    const transport = scripted(() => Effect.never)
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.flip(slowly("15 seconds")))
      yield* TestClock.adjust("15 seconds")
      assert.lengthOf(transport.sent, 1)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(call)).reason._tag, "OutcomeUnknown")
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is sent when it answers in time", () => {
    const transport = scripted(() => json(finished))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(slowly("19 seconds"))
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(yield* Fiber.join(call), finished)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("beforeSend of the promise client", () => {
  it.each([["under way"], ["still to be asked"]])(
    "%s does not keep the client from closing: nothing is sent",
    async (when) => {
      await using gateway = await startScriptedGateway()
      gateway.on("POST /payments/payment/7/refund", { body: { id: 7, result: "FINISHED" } })
      const token = gateway.hold(tokenRoute)
      const client = createGatewayClient(gateway.merchant)
      const asked = deferred<void>()
      const beforeSend = () => {
        asked.resolve()
        return new Promise<boolean>(() => {})
      }
      const refunded = gatewayErrorOf(client.refundPayment(7, { amount: 1 }, { beforeSend }))
      await token.arrived
      if (when === "under way") {
        token.answer(tokenResponse("a-token"))
        await asked.promise
      }
      const closing = client.close()
      token.answer(tokenResponse("a-token"))
      await closing
      const { reason } = await refunded
      expect(reason).toMatchObject({ _tag: "GatewayUnavailable", isRetryable: false })
      expect(reason.message).toContain("closed")
      expect(reason.message).toContain("Nothing was sent")
      expect(gateway.calls).toEqual([])
    }
  )

  it("has the time of its call", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    await client.warm()
    const beforeSend = () => new Promise<boolean>(() => {})
    const { reason } = await gatewayErrorOf(client.refundPayment(7, { amount: 1 }, { beforeSend, timeout: 50 }))
    expect(reason).toMatchObject({ _tag: "GatewayUnavailable", isRetryable: true })
    expect(reason.message).toContain("beforeSend")
    expect(gateway.calls).toEqual([])
  })

  it("holds a change back, and is asked of changes only", async () => {
    const gateway = await startLocalGateway()
    await using client = createGatewayClient({ ...gateway.merchant, environment: gateway.url })
    const payment = await client.createPayment(order, { beforeSend: async ({ amount }) => amount === 100_000 })
    await gateway.payByCard(payment.id)
    const refuse = () => false
    await client.getPayment(payment.id, { beforeSend: refuse })
    const failure = new Error("no database")
    for (const [beforeSend, cause] of [
      [refuse, undefined],
      [() => Promise.reject(failure), failure]
    ] as const) {
      const error = await client.refundPayment(payment.id, { amount: 500 }, { beforeSend }).catch((error) => error)
      expect(error).toBeInstanceOf(GatewayError)
      expect(error.reason).toMatchObject({ _tag: "GatewayUnavailable", isRetryable: true })
      expect(error.cause).toBe(cause)
    }
    expect(await client.getPaymentRefunds(payment.id)).toEqual([])
    await gateway.close()
  })
})
