/**
 * Whether a payment is the requested one, what is decided from a reading of it, and what is next for its order.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import { ChangeRecord } from "../../src/client/error/ChangeRecordSchema.js"
import type { GatewayErrorReason } from "../../src/client/error/GatewayError.js"
import type { PaymentResponse, RefundHistoryItem } from "../../src/contract/Messages.js"
import { failedBy, nextOf } from "../../src/ledger/order/Orders.js"
import {
  afterFailedHandler,
  awaitsCharge,
  decideMove,
  decideRefusal,
  decideReview,
  differencesIn,
  isCompared,
  isRefusable,
  judgeReading,
  needsRefunds,
  sentenceOf
} from "../../src/ledger/order/PaymentDecision.js"
import type { OrderRow } from "../../src/ledger/store/OrderTable.js"
import type { PaymentPatch, PaymentRow } from "../../src/ledger/store/PaymentTable.js"
import type { AttentionKind } from "../../src/ledger/model/Attention.js"
import { itemsOf, kindsAfter, paymentRow } from "./LedgerRows.js"

const row = { order_number: "A&B", terms: { amount: 1_000, currency: "CZK" } }
const expected = ["08123456789", [300]] as const
const same = { amount: 1_000, currency: "CZK", order_number: "A&B", target: { type: "ACCOUNT", goid: 8_123_456_789 } }

const fieldsOf = (shown: Parameters<typeof differencesIn>[1]) =>
  differencesIn(row, shown, ...expected).map(({ field }) => field)

describe("A payment", () => {
  it.each([
    ["as it was asked for", same],
    ["of which the gateway shows nothing", {}],
    ["whose order number is encoded", { ...same, order_number: "A&amp;B" }],
    ["of the amount that was captured", { ...same, amount: 300 }]
  ])("%s is the one", (_, shown) => {
    expect(fieldsOf(shown)).toEqual([])
  })

  it.each([
    ["amount", { ...same, amount: 1 }],
    ["currency", { ...same, currency: "EUR" }],
    ["order_number", { ...same, order_number: "A" }],
    ["order_number", { ...same, order_number: "A&amp;amp;B" }],
    ["goid", { ...same, target: { type: "ACCOUNT", goid: 8_123_456_780 } }]
  ] as const)("of another %s is another one", (field, shown) => {
    expect(fieldsOf(shown)).toEqual([field])
  })

  it("of an order number that is not known is the one", () => {
    expect(differencesIn({ ...row, order_number: "" }, same, ...expected)).toEqual([])
  })

  it("differs in words that name each field", () => {
    const differences = differencesIn(row, { ...same, amount: 1, currency: "EUR" }, ...expected)
    expect(sentenceOf(differences)).toBe(
      "The gateway shows another payment than was requested: amount 1 in place of 1000, currency EUR in place of CZK."
    )
  })
})

// ---- What a reading of it means

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A row of a payment that was created an hour ago, and is on offer. */
const created = paymentRow({
  order_number: "A1",
  attempt: "attempt",
  offered: "A1",
  terms: { amount: 1_000, currency: "CZK" },
  payment_id: "300",
  gw_url: "https://gw.example",
  created_at: 100 * day,
  checked_at: 100 * day,
  moved_at: 100 * day,
  next_at: null,
  now: 100 * day + hour
})
const held = { state: "AUTHORIZED", hold: { atMost: 2 * hour, end: "release" } } as const
const isPaid = { state: "PAID", paid_at: 100 * day }
const partly = { ...isPaid, state: "PARTIALLY_REFUNDED", refunded: 300 }
const wholly = { ...isPaid, state: "REFUNDED", refunded: 1_000 }
const monthly = { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "2099-12-31" }
const automatic = { ...isPaid, terms: { ...created.terms, recurrence: monthly } }
const started = { recurrence: { ...monthly, recurrence_state: "STARTED" } } as Partial<PaymentResponse>

