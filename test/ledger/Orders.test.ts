/**
 * The rules for an order, each with a test that fails without it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { createPayment, createRecurrence, type Gateway, getPayment, refundPayment } from "../../src/index.js"
import type { AttentionKind, CheckoutRequest } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import { idOf, notify, request, reportedOf, withBooks } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, order, type TestLedger, type World } from "./World.js"

const lost = { type: "connectionReset", effect: "committed" } as const

const arm = (fault: Parameters<typeof LocalGateway.armFault>[0], operation = "createPayment" as const) =>
  Effect.orDie(LocalGateway.armFault(fault, { operation }))

/** Statements, by what is said in no other one. */
const statement = {
  created: /AND \(payment_id IS NULL OR payment_id = \?\)/,
  insertNext: /^INSERT INTO gopay_payment(?![^]*NOT EXISTS)/,
  preSendCheck: /status = 'creating'\s+AND COALESCE/
}

const paidBy = (id: number) => Effect.orDie(LocalGateway.payByCard(id))

/** The payment of an order that is paid, and reported to the shop. */
const paidAndReported = (ledger: TestLedger) =>
  Effect.gen(function* () {
    const id = idOf(yield* ledger.checkout("1", request))
    yield* paidBy(id)
    yield* notify(ledger, id)
    return id
  })

const flipped = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.orDie(Effect.flip(effect))

const attentionOf = (ledger: TestLedger): Effect.Effect<ReadonlyArray<AttentionKind>> =>
  Effect.orDie(Effect.map(ledger.operator.listAttention(), (items) => items.map(({ kind }) => kind)))

const sweepFor = ({ pass }: World, ledger: TestLedger, hours: number, step = 1) =>
  Effect.gen(function* () {
    for (let hour = 0; hour < hours; hour += step) {
      yield* pass(`${step} hours`)
      yield* ledger.runOnce()
    }
  })

const run = <A, E>(
  test: (world: World) => Effect.Effect<A, E, Gateway | LocalGateway>,
  options?: Parameters<typeof inWorld>[1]
) => inWorld(test, options)

