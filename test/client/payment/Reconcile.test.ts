import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import {
  ChangeRecord,
  type CannotTellFinding,
  type Gateway,
  type GatewayError,
  Reconciliation,
  reconcile,
  type RefundHistoryItem
} from "../../../src/index.js"
import { changes as operations, id, payment } from "../../support/OperationPrograms.js"
import { isThorough } from "../../support/Runs.js"
import { fetchFailure, gatewayOver, json, merchant, paid, refusal, scripted } from "../../support/ScriptedTransport.js"

const sentAt = new Date("2026-01-01T12:00:00Z")
const sending = { sentAt }
const minute = 60_000

const amount = 5_000
const cardId = 3003000011
const childId = 3090067006

const charge = { amount: 500, currency: "CZK", order_number: "2026-0043" }
const child = { ...charge, id: childId, parent_id: id, state: "PAID" }

/** Reads against a gateway that answers by path, a minute after the change was sent. */
const reading = (change: ChangeRecord, answers: { readonly [path: string]: unknown }) => {
  const transport = scripted(({ url }) => {
    const answer = answers[new URL(url).pathname.replace("/api/payments/", "")]
    if (answer instanceof Response) return answer
    return answer === undefined ? refusal(404, 304) : json(answer)
  })
  const program = <A, E>(found: Effect.Effect<A, E, Gateway>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(sentAt.getTime() + minute)
      const answer = yield* found
      const requests = transport.sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
      return { answer, requests }
    }).pipe(Effect.provide(gatewayOver(transport)))
  return { found: program(reconcile(change)), failed: program(Effect.flip(reconcile(change))) }
}

const withoutMessage = ({ message, ...answer }: Reconciliation) => {
  assert.isAbove(message.length, 20)
  return answer
}

const Stored = Schema.toCodecJson(Reconciliation)

/** What is found, and with which requests. It can be stored. */
const finds = (
  change: ChangeRecord,
  answers: { readonly [path: string]: unknown },
  expected: object,
  paths: ReadonlyArray<string> = Object.keys(answers)
) =>
  Effect.gen(function* () {
    const { answer, requests } = yield* reading(change, answers).found
    assert.deepStrictEqual<object>(withoutMessage(answer), expected)
    assert.deepStrictEqual(
      requests,
      paths.map((path) => `GET /api/payments/${path}`)
    )
    assert.deepStrictEqual(
      yield* Schema.decodeUnknownEffect(Stored)(yield* Schema.encodeEffect(Stored)(answer)),
      answer
    )
  })

const thePayment = `payment/${id}`
const theRefunds = `payment/${id}/refunds`

/** A list of refunds, and the payment as it is with them. */
const withRefunds = (refunds: ReadonlyArray<RefundHistoryItem>, payment: object = {}) => {
  const returned = refunds.reduce((sum, refund) => (refund.state === "SUCCESS" ? sum + refund.amount : sum), 0)
  const state = returned === 0 ? "PAID" : returned === paid.amount ? "REFUNDED" : "PARTIALLY_REFUNDED"
  return { [theRefunds]: refunds, [thePayment]: { ...paid, state, ...payment } }
}

const cannotTell = (why: CannotTellFinding["why"]) => ({ _tag: "CannotTell", why })
const stateReached = (state: string) => ({ _tag: "StateReached", state })
const didNotHappen = (state: string) => ({ _tag: "DidNotHappen", state })
const notSeenYet = (state?: string) => ({
  _tag: "NotSeenYet",
  ageMillis: minute,
  ...(state === undefined ? {} : { state })
})

