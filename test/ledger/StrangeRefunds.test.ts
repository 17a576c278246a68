/**
 * Refunds that the gateway lists and the ledger did not make: they stop the next one, until they are acknowledged.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { getPaymentRefunds } from "../../src/index.js"
import * as Fiber from "effect/Fiber"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { tableNames } from "../../src/ledger/store/Sql.js"
import { held, inWorld, killedStatements, paid, refunded, refundedByHand, type World } from "./World.js"

/** Only records it: its steps are made when the test says so. */
const later = { waitAtMost: 0 }

const flipped = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.orDie(Effect.flip(effect))

/** A payment of an order that the ledger has created. */
const ordered = ({ ledger }: World) =>
  Effect.gen(function* () {
    const id = idOf(yield* ledger.checkout("1", request))
    yield* LocalGateway.payByCard(id)
    return id
  }).pipe(Effect.orDie)

/** The ledger came to be now, and not before the refunds that were made so far. */
const beginNow = (world: World) => Effect.andThen(world.pass("1 hour"), Outsider.beginNow(world.store))

/** Lets time pass, with a worker. */
const passMinutes = ({ ledger, pass }: World, minutes: number) =>
  Effect.gen(function* () {
    for (let minute = 0; minute < minutes; minute++) {
      yield* ledger.runOnce()
      yield* pass("1 minute")
    }
    yield* ledger.runOnce()
  })

const acknowledged = { by: "Jana", note: "made by hand for another complaint" }

const isStopped = (world: World, key: string) =>
  Effect.gen(function* () {
    const items = yield* world.ledger.operator.listAttention()
    assert.deepStrictEqual(
      items.map((item) => [item.key, item.kind]),
      [[key, "StrangeRefund"]]
    )
  })

describe("on a payment that the ledger created", () => {
  it.effect("a refund of no row stops the next one, whatever its age", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* ordered(world)
        yield* refundedByHand(id, 500)
        yield* pass("40 days")
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* isStopped(world, "a")
        assert.deepStrictEqual(yield* refunded(id), [500])
      })
    )
  )

  it.effect("a queued refund of a restored backup is not made again", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent } = world
        const id = yield* ordered(world)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        const restore = yield* Outsider.backUpChanges(world.store)
        yield* pass("2 minutes")
        yield* ledger.runOnce()
        yield* restore
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund"])
        yield* isStopped(world, "a")
      })
    )
  )

  it.effect("a refund whose row was deleted is not made again under its key", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent } = world
        const id = yield* ordered(world)
        yield* ledger.refund("a", id, { amount: 500 })
        yield* Outsider.forgetChanges(world.store)
        yield* pass("70 seconds")
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund"])
        yield* isStopped(world, "a")
      })
    )
  )

  it.effect("one that failed stops nothing", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed } = world
        const id = yield* ordered(world)
        yield* refundedByHand(id, 500)
        listed.see = (refunds) => refunds.map((refund) => ({ ...Object(refund), state: "FAILED" }))
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        listed.see = (refunds) => refunds
        assert.deepStrictEqual(yield* refunded(id), [500, 500])
      })
    )
  )
})

describe("on a payment that the ledger neither created nor adopted", () => {
  it.effect("a refund from before the ledger is no obstacle", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        yield* refundedByHand(id, 500)
        yield* beginNow(world)
        assert.deepInclude(yield* ledger.refund("a", id, { amount: 500 }), { _tag: "Done" })
        assert.deepStrictEqual(yield* refunded(id), [500, 500])
      })
    )
  )

  it.effect("a later one stops the next, also where the gateway's clock is behind the database's", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent, store } = world
        const id = yield* paid
        yield* pass("1 day")
        // The gateway is half an hour behind.
        store.moveClock(1_800_000)
        yield* Outsider.beginNow(world.store)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        const restore = yield* Outsider.backUpChanges(world.store)
        yield* ledger.runOnce()
        yield* restore
        store.moveClock(120_000)
        yield* ledger.runOnce()
        assert.deepStrictEqual(sent, ["refund"])
        yield* isStopped(world, "a")
      })
    )
  )

  it.effect("one without a date stops the next", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed } = world
        const id = yield* paid
        yield* refundedByHand(id, 500)
        yield* beginNow(world)
        listed.see = (refunds) => refunds.map((refund) => ({ ...Object(refund), date_requested: undefined }))
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* isStopped(world, "a")
      })
    )
  )

  it.effect("one from before the ledger stops the next after distrust() of that time", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        yield* refundedByHand(id, 500)
        yield* beginNow(world)
        yield* ledger.operator.distrust({ since: new Date(0) })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passMinutes(world, 11)
        yield* isStopped(world, "a")
        assert.deepStrictEqual(yield* refunded(id), [500])
      })
    )
  )
})