describe("an order", () => {
  it.effect("has one payment, however often and by however many processes it is asked for", () =>
    run(({ created, ledger, makeProcess, pass }) =>
      Effect.gen(function* () {
        const other = yield* makeProcess()
        const asked = yield* Effect.forEach([ledger, other, ledger], (process) =>
          Effect.forkChild(process.checkout("1", request))
        )
        yield* until(
          "all three are answered",
          () => asked.every((fiber) => fiber.pollUnsafe() !== undefined),
          Effect.andThen(settled, pass("100 millis"))
        )
        const orders = yield* Effect.forEach(asked, Fiber.join)
        assert.deepStrictEqual(new Set(orders.map(({ status }) => status)), new Set(["open"]))
        assert.strictEqual(new Set(orders.map(idOf)).size, 1)
        assert.lengthOf(created, 1)
        const [first] = orders
        assert.deepStrictEqual(yield* ledger.getOrder("1"), first)
        assert.isUndefined(yield* ledger.getOrder("2"))
      })
    )
  )

  it.effect("stores of its request what is compared, and nothing personal or secret", () =>
    run(({ ledger, store }) =>
      Effect.gen(function* () {
        const payer = {
          verify_pin: "4711",
          contact: { first_name: "Josef", last_name: "Švejk", email: "josef@example.com" }
        }
        yield* ledger.checkout("1", { ...request, payer, order_description: "A book" })
        const [row] = yield* Effect.promise(() => store.rows("SELECT * FROM gopay_payment"))
        const text = JSON.stringify(row)
        // The attempt's name has such digits by chance.
        assert.notMatch(text, /\b4711\b/)
        for (const secret of ["Josef", "Švejk", "josef@example.com", "book", "shop.example"]) {
          assert.notInclude(text, secret)
        }
        assert.deepInclude(row, { terms: '{"amount":100000,"currency":"CZK"}', order_number: "1" })
      })
    )
  )

  it.effect("is recorded before its payment is created, and its address is given out after it is stored", () =>
    run(({ ledger, store }) =>
      Effect.gen(function* () {
        let marked: unknown
        store.before(statement.created, async () => {
          ;[marked] = await store.rows("SELECT status, gw_url FROM gopay_payment")
        })
        const opened = yield* ledger.checkout("1", request)
        assert.deepStrictEqual(marked, { status: "creating", gw_url: null })
        const [row] = yield* Effect.promise(() => store.rows("SELECT gw_url FROM gopay_payment"))
        assert.strictEqual(opened.status === "open" ? opened.gwUrl : "", row?.["gw_url"])
      })
    )
  )

  it.effect("whose payment was refused has none, and is told why", () =>
    run(({ ledger, store }) =>
      Effect.gen(function* () {
        const failure = yield* flipped(ledger.checkout("1", { ...request, amount: -1 }))
        assert.strictEqual(failure.reason._tag, "InvalidRequest")
        assert.deepStrictEqual(yield* Effect.promise(() => store.rows("SELECT * FROM gopay_payment")), [])
        assert.strictEqual((yield* ledger.checkout("1", request)).status, "open")
      })
    )
  )

  it.effect("that is paid or held gets no other payment; one that is closed does", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const first = idOf(yield* ledger.checkout("1", request))
        yield* Effect.orDie(LocalGateway.cancelPayment(first))
        assert.strictEqual(yield* notify(ledger, first), 200)
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "closed", paymentId: first })
        const second = yield* ledger.checkout("1", request)
        assert.deepInclude(second, { status: "open" })
        assert.notStrictEqual(idOf(second), first)
        yield* paidBy(idOf(second))
        // No notification has come yet: the payment is checked before its address is returned again.
        yield* world.pass("2 minutes")
        assert.deepInclude(yield* ledger.checkout("1", request, { replace: true }), {
          status: "paid",
          paymentId: idOf(second)
        })
        assert.deepStrictEqual(yield* reportedOf(world), ["closed", "paid"])
        const rows = yield* Effect.promise(() => world.store.rows("SELECT gw_url FROM gopay_payment"))
        assert.deepStrictEqual(rows, [{ gw_url: null }, { gw_url: null }])
      })
    )
  )

  it.effect("shows a refund of the ledger as soon as it is done, though no one has read the payment since", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const { paymentId } = yield* ledger.checkout("1", request)
        if (paymentId === undefined) return assert.fail("The order has no payment.")
        yield* paidBy(paymentId)
        assert.strictEqual(yield* notify(ledger, paymentId), 200)
        assert.deepInclude(yield* ledger.refund("a", paymentId, { amount: 30_000 }), { _tag: "Done" })
        const rowOf = Effect.promise(() => world.store.rows("SELECT refunded FROM gopay_payment"))
        assert.deepStrictEqual(yield* rowOf, [{ refunded: 0 }])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "partiallyRefunded", refunded: 30_000, paymentId })
        assert.deepInclude(yield* ledger.refund("b", paymentId, { amount: 70_000 }), { _tag: "Done" })
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "refunded", refunded: 100_000 })
        // It is a view: what the gateway says of the payment is all that the row has.
        assert.deepStrictEqual(yield* rowOf, [{ refunded: 0 }])
      })
    )
  )

  it.effect("that is asked for with other terms is changed, and gets a new payment when that is asked for", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const first = idOf(yield* ledger.checkout("1", request))
        const changed = yield* ledger.checkout("1", { ...request, amount: 200 })
        assert.deepInclude(changed, { status: "changed", paymentId: first, amount: 100_000, currency: "CZK" })
        assert.lengthOf(world.created, 1)
        const second = yield* ledger.checkout("1", { ...request, amount: 200 }, { replace: true })
        assert.deepInclude(second, { status: "open" })
        assert.lengthOf(world.created, 2)
        // Again: it has now been requested.
        const again = yield* ledger.checkout("1", { ...request, amount: 200 }, { replace: true })
        assert.strictEqual(idOf(again), idOf(second))
        yield* paidBy(first)
        assert.strictEqual(yield* notify(ledger, first), 200)
        assert.deepStrictEqual(yield* attentionOf(ledger), ["PaidLate"])
        // The new one is not offered any more: the order is paid.
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "paid", paymentId: first })
        yield* paidBy(idOf(second))
        assert.strictEqual(yield* notify(ledger, idOf(second)), 200)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid, PaidLate", "paid, PaidTwice"])
        assert.deepStrictEqual(yield* attentionOf(ledger), ["PaidLate", "PaidTwice"])
      })
    )
  )

  it.effect("is offered until its time is over, and money that comes later is reported", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", request, { payWithin: "2 hours" }))
        yield* world.pass("121 minutes")
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "expired", paymentId: id })
        assert.lengthOf(world.created, 1)
        yield* paidBy(id)
        yield* notify(ledger, id)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid, PaidLate"])
        assert.deepStrictEqual(yield* attentionOf(ledger), ["PaidLate"])
        assert.lengthOf(world.reported, 1)
      })
    )
  )

  it.effect("that money has come for is paid, whichever of its payments the payer comes back from", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const first = idOf(yield* ledger.checkout("1", request))
        const second = idOf(yield* ledger.checkout("1", { ...request, amount: 90_000 }, { replace: true }))
        assert.notStrictEqual(second, first)
        yield* paidBy(first)
        yield* notify(ledger, first)
        const order = yield* ledger.verifyReturn(`https://shop.example/return?id=${second}`)
        // Not open: the payer would pay again.
        assert.deepInclude(order, { status: "paid", paymentId: first })
      })
    )
  )

  it.effect("that is paid just before its next payment is recorded gets none", () =>
    run((world) =>
      Effect.gen(function* () {
        const { created, store } = world
        const ledger = yield* withBooks(world)
        const first = idOf(yield* ledger.checkout("1", request))
        const context = yield* Effect.context<LocalGateway>()
        store.before(statement.insertNext, () =>
          Effect.runPromiseWith(context)(Effect.asVoid(Effect.andThen(paidBy(first), notify(ledger, first))))
        )
        const order = yield* ledger.checkout("1", { ...request, amount: 90_000 }, { replace: true })
        assert.deepInclude(order, { status: "changed", paymentId: first })
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid", paymentId: first })
        assert.lengthOf(created, 1)
        // Its address was still given out.
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("that is wrong is not recorded", () =>
    run(({ ledger, created }) =>
      Effect.gen(function* () {
        for (const wrong of [
          ledger.checkout("", request),
          ledger.checkout("1\0", request),
          // Cut inside an emoji.
          ledger.checkout("1 \ud83d", request),
          ledger.checkout("2", request, { reference: "\udc00" }),
          ledger.checkout("1", { ...request, amount: 0.5 }),
          ledger.checkout("1", request, { hold: { atMost: "4 days", end: "release" } })
        ]) {
          assert.strictEqual((yield* flipped(wrong)).reason._tag, "InvalidArgument")
        }
        const reserved = ledger.refund("order:1:1", 1, { amount: 1 })
        assert.strictEqual((yield* flipped(reserved)).reason._tag, "InvalidArgument")
        assert.deepStrictEqual(created, [])
      })
    )
  )

  it.effect("that has what a database gives in place of a number or a text is refused, by the field", () =>
    run(({ ledger, created }) =>
      Effect.gen(function* () {
        // BIGINT columns, which drivers give as text or as bigint; a numeric order number.
        const row: { readonly text: number; readonly bigint: number; readonly number: string } = Object.assign(
          JSON.parse('{"text":"100","number":42}'),
          { bigint: 100n }
        )
        const refused = [
          ["amount", yield* flipped(ledger.checkout("1", { ...request, amount: row.text }))],
          ["amount", yield* flipped(ledger.checkout("1", { ...request, amount: row.bigint }))],
          ["orderNumber", yield* flipped(ledger.checkout(row.number, request))],
          ["amount", yield* flipped(ledger.refund("key", 1, { amount: row.text }))],
          ["amount", yield* flipped(ledger.refund("key", 1, { amount: row.bigint }))]
        ] as const
        for (const [field, { reason }] of refused) {
          assert.match(reason._tag, /^Invalid(Argument|Request)$/)
          assert.include(reason.message, field)
        }
        assert.deepStrictEqual(created, [])
      })
    )
  )
})

describe("a payment whose response is lost", () => {
  it.effect("is created again, and recognised when a notification names it", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        yield* arm(lost)
        const opened = yield* ledger.checkout("1", request)
        assert.deepInclude(opened, { status: "open" })
        const [first] = yield* LocalGateway.listPayments
        const id = first?.id ?? 0
        assert.notStrictEqual(id, idOf(opened))
        yield* paidBy(id)
        assert.strictEqual(yield* notify(ledger, id), 200)
        // It was never offered, and no read has shown it unpaid.
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid", paymentId: id })
      })
    )
  )

  it.effect("with the process is created again when its lease has expired, and not before", () =>
    run((world) =>
      Effect.gen(function* () {
        const { created, ledger, makeProcess, pass, store } = world
        const dying = yield* makeProcess()
        store.before(statement.created, async () => {
          await Effect.runPromise(dying.kill)
          throw new Error("killed")
        })
        yield* Effect.forkChild(dying.checkout("1", request))
        yield* until("a payment is asked for", () => created.length > 0, settled)
        assert.deepInclude(yield* ledger.checkout("1", request, { waitAtMost: 0 }), { status: "pending" })
        assert.lengthOf(created, 1)
        yield* pass("31 seconds")
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "open" })
        assert.lengthOf(created, 2)
      })
    )
  )

  it.effect("is not sent when the lease has expired, but with a lease of its own", () =>
    run(({ created, ledger, store }) =>
      Effect.gen(function* () {
        const late = async () => {
          assert.deepStrictEqual(created, [])
          store.moveClock(31_000)
        }
        store.before(statement.preSendCheck, late)
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "open" })
        assert.lengthOf(created, 1)
        assert.lengthOf(yield* Effect.promise(() => store.rows("SELECT seq FROM gopay_payment")), 1)
      })
    )
  )

  it.effect("is not sent when the pre-send check fails, and is checked again", () =>
    run(({ created, ledger, store }) =>
      Effect.gen(function* () {
        store.fail(statement.preSendCheck, "failsBefore")
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "open" })
        assert.lengthOf(created, 1)
      })
    )
  )

  it.effect("is not sent in a pause, and the caller learns that nothing was created", () =>
    run(({ created, ledger, store }) =>
      Effect.gen(function* () {
        yield* ledger.operator.pause
        const failure = yield* flipped(ledger.checkout("1", request))
        assert.deepInclude(failure.reason, {
          _tag: "LedgerUnavailable",
          message: "Nothing was created: the ledger is paused, or this process is slower than its lease. Try again."
        })
        assert.deepStrictEqual(created, [])
        assert.deepStrictEqual(yield* Effect.promise(() => store.rows("SELECT seq FROM gopay_payment")), [])
      })
    )
  )

  it.effect("and that needs no payer is in doubt, and not created again", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const withCard: CheckoutRequest = { ...request, payer: { allowed_card_token: "a-stored-card" } }
        yield* arm({ type: "connectionReset", effect: "none" })
        assert.deepInclude(yield* ledger.checkout("1", withCard), { status: "inDoubt" })
        assert.deepInclude(yield* ledger.checkout("1", withCard, { replace: true }), { status: "inDoubt" })
        yield* world.pass("1 day")
        yield* ledger.runOnce()
        assert.lengthOf(world.created, 1)
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item, { kind: "InDoubt", orderNumber: "1" })
        const by = { by: "Jana", note: "GoPay shows none", version: item?.version ?? 0 }
        yield* flipped(ledger.operator.resolvePayment(item?.key ?? "", { ...by, as: "done" }))
        yield* ledger.operator.resolvePayment(item?.key ?? "", { ...by, as: "notDone" })
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "open" })
      })
    )
  )
})