describe("a refund", () => {
  const earlier: RefundHistoryItem = { id: 1, state: "SUCCESS", amount: 1_000, currency: "CZK" }
  const same: RefundHistoryItem = { ...earlier, id: 2, amount }
  const added: RefundHistoryItem = { ...same, id: 3 }

  const refund = (refundsBefore: ReadonlyArray<RefundHistoryItem> | undefined, isOnlyWriter?: boolean) =>
    ChangeRecord.refundPayment(id, { amount }, { sentAt, refundsBefore, isOnlyWriter })

  it.effect("happened when it is the one new entry of its amount, and no one else makes any", () =>
    Effect.gen(function* () {
      const happened = { _tag: "Happened", id: 3, state: "SUCCESS", isPending: false }
      yield* finds(refund([], true), withRefunds([added]), happened)
      yield* finds(refund([earlier], true), withRefunds([added, earlier]), happened)
      yield* finds(refund([same], true), withRefunds([same, added]), happened)
    })
  )

  it.effect("happened beside an earlier one that failed, which returned nothing", () => {
    const failed = { ...earlier, amount: 8_000, state: "FAILED" }
    return finds(refund([failed], true), withRefunds([failed, added]), {
      _tag: "Happened",
      id: 3,
      state: "SUCCESS",
      isPending: false
    })
  })

  it.effect("happened although it does not name its currency, or the payment has a state of tomorrow", () =>
    Effect.gen(function* () {
      const happened = { _tag: "Happened", id: 3, state: "SUCCESS", isPending: false }
      yield* finds(refund([], true), withRefunds([added], { state: "A_STATE_OF_TOMORROW" }), happened)
      const { currency, ...unnamed } = added
      yield* finds({ ...refund([], true), currency }, withRefunds([unnamed]), happened)
    })
  )

  it.effect.each(["REQUESTED", "A_STATE_OF_TOMORROW"])("that is %s happened and is pending", (state) =>
    finds(refund([earlier], true), withRefunds([earlier, { ...added, state }]), {
      _tag: "Happened",
      id: 3,
      state,
      isPending: true
    })
  )

  it.effect("says for an operator that it is done, or taken and not done yet", () =>
    Effect.gen(function* () {
      const message = (state: string) =>
        Effect.map(reading(refund([], true), withRefunds([{ ...added, state }])).found, ({ answer }) => answer.message)
      assert.strictEqual(yield* message("SUCCESS"), "It is refund 3, SUCCESS.")
      assert.strictEqual(yield* message("REQUESTED"), "It is refund 3, REQUESTED: taken, not done yet.")
    })
  )

  it.effect("that is FAILED cannot be determined", () =>
    finds(refund([], true), withRefunds([{ ...added, state: "FAILED" }]), cannotTell("RefundFailed"))
  )

  it.effect("cannot be determined without the word that no one else makes any", () =>
    Effect.gen(function* () {
      const answers = withRefunds([added])
      yield* finds(refund([]), answers, cannotTell("OtherWriters"))
      yield* finds(refund([], false), answers, cannotTell("OtherWriters"))
    })
  )

  it.effect("cannot be determined when there is another new one in spite of that word", () =>
    finds(refund([], true), withRefunds([added, { ...earlier, id: 4 }]), cannotTell("OtherWriters"))
  )

  it.effect("cannot be determined when another one has the same amount", () =>
    Effect.gen(function* () {
      const find = (before: ReadonlyArray<RefundHistoryItem>, now: ReadonlyArray<RefundHistoryItem>) =>
        finds(refund(before, true), withRefunds(now), cannotTell("EqualAmounts"))
      yield* find([], [added, same])
      yield* find([], [added, { ...same, state: "FAILED" }])
      // An earlier refund that is still open may have been sent again.
      yield* find([{ ...same, state: "REQUESTED" }], [{ ...same, state: "FAILED" }, added])
      yield* find([{ ...same, state: "REQUESTED" }], [{ ...same, state: "REQUESTED" }, added])
    })
  )

  it.effect("cannot be determined when one that was listed before is missing", () =>
    finds(refund([earlier], true), withRefunds([added]), cannotTell("RefundsMissing"))
  )

  it.effect("is found though one that had failed is not listed any more, unless that was of its amount", () =>
    Effect.gen(function* () {
      const failed: RefundHistoryItem = { ...earlier, state: "FAILED" }
      yield* finds(refund([failed], true), withRefunds([added]), {
        _tag: "Happened",
        id: 3,
        state: "SUCCESS",
        isPending: false
      })
      yield* finds(refund([{ ...same, state: "FAILED" }], true), withRefunds([added]), cannotTell("EqualAmounts"))
    })
  )

  it.effect("cannot be determined by a list that cannot be that of the payment", () =>
    Effect.gen(function* () {
      const find = (now: ReadonlyArray<RefundHistoryItem>, payment?: object, before = [earlier]) =>
        finds(refund(before, true), withRefunds(now, payment), cannotTell("Contradiction"))
      // More than was paid, in other money, of nothing.
      yield* find([earlier, added, { ...added, id: 4 }])
      yield* find([earlier, added], { currency: "EUR" })
      yield* find([earlier, { ...added, amount: 0 }])
      // Against the state of the payment.
      for (const state of [
        "PAID",
        "CREATED",
        "PAYMENT_METHOD_CHOSEN",
        "AUTHORIZED",
        "CANCELED",
        "TIMEOUTED",
        "REFUNDED"
      ]) {
        yield* find([earlier, added], { state })
      }
      yield* find([{ ...added, amount: 1 }], { state: "PAID" }, [])
      yield* find([{ ...added, amount: 1 }], { state: "CANCELED" }, [])
      yield* find([], { state: "PARTIALLY_REFUNDED" }, [])
      yield* find([{ ...added, amount: paid.amount }], { state: "PARTIALLY_REFUNDED" }, [])
      // Not the list of before, and more.
      yield* find([{ ...earlier, amount: 2_000 }, added])
      yield* find([earlier, added, { ...added, state: "FAILED" }], { amount: 20_000, state: "PARTIALLY_REFUNDED" })
    })
  )

  it.effect("is the same however often the list repeats an entry", () =>
    finds(
      refund([earlier, earlier], true),
      withRefunds([earlier, added, added, earlier], { amount: 20_000, state: "PARTIALLY_REFUNDED" }),
      { _tag: "Happened", id: added.id, state: "SUCCESS", isPending: false }
    )
  )

  it.effect("happened when it returns what a partial capture took", () =>
    finds(
      refund([], true),
      withRefunds([added], { state: "REFUNDED", preauthorization: { requested: true, state: "CAPTURED" } }),
      { _tag: "Happened", id: 3, state: "SUCCESS", isPending: false }
    )
  )

  it.effect("is not seen yet while no new one of its amount and currency is listed", () =>
    Effect.gen(function* () {
      const find = (before: ReadonlyArray<RefundHistoryItem>, now: ReadonlyArray<RefundHistoryItem>) =>
        finds(refund(before, true), withRefunds(now), notSeenYet())
      yield* find([], [])
      yield* find([same], [same])
      yield* find([same], [{ ...same, state: "FAILED" }])
      yield* find([], [earlier])
      yield* finds(refund([], true), withRefunds([], { state: "CANCELED" }), notSeenYet())
      const inEuro = { ...refund([], true), currency: "EUR" }
      yield* finds(inEuro, withRefunds([added]), notSeenYet())
    })
  )

  it.effect("cannot be determined without the list from before, whatever is listed now", () =>
    Effect.gen(function* () {
      const reads = [thePayment]
      for (const state of ["PAID", "PARTIALLY_REFUNDED"]) {
        const answers = { [theRefunds]: [added], [thePayment]: { ...paid, state } }
        yield* finds(refund(undefined), answers, cannotTell("NoRefundsBefore"), reads)
        yield* finds(refund(undefined, true), answers, cannotTell("NoRefundsBefore"), reads)
      }
    })
  )

  it.effect("of the whole sum has its goal when the payment is REFUNDED, and only then", () =>
    Effect.gen(function* () {
      const refunded = { ...paid, state: "REFUNDED", amount }
      yield* finds(refund(undefined), { [thePayment]: refunded }, stateReached("REFUNDED"))
      yield* finds(refund([]), { [theRefunds]: [added], [thePayment]: refunded }, stateReached("REFUNDED"))
      for (const other of [
        { ...refunded, state: "PARTIALLY_REFUNDED" },
        { ...refunded, amount: 2 * amount }
      ]) {
        yield* finds(refund(undefined), { [thePayment]: other }, cannotTell("NoRefundsBefore"))
      }
    })
  )

  it.effect("of the whole sum is judged by the list where the list decides", () =>
    Effect.gen(function* () {
      const refunded = { state: "REFUNDED", amount }
      yield* finds(refund([], true), withRefunds([added], refunded), {
        _tag: "Happened",
        id: 3,
        state: "SUCCESS",
        isPending: false
      })
      const before = [{ ...added, amount: 1_000 }]
      yield* finds(refund(before, true), withRefunds([added], refunded), cannotTell("Contradiction"))
    })
  )

  it.effect("is not taken for done because the response to a refund has the payment's id", () =>
    finds(refund([], true), withRefunds([{ ...added, id, amount: 1 }]), notSeenYet())
  )
})

