import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as TestClock from "effect/testing/TestClock"
import {
  AttemptTimeout,
  Gateway,
  getPayment,
  refundPayment,
  type ChangeRecord,
  OnUnknownOutcome
} from "../../../src/index.js"
import { id } from "../../support/OperationPrograms.js"
import {
  finished,
  gatewayOver,
  held,
  json,
  merchant,
  paid,
  scripted,
  settled,
  tokenResponse
} from "../../support/ScriptedTransport.js"

const recorded = () => {
  const changes: Array<ChangeRecord> = []
  return { changes, tell: (change: ChangeRecord) => Effect.sync(() => changes.push(change)) }
}

describe("interrupting", () => {
  it.effect("a change that was handed over tells of it, with what is needed to find out", () => {
    const answer = held(() => json(finished))
    const { changes, tell } = recorded()
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(refundPayment(id, { amount: 5 }))
      yield* answer.reached
      yield* Fiber.interrupt(call)
      assert.deepStrictEqual(changes, [
        {
          operation: "refundPayment",
          goid: merchant.goid,
          paymentId: id,
          amount: 5,
          sentAt: "1970-01-01T00:00:00.000Z"
        }
      ])
    }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(gatewayOver(scripted(() => answer.answer))))
  })

  it.effect("a change that waits for its token tells of nothing and sends nothing", () => {
    const token = held(() => tokenResponse("token"))
    const { changes, tell } = recorded()
    const transport = scripted(
      () => json(finished),
      () => token.answer
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(refundPayment(id, { amount: 5 }))
      yield* token.reached
      yield* Fiber.interrupt(call)
      yield* token.open
      assert.deepStrictEqual(changes, [])
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(gatewayOver(transport)))
  })

  it.effect("a change that waits for its turn among other requests tells of nothing and sends nothing", () => {
    const answer = held(() => json(finished))
    const { changes, tell } = recorded()
    const transport = scripted(() => answer.answer)
    const alone = Gateway.layer({ ...merchant, maxConcurrentRequests: 1 })
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(refundPayment(id, { amount: 1 }))
      yield* answer.reached
      const second = yield* Effect.forkChild(refundPayment(id, { amount: 2 }))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      assert.deepStrictEqual(changes, [])
      yield* answer.open
      yield* Fiber.join(first)
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(Layer.provide(alone, transport.layer)))
  })

  it.effect("a change whose first sending was certainly refused tells of nothing", () => {
    const token = held(() => tokenResponse("token-2"))
    const { changes, tell } = recorded()
    let isRevoked = false
    const transport = scripted(
      () => (isRevoked ? new Response(null, { status: 401 }) : json(finished)),
      (_, index) => (index === 0 ? tokenResponse("token-1") : token.answer)
    )
    return Effect.gen(function* () {
      yield* refundPayment(id, { amount: 1 })
      isRevoked = true
      const call = yield* Effect.forkChild(refundPayment(id, { amount: 5 }))
      yield* token.reached
      yield* Fiber.interrupt(call)
      assert.deepStrictEqual(changes, [])
    }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(gatewayOver(transport)))
  })

  /** A transport whose requests take a while to release what they hold. */
  const releasing = (release: Effect.Effect<void>) =>
    scripted(() => Effect.onInterrupt(Effect.never, () => release)).layer

  it.effect.each([
    ["a change", refundPayment(id, { amount: 5 })],
    ["a read", getPayment(id)]
  ] as const)("%s waits until the caller's client has released what it holds", ([, program]) => {
    const released: Array<string> = []
    const release = Effect.delay(
      Effect.sync(() => void released.push("released")),
      "100 millis"
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(program)
      yield* settled
      const interruption = yield* Effect.forkChild(
        Effect.andThen(
          Fiber.interrupt(call),
          Effect.sync(() => void released.push("interrupted"))
        )
      )
      yield* settled
      assert.deepStrictEqual(released, [])
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(interruption)
      assert.deepStrictEqual(released, ["released", "interrupted"])
    }).pipe(
      Effect.provideService(OnUnknownOutcome, () => Effect.void),
      Effect.provide(Layer.provide(Gateway.layer(merchant), releasing(release)))
    )
  })

  it.effect("waits no longer than a second for a client that does not release", () =>
    Effect.gen(function* () {
      const call = yield* Effect.forkChild(getPayment(id))
      yield* settled
      const interruption = yield* Effect.forkChild(Fiber.interrupt(call))
      yield* TestClock.adjust("999 millis")
      assert.isUndefined(interruption.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(interruption)
    }).pipe(Effect.provide(Layer.provide(Gateway.layer(merchant), releasing(Effect.never))))
  )

  it.effect("a read tells of nothing", () => {
    const answer = held(() => json(paid))
    const { changes, tell } = recorded()
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(getPayment(id))
      yield* answer.reached
      yield* Fiber.interrupt(call)
      assert.deepStrictEqual(changes, [])
    }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(gatewayOver(scripted(() => answer.answer))))
  })

  it.effect("is told to who listens at the layer, where the call has no one", () => {
    const answer = held(() => json(finished))
    const { changes, tell } = recorded()
    const transport = scripted(() => answer.answer)
    const layer = Gateway.layer(merchant).pipe(
      Layer.provide(Layer.succeed(OnUnknownOutcome, tell)),
      Layer.provide(transport.layer)
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(refundPayment(id, { amount: 5 }))
      yield* answer.reached
      yield* Fiber.interrupt(call)
      assert.strictEqual(changes.length, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is an error in the log, where no one listens: nothing else has the record", () => {
    const answer = held(() => json(finished))
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      logged.push(`${logLevel} ${JSON.stringify(message)}`)
    })
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(refundPayment(id, { amount: 5 }))
      yield* answer.reached
      yield* Fiber.interrupt(call)
      assert.strictEqual(logged.length, 1)
      assert.match(logged[0] ?? "", /^Error .*do not repeat it.*"operation":"refundPayment"/)
    }).pipe(Effect.provide(gatewayOver(scripted(() => answer.answer))), Effect.provide(Logger.layer([logger])))
  })

  it.effect.each([
    ["fails", () => Effect.fail(new Error("no database"))],
    ["dies", () => Effect.die(new Error("no database"))],
    [
      "throws",
      () => {
        throw new Error("no database")
      }
    ]
  ] as const)("is an error in the log with the record and the cause, where who listens %s", ([, listen]) => {
    const answer = held(() => json(finished))
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
      logged.push(`${logLevel} ${JSON.stringify(message)} ${Cause.pretty(cause)}`)
    })
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(refundPayment(id, { amount: 5 }))
      yield* answer.reached
      yield* Fiber.interrupt(call)
      assert.strictEqual(logged.length, 1)
      assert.match(logged[0] ?? "", /^Error .*do not repeat it.*"operation":"refundPayment".*Error: no database/s)
    }).pipe(
      Effect.provideService(OnUnknownOutcome, listen),
      Effect.provide(gatewayOver(scripted(() => answer.answer))),
      Effect.provide(Logger.layer([logger]))
    )
  })

  it.effect("is an error with the record after ten seconds, where who listens hangs", () => {
    const answer = held(() => json(finished))
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void logged.push(JSON.stringify(message)))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(refundPayment(id, { amount: 5 }))
      yield* answer.reached
      const ended = yield* Effect.forkChild(Fiber.interrupt(call))
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(logged, [])
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(ended)
      assert.match(logged.join(), /do not repeat it.*"operation":"refundPayment"/s)
    }).pipe(
      Effect.provideService(OnUnknownOutcome, () => Effect.never),
      Effect.provide(gatewayOver(scripted(() => answer.answer))),
      Effect.provide(Logger.layer([logger]))
    )
  })

  it.effect.each([
    ["done", () => json(finished)],
    ["lost", () => json({}, 503)]
  ] as const)(
    "a change that cannot be interrupted tells of it when it ends, %s, and its result is thrown away",
    ([, end]) => {
      const answer = held(end)
      const { changes, tell } = recorded()
      const refund = Effect.uninterruptible(refundPayment(id, { amount: 5 }))
      return Effect.gen(function* () {
        const call = yield* Effect.forkChild(Effect.flip(Effect.timeout(refund, "10 seconds")))
        yield* answer.reached
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(changes, [])
        yield* answer.open
        assert.strictEqual((yield* Fiber.join(call))._tag, "TimeoutError")
        assert.deepStrictEqual(
          changes.map(({ amount, operation }) => [operation, amount]),
          [["refundPayment", 5]]
        )
      }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(gatewayOver(scripted(() => answer.answer))))
    }
  )

  it.effect("a change that cannot be interrupted leaves its record in the log, where its error is thrown away", () => {
    const answer = held(() => json({}, 503))
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (logLevel === "Error") logged.push(JSON.stringify(message))
    })
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.uninterruptible(refundPayment(id, { amount: 5 })))
      yield* answer.reached
      const ended = yield* Effect.forkChild(Fiber.interrupt(call))
      yield* settled
      yield* answer.open
      yield* Fiber.join(ended)
      assert.lengthOf(logged, 1)
      assert.match(logged[0] ?? "", /do not repeat it.*"operation":"refundPayment"/)
    }).pipe(Effect.provide(gatewayOver(scripted(() => answer.answer))), Effect.provide(Logger.layer([logger])))
  })

  it.effect("a change that ends uninterrupted, and cannot be interrupted, tells of nothing", () => {
    const { changes, tell } = recorded()
    return Effect.gen(function* () {
      yield* Effect.uninterruptible(refundPayment(id, { amount: 5 }))
      assert.deepStrictEqual(changes, [])
    }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(gatewayOver(scripted(() => json(finished)))))
  })

  it.effect("from outside by a limit on the time tells of it; a limit of its own fails with the record", () => {
    const { changes, tell } = recorded()
    const refund = refundPayment(id, { amount: 5 })
    return Effect.gen(function* () {
      const outside = yield* Effect.forkChild(Effect.flip(Effect.timeout(refund, "10 seconds")))
      const inside = yield* Effect.forkChild(Effect.flip(Effect.provideService(refund, AttemptTimeout, "10 seconds")))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(outside))._tag, "TimeoutError")
      const failure = yield* Fiber.join(inside)
      assert(failure._tag === "GatewayError" && failure.reason._tag === "OutcomeUnknown")
      assert.deepStrictEqual(changes, [failure.reason.change, failure.reason.change])
    }).pipe(Effect.provideService(OnUnknownOutcome, tell), Effect.provide(gatewayOver(scripted(() => Effect.never))))
  })

  it.live("by the end of the runtime that made it tells of a change, and nothing is sent after that", () => {
    const answer = held(() => json(finished))
    const { changes, tell } = recorded()
    const transport = scripted(() => answer.answer)
    const runtime = ManagedRuntime.make(
      Gateway.layer(merchant).pipe(Layer.provide(Layer.succeed(OnUnknownOutcome, tell)), Layer.provide(transport.layer))
    )
    return Effect.gen(function* () {
      const call = runtime.runPromiseExit(refundPayment(id, { amount: 5 }))
      const kept = yield* Effect.promise(() => runtime.runPromise(Gateway))
      yield* answer.reached
      yield* Effect.promise(() => runtime.dispose())
      const exit = yield* Effect.promise(() => call)
      assert(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.deepStrictEqual(
        changes.map(({ amount, operation, paymentId }) => [operation, paymentId, amount]),
        [["refundPayment", id, 5]]
      )
      yield* answer.open
      yield* settled
      const after = yield* Effect.flip(kept.refundPayment(id, { amount: 6 }))
      assert.include(after.reason.message, "its scope has ended. Nothing was sent.")
      assert.lengthOf(transport.sent, 1)
      assert.lengthOf(changes, 1)
    })
  })

  it.effect("aborts the request", () => {
    let aborted = false
    const transport = scripted(() =>
      Effect.callback<Response>(() =>
        Effect.sync(() => {
          aborted = true
        })
      )
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(getPayment(id))
      yield* Effect.yieldNow
      yield* Effect.promise(() => new Promise(setImmediate))
      yield* Fiber.interrupt(call)
      assert.isTrue(aborted)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})
