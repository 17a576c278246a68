/**
 * A charge that was sent twice by a proxy between the ledger and the gateway: no second payment stays unreported, and
 * none is requested again.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AdditionalParam, createRecurrence, type Gateway, getPayment } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import * as Outsider from "./Outsider.js"
import { arm, charge, children, first, notify, paidFirst, recurrence, set } from "./RecurrenceScene.js"
import { inWorld, type TestLedger, type World, order } from "./World.js"

/** Sends the request that is on its way a second time, before it arrives. Returns the payment that this makes. */
const repeated = (
  ledger: TestLedger,
  id: number,
  inherited: ReadonlyArray<AdditionalParam> = [],
  amount = charge.amount
) =>
  Effect.gen(function* () {
    const { attempt } = (yield* ledger.operator.getHistory("a")).at(-1) ?? {}
    const additional_params = [...inherited, { name: "effect-gopay", value: attempt ?? "" }]
    return (yield* createRecurrence(id, { ...charge, amount, additional_params })).id
  })

/** Does something just before a charge arrives. */
const before = (
  { hooks }: World,
  copied: Effect.Effect<unknown, unknown, Gateway | LocalGateway>
): Effect.Effect<void, never, Gateway | LocalGateway> =>
  Effect.map(Effect.context<Gateway | LocalGateway>(), (context) => {
    hooks.push(Effect.orDie(Effect.provideContext(copied, context)))
  })

const kinds = ({ reported }: World) => reported.map(({ key, kind }) => ({ key, kind }))

const twice = [{ key: "a", kind: "PaidTwice" }]

