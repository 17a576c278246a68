/**
 * Whatever merchants, payers, time and faults do, and however the gateway is set, its books stay right.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PaymentResponse } from "../../../src/contract/Messages.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { faultyRequests } from "../../support/faultyRequests.js"
import { openShop, order, paymentIn } from "../../support/GatewayRequests.js"
import { isCampaign, runs } from "../../support/Runs.js"

const below = (limit: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: limit - 1 }))

/** Which of the payments so far, by its place modulo their number. */
const which = below(4)

const amount = Schema.Literals([1, 40, 99, 100, 101])
const result = Schema.Literals(["finished", "failed", "acceptedThenFinished", "acceptedThenFailed"])

const SomeSettings = Schema.Struct({
  refund: result,
  capture: result,
  voidAuthorization: result,
  recurrenceChild: Schema.Literals(["paid", "declined", "pending"]),
  amountAfterCapture: Schema.Literals(["ordered", "captured"])
})

/** Faults that differ in what becomes of the request. */
const SomeFault = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["commitLater", "truncatedBody", "rateLimited", "malformedJson"]) }),
  Schema.Struct({
    type: Schema.Literals(["connectionReset", "serverError"]),
    effect: Schema.Literals(["committed", "none"])
  })
])

/** What someone does. */
const Action = Schema.Union([
  Schema.Struct({
    do: Schema.Literal("create"),
    kind: Schema.Literals(["plain", "held", "onDemand", "daily", "both"])
  }),
  Schema.Struct({
    do: Schema.Literals(["payByCard", "payByBank", "chooseBank", "decline", "declineAttempt", "cancel", "timeOut"]),
    which
  }),
  Schema.Struct({ do: Schema.Literal("refund"), which, amount }),
  Schema.Struct({ do: Schema.Literals(["refund", "capturePart", "charge"]), which, amount }),
  Schema.Struct({ do: Schema.Literals(["captureAll", "voidAuthorization", "voidRecurrence"]), which }),
  Schema.Struct({ do: Schema.Literal("forward"), hours: Schema.Literals([0, 1, 11, 13, 25, 97, 800]) }),
  Schema.Struct({ do: Schema.Literal("set"), settings: SomeSettings }),
  Schema.Struct({ do: Schema.Literal("arm"), fault: SomeFault, calls: Schema.Literals([1, 2]) })
])
type Action = typeof Action.Type

const recurrence = (recurrence_cycle: string) => ({
  recurrence: { recurrence_cycle, recurrence_period: 1, recurrence_date_to: "1970-02-10" }
})

const orders = {
  plain: {},
  held: { preauthorization: true },
  onDemand: recurrence("ON_DEMAND"),
  daily: recurrence("DAY"),
  both: { preauthorization: true, ...recurrence("ON_DEMAND") }
}

/** Lets it happen; what is refused is refused. */
const perform = (action: Action) =>
  Effect.gen(function* () {
    // Time may have passed, and the token with it.
    const shop = yield* openShop
    const payments = yield* LocalGateway.listPayments
    const gateway = yield* LocalGateway
    if (action.do === "create")
      return yield* shop.postJson("/payments/payment", { ...order, amount: 100, ...orders[action.kind] })
    if (action.do === "forward") return yield* gateway.advanceTime(Duration.hours(action.hours))
    if (action.do === "set") return yield* gateway.changeSettings(action.settings)
    if (action.do === "arm") return yield* gateway.armFault(action.fault, { calls: action.calls })
    const { id } = payments[action.which % Math.max(1, payments.length)] ?? { id: 1 }
    switch (action.do) {
      case "payByCard":
        return yield* gateway.payByCard(id)
      case "payByBank":
        return yield* gateway.payByBankTransfer(id)
      case "chooseBank":
        return yield* gateway.choosePaymentMethod(id, "BANK_ACCOUNT")
      case "decline":
        return yield* gateway.declinePayment(id)
      case "declineAttempt":
        return yield* gateway.declineAttempt(id, "_5006")
      case "cancel":
        return yield* gateway.cancelPayment(id)
      case "timeOut":
        return yield* gateway.timeOutPayment(id)
      case "refund":
        return yield* shop.refund(id, action.amount)
      case "capturePart":
        return yield* shop.capture(id, action.amount)
      case "captureAll":
        return yield* shop.capture(id)
      case "charge":
        return yield* shop.charge(id, { amount: action.amount })
      case "voidAuthorization":
        return yield* shop.voidAuthorization(id)
      case "voidRecurrence":
        return yield* shop.voidRecurrence(id)
    }
    // What a fault leaves without a response is lost for the caller.
  }).pipe(Effect.exit)

const moves: { readonly [from: string]: ReadonlyArray<string> } = {
  "": ["CREATED"],
  CREATED: ["PAYMENT_METHOD_CHOSEN", "PAID", "AUTHORIZED", "CANCELED", "TIMEOUTED"],
  PAYMENT_METHOD_CHOSEN: ["PAYMENT_METHOD_CHOSEN", "PAID", "AUTHORIZED", "CANCELED", "TIMEOUTED"],
  AUTHORIZED: ["PAID", "CANCELED"],
  PAID: ["PARTIALLY_REFUNDED", "REFUNDED"],
  PARTIALLY_REFUNDED: ["PARTIALLY_REFUNDED", "REFUNDED"],
  // A bank transfer may come late.
  TIMEOUTED: ["PAID"]
}

