/**
 * A process is killed before and after each of its statements, including those within a transaction, while an order is
 * paid for and refunded; outside the long check at every fifth of these moments. Another process takes over.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { wasPaid } from "../../src/index.js"
import { type Fault, LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request, reportedOf, withBooks } from "./OrderBooks.js"
import { captureLog } from "../support/LogGuard.js"
import { faultyRequests } from "../support/faultyRequests.js"
import { everyFifthOf } from "../support/Runs.js"
import { inWorld, type KilledStatement, killedStatements, type TestLedger, type World } from "./World.js"

const faults: ReadonlyArray<readonly [string, Fault | undefined]> = [
  ["nothing else goes wrong", undefined],
  ["the response is lost", { type: "connectionReset", effect: "committed" }],
  ["the request is lost", { type: "connectionReset", effect: "none" }]
]

/** A payer who pays at the address that he is given, and the gateway's notification of it. */
const buy = (ledger: TestLedger) =>
  Effect.gen(function* () {
    const order = yield* ledger.checkout("1", request, { waitAtMost: 0 })
    // A payer who has paid is told so.
    if (order.status === "open") yield* Effect.ignore(LocalGateway.payByCard(order.paymentId))
    const id = idOf(order)
    if (id === 0) return
    yield* notify(ledger, id)
    yield* ledger.refund("back", id, { amount: 300 }, { waitAtMost: 0 })
    yield* ledger.runOnce()
  })

const turn = Effect.promise(() => new Promise(setImmediate))

/** Runs the story with a process that is killed; returns how many statements it made, and what was under way by then. */
const tell = (fault: Fault | undefined, killAt: KilledStatement | undefined) =>
  inWorld((world: World) =>
    Effect.gen(function* () {
      const { pass, sent, store } = world
      const ledger = yield* withBooks(world)
      if (fault !== undefined) yield* LocalGateway.armFault(fault, { operation: "createPayment" })
      const process = yield* withBooks(world, { killAt })
      const first = process.checkout("1", request, { waitAtMost: 0 })
      const fiber = yield* Effect.forkChild(
        Effect.gen(function* () {
          for (let asked = 0; asked < 2; asked++) yield* Effect.andThen(first, settled)
          yield* buy(process)
        })
      )
      while (fiber.pollUnsafe() === undefined && !process.isKilled()) yield* turn
      yield* settled
      const statements = process.statements()
      const wasKilled = process.isKilled()
      const isCreated = (yield* LocalGateway.listPayments).length > 0
      const isReportedPaid = (yield* reportedOf(world)).length > 0
      yield* process.kill
      yield* Fiber.interrupt(fiber)
      for (let step = 0; step < 8; step++) {
        yield* pass("31 seconds")
        yield* buy(ledger)
        yield* settled
      }
      for (let hours = 0; hours < 48; hours += 6) {
        yield* pass("6 hours")
        yield* ledger.runOnce()
      }
      const story = JSON.stringify({ fault, killAt })
      // A refund whose process is killed between its mark and the socket is for an operator, and was not sent.
      const refunds = sent.map(() => "partiallyRefunded 300")
      assert.isAtMost(sent.length, 1, story)
      assert.deepStrictEqual(yield* reportedOf(world), ["paid", ...refunds], story)
      assert.deepInclude(yield* ledger.getOrder("1"), { refunded: 300 * sent.length }, story)
      const kinds = (yield* ledger.operator.listAttention()).map(({ kind }) => kind)
      assert.deepStrictEqual(kinds, sent.length === 0 ? ["InDoubt"] : [], story)
      const paid = (yield* LocalGateway.listPayments).filter(wasPaid)
      assert.lengthOf(paid, 1, story)
      const open = yield* Effect.promise(() =>
        store.rows("SELECT status FROM gopay_payment WHERE status NOT IN ('created', 'lost')")
      )
      assert.deepStrictEqual(open, [], story)
      return {
        statements,
        wasKilled,
        isCreated,
        isReportedPaid,
        wentWrong: (yield* faultyRequests(LocalGateway)).length
      }
    })
  )

const settled = Effect.promise(async () => {
  for (let turns = 0; turns < 30; turns++) await new Promise(setImmediate)
})

describe("a process that is killed while an order is paid", () => {
  it.effect.each(faults.map(([name, fault], story) => [name, fault, story] as const))(
    "and %s: one payment is paid, told once, and refunded once",
    ([, fault, story]) =>
      Effect.gen(function* () {
        // A killed process waits for its store for ever.
        captureLog(/^(The ledger waits|A payment could not be checked)/)
        const whole = yield* tell(fault, undefined)
        assert.isAtLeast(whole.statements, 12)
        assert.strictEqual(whole.wentWrong, fault === undefined ? 0 : 1)
        const kills = yield* Effect.forEach(everyFifthOf(killedStatements(whole.statements), story), (killAt) =>
          tell(fault, killAt)
        )
        assert.deepStrictEqual(
          kills.filter(({ wasKilled }) => !wasKilled),
          []
        )
        // Before its payment was created, while it was payable, and after the shop was notified.
        assert.sameMembers(
          [...new Set(kills.map(({ isCreated, isReportedPaid }) => `${isCreated} ${isReportedPaid}`))],
          ["false false", "true false", "true true"]
        )
      }),
    300_000
  )
})
