import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import {
  type NotificationDeliveryError,
  makeNotificationHandler,
  type PaymentNotification,
  type NotificationLimits,
  RetryPolicy,
  type VerifiedPayment
} from "../../../src/index.js"
import { captureLog } from "../../support/LogGuard.js"
import { logFailure } from "../../../src/client/notification/Deliveries.js"
import { record } from "../../support/Recorder.js"
import { RequestBound } from "../../../src/client/transport/Lease.js"
import {
  gatewayOver,
  held,
  json,
  refusal,
  scripted,
  type SentRequest,
  settled
} from "../../support/ScriptedTransport.js"
import {
  answerPayment,
  child,
  childId,
  idIn,
  notificationOf,
  order,
  orders,
  parentId,
  paymentId,
  paymentOf,
  strangerId,
  subscription,
  type Order
} from "../../support/NotifiedPayments.js"

interface Script {
  readonly answer?: (request: SentRequest, index: number) => Response | Effect.Effect<Response>
  readonly expected?: (id: number) => Order | undefined
  readonly handler?: (verified: VerifiedPayment<Order>) => Effect.Effect<unknown, unknown>
  readonly limits?: NotificationLimits
}

/** A shop that answers notifications, and what happens in it. */
const shop = ({ answer = answerPayment, expected = (id) => orders.get(id), handler, limits }: Script = {}) => {
  const transport = scripted(answer)
  const handled: Array<VerifiedPayment<Order>> = []
  const reported: Array<readonly [NotificationDeliveryError, PaymentNotification | undefined]> = []
  const make = makeNotificationHandler({
    expected,
    handler: (verified) => {
      handled.push(verified)
      return handler === undefined ? Effect.void : handler(verified)
    },
    onError: (...report) => Effect.sync(() => reported.push(report)),
    limits
  })
  // The gateway lives as long as the handler.
  const open = Effect.flatMap(Layer.build(gatewayOver(transport)), (context) => Effect.provideContext(make, context))
  return {
    open,
    handled,
    reported,
    /** The payments that were read, in order. */
    reads: () => transport.sent.map(idIn)
  }
}

const reasons = (reported: ReadonlyArray<readonly [NotificationDeliveryError, unknown]>) =>
  reported.map(([{ reason }]) => reason._tag)

/** Holds the handler each time it is called. */
const heldHandler = () => {
  const calls: Array<Deferred.Deferred<void>> = []
  return {
    calls,
    handler: () => {
      const call = Deferred.makeUnsafe<void>()
      calls.push(call)
      return Deferred.await(call)
    },
    release: (index: number) =>
      Effect.suspend(() => {
        const call = calls[index]
        return call === undefined ? assert.fail(`call ${index} has not begun`) : Deferred.done(call, Exit.void)
      })
  }
}

/** Lets a request come as far as it comes by itself. */
const settledOnce = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Long enough for whoever waits for another notification to look how it has ended. */
const aSecond = TestClock.adjust("1 second")

