/**
 * Decisions that take two operators.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Gateway } from "../../src/index.js"
import { agreementOf } from "../../src/ledger/operate/Signatures.js"
import type { ChangeResolution } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, request } from "./OrderBooks.js"
import { inWorld, paid, refunded, refundedByHand, type TestLedger, type World } from "./World.js"

/** A refund whose response was lost, and which the gateway does not list: only an operator knows. */
const inDoubt = (amount: number) => (world: World) =>
  Effect.gen(function* () {
    const ledger = yield* world.makeProcess({ dualApprovalAbove: 1_000, escalateAfter: "1 hour" })
    const id = yield* paid
    yield* Effect.orDie(
      LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
    )
    yield* ledger.refund("a", id, { amount }, { waitAtMost: 0 })
    for (let hour = 0; hour < 3; hour++) {
      yield* ledger.runOnce()
      yield* world.pass("1 hour")
    }
    yield* ledger.runOnce()
    return ledger
  })

const decide = (ledger: TestLedger, decision: Partial<ChangeResolution>) =>
  Effect.gen(function* () {
    const [item] = yield* ledger.operator.listAttention()
    return yield* ledger.operator.resolveChange("a", {
      version: item?.version ?? 0,
      as: "notDone",
      by: "Jana",
      note: "GoPay's administration does not list it.",
      ...decision
    })
  })

const run = <A, E>(test: (world: World) => Effect.Effect<A, E, Gateway | LocalGateway>) => inWorld(test)

describe("two spellings of one name", () => {
  it.each([
    ["Weiß", "WEISS"],
    ["Straße", "strasse"],
    ["Nováková", "NOVAKOVA"],
    ["Jiří  Dvořák", "jiri dvorak"],
    ["Ípek", "ıpek"]
  ])("are one operator: %s, %s", (one, other) => {
    assert.isUndefined(agreementOf({ by: one, note: "" }, { by: other, note: "" }))
    assert.isUndefined(agreementOf({ by: other, note: "" }, { by: one, note: "" }))
  })
})

