/**
 * The rules for a change, each with a test that fails without it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type Gateway, getPayment, refundPayment } from "../../src/index.js"
import type { ChangeDecision, SqlRow } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import * as Outsider from "./Outsider.js"
import { statements } from "./FailingStore.js"
import { held, inWorld, paid, refunded, refundedByHand } from "./World.js"

/** Only records it: its steps are made when the test says so. */
const later = { waitAtMost: 0 }

const lost = { type: "connectionReset", effect: "none" } as const
const unanswered = { type: "connectionReset", effect: "committed" } as const

const arm = (fault: Parameters<typeof LocalGateway.armFault>[0], operation = "refundPayment" as const) =>
  Effect.orDie(LocalGateway.armFault(fault, { operation }))

const flipped = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.orDie(Effect.flip(effect))

describe("a key", () => {
  it.effect("is one change, however often it is asked for", () =>
    inWorld(({ ledger, makeProcess, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const other = yield* makeProcess()
        const first = yield* ledger.refund("a", id, { amount: 500 })
        assert.deepInclude(first, { _tag: "Done", key: "a", paymentId: id, how: "answered" })
        yield* ledger.runOnce()
        const again = yield* other.refund("a", String(id), { amount: 500 })
        assert.deepInclude(again, { _tag: "Done", how: "answered" })
        assert.deepStrictEqual(yield* refunded(id), [500])
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )

  it.effect("of another change is refused, and nothing is sent", () =>
    inWorld(({ ledger, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 })
        for (const other of [
          ledger.refund("a", id, { amount: 501 }),
          ledger.refund("a", yield* paid, { amount: 500 }),
          ledger.capture("a", id)
        ]) {
          assert.strictEqual((yield* flipped(other)).reason._tag, "KeyReused")
        }
        assert.strictEqual(sent.length, 1)
        assert.deepInclude(yield* ledger.operator.getChange("a"), {
          amount: 500,
          paymentId: id,
          operation: "refundPayment"
        })
      })
    )
  )

  it.effect("of another change is refused while the first one waits, which is sent as it was asked for", () =>
    inWorld(({ ledger, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 }, later)
        const other = yield* flipped(ledger.refund("a", id, { amount: 501 }, later))
        assert.strictEqual(other.reason._tag, "KeyReused")
        assert.strictEqual((yield* ledger.operator.getChange("a"))?.amount, 500)
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* refunded(id), [500])
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("is of one payment, however its id is spelled: one change of it goes at a time", () =>
    inWorld(({ hooks, ledger, makeProcess, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const other = yield* makeProcess()
        yield* ledger.refund("a", `000${id}`, { amount: 500 }, later)
        yield* other.refund("b", id, { amount: 500 }, later)
        // While the first is under way, the second may not begin.
        hooks.push(Effect.orDie(other.runOnce()))
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* refunded(id), [500, 500])
        assert.deepStrictEqual(sent, ["refund", "refund"])
        for (const key of ["a", "b"]) assert.deepInclude(yield* ledger.getOutcome(key), { _tag: "Done", paymentId: id })
        assert.deepInclude(yield* ledger.refund("a", id, { amount: 500 }), { _tag: "Done" })
      })
    )
  )

  it.effect("compares items whatever the order of their members", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* held
        const items = [{ name: "Book", amount: 300, count: 1 }]
        const inOtherOrder = [{ count: 1, amount: 300, name: "Book" }]
        yield* ledger.capturePartial("a", id, { amount: 300, items }, later)
        yield* ledger.capturePartial("a", id, { items: inOtherOrder, amount: 300 }, later)
        const other = ledger.capturePartial("a", id, { amount: 300 }, later)
        assert.strictEqual((yield* flipped(other)).reason._tag, "KeyReused")
      })
    )
  )

  it.effect("that cannot be right is not recorded", () =>
    inWorld(({ ledger, store }) =>
      Effect.gen(function* () {
        for (const wrong of [
          ledger.refund("", 1, { amount: 500 }),
          ledger.refund("a\0b", 1, { amount: 500 }),
          // Cut inside an emoji.
          ledger.refund("a \ud83d", 1, { amount: 500 }),
          ledger.charge("a", 1, { amount: 500, currency: "CZK", order_number: "1 \ud83d" }),
          ledger.refund("a", "no id", { amount: 500 }),
          ledger.refund("a", 1, { amount: 0.5 }),
          ledger.refund("a", 1, { amount: -5 })
        ]) {
          assert.strictEqual((yield* flipped(wrong)).reason._tag, "InvalidArgument")
        }
        assert.deepStrictEqual(yield* Effect.promise(() => store.rows("SELECT * FROM gopay_change")), [])
      })
    )
  )

  it.effect("is another one for another merchant or environment: no one touches the others' rows", () =>
    inWorld(({ ledger, store, sent }) =>
      Effect.gen(function* () {
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* Outsider.giveToOtherMerchant(store)
        assert.strictEqual(yield* ledger.runOnce(), 0)
        assert.isUndefined(yield* ledger.getOutcome("a"))
        assert.deepStrictEqual(sent, [])
      })
    )
  )
})

