/**
 * What is decided of a change: what may be sent, what a response means, and what a list or a payment says.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import { ChangeRecord } from "../../src/client/error/ChangeRecordSchema.js"
import type { GatewayErrorReason } from "../../src/client/error/GatewayError.js"
import { GatewayError } from "../../src/client/error/YieldableGatewayError.js"
import type { PaymentResponse, RefundHistoryItem } from "../../src/contract/Messages.js"
import type { ChangeRow } from "../../src/ledger/store/ChangeRow.js"
import type { Patch } from "../../src/ledger/store/ChangeTable.js"
import { boundTo } from "../../src/ledger/change/ChargeSteps.js"
import * as Judgement from "../../src/ledger/change/ChangeJudgement.js"
import { changeRow, itemsOf, kindsAfter } from "./LedgerRows.js"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const now = { after: 0 }

const settings: Judgement.JudgeSettings = {
  escalateAfter: Duration.days(1),
  noOtherRefunders: false,
  compareFor: Duration.days(30)
}

const record = ChangeRecord.refundPayment("10", { amount: 500 }, { sentAt: new Date(0), refundsBefore: [] })
const refund = (more: Partial<ChangeRow> = {}) => changeRow({ sent_at: 0, clock_offset: 0, record, ...more })
const request = { amount: 500, currency: "CZK", order_number: "o" } as const
const charge = (more: Partial<ChangeRow> = {}) =>
  changeRow({ operation: "createRecurrence", request, sent_at: 0, ...more })

/** A row as a patch leaves it. */
const after = (row: ChangeRow, patch: Patch): object => ({ ...row, ...patch, attention: kindsAfter(row, patch) })

/** What a queued row without items comes to when it is prepared. */
const shown = (prepared: Judgement.Prepared): object =>
  prepared._tag === "Ready" ? prepared : { ...prepared, patch: after(refund(), prepared.patch) }

const entry = (id: number, more: Partial<RefundHistoryItem> = {}): RefundHistoryItem => ({
  id,
  amount: 500,
  state: "SUCCESS",
  date_requested: new Date(0).toISOString(),
  ...more
})