describe("a decision about a large amount", () => {
  it.effect("counts when another operator says the same", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* inDoubt(1_001)(world)
        assert.deepInclude(yield* decide(ledger, {}), { _tag: "InDoubt", needsOperator: true })
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item?.proposal, { as: "notDone", by: "Jana" })
        assert.include(item?.message ?? "", "Another operator has to agree.")
        // The same person, however the name is written.
        for (const by of ["\u00a0JANA\u2003", "Ｊana", "Ja\u200bna", " jana "]) {
          assert.deepInclude(yield* decide(ledger, { by }), { _tag: "InDoubt" })
        }
        // With a Cyrillic letter that looks like an a.
        const mixed = yield* Effect.flip(decide(ledger, { by: "J\u0430na" }))
        assert.include(mixed.message, "several alphabets")
        const decided = yield* decide(ledger, { by: "Petr", note: "I see none either." })
        assert.deepInclude(decided, { _tag: "Refused" })
        assert.include(decided.message, "jana and Petr")
        const reported = (yield* ledger.operator.getHistory("a")).flatMap(({ message = "" }) =>
          message.includes("Jana says") ? [message] : []
        )
        assert.lengthOf(reported, 1)
      })
    )
  )

  it.effect("does not count when the other one says something else: that is the first word then", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* inDoubt(1_001)(world)
        yield* decide(ledger, {})
        assert.deepInclude(yield* decide(ledger, { by: "Petr", as: "done" }), { _tag: "InDoubt" })
        assert.deepInclude((yield* ledger.operator.getChange("a"))?.proposal, { as: "done", by: "Petr" })
        assert.deepInclude(yield* decide(ledger, { as: "done" }), { _tag: "Done" })
        assert.isUndefined((yield* ledger.operator.getChange("a"))?.proposal)
      })
    )
  )

  it.effect("is one operator's up to the amount", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* inDoubt(1_000)(world)
        assert.deepInclude(yield* decide(ledger, {}), { _tag: "Refused" })
      })
    )
  )

  it.effect("is not agreed to by what is said of a later attempt", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess({ dualApprovalAbove: 1_000, escalateAfter: "1 hour" })
        const id = yield* paid
        yield* Effect.orDie(LocalGateway.armFault({ type: "rateLimited", seconds: 60 }, { operation: "refundPayment" }))
        yield* ledger.refund("a", id, { amount: 1_001 }, { waitAtMost: 0 })
        yield* ledger.runOnce()
        const version = (yield* ledger.operator.getChange("a"))?.version ?? 0
        const first = { version, as: "done", by: "Jana", note: "It was made." } as const
        assert.deepInclude(yield* ledger.operator.resolveChange("a", first), { _tag: "Pending" })
        // Nothing came of it: it is sent again, and that response is lost.
        yield* Effect.orDie(LocalGateway.armFault({ type: "connectionReset" }, { operation: "refundPayment" }))
        for (let minute = 0; minute < 30 && world.sent.length < 2; minute++) {
          yield* world.pass("1 minute")
          yield* ledger.runOnce()
        }
        assert.lengthOf(world.sent, 2)
        const { proposal, version: now = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        assert.isUndefined(proposal)
        const second = { version: now, as: "done", by: "Petr", note: "It was made." } as const
        assert.deepInclude(yield* ledger.operator.resolveChange("a", second), { _tag: "InDoubt" })
      })
    )
  )

  it.effect("is taken back by two", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* inDoubt(1_001)(world)
        yield* decide(ledger, {})
        yield* decide(ledger, { by: "Petr" })
        const takeBack = (by: string) =>
          Effect.flatMap(ledger.operator.getChange("a"), (change) => {
            const note = "That was another shop."
            return ledger.operator.resolveChange("a", { version: change?.version ?? 0, as: "undecided", by, note })
          })
        assert.deepInclude(yield* takeBack("Jana"), { _tag: "Refused" })
        assert.deepInclude((yield* ledger.operator.getChange("a"))?.proposal, { as: "undecided", by: "Jana" })
        assert.deepInclude(yield* takeBack("Jána"), { _tag: "Refused" })
        assert.deepInclude(yield* takeBack("Petr"), { _tag: "InDoubt" })
        assert.isUndefined((yield* ledger.operator.getChange("a"))?.proposal)
      })
    )
  )
})

describe("the release of charges that a restore has stopped", () => {
  const charge = { amount: 1_001, currency: "CZK", order_number: "sub-1", order_description: "month" } as const

  /** A first payment, and a charge of it that waits since the database was restored. */
  const stopped = (world: World, amount: number) =>
    Effect.gen(function* () {
      const ledger = yield* world.makeProcess({ dualApprovalAbove: 1_000 })
      const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
      const id = idOf(yield* ledger.checkout("1", { ...request, recurrence }))
      yield* LocalGateway.payByCard(id)
      const distrust = ledger.operator.distrust({ since: new Date(0) })
      yield* distrust
      yield* world.pass("1 minute")
      yield* ledger.charge("a", id, { ...charge, amount }, { waitAtMost: 0 })
      yield* ledger.runOnce()
      assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt" })
      const release = (by: string) => ledger.operator.releaseCharges(id, { by, note: "Nothing else was charged." })
      return { ledger, distrust, release, outcome: Effect.andThen(ledger.runOnce(), ledger.getOutcome("a")) }
    }).pipe(Effect.orDie)

  it.effect("takes two operators where one of them is large", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger, outcome, release } = yield* stopped(world, 1_001)
        for (const by of ["Jana", " JÁNA "]) assert.isFalse(yield* release(by))
        assert.deepInclude(yield* outcome, { _tag: "InDoubt" })
        const [item] = yield* ledger.operator.listAttention()
        assert.include(item?.message ?? "", "Another operator has to agree.")
        assert.isTrue(yield* release("Petr"))
        assert.deepInclude(yield* outcome, { _tag: "Done" })
        assert.isTrue(yield* release("Petr"))
      })
    )
  )

  it.effect("takes one up to the amount", () =>
    run((world) =>
      Effect.gen(function* () {
        const { outcome, release } = yield* stopped(world, 1_000)
        assert.isTrue(yield* release("Jana"))
        assert.deepInclude(yield* outcome, { _tag: "Done" })
      })
    )
  )

  it.effect("is not agreed to by what was said before the database was restored again", () =>
    run((world) =>
      Effect.gen(function* () {
        const { distrust, outcome, release } = yield* stopped(world, 1_001)
        assert.isFalse(yield* release("Jana"))
        yield* world.pass("1 minute")
        yield* distrust
        yield* world.pass("1 minute")
        assert.isFalse(yield* release("Petr"))
        assert.deepInclude(yield* outcome, { _tag: "InDoubt" })
      })
    )
  )
})