describe("what is read of a payment", () => {
  it.effect("is told once, in the transaction that moves it, whoever reads it", () =>
    run((world) =>
      Effect.gen(function* () {
        const one = yield* withBooks(world)
        const other = yield* withBooks(world)
        const id = idOf(yield* one.checkout("1", request))
        yield* paidBy(id)
        yield* world.pass("2 minutes")
        const statuses = yield* Effect.all(
          [notify(one, id), notify(other, id), one.runOnce(), other.runOnce(), other.verifyReturn(`/return?id=${id}`)],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(statuses.slice(0, 2), [200, 200])
        assert.deepInclude(statuses[4], { status: "paid", orderNumber: "1" })
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("and the shop's own handler fails for, is rolled back and told again with the same id", () =>
    run((world) =>
      Effect.gen(function* () {
        const ids: Array<string> = []
        let failures = 1
        const ledger = yield* withBooks(world, {
          before: (event) =>
            Effect.suspend(() => {
              ids.push(event.eventId)
              return failures-- > 0
                ? Effect.andThen(
                    Effect.promise(() => event.tx.query("INSERT INTO reported VALUES ('half', '', '', NULL)", [])),
                    Effect.fail("the shop's own mistake")
                  )
                : Effect.void
            })
        })
        captureLog(/^A notification was not processed/)
        const id = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(id)
        assert.strictEqual(yield* notify(ledger, id), 503)
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "open" })
        yield* world.pass("11 seconds")
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.lengthOf(ids, 2)
        assert.strictEqual(ids[0], ids[1])
      })
    )
  )

  it.effect("and the shop's own handler always fails for, is for an operator", () =>
    run((world) =>
      Effect.gen(function* () {
        let isBroken = true
        const ledger = yield* withBooks(world, {
          before: () => Effect.suspend(() => (isBroken ? Effect.fail("a mistake") : Effect.void))
        })
        captureLog(/^A payment could not be checked/)
        const id = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(id)
        yield* sweepFor(world, ledger, 8)
        assert.deepStrictEqual(yield* attentionOf(ledger), ["OnPaymentFailed"])
        isBroken = false
        yield* sweepFor(world, ledger, 2)
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("and is outdated when it arrives moves nothing: it is read again", () =>
    run((world) =>
      Effect.gen(function* () {
        const slow = yield* withBooks(world)
        const fast = yield* withBooks(world)
        const id = idOf(yield* slow.checkout("1", request))
        // While the slow one's response is on its way, the payment is paid and refunded, and the fast one gets the
        // event.
        world.listed.afterRead = Effect.suspend(() => {
          world.listed.afterRead = Effect.void
          return Effect.gen(function* () {
            yield* paidBy(id)
            yield* notify(fast, id)
            yield* Effect.orDie(refundPayment(id, { amount: 100_000 }))
            yield* notify(fast, id)
          }).pipe(Effect.provideContext(context))
        })
        const context = yield* Effect.context<Gateway | LocalGateway>()
        assert.strictEqual(yield* notify(slow, id), 200)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "refunded 100000"])
        assert.deepInclude(yield* slow.getOrder("1"), { status: "refunded" })
      })
    )
  )

  it.effect("never takes back that it was paid, and is reported when two reads, ten minutes apart, say so", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        for (const state of ["CREATED", "CANCELED", "AUTHORIZED", "A_NEW_STATE"]) {
          world.listed.seePayment = { state }
          assert.strictEqual(yield* notify(ledger, id), 200)
          yield* world.pass("1 minute")
          assert.strictEqual(yield* notify(ledger, id), 200)
          assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid" })
        }
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
        world.listed.seePayment = { state: "CREATED" }
        yield* notify(ledger, id)
        for (let minute = 0; minute < 22; minute++) {
          yield* world.pass("1 minute")
          yield* ledger.runOnce()
        }
        assert.deepStrictEqual(yield* attentionOf(ledger), ["StateContradicted"])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid" })
        // It ends by itself, and the history keeps it.
        world.listed.seePayment = {}
        yield* notify(ledger, id)
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
        const steps = yield* ledger.operator.getHistory("order:1:1")
        assert.include(
          steps.flatMap(({ attention = [] }) => attention),
          "StateContradicted"
        )
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("is not told a second time what an operator has resolved", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        world.listed.seePayment = { state: "CREATED" }
        yield* notify(ledger, id)
        yield* sweepFor(world, ledger, 1)
        const [item] = yield* ledger.operator.listAttention()
        const { key = "", version = 0 } = item ?? {}
        yield* ledger.operator.resolvePayment(key, { version, as: "done", by: "Jana", note: "GoPay was asked" })
        yield* notify(ledger, id)
        yield* sweepFor(world, ledger, 3)
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("is paid again when a refund has failed after all, and the shop is told that it was wrong", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const corrections: Array<unknown> = []
        const shop = yield* withBooks(world, {
          before: ({ before, correction, refunded, status }) =>
            Effect.sync(() => void (correction ? corrections.push([before, status, refunded]) : undefined))
        })
        const id = yield* paidAndReported(ledger)
        yield* ledger.refund("a", id, { amount: 100_000 })
        yield* sweepFor(world, ledger, 1)
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "refunded", refunded: 100_000 })
        world.listed.see = (refunds) => refunds.map((refund) => ({ ...Object(refund), state: "FAILED" }))
        world.listed.seePayment = { state: "PAID" }
        yield* notify(shop, id)
        // One read proves less than two.
        assert.deepStrictEqual(corrections, [])
        yield* sweepFor(world, shop, 1)
        assert.deepStrictEqual(corrections, [[{ status: "refunded", refunded: 100_000 }, "paid", 0]])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid", refunded: 0 })
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "refunded 100000", "paid"])
      })
    )
  )

  it.effect("whose money was returned without a refund is for an operator, when two reads say so", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        // As after a chargeback.
        world.listed.seePayment = { state: "REFUNDED" }
        yield* notify(ledger, id)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "refunded"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
        yield* sweepFor(world, ledger, 1)
        assert.deepStrictEqual(yield* attentionOf(ledger), ["ReturnedElsewhere"])
      })
    )
  )

  it.effect("has less returned only when two reads say so: a list that is behind takes nothing back", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        yield* ledger.refund("a", id, { amount: 300 })
        yield* sweepFor(world, ledger, 1)
        yield* ledger.refund("b", id, { amount: 200 }, { waitAtMost: 0 })
        yield* sweepFor(world, ledger, 2)
        assert.deepInclude(yield* ledger.getOrder("1"), { refunded: 500 })
        world.listed.see = (refunds) => refunds.slice(0, 1)
        yield* notify(ledger, id)
        yield* world.pass("5 minutes")
        yield* notify(ledger, id)
        world.listed.see = (refunds) => refunds
        yield* sweepFor(world, ledger, 2)
        assert.deepInclude(yield* ledger.getOrder("1"), { refunded: 500 })
        world.listed.see = (refunds) => refunds.slice(0, 1)
        yield* notify(ledger, id)
        yield* sweepFor(world, ledger, 1)
        assert.deepInclude(yield* ledger.getOrder("1"), { refunded: 300 })
      })
    )
  )

  it.effect("has its refunds compared: those made by hand are seen, one after the other", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        yield* refundPayment(id, { amount: 300 })
        yield* sweepFor(world, ledger, 48, 6)
        yield* refundPayment(id, { amount: 200 })
        yield* sweepFor(world, ledger, 24 * 40, 24)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "partiallyRefunded 300", "partiallyRefunded 500"])
      })
    )
  )

  it.effect("is told at once when a change of the ledger is done", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        yield* ledger.refund("a", id, { amount: 300 })
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "partiallyRefunded 300"])
      })
    )
  )

  it.effect("is told of a refund of the ledger's when the gateway lists it, however late", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        yield* ledger.refund("a", id, { amount: 300 })
        yield* sweepFor(world, ledger, 24 * 40, 24)
        world.listed.see = (refunds) => refunds.slice(0, 1)
        yield* ledger.refund("b", id, { amount: 200 })
        yield* ledger.runOnce()
        world.listed.see = (refunds) => refunds
        yield* sweepFor(world, ledger, 2)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "partiallyRefunded 300", "partiallyRefunded 500"])
      })
    )
  )

  it.effect("and whose transaction never ends is told again, and holds up nothing else", () =>
    run((world) =>
      Effect.gen(function* () {
        let hanging = 1
        const transaction: typeof world.store.transaction = (work) =>
          hanging-- > 0 ? new Promise(() => {}) : world.store.transaction(work)
        const ledger = yield* withBooks(world, { store: { ...world.store, transaction } })
        const id = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(id)
        yield* world.pass("2 minutes")
        captureLog(/^A payment could not be checked/)
        const sweep = yield* Effect.forkChild(ledger.runOnce())
        yield* settled
        yield* world.pass("3 minutes")
        yield* settled
        assert.isDefined(sweep.pollUnsafe())
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("has failed when it takes longer than its minute, and writes nothing then or later", () =>
    run((world) =>
      Effect.gen(function* () {
        const { store } = world
        yield* Effect.promise(() => store.query("CREATE TABLE written (event TEXT)", []))
        let goOn = (): void => {}
        const gate = new Promise<void>((resolve) => {
          goOn = resolve
        })
        let isStarted = false
        let late: unknown
        const ledger = yield* world.makeProcess({
          onPayment: ({ eventId, tx }) =>
            isStarted
              ? Effect.void
              : Effect.promise(async () => {
                  await tx.query("INSERT INTO written VALUES (?)", [eventId])
                  isStarted = true
                  await gate
                  late = await tx.query("INSERT INTO written VALUES (?)", ["late"]).catch((error: unknown) => error)
                })
        })
        captureLog(/^A notification was not processed/)
        const id = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(id)
        const notified = yield* Effect.forkChild(notify(ledger, id))
        yield* until("it has begun", () => isStarted, settled)
        yield* world.pass("61 seconds")
        assert.strictEqual(yield* Fiber.join(notified), 503)
        goOn()
        yield* until("it has ended", () => late !== undefined, settled)
        assert.match(String(late), /ended/)
        assert.deepStrictEqual(yield* Effect.promise(() => store.rows("SELECT * FROM written")), [])
        assert.strictEqual(yield* notify(ledger, id), 200)
      })
    )
  )

  it.effect("that fails for a payment that is paid keeps it on offer, whatever the shop asks for meanwhile", () =>
    run((world) =>
      Effect.gen(function* () {
        let isBroken = true
        const ledger = yield* withBooks(world, {
          before: () => (isBroken ? Effect.fail("a mistake") : Effect.void)
        })
        const id = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(id)
        yield* world.pass("2 minutes")
        const replaced = yield* Effect.flip(ledger.checkout("1", { ...request, amount: 200 }, { replace: true }))
        assert.strictEqual(replaced.reason._tag, "LedgerUnavailable")
        const withdrawn = yield* Effect.flip(ledger.withdrawOrder("1"))
        assert.strictEqual(withdrawn.reason._tag, "LedgerUnavailable")
        assert.lengthOf(world.created, 1)
        isBroken = false
        const order = yield* ledger.checkout("1", { ...request, amount: 200 }, { replace: true })
        assert.deepInclude(order, { paymentId: id })
        assert.lengthOf(world.created, 1)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect("refuses what would wait for it: all but submit", () =>
    run((world) =>
      Effect.gen(function* () {
        const inside: Array<string> = []
        let call: Effect.Effect<unknown, unknown> = Effect.void
        const ledger = yield* world.makeProcess({
          onPayment: () => Effect.map(Effect.flip(call), (error) => inside.push(String(error)))
        })
        call = ledger.refund("a", 1, { amount: 1 })
        yield* paidAndReported(ledger)
        assert.lengthOf(inside, 1)
        assert.match(String(inside), /InvalidArgument|Within one, submit/)
        assert.isUndefined(yield* ledger.getOutcome("a"))
      })
    )
  )

  it.effect("over a store without transactions is told at least once, before it moves", () =>
    run((world) =>
      Effect.gen(function* () {
        const store = { ...world.store, queryIn: () => world.store.query, hasTransactions: false }
        const reported: Array<string> = []
        let failures = 1
        const ledger = yield* world.makeProcess({
          store: {
            ...store,
            transaction: (run) => run({ query: world.store.query })
          },
          onPayment: ({ eventId }) =>
            Effect.suspend(() => {
              reported.push(eventId)
              return failures-- > 0 ? Effect.fail("a mistake") : Effect.void
            })
        })
        captureLog(/^A notification was not processed/)
        const id = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(id)
        assert.strictEqual(yield* notify(ledger, id), 503)
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.lengthOf(reported, 2)
        assert.strictEqual(new Set(reported).size, 1)
      })
    )
  )
})

describe("two payments of an order", () => {
  it.effect("that are paid at the same moment are reported, until one is refunded", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const first = idOf(yield* ledger.checkout("1", request))
        const second = idOf(yield* ledger.checkout("1", { ...request, amount: 200 }, { replace: true }))
        yield* paidBy(first)
        yield* paidBy(second)
        yield* Effect.all([notify(ledger, first), notify(ledger, second)], { concurrency: "unbounded" })
        const items = yield* ledger.operator.listAttention()
        assert.deepInclude(
          items.find(({ kind }) => kind === "PaidTwice"),
          { paymentId: second, orderNumber: "1" }
        )
        yield* ledger.refund("twice", second, { amount: 200 })
        yield* ledger.runOnce()
        assert.notInclude(yield* attentionOf(ledger), "PaidTwice")
      })
    )
  )
})

describe("a payer's return", () => {
  it.effect("shares the read of the payment with all that return at the same time", () =>
    run(({ ledger, pass, reads }) =>
      Effect.gen(function* () {
        const id = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(id)
        const before = reads.length
        const returning = yield* Effect.forEach(Array.from({ length: 50 }), () =>
          Effect.forkChild(ledger.verifyReturn(`/return?id=${id}`))
        )
        yield* until(
          "all fifty are answered",
          () => returning.every((fiber) => fiber.pollUnsafe() !== undefined),
          Effect.andThen(settled, pass("100 millis"))
        )
        const orders = yield* Effect.forEach(returning, Fiber.join)
        assert.deepStrictEqual(new Set(orders.map(({ status }) => status)), new Set(["paid"]))
        assert.isAtMost(reads.length - before, 2)
      })
    )
  )
})

describe("a notification", () => {
  it.effect("of a payment that no one knows is answered with 503, and moves nothing", () =>
    run(({ ledger, store }) =>
      Effect.gen(function* () {
        const logged = captureLog(/the ledger does not know it/)
        const { id } = yield* createPayment(order)
        yield* paidBy(id)
        assert.strictEqual(yield* notify(ledger, id), 503)
        assert.strictEqual(yield* notify(ledger, 4711), 503)
        assert.strictEqual(yield* ledger.notificationHandler()({ method: "GET", url: "/notify" }), 400)
        assert.deepStrictEqual(yield* Effect.promise(() => store.rows("SELECT * FROM gopay_payment")), [])
        assert.strictEqual((yield* flipped(ledger.verifyReturn(`/return?id=${id}`))).reason._tag, "UnknownPayment")
        assert.lengthOf(logged, 1)
      })
    )
  )

  it.effect(
    "of a payment that a restored backup has forgotten is reported, and told to no one before it is adopted",
    () =>
      run((world) =>
        Effect.gen(function* () {
          const ledger = yield* withBooks(world)
          const id = idOf(yield* ledger.checkout("1", request))
          yield* Outsider.forgetPayments(world.store)
          yield* paidBy(id)
          assert.strictEqual(yield* notify(ledger, id), 503)
          assert.strictEqual(yield* notify(ledger, id), 503)
          assert.deepStrictEqual(yield* attentionOf(ledger), ["UnknownPayment"])
          assert.deepStrictEqual(yield* reportedOf(world), [])
          // Nor does anyone pay it a second time.
          for (const options of [{}, { replace: true }]) {
            assert.strictEqual((yield* ledger.checkout("1", request, options)).status, "inDoubt")
          }
          assert.strictEqual((yield* ledger.withdrawOrder("1")).status, "inDoubt")
          assert.strictEqual((yield* ledger.getOrder("1"))?.status, "inDoubt")
          assert.strictEqual((yield* flipped(ledger.operator.adoptPayment("2", id))).reason._tag, "InvalidArgument")
          assert.deepInclude(yield* ledger.operator.adoptPayment("1", id), { status: "paid", paymentId: id })
          // When it was paid it was on offer, as far as anyone knows.
          assert.deepStrictEqual(yield* attentionOf(ledger), [])
          assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        })
      )
  )

  it.effect("of a forgotten payment takes the address from its order, until an operator has resolved it", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const forgotten = idOf(yield* ledger.checkout("1", request))
        yield* Outsider.forgetPayments(world.store)
        const present = idOf(yield* ledger.checkout("1", request))
        yield* paidBy(forgotten)
        assert.strictEqual(yield* notify(ledger, forgotten), 503)
        assert.notProperty(yield* ledger.checkout("1", request), "gwUrl")
        assert.strictEqual((yield* ledger.verifyReturn(`/return?id=${present}`)).status, "inDoubt")
        const [{ key, version } = { key: "", version: 0 }] = yield* ledger.operator.listAttention()
        yield* ledger.operator.resolvePayment(key, { version, as: "refused", by: "Jana", note: "refunded by hand" })
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "open", paymentId: present })
        assert.strictEqual((yield* ledger.withdrawOrder("1")).status, "withdrawn")
      })
    )
  )

  it.effect("of a forgotten payment, once resolved, lets its order be withdrawn", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const forgotten = idOf(yield* ledger.checkout("1", request))
        yield* Outsider.forgetPayments(world.store)
        yield* paidBy(forgotten)
        yield* notify(ledger, forgotten)
        const [{ key, version } = { key: "", version: 0 }] = yield* ledger.operator.listAttention()
        yield* ledger.operator.resolvePayment(key, { version, as: "refused", by: "Jana", note: "refunded by hand" })
        assert.strictEqual((yield* ledger.withdrawOrder("1")).status, "withdrawn")
      })
    )
  )

  it.effect("of a charge is known by its first payment", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2027-12-31" } as const
        const parent = idOf(yield* ledger.checkout("1", { ...request, recurrence }))
        yield* paidBy(parent)
        yield* notify(ledger, parent)
        const { id } = yield* createRecurrence(parent, { amount: 500, currency: "CZK", order_number: "1-2" })
        yield* world.pass("1 hour")
        const url = `/notify?id=${id}&parent_id=${parent}`
        assert.strictEqual(yield* ledger.notificationHandler()({ method: "GET", url }), 200)
        const { state } = yield* getPayment(id)
        assert.strictEqual(state, "PAID")
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "paid"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )
})