/** What one read said, and when it began to be doubted. */
const doubtFor = (time: number, doubt: string) => ({ doubt, doubt_since: created.now - time })
const goesBack = "It is PAID, and the gateway said that it is CREATED."
const lags = "300 of the payment was returned, and the gateway lists 0."
const listsNone = "The gateway says REFUNDED, and lists no refund."
const anotherAmount = sentenceOf([{ field: "amount", expected: 1_000, actual: 5 }])
const resolved = (kind: AttentionKind, as: "accepted" | "refused" | "done" = "done") => ({
  decisions: [{ kind, as, by: "accounting", note: "Checked." }]
})

const refund = (id: number, amount: number, state: RefundHistoryItem["state"] = "SUCCESS"): RefundHistoryItem => ({
  id,
  amount,
  state
})

/** What is decided of a reading, as a line. */
const decided = (
  changed: Partial<PaymentRow>,
  read: PaymentResponse["state"] | (Pick<PaymentResponse, "state"> & Partial<PaymentResponse>),
  refunds: ReadonlyArray<RefundHistoryItem> = [],
  lastChargeAt?: number
): string => {
  const row = { ...created, ...changed }
  const shown = typeof read === "string" ? { state: read } : read
  const payment: PaymentResponse = { id: 300, order_number: "A1", amount: 1_000, currency: "CZK", ...shown }
  const check = { row, payment, compareFor: Duration.days(60) }
  const wordsOf = (patch: PaymentPatch) => [
    ...(typeof patch.doubt === "string" ? ["doubted"] : []),
    ...kindsAfter(row, patch),
    ...(patch.next_at === null ? ["not checked again"] : [])
  ]
  const differences = differencesIn(row, payment, "8123456789")
  if (isRefusable(check) && differences.length > 0) {
    return ["refused", ...wordsOf(decideRefusal(check, differences))].join(", ")
  }
  expect(refunds.length === 0 || needsRefunds(check)).toBe(true)
  const judgement = judgeReading(check, refunds)
  if (judgement._tag === "Doubted") return ["kept", ...wordsOf(judgement.patch)].join(", ")
  const { isChargePaid, isFirst, isLate, isNews, patch } = decideMove(check, judgement, {
    differences: isCompared(row) ? differences : [],
    captures: [],
    lastChargeAt: awaitsCharge(row, judgement.progress) ? lastChargeAt : undefined
  })
  return [
    `${judgement.progress} ${judgement.refunded}`,
    ...(isNews ? [judgement.isCorrection ? "corrected" : "told"] : []),
    ...(isFirst ? ["first"] : []),
    ...(isLate ? ["late"] : []),
    ...(isChargePaid ? ["charge"] : []),
    ...(patch.paid_at === undefined ? [] : ["paid now"]),
    ...(patch.offered === null ? ["offered no more"] : []),
    ...wordsOf(patch)
  ].join(", ")
}