describe("the end of a send", () => {
  const more = { message: "No.", isRetryable: false } as const
  const refusedWith = (code: number, goalReached = false): GatewayErrorReason => ({
    _tag: "OperationRefused",
    ...more,
    code,
    goalReached
  })
  const wrong: GatewayErrorReason = { _tag: "InvalidRequest", ...more, refusedBy: "gateway", errors: [] }

  it.each<readonly [string, ChangeRow, GatewayErrorReason, boolean, object]>([
    [
      "lost is in doubt",
      refund(),
      { _tag: "OutcomeUnknown", ...more, change: record },
      true,
      { status: "unknown", next_at: { after: second } }
    ],
    ["unreadable is in doubt", refund(), { _tag: "UnexpectedResponse", ...more }, true, { status: "unknown" }],
    ["refused is compared with what is listed", refund(), refusedWith(331), true, { status: "refusing", next_at: now }],
    [
      "refused of what is so already is read at once",
      refund(),
      refusedWith(331, true),
      true,
      { status: "unknown", next_at: now }
    ],
    ["wrong that was sent is compared with what is listed", refund(), wrong, true, { status: "refusing" }],
    ["wrong that was not sent is refused", refund(), wrong, false, { status: "refused", next_at: null }]
  ])("%s", (_, row, reason, wasAllowed, patch) => {
    const ending = Judgement.endOf(row, reason, wasAllowed, false)
    expect(ending).toMatchObject({ patch })
    expect(ending.isNotSent).toBeUndefined()
  })

  it.each<readonly [string, ChangeRow, GatewayErrorReason, boolean, object]>([
    ["without a token", refund(), { _tag: "UnexpectedResponse", ...more }, false, { next_at: { after: second } }],
    [
      "that was not connected",
      refund({ tries: 3 }),
      { _tag: "GatewayUnavailable", ...more },
      true,
      { next_at: { after: 8 * second }, attention: [] }
    ],
    [
      "that was too early",
      changeRow({ operation: "captureAuthorization" }),
      { _tag: "RateLimited", ...more, retryAfterMillis: hour },
      true,
      { next_at: { after: 10 * minute } }
    ],
    [
      "with wrong credentials",
      refund(),
      { _tag: "AuthenticationFailed", ...more },
      true,
      // That is one item for all: see the breaker.
      { next_at: { after: minute }, attention: [] }
    ],
    [
      "of a capture, which is read before it is sent again, by an account that is empty",
      changeRow({ operation: "captureAuthorization", sent_at: 0 }),
      refusedWith(333),
      true,
      { next_at: { after: 10 * minute }, attention: ["AccountEmpty"] }
    ],
    [
      "for which the token came too early",
      refund(),
      { _tag: "RateLimited", ...more, retryAfterMillis: hour },
      false,
      { next_at: { after: 10 * minute } }
    ]
  ])("%s goes back to the queue", (_, row, reason, wasAllowed, patch) => {
    const ending = Judgement.endOf(row, reason, wasAllowed, false)
    expect({ ...ending, patch: after(row, ending.patch) }).toMatchObject({ isNotSent: true, patch })
    expect(ending.patch.status).toBeUndefined()
  })

  it("of a code that does not pass for this operation is a refusal like any", () => {
    for (const [row, code] of [
      [refund(), 341],
      [charge(), 303]
    ] as const) {
      const { patch } = Judgement.endOf(row, refusedWith(code), true, false)
      expect(patch).toMatchObject({ status: "refusing", decision: { code } })
      expect([patch.attention ?? null, patch.decision?.isPassing]).toEqual([null, undefined])
    }
  })

  it.each<readonly [string, ChangeRow, GatewayErrorReason, object]>([
    [
      "a refund too many",
      refund(),
      { _tag: "RateLimited", ...more, retryAfterMillis: 5_000 },
      { next_at: { after: 5_000 } }
    ],
    [
      "what waits long",
      refund(),
      { _tag: "RateLimited", ...more, retryAfterMillis: day },
      { next_at: { after: 10 * minute } }
    ],
    ["a firewall", refund(), { _tag: "PermissionDenied", ...more }, { attention: [] }],
    [
      "a firewall that refuses it again",
      refund({ tries: 1 }),
      { _tag: "PermissionDenied", ...more },
      { attention: ["CredentialsRefused"] }
    ],
    ["an empty account", refund(), refusedWith(333), { next_at: { after: second }, attention: ["AccountEmpty"] }],
    [
      "an empty account beyond a firewall that refused it before",
      refund({ attention: itemsOf("CredentialsRefused", "OnChangeFailed") }),
      refusedWith(333),
      { attention: ["OnChangeFailed", "AccountEmpty"] }
    ],
    ["a charge too many", charge(), { _tag: "RateLimited", ...more }, { next_at: now }],
    ["charges that are not enabled", charge(), refusedWith(341), { next_at: now, attention: ["ChargesDisabled"] }]
  ])("of %s may be the answer to a copy: it keeps its payment", (_, row, reason, patch) => {
    const ending = Judgement.endOf(row, reason, true, false)
    expect(ending.isNotSent).toBeUndefined()
    expect(after(row, ending.patch)).toMatchObject({ status: "refusing", decision: { isPassing: true }, ...patch })
    expect(ending.patch).not.toHaveProperty("holds")
  })

  it("is in doubt after a defect, unless nothing was sent", () => {
    const sent = Judgement.endOf(refund(), undefined, true, false)
    expect(sent).toMatchObject({ patch: { status: "unknown" } })
    expect(sent.isNotSent).toBeUndefined()
    expect(Judgement.endOf(refund(), undefined, false, false).isNotSent).toBe(true)
  })

  it("holds the payment until the refund is listed, and lets a capture go", () => {
    const finished = { id: 1, result: "FINISHED" } as const
    const ofRefund = Judgement.answeredBy(refund(), finished, 9)
    expect(ofRefund).toMatchObject({ status: "done", next_at: { after: 9 } })
    expect(ofRefund).not.toHaveProperty("holds")
    expect(Judgement.answeredBy(refund({ operation: "captureAuthorization" }), finished, 9).holds).toBeNull()
    expect(Judgement.answeredBy(refund(), { id: 1, result: "ACCEPTED" }, 9).status).toBe("accepted")
  })
})

const agreed = (agreedAt: number) => ({ outcome: "refused", how: "answered", message: "No.", agreedAt }) as const
const passing = (agreedAt?: number) => ({
  outcome: "refused" as const,
  how: "answered" as const,
  message: "No.",
  isPassing: true,
  ...(agreedAt === undefined ? undefined : { agreedAt })
})