describe("the mark", () => {
  it.effect("is committed before the request is handed over, with what it takes to find out", () =>
    inWorld(({ hooks, ledger, pass, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const { id: refundId } = yield* refundedByHand(id, 700)
        yield* ledger.operator.acknowledgeRefund(id, refundId, { by: "Jana", note: "another complaint" })
        yield* pass("2 minutes")
        const seen: Array<SqlRow> = []
        hooks.push(
          Effect.promise(async () => seen.push(...(await store.rows("SELECT status, record FROM gopay_change"))))
        )
        yield* ledger.refund("a", id, { amount: 500 })
        assert.lengthOf(seen, 1)
        assert.deepNestedInclude(seen[0], { status: "sending" })
        const parsed: unknown = JSON.parse(String(seen[0]?.["record"]))
        assert.deepInclude(parsed, { operation: "refundPayment", amount: 500, isOnlyWriter: true })
        assert.deepNestedInclude(parsed, { "refundsBefore[0].amount": 700 })
      })
    )
  )

  it.effect("of a process that died is never sent again, but looked for", () =>
    inWorld(({ hooks, ledger, makeProcess, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const dying = yield* makeProcess()
        yield* dying.refund("a", id, { amount: 500 }, later)
        hooks.push(dying.kill)
        yield* Effect.forkChild(dying.runOnce())
        while (sent.length === 0) yield* Effect.promise(() => new Promise(setImmediate))
        assert.strictEqual(yield* ledger.runOnce(), 0)
        yield* pass("31 seconds")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )

  it.effect("whose commit cannot be known sends nothing, and is taken back", () =>
    inWorld(({ ledger, pass, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        captureLog(/^The ledger waits/)
        store.fail(statements.mark, "failsAfter")
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* Effect.exit(ledger.runOnce())
        assert.deepStrictEqual(sent, [])
        yield* pass("31 seconds")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "answered" })
        assert.deepStrictEqual(yield* refunded(id), [500])
      })
    )
  )
})

describe("an attempt", () => {
  it.effect("that comes late moves nothing of the attempt after it", () =>
    inWorld(({ ledger, makeProcess, pass, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        captureLog(/^The ledger waits/)
        const slow = yield* makeProcess()
        yield* slow.refund("a", id, { amount: 500 }, later)
        yield* arm(unanswered)
        // Its lease ends before its mark, and another process sends the change; the response is lost. Then it gives up.
        store.before(statements.refundsOf, () =>
          Effect.runPromise(
            Effect.gen(function* () {
              store.moveClock(31_000)
              yield* ledger.runOnce()
              assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt" })
              store.fail(statements.refundsOf, "failsBefore")
            }).pipe(Effect.orDie)
          )
        )
        yield* slow.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt" })
        yield* pass("2 minutes")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )
})

describe("the pre-send check", () => {
  it.effect("sends nothing when the lease has expired, and the change goes back into the queue", () =>
    inWorld(({ ledger, pass, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        // The process is suspended between the mark and the socket.
        store.before(statements.preSendCheck, async () => {
          store.moveClock(31_000)
        })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* pass(0)
        assert.deepStrictEqual(sent, [])
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "queued" })
      })
    )
  )

  it.effect("sends nothing when an operator has decided meanwhile", () =>
    inWorld(({ ledger, makeProcess, pass, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const sleeper = yield* makeProcess()
        yield* sleeper.refund("a", id, { amount: 500 }, later)
        store.before(statements.preSendCheck, () =>
          Effect.runPromise(
            Effect.gen(function* () {
              store.moveClock(31_000)
              yield* ledger.runOnce()
              const outcome = yield* ledger.getOutcome("a")
              assert.strictEqual(outcome?._tag, "InDoubt")
              if (outcome?._tag !== "InDoubt") return
              const { version } = outcome
              yield* ledger.operator.resolveChange("a", {
                version,
                as: "notDone",
                early: true,
                by: "Jana",
                note: "GoPay shows none"
              })
            }).pipe(Effect.orDie)
          )
        )
        yield* sleeper.runOnce()
        yield* pass("1 day")
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, [])
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "operator" })
      })
    )
  )

  it.effect("sends nothing when the store does not respond", () =>
    inWorld(({ ledger, pass, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        store.fail(statements.preSendCheck, "failsBefore")
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, [])
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "queued" })
        yield* pass("2 seconds")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
      })
    )
  )
})