describe("a charge that was sent twice", () => {
  it.effect("is reported when the copy's notification comes before the response", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* first
        yield* before(
          world,
          Effect.flatMap(repeated(ledger, id), (copy) => notify(ledger, copy, id))
        )
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "Done")
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.lengthOf(yield* children, 2)
        assert.deepStrictEqual(kinds(world), twice)
        assert.lengthOf(yield* ledger.operator.listPayments(), 2)
      })
    )
  )

  it.effect("is reported when the copy was known before it was paid", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* first
        let copy = 0
        yield* before(
          world,
          Effect.gen(function* () {
            yield* set({ recurrenceChild: "pending" })
            copy = yield* repeated(ledger, id)
            yield* set({ recurrenceChild: "paid" })
          })
        )
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "Done")
        yield* notify(ledger, copy, id)
        yield* ledger.runOnce()
        assert.deepStrictEqual(kinds(world), [])
        yield* Effect.orDie(LocalGateway.payByCard(copy))
        yield* notify(ledger, copy, id)
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.deepStrictEqual(kinds(world), twice)
      })
    )
  )

  it.effect("stays reported when it is read again", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, store } = world
        const id = yield* first
        yield* before(
          world,
          Effect.flatMap(repeated(ledger, id), (copy) => notify(ledger, copy, id))
        )
        yield* ledger.charge("a", id, charge)
        yield* ledger.runOnce()
        yield* Outsider.makeDue(store, "a")
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.operator.getChange("a"), { status: "done", attention: ["PaidTwice"] })
      })
    )
  )

  it.effect("is done when the copy is paid and the one that is known is declined", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* first
        let copy = 0
        yield* before(
          world,
          Effect.gen(function* () {
            copy = yield* repeated(ledger, id)
            yield* set({ recurrenceChild: "declined" })
          })
        )
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "Refused")
        yield* notify(ledger, copy, id)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        assert.deepStrictEqual(kinds(world), [])
      })
    )
  )

  it.effect("is not sent again when the copy is known, and the gateway limits the other one", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent } = world
        const id = yield* first
        yield* before(
          world,
          Effect.gen(function* () {
            yield* notify(ledger, yield* repeated(ledger, id), id)
            yield* arm({ type: "rateLimited" })
          })
        )
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        for (let minute = 0; minute < 10; minute++) {
          yield* ledger.runOnce()
          yield* pass("1 minute")
        }
        assert.lengthOf(sent, 2)
        const [child, ...others] = yield* children
        assert.deepStrictEqual(others, [])
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", chargeId: child?.id ?? 0 })
      })
    )
  )

  it.effect.each([
    ["limits", { type: "rateLimited" }],
    ["has not enabled", { type: "refusal", code: 341 }],
    ["finds an empty account for", { type: "refusal", code: 333 }],
    ["a firewall stops", { type: "htmlForbidden" }]
  ] as const)("is not sent again when the gateway %s the other one, and the copy is known later", ([, fault]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent } = world
        const id = yield* first
        let copy = 0
        yield* before(
          world,
          Effect.gen(function* () {
            copy = yield* repeated(ledger, id)
            yield* arm(fault)
          })
        )
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        yield* ledger.runOnce()
        yield* pass("9 minutes")
        yield* ledger.runOnce()
        yield* notify(ledger, copy, id)
        for (let hours = 0; hours < 4; hours++) {
          yield* ledger.runOnce()
          yield* pass("1 hour")
        }
        assert.lengthOf(yield* children, 1)
        assert.lengthOf(sent, 2)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", chargeId: copy })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("is sent again after ten minutes in which no copy is known, and without an item", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent } = world
        const id = yield* first
        yield* arm({ type: "rateLimited" })
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        yield* ledger.runOnce()
        yield* pass("9 minutes")
        yield* ledger.runOnce()
        assert.lengthOf(sent, 1)
        yield* pass("1 minute")
        yield* ledger.runOnce()
        assert.lengthOf(sent, 2)
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "Done")
        assert.deepStrictEqual(kinds(world), [])
      })
    )
  )

  it.effect("stops at a copy that is known after ten minutes, by a gateway that gives back no attempt", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, pass, sent } = world
        const id = yield* paidFirst(ledger, "1")
        let copy = 0
        yield* before(
          world,
          Effect.gen(function* () {
            copy = yield* repeated(ledger, id)
            yield* arm({ type: "rateLimited" })
          })
        )
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        yield* ledger.runOnce()
        yield* pass("10 minutes")
        // It is queued again, and another change of the payment could not be read.
        listed.fails = ({ method }) => (method === "GET" ? 503 : undefined)
        yield* ledger.runOnce()
        listed.fails = () => undefined
        listed.seePayment = { additional_params: [] }
        yield* notify(ledger, copy, id)
        listed.seePayment = {}
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.lengthOf(sent, 2)
        assert.lengthOf(yield* children, 1)
        // What is adopted stops it as well.
        yield* ledger.operator.adoptPayment("sub-1", copy)
        yield* ledger.runOnce()
        const { version = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        yield* ledger.operator.resolveChange("a", { version, as: "done", by: "Eva", note: "it is it", chargeId: copy })
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", chargeId: copy })
        assert.lengthOf(sent, 2)
      })
    )
  )

  it.effect("is done when the copy is known, and the gateway refuses the other one", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* first
        yield* before(
          world,
          Effect.gen(function* () {
            yield* notify(ledger, yield* repeated(ledger, id), id)
            yield* arm({ type: "refusal", code: 111 })
          })
        )
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        for (let minute = 0; minute < 3; minute++) {
          yield* ledger.runOnce()
          yield* pass("1 minute")
        }
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "Done")
      })
    )
  )
})

