/**
 * What was decided is followed: the gateway may say otherwise later.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { captureAuthorization, Gateway, refundPayment } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { reportedChangesOf, withReportedChanges } from "./ReportedChanges.js"
import { held, inWorld, paid, type World } from "./World.js"

const later = { waitAtMost: 0 }

const passed = ({ pass }: World, ledger: World["ledger"], minutes: number, step = 1) =>
  Effect.gen(function* () {
    for (let minute = 0; minute < minutes; minute += step) {
      yield* pass(`${step} minutes`)
      yield* ledger.runOnce()
    }
  })

/** A view of the list in which all refunds have a state. */
const withState = (state: string) => (refunds: ReadonlyArray<unknown>) =>
  refunds.map((refund) => ({ ...Object(refund), state }))

const amountOf = (refund: unknown): unknown => (Predicate.hasProperty(refund, "amount") ? refund.amount : undefined)

describe("a refund that is done", () => {
  it.effect("and is listed as requested is followed until it is listed as done, or has failed", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { listed } = world
        const ledger = yield* withReportedChanges(world)
        const id = yield* paid
        listed.see = withState("REQUESTED")
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passed(world, ledger, 10)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        // The payment's next change does not wait for it.
        yield* ledger.refund("b", id, { amount: 700 }, later)
        yield* passed(world, ledger, 1)
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
        listed.see = (refunds) =>
          refunds.map((refund) => ({ ...Object(refund), state: amountOf(refund) === 500 ? "FAILED" : "SUCCESS" }))
        yield* passed(world, ledger, 48 * 60, 60)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Failed" })
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, answered", "Failed, not Done"])
        // No repetition under the same key undoes it.
        assert.deepInclude(yield* ledger.refund("a", id, { amount: 500 }, later), { _tag: "Failed" })
        assert.deepStrictEqual(world.sent, ["refund", "refund"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("and has failed is watched on: that it is final is not documented", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { listed } = world
        const ledger = yield* withReportedChanges(world)
        listed.see = withState("FAILED")
        yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
        yield* passed(world, ledger, 2)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Failed" })
        listed.see = withState("SUCCESS")
        yield* passed(world, ledger, 48 * 60, 60)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), [
          "Done, answered",
          "Failed, not Done",
          "Done, found, not Failed"
        ])
      })
    )
  )
})