/** A request whose timers come no more. */
const cutOff = <A>(request: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.updateService(request, Clock.Clock, (clock) =>
    Object.assign(Object.create(clock), { sleep: () => Effect.never })
  )

describe("a notification", () => {
  it.effect("is answered with 200 after the handler has had the payment as read", () => {
    const { handled, open, reads, reported } = shop()
    return Effect.gen(function* () {
      const handle = yield* open
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
      assert.deepStrictEqual(handled, [{ payment: paymentOf(paymentId, order), order, orderOf: "payment" }])
      assert.deepStrictEqual(reads(), [paymentId])
      assert.deepStrictEqual(reported, [])
    })
  })

  it.effect("is not answered before the handler has ended", () => {
    const { calls, handler, release } = heldHandler()
    const { open } = shop({ handler })
    return Effect.gen(function* () {
      const handle = yield* open
      const answer = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      assert.strictEqual(calls.length, 1)
      assert.isUndefined(answer.pollUnsafe())
      yield* release(0)
      assert.strictEqual(yield* Fiber.join(answer), 200)
    })
  })

  it.effect.each([
    { how: "fails", handler: () => Effect.fail("no database") },
    { how: "dies", handler: () => Effect.die("no database") },
    {
      how: "is interrupted from within",
      handler: () => Effect.andThen(Effect.logDebug("no database"), Effect.interrupt)
    },
    {
      how: "throws",
      handler: () => {
        throw new Error("no database")
      }
    }
  ])("is answered with 503 and told of when the handler $how, and the next one is processed again", ({ handler }) => {
    let isBroken = true
    const { handled, open, reported } = shop({ handler: () => (isBroken ? handler() : Effect.void) })
    return Effect.gen(function* () {
      const handle = yield* open
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 503)
      assert.deepStrictEqual(reasons(reported), ["HandlerFailed"])
      assert.match(String(reported[0]?.[0].cause), /no database|interrupted/)
      assert.deepStrictEqual(reported[0]?.[1], { id: paymentId })
      isBroken = false
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
      assert.strictEqual(handled.length, 2)
    })
  })

  it.effect.each([
    { what: "of an unknown payment", notified: notificationOf(strangerId), reason: "UnknownPayment" },
    { what: "with a false parent", notified: notificationOf(strangerId, parentId), reason: "PaymentMismatch" },
    { what: "of a payment that differs", notified: notificationOf(paymentId), reason: "PaymentMismatch" },
    {
      what: "of a payment that the gateway does not know",
      notified: notificationOf(parentId),
      reason: "UnexpectedResponse"
    }
  ])("$what is answered with 503 and told of, and never reaches the handler", ({ notified, reason }) => {
    const { handled, open, reported } = shop({
      answer: (request) => (idIn(request) === parentId ? json({}) : answerPayment(request)),
      expected: (id) => (id === paymentId ? { ...order, amount: 999_999 } : orders.get(id))
    })
    return Effect.gen(function* () {
      const handle = yield* open
      assert.strictEqual(yield* handle(notified), 503)
      assert.deepStrictEqual(reasons(reported), [reason])
      assert.deepStrictEqual(handled, [])
    })
  })

  it.effect("is answered with 503 and told of when what is expected cannot be found out", () => {
    const { open, reads, reported } = shop({
      expected: () => {
        throw new Error("no database")
      }
    })
    return Effect.gen(function* () {
      const handle = yield* open
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 503)
      assert.deepStrictEqual(reasons(reported), ["ExpectationFailed"])
      assert.deepStrictEqual(reads(), [])
    })
  })

  it.effect.each([
    { request: { method: "GET", url: "/notify" }, status: 400, told: 1 },
    { request: { method: "GET", url: `/notify?id=${paymentId}&id=${paymentId}` }, status: 400, told: 1 },
    { request: { method: "GET" }, status: 400, told: 1 },
    { request: { method: "POST", url: `/notify?id=${paymentId}` }, status: 405, told: 0 },
    { request: { method: "HEAD", url: `/notify?id=${paymentId}` }, status: 405, told: 0 },
    { request: { url: `/notify?id=${paymentId}` }, status: 405, told: 0 }
  ])("that is none ($request) is answered with $status and reads nothing", ({ request, status, told }) => {
    const { handled, open, reads, reported } = shop()
    return Effect.gen(function* () {
      const handle = yield* open
      assert.strictEqual(yield* handle(request), status)
      assert.deepStrictEqual([reads(), handled], [[], []])
      assert.deepStrictEqual(
        reported.map(([{ reason }, notification]) => [reason._tag, notification]),
        told === 0 ? [] : [["InvalidNotification", undefined]]
      )
    })
  })

  it.effect.each([
    { what: "null", request: null },
    { what: "undefined", request: undefined },
    { what: "a text", request: `/notify?id=${paymentId}` },
    { what: "a number", request: 42 },
    { what: "a list", request: [] },
    { what: "an object without anything", request: Object.create(null), status: 405 },
    { what: "a function", request: () => {} },
    { what: "an address that is no text", request: { method: "GET", url: 42 } },
    { what: "an address that is nothing", request: { method: "GET", url: null } },
    { what: "a method that is no text", request: { method: Symbol("GET"), url: `/?id=${paymentId}` }, status: 405 },
    {
      what: "what throws when it is checked",
      request: new Proxy(
        {},
        {
          get: () => {
            throw new Error("not today")
          }
        }
      )
    },
    {
      what: "an address that throws",
      request: {
        method: "GET",
        get url(): string {
          throw new Error("not today")
        }
      }
    },
    { what: "an address that is a lone question mark", request: { method: "GET", url: "?" } },
    { what: "an address that is no valid text", request: { method: "GET", url: "/?id=%E0%A4%A&id=\ud800" } }
  ])("that is $what is answered with a status", ({ request, status = 400 }: { request: unknown; status?: number }) => {
    const { open, reads } = shop()
    return Effect.gen(function* () {
      const answered: Effect.Effect<number> = Reflect.apply(yield* open, undefined, [request])
      assert.strictEqual(yield* answered, status)
      assert.deepStrictEqual(reads(), [])
    })
  })

  it.effect("is known by its address also where that is a URL", () => {
    const { open } = shop()
    return Effect.gen(function* () {
      const handle = yield* open
      const url = new URL(`https://shop.example/notify?id=${paymentId}`)
      assert.strictEqual(yield* handle({ method: "GET", url }), 200)
    })
  })

  it.effect(
    "of a charge goes to the handler with the parent's order, whether or not the query names the parent",
    () => {
      const { handled, open } = shop()
      const delivered = { payment: child, order: subscription, orderOf: "parent" as const }
      return Effect.gen(function* () {
        const handle = yield* open
        assert.strictEqual(yield* handle(notificationOf(childId, parentId)), 200)
        assert.strictEqual(yield* handle(notificationOf(childId)), 200)
        assert.strictEqual(yield* handle(notificationOf(childId, paymentId)), 200)
        assert.deepStrictEqual(handled, [delivered, delivered, delivered])
      })
    }
  )

  it.effect("whose onError fails is answered all the same, and that is logged", () =>
    Effect.gen(function* () {
      const lines = captureLog(/^onError failed/)
      const handle = yield* makeNotificationHandler<Order>({
        expected: () => undefined,
        handler: () => Effect.void,
        onError: () => Effect.die("no log")
      })
      assert.strictEqual(yield* handle(notificationOf(strangerId)), 503)
      assert.strictEqual(yield* handle(notificationOf(strangerId)), 503)
      assert.lengthOf(lines, 2)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )
})

describe("notifications for one payment", () => {
  it.effect("that arrive during a read cause exactly one more, and wait for it", () => {
    const first = held(() => json(paymentOf(paymentId, order, { state: "CREATED" })))
    const second = held(() => json(paymentOf(paymentId, order)))
    const { handled, open, reads } = shop({ answer: (_, index) => (index === 0 ? first.answer : second.answer) })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      const late = yield* Effect.forEach(Array.from({ length: 50 }), () =>
        Effect.forkChild(handle(notificationOf(paymentId)))
      )
      yield* settled
      assert.strictEqual(reads().length, 1)
      yield* first.open
      assert.strictEqual(yield* Fiber.join(early), 200)
      yield* aSecond
      yield* second.reached
      yield* settled
      assert.isTrue(late.every((answer) => answer.pollUnsafe() === undefined))
      yield* second.open
      yield* aSecond
      assert.deepStrictEqual(new Set(yield* Fiber.joinAll(late)), new Set([200]))
      assert.deepStrictEqual(
        handled.map(({ payment }) => payment.state),
        ["CREATED", "PAID"]
      )
      assert.strictEqual(reads().length, 2)
    })
  })

  it.effect("are handled one after the other, the next read beginning only then", () => {
    const { calls, handler, release } = heldHandler()
    const { open, reads } = shop({ handler })
    return Effect.gen(function* () {
      const handle = yield* open
      const first = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      const second = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      assert.deepStrictEqual([reads().length, calls.length], [1, 1])
      yield* release(0)
      yield* Fiber.join(first)
      yield* aSecond
      assert.deepStrictEqual([reads().length, calls.length], [2, 2])
      assert.isUndefined(second.pollUnsafe())
      yield* release(1)
      assert.strictEqual(yield* Fiber.join(second), 200)
    })
  })

  it.effect("do not wait for those of another payment", () => {
    const slow = held(() => json(paymentOf(paymentId, order)))
    const { open } = shop({ answer: (request) => (idIn(request) === paymentId ? slow.answer : answerPayment(request)) })
    return Effect.gen(function* () {
      const handle = yield* open
      yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* slow.reached
      assert.strictEqual(yield* handle(notificationOf(parentId)), 200)
    })
  })

  it.effect("that fail do not fail those that wait for the next read", () => {
    const first = held(() => json({}))
    const { open, reported } = shop({
      answer: (request, index) => (index === 0 ? first.answer : answerPayment(request))
    })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      const late = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      yield* first.open
      yield* aSecond
      assert.deepStrictEqual([yield* Fiber.join(early), yield* Fiber.join(late)], [503, 200])
      assert.deepStrictEqual(reasons(reported), ["UnexpectedResponse"])
    })
  })

  it.effect("are processed also when whoever sent them has gone", () => {
    const read = held(() => json(paymentOf(paymentId, order)))
    const { handled, open } = shop({ answer: () => read.answer })
    return Effect.gen(function* () {
      const handle = yield* open
      const gone = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* read.reached
      yield* Fiber.interrupt(gone)
      yield* read.open
      yield* settled
      assert.strictEqual(handled.length, 1)
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
    })
  })

  it.effect("know the order from the moment that the shop knows it", () => {
    const first = held(() => json(paymentOf(paymentId, order)))
    const stored = new Map<number, Order>()
    const { open } = shop({
      answer: (request, index) => (index === 0 ? first.answer : answerPayment(request)),
      expected: (id) => stored.get(id)
    })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      const waiting = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      stored.set(paymentId, order)
      const late = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      yield* first.open
      yield* aSecond
      assert.deepStrictEqual(yield* Fiber.joinAll([early, waiting, late]), [503, 200, 200])
    })
  })

  it.effect("fail together when the round that they share fails, and are told of once", () => {
    const first = held(() => json(paymentOf(paymentId, order)))
    let calls = 0
    const { open, reads, reported } = shop({
      answer: (request, index) => (index === 0 ? first.answer : answerPayment(request)),
      handler: () => (++calls === 1 ? Effect.void : Effect.fail("no database"))
    })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      const late = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.forkChild(handle(notificationOf(paymentId)))
      )
      yield* settled
      yield* first.open
      yield* aSecond
      assert.strictEqual(yield* Fiber.join(early), 200)
      assert.deepStrictEqual(new Set(yield* Fiber.joinAll(late)), new Set([503]))
      assert.strictEqual(reads().length, 2)
      assert.deepStrictEqual(reasons(reported), ["HandlerFailed"])
    })
  })

  it.effect("do not fail because a stranger's fails, which claims another parent for the same charge", () => {
    const first = held(() => json({}))
    const { open, reported } = shop({
      answer: (request, index) => (index === 0 ? first.answer : answerPayment(request)),
      limits: { unknownReadsPerMinute: 0 }
    })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(childId, parentId)))
      yield* first.reached
      const stranger = yield* Effect.forkChild(handle(notificationOf(childId)))
      yield* settled
      const genuine = yield* Effect.forkChild(handle(notificationOf(childId, parentId)))
      yield* settled
      yield* first.open
      yield* aSecond
      assert.deepStrictEqual(yield* Fiber.joinAll([early, stranger, genuine]), [503, 503, 200])
      assert.deepStrictEqual(reasons(reported), ["UnexpectedResponse", "TooManyReads"])
    })
  })

  it.effect.each([
    ["of a known payment, whatever parent they claim", paymentId, [undefined, 1, 2, 3], 1],
    ["of a charge, where they claim the same parent", childId, [parentId, parentId, parentId, parentId], 1]
  ] as const)("share a failure %s", ([, id, claims, failures]) => {
    const first = held(() => json({}))
    const { open, reads, reported } = shop({ answer: (_, index) => (index === 0 ? first.answer : refusal(500, 500)) })
    return Effect.gen(function* () {
      const handle = yield* open
      yield* Effect.forkChild(handle(notificationOf(id, parentId)))
      yield* first.reached
      const others = yield* Effect.forEach(claims, (claim) => Effect.forkChild(handle(notificationOf(id, claim))))
      yield* settled
      yield* first.open
      yield* aSecond
      assert.deepStrictEqual(yield* Fiber.joinAll(others), [503, 503, 503, 503])
      assert.strictEqual(reads().length, 1 + failures)
      assert.strictEqual(reported.length, 1 + failures)
    }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none))
  })

  it.effect("do not share that a stranger's claim could not be checked", () => {
    const first = held(() => json(child))
    const { open } = shop({
      answer: (request, index) => (index === 0 ? first.answer : answerPayment(request)),
      expected: (id) => (id === strangerId ? assert.fail("no database") : orders.get(id))
    })
    return Effect.gen(function* () {
      const handle = yield* open
      yield* Effect.forkChild(handle(notificationOf(childId, parentId)))
      yield* first.reached
      const stranger = yield* Effect.forkChild(handle(notificationOf(childId, strangerId)))
      yield* settled
      const genuine = yield* Effect.forkChild(handle(notificationOf(childId, parentId)))
      yield* settled
      yield* first.open
      yield* aSecond
      assert.deepStrictEqual(yield* Fiber.joinAll([stranger, genuine]), [503, 200])
    })
  })

  it.effect("are woken by no one but themselves, as Cloudflare Workers demand", () => {
    const first = held(() => json(paymentOf(paymentId, order)))
    const { open, reads } = shop({
      answer: (request, index) => (index === 0 ? first.answer : answerPayment(request))
    })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      const late = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      yield* first.open
      assert.strictEqual(yield* Fiber.join(early), 200)
      yield* settled
      assert.isUndefined(late.pollUnsafe())
      assert.strictEqual(reads().length, 1)
      yield* aSecond
      assert.strictEqual(yield* Fiber.join(late), 200)
    })
  })

  it.effect("wait half a minute for a handler that takes long, and never have it called twice at once", () => {
    const { calls, handler, release } = heldHandler()
    const { open, reads, reported } = shop({ handler })
    return Effect.gen(function* () {
      const handle = yield* open
      const slow = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      const impatient = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(impatient.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(impatient), 503)
      assert.deepStrictEqual(reasons(reported), ["PaymentBusy"])
      yield* TestClock.adjust("1 hour")
      const patient = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual([reads().length, calls.length], [1, 1])
      yield* release(0)
      assert.strictEqual(yield* Fiber.join(slow), 200)
      yield* aSecond
      yield* release(1)
      assert.strictEqual(yield* Fiber.join(patient), 200)
      assert.deepStrictEqual([reads().length, calls.length], [2, 2])
    })
  })

  it.effect.each(["expected", "handler", "onError"] as const)(
    "whose %s notifies the shop itself of the same payment end",
    (who) => {
      const inner: Array<number> = []
      let again: Effect.Effect<unknown> = Effect.void
      const once = Effect.suspend(() => {
        const now = again
        again = Effect.void
        return now
      })
      const make = makeNotificationHandler({
        expected: (id) => Effect.as(who === "expected" ? once : Effect.void, orders.get(id)),
        handler: () => (who === "handler" ? once : who === "onError" ? Effect.fail("no database") : Effect.void),
        onError: () => (who === "onError" ? once : Effect.void)
      })
      return Effect.gen(function* () {
        const handle = yield* make
        again = Effect.map(handle(notificationOf(paymentId)), (status) => inner.push(status))
        const outer = yield* Effect.forkChild(handle(notificationOf(paymentId)))
        yield* settled
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* Fiber.join(outer), who === "onError" ? 503 : 200)
        assert.deepStrictEqual(inner, [503])
      }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
    }
  )

  it.effect(
    "do not wait for a request that the runtime has cut off: once it shows no sign of life, the next goes on",
    () => {
      let isCutOff = true
      const { open, reads } = shop({ handler: () => (isCutOff ? Effect.never : Effect.void) })
      return Effect.gen(function* () {
        const handle = yield* open
        yield* Effect.forkChild(cutOff(handle(notificationOf(paymentId))))
        yield* settled
        isCutOff = false
        const next = yield* Effect.forkChild(handle(notificationOf(paymentId)))
        yield* settled
        yield* TestClock.adjust("9 seconds")
        assert.strictEqual(reads().length, 1)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* Fiber.join(next), 200)
        assert.strictEqual(reads().length, 2)
        assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
      })
    }
  )

  it.effect("are all answered with 503 when the scope ends", () => {
    const { calls, handler } = heldHandler()
    const { open, reported } = shop({ handler })
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const handle = yield* Scope.provide(open, scope)
      const underWay = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      const waiting = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      assert.strictEqual(calls.length, 1)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Fiber.joinAll([underWay, waiting]), [503, 503])
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 503)
      assert.deepStrictEqual(reported, [])
    })
  })

  it.effect("find nothing any more of a request that was cut off long ago, but all of one that lives", () => {
    let isCutOff = true
    const { handled, open } = shop({
      handler: ({ payment: { id } }) => (id === parentId || (id === paymentId && isCutOff) ? Effect.never : Effect.void)
    })
    return Effect.gen(function* () {
      const handle = yield* open
      yield* Effect.forkChild(cutOff(handle(notificationOf(paymentId))))
      yield* Effect.forkChild(handle(notificationOf(parentId)))
      yield* settled
      isCutOff = false
      yield* TestClock.adjust("11 minutes")
      assert.strictEqual(yield* handle(notificationOf(childId, parentId)), 200)
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
      const waiting = yield* Effect.forkChild(handle(notificationOf(parentId)))
      yield* settled
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(yield* Fiber.join(waiting), 503)
      assert.deepStrictEqual(
        handled.map(({ payment }) => payment.id),
        [paymentId, parentId, childId, paymentId]
      )
    })
  })

  it.effect("are shared in the same way where every request lives and dies for itself", () => {
    const first = held(() => json(paymentOf(paymentId, order)))
    const { open, reads } = shop({
      answer: (request, index) => (index === 0 ? first.answer : answerPayment(request))
    })
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const handle = yield* Scope.provide(open, scope)
      const kept = () => (scope.state._tag === "Open" ? (scope.state.finalizers?.size ?? 1) : 0)
      const keptAtFirst = kept()
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      const late = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.forkChild(handle(notificationOf(paymentId)))
      )
      yield* settled
      // A request that is cut off never leaves the scope.
      assert.strictEqual(kept(), keptAtFirst)
      yield* first.open
      yield* aSecond
      assert.strictEqual(yield* Fiber.join(early), 200)
      assert.deepStrictEqual(new Set(yield* Fiber.joinAll(late)), new Set([200]))
      assert.strictEqual(reads().length, 2)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 503)
      assert.strictEqual(reads().length, 2)
    }).pipe(Effect.provideService(RequestBound, true))
  })

  it.effect("share the round of whoever comes first, also of one that came later than they", () => {
    const first = held(() => json(paymentOf(paymentId, order)))
    const second = held(() => json(paymentOf(paymentId, order)))
    const { open, reads } = shop({ answer: (_, index) => (index === 0 ? first.answer : second.answer) })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      const waiting = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      yield* first.open
      yield* settled
      const newcomer = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* second.reached
      yield* aSecond
      yield* second.open
      yield* aSecond
      assert.deepStrictEqual(yield* Fiber.joinAll([early, waiting, newcomer]), [200, 200, 200])
      assert.strictEqual(reads().length, 2)
    })
  })

  it.effect("keep their turn, whatever comes for another payment meanwhile", () => {
    const first = held(() => json(paymentOf(paymentId, order)))
    const { open, reads } = shop({ answer: (request, index) => (index === 0 ? first.answer : answerPayment(request)) })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* first.reached
      yield* TestClock.adjust("1500 millis")
      assert.strictEqual(yield* handle(notificationOf(parentId)), 200)
      const late = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      assert.strictEqual(reads().length, 2)
      yield* first.open
      yield* aSecond
      assert.deepStrictEqual(yield* Fiber.joinAll([early, late]), [200, 200])
    })
  })

  it.effect("share what was delivered, whatever parent they claim", () => {
    const first = held(() => json(child))
    const { open, reads } = shop({ answer: (request, index) => (index === 0 ? first.answer : answerPayment(request)) })
    return Effect.gen(function* () {
      const handle = yield* open
      const early = yield* Effect.forkChild(handle(notificationOf(childId, parentId)))
      yield* first.reached
      const late = yield* Effect.forEach([undefined, parentId, paymentId], (claimed) =>
        Effect.forkChild(handle(notificationOf(childId, claimed)))
      )
      yield* settled
      yield* first.open
      yield* aSecond
      assert.deepStrictEqual(yield* Fiber.joinAll([early, ...late]), [200, 200, 200, 200])
      assert.strictEqual(reads().length, 2)
    })
  })

  it.effect("keep their turn also when a request that was given up for dead ends after all", () => {
    const { calls, handler, release } = heldHandler()
    const { open } = shop({ handler })
    return Effect.gen(function* () {
      const handle = yield* open
      yield* Effect.forkChild(cutOff(handle(notificationOf(paymentId))))
      yield* settled
      const next = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* settled
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual(calls.length, 2)
      yield* release(0)
      yield* settled
      const last = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* aSecond
      assert.strictEqual(calls.length, 2)
      yield* release(1)
      yield* aSecond
      yield* release(2)
      assert.deepStrictEqual(yield* Fiber.joinAll([next, last]), [200, 200])
    })
  })
})

