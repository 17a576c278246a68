/**
 * A payment that is not the requested one: its money is not counted, whatever names it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { captureAuthorizationPartial } from "../../src/index.js"
import type { AttentionItem } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, request, reportedOf, withBooks } from "./OrderBooks.js"
import { inWorld, type TestLedger, type World } from "./World.js"

const passMinutes = ({ pass }: World, ledger: TestLedger, minutes: number, step = 1) =>
  Effect.gen(function* () {
    for (let minute = 0; minute < minutes; minute += step) {
      yield* pass(`${step} minutes`)
      yield* ledger.runOnce()
    }
  })

/** Notifies the shop; a refusal goes to `onError`. */
const notify = (ledger: TestLedger, id: number) =>
  ledger.notificationHandler({ onError: () => Effect.void })({ method: "GET", url: `/notify?id=${id}` })

/** A shop whose one order is paid, or held, and has not been read since. */
const paidUnseen = (world: World, changes: { readonly preauthorization?: true } = {}) =>
  Effect.gen(function* () {
    const ledger = yield* withBooks(world)
    const id = idOf(yield* ledger.checkout("1", { ...request, ...changes }))
    yield* Effect.orDie(LocalGateway.payByCard(id))
    return { ledger, id }
  })

const decided = (item: AttentionItem | undefined, as: "accepted" | "refused") =>
  [item?.key ?? "", { version: item?.version ?? 0, as, by: "Jana", note: "as GoPay's administration shows" }] as const

const wrongs = [
  ["amount", { amount: 1 }],
  ["currency", { currency: "EUR" }],
  ["order number", { order_number: "2" }],
  ["merchant", { target: { type: "ACCOUNT", goid: 8_000_000_000 } }]
] as const

describe("a payment of another", () => {
  it.effect.each(wrongs)("%s is not taken as paid by any door, and is an operator's after ten minutes", ([, shown]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, id } = yield* paidUnseen(world)
        world.listed.seePayment = shown
        assert.strictEqual(yield* notify(ledger, id), 503)
        const failure = yield* Effect.flip(ledger.verifyReturn(`https://shop.example/return?id=${id}`))
        assert.deepInclude(failure.reason, { _tag: "PaymentMismatch" })
        yield* passMinutes(world, ledger, 9)
        assert.deepStrictEqual(world.reported, [])
        yield* passMinutes(world, ledger, 120, 5)
        assert.deepStrictEqual(yield* reportedOf(world), [])
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "open" })
        assert.deepStrictEqual(
          world.reported.map(({ decisions, kind, paymentId }) => ({ kind, paymentId, decisions })),
          [{ kind: "PaymentMismatch", paymentId: id, decisions: ["accepted", "refused"] }]
        )
        // It is the requested one now.
        world.listed.seePayment = {}
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("amount is taken as it is when an operator accepts it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, id } = yield* paidUnseen(world)
        world.listed.seePayment = { amount: 99_999 }
        yield* passMinutes(world, ledger, 20)
        const [item] = yield* ledger.operator.listAttention()
        assert.match(item?.message ?? "", /amount 99999 in place of 100000/)
        yield* ledger.operator.resolvePayment(...decided(item, "accepted"))
        yield* ledger.runOnce()
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("amount that an operator refuses is never taken, and the order may have another payment", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, id } = yield* paidUnseen(world)
        world.listed.seePayment = { amount: 99_999 }
        yield* passMinutes(world, ledger, 20)
        const [item] = yield* ledger.operator.listAttention()
        const wrong = yield* Effect.flip(
          ledger.operator.resolvePayment(item?.key ?? "", {
            version: item?.version ?? 0,
            as: "done",
            by: "Jana",
            note: "seen"
          })
        )
        assert.match(wrong.message, /accepted, refused/)
        yield* ledger.operator.resolvePayment(...decided(item, "refused"))
        yield* passMinutes(world, ledger, 24 * 60, 60)
        assert.strictEqual(yield* notify(ledger, id), 503)
        assert.deepStrictEqual(yield* reportedOf(world), [])
        assert.lengthOf(world.reported, 1)
        world.listed.seePayment = {}
        const other = yield* ledger.checkout("1", request)
        assert.strictEqual(other.status, "open")
        assert.notStrictEqual(idOf(other), id)
      })
    )
  )

  it.effect("amount once it is recorded as paid stays paid; an operator is told", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, id } = yield* paidUnseen(world)
        assert.strictEqual(yield* notify(ledger, id), 200)
        world.listed.seePayment = { amount: 99_999 }
        yield* passMinutes(world, ledger, 3 * 24 * 60, 60)
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "paid" })
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
        assert.deepStrictEqual(
          world.reported.map(({ kind }) => kind),
          ["PaymentMismatch"]
        )
        const readsBefore = world.reads.length
        yield* passMinutes(world, ledger, 60)
        assert.isAtMost(world.reads.length - readsBefore, 2)
        yield* ledger.operator.resolvePayment(...decided((yield* ledger.operator.listAttention())[0], "accepted"))
        yield* passMinutes(world, ledger, 3 * 24 * 60, 60)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )
})

