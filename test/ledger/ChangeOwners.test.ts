/**
 * Whoever takes a refund of the gateway's list or the payment of a charge for theirs, one of them does: two changes are never
 * bound to the same one.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createRecurrence } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import type { ChangeResolution } from "../../src/ledger/index.js"
import { idOf, request } from "./OrderBooks.js"
import { arm, charge, first, lost } from "./RecurrenceScene.js"
import { inWorld, refundedByHand, type TestLedger, type World } from "./World.js"

const later = { waitAtMost: 0 }

/**
 * Two refunds that wait, perhaps behind one that was sent and is in doubt, and a refund of the same amount in the gateway's list:
 * it may be any of them, or none.
 */
const scene = ({ ledger, pass }: World, isInDoubt: boolean) =>
  Effect.gen(function* () {
    const id = idOf(yield* ledger.checkout("1", request))
    yield* LocalGateway.payByCard(id)
    if (isInDoubt) {
      yield* LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
      yield* ledger.refund("sent", id, { amount: 500 }, later)
      yield* ledger.runOnce()
    }
    for (const key of ["queued", "waiting"]) yield* ledger.refund(key, id, { amount: 500 }, later)
    const entry = yield* refundedByHand(id, 500)
    yield* pass("10 minutes")
    return { id, refundId: entry.id }
  }).pipe(Effect.orDie)

type Scene = Effect.Success<ReturnType<typeof scene>>

interface Taker {
  readonly take: (world: World, scene: Scene) => Effect.Effect<unknown, unknown>
  /** The statement by which it takes the refund. */
  readonly writes: RegExp
  /** Whether it takes it for the one that was sent. */
  readonly isOfSent: boolean
}

const bound = /UPDATE gopay_change SET .*entry = \?/s

const decided = (as: ChangeResolution["as"], key: string): Taker => ({
  take: ({ ledger }, { refundId }) =>
    Effect.flatMap(ledger.operator.getChange(key), (change) =>
      ledger.operator.resolveChange(key, {
        version: change?.version ?? 0,
        as,
        refundId,
        by: "Jana",
        note: "It is this one."
      })
    ),
  writes: bound,
  isOfSent: as === "done"
})

const takers: Readonly<Record<string, Taker>> = {
  "an operator, for the one that was sent": decided("done", "sent"),
  "an operator, for one that is queued": decided("byHand", "queued"),
  "an operator, for another one that is queued": decided("byHand", "waiting"),
  "an operator, for none of them": {
    take: ({ ledger }, { id, refundId }) =>
      ledger.operator.acknowledgeRefund(id, refundId, { by: "Petr", note: "It is none of them." }),
    writes: /INSERT INTO gopay_refund/,
    isOfSent: false
  },
  "the worker, which finds it": {
    take: ({ ledger }) => ledger.runOnce(),
    writes: bound,
    isOfSent: true
  }
}

const owners = (ledger: TestLedger, { id, refundId }: Scene) =>
  Effect.gen(function* () {
    const outcomes = yield* Effect.forEach(["sent", "queued", "waiting"], (key) => ledger.getOutcome(key))
    const changes = outcomes.filter((outcome) => outcome?._tag === "Done" && outcome.refundId === refundId)
    return changes.length + (yield* ledger.operator.listAcknowledgedRefunds(id)).length
  })

describe("a refund of the list has one owner", () => {
  const pairs = Object.entries(takers).flatMap(([first, one]) =>
    Object.entries(takers).flatMap(([second, other]) =>
      // What may be a refund in doubt is acknowledged by no one.
      first === second || (one.isOfSent && second === "an operator, for none of them")
        ? []
        : [[first, second, one, other] as const]
    )
  )

  it.effect.each(pairs)("%s, just before %s", ([, , one, other]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        const found = yield* scene(world, one.isOfSent || other.isOfSent)
        let wasFirst = false
        const context = yield* Effect.context<never>()
        store.before(other.writes, async () => {
          wasFirst = true
          await Effect.runPromiseWith(context)(Effect.result(one.take(world, found)))
        })
        const late = yield* Effect.result(other.take(world, found))
        assert.isTrue(wasFirst)
        assert.strictEqual(yield* owners(ledger, found), 1)
        if (late._tag === "Failure")
          assert.match(String(late.failure), /belongs to|was acknowledged|is the refund of|has moved since/)
      })
    )
  )
})

describe("the list of an operator", () => {
  it.effect("names the refund in doubt that may have made an entry", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { listRefunds } = world.ledger.operator
        const inDoubt = yield* scene(world, true)
        const [entry, ...others] = yield* listRefunds(inDoubt.id)
        assert.deepInclude(entry, { refundId: inDoubt.refundId, amount: 500, mayBeOf: "sent" })
        assert.deepStrictEqual([entry?.key, others], [undefined, []])
      })
    )
  )
})

describe("the payment of a charge has one owner", () => {
  it.effect("an operator names it for a charge in doubt, just before another one for another charge", () =>
    inWorld(({ ledger, store }) =>
      Effect.gen(function* () {
        const id = yield* first
        for (const key of ["one", "other"]) {
          yield* arm(lost)
          yield* ledger.charge(key, id, charge, later)
          yield* ledger.runOnce()
        }
        const { id: chargeId } = yield* Effect.orDie(createRecurrence(id, charge))
        const decide = (key: string) =>
          Effect.flatMap(ledger.operator.getChange(key), (change) =>
            ledger.operator.resolveChange(key, {
              version: change?.version ?? 0,
              as: "done",
              chargeId,
              by: "Jana",
              note: "It is it."
            })
          )
        const context = yield* Effect.context<never>()
        store.before(bound, async () => {
          await Effect.runPromiseWith(context)(Effect.orDie(decide("one")))
        })
        const refused = yield* Effect.orDie(Effect.flip(decide("other")))
        assert.match(refused.message, /was made by another change: one/)
        assert.deepInclude(yield* ledger.getOutcome("one"), { _tag: "Done", chargeId })
        assert.deepInclude(yield* ledger.getOutcome("other"), { _tag: "InDoubt" })
      })
    )
  )
})