describe("the oldest change of a payment", () => {
  it.effect("goes first, whoever comes first to a process", () =>
    inWorld(({ ledger, makeProcess, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* held
        const other = yield* makeProcess()
        yield* ledger.capture("ship", id, later)
        yield* other.refund("complaint", id, { amount: 500 }, later)
        // The capture is due later: the refund waits for it all the same.
        yield* Outsider.postpone(store, "ship", 1)
        yield* other.runOnce()
        assert.deepStrictEqual(sent, [])
        store.moveClock(1)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["capture", "refund"])
        assert.deepInclude(yield* ledger.getOutcome("complaint"), { _tag: "Done" })
      })
    )
  )

  it.effect.each(["interrupted", "at the end of its wait", "of a closing ledger"] as const)(
    "that is done keeps no other of its payment waiting, though its caller is %s",
    (end) =>
      inWorld(({ hooks, ledger, makeProcess, pass, sent }) =>
        Effect.gen(function* () {
          const id = yield* paid
          const other = yield* makeProcess()
          const onTheWire = yield* Deferred.make<void>()
          const mayArrive = yield* Deferred.make<void>()
          hooks.push(Effect.andThen(Deferred.succeed(onTheWire, undefined), Deferred.await(mayArrive)))
          const caller = yield* Effect.forkChild(other.refund("a", id, { amount: 500 }, { waitAtMost: "5 seconds" }))
          yield* Deferred.await(onTheWire)
          if (end === "interrupted") yield* Fiber.interrupt(caller)
          if (end === "at the end of its wait") {
            yield* pass("5 seconds")
            assert.strictEqual((yield* Fiber.join(caller))._tag, "Pending")
          }
          const work = yield* Effect.forkChild(end === "of a closing ledger" ? other.close : other.runOnce())
          yield* Effect.yieldNow
          yield* Deferred.succeed(mayArrive, undefined)
          yield* Fiber.join(work)
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
          yield* ledger.refund("b", id, { amount: 500 }, later)
          yield* ledger.runOnce()
          assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
          assert.deepStrictEqual(sent, ["refund", "refund"])
        })
      )
  )

  it.effect("keeps the others waiting while it is in doubt", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm(lost)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.refund("b", id, { amount: 500 }, later)
        for (let hours = 0; hours < 30; hours++) {
          yield* ledger.runOnce()
          yield* pass("1 hour")
        }
        assert.deepStrictEqual(sent, ["refund"])
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: true })
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Pending", status: "queued" })
      })
    )
  )

  it.effect("is not asked about again and again by those that wait for it, which go on when it is decided", () =>
    inWorld(({ ledger, pass, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm(lost)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.refund("b", id, { amount: 500 }, later)
        const versionOfB = Effect.promise(async () => {
          const [row] = await store.rows("SELECT version FROM gopay_change WHERE key = 'b'")
          return Number(row?.["version"])
        })
        yield* ledger.runOnce({ budget: "1 minute" })
        const before = yield* versionOfB
        for (let minutes = 0; minutes < 60; minutes++) {
          yield* pass("1 minute")
          yield* ledger.runOnce()
        }
        // Each look moves it twice.
        assert.isAtMost(yield* versionOfB, before + 14)
        assert.deepStrictEqual(sent, ["refund"])
        const change = yield* ledger.operator.getChange("a")
        yield* ledger.operator.resolveChange("a", {
          version: change?.version ?? 0,
          as: "notDone",
          early: true,
          by: "Eva",
          note: "The gateway has none."
        })
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund", "refund"])
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
      })
    )
  )

  it.effect("is one of a payment: two cannot hold it", () =>
    inWorld(({ ledger, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.refund("b", id, { amount: 500 }, later)
        const twice = yield* Effect.exit(Outsider.holdOnePayment(store))
        assert.strictEqual(twice._tag, "Failure")
      })
    )
  )
})

