/**
 * What is decided of a subscription, by its row and the first payments that it waits for.
 */
import { describe, expect, it } from "@effect/vitest"
import type { PaymentRow } from "../../src/ledger/store/PaymentTable.js"
import { judgeFirst, nextOf } from "../../src/ledger/subscription/SubscriptionSteps.js"
import type { SubscriptionRow } from "../../src/ledger/store/SubscriptionTable.js"
import { paymentRow, subscriptionRow } from "./LedgerRows.js"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = { after: 0 }
const zone = "Europe/Prague"
/** The beginning of 1970-03 in Prague. */
const march = 59 * day - hour

describe("the next step of a subscription", () => {
  const [paid, closed, open] = ["PAID", "TIMEOUTED", "CREATED"].map((state) => paymentRow({ payment_id: "20", state }))
  const waiting = { status: "waiting", payment_id: null, awaits: "first" } as const
  const cancelled = { status: "cancelled", awaits: "first" } as const

  it.each<readonly [string, Partial<SubscriptionRow>, ReadonlyArray<PaymentRow | undefined>, object]>([
    ["starts it with a payment that is paid", waiting, [open, paid], { _tag: "Start", paid: { payment_id: "20" } }],
    [
      "starts it with a payment that was returned",
      waiting,
      [paymentRow({ payment_id: "20", state: "REFUNDED" })],
      { _tag: "Start" }
    ],
    ["checks again while none is paid", waiting, [open], { patch: { tries: 1, next_at: minute } }],
    ["checks ever less often", { ...waiting, tries: 20 }, [open], { patch: { next_at: 6 * hour } }],
    ["ends a recurrence that nothing charges", { to_void: "9" }, [], { _tag: "EndRecurrence" }],
    [
      "ends the recurrence of who pays too late",
      { ...cancelled, to_void: "9" },
      [paid],
      { patch: { awaits: null, to_void: "9 20" } }
    ],
    ["is none once no one can pay", cancelled, [closed], { patch: { next_at: null } }],
    ["checks daily while someone can pay", { ...cancelled, tries: 20 }, [closed, open], { patch: { next_at: day } }]
  ])("%s", (_, row, first, next) => {
    expect(
      nextOf(
        subscriptionRow(row),
        first.flatMap((one) => one ?? []),
        null
      )
    ).toMatchObject(next)
  })
})

describe("a subscription whose card expires", () => {
  it("waits for that, and checks then what it waits for", () => {
    expect(nextOf(subscriptionRow(), [], march)).toMatchObject({ patch: { next_at: march } })
    const row = subscriptionRow({ awaits: "second", now: march - minute / 2 })
    expect(nextOf(row, [], march)).toMatchObject({ patch: { next_at: march } })
    expect(nextOf(subscriptionRow(), [], null)).toMatchObject({ patch: { next_at: null } })
  })
})

describe("a first payment that is paid", () => {
  const paid = { order_number: "second", payment_id: "20" }
  const onDemand = {
    recurrence_cycle: "ON_DEMAND",
    recurrence_date_to: "2030-01-01",
    recurrence_state: "STARTED"
  } as const
  const payment = { id: 20, state: "PAID", amount: 500, currency: "CZK", recurrence: onDemand } as const
  const payer = { payment_card: { card_expiration: "7003" } }
  const judge = (row: Partial<SubscriptionRow>, more: object = {}) =>
    judgeFirst(subscriptionRow({ awaits: "second", ...row }), paid, { ...payment, ...more }, zone)

  it.each([
    [
      "starts the subscription",
      { payment_id: null },
      "started",
      { status: "active", order_number: "second", payment_id: "20", awaits: null, to_void: null, next_at: null }
    ],
    ["takes the place of the card before", {}, "cardReplaced", { payment_id: "20", to_void: "10", next_at: now }],
    ["takes the place beside what is to be ended", { to_void: "9" }, "cardReplaced", { to_void: "9 10" }],
    ["is the same one", { payment_id: "20" }, "cardReplaced", { to_void: null, next_at: null }]
  ])("%s", (_, row, type, patch) => {
    expect(judge(row)).toMatchObject({ _tag: "Usable", type, patch })
  })

  it("has a card that expires", () => {
    expect(judge({ payment_id: null, expiry_reported: 1 }, { payer })).toMatchObject({
      patch: { card_expires: "2070-03", expiry_reported: 0, next_at: Date.parse("2070-03-01T00:00:00+01:00") }
    })
  })

  it.each([
    [
      "whose recurrence is stopped",
      { recurrence: { ...onDemand, recurrence_state: "STOPPED" } },
      "with it: its recurrence is stopped. Give"
    ],
    ["of another currency", { currency: "EUR" }, "with it: it is in EUR, and the subscription in CZK. Give"],
    ["without a recurrence", { recurrence: undefined }, "with it: it has no recurrence ON_DEMAND. Give"],
    [
      "that the gateway charges itself",
      { recurrence: { ...onDemand, recurrence_cycle: "MONTH" } },
      "no recurrence ON_DEMAND"
    ]
  ])("%s is of no use", (_, more, message) => {
    expect(judge({}, more)).toMatchObject({ _tag: "Unusable", message: expect.stringContaining(message) })
  })

  it("whose recurrence is not there yet has no message", () => {
    const requested = { recurrence: { ...onDemand, recurrence_state: "REQUESTED" } }
    expect(judge({}, requested)).toEqual({ _tag: "Unusable", message: undefined })
  })
})