describe("a payment from before the ledger", () => {
  it.effect("is adopted, and told of as it is", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const { id } = yield* createPayment(order)
        yield* paidBy(id)
        assert.deepInclude(yield* ledger.operator.adoptPayment("1", id), { status: "paid", paymentId: id })
        assert.deepInclude(yield* ledger.operator.adoptPayment("1", id), { status: "paid", paymentId: id })
        assert.deepInclude(yield* ledger.checkout("1", request), { status: "paid", paymentId: id })
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("that is open is adopted, and offered at its own address: no second one is created", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const { gw_url, id } = yield* createPayment(order)
        const open = { status: "open", paymentId: id, gwUrl: gw_url } as const
        assert.deepInclude(yield* ledger.operator.adoptPayment("1", id), open)
        assert.deepInclude(yield* ledger.checkout("1", request), open)
        yield* paidBy(id)
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )

  it.effect("that is paid and was not adopted is logged once, with its id and what to do", () =>
    run(({ ledger }) =>
      Effect.gen(function* () {
        const logged = captureLog(/adoptPayment/)
        const { id } = yield* createPayment(order)
        assert.strictEqual(yield* notify(ledger, id), 503)
        assert.deepStrictEqual(logged, [])
        yield* paidBy(id)
        assert.strictEqual(yield* notify(ledger, id), 503)
        assert.strictEqual(yield* notify(ledger, id), 503)
        assert.deepStrictEqual(logged, [
          `Payment ${id} of order 1 is PAID, and the ledger does not know it. Is it from before the ledger? See adoptPayment.`
        ])
        assert.deepStrictEqual(yield* attentionOf(ledger), [])
      })
    )
  )
})

describe("a hold", () => {
  const preauthorized = { ...request, preauthorization: true }

  it.effect.each([
    ["capture", "paid"],
    ["release", "closed"]
  ] as const)("that the shop does not end is ended in time: %s", ([end, status]) =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", preauthorized, { hold: { atMost: "3 days", end } }))
        yield* paidBy(id)
        yield* notify(ledger, id)
        yield* sweepFor(world, ledger, 66, 3)
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "authorized" })
        assert.deepStrictEqual(world.sent, [])
        yield* sweepFor(world, ledger, 8)
        assert.deepInclude(yield* ledger.getOrder("1"), { status })
        assert.lengthOf(world.sent, 1)
        assert.deepStrictEqual(yield* reportedOf(world), ["authorized", status])
      })
    )
  )

  it.effect.each(["capture", "release"] as const)(
    "is not due before its time when no worker has read its payment since the checkout: %s",
    (end) =>
      run((world) =>
        Effect.gen(function* () {
          const ledger = yield* withBooks(world)
          const id = idOf(yield* ledger.checkout("1", preauthorized, { hold: { atMost: "2 hours", end } }))
          yield* world.pass("3 hours")
          yield* paidBy(id)
          yield* notify(ledger, id)
          yield* sweepFor(world, ledger, 1)
          assert.deepStrictEqual(world.sent, [])
          yield* sweepFor(world, ledger, 2)
          assert.lengthOf(world.sent, 1)
        })
      )
  )

  it.effect.each([
    ["captured before the gateway may release it", "capture", 1],
    ["left to its own time where it is released", "release", 0]
  ] as const)("that may be nearly four days old is %s", ([, end, sent]) =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", preauthorized, { hold: { atMost: "3 days", end } }))
        yield* paidBy(id)
        yield* world.pass("80 hours")
        yield* notify(ledger, id)
        yield* sweepFor(world, ledger, 12)
        assert.lengthOf(world.sent, sent)
      })
    )
  )

  it.effect("that the shop has captured is left alone", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", preauthorized, { hold: { atMost: "3 days", end: "release" } }))
        yield* paidBy(id)
        yield* notify(ledger, id)
        yield* ledger.capture("ship", id)
        yield* sweepFor(world, ledger, 100, 4)
        assert.deepStrictEqual(world.sent, ["capture"])
        assert.deepStrictEqual(yield* reportedOf(world), ["authorized", "paid"])
      })
    )
  )

  it.effect("that cannot be ended is for an operator", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", preauthorized, { hold: { atMost: "3 days", end: "capture" } }))
        yield* paidBy(id)
        yield* notify(ledger, id)
        yield* Effect.orDie(LocalGateway.armFault({ type: "refusal" }, { operation: "captureAuthorization" }))
        yield* sweepFor(world, ledger, 82, 2)
        assert.deepStrictEqual(yield* attentionOf(ledger), ["HoldNotEnded"])
      })
    )
  )
})