describe("after distrust()", () => {
  it.effect("refunds wait until the gateway's list shows the last ones that were forgotten", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, sent } = world
        const id = yield* ordered(world)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        const restore = yield* Outsider.backUpChanges(world.store)
        yield* ledger.runOnce()
        yield* restore
        // The list lags.
        listed.see = () => []
        yield* ledger.operator.distrust({ since: new Date(0) })
        yield* passMinutes(world, 9)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Pending", status: "queued" })
        listed.see = (refunds) => refunds
        yield* passMinutes(world, 2)
        assert.deepStrictEqual(sent, ["refund"])
        yield* isStopped(world, "a")
      })
    )
  )

  it.effect("captures and orders go on at once", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* held
        yield* ledger.operator.pause
        yield* ledger.operator.distrust({ since: new Date(0) })
        assert.deepInclude(yield* ledger.capture("a", id), { _tag: "Done" })
        assert.deepInclude(yield* ledger.checkout("2", request), { status: "open" })
      })
    )
  )

  it.effect("of what is no time fails, and changes nothing", () =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        yield* ledger.operator.pause
        const failure = yield* flipped(ledger.operator.distrust({ since: "yesterday" }))
        assert.deepInclude(failure.reason, { _tag: "InvalidArgument" })
        assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "Paused" })
      })
    )
  )
})

describe("an acknowledged refund", () => {
  it.effect("stops nothing any more, and what it has stopped goes on", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* ordered(world)
        const { id: refundId } = yield* refundedByHand(id, 500)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* isStopped(world, "a")
        yield* ledger.operator.acknowledgeRefund(id, refundId, acknowledged)
        yield* ledger.operator.acknowledgeRefund(`0${id}`, String(refundId), { by: "Petr", note: "again" })
        yield* ledger.runOnce()
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        assert.deepStrictEqual(yield* refunded(id), [500, 500])
        const [known, ...others] = yield* ledger.operator.listAcknowledgedRefunds(id)
        assert.deepInclude(known, { paymentId: id, refundId, amount: 500, acknowledgedBy: "Jana" })
        assert.deepStrictEqual(others, [])
      })
    )
  )

  it.effect("is listed beside the shop's own and one of unknown origin, oldest first, with whose each of them is", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const { listRefunds } = ledger.operator
        const id = yield* ordered(world)
        assert.deepStrictEqual(yield* listRefunds(id), [])
        const { id: refundId } = yield* refundedByHand(id, 500)
        yield* ledger.operator.acknowledgeRefund(id, refundId, acknowledged)
        yield* pass("1 minute")
        yield* ledger.refund("a", id, { amount: 700 }, later)
        yield* ledger.runOnce()
        yield* pass("1 minute")
        const { id: strange } = yield* refundedByHand(id, 300)
        const listed = yield* listRefunds(String(id))
        const common = { paymentId: id, state: "SUCCESS", requestedAt: undefined }
        assert.deepStrictEqual(
          listed.map((one) => ({ ...one, requestedAt: undefined })),
          [
            { ...common, refundId, amount: 500, acknowledgedBy: "Jana" },
            { ...common, refundId: listed[1]?.refundId ?? 0, amount: 700, key: "a" },
            { ...common, refundId: strange, amount: 300 }
          ]
        )
        const times = listed.map(({ requestedAt = "" }) => Date.parse(requestedAt))
        assert.isTrue(times.every((time, index) => time > (times[index - 1] ?? 0)))
        const refused = yield* flipped(listRefunds("x"))
        assert.include(String(refused), "paymentId")
      })
    )
  )

  it.effect("is that one only: another one stops as before", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* ordered(world)
        const { id: refundId } = yield* refundedByHand(id, 500)
        yield* ledger.operator.acknowledgeRefund(id, refundId, acknowledged)
        yield* refundedByHand(id, 500)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* isStopped(world, "a")
      })
    )
  )

  it.effect("has to be listed, and is acknowledged by a name and a reason", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* ordered(world)
        const { id: refundId } = yield* refundedByHand(id, 500)
        for (const wrong of [
          ledger.operator.acknowledgeRefund(id, refundId + 1, acknowledged),
          ledger.operator.acknowledgeRefund(id, refundId, { ...acknowledged, by: " " }),
          ledger.operator.acknowledgeRefund(id, refundId, { ...acknowledged, note: "" }),
          ledger.operator.acknowledgeRefund("no id", refundId, acknowledged)
        ]) {
          assert.strictEqual((yield* flipped(wrong)).reason._tag, "InvalidArgument")
        }
        assert.deepStrictEqual(yield* ledger.operator.listAcknowledgedRefunds(id), [])
      })
    )
  )
})

