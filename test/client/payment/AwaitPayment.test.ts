import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  awaitPayment,
  createPayment,
  Gateway,
  GatewayError,
  getPayment,
  type PaymentResponse,
  watchPaymentStates,
  RetryPolicy
} from "../../../src/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { gatewayOver, held, json, refusal, scripted, settled } from "../../support/ScriptedTransport.js"
import { order, paymentId, paymentOf } from "../../support/NotifiedPayments.js"

const inState = (state: string) => json(paymentOf(paymentId, order, { state }))

/** A gateway that answers these one after the other, the last one for ever, and the seconds at which it was asked. */
const polled = (...answers: ReadonlyArray<() => Response>) => {
  const seconds: Array<number> = []
  const transport = scripted((_, index) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      seconds.push(now / 1000)
      return (answers[index] ?? answers.at(-1) ?? assert.fail("no response is written"))()
    })
  )
  return { seconds, layer: gatewayOver(transport) }
}

const states = (...names: ReadonlyArray<string>) => polled(...names.map((name) => () => inState(name)))

/** Runs a program while time passes second by second, and returns its result. */
const whileTimePasses = <A, E, R>(program: Effect.Effect<A, E, R>, seconds: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(program)
    yield* settled
    for (let second = 0; second < seconds && fiber.pollUnsafe() === undefined; second++) {
      yield* TestClock.adjust("1 second")
    }
    return yield* Fiber.join(fiber)
  })