describe("the sweep", () => {
  it.effect("that is paid is compared with the gateway each day, for some weeks", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = yield* paidAndReported(ledger)
        yield* ledger.refund("a", id, { amount: 100_000 }, { waitAtMost: 0 })
        yield* sweepFor(world, ledger, 24, 1)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "refunded 100000"])
        // No notification, no change of the ledger's: only the comparison finds it.
        world.listed.see = (refunds) => refunds.map((refund) => ({ ...Object(refund), state: "FAILED" }))
        world.listed.seePayment = { state: "PAID" }
        yield* sweepFor(world, ledger, 24 * 4, 6)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid", "refunded 100000", "paid"])
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Failed" })
        const reads = world.reads.length
        yield* sweepFor(world, ledger, 24 * 30, 24)
        assert.isAtMost(world.reads.length - reads, 30)
      })
    )
  )

  it.effect("hears of what no notification told, ever more rarely", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world, { compareFor: 0 })
        const id = idOf(yield* ledger.checkout("1", request))
        yield* sweepFor(world, ledger, 10, 1)
        const reads = world.reads.length
        assert.isAtMost(reads, 12)
        yield* paidBy(id)
        yield* sweepFor(world, ledger, 2, 1)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        const readsPaid = world.reads.length
        yield* sweepFor(world, ledger, 24 * 60, 24)
        assert.isAtMost(world.reads.length - readsPaid, 9)
      })
    )
  )

  it.effect("reads no more in a second than it may, and what is left later", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess({ readsPerSecond: 3 })
        for (let order = 0; order < 8; order++) yield* ledger.checkout(`${order}`, request)
        yield* world.pass("10 minutes")
        assert.strictEqual(yield* ledger.runOnce({ budget: 0 }), 0)
        const fiber = yield* Effect.forkChild(ledger.runOnce({ budget: "900 millis" }))
        yield* settled
        assert.lengthOf(world.reads, 3)
        yield* world.pass("500 millis")
        yield* settled
        assert.lengthOf(world.reads, 4)
        yield* world.pass("500 millis")
        yield* settled
        assert.isDefined(fiber.pollUnsafe())
        yield* world.pass("10 seconds")
        for (let second = 0; second < 3; second++) {
          yield* Effect.forkChild(ledger.runOnce({ budget: "1 second" }))
          yield* settled
          yield* world.pass("1 second")
          yield* settled
        }
        assert.isAtLeast(new Set(world.reads).size, 8)
      })
    )
  )

  it.effect("ends a hold in time, however many payments wait to be read", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* world.makeProcess({ readsPerSecond: 1 })
        const hold = { atMost: "30 minutes", end: "release" } as const
        for (let order = 0; order < 20; order++) yield* ledger.checkout(`${order}`, request)
        const id = idOf(yield* ledger.checkout("held", { ...request, preauthorization: true }, { hold }))
        yield* LocalGateway.payByCard(id)
        yield* notify(ledger, id)
        yield* world.pass("1 hour")
        const fiber = yield* Effect.forkChild(ledger.runOnce({ budget: "900 millis" }))
        for (let time = 0; time < 3; time++) {
          yield* settled
          yield* world.pass("300 millis")
        }
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(world.sent, ["void-authorization"])
      })
    )
  )

  it.effect("reads payments that came together at times of their own, which are the same each time", () =>
    Effect.gen(function* () {
      const times = run(({ ledger, pass, store }) =>
        Effect.gen(function* () {
          for (let order = 0; order < 5; order++) yield* ledger.checkout(`${order}`, request)
          yield* pass("3 hours")
          yield* ledger.runOnce()
          const rows = yield* Effect.promise(() =>
            store.rows("SELECT next_at - checked_at AS pause FROM gopay_payment")
          )
          return rows.map(({ pause }) => Number(pause))
        })
      ).pipe(Effect.provide(TestClock.layer()))
      const pauses = yield* times
      assert.lengthOf(new Set(pauses), 5)
      assert.isAbove(Math.max(...pauses), Math.min(...pauses) * 1.3)
      assert.deepStrictEqual(yield* times, pauses)
    })
  )

  it.effect("stops when there are too many requests, for as long as the gateway asks for", () =>
    run((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        for (let order = 0; order < 12; order++) yield* ledger.checkout(`${order}`, request)
        yield* world.pass("10 minutes")
        yield* Effect.orDie(
          LocalGateway.armFault({ type: "rateLimited", seconds: 60 }, { operation: "getPayment", calls: 100 })
        )
        captureLog(/^A payment could not be checked/)
        yield* ledger.runOnce()
        const reads = world.reads.length
        assert.isAtMost(reads, 4)
        yield* world.pass("30 seconds")
        yield* ledger.runOnce()
        assert.lengthOf(world.reads, reads)
        yield* LocalGateway.disarmFaults()
        yield* world.pass("2 minutes")
        yield* Effect.forkChild(ledger.runOnce())
        yield* settled
        assert.isAbove(world.reads.length, reads)
      })
    )
  )
})