describe("the limits", () => {
  type Handle = (request: object) => Effect.Effect<number>

  const statuses = (handle: Handle, requests: ReadonlyArray<object>) => Effect.forEach(requests, handle)

  /** Sends requests all at once. */
  const flood = (handle: Handle, requests: ReadonlyArray<object>) =>
    Effect.forEach(requests, (request) => Effect.tap(Effect.forkChild(handle(request)), settledOnce))

  /** Sends a request at each interval, until the end of the test. */
  const keepSending = (handle: Handle, every: Duration.Input, request: (index: number) => object) => {
    const sendFrom = (index: number): Effect.Effect<never> =>
      Effect.forkDetach(handle(request(index))).pipe(
        Effect.andThen(Effect.sleep(every)),
        Effect.andThen(Effect.suspend(() => sendFrom(index + 1)))
      )
    return Effect.forkChild(sendFrom(0))
  }

  const strangers = Array.from({ length: 40 }, (_, index) => notificationOf(4_000_000_000 + index))

  it.effect("let strangers cause no more reads than allowed, and cost known payments none", () => {
    const { open, reads, reported } = shop({
      answer: (request) => (orders.has(idIn(request)) ? answerPayment(request) : json({ ...child, id: idIn(request) })),
      expected: (id) => (id === parentId ? undefined : orders.get(id)),
      limits: { unknownReadsPerMinute: 5, knownReadsPerMinute: 3 }
    })
    return Effect.gen(function* () {
      const handle = yield* open
      const answers = yield* flood(handle, strangers)
      assert.strictEqual(reads().length, 2)
      assert.deepInclude(reported.at(-1)?.[0].reason, { _tag: "TooManyReads", limit: "unknownReadsPerMinute" })
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(new Set(yield* Fiber.joinAll(answers)), new Set([503]))
      assert.strictEqual(reads().length, 4)
      for (let second = 20; second < 59; second++) {
        yield* flood(handle, strangers)
        yield* TestClock.adjust("1 second")
      }
      assert.isAtMost(reads().length, 6)
    })
  })

  it.effect("count each known payment for itself", () => {
    const { open, reads, reported } = shop({ limits: { knownReadsPerMinute: 2 } })
    const again = Array.from({ length: 3 }, () => notificationOf(paymentId))
    return Effect.gen(function* () {
      const handle = yield* open
      // The second read of the minute is too far away to be waited for.
      assert.deepStrictEqual(yield* statuses(handle, again), [200, 503, 503])
      assert.deepInclude(reported[0]?.[0].reason, { _tag: "TooManyReads", limit: "knownReadsPerMinute", paymentId })
      assert.strictEqual(yield* handle(notificationOf(parentId)), 200)
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 503)
      yield* TestClock.adjust("21 seconds")
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
      assert.strictEqual(reads().length, 3)
    })
  })

  it.effect.each([
    ["the same", (): number | undefined => undefined],
    ["another parent each time", (index: number): number | undefined => 5_000_000_000 + index]
  ] as const)(
    "put off, and never refuse, what comes for a known payment while strangers name it, claiming %s",
    ([, claim]) => {
      const { handled, open, reads, reported } = shop()
      return Effect.gen(function* () {
        const handle = yield* open
        yield* keepSending(handle, "50 millis", (index) => notificationOf(paymentId, claim(index)))
        yield* TestClock.adjust("20 seconds")
        for (let round = 0; round < 10; round++) {
          const before = reads().length
          const genuine = yield* Effect.forkChild(handle(notificationOf(paymentId)))
          yield* TestClock.adjust("5 seconds")
          assert.strictEqual(yield* Fiber.join(genuine), 200)
          assert.isAbove(reads().length, before)
        }
        assert.isAtMost(reads().length, 2 * 30)
        assert.strictEqual(handled.length, reads().length)
        assert.deepStrictEqual(reported, [])
      })
    }
  )

  it.effect("have all that come for a payment meanwhile share one read, which begins after they came", () => {
    const { open, reads } = shop({ limits: { knownReadsPerMinute: 10 } })
    return Effect.gen(function* () {
      const handle = yield* open
      assert.deepStrictEqual(new Set(yield* statuses(handle, Array(5).fill(notificationOf(paymentId)))), new Set([200]))
      const early = yield* flood(handle, Array(20).fill(notificationOf(paymentId)))
      yield* TestClock.adjust("9 seconds")
      const late = yield* flood(handle, Array(20).fill(notificationOf(paymentId)))
      assert.strictEqual(reads().length, 5)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(new Set(yield* Fiber.joinAll([...early, ...late])), new Set([200]))
      assert.strictEqual(reads().length, 6)
    })
  })

  it.effect("put off what comes also where every request lives and dies for itself", () => {
    const { open, reads } = shop({ limits: { knownReadsPerMinute: 10 } })
    return Effect.gen(function* () {
      const handle = yield* open
      yield* statuses(handle, Array(5).fill(notificationOf(paymentId)))
      // Of these, the first is cut off: the read that it waited for is another's.
      yield* Effect.forkChild(cutOff(handle(notificationOf(paymentId))))
      yield* settled
      const next = yield* Effect.forkChild(handle(notificationOf(paymentId)))
      yield* TestClock.adjust("12 seconds")
      assert.strictEqual(yield* Fiber.join(next), 200)
      assert.strictEqual(reads().length, 6)
    }).pipe(Effect.provideService(RequestBound, true))
  })

  /** Requests of strangers who know the id of one payment, and claim that each of theirs is a charge of it. */
  const claimsOn = (parent: number, count = 40) =>
    Array.from({ length: count }, (_, index) => notificationOf(4_000_000_000 + index, parent))

  it.effect("let no one who claims to be a charge of a known payment starve that payment", () => {
    const { open, reads, reported } = shop()
    return Effect.gen(function* () {
      const handle = yield* open
      yield* flood(handle, claimsOn(parentId, 400))
      yield* settled
      assert.strictEqual(reads().length, 150)
      assert.deepInclude(reported.at(-1)?.[0].reason, { _tag: "TooManyReads", limit: "claimedReadsPerMinute" })
      assert.strictEqual(yield* handle(notificationOf(parentId)), 200)
    })
  })

  it.effect.each([40, 195])(
    "let %d who claim to be a charge of a known payment delay its genuine charge at most",
    (count) => {
      const { handled, open } = shop()
      return Effect.gen(function* () {
        const handle = yield* open
        yield* flood(handle, claimsOn(parentId, count))
        const genuine = yield* Effect.forkChild(handle(notificationOf(childId, parentId)))
        yield* TestClock.adjust("20 seconds")
        assert.strictEqual(yield* Fiber.join(genuine), 200)
        assert.deepStrictEqual(
          handled.map(({ payment }) => payment.id),
          [childId]
        )
      })
    }
  )

  it.effect("let half a request a second keep no known payment from the shop", () => {
    const { handled, open } = shop()
    return Effect.gen(function* () {
      const handle = yield* open
      for (let second = 0; second < 1200; second += 2) {
        yield* handle(notificationOf(5_000_000_000 + second, parentId))
        if (second % 200 === 100) assert.strictEqual(yield* handle(notificationOf(parentId)), 200)
        yield* TestClock.adjust("2 seconds")
      }
      assert.strictEqual(handled.length, 6)
    })
  })

  it.effect("count a charge for itself as soon as the gateway has confirmed its parent", () => {
    const { open } = shop()
    return Effect.gen(function* () {
      const handle = yield* open
      assert.strictEqual(yield* handle(notificationOf(childId, parentId)), 200)
      yield* flood(handle, claimsOn(parentId, 400))
      yield* flood(handle, strangers)
      assert.strictEqual(yield* handle(notificationOf(childId, parentId)), 200)
      assert.strictEqual(yield* handle(notificationOf(childId)), 200)
    })
  })

  it.effect("count a charge whose parent the gateway denies as claimed, however often it comes", () => {
    const { open, reads } = shop({ limits: { claimedReadsPerMinute: 1 } })
    return Effect.gen(function* () {
      const handle = yield* open
      assert.deepStrictEqual(
        yield* statuses(handle, [notificationOf(strangerId, parentId), notificationOf(strangerId, parentId)]),
        [503, 503]
      )
      assert.strictEqual(reads().length, 1)
    })
  })

  it.effect("count those who claim one parent apart from those who claim another, and from all strangers", () => {
    const { open } = shop({ limits: { claimedReadsPerMinute: 2, unknownReadsPerMinute: 2 } })
    return Effect.gen(function* () {
      const handle = yield* open
      yield* statuses(handle, strangers)
      yield* statuses(handle, claimsOn(paymentId))
      assert.strictEqual(yield* handle(notificationOf(childId)), 503)
      assert.strictEqual(yield* handle(notificationOf(childId, paymentId)), 503)
      assert.strictEqual(yield* handle(notificationOf(childId, parentId)), 200)
    })
  })

  it.effect("are not lengthened by a clock that jumps back", () => {
    const { open } = shop({ limits: { knownReadsPerMinute: 1 } })
    return Effect.gen(function* () {
      yield* TestClock.setTime(10_000_000)
      const handle = yield* open
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
      yield* TestClock.setTime(1_000)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* handle(notificationOf(paymentId)), 200)
    })
  })

  it.effect.each([-1, 1.5, Number.NaN, Infinity])("must be whole numbers: %d", (limit) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(shop({ limits: { unknownReadsPerMinute: limit } }).open)
      assert.include(String(exit), "limits.unknownReadsPerMinute")
    })
  )
})

it.effect.each([
  ["InvalidNotification", "Debug"],
  ["UnknownPayment", "Debug"],
  ["TooManyReads", "Debug"],
  ["PaymentBusy", "Error"],
  ["HandlerFailed", "Error"]
] as const)(
  "a notification that is not processed (%s) is told to the log, quietly where anyone can cause it: %s",
  ([_tag, level]) => {
    const recorder = record()
    const details = { paymentId: 1, message: "m", parameter: "id", limit: "unknownReadsPerMinute" } as const
    return Effect.gen(function* () {
      yield* logFailure({ reason: { _tag, ...details } }, { id: 1 })
      assert.deepStrictEqual(
        recorder.logs.map(({ annotations, level }) => [level, annotations]),
        [[level, { "error.type": _tag, "gopay.payment_id": "1" }]]
      )
    }).pipe(Effect.provide(recorder.layer))
  }
)
