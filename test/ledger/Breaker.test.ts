/**
 * A gateway that is away for several payments in a row: nothing is begun until a read works.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Gateway } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { inWorld, paid, type TestLedger, type World } from "./World.js"

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