describe("the list of refunds", () => {
  it.effect("has each refund of ours once: two of the same amount are told apart", () =>
    inWorld(({ ledger, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.refund("b", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* refunded(id), [500, 500])
        const rows = yield* Effect.promise(() => store.rows("SELECT entry, holds FROM gopay_change"))
        assert.strictEqual(new Set(rows.map(({ entry }) => entry)).size, 2)
        assert.isTrue(rows.every(({ entry, holds }) => entry !== null && holds === null))
      })
    )
  )

  it.effect("that does not show what is done is waited for", () =>
    inWorld(({ ledger, listed, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        listed.see = () => []
        const first = yield* ledger.refund("a", id, { amount: 500 })
        assert.strictEqual(first._tag, "Done")
        yield* ledger.refund("b", id, { amount: 500 }, later)
        for (let minutes = 0; minutes < 5; minutes++) {
          yield* ledger.runOnce()
          yield* pass("1 minute")
        }
        assert.deepStrictEqual(sent, ["refund"])
        listed.see = (refunds) => refunds
        yield* pass("10 minutes")
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund", "refund"])
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
      })
    )
  )

  it.effect("that loses one again is waited for as well", () =>
    inWorld(({ ledger, listed, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 })
        yield* ledger.runOnce()
        listed.see = () => []
        yield* ledger.refund("b", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund"])
        listed.see = (refunds) => refunds
        yield* pass("1 minute")
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund", "refund"])
      })
    )
  )

  it.effect("with a refund made by hand after the row asks an operator, and sends nothing", () =>
    inWorld(({ ledger, pass, sent, reported }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* pass("2 minutes")
        const byHand = yield* refundedByHand(id, 500)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund"]) // the one by hand
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [["a", "StrangeRefund"]]
        )
        const outcome = yield* ledger.getOutcome("a")
        assert.deepInclude(outcome, { _tag: "InDoubt", needsOperator: true })
        if (outcome?._tag !== "InDoubt") return
        const { version } = outcome
        // It was never sent: that it is done is not for anyone to say.
        const decision = { version, by: "Jana", note: "I made it by hand" }
        const refused = yield* flipped(ledger.operator.resolveChange("a", { ...decision, as: "done" }))
        assert.match(refused.message, /never sent.*What fits: cancelled, byHand/)
        const other = yield* flipped(
          ledger.operator.resolveChange("a", { ...decision, as: "byHand", refundId: byHand.id + 1 })
        )
        assert.match(other.message, /lists no refund/)
        yield* ledger.operator.resolveChange("a", {
          version,
          as: "byHand",
          refundId: byHand.id,
          by: "Jana",
          note: "I made it by hand"
        })
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "operator", refundId: byHand.id })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("that waits can be cancelled, and a decision taken back while nothing was built on it", () =>
    inWorld(({ ledger, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.operator.pause
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.refund("b", id, { amount: 700 }, later)
        const decide = (key: string, as: ChangeDecision) =>
          Effect.flatMap(ledger.operator.getChange(key), (change) =>
            ledger.operator.resolveChange(key, {
              version: change?.version ?? 0,
              as,
              by: "Jana",
              note: "a mistake"
            })
          )
        assert.deepInclude(yield* decide("a", "cancelled"), { _tag: "Refused", how: "operator" })
        assert.deepInclude(yield* decide("a", "undecided"), { _tag: "Pending", status: "queued" })
        yield* decide("a", "cancelled")
        yield* ledger.operator.resume
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund"])
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
        const late = yield* flipped(decide("a", "undecided"))
        assert.match(late.message, /Another change of the payment was sent since/)
        const done = yield* flipped(decide("b", "cancelled"))
        assert.match(done.message, /The change is decided/)
      })
    )
  )

  it.effect("about what was sent is taken back as that, also when its details are erased", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* held
        yield* Effect.orDie(LocalGateway.armFault(unanswered, { operation: "captureAuthorization" }))
        yield* ledger.capture("a", id, later)
        yield* ledger.runOnce()
        const decide = (as: ChangeDecision) =>
          Effect.flatMap(ledger.operator.getChange("a"), (change) =>
            ledger.operator.resolveChange("a", {
              version: change?.version ?? 0,
              as,
              early: true,
              by: "Jana",
              note: "a mistake"
            })
          )
        yield* decide("notDone")
        yield* pass("100 days")
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "99 days" }), 1)
        assert.deepInclude(yield* decide("undecided"), { _tag: "InDoubt", needsOperator: true })
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["capture"])
        assert.deepInclude((yield* ledger.operator.listAttention())[0], { key: "a", decisions: ["done", "notDone"] })
      })
    )
  )

  it.effect("with a refund that failed before it was seen is no obstacle to the next one", () =>
    inWorld(
      ({ ledger, pass, sent }) =>
        Effect.gen(function* () {
          const id = yield* paid
          assert.deepInclude(yield* ledger.refund("a", id, { amount: 500 }), { _tag: "Pending", status: "accepted" })
          yield* ledger.refund("b", id, { amount: 400 }, later)
          yield* pass("1 hour")
          yield* ledger.runOnce()
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "found" })
          yield* pass("1 minute")
          yield* ledger.runOnce()
          assert.deepStrictEqual(sent, ["refund", "refund"])
          assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        }),
      { settings: { refund: "acceptedThenFailed", timeToProcessSeconds: 60 } }
    )
  )

  it.effect("that lists a refund which failed no more is no obstacle to the next one", () =>
    inWorld(
      ({ ledger, listed, pass, sent }) =>
        Effect.gen(function* () {
          const id = yield* paid
          yield* ledger.refund("a", id, { amount: 500 })
          yield* pass("1 hour")
          yield* ledger.runOnce()
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "found" })
          listed.see = () => []
          yield* ledger.refund("b", id, { amount: 400 }, later)
          yield* ledger.runOnce()
          assert.deepStrictEqual(sent, ["refund", "refund"])
          listed.see = (refunds) => refunds
          yield* pass("1 hour")
          yield* ledger.runOnce()
          assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Refused", how: "found" })
          assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        }),
      { settings: { refund: "acceptedThenFailed", timeToProcessSeconds: 60 } }
    )
  )
})

