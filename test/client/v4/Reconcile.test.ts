/**
 * What `reconcile` of API v4 finds in a read, as tables: the local gateway shows only some of it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as V4 from "../../../src/client/v4/index.js"
import { gatewayV4Over, paymentId, recurrenceId } from "../../support/GatewayV4.js"
import { json, scripted } from "../../support/ScriptedTransport.js"

const sentAt = new Date(0)

const finding = (change: V4.ChangeRecordV4, read: unknown) => {
  const transport = scripted(() => json(read))
  return Effect.map(Effect.provide(V4.reconcile(change), gatewayV4Over(transport)), (found) => ({
    found,
    sent: transport.sent
  }))
}

/** Each row: what is read, and what it is found to mean. */
type Rows = ReadonlyArray<readonly [what: string, read: unknown, found: Readonly<Record<string, unknown>>]>

const check = (change: V4.ChangeRecordV4, rows: Rows): void =>
  it.effect.each([...rows])("%s", ([, read, expected]) =>
    Effect.map(finding(change, read), ({ found, sent }) => {
      assert.deepInclude({ ...found }, expected)
      assert.lengthOf(sent, 1)
      assert.strictEqual(sent[0]?.method, "GET")
    })
  )

const refund = (id: string, state: string, amount = 400) => ({ id, state, amount })

describe("a lost refund, of which one refund was listed before and one failed", () => {
  const refundsBefore = [
    { id: V4.refundIdV4("1"), amount: 400, state: "SUCCESS" },
    { id: V4.refundIdV4("2"), amount: 400, state: "FAILED" }
  ]
  const listed = [refund("1", "SUCCESS"), refund("2", "FAILED")]
  const timing = { sentAt, refundsBefore, isOnlyWriter: true }
  const change = V4.changeRecordConstructorsV4.refundPayment(paymentId, { amount: 400 }, timing)
  check(change, [
    ["is not seen where nothing is new", listed, { _tag: "NotSeenYet" }],
    ["is not one of another amount", [...listed, refund("3", "SUCCESS", 399)], { _tag: "NotSeenYet" }],
    ["is done", [...listed, refund("3", "SUCCESS")], { _tag: "Happened", id: "3", isPending: false }],
    [
      "is requested, and may still be refused",
      [...listed, refund("3", "REQUESTED")],
      {
        _tag: "Happened",
        id: "3",
        isPending: true,
        message: "It is 3, REQUESTED, and may still be refused: read it until it is SUCCESS or FAILED."
      }
    ],
    ["may have been refused", [...listed, refund("3", "FAILED")], { _tag: "CannotTell", why: "RefundFailed" }],
    ["is in a new state", [...listed, refund("3", "PAUSED")], { _tag: "CannotTell", why: "UnknownState" }],
    [
      "is one of two that look alike",
      [...listed, refund("3", "SUCCESS"), refund("4", "SUCCESS")],
      { why: "EqualAmounts" }
    ],
    [
      "is in doubt beside a stranger's of another amount",
      [...listed, refund("3", "SUCCESS"), refund("4", "SUCCESS", 1)],
      { why: "OtherWriters" }
    ],
    [
      "is in doubt where the list lacks one of before",
      [refund("2", "FAILED"), refund("3", "SUCCESS")],
      { _tag: "CannotTell", why: "RefundsMissing" }
    ],
    ["is found where only a failed one is gone", [refund("1", "SUCCESS"), refund("3", "SUCCESS")], { id: "3" }]
  ])
})

describe("a lost cancelling", () => {
  const change = V4.changeRecordConstructorsV4.cancelPayment(paymentId, { sentAt })
  const payment = (state: string) => ({ id: paymentId, state, amount: 1, currency: "CZK", order_number: "1" })
  check(change, [
    ["reached its state", payment("CANCELED"), { _tag: "StateReached", state: "CANCELED" }],
    ["is not seen yet", payment("CREATED"), { _tag: "NotSeenYet", state: "CREATED" }],
    ...["PAYMENT_METHOD_CHOSEN", "PAID", "AUTHORIZED", "PARTIALLY_REFUNDED", "REFUNDED", "TIMEOUTED"].map(
      (state) => [`is ruled out by ${state}`, payment(state), { _tag: "DidNotHappen", state }] as const
    ),
    ["is in doubt in a new state", payment("PAUSED"), { _tag: "CannotTell", why: "UnknownState" }]
  ])

  it.effect("is of some age, never of a negative one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const ageOf = (millis: number) =>
        finding(
          V4.changeRecordConstructorsV4.cancelPayment(paymentId, { sentAt: new Date(millis) }),
          payment("CREATED")
        )
      assert.deepInclude((yield* ageOf(2_000)).found, { ageMillis: 3_000 })
      // Another machine's clock may be ahead.
      assert.deepInclude((yield* ageOf(9_000)).found, { ageMillis: 0 })
    })
  )
})

const recurrence = (state: string, payment: object = {}, more: object = {}) => ({
  id: recurrenceId,
  type: "ON_DEMAND",
  state,
  payment: { amount: 1_000, currency: "CZK", order_number: "template", ...payment },
  ...more
})

