/**
 * Charges of recurrences: each key charges once at most, and one whose response was lost is recognised by its payment.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createPayment, createRecurrence, Gateway, getPayment, refundPayment } from "../../src/index.js"
import type { ChangeOutcome } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import * as Outsider from "./Outsider.js"
import { arm, charge, children, first, flipped, lost, notify, recurrence, set, unanswered } from "./RecurrenceScene.js"
import { inWorld, paid, type TestLedger, order } from "./World.js"

/** Only records it: its steps are made when the test says so. */
const later = { waitAtMost: 0 }

const childId = Effect.flatMap(children, ([child]) =>
  child === undefined ? Effect.die(new Error("There is no charge.")) : Effect.succeed(child.id)
)

/** Charges, and does what can be done at once. */
const begun = (ledger: TestLedger, id: number) =>
  Effect.gen(function* () {
    yield* ledger.charge("a", id, charge, later)
    yield* ledger.runOnce()
    return yield* ledger.getOutcome("a")
  })

const outcomes = (outcome: ChangeOutcome | undefined): string => outcome?._tag ?? "none"

describe("a charge", () => {
  it.effect("is made once for a key, and says which payment it made", () =>
    inWorld(({ ledger, sent }) =>
      Effect.gen(function* () {
        const id = yield* first
        const outcome = yield* ledger.charge("a", id, charge)
        const child = yield* childId
        assert.deepInclude(outcome, { _tag: "Done", key: "a", paymentId: id, chargeId: child })
        assert.deepStrictEqual(yield* ledger.charge("a", id, charge), outcome)
        assert.deepStrictEqual(sent, ["create-recurrence"])
        const other = yield* flipped(ledger.charge("a", id, { ...charge, amount: 501 }))
        assert.strictEqual(other.reason._tag, "KeyReused")
        assert.deepInclude(yield* ledger.operator.getChange("a"), {
          operation: "createRecurrence",
          amount: 500,
          status: "done"
        })
      })
    )
  )

  it.effect("has a payment of its own, which is refunded as others are", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* ledger.charge("a", id, charge)
        const child = yield* childId
        assert.strictEqual(outcomes(yield* ledger.refund("r", child, { amount: 200 })), "Done")
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.deepInclude((yield* ledger.operator.listPayments())[0], {
          orderNumber: "sub-1",
          state: "PARTIALLY_REFUNDED",
          refunded: 200
        })
        // The payment is the ledger's own: a refund by hand stops the next one.
        yield* Effect.orDie(refundPayment(child, { amount: 100 }))
        yield* ledger.refund("r2", child, { amount: 100 }, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.operator.getChange("r2"), { attention: ["StrangeRefund"] })
      })
    )
  )

  it.effect("waits for no refund of its first payment, nor that for it", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(lost)
        assert.strictEqual(outcomes(yield* begun(ledger, id)), "InDoubt")
        assert.strictEqual(outcomes(yield* ledger.refund("r", id, { amount: 200 })), "Done")
        assert.strictEqual(outcomes(yield* ledger.charge("b", id, { ...charge, order_number: "sub-2" })), "Done")
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.lengthOf(yield* children, 1)
      })
    )
  )

  it.effect("that is declined is refused, with the reason", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* set({ recurrenceChild: "declined" })
        const outcome = yield* ledger.charge("a", id, charge)
        assert.deepInclude(outcome, { _tag: "Refused", how: "found" })
        assert.match(outcome._tag === "Refused" ? (outcome.subState ?? "") : "", /^_50/)
      })
    )
  )

  it.effect("is not sent for what is no running recurrence on demand", () =>
    inWorld(({ ledger, sent }) =>
      Effect.gen(function* () {
        const plain = yield* paid
        assert.deepInclude(yield* ledger.charge("a", plain, charge), { _tag: "Refused", code: 340 })
        const open = (yield* Effect.orDie(createPayment({ ...order, recurrence }))).id
        assert.deepInclude(yield* ledger.charge("b", open, charge), { _tag: "Refused", code: 340 })
        const daily = { recurrence_cycle: "DAY", recurrence_period: 1, recurrence_date_to: "2099-12-31" } as const
        const { id } = yield* Effect.orDie(createPayment({ ...order, recurrence: daily }))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        assert.deepInclude(yield* ledger.charge("c", id, charge), { _tag: "Refused", code: 340 })
        const inEuro = yield* ledger.charge("d", yield* first, { ...charge, currency: "EUR" })
        assert.strictEqual(inEuro._tag, "Refused")
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect.each([350, 351, 352, 353])(
    "that is answered with the refusal of another operation is in doubt, and an operator's after a day (%i)",
    (code) =>
      inWorld(({ ledger, pass, sent }) =>
        Effect.gen(function* () {
          const id = yield* first
          yield* arm({ type: "refusal", code })
          assert.deepInclude(yield* begun(ledger, id), { _tag: "InDoubt", needsOperator: false })
          yield* pass("25 hours")
          yield* ledger.runOnce()
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: true })
          assert.deepStrictEqual(sent, ["create-recurrence"])
        })
      )
  )

  it.effect("that GoPay has not enabled waits, and an operator is notified", () =>
    inWorld(({ ledger, pass, reported }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm({ type: "refusal", code: 341 })
        yield* begun(ledger, id)
        assert.deepStrictEqual(
          reported.map(({ kind }) => kind),
          ["ChargesDisabled"]
        )
        yield* pass("61 minutes")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
      })
    )
  )
})