/** A refund whose response is lost, and that the gateway makes late. */
const late = { type: "commitLater", seconds: 600 } as const

const lostRefund = ({ ledger }: World, id: number) =>
  Effect.gen(function* () {
    yield* Effect.orDie(LocalGateway.armFault(late, { operation: "refundPayment" }))
    yield* ledger.refund("a", id, { amount: 500 }, later)
    yield* ledger.runOnce()
    assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt" })
  })

describe("an entry that may be a refund of ours in doubt", () => {
  it.effect("is left to it when the payment is adopted", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        const { id: older } = yield* refundedByHand(id, 500)
        const { id: other } = yield* refundedByHand(id, 700)
        yield* beginNow(world)
        yield* lostRefund(world, id)
        yield* passMinutes(world, 9)
        // It is made after the last read, and before the adoption.
        yield* world.pass("2 minutes")
        yield* ledger.operator.adoptPayment("1", id)
        assert.deepStrictEqual(
          (yield* ledger.operator.listAcknowledgedRefunds(id)).map(({ refundId }) => refundId),
          [older, other]
        )
        yield* passMinutes(world, 60)
        const [known] = (yield* refunded(id)).slice(2)
        assert.strictEqual(known, 500)
        const [item] = yield* ledger.operator.listAttention()
        assert.deepInclude(item, { key: "a", kind: "InDoubt" })
        assert.match(String(item?.message), /lists refund \d+ of the same amount/)
        // Whatever is decided, it is known of.
        const decision = { version: item?.version ?? 0, by: "Jana", note: "not seen" }
        yield* ledger.operator.resolveChange("a", { ...decision, as: "notDone" })
        yield* passMinutes(world, 60)
        assert.deepInclude((yield* ledger.operator.listAttention())[0], { key: "a", kind: "DecisionContradicted" })
      })
    )
  )

  it.effect("is not acknowledged; what the list held before is, and what is of another amount", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* paid
        const { id: older } = yield* refundedByHand(id, 500)
        yield* beginNow(world)
        yield* lostRefund(world, id)
        yield* pass("11 minutes")
        const { id: other } = yield* refundedByHand(id, 700)
        const [, own] = yield* Effect.orDie(getPaymentRefunds(id))
        yield* ledger.operator.acknowledgeRefund(id, older, acknowledged)
        yield* ledger.operator.acknowledgeRefund(id, other, acknowledged)
        const failure = yield* flipped(ledger.operator.acknowledgeRefund(id, own?.id ?? 0, acknowledged))
        assert.deepInclude(failure.reason, { _tag: "InvalidArgument" })
        assert.include(failure.message, "change a")
      })
    )
  )

  it.effect("that is sent while the list is on its way is left to it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        yield* beginNow(world)
        yield* ledger.operator.adoptPayment("1", id)
        const { id: other } = yield* refundedByHand(id, 500)
        const list = world.listed.see
        // It is done, and not bound to its entry: the list that its process reads is behind.
        world.listed.see = (refunds) => refunds.slice(0, 1)
        yield* ledger.operator.acknowledgeRefund(id, other, acknowledged)
        assert.deepInclude(yield* ledger.refund("a", id, { amount: 500 }), { _tag: "Done" })
        world.listed.see = list
        const [, own] = yield* Effect.orDie(getPaymentRefunds(id))
        assert.include(
          (yield* flipped(ledger.operator.acknowledgeRefund(id, own?.id ?? 0, acknowledged))).message,
          "change a"
        )
        yield* passMinutes(world, 30)
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        // It is bound now, and no one else's.
        const bound = yield* flipped(ledger.operator.acknowledgeRefund(id, own?.id ?? 0, acknowledged))
        assert.include(bound.message, "is the refund of the change a")
      })
    )
  )
})