describe("a refund whose response was lost", () => {
  it.effect("is found in the list", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm(unanswered)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: false })
        yield* pass("1 second")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )

  it.effect("and that is carried out late is found late, where nobody else refunds", () =>
    inWorld(({ makeProcess, pass, sent }) =>
      Effect.gen(function* () {
        const ledger = yield* makeProcess({ noOtherRefunders: true })
        const id = yield* paid
        yield* arm({ type: "commitLater", seconds: 7200 })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        for (let hours = 0; hours < 4; hours++) {
          yield* ledger.runOnce()
          yield* pass("1 hour")
        }
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )

  it.effect("and that is carried out late may be another one, made by hand: an operator says which", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm({ type: "commitLater", seconds: 7200 })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        for (let hours = 0; hours < 4; hours++) {
          yield* ledger.runOnce()
          yield* pass("1 hour")
        }
        yield* ledger.runOnce()
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item, { kind: "InDoubt", key: "a" })
        assert.match(String(item?.message), /lists refund \d+ of the same amount, and does not date it/)
      })
    )
  )

  it.effect("and in whose place another one was made by hand is not taken for done", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm({ type: "connectionReset", effect: "none" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* pass("5 minutes")
        // For another complaint, of the same amount.
        const byHand = yield* refundedByHand(id, 500)
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: true })
        // Until it is decided that the other one is not this one, it is left to it.
        const reason = { by: "Jana", note: "complaint 78" }
        const failure = yield* Effect.orDie(Effect.flip(ledger.operator.acknowledgeRefund(id, byHand.id, reason)))
        assert.match(failure.message, /may be that of the change a/)
        const { version = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        yield* ledger.operator.resolveChange("a", { version, as: "notDone", ...reason })
        yield* ledger.operator.acknowledgeRefund(id, byHand.id, reason)
        yield* pass("2 hours")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "operator" })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("and that is not seen for a day is for an operator, and is found all the same when it comes", () =>
    inWorld(({ makeProcess, pass, reported }) =>
      Effect.gen(function* () {
        const ledger = yield* makeProcess({ noOtherRefunders: true })
        const id = yield* paid
        yield* arm({ type: "commitLater", seconds: 48 * 3600 })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        for (let hours = 0; hours < 26; hours++) {
          yield* ledger.runOnce()
          yield* pass("1 hour")
        }
        assert.deepStrictEqual(
          reported.map(({ kind }) => kind),
          ["InDoubt"]
        )
        for (let hours = 0; hours < 26; hours++) {
          yield* pass("1 hour")
          yield* ledger.runOnce()
        }
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})

describe("a refusal", () => {
  it.effect("by the gateway stands when two reads agree with it", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 100_001 }, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "sending" })
        yield* pass("1 second")
        yield* ledger.runOnce()
        const outcome = yield* ledger.getOutcome("a")
        assert.deepInclude(outcome, { _tag: "Refused", how: "answered", code: 332 })
        assert.deepInclude(yield* ledger.refund("a", id, { amount: 100_001 }), { _tag: "Refused" })
        assert.deepStrictEqual(sent, ["refund"])
        // The payment is free for the next one.
        assert.deepInclude(yield* ledger.refund("b", id, { amount: 5 }), { _tag: "Done" })
      })
    )
  )

  const ofOthers = {
    refundPayment: [340, 342, 343, 350, 351, 352, 353],
    captureAuthorization: [340, 342, 343, 352, 353],
    voidAuthorization: [340, 342, 343, 350, 351]
  } as const

  it.effect.each(
    (["refundPayment", "captureAuthorization", "voidAuthorization"] as const).flatMap((operation) =>
      ofOthers[operation].map((code) => [operation, code] as const)
    )
  )("of %s with code %i of another operation stands when two reads agree, and needs no operator", ([operation, code]) =>
    inWorld(({ ledger, pass, sent, reported }) =>
      Effect.gen(function* () {
        const id = yield* operation === "refundPayment" ? paid : held
        yield* Effect.orDie(LocalGateway.armFault({ type: "refusal", code }, { operation }))
        if (operation === "refundPayment") yield* ledger.refund("a", id, { amount: 500 }, later)
        if (operation === "captureAuthorization") yield* ledger.capture("a", id, later)
        if (operation === "voidAuthorization") yield* ledger.release("a", id, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "sending" })
        yield* pass("1 second")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused" })
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual(reported, [])
      })
    )
  )

  it.effect.each([
    ["an empty account", "someone is told", { type: "refusal", code: 333 }, "AccountEmpty"],
    ["a firewall", "no one is told the first time", { type: "htmlForbidden" }, undefined]
  ] as const)("by %s is not: it waits, %s, and it is sent later", ([, , fault, kind]) =>
    inWorld(({ ledger, pass, sent, reported }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm(fault)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "sending" })
        assert.deepStrictEqual(
          reported.map(({ kind }) => kind),
          kind === undefined ? [] : [kind]
        )
        // The first read that works, and the second one, ten minutes later.
        yield* pass("1 minute")
        yield* ledger.runOnce()
        yield* pass("10 minutes")
        assert.lengthOf(sent, 1)
        assert.deepStrictEqual((yield* ledger.operator.getChange("a"))?.attention, kind && [kind])
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.deepStrictEqual(yield* refunded(id), [500])
      })
    )
  )

  it.effect.each([
    ["too many requests", { type: "rateLimited" }],
    ["an empty account", { type: "refusal", code: 333 }],
    ["a firewall", { type: "htmlForbidden" }]
  ] as const)("for %s may be the answer to a copy: what is listed late is not sent again", ([, fault]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { hooks, ledger, listed, pass, sent } = world
        const id = yield* paid
        const context = yield* Effect.context<Gateway | LocalGateway>()
        const copy = Effect.andThen(refundPayment(id, { amount: 500 }), arm(fault))
        hooks.push(Effect.orDie(Effect.provideContext(copy, context)))
        // The list is behind, by some minutes.
        listed.see = () => []
        yield* ledger.refund("a", id, { amount: 500 }, later)
        for (let minutes = 0; minutes < 8; minutes++) {
          yield* ledger.runOnce()
          yield* pass("1 minute")
        }
        // Another refund of the payment waits as well.
        assert.strictEqual((yield* ledger.refund("b", id, { amount: 500 }, later))._tag, "Pending")
        listed.see = (list) => list
        for (let minutes = 0; minutes < 20; minutes++) {
          yield* ledger.runOnce()
          yield* pass("1 minute")
        }
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "Done")
        assert.strictEqual((yield* ledger.getOutcome("b"))?._tag, "Done")
        assert.lengthOf(sent, 3)
        assert.deepStrictEqual(yield* refunded(id), [500, 500])
      })
    )
  )

  it.effect("that may be the answer to a copy waits for reads that work", () =>
    inWorld(({ ledger, listed, pass, sent, reported }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm({ type: "rateLimited" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        listed.fails = ({ method }) => (method === "GET" ? 429 : undefined)
        for (let hours = 0; hours < 30; hours++) {
          yield* pass("1 hour")
          yield* ledger.runOnce()
        }
        assert.lengthOf(sent, 1)
        // One item for all: no read works.
        const reportedOfAll = reported.map(({ key, kind }) => [key, kind])
        assert.deepStrictEqual(reportedOfAll, [["ledger", "SendingStopped"]])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        listed.fails = () => undefined
        yield* pass("10 minutes")
        yield* ledger.runOnce()
        yield* pass("9 minutes")
        yield* ledger.runOnce()
        assert.lengthOf(sent, 1)
        yield* pass("1 minute")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        assert.lengthOf(reported, 1)
      })
    )
  )

  it.effect("that may be the answer to a copy is an operator's to end", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm({ type: "refusal", code: 333 })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        const { version = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        yield* ledger.operator.resolveChange("a", { version, as: "cancelled", by: "Eva", note: "paid in cash" })
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "Refused")
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("for too many requests is waited out as long as the gateway asks for", () =>
    inWorld(({ ledger, listed, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        let lists = 0
        listed.see = (list) => {
          lists++
          return list
        }
        yield* arm({ type: "rateLimited", seconds: 120 })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* pass("119 seconds")
        yield* ledger.runOnce()
        assert.strictEqual(lists, 1)
        yield* pass("1 second")
        yield* ledger.runOnce()
        yield* pass("10 minutes")
        assert.lengthOf(sent, 1)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
      })
    )
  )
})