describe("A reading of a payment", () => {
  it.each<[string, string, ...Parameters<typeof decided>]>([
    // As it goes
    ["that is open still is no news", "open 0", {}, "CREATED"],
    ["whose method is chosen is no news for the shop", "open 0", {}, "PAYMENT_METHOD_CHOSEN"],
    ["that is held is told", "authorized 0, told, first", { hold: held.hold }, "AUTHORIZED"],
    ["that is paid is told", "paid 0, told, first, paid now", {}, "PAID"],
    ["whose hold is captured is told", "paid 0, told, paid now", held, "PAID"],
    ["whose hold is released is told", "closed 0, told, offered no more", held, "CANCELED"],
    ["that is closed is offered no more", "closed 0, told, offered no more", {}, "TIMEOUTED"],
    [
      "that is paid after it was closed is late",
      "paid 0, told, first, late, paid now, PaidLate",
      { state: "TIMEOUTED", offered: null },
      "PAID"
    ],
    [
      "that is paid after its time is late",
      "paid 0, told, first, late, paid now, PaidLate",
      { pay_until: created.now - 1, checked_at: created.now - 1 },
      "PAID"
    ],
    [
      "that is read as paid after its time, and was not read since then, may have been paid in time",
      "paid 0, told, first, paid now",
      { pay_until: created.now - 1, checked_at: created.now - 2 },
      "PAID"
    ],
    [
      "of a payment that was never read, since it was adopted, is not late",
      "paid 0, told, first, paid now",
      { offered: null, checked_at: null },
      "PAID"
    ],
    ["of a charge that is paid ends a change", "paid 0, told, charge, paid now", { parent_id: "200" }, "PAID"],
    ["that is paid still is no news", "paid 0", isPaid, "PAID"],
    ["in a state of no list is kept", "kept", isPaid, { state: "FROZEN" as PaymentResponse["state"] }],

    // Money that is back
    ["that is refunded in part is told", "partiallyRefunded 300, told", isPaid, "PARTIALLY_REFUNDED", [refund(1, 300)]],
    [
      "that is refunded once more is told",
      "partiallyRefunded 500, told",
      partly,
      "PARTIALLY_REFUNDED",
      [refund(1, 300), refund(2, 200)]
    ],
    ["that is refunded is told", "refunded 1000, told", partly, "REFUNDED", [refund(1, 300), refund(2, 700)]],
    [
      "counts an entry that is listed twice once",
      "partiallyRefunded 300",
      partly,
      "PARTIALLY_REFUNDED",
      [refund(1, 300), refund(1, 300)]
    ],
    [
      "counts no refund that has failed",
      "partiallyRefunded 300",
      partly,
      "PARTIALLY_REFUNDED",
      [refund(1, 300), refund(2, 200, "FAILED")]
    ],
    [
      "with a list that contradicts itself is doubted",
      "kept, doubted",
      partly,
      "PARTIALLY_REFUNDED",
      [refund(1, 300), refund(1, 200)]
    ],
    ["with a list that is behind is doubted", "kept, doubted", partly, "PARTIALLY_REFUNDED", []],
    [
      "with a list that is behind is doubted for ten minutes",
      "kept, doubted",
      { ...partly, ...doubtFor(9 * minute, lags) },
      "PARTIALLY_REFUNDED",
      []
    ],
    [
      "with a list that stays behind is believed",
      "partiallyRefunded 0, corrected, doubted",
      { ...partly, ...doubtFor(10 * minute, lags) },
      "PARTIALLY_REFUNDED",
      []
    ],
    [
      "whose refund failed is believed at once",
      "partiallyRefunded 300, corrected",
      { ...partly, refunded: 500 },
      "PARTIALLY_REFUNDED",
      [refund(1, 300), refund(2, 200, "FAILED")]
    ],
    ["that goes back as its refund failed is doubted", "kept, doubted", partly, "PAID", [refund(1, 300, "FAILED")]],
    [
      "that stays back as its refund failed is believed",
      "paid 0, corrected",
      { ...partly, ...doubtFor(10 * minute, lags) },
      "PAID",
      [refund(1, 300, "FAILED")]
    ],
    ["that goes back while all refunds are listed is doubted", "kept, doubted", partly, "PAID", [refund(1, 300)]],
    ["of money that is back without a refund is doubted", "refunded 0, told, doubted", isPaid, "REFUNDED"],
    [
      "of money that stays back without a refund is an operator's",
      "refunded 0, doubted, ReturnedElsewhere",
      { ...wholly, refunded: 0, ...doubtFor(10 * minute, listsNone) },
      "REFUNDED"
    ],
    [
      "of money that is back as an operator knows is believed",
      "refunded 0",
      { ...wholly, refunded: 0, ...resolved("ReturnedElsewhere") },
      "REFUNDED"
    ],

    // What cannot be
    ["that is older than the row is kept", "kept", { state: "PAYMENT_METHOD_CHOSEN" }, "CREATED"],
    ["that was paid and is open is doubted", "kept, doubted", isPaid, "CREATED"],
    [
      "that was paid and stays open is an operator's",
      "kept, doubted, StateContradicted",
      { ...isPaid, ...doubtFor(10 * minute, goesBack) },
      "CREATED"
    ],
    [
      "that was paid and is open as an operator knows is kept",
      "kept",
      { ...isPaid, ...resolved("StateContradicted") },
      "CREATED"
    ],

    // Another payment than was asked for
    ["of another amount is not taken as paid", "refused, doubted", {}, { state: "PAID", amount: 5 }],
    [
      "that stays of another amount is an operator's",
      "refused, doubted, PaymentMismatch",
      doubtFor(10 * minute, anotherAmount),
      { state: "PAID", amount: 5 }
    ],
    [
      "of another amount that was refused is not taken",
      "refused",
      resolved("PaymentMismatch", "refused"),
      { state: "PAID", amount: 5 }
    ],
    [
      "of another amount that was accepted is taken",
      "paid 0, told, first, paid now",
      resolved("PaymentMismatch", "accepted"),
      { state: "PAID", amount: 5 }
    ],
    ["of another amount that is open is no one's", "open 0", {}, { state: "CREATED", amount: 5 }],
    ["of another amount that was paid stays so", "paid 0, doubted", isPaid, { state: "PAID", amount: 5 }],
    [
      "of another amount that was paid is an operator's",
      "paid 0, doubted, PaymentMismatch",
      { ...isPaid, ...doubtFor(10 * minute, anotherAmount) },
      { state: "PAID", amount: 5 }
    ],

    // What should have come, and what an operator has still to do
    ["whose charge is not due is no news", "paid 0", automatic, { state: "PAID", ...started }],
    [
      "whose charge has not come is an operator's",
      "paid 0, ChargeMissing",
      { ...automatic, now: 140 * day },
      { state: "PAID", ...started }
    ],
    [
      "whose charge has come is no news",
      "paid 0",
      { ...automatic, now: 140 * day },
      { state: "PAID", ...started },
      [],
      131 * day
    ],
    [
      "whose charge is missed as an operator knows is no news",
      "paid 0",
      { ...automatic, now: 140 * day, ...resolved("ChargeMissing") },
      { state: "PAID", ...started }
    ],
    [
      "leaves an operator what a check does not end",
      "paid 0, PaidTwice",
      { ...isPaid, attention: itemsOf("PaidTwice") },
      "PAID"
    ],
    [
      "takes back nothing of what another cause has begun",
      "paid 0, OnSubscriptionFailed, PaidTwice",
      { ...isPaid, attention: itemsOf("OnPaymentFailed", "OnSubscriptionFailed", "PaidTwice", "StateContradicted") },
      "PAID"
    ],
    ["takes back what a check ends", "paid 0", { ...isPaid, attention: itemsOf("CredentialsRefused") }, "PAID"],
    ["that is refunded is checked for some weeks", "refunded 1000", wholly, "REFUNDED", [refund(1, 1_000)]],
    [
      "that is refunded is checked no more after that",
      "refunded 1000, not checked again",
      { ...wholly, now: 161 * day },
      "REFUNDED",
      [refund(1, 1_000)]
    ]
  ])("%s: %s", (_, outcome, ...reading) => {
    expect(decided(...reading)).toBe(outcome)
  })
})