describe("a gateway that gives a charge the parameters of its first payment", () => {
  /** The first payment of an order, which is paid, and the attempt that made it. */
  const firstOf = (ledger: TestLedger) =>
    Effect.gen(function* () {
      const checkout = yield* ledger.checkout("1", { ...order, recurrence })
      const id = checkout.status === "open" ? checkout.paymentId : 0
      yield* Effect.orDie(LocalGateway.payByCard(id))
      yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${id}` })
      const [made] = (yield* Effect.orDie(getPayment(id))).additional_params ?? []
      return { id, additional_params: [{ name: made?.name ?? "", value: made?.value ?? "" }] }
    })

  it.effect("makes none of its own charges an unknown one", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const { additional_params, id } = yield* firstOf(ledger)
        const child = yield* Effect.orDie(createRecurrence(id, { ...charge, additional_params }))
        assert.strictEqual(yield* notify(ledger, child.id, id), 200)
        yield* ledger.runOnce()
        assert.deepStrictEqual(kinds(world), [])
        assert.includeMembers(
          (yield* ledger.operator.listPayments()).map(({ orderNumber }) => orderNumber),
          ["sub-1"]
        )
      })
    )
  )

  it.effect("has a lost charge recognised all the same", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const { additional_params, id } = yield* firstOf(ledger)
        let child = 0
        yield* before(
          world,
          Effect.gen(function* () {
            child = yield* repeated(ledger, id, additional_params)
            yield* arm({ type: "connectionReset", effect: "none" })
          })
        )
        assert.strictEqual((yield* ledger.charge("a", id, charge, { waitAtMost: 0 }))._tag, "Pending")
        yield* ledger.runOnce()
        yield* notify(ledger, child, id)
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", chargeId: child })
        assert.deepStrictEqual(kinds(world), [])
      })
    )
  )
})

describe("a charge of the same order number as one before", () => {
  it.effect("is not decided by the payment of that one, whoever names it", () =>
    inWorld(({ ledger, listed, pass }) =>
      Effect.gen(function* () {
        const id = yield* first
        yield* ledger.charge("before", id, charge)
        const [child] = yield* children
        yield* arm({ type: "connectionReset", effect: "none" })
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        yield* ledger.runOnce()
        // A gateway that gives back no parameters.
        const silent = { state: "PAID", additional_params: [] }
        listed.seePayment = silent
        yield* ledger.operator.adoptCharges([{ orderNumber: "sub-1", paymentId: child?.id ?? 0 }])
        yield* ledger.operator.adoptPayment("sub-1", child?.id ?? 0)
        yield* pass("25 hours")
        yield* ledger.runOnce()
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "InDoubt")
        const { version = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        const said = { version, as: "done", by: "Eva", note: "seen", chargeId: child?.id } as const
        const refused = yield* Effect.orDie(Effect.flip(ledger.operator.resolveChange("a", said)))
        assert.include(refused.message, `Payment ${child?.id} was made by another change: before`)
      })
    )
  )
})

describe("a charge of another amount", () => {
  it.effect("is reported, and decides nothing", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent } = world
        const id = yield* first
        let child = 0
        yield* before(
          world,
          Effect.gen(function* () {
            child = yield* repeated(ledger, id, [], 50)
            yield* arm({ type: "connectionReset", effect: "none" })
          })
        )
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        yield* ledger.runOnce()
        yield* notify(ledger, child, id)
        yield* ledger.runOnce()
        yield* pass("1 hour")
        yield* ledger.runOnce()
        assert.deepStrictEqual(kinds(world), [{ key: "a", kind: "StateContradicted" }])
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "Pending")
        assert.lengthOf(sent, 2)
      })
    )
  )
})

describe("a charge beside one that was made without the ledger", () => {
  it.effect("is not made though that one is adopted, and its day has not come", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, sent } = world
        const id = yield* paidFirst(ledger, "1")
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        yield* ledger.operator.adoptPayment("sub-1", child)
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "InDoubt")
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect.each([
    ["and its handler is told of", true],
    ["and no handler is told of", false]
  ] as const)("is not made when that one is notified, %s", ([, hasHandler]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { makeProcess, sent } = world
        const events: Array<unknown> = []
        const onPayment = (event: unknown) => Effect.sync(() => void events.push(event))
        const ledger = yield* makeProcess(hasHandler ? { onPayment } : {})
        const id = yield* paidFirst(ledger, "1")
        events.length = 0
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        assert.strictEqual(yield* notify(ledger, child, id), 200)
        assert.lengthOf(events, hasHandler ? 1 : 0)
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "InDoubt")
        assert.lengthOf(sent, 1)
        assert.lengthOf(yield* children, 1)
      })
    )
  )

  it.effect("is not made when that one becomes known on its way", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, sent } = world
        const id = yield* paidFirst(ledger, "1")
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        const context = yield* Effect.context<Gateway | LocalGateway>()
        let isAdopted = false
        world.listed.afterRead = Effect.suspend(() => {
          if (isAdopted) return Effect.void
          isAdopted = true
          return Effect.orDie(Effect.provideContext(ledger.operator.adoptPayment("sub-1", child), context))
        })
        yield* ledger.charge("a", id, charge, { waitAtMost: 0 })
        yield* ledger.runOnce()
        yield* world.pass("1 hour")
        yield* ledger.runOnce()
        assert.lengthOf(yield* children, 1)
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "InDoubt")
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect.each([
    ["paid", "PAID", "InDoubt", 1],
    ["open", "CREATED", "InDoubt", 1],
    ["closed", "CANCELED", "Done", 2]
  ] as const)("is judged by one that is %s, of a first payment that the ledger does not know", ([, state, is, sends]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { listed, makeProcess, sent } = world
        const events: Array<unknown> = []
        const ledger = yield* makeProcess({ onPayment: (event) => Effect.sync(() => void events.push(event)) })
        const id = yield* first
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        listed.seePayment = { state }
        assert.strictEqual(yield* notify(ledger, child, id), 200)
        assert.strictEqual(yield* notify(ledger, child), 200)
        listed.seePayment = {}
        // It concerns neither the shop nor an operator.
        assert.deepStrictEqual([events, yield* ledger.operator.listAttention()], [[], []])
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, is)
        assert.lengthOf(sent, sends)
      })
    )
  )

  it.effect("of a first payment that the ledger does not know is read until it is closed", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, pass, sent } = world
        const id = yield* first
        yield* set({ recurrenceChild: "pending" })
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        yield* set({ recurrenceChild: "paid" })
        yield* notify(ledger, child, id)
        listed.seePayment = { state: "TIMEOUTED" }
        yield* pass("1 hour")
        yield* ledger.runOnce()
        listed.seePayment = {}
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "Done")
        assert.lengthOf(sent, 2)
      })
    )
  )

  it.effect("of a first payment that the ledger does not know is reported to the shop once it is adopted", () =>
    inWorld(({ makeProcess }) =>
      Effect.gen(function* () {
        const events: Array<unknown> = []
        const ledger = yield* makeProcess({
          onPayment: ({ order: { orderNumber, parentId }, status }) =>
            Effect.sync(() => void events.push({ orderNumber, parentId, status }))
        })
        const id = yield* first
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        yield* notify(ledger, child, id)
        assert.deepInclude(yield* ledger.operator.adoptPayment("sub-1", child), { status: "paid", paymentId: child })
        assert.deepStrictEqual(events, [{ orderNumber: "sub-1", parentId: id, status: "paid" }])
      })
    )
  )

  it.effect("of a first payment that is adopted is reported to the shop with its next notification", () =>
    inWorld(({ makeProcess }) =>
      Effect.gen(function* () {
        const events: Array<unknown> = []
        const ledger = yield* makeProcess({
          onPayment: ({ order, status }) => Effect.sync(() => void events.push([order.orderNumber, status]))
        })
        const id = yield* first
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        yield* notify(ledger, child, id)
        yield* ledger.operator.adoptPayment("1", id)
        assert.strictEqual(yield* notify(ledger, child, id), 200)
        assert.deepStrictEqual(events, [
          ["1", "paid"],
          ["sub-1", "paid"]
        ])
      })
    )
  )

  it.effect("is made beside one that is closed", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* paidFirst(ledger, "1")
        yield* set({ recurrenceChild: "declined" })
        const { id: child } = yield* Effect.orDie(createRecurrence(id, charge))
        yield* ledger.operator.adoptPayment("sub-1", child)
        yield* set({ recurrenceChild: "paid" })
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "Done")
      })
    )
  )
})

describe("a charge that a restored ledger has forgotten", () => {
  /** A paid charge for which the restored ledger has no row. */
  const forgotten = (
    test: (world: World, id: number, child: number) => Effect.Effect<void, unknown, Gateway | LocalGateway>
  ) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, store } = world
        const checkout = yield* ledger.checkout("1", { ...order, recurrence })
        const id = checkout.status === "open" ? checkout.paymentId : 0
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${id}` })
        yield* ledger.charge("a", id, charge)
        const [child] = yield* children
        yield* Outsider.forgetCharges(store)
        yield* Effect.orDie(test(world, id, child?.id ?? 0))
      })
    )

  it.effect("is not made again by its key once its notification has come", () =>
    forgotten((world, id, child) =>
      Effect.gen(function* () {
        const { ledger, sent } = world
        yield* notify(ledger, child, id)
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "InDoubt")
        assert.deepStrictEqual(
          kinds(world).map(({ kind }) => kind),
          ["UnknownPayment", "InDoubt"]
        )
        const { version = 0 } = (yield* ledger.operator.getChange("a")) ?? {}
        yield* ledger.operator.resolveChange("a", { version, as: "done", by: "Eva", note: "restored", chargeId: child })
        assert.lengthOf(sent, 1)
      })
    )
  )

  it.effect("and its first payment, too, is reported when it is paid, though it was closed when it became known", () =>
    forgotten((world, id, child) =>
      Effect.gen(function* () {
        const { ledger, listed, store } = world
        yield* Outsider.forgetPayments(store)
        listed.seePayment = { state: "TIMEOUTED" }
        assert.strictEqual(yield* notify(ledger, child, id), 200)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        listed.seePayment = {}
        for (const _ of ["once", "again"]) assert.strictEqual(yield* notify(ledger, child, id), 200)
        assert.deepStrictEqual(
          world.reported.map(({ kind, paymentId }) => [kind, paymentId]),
          [["UnknownPayment", child]]
        )
        const [item] = yield* ledger.operator.listAttention()
        const { key = "", version = 0 } = item ?? {}
        yield* ledger.operator.resolvePayment(key, { version, as: "refused", by: "Eva", note: "refunded by hand" })
        assert.strictEqual(yield* notify(ledger, child, id), 200)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.lengthOf(world.reported, 1)
      })
    )
  )

  it.effect("is not made again where the gateway gives its order number back encoded", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, sent, store } = world
        const id = yield* paidFirst(ledger, "1")
        const jam = { ...charge, order_number: "jam & butter" }
        yield* ledger.charge("a", id, jam)
        const [child] = yield* children
        yield* Outsider.forgetCharges(store)
        listed.seePayment = { order_number: "jam &amp; butter" }
        yield* notify(ledger, child?.id ?? 0, id)
        listed.seePayment = {}
        assert.strictEqual((yield* ledger.charge("a", id, jam))._tag, "InDoubt")
        // It is that of no other one.
        assert.strictEqual((yield* ledger.charge("b", id, { ...charge, order_number: "jam + butter" }))._tag, "Done")
        assert.lengthOf(sent, 2)
      })
    )
  )

  it.effect("is not made again by its key when an operator has adopted it", () =>
    forgotten(({ ledger, pass, sent }, id, child) =>
      Effect.gen(function* () {
        yield* ledger.operator.distrust({ since: new Date(0) })
        yield* ledger.operator.adoptPayment("sub-1", child)
        yield* pass("1 hour")
        assert.strictEqual((yield* ledger.charge("a", id, charge))._tag, "InDoubt")
        // Nothing shows whether the others were made before: an operator looks, and releases them. It is not among them.
        assert.strictEqual((yield* ledger.charge("b", id, { ...charge, order_number: "sub-2" }))._tag, "InDoubt")
        assert.lengthOf(sent, 1)
        yield* ledger.operator.releaseCharges(id, { by: "Eva", note: "sub-1 is the only charge since the backup" })
        yield* ledger.runOnce()
        assert.strictEqual((yield* ledger.getOutcome("a"))?._tag, "InDoubt")
        assert.strictEqual((yield* ledger.getOutcome("b"))?._tag, "Done")
        assert.strictEqual((yield* ledger.charge("c", id, { ...charge, order_number: "sub-2" }))._tag, "Done")
        assert.lengthOf(sent, 3)
      })
    )
  )
})