describe("a charge", () => {
  it.each([
    ["is refused for good", { _tag: "Never", message: "M." }, { _tag: "Never", patch: { status: "refused" } }],
    ["waits for its day", { _tag: "NotYet", from: 9_000 }, { _tag: "NotNow", patch: { next_at: { after: 9_000 } } }],
    [
      "that may have been made is an operator's",
      { _tag: "MayBeCharged" },
      { _tag: "Never", patch: { attention: ["InDoubt"], holds: null } }
    ]
  ] as const)("that may not be sent %s", (_, refusal, expected) => {
    expect(shown(Judgement.refusedCharge(charge(), refusal))).toMatchObject(expected)
  })

  it.each([
    ["is not read when it is not sent yet", { status: "queued" }, { next_at: null }],
    ["is searched for", { status: "unknown" }, { tries: 1, next_at: { after: second } }],
    [
      "is an operator's after a day",
      { status: "unknown", now: day },
      { status: "needsOperator", attention: ["InDoubt"] }
    ],
    ["is refused by a second read", { status: "refusing", decision: agreed(0) }, { status: "refused" }],
    ["is not refused by the first read", { status: "refusing", now: 7 }, { tries: 1, decision: { agreedAt: 7 } }],
    [
      "and whose refusal passes waits for ten minutes",
      { status: "refusing", decision: passing(), now: 7 },
      { decision: passing(7), next_at: { after: 10 * minute } }
    ],
    [
      "and that GoPay has not enabled waits for an hour",
      { status: "refusing", decision: { ...passing(), code: 341 } },
      { next_at: { after: hour } }
    ],
    [
      "is not queued again by a read before that",
      { status: "refusing", decision: passing(7), now: 10 * minute },
      { tries: 1, next_at: { after: second } }
    ],
    [
      "is queued again after them",
      { status: "refusing", decision: passing(7), now: 7 + 10 * minute },
      { status: "queued", attempt: null, holds: null, record: null, sent_at: null, decision: null, next_at: now }
    ]
  ] as const)("of which no payment is known %s", (_, row, patch) => {
    const before = charge(row)
    const judged = Judgement.escalated(before, Judgement.judgeLostCharge(before), settings)
    expect(after(before, judged)).toMatchObject(patch)
  })

  const operators = { outcome: "refused", how: "operator", message: "" } as const
  const read = { tries: 0, next_at: now, entry: "11" }

  it.each<readonly [string, Partial<ChangeRow>, object]>([
    ["is bound, and nothing else, while it is sent", { status: "sending" }, { entry: "11" }],
    [
      "is accepted after it was in doubt",
      { status: "unknown" },
      { ...read, status: "accepted", decision: null, decided_at: null, attention: [] }
    ],
    ["is read again after it was done", { status: "done" }, read],
    ["is read again after it was refused", { status: "refused" }, read]
  ])("whose payment turns up %s", (_, row, patch) => {
    const bound = boundTo(charge(row), 11)
    const attention = bound.attention && kindsAfter(charge(row), bound)
    expect({ ...bound, ...(attention && { attention }) }).toEqual(patch)
  })

  it("that was not made, said an operator, is reported when its payment turns up", () => {
    const row = charge({ status: "refused", decision: operators })
    const patch = boundTo(row, 11)
    expect(after(row, patch)).toMatchObject({ attention: ["DecisionContradicted"], entry: "11" })
    expect(patch.next_at).toBeUndefined()
  })

  const child = (more: Partial<PaymentResponse> = {}): PaymentResponse => ({
    id: 11,
    state: "PAID",
    amount: 500,
    currency: "CZK",
    order_number: "o",
    ...more
  })

  it.each<readonly [string, Partial<ChangeRow>, PaymentResponse, object]>([
    ["that is paid is done", { status: "accepted" }, child(), { status: "done" }],
    ["that is done lets go", { status: "done", holds: "x" }, child(), { holds: null, next_at: null, attention: [] }],
    [
      "keeps what an operator sees to",
      { status: "done", attention: itemsOf("PaidTwice") },
      child(),
      { holds: null, attention: ["PaidTwice"] }
    ],
    [
      "that is closed is refused, with the reason",
      { status: "accepted" },
      child({ state: "CANCELED", sub_state: "_5007" }),
      { status: "refused", decision: { subState: "_5007" } }
    ],
    ["that is refused stays so", { status: "refused" }, child({ state: "CANCELED" }), { next_at: null }],
    [
      "that is open is waited for",
      { status: "unknown" },
      child({ state: "CREATED" }),
      { status: "accepted", tries: 1 }
    ],
    [
      "that is decided is not read on while it is open",
      { status: "refused" },
      child({ state: "CREATED" }),
      { next_at: null }
    ],
    [
      "of another amount is reported",
      { status: "accepted", entry: "11" },
      child({ amount: 1 }),
      { attention: ["StateContradicted"] }
    ]
  ])("whose payment is known, %s", (_, row, payment, patch) => {
    const before = charge(row)
    expect(after(before, Judgement.judgeCharge(before, payment))).toMatchObject(patch)
  })
})