describe("The refunds of a payment", () => {
  it.each<[string, Partial<PaymentRow>, PaymentResponse["state"], boolean]>([
    ["are not read while none can be", isPaid, "PAID", false],
    ["are read where the gateway says that there are", isPaid, "PARTIALLY_REFUNDED", true],
    ["are read where there were some", { ...isPaid, refunded: 300 }, "PAID", true],
    ["are read where the state goes back from them", partly, "PAID", true],
    ["are not read where the state goes back to none at all", partly, "CREATED", false]
  ])("%s", (_, changed, state, areRead) => {
    const payment: PaymentResponse = { id: 300, state, amount: 1_000, currency: "CZK" }
    expect(needsRefunds({ row: { ...created, ...changed }, payment, compareFor: Duration.zero })).toBe(areRead)
  })
})

describe("The next check of a payment", () => {
  it("is no later than the end of its hold", () => {
    const row = { ...created, ...held, hold_until: created.now + minute }
    const check = {
      row,
      payment: { id: 300, state: "AUTHORIZED", amount: 1_000, currency: "CZK" },
      compareFor: Duration.zero
    } as const
    const judgement = judgeReading(check, [])
    if (judgement._tag !== "Believed") throw new Error("It is believed.")
    const { patch } = decideMove(check, judgement, { differences: [], captures: [], lastChargeAt: undefined })
    expect(patch).toMatchObject({ next_at: { after: minute }, hold_until: row.hold_until })
  })

  it("comes later after each failure of the handler, and an operator is notified of the fifth", () => {
    const failed = [0, 3, 4, 20].map((tries) => afterFailedHandler({ ...created, tries }))
    expect(failed.map((patch) => ({ ...patch, attention: kindsAfter(created, patch) }))).toMatchObject([
      { next_at: { after: 10_000 }, attention: [] },
      { next_at: { after: 80_000 }, attention: [] },
      { next_at: { after: 160_000 }, attention: ["OnPaymentFailed"] },
      { next_at: { after: hour }, attention: ["OnPaymentFailed"] }
    ])
  })
})

