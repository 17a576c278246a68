/**
 * What a worker does when something is slow, cannot be read, or keeps it from sending.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { request } from "./OrderBooks.js"
import { inWorld, paid, refunded } from "./World.js"

/** Only records it: its steps are made when the test says so. */
const later = { waitAtMost: 0 }

/** Lets what is under way go on as far as it can without time. */
const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
})

describe("a slow response", () => {
  it.effect("delays no other refund: whichever place is free takes the next one that is due", () =>
    inWorld(({ hooks, ledger, makeProcess, sent }) =>
      Effect.gen(function* () {
        const worker = yield* makeProcess({ concurrency: 2 })
        const response = yield* Deferred.make<void>()
        hooks.push(Deferred.await(response))
        const ids = yield* Effect.forEach([1, 2, 3, 4, 5], () => paid)
        for (const [index, id] of ids.entries()) yield* ledger.refund(`key-${index}`, id, { amount: 500 }, later)
        const run = yield* Effect.forkChild(worker.runOnce())
        while (sent.length < 5) yield* settled
        yield* settled
        for (const [index] of ids.entries()) {
          assert.deepInclude(yield* ledger.outcome(`key-${index}`), { _tag: index === 0 ? "Pending" : "Done" })
        }
        yield* Deferred.succeed(response, undefined)
        assert.isAtLeast(yield* Fiber.join(run), 5)
        assert.deepInclude(yield* ledger.outcome("key-0"), { _tag: "Done" })
      })
    )
  )

  it.effect("does not keep a working process from a refund that is asked for meanwhile", () =>
    inWorld(({ hooks, ledger, makeProcess, pass, sent }) =>
      Effect.gen(function* () {
        const worker = yield* makeProcess({ concurrency: 2, pollEvery: "1 second" })
        const response = yield* Deferred.make<void>()
        hooks.push(Deferred.await(response))
        yield* ledger.refund("slow", yield* paid, { amount: 500 }, later)
        const work = yield* Effect.forkChild(worker.work)
        while (sent.length < 1) yield* settled
        const id = yield* paid
        yield* ledger.refund("quick", id, { amount: 500 }, later)
        yield* settled
        yield* pass("1 second")
        while (sent.length < 2) yield* settled
        yield* settled
        assert.deepStrictEqual(yield* refunded(id), [500])
        yield* Deferred.succeed(response, undefined)
        yield* Fiber.interrupt(work)
      })
    )
  )
})

describe("a slow read of a payment", () => {
  it.effect("delays no refund", () =>
    inWorld(({ ledger, listed, makeProcess, pass, reads, sent }) =>
      Effect.gen(function* () {
        const worker = yield* makeProcess({ pollEvery: "1 second" })
        yield* ledger.order("1", request)
        yield* pass("2 minutes")
        const response = yield* Deferred.make<void>()
        listed.afterRead = Deferred.await(response)
        const work = yield* Effect.forkChild(worker.work)
        while (reads.length < 1) yield* settled
        const id = yield* paid
        yield* ledger.refund("quick", id, { amount: 500 }, later)
        yield* settled
        yield* pass("1 second")
        while (sent.length < 1) yield* settled
        yield* settled
        assert.deepStrictEqual(yield* refunded(id), [500])
        yield* Deferred.succeed(response, undefined)
        yield* Fiber.interrupt(work)
      })
    )
  )
})
