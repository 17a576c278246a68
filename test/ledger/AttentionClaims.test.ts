/**
 * Several processes run the worker: one of them notifies an operator of an item, and another one does where that one ends.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { captureLog } from "../support/LogGuard.js"
import * as Outsider from "./Outsider.js"
import { inWorld, type TestProcess, type World } from "./World.js"

/** Only records it: its steps are made when the test says so. */
const later = { waitAtMost: 0 }

/** Items that no one has been notified of: of a change, of an order, of a change that cannot be read, and of the ledger. */
const needed = ({ ledger, store }: World) =>
  Effect.gen(function* () {
    for (const key of ["change", "bad"]) yield* ledger.refund(key, 4, { amount: 500 }, later)
    yield* ledger.checkout("1", { amount: 500, currency: "CZK", callback: { return_url: "https://shop.example" } })
    yield* Outsider.leaveInDoubt(store)
    yield* Outsider.writeUnknownOperation(store, "bad")
    yield* Outsider.payLate(store)
    yield* Outsider.pauseLongAgo(store)
  })

const kinds = ["InDoubt", "PaidLate", "SendingStopped", "UnreadableRow"]

const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 60; turn++) await new Promise(setImmediate)
})

/** Lets the processes work for some seconds. */
const working = ({ pass }: World, processes: ReadonlyArray<TestProcess>, seconds: number) =>
  Effect.gen(function* () {
    const workers = yield* Effect.forEach(processes, (one) => Effect.forkChild(one.runWorker))
    for (let time = 0; time < seconds; time += 5) {
      yield* settled
      yield* pass("5 seconds")
    }
    yield* settled
    yield* Fiber.interruptAll(workers)
  })

describe("an item that needs an operator", () => {
  it.effect("is told by one of the processes, however long that takes", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        yield* needed(world)
        const reported: Array<string> = []
        const makeProcess = (name: string) =>
          world.makeProcess({
            onAttention: ({ kind }) =>
              Effect.andThen(
                Effect.sync(() => void reported.push(`${kind} ${name}`)),
                Effect.sleep("90 seconds")
              )
          })
        const processes = [yield* makeProcess("one"), yield* makeProcess("other")]
        yield* working(world, processes, 150)
        assert.deepStrictEqual(reported.map((one) => one.replace(/ .*/, "")).toSorted(), kinds)
        for (const one of processes) yield* one.kill
      })
    )
  )

  it.effect("of which its process was killed is told by another one a minute later, and only once more", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        yield* needed(world)
        const reported: Array<string> = []
        const killed = yield* world.makeProcess({
          onAttention: ({ kind }) =>
            Effect.andThen(
              Effect.sync(() => void reported.push(`killed ${kind}`)),
              Effect.never
            )
        })
        yield* working(world, [killed], 20)
        yield* killed.kill
        const others = yield* Effect.forEach([1, 2], () =>
          world.makeProcess({ onAttention: ({ kind }) => Effect.sync(() => void reported.push(kind)) })
        )
        yield* working(world, others, 40)
        assert.deepStrictEqual(
          reported.toSorted(),
          kinds.map((kind) => `killed ${kind}`)
        )
        yield* working(world, others, 60)
        assert.deepStrictEqual(reported.slice(kinds.length).toSorted(), kinds)
        for (const one of others) yield* one.kill
      })
    )
  )

  it.effect("of which onAttention fails is left to whoever tries next", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onAttention of the ledger failed/)
        yield* needed(world)
        const reported: Array<string> = []
        const failing = yield* world.makeProcess({ onAttention: () => Effect.die(new Error("no mail server")) })
        yield* working(world, [failing], 10)
        const other = yield* world.makeProcess({
          onAttention: ({ kind }) => Effect.sync(() => void reported.push(kind))
        })
        yield* working(world, [other], 5)
        assert.deepStrictEqual(reported.toSorted(), kinds)
        yield* failing.kill
        yield* other.kill
      })
    )
  )

  it.effect("of which onAttention fails is tried again after pauses that double, up to an hour", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        captureLog(/^onAttention of the ledger failed/)
        yield* needed(world)
        const times: Array<number> = []
        const failing = yield* world.makeProcess({
          onAttention: ({ kind }) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              if (kind === "PaidLate") times.push(now / 1_000)
              return Effect.die(new Error("no mail server"))
            })
        })
        const working = (steps: number, step: Duration.Input) =>
          Effect.gen(function* () {
            for (let count = 0; count < steps; count++) {
              yield* failing.runOnce()
              yield* settled
              yield* world.pass(step)
            }
          })
        yield* working(64, "10 seconds")
        const pauses = () => times.slice(1).map((time, index) => time - (times[index] ?? 0))
        assert.deepStrictEqual(pauses(), [10, 20, 40, 80, 160, 320])
        yield* working(72, "10 minutes")
        assert.deepStrictEqual(pauses().slice(-3), [3_600, 3_600, 3_600])
        yield* failing.kill
      })
    )
  )
})