describe("a hold", () => {
  const capture = (more: Partial<ChangeRow> = {}) =>
    changeRow({ operation: "captureAuthorization", amount: null, sent_at: 0, ...more })
  const partial = (more: Partial<ChangeRow> = {}) =>
    capture({ operation: "captureAuthorizationPartial", amount: 300, ...more })
  const message = "M."
  const reached = { _tag: "StateReached", state: "PAID", message } as const
  const released = { _tag: "DidNotHappen", state: "CANCELED", message } as const
  const notSeen = { _tag: "NotSeenYet", ageMillis: 0, message } as const
  const contradiction = { _tag: "CannotTell", why: "Contradiction", message } as const

  it.each([
    [
      "that is captured is not captured again",
      capture(),
      reached,
      { _tag: "Never", patch: { status: "done", decision: { how: "stateReached" } } }
    ],
    ["that is captured is not captured in part", partial(), reached, { _tag: "Never", patch: { status: "refused" } }],
    ["that is released is refused", capture(), released, { _tag: "Never", patch: { status: "refused" } }],
    ["that contradicts itself waits", capture(), contradiction, { _tag: "NotNow" }],
    ["that stands is sent", capture(), notSeen, { _tag: "Ready" }]
  ] as const)("before the send, %s", (_, row, found, expected) => {
    const prepared = ChangeRecord.captureAuthorization("10", { sentAt: new Date(0) })
    expect(Judgement.preparedBy(row, [], found, prepared, settings)).toMatchObject(expected)
  })

  it.each([
    ["the rest", partial(), partial({ status: "done", amount: 300 }), "refused"],
    ["all", capture(), partial({ status: "done", amount: 300 }), "refused"],
    ["a part", partial(), capture({ status: "done", amount: null }), "refused"],
    ["all", capture(), capture({ status: "done", amount: null }), "done"],
    ["all", capture(), partial({ status: "refused", amount: 300 }), "done"]
  ])("before the send, %s of one that another change has captured", (_, row, other, status) => {
    const prepared = ChangeRecord.captureAuthorization("10", { sentAt: new Date(0) })
    expect(Judgement.preparedBy(row, [other], reached, prepared, settings)).toMatchObject({
      _tag: "Never",
      patch: { status }
    })
  })

  it.each([
    [
      "that is captured is done",
      capture({ status: "unknown" }),
      reached,
      { status: "done", decision: { how: "stateReached" } }
    ],
    [
      "that was accepted is done by it",
      capture({ status: "accepted" }),
      reached,
      { status: "done", decision: { how: "found" } }
    ],
    ["captured in part is an operator's", partial({ status: "unknown" }), reached, { status: "needsOperator" }],
    ["that is not captured yet is searched for", capture({ status: "unknown" }), notSeen, { tries: 1 }],
    [
      "that is not captured in a day is an operator's",
      capture({ status: "unknown", now: day }),
      notSeen,
      { status: "needsOperator" }
    ],
    [
      "that was refused is refused by a second read",
      capture({ status: "refusing", decision: agreed(0) }),
      notSeen,
      { status: "refused" }
    ],
    ["that was refused is done when it is captured", capture({ status: "refusing" }), reached, { status: "done" }],
    [
      "that was refused is read again when it contradicts itself",
      capture({ status: "refusing", tries: 1, decision: agreed(0) }),
      contradiction,
      { tries: 2 }
    ]
  ] as const)("after the send, one %s", (_, row, found, patch) => {
    const judged = Judgement.judgeHold(row, found, settings)
    expect(after(row, Judgement.escalated(row, judged, settings))).toMatchObject({ status: row.status, ...patch })
  })
})

