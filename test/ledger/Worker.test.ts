/**
 * What a worker does when something is slow, cannot be read, or keeps it from sending.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { captureLog } from "../support/LogGuard.js"
import { idOf, request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, paid, refunded, refundedByHand } from "./World.js"

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
          assert.deepInclude(yield* ledger.getOutcome(`key-${index}`), { _tag: index === 0 ? "Pending" : "Done" })
        }
        yield* Deferred.succeed(response, undefined)
        assert.isAtLeast(yield* Fiber.join(run), 5)
        assert.deepInclude(yield* ledger.getOutcome("key-0"), { _tag: "Done" })
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
        const work = yield* Effect.forkChild(worker.runWorker)
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
        // What is under way ends before the store does.
        for (let turn = 0; turn < 3; turn++) yield* settled
      })
    )
  )
})

describe("a slow read of a payment", () => {
  it.effect("delays no refund", () =>
    inWorld(({ ledger, listed, makeProcess, pass, reads, sent }) =>
      Effect.gen(function* () {
        const worker = yield* makeProcess({ pollEvery: "1 second" })
        yield* ledger.checkout("1", request)
        yield* pass("2 minutes")
        const response = yield* Deferred.make<void>()
        listed.afterRead = Deferred.await(response)
        const work = yield* Effect.forkChild(worker.runWorker)
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
        // What is under way ends before the store does.
        for (let turn = 0; turn < 3; turn++) yield* settled
      })
    )
  )
})

describe("a store that cannot be used", () => {
  it.effect("is logged once in ten minutes, however often the worker polls", () =>
    inWorld(({ makeProcess, pass, store }) =>
      Effect.gen(function* () {
        const lines = captureLog(/^The ledger waits/)
        const worker = yield* makeProcess({ pollEvery: "1 second" })
        yield* worker.getHealth
        store.fail(/./, "failsBefore", Infinity)
        const work = yield* Effect.forkChild(worker.runWorker)
        const passSeconds = Effect.fnUntraced(function* (seconds: number) {
          for (let second = 0; second < seconds; second++) {
            yield* settled
            yield* pass("1 second")
          }
        })
        yield* passSeconds(60)
        assert.lengthOf(lines, 1)
        yield* pass("10 minutes")
        yield* passSeconds(60)
        assert.lengthOf(lines, 2)
        yield* Fiber.interrupt(work)
      })
    )
  )
})

describe("a row that cannot be read", () => {
  const edits = [
    ["a status of a newer release", Outsider.writeUnknownStatus],
    ["a request that was edited", Outsider.cutRequest],
    ["an operation of a newer release", Outsider.writeUnknownOperation],
    ["a send whose record was cut off", Outsider.cutRecord]
  ] as const

  it.effect.each(edits)("stops nothing but its own payment: %s", ([, edit]) =>
    inWorld(({ ledger, sent, store, reported }) =>
      Effect.gen(function* () {
        captureLog(/^The ledger waits/)
        const [id, other] = [yield* paid, yield* paid]
        yield* ledger.refund("bad", id, { amount: 500 }, later)
        yield* ledger.refund("same payment", id, { amount: 600 }, later)
        yield* ledger.refund("other", other, { amount: 700 }, later)
        yield* edit(store, "bad")
        for (let turn = 0; turn < 3; turn++) yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("other"), { _tag: "Done" })
        assert.deepInclude(yield* ledger.getOutcome("same payment"), { _tag: "Pending" })
        assert.deepStrictEqual(sent, ["refund"])
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [["bad", "UnreadableRow"]]
        )
        assert.deepStrictEqual(
          (yield* ledger.operator.listAttention()).map(({ key, kind, paymentId }) => [key, kind, paymentId]),
          [["bad", "UnreadableRow", id]]
        )
        assert.deepStrictEqual(
          (yield* ledger.operator.listChanges({ isOpen: true })).map(({ key }) => key),
          ["same payment"]
        )
        const failure = yield* Effect.orDie(Effect.flip(ledger.getOutcome("bad")))
        assert.deepInclude(failure.reason, { _tag: "LedgerUnavailable" })
        assert.include(failure.message, "gopay_change")
      })
    )
  )

  it.effect("is gone on with by the release that can read it, and is listed no more", () =>
    inWorld(({ ledger, store, reported }) =>
      Effect.gen(function* () {
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* Outsider.writeUnknownStatus(store)
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.lengthOf(reported, 1)
        yield* Outsider.queueAgain(store)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        assert.lengthOf(reported, 1)
      })
    )
  )

  it.effect("hides no row behind it, however many there are", () =>
    inWorld(({ ledger, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        for (let index = 0; index < 120; index++) yield* ledger.refund(`bad-${index}`, 4 + index, { amount: 5 }, later)
        yield* Outsider.writeUnknownStatus(store)
        yield* Outsider.makeDue(store)
        yield* ledger.refund("good", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("good"), { _tag: "Done" })
      })
    )
  )

  it.effect("and whose attention a newer release knows is reported once, and again by the release that knows it", () =>
    inWorld(({ ledger, makeProcess, store, reported }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess()
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* Outsider.writeUnknownAttention(store)
        for (const process of [ledger, other, ledger]) yield* process.runOnce()
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [["a", "UnreadableRow"]]
        )
        assert.deepInclude((yield* Effect.promise(() => store.rows("SELECT attention FROM gopay_change")))[0], {
          attention: '{"NewKind":"NewKind"}'
        })
        // What the kind is in the newer release.
        yield* Outsider.blameEmptyAccount(store)
        yield* ledger.runOnce()
        yield* other.runOnce()
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [
            ["a", "UnreadableRow"],
            ["a", "AccountEmpty"]
          ]
        )
      })
    )
  )

  it.effect("leaves room for the reports of all other rows, however many there are", () =>
    inWorld(({ ledger, store, reported }) =>
      Effect.gen(function* () {
        for (let index = 0; index < 120; index++) yield* ledger.refund(`bad-${index}`, 4 + index, { amount: 5 }, later)
        yield* Outsider.writeUnknownAttention(store)
        yield* ledger.refund("good", yield* paid, { amount: 500 }, later)
        yield* Outsider.blameEmptyAccount(store, "good")
        yield* ledger.runOnce()
        assert.includeDeepMembers(
          reported.map(({ key, kind }) => [key, kind]),
          [["good", "AccountEmpty"]]
        )
        const count = reported.length
        yield* ledger.runOnce()
        assert.deepStrictEqual([count, reported.length], [121, 121])
      })
    )
  )

  it.effect("of an order's payment stops no other payment", () =>
    inWorld(({ ledger, pass, reads, store, reported }) =>
      Effect.gen(function* () {
        const first = idOf(yield* ledger.checkout("1", request))
        const second = idOf(yield* ledger.checkout("2", request))
        yield* Outsider.cutTerms(store, "1")
        yield* pass("1 hour")
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.isTrue(reads.some((path) => path.endsWith(String(second))))
        assert.isFalse(reads.some((path) => path.endsWith(String(first))))
        assert.deepStrictEqual(
          reported.map(({ kind, orderNumber }) => [kind, orderNumber]),
          [["UnreadableRow", "1"]]
        )
      })
    )
  )
})

describe("an operator", () => {
  it.effect("is notified again until onAttention succeeds, by whichever process lives", () =>
    inWorld(({ ledger, makeProcess, pass, reported }) =>
      Effect.gen(function* () {
        captureLog(/^onAttention of the ledger failed/)
        let calls = 0
        const failing = yield* makeProcess({
          onAttention: () =>
            Effect.suspend(() => {
              calls++
              return Effect.die(new Error("the pager is away"))
            })
        })
        const id = yield* paid
        yield* refundedByHand(id, 500)
        yield* failing.refund("a", id, { amount: 500 }, later)
        yield* failing.runOnce()
        assert.strictEqual(calls, 1)
        yield* pass("11 seconds")
        yield* failing.runOnce()
        assert.strictEqual(calls, 2)
        yield* failing.runOnce()
        assert.strictEqual(calls, 2)
        assert.deepStrictEqual(reported, [])
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [["a", "StrangeRefund"]]
        )
      })
    )
  )

  it.effect("is notified once of a pause that was forgotten, and again of the next one", () =>
    inWorld(({ ledger, makeProcess, pass, reported }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess()
        const kinds = () => reported.map(({ kind }) => kind)
        yield* ledger.operator.pause
        yield* pass("30 minutes")
        yield* ledger.runOnce()
        assert.deepStrictEqual(kinds(), [])
        yield* pass("31 minutes")
        yield* ledger.runOnce()
        yield* other.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual(kinds(), ["SendingStopped"])
        assert.match(reported[0]?.message ?? "", /^Nothing is sent since 1970-01-02T.*paused/)
        yield* ledger.operator.resume
        yield* ledger.operator.pause
        yield* pass("61 minutes")
        yield* other.runOnce()
        assert.deepStrictEqual(kinds(), ["SendingStopped", "SendingStopped"])
      })
    )
  )

  it.effect.each([
    ["whose row was deleted", Outsider.deleteLedgerRow],
    ["whose installation was renamed", Outsider.renameInstallation],
    ["whose tables belong to a newer release", Outsider.migrateBeyond]
  ] as const)("is notified once by each process of a database %s", ([, edit]) =>
    inWorld(({ ledger, sent, store, reported }) =>
      Effect.gen(function* () {
        yield* ledger.runOnce()
        yield* edit(store)
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* ledger.runOnce()
        assert.deepStrictEqual(
          reported.map(({ key, kind }) => [key, kind]),
          [["ledger", "SendingStopped"]]
        )
        assert.deepStrictEqual(sent, [])
        assert.deepInclude(yield* ledger.getHealth, { isSending: false })
      })
    )
  )
})