describe("awaitPayment", () => {
  it.effect.each(["PAID", "AUTHORIZED", "PARTIALLY_REFUNDED", "REFUNDED", "CANCELED", "TIMEOUTED"])(
    "ends at once when the payment is %s",
    (state) => {
      const { layer, seconds } = states(state)
      return Effect.gen(function* () {
        const awaited = yield* awaitPayment(paymentId)
        assert.deepStrictEqual([awaited._tag, awaited.payment.state], ["Reached", state])
        assert.deepStrictEqual(seconds, [0])
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("goes on while the payer is at it, and through a state that is in no list", () => {
    const { layer, seconds } = states("CREATED", "PAYMENT_METHOD_CHOSEN", "SOMETHING_NEW", "PAID")
    return Effect.gen(function* () {
      const awaited = yield* whileTimePasses(awaitPayment(paymentId), 60)
      assert.deepStrictEqual([awaited._tag, awaited.payment.state], ["Reached", "PAID"])
      assert.deepStrictEqual(seconds, [0, 1, 2, 3])
    }).pipe(Effect.provide(layer))
  })

  it.effect("asks ever more seldom, and answers what it last saw when it has timed out", () => {
    const { layer, seconds } = states("PAYMENT_METHOD_CHOSEN")
    return Effect.gen(function* () {
      const awaited = yield* whileTimePasses(awaitPayment(paymentId, { waitAtMost: "3 minutes" }), 180)
      assert.deepStrictEqual([awaited._tag, awaited.payment.state], ["StillPending", "PAYMENT_METHOD_CHOSEN"])
      assert.deepStrictEqual(seconds, [0, 1, 3, 6, 11, 19, 32, 52, 82, 112, 142, 172])
      assert.strictEqual(yield* Clock.currentTimeMillis, 180_000)
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits ten minutes unless told otherwise", () => {
    const { layer } = states("CREATED")
    return Effect.gen(function* () {
      const { _tag } = yield* whileTimePasses(awaitPayment(paymentId), 1000)
      assert.deepStrictEqual([_tag, yield* Clock.currentTimeMillis], ["StillPending", 600_000])
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends in the states that it is given and in no other", () => {
    const { layer } = states("PAID", "PARTIALLY_REFUNDED", "SOMETHING_NEW")
    return Effect.gen(function* () {
      const awaited = yield* whileTimePasses(awaitPayment(paymentId, { until: ["REFUNDED", "SOMETHING_NEW"] }), 60)
      assert.deepStrictEqual([awaited._tag, awaited.payment.state], ["Reached", "SOMETHING_NEW"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits through a gateway that is not available, and as long as it is asked to", () => {
    const { layer, seconds } = polled(
      () => inState("CREATED"),
      () => new Response("", { status: 503 }),
      () => json({}, 429, { "retry-after": "7" }),
      () => inState("PAID")
    )
    return Effect.gen(function* () {
      const awaited = yield* whileTimePasses(awaitPayment(paymentId), 60)
      assert.strictEqual(awaited._tag, "Reached")
      assert.deepStrictEqual(seconds, [0, 1, 3, 13])
    }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none), Effect.provide(layer))
  })

  it.effect("waits no longer than five minutes, however long it is asked to", () => {
    const { layer, seconds } = polled(
      () => json({}, 429, { "retry-after": "3600" }),
      () => inState("PAID")
    )
    return Effect.gen(function* () {
      yield* whileTimePasses(awaitPayment(paymentId), 400)
      assert.deepStrictEqual(seconds, [0, 301])
    }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none), Effect.provide(layer))
  })

  it.effect("reads as a schedule of the caller's says, which is given the payment as last seen", () => {
    const { layer, seconds } = polled(
      () => inState("CREATED"),
      () => new Response("", { status: 503 }),
      () => inState("PAYMENT_METHOD_CHOSEN"),
      () => inState("PAID")
    )
    const inputs: Array<string | undefined> = []
    const schedule = Schedule.spaced("5 seconds").pipe(
      Schedule.tap(({ input }: { readonly input: PaymentResponse | undefined }) =>
        Effect.sync(() => void inputs.push(input?.state))
      )
    )
    return Effect.gen(function* () {
      const awaited = yield* whileTimePasses(awaitPayment(paymentId, { schedule }), 60)
      assert.strictEqual(awaited._tag, "Reached")
      assert.deepStrictEqual(seconds, [0, 5, 10, 15])
      assert.deepStrictEqual(inputs, ["CREATED", "CREATED", "PAYMENT_METHOD_CHOSEN"])
    }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none), Effect.provide(layer))
  })

  it.effect("answers what it last saw when its schedule ends, or fails as the last read", () => {
    const schedule = Schedule.max([Schedule.spaced("1 minute"), Schedule.recurs(2)])
    const { layer, seconds } = states("CREATED")
    const unavailable = polled(() => new Response("", { status: 503 }))
    return Effect.gen(function* () {
      const { _tag } = yield* Effect.provide(whileTimePasses(awaitPayment(paymentId, { schedule }), 200), layer)
      assert.deepStrictEqual([_tag, seconds], ["StillPending", [0, 60, 120]])
      const failing = Effect.flip(awaitPayment(paymentId, { schedule }))
      const { reason } = yield* Effect.provide(whileTimePasses(failing, 200), unavailable.layer)
      assert.strictEqual(reason._tag, "GatewayUnavailable")
      assert.lengthOf(unavailable.seconds, 3)
    }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none))
  })

  it.effect("fails at once with what does not pass", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(awaitPayment(paymentId))
      assert.strictEqual(error.reason._tag, "PaymentNotFound")
    }).pipe(Effect.provide(polled(() => refusal(404, 304)).layer))
  )

  it.effect("fails with the last failure when the payment could never be read", () =>
    Effect.gen(function* () {
      const program = Effect.flip(awaitPayment(paymentId, { waitAtMost: "1 minute" }))
      const error = yield* whileTimePasses(program, 60)
      assert.deepInclude(error.reason, { _tag: "GatewayUnavailable", status: 503 })
    }).pipe(Effect.provide(polled(() => new Response("", { status: 503 })).layer))
  )

  it.effect("fails when the first read does not end in time", () => {
    const silent = held(() => inState("PAID"))
    return Effect.gen(function* () {
      const error = yield* whileTimePasses(Effect.flip(awaitPayment(paymentId, { waitAtMost: "5 seconds" })), 5)
      assert.strictEqual(error.operation, "getPayment")
      assert.deepInclude(error.reason, { _tag: "GatewayUnavailable", isRetryable: true })
      assert.include(error.message, "within 5 s")
    }).pipe(Effect.provide(gatewayOver(scripted(() => silent.answer))))
  })

  it.effect("stops at once when interrupted", () => {
    const { layer, seconds } = states("CREATED")
    return Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(awaitPayment(paymentId))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(waiting)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(seconds, [0, 1])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    { options: { until: [] }, field: "options.until" },
    { options: { waitAtMost: 0 }, field: "options.waitAtMost" },
    { options: { waitAtMost: Infinity }, field: "options.waitAtMost" },
    { options: { waitAtMost: Number.NaN }, field: "options.waitAtMost" }
  ])("refuses options that cannot be right: $options", ({ field, options }) => {
    const { layer, seconds } = states("PAID")
    return Effect.gen(function* () {
      const error = yield* Effect.flip(awaitPayment(paymentId, options))
      assert.isTrue(error instanceof GatewayError && error.reason._tag === "InvalidRequest")
      assert.strictEqual(error.operation, "getPayment")
      assert.include(error.message, field)
      assert.deepStrictEqual(seconds, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    { options: null, message: "options: must be an object" },
    { options: "PAID", message: "options: must be an object" },
    { options: { until: "PAID" }, message: "options.until: must be a list" },
    { options: { until: ["PAID", 1] }, message: "options.until: must be a list" },
    { options: { schedule: "5 seconds" }, message: "options.schedule: must be a Schedule" }
  ])("refuses what TypeScript would not take: $options", ({ message, options }) => {
    const { layer, seconds } = states("PAID")
    const untyped: Effect.Effect<unknown, GatewayError, Gateway> = Reflect.apply(awaitPayment, undefined, [
      paymentId,
      options
    ])
    return Effect.gen(function* () {
      const error = yield* Effect.flip(untyped)
      assert.strictEqual(error.reason._tag, "InvalidRequest")
      assert.include(error.message, message)
      assert.deepStrictEqual(seconds, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("refuses an id that cannot be right, without waiting", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(awaitPayment("x"))
      assert.strictEqual(error.reason._tag, "InvalidRequest")
    }).pipe(Effect.provide(states("PAID").layer))
  )

  it.effect("sees the payer pay at the local gateway", () =>
    Effect.gen(function* () {
      const { id } = yield* createPayment({
        amount: 139_950,
        currency: "CZK",
        order_number: "2026-0042",
        callback: { return_url: "https://shop.example/return" }
      })
      const waiting = yield* Effect.forkChild(awaitPayment(id))
      yield* TestClock.adjust("10 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* LocalGateway.payByCard(id)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(waiting)).payment.state, "PAID")
      assert.strictEqual((yield* getPayment(id)).state, "PAID")
    }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
  )
})

describe("watchPaymentStates", () => {
  const seen = (options?: Parameters<typeof watchPaymentStates>[1]) =>
    watchPaymentStates(paymentId, options).pipe(
      Stream.map(({ state }) => state),
      Stream.runCollect
    )

  it.effect("gives each state once, ends with the payer's part, and asks sooner again after a change", () => {
    const { layer, seconds } = states("CREATED", "CREATED", "CREATED", "PAYMENT_METHOD_CHOSEN", "NEW", "NEW", "PAID")
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* whileTimePasses(seen(), 100), ["CREATED", "PAYMENT_METHOD_CHOSEN", "NEW", "PAID"])
      assert.deepStrictEqual(seconds, [0, 1, 3, 6, 7, 8, 10])
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends with the schedule that it is given", () => {
    const { layer, seconds } = states("CREATED", "PAYMENT_METHOD_CHOSEN")
    const schedule = Schedule.max([Schedule.spaced("5 seconds"), Schedule.recurs(3)])
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* whileTimePasses(seen({ schedule }), 100), ["CREATED", "PAYMENT_METHOD_CHOSEN"])
      assert.deepStrictEqual(seconds, [0, 5, 10, 15])
    }).pipe(Effect.provide(layer))
  })

  it.effect("goes on to the states that it is given", () => {
    const { layer } = states("PAID", "PARTIALLY_REFUNDED", "REFUNDED")
    return Effect.gen(function* () {
      const all = yield* whileTimePasses(seen({ until: ["REFUNDED"] }), 100)
      assert.deepStrictEqual(all, ["PAID", "PARTIALLY_REFUNDED", "REFUNDED"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("begins anew each time it is run", () => {
    const { layer, seconds } = states("PAID")
    return Effect.gen(function* () {
      assert.deepStrictEqual([yield* seen(), yield* seen()], [["PAID"], ["PAID"]])
      assert.deepStrictEqual(seconds, [0, 0])
    }).pipe(Effect.provide(layer))
  })

  it.effect("fails with what does not pass, and with options that cannot be right", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(seen())).reason._tag, "PaymentNotFound")
      assert.strictEqual((yield* Effect.flip(seen({ until: [] }))).reason._tag, "InvalidRequest")
    }).pipe(Effect.provide(polled(() => refusal(404, 304)).layer))
  )

  it.effect("ends when told to, without another read", () => {
    const { layer, seconds } = states("CREATED")
    return Effect.gen(function* () {
      const limited = watchPaymentStates(paymentId).pipe(
        Stream.interruptWhen(Effect.sleep("10 seconds")),
        Stream.runCollect
      )
      assert.strictEqual((yield* whileTimePasses(limited, 100)).length, 1)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(seconds, [0, 1, 3, 6])
    }).pipe(Effect.provide(layer))
  })
})