describe("a charge whose response was lost", () => {
  it.effect("is never sent again, and decided by its notification", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(unanswered)
        assert.strictEqual(outcomes(yield* begun(ledger, id)), "InDoubt")
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.strictEqual(outcomes(yield* ledger.getOutcome("a")), "InDoubt")
        const child = yield* childId
        assert.strictEqual(yield* notify(ledger, child, id), 200)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", chargeId: child })
        assert.deepStrictEqual(sent, ["create-recurrence"])
      })
    )
  )

  it.effect("is decided by adopting its payment, such as one from a statement", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(unanswered)
        yield* begun(ledger, id)
        const child = yield* childId
        assert.deepInclude(yield* ledger.operator.adoptPayment("sub-1", child), { status: "paid", paymentId: child })
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", chargeId: child })
      })
    )
  )

  it.effect("is decided by a movement of a statement, however often that is read", () =>
    inWorld(({ ledger, makeProcess, reads }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(unanswered)
        yield* begun(ledger, id)
        const child = yield* childId
        const other = yield* makeProcess()
        const before = reads.length
        const movements = [
          { orderNumber: "another order", paymentId: id },
          { orderNumber: "sub-1" },
          { paymentId: 999 },
          { orderNumber: "sub-1", paymentId: child },
          // Its refund.
          { orderNumber: "sub-1", paymentId: child }
        ]
        const adopted = yield* Effect.all(
          [ledger.operator.adoptCharges(movements), other.operator.adoptCharges(movements)],
          {
            concurrency: 2
          }
        )
        assert.deepInclude(adopted[0][0], { status: "paid", paymentId: child })
        assert.isTrue(reads.slice(before).every((path) => path.endsWith(String(child))))
        assert.deepStrictEqual(yield* ledger.operator.adoptCharges(movements), [])
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", chargeId: child })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is not decided by another payment of its order number, nor by one that cannot be read", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(lost)
        yield* begun(ledger, id)
        const ordinary = yield* Effect.orDie(createPayment({ ...order, order_number: "sub-1" }))
        yield* Effect.orDie(LocalGateway.payByCard(ordinary.id))
        assert.deepStrictEqual(
          yield* ledger.operator.adoptCharges([{ orderNumber: "sub-1", paymentId: ordinary.id }]),
          []
        )
        assert.isUndefined(yield* ledger.getOrder("sub-1"))
        const failure = yield* flipped(ledger.operator.adoptCharges([{ orderNumber: "sub-1", paymentId: 999 }]))
        assert.strictEqual(failure._tag, "GatewayError")
        assert.strictEqual(outcomes(yield* ledger.getOutcome("a")), "InDoubt")
      })
    )
  )

  it.effect("is an operator's after a day, who names its payment", () =>
    inWorld(({ ledger, pass, reported }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(unanswered)
        yield* begun(ledger, id)
        yield* pass("25 hours")
        yield* ledger.runOnce()
        assert.deepStrictEqual(
          reported.map(({ decisions, kind, orderNumber }) => ({ kind, orderNumber, decisions })),
          [{ kind: "InDoubt", orderNumber: charge.order_number, decisions: ["done", "notDone"] }]
        )
        const version = reported[0]?.version ?? 0
        const said = { version, as: "done", by: "Eva", note: "seen" } as const
        assert.strictEqual((yield* flipped(ledger.operator.resolveChange("a", said))).reason._tag, "NotResolved")
        const wrong = yield* flipped(ledger.operator.resolveChange("a", { ...said, chargeId: yield* paid }))
        assert.strictEqual(wrong.reason._tag, "NotResolved")
        const child = yield* childId
        const outcome = yield* ledger.operator.resolveChange("a", { ...said, chargeId: child })
        assert.deepInclude(outcome, { _tag: "Done", how: "operator", chargeId: child })
      })
    )
  )

  it.effect("and of which an operator said that it was not made is reported when it turns up", () =>
    inWorld(({ ledger, pass, reported }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(unanswered)
        yield* begun(ledger, id)
        yield* pass("25 hours")
        yield* ledger.runOnce()
        const version = reported[0]?.version ?? 0
        yield* ledger.operator.resolveChange("a", { version, as: "notDone", by: "Eva", note: "not seen" })
        yield* notify(ledger, yield* childId, id)
        assert.deepInclude(reported.at(-1), { kind: "DecisionContradicted", key: "a" })
      })
    )
  )

  it.effect("is not decided as not made once its payment is known, unless that is closed", () =>
    inWorld(({ ledger, listed }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(unanswered)
        yield* begun(ledger, id)
        const child = yield* childId
        listed.seePayment = { state: "CREATED" }
        yield* ledger.operator.adoptPayment("sub-1", child)
        const decide = (version: number) =>
          Effect.flip(ledger.operator.resolveChange("a", { version, as: "notDone", by: "Eva", note: "not seen" }))
        const open = (yield* ledger.operator.getChange("a"))?.version ?? 0
        assert.include((yield* decide(open)).message, `payment ${child}, which is CREATED`)
        listed.seePayment = {}
        assert.include((yield* decide(open)).message, `payment ${child}, which is PAID`)
        listed.seePayment = { state: "CANCELED" }
        yield* ledger.operator.resolveChange("a", { version: open, as: "notDone", by: "Eva", note: "not seen" })
        assert.strictEqual(outcomes(yield* ledger.getOutcome("a")), "Refused")
      })
    )
  )

  it.effect("and that something between has repeated is reported when both are paid", () =>
    inWorld(({ hooks, ledger, reported }) =>
      Effect.gen(function* () {
        const id = yield* first
        let copy = 0
        const gateway = yield* Gateway
        hooks.push(
          Effect.gen(function* () {
            const { attempt } = (yield* ledger.operator.getHistory("a")).at(-1) ?? {}
            const additional_params = [{ name: "effect-gopay", value: attempt ?? "" }]
            copy = (yield* createRecurrence(id, { ...charge, additional_params })).id
          }).pipe(Effect.provideService(Gateway, gateway), Effect.orDie)
        )
        assert.strictEqual(outcomes(yield* ledger.charge("a", id, charge)), "Done")
        yield* notify(ledger, copy, id)
        yield* ledger.operator.adoptPayment("sub-1", copy)
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => ({ key, kind })),
          [{ key: "a", kind: "PaidTwice" }]
        )
      })
    )
  )

  it.effect("is told from a charge that the shop has made without the ledger", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* arm(lost)
        yield* begun(ledger, id)
        const own = yield* Effect.orDie(createRecurrence(id, { ...charge, order_number: "by hand" }))
        yield* ledger.operator.adoptPayment("by hand", own.id)
        yield* ledger.runOnce()
        assert.strictEqual(outcomes(yield* ledger.getOutcome("a")), "InDoubt")
      })
    )
  )
})

