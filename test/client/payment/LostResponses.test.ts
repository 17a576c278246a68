/**
 * Changes of a local gateway whose responses are lost: none is made twice, and what can be found out of each is found out.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Client from "../../../src/index.js"
import { type LosableChange, losableChanges, paid, preauthorized, sending } from "../../support/LosableChanges.js"
import { makeLossyGateway } from "../../support/LossyGateway.js"
import { payment as order } from "../../support/OperationPrograms.js"

const changes = Object.entries(losableChanges)

describe("what is found of a change whose response was lost", () => {
  /** By what became of it: carried out, not carried out, and carried out after one has looked. */
  const expected: {
    readonly [operation in Client.ChangeOperation]: readonly [done: string, notDone: string]
  } = {
    createPayment: ["CannotTell", "CannotTell"],
    refundPayment: ["Happened", "NotSeenYet"],
    createRecurrence: ["Happened", "CannotTell"],
    voidRecurrence: ["StateReached", "NotSeenYet"],
    captureAuthorization: ["StateReached", "NotSeenYet"],
    captureAuthorizationPartial: ["StateReached", "NotSeenYet"],
    voidAuthorization: ["StateReached", "NotSeenYet"],
    deleteCard: ["StateReached", "NotSeenYet"]
  }

  const found = ({ learned, record }: LosableChange) =>
    Effect.gen(function* () {
      // As after a crash: nothing is left but what was stored.
      const stored = yield* Client.ChangeRecord.parse(JSON.stringify(record))
      return (yield* Client.reconcile({ ...stored, ...(yield* learned) }))._tag
    })

  it.effect.each(changes)("%s", ([name, prepared]) =>
    Effect.gen(function* () {
      const [, [done, notDone] = []] = Object.entries(expected).find(([operation]) => operation === name) ?? []
      for (const [fate, soon, later] of [
        ["answer lost", done, done],
        ["answer garbled", done, done],
        ["lost", notDone, notDone],
        ["late", notDone, done]
      ] as const) {
        const gateway = makeLossyGateway()
        yield* Effect.gen(function* () {
          yield* TestClock.setTime(sending.sentAt.getTime())
          const ready = yield* prepared
          const before = { arrived: gateway.arrived(), effects: yield* ready.effects }
          gateway.next(fate)
          const { reason } = yield* Effect.flip<unknown, Client.GatewayError, Client.Gateway>(ready.change)
          assert.strictEqual(reason._tag, "OutcomeUnknown")
          assert.strictEqual(yield* found(ready), soon, fate)
          yield* Effect.orDie(gateway.arriveLate)
          const arrived = gateway.arrived() - before.arrived
          assert.strictEqual(arrived, fate === "lost" ? 0 : 1, fate)
          assert.strictEqual((yield* ready.effects) - before.effects, arrived, fate)
          assert.strictEqual(yield* found(ready), later, fate)
        }).pipe(Effect.provide(gateway.layer))
      }
    })
  )

  it.effect("a full refund is seen by the payment's state, with no more than its error carries", () => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      const id = yield* paid()
      gateway.next("answer lost")
      const { reason } = yield* Effect.flip(Client.refundPayment(id, { amount: order.amount }))
      const change = reason._tag === "OutcomeUnknown" ? reason.change : assert.fail(reason._tag)
      assert.deepInclude(yield* Client.reconcile(change), { _tag: "StateReached", state: "REFUNDED" })
    }).pipe(Effect.provide(gateway.layer))
  })

  it.effect("the opposite having been done rules a capture and a release out", () => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      const captured = yield* preauthorized
      yield* Client.captureAuthorization(captured)
      const release = Client.ChangeRecord.voidAuthorization(captured, sending)
      assert.deepInclude(yield* Client.reconcile(release), { _tag: "DidNotHappen", state: "CAPTURED" })
      const released = yield* preauthorized
      yield* Client.voidAuthorization(released)
      const capture = Client.ChangeRecord.captureAuthorization(released, sending)
      assert.deepInclude(yield* Client.reconcile(capture), { _tag: "DidNotHappen", state: "CANCELED" })
    }).pipe(Effect.provide(gateway.layer))
  })

  it.effect("nothing is changed by looking", () => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      for (const prepared of Object.values(losableChanges)) {
        const { record } = yield* prepared
        const before = gateway.arrived()
        yield* Client.reconcile(record)
        assert.strictEqual(gateway.arrived(), before)
      }
    }).pipe(Effect.provide(gateway.layer))
  })
})
