/**
 * A gateway that is away for several payments in a row: nothing is begun until a read works.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Gateway } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { isInARow, pauseAfter, withFailure } from "../../src/ledger/change/Breaker.js"
import * as Outsider from "./Outsider.js"
import { held, inWorld, paid, type TestLedger, type World } from "./World.js"

const run = <A, E>(test: (world: World) => Effect.Effect<A, E, Gateway | LocalGateway>) => inWorld(test)

const away = Effect.orDie(
  LocalGateway.armRandomFaults({ seed: 1, probability: 1, faults: [{ type: "connectionReset", effect: "none" }] })
)

/** Makes the steps that are due, as time passes. */
const work = ({ pass }: World, ledger: TestLedger) =>
  Effect.gen(function* () {
    const working = yield* Effect.forkChild(ledger.runOnce())
    while (working.pollUnsafe() === undefined) {
      yield* Effect.yieldNow
      yield* pass("1 second")
    }
    return yield* Fiber.join(working)
  })

const refundOf = (ledger: TestLedger, key: string, id: number) =>
  ledger.refund(key, id, { amount: 500 }, { waitAtMost: 0 })

const outcomes = (ledger: TestLedger, keys: ReadonlyArray<string>) =>
  Effect.forEach(keys, (key) => Effect.map(ledger.getOutcome(key), (outcome) => outcome?._tag))

/** How many requests have reached the gateway. */
const requests = Effect.map(LocalGateway.listRequests, ({ length }) => length)

describe("a gateway that is away", () => {
  it.effect("is known to be so by three payments that wait for one token", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess()
        for (const key of ["a", "b", "c"]) yield* refundOf(ledger, key, yield* paid)
        yield* away
        yield* work(world, ledger)
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "GatewayAway" })
      })
    )
  )

  it.effect("is asked by one probe at a time once three payments have failed, and all goes on when it is back", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, makeProcess, pass } = world
        const other = yield* makeProcess()
        const keys = ["a", "b", "c", "d", "e", "f"]
        for (const key of keys.slice(0, 3)) yield* refundOf(ledger, key, yield* paid)
        const later = yield* Effect.forEach(keys.slice(3), () => paid)
        yield* away
        yield* work(world, ledger)
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "GatewayAway" })

        for (const [index, id] of later.entries()) yield* refundOf(other, keys[index + 3] ?? "", id)
        const before = yield* requests
        yield* work(world, other)
        assert.strictEqual(yield* requests, before)
        yield* pass("31 seconds")
        yield* work(world, other)
        // One read, with what the client repeats of it, and not one for each change.
        const probes = (yield* requests) - before
        assert.isAbove(probes, 0)
        assert.isAtMost(probes, 3)
        assert.deepInclude(yield* other.getHealth, { isSending: false, reason: "GatewayAway" })

        yield* Effect.orDie(LocalGateway.disarmFaults())
        for (let minute = 0; minute < 10; minute++) {
          yield* pass("1 minute")
          yield* work(world, ledger)
        }
        assert.deepStrictEqual(
          yield* outcomes(ledger, keys),
          keys.map(() => "Done")
        )
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
      })
    )
  )

  it.effect("is not, if it is one payment that fails again and again", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* paid
        const sound = yield* paid
        yield* refundOf(ledger, "a", id)
        yield* away
        for (let minute = 0; minute < 5; minute++) {
          yield* work(world, ledger)
          yield* pass("1 minute")
        }
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
        yield* Effect.orDie(LocalGateway.disarmFaults())
        yield* refundOf(ledger, "b", sound)
        yield* work(world, ledger)
        assert.deepStrictEqual(yield* outcomes(ledger, ["b"]), ["Done"])
      })
    )
  )

  it.effect("is not, if others work in between", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        for (const key of ["a", "b", "c"]) {
          yield* refundOf(ledger, key, yield* paid)
          yield* away
          yield* work(world, ledger)
          yield* Effect.orDie(LocalGateway.disarmFaults())
          yield* refundOf(ledger, `${key} works`, yield* paid)
          yield* work(world, ledger)
        }
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
      })
    )
  )
})

/** Lets a worker work for some seconds. */
const working = ({ pass }: World, ledger: TestLedger, seconds: number) =>
  Effect.gen(function* () {
    const work = yield* Effect.forkChild(ledger.runWorker)
    for (let second = 0; second < seconds; second++) {
      yield* settled
      yield* pass("1 second")
    }
    yield* settled
    yield* Fiber.interrupt(work)
  })

/** Lets what is under way go on as far as it can without time. */
const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 150; turn++) await new Promise(setImmediate)
})

const countOf = (ledger: TestLedger, keys: ReadonlyArray<string>, tag: string) =>
  Effect.map(outcomes(ledger, keys), (found) => found.filter((one) => one === tag).length)

const keysOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`)

describe("payments whose reads fail", () => {
  it.effect.each([3, 5, 10])("alone, %d of them, hold up none of ten that are healthy", (count) =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, listed, makeProcess } = world
        const other = yield* makeProcess()
        const broken = new Set<string>()
        for (const key of keysOf("broken", count)) {
          const id = yield* paid
          broken.add(String(id))
          yield* refundOf(ledger, key, id)
        }
        listed.fails = ({ method, pathname }) =>
          method === "GET" && pathname.split("/").some((part) => broken.has(part)) ? 500 : undefined
        // They fail again and again, alone, before the others come.
        yield* working(world, other, 5)
        const healthy = keysOf("healthy", 10)
        for (const key of healthy) yield* refundOf(ledger, key, yield* paid)
        yield* working(world, ledger, 12)
        assert.strictEqual(yield* countOf(ledger, healthy, "Done"), 10)
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
      })
    )
  )

  it.effect("since another merchant's gateway is dead hold up nothing of this merchant's", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, makeProcess } = world
        const other = yield* makeProcess({ merchant: { goid: 8_999_999_999 } })
        const keys = keysOf("own", 5)
        for (const key of keys) yield* refundOf(ledger, key, yield* paid)
        for (const [index, key] of keysOf("other", 5).entries()) yield* refundOf(other, key, 4 + index)
        world.listed.fails = () => 503
        yield* working(world, other, 5)
        assert.deepInclude(yield* other.getHealth, { isSending: false, reason: "GatewayAway" })
        world.listed.fails = () => undefined
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
        yield* working(world, ledger, 3)
        assert.strictEqual(yield* countOf(ledger, keys, "Done"), 5)
      })
    )
  )
})

describe("changes that fail while reads work", () => {
  it.effect("leave some in doubt and hold up the rest, for refunds and captures each, until a real one works", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, listed, sent } = world
        const [refunds, captures] = [keysOf("refund", 40), keysOf("capture", 40)]
        for (const key of refunds) yield* refundOf(ledger, key, yield* paid)
        for (const key of captures) yield* ledger.capture(key, yield* held, { waitAtMost: 0 })
        listed.fails = ({ method, pathname }) =>
          method === "POST" && /refund|capture/.test(pathname) ? 503 : undefined
        yield* working(world, ledger, 15)
        // At most eight are sent at once, and one later.
        assert.isAtMost(sent.filter((name) => name === "refund").length, 9)
        assert.isAtMost(sent.filter((name) => name === "capture").length, 9)
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "GatewayAway" })
        listed.fails = () => undefined
        yield* working(world, ledger, 90)
        assert.isAtLeast(yield* countOf(ledger, refunds, "Done"), 31)
        assert.isAtLeast(yield* countOf(ledger, captures, "Done"), 31)
        assert.deepInclude(yield* ledger.getHealth, { isSending: true })
      })
    )
  )

  it.effect("of one operation hold up no other one, and are tried one by one after growing pauses", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, listed, sent } = world
        const [refunds, captures] = [keysOf("refund", 20), keysOf("capture", 20)]
        for (const key of refunds) yield* refundOf(ledger, key, yield* paid)
        listed.fails = ({ method, pathname }) => (method === "POST" && pathname.endsWith("/refund") ? 503 : undefined)
        yield* working(world, ledger, 5)
        const first = sent.length
        for (const key of captures) yield* ledger.capture(key, yield* held, { waitAtMost: 0 })
        yield* working(world, ledger, 5)
        assert.strictEqual(yield* countOf(ledger, captures, "Done"), 20)
        yield* working(world, ledger, 140)
        // After 10, 20, 40 and 80 seconds.
        const probes = sent.filter((name) => name === "refund").length - first
        assert.isAtLeast(probes, 2)
        assert.isAtMost(probes, 4)
      })
    )
  )

  it.effect("let a capture pass whose hold is about to end", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, listed, pass, store } = world
        const id = yield* held
        yield* ledger.operator.adoptPayment("1", id)
        for (const key of keysOf("capture", 4)) yield* ledger.capture(key, yield* held, { waitAtMost: 0 })
        listed.fails = ({ method, pathname }) => (method === "POST" && pathname.endsWith("/capture") ? 503 : undefined)
        yield* working(world, ledger, 3)
        listed.fails = () => undefined
        yield* Outsider.postponeProbe(store, 100_000_000)
        yield* ledger.capture("waits", yield* held, { waitAtMost: 0 })
        yield* ledger.capture("ends", id, { waitAtMost: 0 })
        yield* work(world, ledger)
        assert.deepStrictEqual(yield* outcomes(ledger, ["waits", "ends"]), ["Pending", "Pending"])
        yield* Outsider.ageHolds(store, 91)
        yield* pass("1 minute")
        yield* work(world, ledger)
        assert.deepStrictEqual(yield* outcomes(ledger, ["ends"]), ["Done"])
      })
    )
  )
})

describe("failures in a row", () => {
  const failures = (...at: ReadonlyArray<readonly [id: string, at: number]>) =>
    at.reduce<ReturnType<typeof withFailure> | undefined>(
      (known, [paymentId, now]) => withFailure(known, paymentId, now),
      undefined
    )

  it.each([
    ["of three payments", failures(["1", 0], ["2", 1], ["3", 2]), true],
    ["of two payments, however often", failures(["1", 0], ["2", 1], ["1", 2], ["2", 3]), false],
    ["of three payments, minutes apart", failures(["1", 0], ["2", 100_000], ["3", 200_000]), false],
    [
      "of three payments of which one failed again",
      failures(["1", 0], ["2", 100_000], ["1", 150_000], ["3", 151_000]),
      true
    ]
  ] as const)("%s", (_, failing, expected) => {
    assert.strictEqual(failing !== undefined && isInARow(failing), expected)
  })

  it("are followed by ever longer pauses, of five minutes at most", () => {
    assert.deepStrictEqual([0, 1, 2, 5, 50].map(pauseAfter), [10_000, 20_000, 40_000, 300_000, 300_000])
  })
})