const stateWithHold = new Map([
  ["CANCELED", "CANCELED"],
  ["AUTHORIZED", "AUTHORIZED"]
])

/** A payment as it is with its hold. */
const withHold = (state: string | undefined) => ({
  [thePayment]: {
    ...paid,
    ...(state === undefined
      ? {}
      : { state: stateWithHold.get(state) ?? "PAID", preauthorization: { requested: true, state } })
  }
})

describe.each([
  ["a full capture", ChangeRecord.captureAuthorization(id, sending)],
  ["a partial capture", ChangeRecord.captureAuthorizationPartial(id, { amount: 1_000 }, sending)]
])("%s", (_, change) => {
  it.effect("has its goal when the hold is CAPTURED", () =>
    finds(change, withHold("CAPTURED"), stateReached("CAPTURED"))
  )
  it.effect("did not happen when the hold is CANCELED", () =>
    finds(change, withHold("CANCELED"), didNotHappen("CANCELED"))
  )
  it.effect.each(["AUTHORIZED", "REQUESTED"])("is not seen yet while the hold is %s", (state) =>
    finds(change, withHold(state), notSeenYet(state))
  )
  it.effect.each([
    ["CAPTURED", "CANCELED"],
    ["CAPTURED", "TIMEOUTED"],
    ["CAPTURED", "CREATED"],
    ["CAPTURED", "PAYMENT_METHOD_CHOSEN"],
    ["CANCELED", "CREATED"],
    ["CANCELED", "PAYMENT_METHOD_CHOSEN"],
    ["CANCELED", "PAID"],
    ["CANCELED", "PARTIALLY_REFUNDED"],
    ["CANCELED", "REFUNDED"]
  ])("cannot be determined when the hold is %s and the payment %s", ([hold, state]) =>
    finds(
      change,
      { [thePayment]: { ...paid, state, preauthorization: { requested: true, state: hold } } },
      cannotTell("Contradiction")
    )
  )
  it.effect("is judged by the hold, not by the payment's state", () =>
    finds(
      change,
      { [thePayment]: { ...paid, state: "PAID", preauthorization: { requested: true, state: "AUTHORIZED" } } },
      notSeenYet("AUTHORIZED")
    )
  )
  it.effect("cannot be determined without a hold, or in a state that is not known", () =>
    Effect.all([
      finds(change, withHold(undefined), cannotTell("NoPreauthorization")),
      ...["A_STATE_OF_TOMORROW", "constructor", "__proto__"].map((state) =>
        finds(change, withHold(state), cannotTell("UnknownState"))
      )
    ])
  )
})