describe("a payment that was asked for", () => {
  it.effect.each([
    ["whose order number comes back encoded", "O'Neill & Co", { order_number: "O&#39;Neill &amp; Co" }],
    [
      "of which the gateway shows neither order number nor merchant",
      "1",
      { order_number: undefined, target: undefined }
    ]
  ] as const)("and %s is taken as paid", ([, orderNumber, shown]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout(orderNumber, request))
        yield* Effect.orDie(LocalGateway.payByCard(id))
        world.listed.seePayment = shown
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
      })
    )
  )

  it.effect.each([30_000, 100_000])(
    "and of which the ledger has captured a part is paid, whatever is shown (%i)",
    (amount) =>
      inWorld((world) =>
        Effect.gen(function* () {
          const { id, ledger } = yield* paidUnseen(world, { preauthorization: true })
          assert.deepInclude(yield* ledger.capturePartial("a", id, { amount: 30_000 }), { _tag: "Done" })
          world.listed.seePayment = { amount }
          assert.strictEqual(yield* notify(ledger, id), 200)
          assert.deepStrictEqual(yield* reportedOf(world), ["paid"])
          yield* passMinutes(world, ledger, 24 * 60, 60)
          assert.deepStrictEqual(world.reported, [])
        })
      )
  )

  it.effect("and that was held before a part was captured by hand is paid when an operator accepts it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { id, ledger } = yield* paidUnseen(world, { preauthorization: true })
        assert.strictEqual(yield* notify(ledger, id), 200)
        yield* Effect.orDie(captureAuthorizationPartial(id, { amount: 30_000 }))
        world.listed.seePayment = { amount: 30_000 }
        yield* passMinutes(world, ledger, 60, 5)
        assert.deepStrictEqual(yield* reportedOf(world), ["authorized"])
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item, { kind: "PaymentMismatch", decisions: ["accepted", "refused"] })
        yield* ledger.operator.resolvePayment(...decided(item, "accepted"))
        yield* passMinutes(world, ledger, 60, 5)
        assert.deepStrictEqual(yield* reportedOf(world), ["authorized", "paid"])
      })
    )
  )

  it.effect("and of which a part was captured by hand is an operator's", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { id, ledger } = yield* paidUnseen(world, { preauthorization: true })
        yield* Effect.orDie(captureAuthorizationPartial(id, { amount: 30_000 }))
        world.listed.seePayment = { amount: 30_000 }
        yield* passMinutes(world, ledger, 60, 5)
        assert.deepStrictEqual(
          world.reported.map(({ kind }) => kind),
          ["PaymentMismatch"]
        )
      })
    )
  )
})