describe("the acknowledgement of a refund", () => {
  /**
   * The payment of an order, a refund of it by hand, and a refund by the ledger that waits until that one is
   * acknowledged.
   */
  const stopped = (world: World, amount: number) =>
    Effect.gen(function* () {
      const ledger = yield* world.makeProcess({ dualApprovalAbove: 1_000 })
      const id = idOf(yield* ledger.checkout("1", request))
      yield* LocalGateway.payByCard(id)
      const entry = yield* refundedByHand(id, amount)
      yield* ledger.refund("a", id, { amount: 300 }, { waitAtMost: 0 })
      yield* ledger.runOnce()
      return {
        ledger,
        acknowledge: (by: string) =>
          ledger.operator.acknowledgeRefund(id, entry.id, { by, note: `Settled, says ${by.trim()}.` }),
        acknowledged: ledger.operator.listAcknowledgedRefunds(id),
        listed: Effect.map(ledger.operator.listRefunds(id), ([first]) => first),
        sent: Effect.andThen(ledger.runOnce(), refunded(id))
      }
    }).pipe(Effect.orDie)

  it.effect("of a large amount counts when another operator says the same", () =>
    run((world) =>
      Effect.gen(function* () {
        const { acknowledge, acknowledged, ledger, listed, sent } = yield* stopped(world, 1_001)
        assert.isFalse(yield* acknowledge("Jana"))
        assert.deepInclude(yield* listed, { proposedBy: "Jana" })
        assert.notProperty(yield* listed, "acknowledgedBy")
        assert.isFalse(yield* acknowledge(" JANA "))
        assert.deepStrictEqual([yield* acknowledged, yield* sent], [[], [1_001]])
        const [item] = yield* ledger.operator.listAttention()
        assert.include(item?.message ?? "", "Settled, says Jana. Another operator has to agree.")
        assert.isTrue(yield* acknowledge("Petr"))
        assert.isTrue(yield* acknowledge("Petr"))
        assert.deepInclude((yield* acknowledged)[0], {
          acknowledgedBy: "Jana and Petr",
          note: "Settled, says Jana. Settled, says Petr."
        })
        assert.deepInclude(yield* listed, { acknowledgedBy: "Jana and Petr" })
        assert.notProperty(yield* listed, "proposedBy")
        assert.deepStrictEqual(yield* sent, [1_001, 300])
      })
    )
  )

  it.effect("is one operator's up to the amount, too", () =>
    run((world) =>
      Effect.gen(function* () {
        const { acknowledge, sent } = yield* stopped(world, 1_000)
        assert.isTrue(yield* acknowledge("Jana"))
        assert.deepStrictEqual(yield* sent, [1_000, 300])
      })
    )
  )

  it.effect("that one operator has proposed is no one's word when the name is erased", () =>
    run((world) =>
      Effect.gen(function* () {
        const { acknowledge, acknowledged, ledger } = yield* stopped(world, 1_001)
        yield* acknowledge("Jana")
        yield* world.pass("1 hour")
        yield* ledger.operator.eraseDetails({ olderThan: "1 minute" })
        assert.isFalse(yield* acknowledge("Petr"))
        assert.isTrue(yield* acknowledge("Jana"))
        assert.deepInclude((yield* acknowledged)[0], { acknowledgedBy: "Petr and Jana" })
      })
    )
  )
})