describe("the release of a hold", () => {
  const change = ChangeRecord.voidAuthorization(id, sending)
  it.effect("has its goal when the hold is CANCELED", () =>
    finds(change, withHold("CANCELED"), stateReached("CANCELED"))
  )
  it.effect("did not happen when the hold is CAPTURED", () =>
    finds(change, withHold("CAPTURED"), didNotHappen("CAPTURED"))
  )
  it.effect.each(["AUTHORIZED", "REQUESTED"])("is not seen yet while the hold is %s", (state) =>
    finds(change, withHold(state), notSeenYet(state))
  )
})

describe("the end of a recurrence", () => {
  const change = ChangeRecord.voidRecurrence(id, sending)
  const withRecurrence = (recurrence_state: string) => ({ [thePayment]: { ...paid, recurrence: { recurrence_state } } })
  it.effect("has its goal when it is STOPPED", () => finds(change, withRecurrence("STOPPED"), stateReached("STOPPED")))
  it.effect.each(["STARTED", "REQUESTED", "A_STATE_OF_TOMORROW"])("is not seen yet while it is %s", (state) =>
    finds(change, withRecurrence(state), notSeenYet(state))
  )
  it.effect("is not seen yet when the payment shows no recurrence", () =>
    finds(change, { [thePayment]: paid }, notSeenYet())
  )
})