interface Balance {
  readonly received: number
  readonly refunded: number
}

/** What the journal says became of each payment; fails where a step is none that a payment can make. */
const histories = Effect.gen(function* () {
  const last = new Map<number, Balance & { readonly state: string }>()
  for (const event of yield* LocalGateway.listEvents) {
    if (event.type !== "state") continue
    const before = last.get(event.paymentId)
    assert.strictEqual(event.from, before?.state)
    assert.include(moves[before?.state ?? ""] ?? [], event.to)
    assert.isAtLeast(event.refunded, before?.refunded ?? 0)
    const { received, refunded } = event
    last.set(event.paymentId, { state: event.to, received, refunded })
  }
  return last
})

const refundsOf = (shop: Effect.Success<typeof openShop>, { id }: PaymentResponse) =>
  Effect.map(shop.refunds(id), ({ body }) => {
    const refunds = Schema.decodeUnknownSync(
      Schema.Array(Schema.Struct({ state: Schema.String, amount: Schema.Number }))
    )(JSON.parse(body))
    return (...states: ReadonlyArray<string>) =>
      refunds.filter(({ state }) => states.includes(state)).reduce((sum, refund) => sum + refund.amount, 0)
  })

const checkPayment = (
  payment: PaymentResponse,
  { received, refunded }: Balance,
  refundSum: (...states: ReadonlyArray<string>) => number
) => {
  assert.isAtLeast(received - refunded, 0)
  assert.strictEqual(refundSum("SUCCESS"), refunded)
  assert.isAtMost(refundSum("SUCCESS", "REQUESTED"), received)
  const { preauthorization, recurrence: ofPayment, state } = payment
  switch (state) {
    case "PAID":
      assert.deepStrictEqual([received > 0, refunded], [true, 0])
      break
    case "PARTIALLY_REFUNDED":
      assert.isTrue(refunded > 0 && refunded < received)
      break
    case "REFUNDED":
      assert.strictEqual(refunded, received)
      break
    default:
      assert.deepStrictEqual([received, refunded], [0, 0])
  }
  if (preauthorization !== undefined) {
    assert.strictEqual(preauthorization.state === "AUTHORIZED", state === "AUTHORIZED")
    assert.strictEqual(preauthorization.state === "CAPTURED", received > 0)
  }
  if (ofPayment?.recurrence_state === "STARTED") assert.isFalse(state === "CREATED")
}

/** The balance at the end of the statement of all days. */
const closingBalance = (shop: Effect.Success<typeof openShop>) =>
  Effect.map(
    shop.postJson("/accounts/account-statement", {
      date_from: "1970-01-01",
      date_to: "2099-12-31",
      goid: LocalGateway.merchant.goid,
      currency: "CZK",
      format: "CSV_A"
    }),
    ({ body }) => Math.round(Number(/CLOSING_BALANCE,[^\d-]*(-?[\d.]+)/.exec(body)?.[1]) * 100)
  )

const checkBooks = Effect.gen(function* () {
  yield* LocalGateway.disarmFaults()
  const shop = yield* openShop
  const payments = yield* LocalGateway.listPayments
  const history = yield* histories
  assert.strictEqual(history.size, payments.length)
  const broken = (yield* LocalGateway.listRequests).filter(({ responseBody }) =>
    responseBody.includes('"error_code":100,')
  )
  assert.deepStrictEqual(broken, [])
  let balance = 0
  for (const payment of payments) {
    const known = history.get(payment.id) ?? { state: "", received: Number.NaN, refunded: Number.NaN }
    assert.strictEqual(known.state, payment.state)
    checkPayment(payment, known, yield* refundsOf(shop, payment))
    balance += known.received - known.refunded
  }
  assert.strictEqual(yield* closingBalance(shop), balance)
})

/** Two payments to begin with: one paid, one held. */
const beginning: ReadonlyArray<Action> = [
  { do: "create", kind: "plain" },
  { do: "payByCard", which: 0 },
  { do: "create", kind: "both" },
  { do: "payByCard", which: 1 }
]

/** How many requests the faults have hit, in all runs. */
let faulty = 0

describe("The books", () => {
  it.effect.prop(
    "stay right whatever is done, and when",
    { settings: SomeSettings, actions: Schema.Array(Action).check(Schema.isMaxLength(40)) },
    ({ actions, settings }) =>
      Effect.gen(function* () {
        yield* LocalGateway.changeSettings(settings)
        for (const action of [...beginning, ...actions]) yield* perform(action)
        yield* checkBooks
        faulty += (yield* faultyRequests(LocalGateway)).length
        yield* LocalGateway.advanceTime(Duration.days(60))
        yield* checkBooks
      }).pipe(Effect.provide(LocalGateway.layer)),
    { timeout: 3_600_000, arbitrary: { runs: runs / 10, size: 40, seed: "books" } }
  )

  it.runIf(isCampaign)("were kept while requests went wrong", () => {
    assert.isAbove(faulty, runs / 100)
  })

  it.effect("are seen to go wrong: the check notices an amount that no one received", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      const paid = yield* LocalGateway.payByCard(id)
      const none = () => 0
      assert.throws(() => checkPayment(paid, { received: 0, refunded: 0 }, none))
      assert.throws(() => checkPayment(paid, { received: 5, refunded: 6 }, none))
      assert.strictEqual(paymentIn(yield* shop.request("GET", `/payments/payment/${id}`)).state, "PAID")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
