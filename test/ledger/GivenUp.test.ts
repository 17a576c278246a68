/**
 * What an operator does about money that cannot move, or has moved for nothing: a refund that the account is too empty for is
 * tried again or given up on purpose, and a payment that is too much is given back.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Gateway } from "../../src/index.js"
import type { AttentionItem, CheckoutRequest } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, reportedOf, request, withBooks } from "./OrderBooks.js"
import { inWorld, paid, refunded, type TestLedger, type World } from "./World.js"

const jana = { by: "Jana", note: "seen" }
const petr = { by: "Petr", note: "seen" }
const later = { waitAtMost: 0 }

const payByCard = (id: number) => Effect.orDie(LocalGateway.payByCard(id))

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
          // It may have been taken: it is looked for before it is sent again.
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

describe("a payment that is too much", () => {
  /** An order that two payments have paid: the first one was replaced, and was paid all the same. */
  const paidTwice = (
    asked: CheckoutRequest,
    test: (
      world: World,
      ids: { readonly kept: number; readonly extra: number }
    ) => Effect.Effect<void, unknown, Gateway>,
    settings: Parameters<typeof withBooks>[1] = {}
  ) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world, settings)
        const extra = idOf(yield* ledger.checkout("1", asked))
        const kept = idOf(yield* ledger.checkout("1", { ...asked, amount: 90_000 }, { replace: true }))
        for (const id of [kept, extra]) {
          yield* world.pass("1 minute")
          yield* payByCard(id)
          yield* notify(ledger, id)
        }
        yield* Effect.orDie(test({ ...world, ledger }, { kept, extra }))
      })
    )

  const giveBack = (ledger: TestLedger, { key, kind, version }: AttentionItem) =>
    ledger.operator.resolvePayment(key, { ...jana, kind, version, as: "giveBack" })

  it.effect("is refunded by a button, and its items end with that", () =>
    paidTwice(request, (world, { extra, kept }) =>
      Effect.gen(function* () {
        const { ledger } = world
        const item = yield* itemOf(ledger, "PaidTwice")
        assert.deepStrictEqual([item.paymentId, item.decisions], [extra, ["done", "notDone", "giveBack"]])
        const decided = yield* giveBack(ledger, item)
        assert.strictEqual(decided.message, "Its money is given back, and its item ends with that.")
        // Until it is back, the operator sees by which change.
        assert.include((yield* itemOf(ledger, "PaidTwice")).message, `by the change ${item.key}:giveBack: seen`)
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual([yield* refunded(extra), yield* refunded(kept)], [[request.amount], []])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid", paymentId: kept })
        assert.deepStrictEqual((yield* reportedOf(world))[0], "paid")
      })
    )
  )

  it.effect("is refunded once, however often that is said, and no more than is left of it", () =>
    paidTwice(request, ({ ledger }, { extra }) =>
      Effect.gen(function* () {
        yield* ledger.refund("a part", extra, { amount: 30_000 })
        yield* ledger.runOnce()
        const item = yield* itemOf(ledger, "PaidTwice")
        const both = yield* Effect.all([giveBack(ledger, item), giveBack(ledger, item)].map(Effect.result), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
        const again = yield* Effect.flip(giveBack(ledger, yield* itemOf(ledger, "PaidTwice")))
        assert.include(again.message, "It was to be given back before")
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* refunded(extra), [30_000, 70_000])
      })
    )
  )

  it.effect("is released when it is only held", () =>
    paidTwice({ ...request, preauthorization: true }, ({ ledger, sent }) =>
      Effect.gen(function* () {
        yield* giveBack(ledger, yield* itemOf(ledger, "PaidTwice"))
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["void-authorization"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is not given back where two operators have to agree, nor when nothing is left of it", () =>
    paidTwice(
      request,
      ({ ledger, sent }, { extra }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(giveBack(ledger, yield* itemOf(ledger, "PaidTwice")))
          assert.include(failure.message, "above the amount that takes two operators")
          yield* ledger.refund("shop's own", extra, { amount: 100_000 })
          assert.deepStrictEqual(sent, ["refund"])
        }),
      { dualApprovalAbove: 99_999 }
    )
  )
})