describe("a charge", () => {
  const unknown = ChangeRecord.createRecurrence(id, charge, sending)
  const change = { ...unknown, childId }
  const theChild = `payment/${childId}`

  it.effect("cannot be determined without the id that its notification brings, and nothing is read", () =>
    finds(unknown, {}, cannotTell("NoChildId"))
  )
  it.effect.each([
    ["PAID", false],
    ["CANCELED", false],
    ["CREATED", true],
    ["PAYMENT_METHOD_CHOSEN", true],
    ["A_STATE_OF_TOMORROW", true]
  ] as const)("happened when that payment is the child with its order number and sum: %s", ([state, isPending]) =>
    finds(change, { [theChild]: { ...child, state } }, { _tag: "Happened", id: childId, state, isPending })
  )
  it.effect("happened when its order number comes back HTML-encoded", () =>
    finds(
      { ...change, orderNumber: "O'Neill & syn" },
      { [theChild]: { ...child, state: "PAID", order_number: "O&#39;Neill &amp; syn" } },
      { _tag: "Happened", id: childId, state: "PAID", isPending: false }
    )
  )
  it.effect("is another one when any of that differs or is missing", () =>
    Effect.forEach(
      [{ parent_id: 1 }, { parent_id: null }, { order_number: "2026-0044" }, { amount: 501 }, { currency: "EUR" }],
      (other) => finds(change, { [theChild]: { ...child, ...other } }, cannotTell("OtherPayment"))
    )
  )
  it.effect("is found by ids that are text", () =>
    finds(
      { ...change, paymentId: String(id), childId: String(childId) },
      { [theChild]: child },
      { _tag: "Happened", id: childId, state: "PAID", isPending: false }
    )
  )
})

describe("the deletion of a card", () => {
  const change = ChangeRecord.deleteCard(cardId, sending)
  const theCard = `cards/${cardId}`
  it.effect("has its goal when the card is DELETED", () =>
    finds(change, { [theCard]: { card_id: cardId, status: "DELETED" } }, stateReached("DELETED"))
  )
  it.effect("is not seen yet else, and says that it may be repeated", () =>
    Effect.gen(function* () {
      yield* finds(change, { [theCard]: { card_id: cardId } }, notSeenYet())
      const active = { [theCard]: { card_id: cardId, status: "ACTIVE" } }
      yield* finds(change, active, notSeenYet("ACTIVE"))
      const { answer } = yield* reading(change, active).found
      assert.include(answer.message, "Deleting it again is safe")
      assert.notInclude(answer.message, "Do not repeat")
    })
  )
})

it.effect("a created payment cannot be determined, and nothing is read", () =>
  finds(ChangeRecord.createPayment(payment, sending), {}, cannotTell("NotSearchable"))
)

it.effect("a request of your own cannot be determined, and nothing is read", () =>
  finds({ operation: "sendRequest", path: "/pay/out", sentAt: sentAt.toISOString() }, {}, cannotTell("CustomRequest"))
)

it.effect("a created payment may be created again, and its payer is sent to the newest address", () =>
  Effect.map(reading(ChangeRecord.createPayment(payment, sending), {}).found, ({ answer }) =>
    assert.match(answer.message, /create another one, and send the payer only to the newest address/)
  )
)

it.effect("a created payment that a stored card may have paid is not created again", () => {
  const order = { ...payment, payer: { allowed_card_token: "token" } }
  return Effect.map(reading(ChangeRecord.createPayment(order, sending), {}).found, ({ answer }) => {
    assert.match(answer.message, /a stored card may have paid this one: do not repeat it/)
    assert.notInclude(answer.message, "create another")
  })
})

describe("every other response than a card's or a new payment's", () => {
  it.effect.each([
    [ChangeRecord.createRecurrence(id, charge, sending), {}],
    [ChangeRecord.captureAuthorization(id, sending), withHold("AUTHORIZED")],
    [ChangeRecord.captureAuthorization(id, sending), withHold("CAPTURED")],
    [ChangeRecord.voidRecurrence(id, sending), { [thePayment]: paid }],
    [ChangeRecord.refundPayment(id, { amount }, { sentAt }), { [thePayment]: paid }],
    [ChangeRecord.refundPayment(id, { amount }, { sentAt, refundsBefore: [] }), withRefunds([])]
  ] as const)("that leaves doubt says not to repeat it", ([change, answers]) =>
    Effect.map(reading(change, answers).found, ({ answer }) => assert.include(answer.message, "Do not repeat it"))
  )
})

describe("the age of an attempt", () => {
  const change = ChangeRecord.voidRecurrence(id, sending)
  const aged = (now: number) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const answer = yield* reconcile(change)
      return answer._tag === "NotSeenYet" ? answer.ageMillis : assert.fail(answer._tag)
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(paid)))))

  it.effect("is the time since it was sent, and never less than nothing", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* aged(sentAt.getTime() + 90_000), 90_000)
      assert.strictEqual(yield* aged(sentAt.getTime()), 0)
      assert.strictEqual(yield* aged(sentAt.getTime() - 90_000), 0)
    })
  )
})