describe("a refund that is listed", () => {
  it.each<readonly [string, Partial<ChangeRow>, ReadonlyArray<RefundHistoryItem>, object]>([
    ["as done is done", { status: "accepted" }, [entry(7)], { status: "done", entry: "7" }],
    [
      "as done is compared once a day",
      { status: "done", decided_at: 0 },
      [entry(7)],
      { holds: null, next_at: { after: day * 0.902 } }
    ],
    [
      "as done is compared for some weeks",
      { status: "done", decided_at: 0, now: 31 * day },
      [entry(7)],
      { next_at: null }
    ],
    [
      "as failed has failed after it was done",
      { status: "done" },
      [entry(7, { state: "FAILED" })],
      { status: "failed" }
    ],
    [
      "as failed is refused after it was accepted",
      { status: "accepted" },
      [entry(7, { state: "FAILED" })],
      { status: "refused" }
    ],
    ["as requested is accepted", { status: "unknown" }, [entry(7, { state: "REQUESTED" })], { status: "accepted" }],
    [
      "as requested lets go when it was done",
      { status: "done", holds: "x" },
      [entry(7, { state: "REQUESTED" })],
      { holds: null }
    ],
    [
      "with another amount is reported",
      { status: "accepted" },
      [entry(7, { amount: 1 })],
      { attention: ["StateContradicted"] }
    ],
    ["no more is searched for", { status: "done" }, [], { tries: 1, attention: [] }],
    ["no more for long is reported", { status: "done", tries: 10 }, [], { attention: ["ListIncomplete"] }]
  ])("%s", (_, row, list, patch) => {
    const before = refund({ entry: "7", ...row })
    expect(after(before, Judgement.judgeEntry(before, list, settings))).toMatchObject(patch)
  })
})