describe("a restored backup", () => {
  it.effect("reports the paid charge that it does not know", () =>
    inWorld(({ ledger, makeProcess, store, reported }) =>
      Effect.gen(function* () {
        const checkout = yield* ledger.checkout("1", { ...order, recurrence })
        const id = checkout.status === "open" ? checkout.paymentId : 0
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${id}` })
        yield* ledger.charge("a", id, charge)
        const child = yield* childId
        yield* Outsider.forgetCharges(store)
        const restored = yield* makeProcess()
        assert.strictEqual(yield* notify(restored, child, id), 200)
        assert.deepStrictEqual(
          reported.map(({ kind, orderNumber, paymentId }) => ({ kind, orderNumber, paymentId })),
          [{ kind: "UnknownPayment", orderNumber: "sub-1", paymentId: child }]
        )
        assert.deepInclude(yield* restored.operator.adoptPayment("sub-1", child), { status: "paid" })
        assert.deepStrictEqual(yield* restored.operator.listAttention(), [])
      })
    )
  )

  it.effect("sends no charge that waited when the backup was distrusted", () =>
    inWorld(({ ledger, pass, sent, reported }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* ledger.charge("a", id, charge, later)
        yield* ledger.operator.distrust({ since: new Date(0) })
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, [])
        assert.deepStrictEqual(
          reported.map(({ decisions, kind, orderNumber }) => ({ kind, orderNumber, decisions })),
          [{ kind: "InDoubt", orderNumber: charge.order_number, decisions: ["done", "notDone", "cancelled"] }]
        )
        yield* pass("1 minute")
        yield* ledger.operator.releaseCharges(id, { by: "Jana", note: "nothing else was charged" })
        assert.deepInclude(yield* ledger.charge("b", id, { ...charge, order_number: "sub-2" }), { _tag: "Done" })
        assert.deepInclude(yield* Effect.orDie(getPayment(id)), { state: "PAID" })
        // What waited is decided by itself.
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt" })
      })
    )
  )

  it.effect("that has forgotten a charge does not make it again under its key", () =>
    inWorld(({ ledger, pass, sent, store, reported }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* ledger.charge("a", id, charge)
        yield* Outsider.forgetChanges(store)
        yield* Outsider.forgetPayments(store)
        yield* ledger.operator.distrust({ since: new Date(0) })
        yield* pass("1 minute")
        assert.deepInclude(yield* ledger.charge("a", id, charge), { _tag: "InDoubt", needsOperator: true })
        yield* ledger.charge("b", id, { ...charge, order_number: "sub-2", day: "1970-01-01" }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["create-recurrence"])
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [
            ["a", "InDoubt"],
            ["b", "InDoubt"]
          ]
        )
        // Of the first one an operator finds what came of it, and lets the others go.
        const { version = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        const said = { by: "Jana", note: "as GoPay's administration shows" }
        yield* ledger.operator.resolveChange("a", { version, as: "done", chargeId: yield* childId, ...said })
        yield* ledger.operator.releaseCharges(`0${id}`, said)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
        assert.lengthOf(yield* children, 2)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        // Once, and not for ever.
        yield* ledger.operator.distrust({ since: new Date(0) })
        yield* pass("1 minute")
        yield* ledger.charge("c", id, { ...charge, order_number: "sub-3" }, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("c"), { _tag: "InDoubt" })
      })
    )
  )

  it.effect("stops no charge for a later day, which is sent on that day, and none of a payment made since", () =>
    inWorld(({ ledger, pass, sent, reported }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* ledger.operator.distrust({ since: new Date(0) })
        yield* pass("1 minute")
        yield* ledger.charge("a", id, { ...charge, day: "1970-01-04" }, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "queued" })
        yield* pass("46 hours")
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, [])
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        const { paymentId = 0 } = yield* ledger.checkout("1", { ...order, recurrence })
        yield* Effect.orDie(LocalGateway.payByCard(paymentId))
        assert.deepInclude(yield* ledger.charge("b", paymentId, { ...charge, order_number: "sub-2" }), { _tag: "Done" })
        assert.deepStrictEqual(reported, [])
        const wrong = yield* flipped(ledger.charge("c", id, { ...charge, day: "1970-02-30" }))
        assert.include(wrong.message, "day must be a day that exists")
      })
    )
  )
})