describe("The payments of an order", () => {
  const paid = (seq: number, more: Partial<PaymentRow> = {}) => ({
    ...created,
    ...isPaid,
    seq,
    payment_id: `30${seq}`,
    ...more
  })
  const grouped = (seq: number, total: number, more: Partial<PaymentRow> = {}) =>
    paid(seq, { order_number: `A${seq}`, group_name: "cart", group_total: total, ...more })
  const twice = { attention: itemsOf("PaidTwice") }

  it.each<[string, ReadonlyArray<PaymentRow>, ReadonlyArray<string>]>([
    ["one of which is paid are right", [paid(1), { ...created, seq: 2 }], []],
    ["two of which are paid are paid twice by the later one", [paid(1), paid(2)], ["2 PaidTwice"]],
    ["that were found to be paid twice are found once", [paid(1), paid(2, twice)], []],
    ["that are paid twice as an operator knows are left", [paid(1), paid(2, resolved("PaidTwice"))], []],
    ["one of which was returned are paid twice no more", [paid(1, { state: "REFUNDED" }), paid(2, twice)], ["2 "]],
    [
      "that are paid twice are found so beside another item",
      [paid(1), paid(2, { attention: itemsOf("OnPaymentFailed") })],
      ["2 OnPaymentFailed,PaidTwice"]
    ],
    [
      "one of which was returned keep another item",
      [paid(1, { state: "REFUNDED" }), paid(2, { attention: itemsOf("PaidTwice", "PaidLate") })],
      ["2 PaidLate"]
    ],
    ["of a group make its total", [grouped(1, 2_000), grouped(2, 2_000)], []],
    ["of a group that is paid beyond its total are too much", [grouped(1, 1_500), grouped(2, 1_500)], ["2 PaidTwice"]],
    ["of a group that was refunded are not too much", [grouped(1, 1_500, { refunded: 500 }), grouped(2, 1_500)], []]
  ])("%s", (_, rows, changes) => {
    const [first = created] = rows
    const found = decideReview(first, rows).map(({ patch, row }) => `${row.seq} ${kindsAfter(row, patch).join()}`)
    expect(found).toEqual(changes)
  })
})