describe("a refund that is only accepted", () => {
  it.effect.each([
    ["acceptedThenFinished", "Done", [500]],
    ["acceptedThenFailed", "Refused", []]
  ] as const)("is pending until the list says how it ended: %s", ([refund, ending, listed]) =>
    inWorld(
      ({ ledger, pass, reported }) =>
        Effect.gen(function* () {
          const id = yield* paid
          const outcome = yield* ledger.refund("a", id, { amount: 500 })
          assert.deepInclude(outcome, { _tag: "Pending", status: "accepted" })
          for (let hours = 0; hours < 40; hours++) {
            yield* pass("1 hour")
            yield* ledger.runOnce()
          }
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "accepted" })
          yield* pass("10 hours")
          yield* ledger.runOnce()
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: ending, how: "found" })
          assert.deepStrictEqual(yield* refunded(id), listed)
          assert.deepStrictEqual(reported, [])
        }),
      { settings: { refund, timeToProcessSeconds: 45 * 3600 } }
    )
  )
})

describe("a hold", () => {
  it.effect("is captured, and what is so already is done", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* held
        assert.deepInclude(yield* ledger.capture("a", id), { _tag: "Done", how: "answered" })
        assert.deepInclude(yield* ledger.capture("b", id), { _tag: "Done", how: "stateReached" })
        assert.deepInclude(yield* ledger.capturePartial("c", id, { amount: 300 }), { _tag: "Refused", how: "found" })
        assert.strictEqual((yield* getPayment(id)).state, "PAID")
      })
    )
  )

  it.effect("is released; a capture is refused then", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* held
        assert.deepInclude(yield* ledger.release("a", id), { _tag: "Done", how: "answered" })
        assert.deepInclude(yield* ledger.capture("b", id), { _tag: "Refused", how: "found" })
      })
    )
  )

  it.effect("whose capture was lost is checked", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* held
        yield* Effect.orDie(LocalGateway.armFault(unanswered, { operation: "captureAuthorization" }))
        yield* ledger.capture("a", id, later)
        yield* ledger.runOnce()
        yield* pass("1 second")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "stateReached" })
      })
    )
  )
})

