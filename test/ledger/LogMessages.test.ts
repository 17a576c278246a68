/**
 * What a ledger's calls say in the log.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { OnUnknownOutcome } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { record } from "../support/Recorder.js"
import { inWorld, order, paid, refunded, type World } from "./World.js"

const { goid } = LocalGateway.merchant

const loseResponse = (operation: "createPayment" | "refundPayment") =>
  Effect.orDie(LocalGateway.armFault({ type: "connectionReset", effect: "committed" }, { operation }))

/** Runs a call, while time passes. */
const inTime = <A, E, R>({ pass }: Pick<World, "pass">, call: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(call)
    while (fiber.pollUnsafe() === undefined) {
      yield* Effect.yieldNow
      yield* pass("1 second")
    }
    return yield* Fiber.join(fiber)
  })

const patient = { waitAtMost: "1 minute" } as const

describe("a change of a ledger whose response is lost", () => {
  it.effect("warns of nothing, is named by its key, and is told of again when it is found", () => {
    const recorder = record("Info")
    return inWorld((world) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* loseResponse("refundPayment")
        const refund = world.ledger.refund("a", id, { amount: 500 }, patient)
        assert.strictEqual((yield* inTime(world, Effect.provide(refund, recorder.layer)))._tag, "Done")
        assert.deepStrictEqual(yield* refunded(id), [500])
        const [message, known] = recorder.logs
        assert.lengthOf(recorder.logs, 2)
        assert.strictEqual(known?.level, "Info")
        assert.include(String(known?.message), "The outcome of a change is known: it was made")
        assert.deepInclude(known?.annotations, {
          "gopay.goid": String(goid),
          "gopay.operation": "refundPayment",
          "gopay.payment_id": String(id),
          "gopay.ledger.key": "a"
        })
        assert.strictEqual(message?.level, "Info")
        assert.include(String(message?.message), "The outcome of a change is unknown: the ledger finds out")
        assert.deepInclude(message?.annotations, {
          "gopay.goid": String(goid),
          "gopay.operation": "refundPayment",
          "gopay.payment_id": String(id),
          "gopay.ledger.key": "a",
          "error.type": "ECONNRESET"
        })
      })
    )
  })

  it.effect("is named by its order, if it is a payment", () => {
    const recorder = record("Info")
    return inWorld((world) =>
      Effect.gen(function* () {
        yield* loseResponse("createPayment")
        const checkout = world.ledger.checkout("7", { amount: 100_000, currency: "CZK", callback: order.callback })
        yield* inTime(world, Effect.provide(checkout, recorder.layer))
        assert.deepStrictEqual(
          recorder.logs.map(({ annotations, level }) => [level, annotations["gopay.order_number"]]),
          [["Info", "7"]]
        )
      })
    )
  })

  it.effect("does not go to the store of the caller's own changes: the ledger finds out", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* loseResponse("refundPayment")
        const stored: Array<unknown> = []
        const refund = Effect.provideService(
          world.ledger.refund("a", id, { amount: 500 }, patient),
          OnUnknownOutcome,
          (change) => Effect.sync(() => stored.push(change))
        )
        assert.strictEqual((yield* inTime(world, refund))._tag, "Done")
        assert.deepStrictEqual(stored, [])
      })
    )
  )
})