describe("a read that fails", () => {
  const failure = (change: ChangeRecord, answers: { readonly [path: string]: unknown }) =>
    Effect.map(reading(change, answers).failed, ({ answer }: { readonly answer: GatewayError }) => answer)

  it.effect("stays the error that it is", () =>
    Effect.gen(function* () {
      const capture = ChangeRecord.captureAuthorization(id, sending)
      const unknown = yield* failure(capture, {})
      assert.deepInclude(unknown, { operation: "getPayment" })
      assert.deepInclude(unknown.reason, { _tag: "PaymentNotFound", paymentId: id })
      const refund = ChangeRecord.refundPayment(id, { amount }, { sentAt, refundsBefore: [] })
      assert.deepInclude(yield* failure(refund, {}), { operation: "getPaymentRefunds" })
      const noCard = yield* failure(ChangeRecord.deleteCard(cardId, sending), {})
      assert.deepInclude(noCard.reason, { _tag: "CardNotFound", cardId })
      const unusable = yield* failure(capture, { [thePayment]: { id, state: "PAID" } })
      assert.strictEqual(unusable.reason._tag, "UnexpectedResponse")
      const another = yield* failure(capture, { [thePayment]: { ...paid, id: 1 } })
      assert.strictEqual(another.reason._tag, "UnexpectedResponse")
      const refused = yield* failure(capture, { [thePayment]: refusal(403, 200) })
      assert.strictEqual(refused.reason._tag, "PermissionDenied")
    })
  )

  it.effect("is tried again before", () => {
    const transport = scripted((_, index) => (index === 0 ? fetchFailure("ECONNRESET") : json(paid)))
    return Effect.gen(function* () {
      const looking = yield* Effect.forkChild(reconcile(ChangeRecord.voidRecurrence(id, sending)))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* looking.pipe(Fiber.join))._tag, "NotSeenYet")
      assert.strictEqual(transport.sent.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("the record of a change", () => {
  const refundsBefore: ReadonlyArray<RefundHistoryItem> = [
    { id: 1, state: "SUCCESS", amount, currency: "CZK", date_requested: "2026-01-01T00:00:00.000+0100" }
  ]

  /** As `OutcomeUnknown` carries it. */
  const sent = (program: Effect.Effect<unknown, GatewayError, Gateway>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(sentAt.getTime())
      const { reason } = yield* Effect.flip(program)
      return reason._tag === "OutcomeUnknown" ? reason.change : assert.fail(reason._tag)
    }).pipe(Effect.provide(gatewayOver(scripted(() => fetchFailure("ECONNRESET")))))

  const records = {
    createPayment: ChangeRecord.createPayment(payment, sending),
    refundPayment: ChangeRecord.refundPayment(id, { amount }, sending),
    createRecurrence: ChangeRecord.createRecurrence(id, charge, sending),
    voidRecurrence: ChangeRecord.voidRecurrence(id, sending),
    captureAuthorization: ChangeRecord.captureAuthorization(id, sending),
    captureAuthorizationPartial: ChangeRecord.captureAuthorizationPartial(id, { amount: 1_000 }, sending),
    voidAuthorization: ChangeRecord.voidAuthorization(id, sending),
    deleteCard: ChangeRecord.deleteCard(cardId, sending)
  } satisfies { readonly [operation in keyof typeof operations]: ChangeRecord }

  it.effect("is the same when made before the call as what the call leaves when it is lost, but for the merchant", () =>
    Effect.forEach(Object.entries(operations), ([name, program]) =>
      Effect.map(sent(program()), ({ goid, ...change }) => {
        assert.deepStrictEqual(change, Object.entries(records).find(([operation]) => operation === name)?.[1])
        assert.strictEqual(goid, 8123456781)
      })
    )
  )

  const Json = Schema.fromJsonString(ChangeRecord)
  const all = [
    ...Object.values(records),
    { ...records.refundPayment, refundsBefore, isOnlyWriter: true },
    { ...records.createRecurrence, childId, paymentId: id },
    { ...records.createPayment, usesStoredCard: true }
  ]

  it.effect.each(all)("comes back from JSON as it was: $operation", (change) =>
    Effect.gen(function* () {
      const text = yield* Schema.encodeEffect(Json)(change)
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(Json)(text), change)
      assert.deepStrictEqual(Effect.runSync(ChangeRecord.parse(text)), change)
      assert.deepStrictEqual(Effect.runSync(ChangeRecord.parse(JSON.stringify(change))), change)
      assert.deepStrictEqual(Effect.runSync(ChangeRecord.parse(JSON.parse(text))), change)
    })
  )

  it("holds nothing of the payer, but that a stored card pays", () => {
    const order = { ...payment, payer: { contact: { email: "payer@example.com" }, allowed_card_token: "token" } }
    assert.deepStrictEqual(ChangeRecord.createPayment(order, sending), {
      ...records.createPayment,
      usesStoredCard: true
    })
  })

  it("is read back without members that are not known here", () => {
    const { refundPayment } = records
    const stored = JSON.stringify({ ...refundPayment, note: "x" }).replace("{", `{"__proto__":{"isOnlyWriter":true},`)
    const change = Effect.runSync(ChangeRecord.parse(stored))
    assert.deepStrictEqual(change, refundPayment)
    assert.isUndefined(change.isOnlyWriter)
  })

  const { refundPayment } = records
  const wrong: ReadonlyArray<readonly [problem: RegExp, json: unknown]> = [
    [/the text is not JSON/, "{"],
    [/the text is not JSON/, ""],
    [/./, "null"],
    [/./, undefined],
    [/./, []],
    [/operation: must be the name of a change/, { ...refundPayment, operation: "getPayment" }],
    [/operation: must be the name of a change/, { ...refundPayment, operation: "toString" }],
    [/operation: is required/, {}],
    [/sentAt: is required/, { operation: "deleteCard", cardId }],
    [/sentAt: must be a time in UTC/, { ...refundPayment, sentAt: "yesterday" }],
    [/sentAt: must be a time in UTC/, { ...refundPayment, sentAt: "2026-13-01T12:00:00.000Z" }],
    [/sentAt: must be a time in UTC/, { ...refundPayment, sentAt: "+002026-01-01T12:00:00.000Z" }],
    [/sentAt: must be a time in UTC/, { ...refundPayment, sentAt: "2026-01-01T12:00:00.000Z (UTC)" }],
    [/amount: is required for refundPayment/, { ...refundPayment, amount: undefined }],
    [/amount: must be a number, an integer in minor units/, { ...refundPayment, amount: null }],
    [/amount: must be a number, an integer in minor units/, { ...refundPayment, amount: "5000" }],
    [/amount: must be an integer/, { ...refundPayment, amount: 0.5 }],
    [/paymentId: is required for voidRecurrence/, { ...records.voidRecurrence, paymentId: undefined }],
    [/paymentId: /, { ...refundPayment, paymentId: "../../refund" }],
    [/cardId: is required for deleteCard/, { ...records.deleteCard, cardId: undefined }],
    [/orderNumber: is required for createRecurrence/, { ...records.createRecurrence, orderNumber: undefined }],
    [/refundsBefore: /, { ...refundPayment, refundsBefore: "none" }],
    [/refundsBefore\[0\].state: is required/, { ...refundPayment, refundsBefore: [{ id: 1, amount }] }],
    [/isOnlyWriter: /, { ...refundPayment, isOnlyWriter: "true" }]
  ]

  it.each(wrong)("that is wrong is refused with %s", (problem, json) => {
    const error = Effect.runSync(Effect.flip(ChangeRecord.parse(json)))
    assert.instanceOf(error, TypeError)
    assert.match(error.message, problem)
    assert.match(error.message, /^ChangeRecord.parse: this is not the record of a change: /)
  })

  it("that is wrong is refused with every field, and none of its values", () => {
    const json = { operation: "refundPayment", paymentId: "secret 1", amount: "secret 2", sentAt: "secret 3" }
    const told = String(Effect.runSync(Effect.flip(ChangeRecord.parse(json))))
    for (const field of ["paymentId", "amount", "sentAt"]) assert.include(told, `${field}: `)
    assert.notInclude(told, "secret")
  })

  it.effect("that is wrong is refused before anything is sent", () =>
    Effect.gen(function* () {
      const unreadable: ChangeRecord = Object.defineProperty({ ...refundPayment }, "amount", {
        get: () => assert.fail("checked"),
        enumerable: true
      })
      for (const change of [{ operation: "refundPayment", sentAt: "x" }, unreadable] satisfies Array<ChangeRecord>) {
        const { answer, requests } = yield* reading(change, {}).failed
        assert.strictEqual(answer.operation, "reconcile")
        assert.deepInclude(answer.reason, { _tag: "InvalidRequest", refusedBy: "client", isRetryable: false })
        assert.match(answer.message, /^reconcile: Nothing was sent\. change/)
        assert.deepStrictEqual(requests, [])
      }
    })
  )
})

describe("a record that names a merchant", () => {
  const released = { ...paid, state: "CANCELED", preauthorization: { requested: true, state: "CANCELED" } }
  const record = ChangeRecord.voidAuthorization(id, sending)

  it.effect("is refused before any request when it is another's, with both GoIDs", () =>
    Effect.gen(function* () {
      const { answer, requests } = yield* reading({ ...record, goid: 8_222_222_222 }, { [thePayment]: released }).failed
      assert.strictEqual(answer.operation, "reconcile")
      assert(answer.reason._tag === "InvalidRequest")
      const message = `is 8222222222, and this client is that of the GoID ${merchant.goid}`
      assert.deepStrictEqual(answer.reason.errors, [{ field: "change.goid", message }])
      assert.deepStrictEqual(requests, [])
    })
  )

  it.effect("is found out when it is this client's, however its digits are written", () =>
    Effect.gen(function* () {
      for (const goid of [merchant.goid, String(merchant.goid), `0${merchant.goid}`]) {
        yield* finds({ ...record, goid }, { [thePayment]: released }, stateReached("CANCELED"))
      }
    })
  )
})

describe("whatever the list of refunds was and is,", () => {
  const entries = [1, 2].flatMap((entry) =>
    [amount, 7].flatMap((value) =>
      ["SUCCESS", "FAILED", "REQUESTED"].map((state) => ({ id: entry, state, amount: value }))
    )
  )
  const lists = [
    [],
    ...entries.map((entry) => [entry]),
    ...entries.flatMap((entry, index) =>
      // In a long check all pairs.
      entries
        .filter((other, otherIndex) => isThorough || other === entry || (index + otherIndex) % 4 === 0)
        .map((other) => [entry, other])
    )
  ]
  const befores = [undefined, ...lists.slice(0, 1 + entries.length)]

  it.effect("a refund is said to have happened only as the one new entry that no one else can have made", () => {
    let now: ReadonlyArray<RefundHistoryItem> = []
    const transport = scripted(({ url }) => (url.endsWith("/refunds") ? json(now) : json(withRefunds(now)[thePayment])))
    return Effect.gen(function* () {
      const found = new Map<string, number>()
      for (const refundsBefore of befores) {
        for (const isOnlyWriter of [true, false]) {
          for (now of lists) {
            const { _tag } = yield* reconcile({
              operation: "refundPayment",
              paymentId: id,
              amount,
              sentAt: sentAt.toISOString(),
              ...(refundsBefore === undefined ? {} : { refundsBefore }),
              isOnlyWriter
            })
            found.set(_tag, (found.get(_tag) ?? 0) + 1)
            const fresh = now.filter((entry) => !(refundsBefore ?? []).some((old) => old.id === entry.id))
            const isProven =
              refundsBefore !== undefined &&
              isOnlyWriter &&
              // Listed once, or twice and alike.
              new Set(fresh.map((entry) => JSON.stringify(entry))).size === 1 &&
              fresh[0]?.amount === amount &&
              fresh[0].state !== "FAILED"
            if (_tag === "Happened") assert.isTrue(isProven, JSON.stringify({ refundsBefore, isOnlyWriter, now }))
            assert.include(["Happened", "NotSeenYet", "CannotTell"], _tag)
            if (refundsBefore !== undefined && fresh.length === 0) assert.notStrictEqual(_tag, "Happened")
          }
        }
      }
      const enough = isThorough ? 50 : 20
      assert.isAbove(found.get("Happened") ?? 0, enough)
      assert.isAbove(found.get("NotSeenYet") ?? 0, 10 * enough)
      assert.isAbove(found.get("CannotTell") ?? 0, 10 * enough)
      assert.isTrue(transport.sent.every(({ method }) => method === "GET"))
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})