describe("a decision of an operator", () => {
  const inDoubt = (ledger: Parameters<Parameters<typeof inWorld>[0]>[0]["ledger"]) =>
    Effect.map(ledger.getOutcome("a"), (outcome) => (outcome?._tag === "InDoubt" ? outcome.version : Number.NaN))

  const by = { by: "Jana", note: "GoPay shows none" }

  it.effect("is about the version that was seen", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm(unanswered)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        const version = yield* inDoubt(ledger)
        yield* pass("1 second")
        yield* ledger.runOnce() // finds it
        const error = yield* flipped(ledger.operator.resolveChange("a", { version, as: "notDone", early: true, ...by }))
        assert.strictEqual(error.reason._tag, "NotResolved")
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
      })
    )
  )

  it.effect("that it was not made is too early while the ledger still looks for it, unless that is said", () =>
    inWorld(({ ledger, makeProcess, pass, sent }) =>
      Effect.gen(function* () {
        yield* arm(lost)
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* ledger.runOnce()
        const early = { version: yield* inDoubt(ledger), as: "notDone", ...by } as const
        const error = yield* flipped(ledger.operator.resolveChange("a", early))
        assert.strictEqual(error.reason._tag, "NotResolved")
        assert.include(error.message, "early: true")
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: false })
        // Another operator decides early, as GoPay says that it will not come.
        const other = yield* makeProcess()
        const decided = yield* other.operator.resolveChange("a", { ...early, early: true })
        assert.deepInclude(decided, { _tag: "Refused", how: "operator" })
        // Once it is an operator's, nobody has to say so.
        yield* arm(lost)
        yield* ledger.refund("b", yield* paid, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* pass("2 days")
        yield* ledger.runOnce()
        const [item] = yield* ledger.operator.listAttention()
        const due = { version: item?.version ?? 0, as: "notDone", ...by } as const
        assert.deepInclude(yield* ledger.operator.resolveChange("b", due), { _tag: "Refused" })
        assert.lengthOf(sent, 2)
      })
    )
  )

  it.effect("that it was not made is watched, and contradicted by what comes late", () =>
    inWorld(({ ledger, pass, sent, reported }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm({ type: "commitLater", seconds: 7200 })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* ledger.operator.resolveChange("a", {
          version: yield* inDoubt(ledger),
          as: "notDone",
          early: true,
          ...by
        })
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "operator" })
        yield* pass("4 hours")
        // A new key is a new attempt: it is stopped by the evidence.
        yield* ledger.refund("b", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.sameMembers(
          reported.map(({ key, kind }) => `${key} ${kind}`),
          ["a DecisionContradicted", "b StrangeRefund"]
        )
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )

  it.effect("is contradicted by the response, too", () =>
    inWorld(({ hooks, ledger, makeProcess, store, reported }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const slow = yield* makeProcess()
        yield* slow.refund("a", id, { amount: 500 }, later)
        hooks.push(
          Effect.gen(function* () {
            store.moveClock(31_000)
            yield* ledger.runOnce()
            yield* ledger.operator.resolveChange("a", {
              version: yield* inDoubt(ledger),
              as: "notDone",
              early: true,
              ...by
            })
          }).pipe(Effect.orDie)
        )
        yield* slow.runOnce()
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [["a", "DecisionContradicted"]]
        )
      })
    )
  )

  it.effect("needs a name and a note", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm(lost)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        const version = yield* inDoubt(ledger)
        const error = yield* flipped(ledger.operator.resolveChange("a", { version, as: "notDone", by: " ", note: "x" }))
        assert.strictEqual(error.reason._tag, "InvalidArgument")
      })
    )
  )
})