describe("A creation that failed", () => {
  const more = { message: "No.", isRetryable: false } as const
  const change = ChangeRecord.refundPayment("10", { amount: 500 }, { sentAt: new Date(0), refundsBefore: [] })
  const reasons: { readonly [tag: string]: GatewayErrorReason | undefined } = {
    lost: { _tag: "OutcomeUnknown", ...more, change },
    unreadable: { _tag: "UnexpectedResponse", ...more },
    defect: undefined,
    away: { _tag: "GatewayUnavailable", ...more },
    refused: { _tag: "OperationRefused", ...more, code: 331, goalReached: false }
  }
  const allowed = { wasAllowed: true, isHeldBack: false }
  const unasked = { wasAllowed: false, isHeldBack: false }
  const heldBack = { wasAllowed: false, isHeldBack: true }

  it.each([
    ["lost", unasked, "Lost"],
    ["unreadable", allowed, "Lost"],
    ["unreadable", unasked, "NotCreated"],
    ["defect", allowed, "Lost"],
    ["defect", heldBack, "NotCreated"],
    ["away", heldBack, "HeldBack"],
    ["away", { wasAllowed: true, isHeldBack: true }, "HeldBack"],
    ["away", allowed, "NotCreated"],
    ["refused", { wasAllowed: true, isHeldBack: true }, "NotCreated"]
  ])("%s, after the pre-send checks %o, is %s", (name, checks, failed) => {
    expect(failedBy(reasons[name], checks)).toBe(failed)
  })
})

describe("What is next for an order", () => {
  const open = { offered: "1 first" }
  const creating = { status: "creating", state: null, payment_id: null, next_at: 1 } as const
  const order: OrderRow = {
    order_number: "first",
    parent_id: "",
    version: 1,
    status: "open",
    refunded: 0,
    payment_id: null,
    withdrawn_at: null
  }
  const withdrawn = { withdrawn_at: 0 }
  it.each<readonly [string, Partial<OrderRow>, ReadonlyArray<Partial<PaymentRow>>, boolean, string]>([
    ["without a payment", {}, [], false, "Create"],
    ["whose payment is offered no more", {}, [{}], false, "Create"],
    ["that is paid", { status: "paid", payment_id: "10" }, [{ state: "PAID" }], true, "Check"],
    ["whose payment is offered", {}, [open], false, "Check"],
    [
      "whose payment came and is not known",
      withdrawn,
      [{ status: "unknown", attention: itemsOf("UnknownPayment") }],
      true,
      "Answer"
    ],
    ["whose payment was not known, and is resolved", {}, [{ status: "unknown" }], false, "Create"],
    ["that is withdrawn", withdrawn, [{}], false, "Answer"],
    ["that is withdrawn before it has a payment", withdrawn, [], false, "Answer"],
    ["that is withdrawn, and asked for anew", withdrawn, [{}], true, "Create"],
    [
      "that is withdrawn, and paid",
      { ...withdrawn, status: "paid", payment_id: "10" },
      [{ state: "PAID" }],
      true,
      "Check"
    ],
    ["whose payment is being created", {}, [{ ...creating, ...open }], false, "Wait"],
    ["whose payment was being created", {}, [{ ...creating, ...open, next_at: 0 }], false, "GiveUp"],
    ["whose payment is being replaced", {}, [open, { ...creating, seq: 2 }], true, "Wait"],
    [
      "that is withdrawn while a card may be charged",
      withdrawn,
      [{ ...creating, ...open, needs_payer: 0 }],
      true,
      "Wait"
    ],
    ["whose payment may exist, and is offered", {}, [{ ...open, status: "inDoubt", payment_id: null }], false, "Check"],
    ["whose replacement may exist", {}, [open, { status: "inDoubt", payment_id: null, seq: 2 }], true, "Check"]
  ])("%s", (_, row, payments, replace, next) => {
    expect(nextOf({ order: { ...order, ...row }, payments: payments.map(paymentRow) }, replace)._tag).toBe(next)
  })
})