describe("old payments", () => {
  it.effect("are forgotten: those without money altogether, of the others what operators have said", () =>
    run((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const { store } = world
        const numbers = Effect.promise(async () =>
          (await store.rows("SELECT order_number FROM gopay_payment ORDER BY seq")).map((row) => row["order_number"])
        )
        // Created again after a lost response, closed, and paid in time.
        yield* arm(lost)
        const closed = idOf(yield* ledger.checkout("closed", request))
        yield* Effect.orDie(LocalGateway.cancelPayment(closed))
        const late = yield* ledger.checkout("late", request, { payWithin: "1 minute" })
        yield* Effect.orDie(LocalGateway.cancelPayment(idOf(yield* ledger.checkout("withdrawn", request))))
        yield* ledger.withdrawOrder("withdrawn")
        yield* world.pass("2 minutes")
        yield* ledger.runOnce()
        yield* paidBy(idOf(late))
        yield* sweepFor(world, ledger, 3)
        const [item] = yield* ledger.operator.listAttention()
        assert.strictEqual(item?.kind, "PaidLate")
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: 0 }), 1) // the lost one
        yield* ledger.operator.resolvePayment(item?.key ?? "", {
          version: item?.version ?? 0,
          as: "done",
          by: "Jana",
          note: "of Brno"
        })
        yield* sweepFor(world, ledger, 24 * 70, 24)
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "100 days" }), 0)
        assert.deepStrictEqual(yield* numbers, ["closed", "late", "withdrawn"])
        const orders = Effect.promise(async () =>
          (await store.rows("SELECT order_number FROM gopay_order")).map((row) => row["order_number"])
        )
        assert.sameMembers([...(yield* orders)], ["closed", "late", "withdrawn"])
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "30 days" }), 2)
        assert.deepStrictEqual(yield* numbers, ["late"])
        // Nothing is kept of an order without payments, but that it is withdrawn.
        assert.sameMembers([...(yield* orders)], ["late", "withdrawn"])
        assert.isUndefined(yield* ledger.getOrder("closed"))
        assert.deepInclude(yield* ledger.checkout("withdrawn", request), { status: "withdrawn" })
        // It is checked for a year, since it may be refunded by hand.
        yield* sweepFor(world, ledger, 24 * 420, 24 * 10)
        yield* ledger.checkout("open", request)
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "400 days" }), 1)
        assert.strictEqual(yield* ledger.operator.eraseDetails({ olderThan: "400 days" }), 0)
        const [row, ...others] = yield* Effect.promise(() => store.rows("SELECT * FROM gopay_payment ORDER BY seq"))
        assert.notInclude(JSON.stringify(row), "Jana")
        assert.notInclude(JSON.stringify(row), "Brno")
        assert.deepStrictEqual(
          others.map((other) => other["order_number"]),
          ["open"]
        )
        // The order is known to be paid for ever, and no one is asked again.
        assert.deepInclude(yield* ledger.checkout("late", request), { status: "paid", paymentId: idOf(late) })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})

/** Goes on until something is so; fails when it does not come to that. */
const until = (what: string, isSo: () => boolean, goOn: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 500; turn++) {
      if (isSo()) return
      yield* goOn
    }
    yield* Effect.die(new Error(`It does not come to it that ${what}.`))
  })

/** Lets what is under way go on as far as it can without time. */
const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 60; turn++) await new Promise(setImmediate)
})