describe("a refund that an operator took for done", () => {
  it.effect("has its entry: the payment's next one is not stopped by it", () =>
    inWorld(({ ledger, pass, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* arm(unanswered)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.refund("b", id, { amount: 500 }, later)
        yield* ledger.refund("c", id, { amount: 700 }, later)
        yield* ledger.runOnce()
        const outcome = yield* ledger.getOutcome("a")
        const version = outcome?._tag === "InDoubt" ? outcome.version : Number.NaN
        yield* ledger.operator.resolveChange("a", { version, as: "done", by: "Jana", note: "GoPay shows it" })
        yield* pass("1 minute")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
        assert.deepInclude(yield* ledger.getOutcome("c"), { _tag: "Done" })
        assert.deepStrictEqual(sent, ["refund", "refund", "refund"])
      })
    )
  )
})

describe("the store", () => {
  it.effect("of another installation sends nothing", () =>
    inWorld(({ ledger, makeProcess, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 }, later)
        const staging = yield* makeProcess({ installation: "staging" })
        yield* staging.migrate
        assert.strictEqual((yield* flipped(staging.runOnce())).reason._tag, "LedgerUnavailable")
        assert.strictEqual((yield* flipped(staging.refund("b", id, { amount: 5 }))).reason._tag, "LedgerUnavailable")
        const { message } = yield* flipped(staging.operator.distrust({ since: new Date(0) }))
        assert.match(message, /belongs to another installation.*: main/)
        assert.deepStrictEqual(sent, [])
      })
    )
  )

  it.effect("that is paused sends nothing, in no process, and keeps all", () =>
    inWorld(({ ledger, makeProcess, sent }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const other = yield* makeProcess()
        yield* other.operator.pause
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, [])
        yield* other.operator.resume
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
      })
    )
  )

  it.effect("that loses the result's acknowledgement, or does not respond for a while, is told again", () =>
    inWorld(({ ledger, pass, sent, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        store.fail(statements.ended, "failsAfter")
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* Effect.forkChild(ledger.runOnce())
        while (sent.length === 0) yield* Effect.promise(() => new Promise(setImmediate))
        for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => new Promise(setImmediate))
        yield* pass("1 second")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "answered" })
        assert.deepStrictEqual(sent, ["refund"])
      })
    )
  )
})

describe("old changes", () => {
  it.effect("are forgotten but for their key and outcome, and sent no more; what is open or watched is kept", () =>
    inWorld(({ ledger, pass, sent, store }) =>
      Effect.gen(function* () {
        const [id, other, strange] = [yield* paid, yield* paid, yield* paid]
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.refund("watched", other, { amount: 500 }, later)
        yield* Effect.orDie(LocalGateway.armFault(lost, { operation: "refundPayment" }))
        yield* ledger.runOnce()
        yield* pass("25 hours")
        yield* ledger.runOnce()
        yield* pass("10 minutes")
        yield* ledger.runOnce()
        const doubtful = yield* ledger.operator.listAttention()
        for (const { key, version } of doubtful) {
          yield* ledger.operator.resolveChange(key, { version, as: "notDone", by: "Jana", note: "none" })
        }
        yield* ledger.runOnce()
        yield* ledger.refund("open", strange, { amount: 500 }, later)
        yield* pass("2 days")
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "30 days" }), 0)
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "1 day" }), 1)
        const rows = yield* Effect.promise(() =>
          store.rows("SELECT key, request, record FROM gopay_change ORDER BY seq")
        )
        const forgotten = rows.filter(({ record, request }) => request === null && record === null)
        assert.strictEqual(forgotten.length, 1)
        const key = String(forgotten[0]?.["key"])
        const payment = key === "a" ? id : other
        const before = sent.length
        assert.deepInclude(yield* ledger.refund(key, payment, { amount: 500 }, later), {
          _tag: "Done",
          how: "answered",
          message: ""
        })
        const reused = yield* Effect.flip(ledger.refund(key, payment, { amount: 501 }, later))
        assert.strictEqual(reused.reason._tag, "KeyReused")
        assert.strictEqual(sent.length, before)
      })
    )
  )
})

describe("a transaction of the shop's", () => {
  it.effect("that commits submits the change, one that rolls back submits nothing", () =>
    inWorld(
      ({ ledger, store, sent }) =>
        Effect.gen(function* () {
          const id = yield* paid
          const shop = (key: string, fails: boolean) =>
            Effect.result(
              Effect.tryPromise(() =>
                store.transaction(async (tx) => {
                  await Effect.runPromise(ledger.submit(tx, key, { refund: id, amount: 500 }))
                  if (fails) throw new Error("the shop rolls back")
                })
              )
            )
          yield* shop("a", true)
          yield* shop("b", false)
          yield* ledger.runOnce()
          assert.isUndefined(yield* ledger.getOutcome("a"))
          assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
          assert.deepStrictEqual(sent, ["refund"])
        }),
      { isInMemory: false }
    )
  )
})