describe("a lost start, with an amount and an order number of its own", () => {
  const override = { amount: 250, order_number: "first" }
  const change = V4.changeRecordConstructorsV4.startRecurrence(recurrenceId, override, { sentAt })
  check(change, [
    ["is not seen", recurrence("NEW"), { _tag: "NotSeenYet", state: "NEW" }],
    ["is ruled out", recurrence("STOPPED"), { _tag: "DidNotHappen", state: "STOPPED" }],
    ["is in a new state", recurrence("PAUSED"), { _tag: "CannotTell", why: "UnknownState" }],
    [
      "is found with its payment",
      recurrence("REQUESTED", { ...override, id: "9", state: "CREATED" }),
      { _tag: "Happened", id: "9", state: "CREATED", isPending: true }
    ],
    [
      "is not the start of someone else, with another amount",
      recurrence("REQUESTED", { ...override, amount: 1_000, id: "9", state: "CREATED" }),
      { _tag: "CannotTell", why: "OtherPayment" }
    ],
    [
      "is not the start of someone else, with another order number",
      recurrence("REQUESTED", { ...override, order_number: "template", id: "9", state: "CREATED" }),
      { _tag: "CannotTell", why: "OtherPayment" }
    ],
    [
      "has no id of a payment once the recurrence shows a later one",
      recurrence("STARTED", { ...override, id: "10", state: "PAID" }),
      { _tag: "StateReached", state: "STARTED" }
    ]
  ])
})

describe("a lost payment of a recurrence, with an order number of its own", () => {
  const timing = { sentAt, paymentBefore: paymentId }
  const change = V4.changeRecordConstructorsV4.nextPayment(recurrenceId, { amount: 250, order_number: "march" }, timing)
  const march = { amount: 250, order_number: "march", id: "9", state: "PAID" }
  check(change, [
    ["is not seen", recurrence("STARTED", { ...march, id: paymentId }), { _tag: "NotSeenYet" }],
    ["is not seen where no payment is shown", recurrence("STARTED"), { _tag: "NotSeenYet" }],
    ["is found", recurrence("STARTED", march), { _tag: "Happened", id: "9", isPending: false }],
    ["is still open", recurrence("STARTED", { ...march, state: "CREATED" }), { _tag: "Happened", isPending: true }],
    [
      "is not one with another order number",
      recurrence("STARTED", { ...march, order_number: "april" }),
      { why: "OtherPayment" }
    ],
    ["is not one of another amount", recurrence("STARTED", { ...march, amount: 1_000 }), { why: "OtherPayment" }]
  ])
})

describe("a lost payment of a recurrence that no one else charges, without an order number", () => {
  const timing = { sentAt, paymentBefore: paymentId, isOnlyWriter: true }
  const change = V4.changeRecordConstructorsV4.nextPayment(recurrenceId, {}, timing)
  check(change, [
    ["is found", recurrence("STARTED", { id: "9", state: "PAID" }), { _tag: "Happened", id: "9" }],
    [
      "is in doubt where GoPay charges by a schedule",
      recurrence("STARTED", { id: "9", state: "PAID" }, { type: "AUTO" }),
      { _tag: "CannotTell", why: "OtherWriters" }
    ],
    ...["HYBRID", undefined].map(
      (type) =>
        [
          `is in doubt where GoPay may charge, too: by a recurrence of the type ${type}`,
          recurrence("STARTED", { id: "9", state: "PAID" }, { type }),
          { _tag: "CannotTell", why: "OtherWriters" }
        ] as const
    )
  ])
})

describe("a lost payment of a recurrence that GoPay charges, too", () => {
  const scheduled = (payment: object) => recurrence("STARTED", { id: "9", state: "PAID", ...payment }, { type: "AUTO" })
  const timing = { sentAt, paymentBefore: paymentId, isOnlyWriter: true }
  check(V4.changeRecordConstructorsV4.nextPayment(recurrenceId, { amount: 1_000 }, timing), [
    ["is in doubt by its amount alone", scheduled({}), { _tag: "CannotTell", why: "OtherWriters" }]
  ])
  check(V4.changeRecordConstructorsV4.nextPayment(recurrenceId, { order_number: "extra" }, timing), [
    ["is found by an order number of its own", scheduled({ order_number: "extra" }), { _tag: "Happened", id: "9" }],
    [
      "is in doubt where GoPay's own payment, of the template's number, is the newest",
      scheduled({}),
      { _tag: "CannotTell", why: "OtherPayment" }
    ]
  ])
})

describe("a lost stop", () => {
  const change = V4.changeRecordConstructorsV4.stopRecurrence(recurrenceId, { sentAt })
  check(change, [
    ["reached its state", recurrence("STOPPED"), { _tag: "StateReached", state: "STOPPED" }],
    ["is not seen yet", recurrence("STARTED"), { _tag: "NotSeenYet", state: "STARTED" }]
  ])
})