describe("a refund whose entry is not known", () => {
  const seen = (
    entries: ReadonlyArray<RefundHistoryItem>,
    refunds: ReadonlyArray<ChangeRow> = [],
    distrustedSince?: number
  ) => ({ entries, refunds, distrustedSince })
  const operators = { outcome: "refused", how: "operator", message: "" } as const
  const later = { date_requested: new Date(hour).toISOString() }

  it.each<readonly [string, Partial<ChangeRow>, Judgement.ReadRefunds, object]>([
    ["done has the one of its amount", { status: "done" }, seen([entry(7), entry(8, { amount: 1 })]), { entry: "7" }],
    ["done waits for the list", { status: "done", holds: "x" }, seen([]), { tries: 1, attention: [] }],
    ["done waits for it a day", { status: "done", holds: "x", now: day }, seen([]), { attention: ["Unbound"] }],
    ["done has not one of another time", { status: "done" }, seen([entry(7, later)]), { tries: 1, entry: null }],
    ["done has none of two", { status: "done" }, seen([entry(7), entry(8)]), { tries: 1, attention: ["Unbound"] }],
    [
      "refused by a response was made when it is listed",
      { status: "refusing" },
      seen([entry(7)]),
      { status: "done", entry: "7" }
    ],
    [
      "refused by a response is in doubt with two",
      { status: "refusing" },
      seen([entry(7), entry(8)]),
      { status: "unknown" }
    ],
    [
      "refused by a response is in doubt by one of another time",
      { status: "refusing" },
      seen([entry(7, later)]),
      { status: "unknown" }
    ],
    [
      "refused by a response is so by a second read",
      { status: "refusing", decision: agreed(0) },
      seen([]),
      { status: "refused", next_at: { after: hour } }
    ],
    ["refused is done when it is listed", { status: "refused" }, seen([entry(7)]), { status: "done" }],
    [
      "refused leaves to another one what may be that one's",
      { status: "refused" },
      seen([entry(7)], [refund({ key: "other", status: "unknown" })]),
      { tries: 1 }
    ],
    ["refused is watched on", { status: "refused" }, seen([]), { tries: 1, next_at: { after: minute } }],
    ["refused is not watched for ever", { status: "refused", now: 61 * day }, seen([]), { next_at: null }],
    [
      "not made, said an operator, is contradicted",
      { status: "refused", decision: operators },
      seen([entry(7)]),
      { attention: ["DecisionContradicted"] }
    ],
    ["failed is not read on", { status: "failed" }, seen([entry(7)]), { next_at: null }]
  ])("%s", (_, row, read, patch) => {
    const before = refund(row)
    expect(after(before, Judgement.judgeListed(before, read, settings))).toMatchObject({ status: row.status, ...patch })
  })

  const notSeen = { _tag: "NotSeenYet", ageMillis: 0, message: "M." } as const
  const happened = { _tag: "Happened", id: 7, state: "SUCCESS", isPending: false, message: "M." } as const
  const contradiction = { _tag: "CannotTell", why: "RefundsMissing", message: "M." } as const

  it.each<
    readonly [string, Partial<ChangeRow>, Judgement.ReadRefunds, Parameters<typeof Judgement.judgeSearched>[2], object]
  >([
    [
      "is done by the one of its time",
      { status: "unknown" },
      seen([entry(7)]),
      happened,
      { status: "done", entry: "7" }
    ],
    [
      "is not recognised by its amount alone",
      { status: "unknown" },
      seen([entry(7, later)]),
      happened,
      { status: "needsOperator" }
    ],
    ["waits a day for one that was accepted", { status: "accepted" }, seen([entry(7, later)]), happened, { tries: 1 }],
    [
      "is read again while list and payment contradict each other",
      { status: "unknown" },
      seen([entry(7)]),
      contradiction,
      { tries: 1 }
    ],
    ["is searched for", { status: "unknown" }, seen([]), notSeen, { tries: 1, message: "M." }],
    ["is an operator's after a day", { status: "unknown", now: day }, seen([]), notSeen, { status: "needsOperator" }],
    ["that was accepted is waited for", { status: "accepted", now: day }, seen([]), notSeen, { tries: 1 }],
    [
      "that was accepted is refused when it failed",
      { status: "accepted" },
      seen([]),
      { ...contradiction, why: "RefundFailed" },
      { status: "refused" }
    ]
  ])("and whose response was lost %s", (_, row, read, found, patch) => {
    const before = refund(row)
    const judged = Judgement.judgeSearched(before, read, found, settings)
    expect(after(before, Judgement.escalated(before, judged, settings))).toMatchObject({ status: row.status, ...patch })
  })

  it("is recognised by its amount where no one else refunds, but for what a backup may have forgotten", () => {
    const row = refund({ status: "unknown" })
    const judge = (read: Judgement.ReadRefunds) =>
      Judgement.judgeSearched(row, read, happened, { ...settings, noOtherRefunders: true }).status
    expect(judge(seen([entry(7, later)]))).toBe("done")
    expect(judge(seen([entry(7, later)], [], second))).toBe("needsOperator")
  })
})

describe("a payment that is not found", () => {
  const notFound = new GatewayError({
    operation: "getPayment",
    reason: { _tag: "PaymentNotFound", message: "M.", isRetryable: false, paymentId: 10 }
  })

  it.each([
    ["is searched for", { status: "unknown" }, { tries: 1 }],
    ["is an operator's after a day", { status: "unknown", now: day }, { status: "needsOperator" }],
    ["of what is decided is read again", { status: "done", now: day }, { tries: 1 }]
  ] as const)("%s", (_, row, patch) => {
    const before = refund(row)
    const read = Judgement.unread(before, notFound, settings, false)
    expect(after(before, read)).toMatchObject({ status: row.status, ...patch })
  })

  it("cannot be changed", () => {
    expect(Judgement.unprepared(refund(), notFound, settings, false)).toMatchObject({
      _tag: "Never",
      patch: { status: "refused" }
    })
  })
})

describe("an incomplete list", () => {
  it("holds a refund back, and is reported after an hour", () => {
    expect(shown(Judgement.incomplete(refund(), ["7"]))).toMatchObject({ _tag: "NotNow", patch: { attention: [] } })
    expect(shown(Judgement.incomplete(refund({ now: hour + 1, tries: 20 }), ["7"]))).toMatchObject({
      patch: { attention: ["ListIncomplete"] }
    })
  })

  it("is not reported when it is seen for the first time, however long the refund has waited for others", () => {
    expect(shown(Judgement.incomplete(refund({ now: day }), ["7"]))).toMatchObject({ patch: { attention: [] } })
  })
})
