/**
 * A payment whose money is too much, and that an operator gives back: by whoever decides it, whatever dies or fails meanwhile, its
 * money goes back once, and until it is back an operator sees it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Gateway } from "../../src/index.js"
import type { AttentionItem, CheckoutRequest } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import * as Outsider from "./Outsider.js"
import { idOf, notify, reportedOf, request, withBooks } from "./OrderBooks.js"
import { passMinutes } from "./SceneSteps.js"
import {
  inWorld,
  killedStatements,
  type KilledStatement,
  refunded,
  refundedByHand,
  type TestLedger,
  type World
} from "./World.js"

const jana = { by: "Jana", note: "seen" }
const later = { waitAtMost: 0 }

const payByCard = (id: number) => Effect.orDie(LocalGateway.payByCard(id))

const itemOf = (ledger: TestLedger, kind: AttentionItem["kind"]): Effect.Effect<AttentionItem, unknown> =>
  Effect.map(
    ledger.operator.listAttention(),
    (items) => items.find((item) => item.kind === kind) ?? assert.fail(`There is no ${kind}.`)
  )

describe("a payment that is too much", () => {
  /** An order that two payments have paid: the first one was replaced, and was paid all the same. */
  const paidTwice = (
    asked: CheckoutRequest,
    test: (
      world: World,
      ids: { readonly kept: number; readonly extra: number }
    ) => Effect.Effect<void, unknown, Gateway | LocalGateway>,
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

  it.effect("is given back by one of two operators in two processes, once", () =>
    paidTwice(request, ({ ledger, makeProcess, sent }, { extra }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess()
        const item = yield* itemOf(ledger, "PaidTwice")
        const both = yield* Effect.all([giveBack(ledger, item), giveBack(other, item)].map(Effect.result), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
        yield* ledger.runOnce()
        yield* other.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual([yield* refunded(extra), sent], [[request.amount], ["refund"]])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is no one's of another merchant", () =>
    paidTwice(request, ({ ledger, makeProcess, sent }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess({ merchant: { goid: 8_999_999_999 } })
        const failure = yield* Effect.flip(giveBack(other, yield* itemOf(ledger, "PaidTwice")))
        assert.include(failure.message, "There is no such payment")
        yield* other.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect("is given back by a process without handlers, and the shop hears of it from one that has them", () =>
    paidTwice(request, (world, { extra }) =>
      Effect.gen(function* () {
        const { ledger, makeProcess } = world
        const page = yield* makeProcess()
        const before = (yield* reportedOf(world)).length
        yield* giveBack(page, yield* itemOf(page, "PaidTwice"))
        yield* page.runOnce()
        yield* page.runOnce()
        assert.deepStrictEqual(
          [yield* refunded(extra), yield* reportedOf(world)],
          [[request.amount], (yield* reportedOf(world)).slice(0, before)]
        )
        yield* ledger.runOnce()
        assert.lengthOf(yield* reportedOf(world), before + 1)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect(
    "is given back whole or not at all when the process dies at any statement of it, and the next decision holds",
    () =>
      Effect.gen(function* () {
        const tell = (killAt: KilledStatement | undefined) =>
          Effect.gen(function* () {
            let statements = 0
            yield* paidTwice(request, (world, { extra }) =>
              Effect.gen(function* () {
                const { ledger, makeProcess, pass, sent } = world
                const item = yield* itemOf(ledger, "PaidTwice")
                const dying = yield* makeProcess({ killAt })
                yield* Effect.raceFirst(Effect.ignore(giveBack(dying, item)), dying.killed)
                statements = dying.statements()
                yield* dying.kill
                yield* pass("1 minute")
                const after = yield* itemOf(ledger, "PaidTwice")
                const change = yield* ledger.operator.getChange(`${item.key}:giveBack`)
                assert.strictEqual(after.message.includes("by the change"), change !== undefined)
                if (change === undefined) yield* giveBack(ledger, after)
                yield* ledger.runOnce()
                yield* ledger.runOnce()
                assert.deepStrictEqual([yield* refunded(extra), sent], [[request.amount], ["refund"]])
                assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
              })
            )
            return statements
          })
        const whole = yield* tell(undefined)
        for (const killAt of killedStatements(whole)) yield* tell(killAt)
        assert.isAbove(whole, 5)
      })
  )

  /** Ends the item of a payment, after another one of its order has moved. */
  const endsItem = /UPDATE gopay_payment SET (?!.*\bstate = )(?=.*\battention = )/s

  it.effect("ends its item in the statement that records the refund", () =>
    paidTwice(request, ({ ledger, store }, { extra }) =>
      Effect.gen(function* () {
        yield* giveBack(ledger, yield* itemOf(ledger, "PaidTwice"))
        store.fail(endsItem, "failsBefore")
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* refunded(extra), [request.amount])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect.each<[string, (store: World["store"]) => Promise<void>]>([
    ["fails", async (store) => store.fail(endsItem, "failsBefore")],
    ["meets another process that moves the payment", (store) => Effect.runPromise(Outsider.touchPayments(store))]
  ])("is too much no more when the other one is refunded, though the statement that says so %s", ([, fate]) =>
    paidTwice(request, ({ ledger, pass, store }, { kept }) =>
      Effect.gen(function* () {
        captureLog(/^A payment could not be checked/)
        let isMet = false
        store.before(endsItem, async () => {
          isMet = true
          await fate(store)
        })
        yield* ledger.refund("a", kept, { amount: 90_000 })
        for (let day = 0; day < 8; day++) {
          yield* Effect.ignore(ledger.runOnce())
          yield* pass("1 day")
        }
        assert.deepStrictEqual([isMet, yield* refunded(kept)], [true, [90_000]])
        assert.deepStrictEqual(
          (yield* ledger.operator.listAttention()).map(({ kind }) => kind),
          ["PaidLate"]
        )
      })
    )
  )

  it.effect("waits for what is asked of the payment: another change of it may take the same money", () =>
    paidTwice(request, ({ ledger, sent }, { extra }) =>
      Effect.gen(function* () {
        yield* ledger.refund("the shop's own", extra, { amount: request.amount }, later)
        const item = yield* itemOf(ledger, "PaidTwice")
        const failure = yield* Effect.flip(giveBack(ledger, item))
        assert.include(failure.message, "the shop's own")
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual([yield* refunded(extra), sent], [[request.amount], ["refund"]])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("that is held is not released while its capture is under way", () =>
    paidTwice({ ...request, preauthorization: true }, ({ ledger, sent }, { extra }) =>
      Effect.gen(function* () {
        yield* ledger.capture("shipped", extra, later)
        const failure = yield* Effect.flip(giveBack(ledger, yield* itemOf(ledger, "PaidTwice")))
        assert.include(failure.message, "shipped")
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        // What was captured of it is refunded now.
        yield* giveBack(ledger, yield* itemOf(ledger, "PaidTwice"))
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual([yield* refunded(extra), sent], [[request.amount], ["capture", "refund"]])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is an operator's again when the gateway refuses to give it back", () =>
    paidTwice(request, (world, { extra }) =>
      Effect.gen(function* () {
        const { ledger } = world
        yield* Effect.orDie(LocalGateway.armFault({ type: "refusal", code: 330 }, { operation: "refundPayment" }))
        const item = yield* itemOf(ledger, "PaidTwice")
        yield* giveBack(ledger, item)
        yield* passMinutes(world, ledger, 30)
        assert.deepInclude(yield* ledger.getOutcome(`${item.key}:giveBack`), { _tag: "Refused" })
        const again = yield* itemOf(ledger, "PaidTwice")
        assert.include(again.message, "was not given back")
        assert.lengthOf(
          world.reported.filter(({ kind }) => kind === "PaidTwice"),
          2
        )
        yield* giveBack(ledger, again)
        yield* passMinutes(world, ledger, 30)
        assert.deepStrictEqual(yield* refunded(extra), [request.amount])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is an operator's again when its refund fails after it was made", () =>
    paidTwice(request, (world, { extra }) =>
      Effect.gen(function* () {
        const { ledger, listed } = world
        const item = yield* itemOf(ledger, "PaidTwice")
        yield* giveBack(ledger, item)
        yield* passMinutes(world, ledger, 5)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        listed.see = (refunds) => refunds.map((refund) => ({ ...Object(refund), state: "FAILED" }))
        listed.seePayment = { state: "PAID" }
        for (let hours = 0; hours < 60; hours++) yield* passMinutes(world, ledger, 60, 60)
        assert.deepInclude(yield* ledger.getOutcome(`${item.key}:giveBack`), { _tag: "Failed" })
        const again = yield* itemOf(ledger, "PaidTwice")
        assert.strictEqual(again.paymentId, extra)
        yield* giveBack(ledger, again)
      })
    )
  )

  it.effect("of which a part was refunded by hand is given back no more than what is left", () =>
    paidTwice(request, (world, { extra }) =>
      Effect.gen(function* () {
        const { ledger } = world
        const byHand = yield* Effect.orDie(refundedByHand(extra, 30_000))
        yield* giveBack(ledger, yield* itemOf(ledger, "PaidTwice"))
        yield* passMinutes(world, ledger, 30)
        // The ledger stops at a refund that it did not make.
        assert.deepStrictEqual(yield* refunded(extra), [30_000])
        assert.strictEqual((yield* itemOf(ledger, "StrangeRefund")).paymentId, extra)
        yield* ledger.operator.acknowledgeRefund(extra, byHand.id, jana)
        yield* passMinutes(world, ledger, 60)
        yield* giveBack(ledger, yield* itemOf(ledger, "PaidTwice"))
        yield* passMinutes(world, ledger, 60)
        assert.deepStrictEqual(yield* refunded(extra), [30_000, 70_000])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})
