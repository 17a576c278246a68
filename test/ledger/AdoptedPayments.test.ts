/**
 * A payment that the ledger has forgotten, and that an operator adopts: a call that fails or whose process is killed loses
 * neither the item nor the payment.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { createPayment, type Gateway, getPayment } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { notify } from "./RecurrenceScene.js"
import { inWorld, killedStatements, order, type TestLedger, type World } from "./World.js"

const orderNumber = order.order_number
const { amount, callback, currency } = order
const asked = { amount, callback, currency }

/** A payment that is paid and reported as unknown: its ledger has forgotten it. */
const forgotten = (test: (world: World, id: number) => Effect.Effect<void, unknown, Gateway | LocalGateway>) =>
  inWorld((world) =>
    Effect.gen(function* () {
      const additional_params = [{ name: "effect-gopay", value: "forgotten" }]
      const { id } = yield* createPayment({ ...order, additional_params })
      yield* LocalGateway.payByCard(id)
      yield* notify(world.ledger, id)
      assert.deepStrictEqual(
        world.reported.map(({ kind }) => kind),
        ["UnknownPayment"]
      )
      yield* test(world, id)
    }).pipe(Effect.orDie)
  )

describe("a payment that is adopted", () => {
  it.effect("stays an operator's while its refunds cannot be read, and is adopted then", () =>
    forgotten(({ ledger, listed }, id) =>
      Effect.gen(function* () {
        listed.fails = ({ pathname }) => (pathname.endsWith("/refunds") ? 429 : undefined)
        yield* Effect.flip(ledger.operator.adoptPayment(orderNumber, id))
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item, { kind: "UnknownPayment", paymentId: id })
        assert.deepInclude(yield* ledger.checkout(orderNumber, asked), { status: "inDoubt" })
        listed.fails = () => undefined
        assert.deepInclude(yield* ledger.operator.adoptPayment(orderNumber, id), { status: "paid", paymentId: id })
        const kinds = (yield* ledger.operator.listAttention()).map(({ kind }) => kind)
        assert.notInclude(kinds, "UnknownPayment")
      })
    )
  )

  const ways = [
    ["adopted", (ledger: TestLedger, id: number) => ledger.operator.adoptPayment(orderNumber, id)],
    ["told of by its notification", notify]
  ] as const

  it.effect.each(ways)("and whose response was lost was never offered, so it is not late: %s", ([, taken]) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, reported } = world
        yield* Effect.orDie(
          LocalGateway.armFault({ type: "connectionReset", effect: "committed" }, { operation: "createPayment" })
        )
        yield* ledger.checkout(orderNumber, asked)
        const [lost] = (yield* Effect.orDie(LocalGateway.listPayments)).toSorted((one, other) => one.id - other.id)
        const id = lost?.id ?? 0
        yield* Effect.orDie(LocalGateway.payByCard(id))
        yield* taken(ledger, id)
        assert.deepInclude(yield* ledger.getOrder(orderNumber), { status: "paid", paymentId: id })
        assert.deepStrictEqual(reported, [])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("by a process that is killed at any statement is an item, or is read by another process", () =>
    Effect.gen(function* () {
      /** Kills the process that adopts, and gives how many statements the whole call takes. */
      const statements = { count: 0 }
      yield* forgotten(({ makeProcess }, id) =>
        Effect.gen(function* () {
          const other = yield* makeProcess()
          yield* other.operator.adoptPayment(orderNumber, id)
          statements.count = other.statements()
        })
      )
      for (const killAt of killedStatements(statements.count)) {
        yield* forgotten(({ ledger, makeProcess, pass }, id) =>
          Effect.gen(function* () {
            const other = yield* makeProcess({ killAt })
            const adopting = yield* Effect.forkChild(Effect.ignore(other.operator.adoptPayment(orderNumber, id)))
            yield* Effect.raceFirst(Fiber.await(adopting), other.killed)
            yield* Fiber.interrupt(adopting)
            for (let minute = 0; minute < 3; minute++) {
              yield* pass("1 minute")
              yield* ledger.runOnce()
            }
            const items = yield* ledger.operator.listAttention()
            const present = yield* ledger.getOrder(orderNumber)
            const where = `${killAt.when} statement ${killAt.statement}`
            const isItem = items.some(({ kind }) => kind === "UnknownPayment")
            assert.isTrue(isItem || present?.status === "paid", where)
            assert.notStrictEqual((yield* ledger.checkout(orderNumber, asked)).status, "open", where)
          })
        )
      }
    })
  )
})

describe("a payment made by a copy of its request", () => {
  /** Something between has sent the request of an order twice. Returns the payment that the ledger does not know. */
  const copied = (ledger: TestLedger) =>
    Effect.gen(function* () {
      const opened = yield* ledger.checkout(orderNumber, asked)
      const made = yield* getPayment(opened.paymentId ?? 0)
      const additional_params = (made.additional_params ?? []).map(({ name, value = "" }) => ({ name, value }))
      return (yield* createPayment({ ...order, additional_params })).id
    })

  it.effect("is reported when it is paid, and can be adopted", () =>
    inWorld(({ ledger, reported }) =>
      Effect.gen(function* () {
        const id = yield* copied(ledger)
        yield* LocalGateway.payByCard(id)
        yield* notify(ledger, id)
        assert.deepStrictEqual(
          reported.map(({ kind }) => kind),
          ["UnknownPayment"]
        )
        assert.deepInclude(yield* ledger.operator.adoptPayment(orderNumber, id), { status: "paid", paymentId: id })
        assert.deepInclude(yield* ledger.checkout(orderNumber, asked), { status: "paid", paymentId: id })
      }).pipe(Effect.orDie)
    )
  )

  it.effect("can be adopted before anything names it", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* copied(ledger)
        yield* LocalGateway.payByCard(id)
        assert.deepInclude(yield* ledger.operator.adoptPayment(orderNumber, id), { status: "paid", paymentId: id })
      }).pipe(Effect.orDie)
    )
  )
})