describe("the details of old rows", () => {
  it.effect("are erased, and what was acknowledged or resolved still stops nothing", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* ordered(world)
        const { id: refundId } = yield* refundedByHand(id, 700)
        yield* ledger.operator.acknowledgeRefund(id, refundId, acknowledged)
        const byHand = yield* refundedByHand(id, 500)
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        const [item] = yield* ledger.operator.listAttention()
        const decision = { version: item?.version ?? 0, by: "Jana", note: "made by hand" }
        yield* ledger.operator.resolveChange("a", { ...decision, as: "byHand", refundId: byHand.id })
        yield* pass("100 days")
        yield* ledger.runOnce()
        assert.isAtLeast(yield* ledger.operator.eraseDetails({ olderThan: "99 days" }), 2)
        assert.deepInclude((yield* ledger.operator.listAcknowledgedRefunds(id))[0], {
          refundId,
          acknowledgedBy: "",
          note: ""
        })
        assert.deepInclude(yield* ledger.refund("b", id, { amount: 300 }), { _tag: "Done" })
        assert.deepStrictEqual(yield* refunded(id), [700, 500, 300])
      })
    )
  )

  it.effect("are erased with their history, whenever the process that erases them is killed", () =>
    Effect.gen(function* () {
      /** Old rows with an operator's name and note on each kind: a change, a refund, and charges. */
      const signed = (test: (world: World) => Effect.Effect<void, unknown>) =>
        inWorld((world) =>
          Effect.gen(function* () {
            const { ledger, pass } = world
            const id = yield* ordered(world)
            const { id: refundId } = yield* refundedByHand(id, 700)
            yield* ledger.refund("a", id, { amount: 500 }, later)
            yield* ledger.runOnce()
            const [item] = yield* ledger.operator.listAttention()
            const { by, note } = acknowledged
            yield* ledger.operator.resolveChange("a", { version: item?.version ?? 0, as: "cancelled", by, note })
            yield* ledger.operator.acknowledgeRefund(id, refundId, acknowledged)
            yield* ledger.operator.releaseCharges(id, acknowledged)
            yield* pass("100 days")
            yield* test(world)
          }).pipe(Effect.orDie)
        )
      const erase = { olderThan: "99 days" } as const
      const whole = { statements: 0 }
      yield* signed(({ makeProcess, store }) =>
        Effect.gen(function* () {
          const process = yield* makeProcess()
          yield* process.operator.eraseDetails(erase)
          whole.statements = process.statements()
          assert.deepStrictEqual(yield* namesIn(store), [])
        })
      )
      for (const killAt of killedStatements(whole.statements)) {
        yield* signed(({ ledger, makeProcess, store }) =>
          Effect.gen(function* () {
            const process = yield* makeProcess({ killAt })
            const erasing = yield* Effect.forkChild(Effect.ignore(process.operator.eraseDetails(erase)))
            yield* Effect.raceFirst(Fiber.await(erasing), process.killed)
            yield* Fiber.interrupt(erasing)
            yield* ledger.operator.eraseDetails(erase)
            assert.deepStrictEqual(yield* namesIn(store), [], `${killAt.when} statement ${killAt.statement}`)
          })
        )
      }
    })
  )
})

/** The rows in which the operator is named. */
const namesIn = (store: World["store"]) =>
  Effect.forEach(tableNames, (table) =>
    Effect.promise(async () => {
      const rows = await store.rows(`SELECT * FROM ${table}`)
      return rows.filter((row) => JSON.stringify(row).includes(acknowledged.by)).map((row) => [table, row])
    })
  ).pipe(Effect.map((found) => found.flat()))

describe("adoption", () => {
  it.effect("acknowledges the refunds that are listed, and shows them; a later one stops the next", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        const { id: refundId } = yield* refundedByHand(id, 500)
        yield* ledger.operator.adoptPayment("1", id)
        const [known] = yield* ledger.operator.listAcknowledgedRefunds(id)
        assert.deepInclude(known, { refundId, amount: 500, acknowledgedBy: "adoptPayment" })
        assert.deepInclude(yield* ledger.refund("a", id, { amount: 500 }), { _tag: "Done" })
        yield* ledger.runOnce()
        yield* refundedByHand(id, 700)
        yield* ledger.operator.adoptPayment("1", id)
        yield* ledger.refund("b", id, { amount: 500 }, later)
        yield* ledger.runOnce()
        yield* isStopped(world, "b")
      })
    )
  )

  it.effect("of a payment that a restored backup lacks acknowledges nothing from after the backup", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass, sent } = world
        const id = yield* ordered(world)
        const { id: older } = yield* refundedByHand(id, 700)
        yield* ledger.operator.acknowledgeRefund(id, older, acknowledged)
        yield* pass("1 day")
        const since = new Date(yield* Clock.currentTimeMillis)
        yield* pass("1 hour")
        yield* ledger.refund("a", id, { amount: 500 })
        yield* Outsider.forgetChanges(world.store)
        yield* Outsider.forgetPayments(world.store)
        yield* Outsider.forgetAcknowledgedRefunds(world.store)
        yield* ledger.operator.distrust({ since })
        yield* ledger.operator.adoptPayment("1", id)
        assert.deepStrictEqual(
          (yield* ledger.operator.listAcknowledgedRefunds(id)).map(({ refundId }) => refundId),
          [older]
        )
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passMinutes(world, 11)
        assert.deepStrictEqual(sent, ["refund", "refund"])
        yield* isStopped(world, "a")
      })
    )
  )
})