describe("a refusal", () => {
  const refused = { type: "refusal", code: 330 } as const

  /** The refund is made, and the request that is on its way is refused. */
  const refundedAndRefused = (id: number, code: number = refused.code) =>
    Effect.map(Effect.context<Gateway | LocalGateway>(), (context) =>
      refundPayment(id, { amount: 500 }).pipe(
        Effect.andThen(LocalGateway.armFault({ type: "refusal", code }, { operation: "refundPayment" })),
        Effect.orDie,
        Effect.provide(context)
      )
    )

  // 350 to 353 and 340 can only be of other operations.
  it.effect.each([330, 110, 111, 116, 304, 360, 340, 350, 351, 352, 353])(
    "of a request that something between has sent twice is not believed: the first was taken (%i)",
    (code) =>
      inWorld((world) =>
        Effect.gen(function* () {
          const ledger = yield* withReportedChanges(world)
          const id = yield* paid
          // The first one is made just before the second is refused, and only that answer comes.
          world.hooks.push(yield* refundedAndRefused(id, code))
          yield* ledger.refund("a", id, { amount: 500 }, later)
          yield* passed(world, ledger, 2)
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done", how: "found" })
          assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, found"])
        })
      )
  )

  it.effect.each([304, 110, 340, 350, 353])("of a refund that no list shows stands after two reads (%i)", (code) =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withReportedChanges(world)
        const id = yield* paid
        yield* LocalGateway.armFault({ type: "refusal", code }, { operation: "refundPayment" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passed(world, ledger, 2)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "answered" })
        assert.deepStrictEqual(world.sent, ["refund"])
        assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
      })
    )
  )

  it.effect("of a payment that no read finds any more is an operator's after a day", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withReportedChanges(world)
        const id = yield* paid
        const unknown = { type: "refusal", code: 304 } as const
        yield* LocalGateway.armFault(unknown, { operation: "refundPayment" })
        world.hooks.push(
          Effect.orDie(LocalGateway.armFault(unknown, { operation: "getPaymentRefunds", calls: 1_000 })).pipe(
            Effect.provide(yield* Effect.context<LocalGateway>())
          )
        )
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passed(world, ledger, 25 * 60, 30)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: true })
        assert.deepInclude((yield* ledger.operator.listAttention())[0], { key: "a", kind: "InDoubt" })
      })
    )
  )

  it.effect("is corrected when the refund is listed after all", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withReportedChanges(world)
        const id = yield* paid
        world.hooks.push(yield* refundedAndRefused(id))
        // The list is behind.
        world.listed.see = () => []
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passed(world, ledger, 2)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused", how: "answered" })
        world.listed.see = (refunds) => refunds
        yield* passed(world, ledger, 3 * 60, 10)
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Refused, answered", "Done, found, not Refused"])
      })
    )
  )

  it.effect("of a refund that is listed all the same, as requested and then as failed, stands in the end", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          const ledger = yield* withReportedChanges(world)
          const id = yield* paid
          yield* ledger.refund("a", id, { amount: 1_000_000 }, later)
          yield* passed(world, ledger, 24 * 60, 30)
          assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Refused" })
          const reported = yield* reportedChangesOf(world, "a")
          assert.strictEqual(reported.at(-1)?.startsWith("Refused"), true)
          assert.isFalse(reported.some((outcome) => outcome.startsWith("Done")))
          // It stops nothing.
          yield* ledger.refund("b", id, { amount: 500 }, later)
          yield* passed(world, ledger, 2)
          assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
          assert.deepStrictEqual(yield* ledger.operator.listAttention(), [])
        }),
      { settings: { refusedRefund: "listed" } }
    )
  )

  it.effect("is no reason to look at a later refund of the same amount", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withReportedChanges(world)
        const id = yield* paid
        yield* LocalGateway.armFault(refused, { operation: "refundPayment" })
        yield* ledger.refund("a", id, { amount: 500 }, later)
        yield* passed(world, ledger, 1)
        yield* ledger.refund("b", id, { amount: 500 }, later)
        yield* passed(world, ledger, 24 * 60, 30)
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Refused, answered"])
        assert.deepStrictEqual(yield* reportedChangesOf(world, "b"), ["Done, answered"])
      })
    )
  )

  it.effect("of a capture is compared with the hold", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withReportedChanges(world)
        const id = yield* held
        yield* LocalGateway.armFault({ type: "refusal", code: 303 }, { operation: "captureAuthorization" })
        yield* ledger.capture("a", id, later)
        yield* passed(world, ledger, 2)
        assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Refused, answered"])
        yield* ledger.capture("b", id)
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done", how: "answered" })
        // It is captured: nothing is sent.
        assert.deepInclude(yield* ledger.capture("c", id), { _tag: "Done", how: "stateReached" })
        assert.deepStrictEqual(world.sent, ["capture", "capture"])
      })
    )
  )
})

describe("that a hold is captured already, as the gateway says", () => {
  const alreadySo = Effect.orDie(
    LocalGateway.armFault({ type: "refusal", code: 351 }, { operation: "captureAuthorization" })
  )

  it.effect("is compared with the hold: it may be the answer to the capture of another one", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withReportedChanges(world)
        const id = yield* held
        yield* alreadySo
        yield* ledger.capture("a", id, later)
        yield* passed(world, ledger, 10)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "InDoubt", needsOperator: false })
        // Long before the hold ends.
        yield* passed(world, ledger, 25 * 60, 30)
        assert.deepInclude((yield* ledger.operator.listAttention())[0], { key: "a", kind: "InDoubt" })
        assert.deepStrictEqual(world.sent, ["capture"])
      })
    )
  )

  it.effect("is believed at once when the hold says so, too", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { hooks, ledger } = world
        const id = yield* held
        const gateway = yield* Gateway
        // By hand, a moment before.
        hooks.push(Effect.orDie(Effect.provideService(captureAuthorization(id), Gateway, gateway)))
        assert.deepInclude(yield* ledger.capture("a", id), { _tag: "Done", how: "stateReached" })
      })
    )
  )
})

describe("a list that names a refund twice", () => {
  it.effect("is a set: what is said twice counts once", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed } = world
        const id = yield* paid
        yield* ledger.operator.adoptPayment("1", id)
        listed.see = (refunds) => [...refunds, ...refunds]
        yield* ledger.refund("a", id, { amount: 60_000 })
        yield* passed(world, ledger, 30)
        assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "partiallyRefunded", refunded: 60_000 })
      })
    )
  )

  it.effect("and says two things of it proves nothing: nothing is sent until it agrees with itself", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, listed, sent } = world
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 })
        listed.see = (refunds) => [...refunds, ...refunds.map((refund) => ({ ...Object(refund), amount: 700 }))]
        yield* ledger.refund("b", id, { amount: 700 }, later)
        yield* passed(world, ledger, 10)
        assert.deepStrictEqual(sent, ["refund"])
        listed.see = (refunds) => refunds
        yield* passed(world, ledger, 10)
        assert.deepInclude(yield* ledger.getOutcome("b"), { _tag: "Done" })
      })
    )
  )
})
