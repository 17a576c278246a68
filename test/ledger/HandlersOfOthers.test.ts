/**
 * If only some processes of a merchant have a handler, the others leave its events to them: none is lost.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Gateway } from "../../src/index.js"
import type { SubscriptionEvent, SqliteTransaction } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request, reportedOf, withBooks } from "./OrderBooks.js"
import { month, paidFirst, terms, typesOf } from "./RecurrenceScene.js"
import { reportedChangesOf, withReportedChanges } from "./ReportedChanges.js"
import { inWorld, paid, type TestLedger, type World } from "./World.js"

const later = { waitAtMost: 0 }

/** An order that is paid, and that no process has read since. */
const paidOrder = Effect.fnUntraced(function* (ledger: TestLedger, orderNumber: string) {
  const id = idOf(yield* ledger.checkout(orderNumber, request))
  yield* Effect.orDie(LocalGateway.payByCard(id))
  return id
})

/** A process of the web, without handlers, beside a worker that has them. */
const besideWorker = (
  test: (world: World, web: TestLedger, worker: TestLedger) => Effect.Effect<void, unknown, Gateway | LocalGateway>
) =>
  inWorld((world) =>
    Effect.gen(function* () {
      const worker = yield* withBooks(world)
      yield* worker.getHealth
      yield* worker.runOnce()
      yield* Effect.orDie(test(world, world.ledger, worker))
    })
  )

const waysToRead: ReadonlyArray<readonly [string, (web: TestLedger, id: number) => Effect.Effect<unknown, unknown>]> = [
  ["a notification", (web, id) => notify(web, id)],
  ["a payer's return", (web, id) => web.verifyReturn(`https://shop.example/return?id=${id}`)],
  ["a second checkout", (web) => web.checkout("1", request)],
  ["a withdrawal", (web) => web.withdrawOrder("1")],
  ["an adoption", (web, id) => web.operator.adoptPayment("1", id)],
  ["a sweep", (web) => web.runOnce()]
]

describe("a process without onPayment", () => {
  it.effect.each(waysToRead)("leaves what it reads to the worker: %s", ([, read]) =>
    besideWorker((world, web, worker) =>
      Effect.gen(function* () {
        const id = yield* paidOrder(web, "1")
        yield* world.pass("5 minutes")
        yield* read(web, id)
        assert.deepStrictEqual(yield* reportedOf(world), [])
        // No one waits for the next check.
        yield* worker.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepInclude(yield* web.getOrder("1"), { status: "paid" })
      })
    )
  )

  it.effect("shows the payer what it has read", () =>
    besideWorker((world, web, worker) =>
      Effect.gen(function* () {
        const id = yield* paidOrder(web, "1")
        yield* world.pass("5 minutes")
        for (const shown of [
          yield* web.verifyReturn(`https://shop.example/return?id=${id}`),
          yield* web.checkout("1", request),
          yield* web.withdrawOrder("1"),
          yield* web.operator.adoptPayment("1", id)
        ]) {
          assert.deepInclude(shown, { status: "paid", paymentId: id })
        }
        assert.strictEqual(yield* notify(web, id), 200)
        yield* worker.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("offers another payment once the worker knows that the one before is closed", () =>
    besideWorker((world, web, worker) =>
      Effect.gen(function* () {
        const id = idOf(yield* web.checkout("1", request))
        yield* Effect.orDie(LocalGateway.cancelPayment(id))
        yield* world.pass("5 minutes")
        const asked = yield* Effect.forkChild(web.checkout("1", request))
        for (let second = 0; second < 3; second++) yield* world.pass("1 second")
        yield* worker.runOnce()
        for (let second = 0; second < 3; second++) yield* world.pass("1 second")
        const next = yield* Fiber.join(asked)
        assert.strictEqual(next.status, "open")
        assert.notStrictEqual(next.paymentId, id)
        assert.deepStrictEqual(yield* reportedOf(world), ["closed"])
      })
    )
  )

  it.effect("tells no one where no process has it", () =>
    inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        yield* paidOrder(ledger, "1")
        yield* pass("5 minutes")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid" })
      })
    )
  )

  it.effect("and of another merchant leaves nothing", () =>
    besideWorker((world) =>
      Effect.gen(function* () {
        const other = yield* world.makeProcess({ merchant: { environment: "https://other.example" } })
        yield* paidOrder(other, "1")
        yield* world.pass("5 minutes")
        yield* other.runOnce()
        assert.deepInclude(yield* other.getOrder("1"), { status: "paid" })
        assert.deepStrictEqual(yield* reportedOf(world), [])
      })
    )
  )
})

describe("a process without onChange", () => {
  it.effect("leaves the outcomes of what it sends to the worker", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const worker = yield* withReportedChanges(world)
        yield* worker.runOnce()
        yield* world.ledger.refund("a", yield* paid, { amount: 500 })
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), [])
        yield* worker.runOnce()
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, answered"])
      })
    )
  )

  it.effect("of a merchant of which no process has it keeps no outcomes, whatever other merchants have", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const worker = yield* withReportedChanges(world)
        yield* worker.runOnce()
        const other = yield* world.makeProcess({ merchant: { environment: "https://other.example" } })
        yield* other.refund("a", yield* paid, { amount: 500 })
        assert.strictEqual((yield* other.operator.getMetrics).unreported, 0)
      })
    )
  )
})

describe("a process without onSubscription", () => {
  it.effect("leaves subscriptions and their periods to the worker", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger: web, pass } = world
        const events: Array<SubscriptionEvent<SqliteTransaction>> = []
        // It has started before there was any subscription.
        const worker = yield* world.makeProcess({
          onSubscription: (event) => Effect.sync(() => void events.push(event))
        })
        yield* worker.runOnce()
        yield* paidFirst(web, "1")
        yield* web.createSubscription("sub", terms)
        yield* web.chargePeriod("sub", "1970-01", month)
        for (let minute = 0; minute < 3; minute++) {
          yield* web.runOnce()
          yield* pass("1 minute")
        }
        assert.deepStrictEqual(events, [])
        for (let minute = 0; minute < 3; minute++) {
          yield* worker.runOnce()
          yield* web.runOnce()
          yield* pass("1 minute")
        }
        assert.deepStrictEqual(typesOf(events), ["started", "paid"])
        assert.strictEqual((yield* web.cancelSubscription("sub"))._tag, "Cancelling")
        yield* web.runOnce()
        yield* worker.runOnce()
        assert.deepStrictEqual(typesOf(events), ["started", "paid", "cancelled"])
        assert.strictEqual((yield* web.cancelSubscription("sub"))._tag, "Cancelled")
      })
    )
  )

  it.effect("and started before the first one charges its periods in minutes, beside others like it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, makeProcess, pass } = world
        const other = yield* makeProcess()
        for (const process of [ledger, other]) yield* process.runOnce()
        const shop = yield* makeProcess()
        yield* paidFirst(shop, "1")
        yield* shop.createSubscription("sub", terms)
        yield* shop.chargePeriod("sub", "1970-01", month)
        for (let minute = 0; minute < 2; minute++) {
          for (const process of [other, ledger]) yield* process.runOnce()
          yield* pass("1 minute")
        }
        assert.deepInclude((yield* shop.getSubscription("sub"))?.periods[0], { status: "paid" })
      })
    )
  )

  it.effect("submits refunds as ever", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        yield* withBooks(world)
        const id = yield* paid
        yield* world.ledger.refund("a", id, { amount: 500 }, later)
        yield* world.ledger.runOnce()
        assert.deepInclude(yield* world.ledger.getOutcome("a"), { _tag: "Done" })
      })
    )
  )
})
