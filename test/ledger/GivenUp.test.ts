/**
 * What an operator does about a refund that the account is too empty for: it is tried again, or given up on purpose.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Gateway } from "../../src/index.js"
import type { AttentionItem } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { inWorld, paid, refunded, type TestLedger, type World } from "./World.js"

const jana = { by: "Jana", note: "seen" }
const petr = { by: "Petr", note: "seen" }
const later = { waitAtMost: 0 }

const itemOf = (ledger: TestLedger, kind: AttentionItem["kind"]): Effect.Effect<AttentionItem, unknown> =>
  Effect.map(
    ledger.operator.listAttention(),
    (items) => items.find((item) => item.kind === kind) ?? assert.fail(`There is no ${kind}.`)
  )

describe("a refund for which the account holds too little", () => {
  const isEmpty = Effect.orDie(LocalGateway.armFault({ type: "refusal", code: 333 }, { operation: "refundPayment" }))

  /** A refund of an empty account, which an operator sees. */
  const inEmptyAccount = (
    test: (world: World, id: number, item: AttentionItem) => Effect.Effect<void, unknown, Gateway | LocalGateway>,
    dualApprovalAbove?: number
  ) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = dualApprovalAbove === undefined ? world.ledger : yield* world.makeProcess({ dualApprovalAbove })
        const id = yield* paid
        yield* isEmpty
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* Effect.orDie(test({ ...world, ledger }, id, yield* Effect.orDie(itemOf(ledger, "AccountEmpty"))))
      })
    )

  const passHour = ({ ledger, pass }: World) =>
    Effect.gen(function* () {
      for (let minutes = 0; minutes < 60; minutes += 6) {
        yield* pass("6 minutes")
        yield* ledger.runOnce()
      }
    })

  it.effect("was done, or is given up: that it was not carried out is no reason to drop it", () =>
    inEmptyAccount(({ ledger }, _, item) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(item.decisions, ["done", "cancelled"])
        const failure = yield* Effect.flip(
          ledger.operator.resolveChange("a", { ...jana, version: item.version, as: "notDone" })
        )
        assert.include(failure.message, "notDone does not fit it. What fits: done, cancelled.")
      })
    )
  )

  it.effect("is made once there is money, without a decision", () =>
    inEmptyAccount((world, id) =>
      Effect.gen(function* () {
        // Still empty at the second try.
        yield* isEmpty
        yield* passHour(world)
        assert.deepStrictEqual(yield* refunded(id), [500])
        assert.lengthOf(world.sent, 3)
        assert.deepStrictEqual(yield* world.ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is not sent again when it is given up, and is watched", () =>
    inEmptyAccount((world, id, item) =>
      Effect.gen(function* () {
        const { ledger, listed } = world
        yield* ledger.operator.resolveChange("a", { ...jana, version: item.version, as: "cancelled" })
        yield* passHour(world)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "operator" })
        assert.lengthOf(world.sent, 1)
        assert.deepStrictEqual(yield* refunded(id), [])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        // Something between had sent it twice, and the list was behind.
        listed.see = () => [
          { id: 7, state: "SUCCESS", amount: 500, date_requested: item.sentAt, date_performed: item.sentAt }
        ]
        for (let hours = 0; hours < 3; hours++) yield* passHour(world)
        assert.strictEqual((yield* itemOf(ledger, "DecisionContradicted")).key, "a")
      })
    )
  )

  it.effect("is made after all when that is taken back by two, as it was given up by two", () =>
    inEmptyAccount(
      (world, id, item) =>
        Effect.gen(function* () {
          const { ledger } = world
          const versionOf = () => Effect.map(ledger.operator.getChange("a"), (change) => change?.version ?? 0)
          yield* ledger.operator.resolveChange("a", { ...jana, version: item.version, as: "cancelled" })
          yield* ledger.operator.resolveChange("a", { ...petr, version: yield* versionOf(), as: "cancelled" })
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused" })
          for (const by of [jana, petr]) {
            yield* ledger.operator.resolveChange("a", { ...by, version: yield* versionOf(), as: "undecided" })
          }
          // It may have been carried out: it is reconciled before it is sent again.
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "sending" })
          yield* ledger.runOnce()
          assert.lengthOf(world.sent, 1)
          yield* passHour(world)
          assert.deepStrictEqual(yield* refunded(id), [500])
          assert.lengthOf(world.sent, 2)
          assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        }),
      400
    )
  )
})
