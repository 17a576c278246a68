/**
 * What the gateway's list of refunds says beside the ledger's own rows.
 */
import { describe, expect, it } from "vitest"
import { ChangeRecord } from "../../src/client/error/ChangeRecordSchema.js"
import type { RefundHistoryItem } from "../../src/contract/Messages.js"
import * as Balance from "../../src/ledger/change/Balance.js"
import type { ChangeRow } from "../../src/ledger/store/ChangeRow.js"
import { changeRow } from "./LedgerRows.js"

const minute = 60_000

const item = (id: number, more: Partial<RefundHistoryItem> = {}): RefundHistoryItem => ({
  id,
  amount: 500,
  state: "SUCCESS",
  date_requested: new Date(0).toISOString(),
  ...more
})

const undated = (id: number): RefundHistoryItem => ({ id, amount: 500, state: "SUCCESS" })

const at = (milliseconds: number) => ({ date_requested: new Date(milliseconds).toISOString() })

const listedBefore = (...refundsBefore: ReadonlyArray<RefundHistoryItem>) =>
  ChangeRecord.refundPayment("10", { amount: 500 }, { sentAt: new Date(0), refundsBefore })

const refund = (key: string, more: Partial<ChangeRow> = {}): ChangeRow =>
  changeRow({ key, amount: 500, sent_at: 0, clock_offset: 0, record: listedBefore(), ...more })

const done = (key: string, entry: string | null, more: Partial<ChangeRow> = {}) =>
  refund(key, { status: "done", entry, ...more })

const byOperator = { outcome: "refused", how: "operator", message: "None is there." } as const
const decidedAsNotMade = (more: Partial<ChangeRow> = {}) =>
  refund("decided", { status: "refused", decision: byOperator, ...more })

const idsOf = (items: ReadonlyArray<RefundHistoryItem>) => items.map(({ id }) => id)

describe("the balance before a refund", () => {
  const row = refund("next", { status: "queued", sent_at: null, record: null })

  it("is even where each refund that is done is listed, and nothing else", () => {
    expect(Balance.balanceOf(row, [item(1), item(2)], [row, done("a", "1"), done("b", "2")])).toEqual({
      missing: [],
      unknown: []
    })
  })

  it("lacks a refund that is done and not listed, whoever made another one", () => {
    const { missing, unknown } = Balance.balanceOf(row, [item(3)], [row, done("a", "1")])
    expect([missing, idsOf(unknown)]).toEqual([["1"], [3]])
  })

  it.each(["refused", "failed"] as const)("is even without a refund that is %s: it has returned nothing", (status) => {
    expect(Balance.balanceOf(row, [], [row, refund("a", { status, entry: "1" })]).missing).toEqual([])
  })

  it("leaves out what failed, which has returned nothing, and its own entry of before", () => {
    const failed = [item(3, { state: "FAILED" }), item(4, { state: "REQUESTED" })]
    expect(idsOf(Balance.balanceOf(row, failed, [row]).unknown)).toEqual([4])
    const own = { ...row, entry: "1" }
    expect(Balance.balanceOf(own, [], [own]).missing).toEqual([])
  })
})

describe("a listed refund of no row", () => {
  const provenance = { acknowledged: new Set<string>(), isOwned: true, oldBefore: undefined }
  const strange = (
    items: ReadonlyArray<RefundHistoryItem>,
    refunds: ReadonlyArray<ChangeRow> = [],
    more: Partial<Parameters<typeof Balance.strangeOf>[2]> = {}
  ) => idsOf(Balance.strangeOf(items, refunds, { ...provenance, ...more }))

  it("is strange on the ledger's own payment, whatever its age, until it is acknowledged by its id", () => {
    expect(strange([item(1), item(2)], [], { oldBefore: minute })).toEqual([1, 2])
    expect(strange([item(1), item(2)], [], { acknowledged: new Set(["2"]) })).toEqual([1])
  })

  it("is strange on another payment unless it is older than the ledger; one without a date may be younger", () => {
    const other = { isOwned: false, oldBefore: minute }
    expect(strange([item(1, at(minute - 1)), item(2, at(minute)), undated(3)], [], other)).toEqual([2, 3])
    expect(strange([item(1)], [], { isOwned: false })).toEqual([1])
  })

  it("is explained by a refund that an operator took for done: one each, of its amount, not listed before it was sent", () => {
    const taken = done("taken", null)
    expect(strange([item(1), item(2)], [taken])).toEqual([2])
    expect(strange([item(1, { amount: 501 })], [taken])).toEqual([1])
    expect(strange([item(1)], [done("taken", null, { record: listedBefore(item(1)) })])).toEqual([1])
    expect(strange([item(1)], [done("bound", "9")])).toEqual([1])
    expect(strange([item(1)], [refund("unknown", { status: "unknown" })])).toEqual([1])
  })

  it("is strange, however old, where an operator has decided that a refund of its amount was not made", () => {
    const old = { isOwned: false, oldBefore: minute }
    expect(strange([item(1)], [decidedAsNotMade()], old)).toEqual([1])
    expect(strange([item(1, { amount: 501 })], [decidedAsNotMade()], old)).toEqual([])
  })
})

describe("what is refunded at least", () => {
  it("is nothing to add once the payment was read after each refund was decided and bound", () => {
    expect(Balance.refundedAtLeast([done("a", "1", { decided_at: 5 })], 6)).toBe(0)
    expect(Balance.refundedAtLeast([refund("b", { status: "unknown" })], 0)).toBe(0)
  })

  it("is the sum of all that are done where one was decided since, or its entry is still searched for", () => {
    const earlier = done("a", "1", { decided_at: 5, amount: 300 })
    expect(Balance.refundedAtLeast([earlier, done("b", "2", { decided_at: 6 })], 6)).toBe(800)
    expect(Balance.refundedAtLeast([earlier, done("b", null, { decided_at: 1, holds: "1 10" })], 6)).toBe(800)
    expect(Balance.refundedAtLeast([earlier, done("b", null, { decided_at: 1 })], 6)).toBe(0)
    const others = [refund("c", { status: "refused" }), done("old", "3", { amount: null, decided_at: 6 })]
    expect(Balance.refundedAtLeast([earlier, ...others], 6)).toBe(300)
  })
})

describe("the entry of a refund", () => {
  it("is among those that were not listed before, and belong to no other refund and to no one by acknowledgement", () => {
    const row = refund("own", { status: "unknown", record: listedBefore(item(1)) })
    const list = [item(1), item(2), item(3), item(4)]
    expect(idsOf(Balance.newEntries(row, list, [row, done("a", "2")], new Set(["3"])))).toEqual([4])
    expect(idsOf(Balance.newEntries({ ...row, record: null }, [item(1)], [row], new Set()))).toEqual([1])
  })

  it("has its amount, and was not listed before it was sent", () => {
    const row = refund("own", { record: listedBefore(item(1)) })
    expect([item(1), item(2), item(3, { amount: 501 })].map((one) => Balance.fits(row, one))).toEqual([
      false,
      true,
      false
    ])
  })

  it.each<readonly [string, ChangeRow, RefundHistoryItem, boolean]>([
    ["of its amount", decidedAsNotMade(), item(1), true],
    ["of another amount", decidedAsNotMade(), item(1, { amount: 1 }), false],
    ["that failed", decidedAsNotMade(), item(1, { state: "FAILED" }), false],
    ["of a refund whose record is erased", decidedAsNotMade({ record: null }), item(1), false],
    [
      "of a refund that the gateway refused",
      decidedAsNotMade({ decision: { ...byOperator, how: "answered" } }),
      item(1),
      false
    ],
    ["of a refund that an operator took for done", decidedAsNotMade({ status: "done" }), item(1), false]
  ])("%s contradicts an operator who said that it was not made: %#", (_, row, entry, does) => {
    expect(Balance.contradicts(row, entry)).toBe(does)
  })
})

describe("the claim on an entry", () => {
  it("is that of the refund that it is bound to, before that of one that is searched for", () => {
    const searched = refund("searched", { status: "unknown" })
    expect(Balance.claimOn(item(1), [searched, done("owner", "1")])).toEqual({ key: "owner", isBound: true })
    expect(Balance.claimOn(item(2), [searched, done("owner", "1")])).toEqual({ key: "searched", isBound: false })
  })

  it.each<readonly [string, ChangeRow, boolean]>([
    ["in doubt", refund("a", { status: "unknown" }), true],
    ["done, and holding its payment until its entry is known", done("a", null, { holds: "1 10" }), true],
    ["done, and taken for done by an operator", done("a", null), false],
    ["not sent", refund("a", { status: "queued", sent_at: null }), false],
    ["bound to another entry", refund("a", { status: "accepted", entry: "9" }), false],
    ["refused, though it holds its payment", refund("a", { status: "refused", holds: "1 10" }), false],
    ["of another amount", refund("a", { status: "unknown", amount: 1 }), false]
  ])("of a refund that is %s", (_, row, has) => {
    expect(Balance.claimOn(item(1), [row]) !== undefined).toBe(has)
  })
})

describe("an entry that is acknowledged when its payment is adopted", () => {
  const foreign = (row: ChangeRow, entry = item(1)) => idsOf(Balance.foreignRefunds([entry], [row]))

  it("is none that a refund of the ledger has, may have, or may have had after all", () => {
    expect(foreign(done("a", "1"))).toEqual([])
    expect(foreign(refund("a", { status: "unknown" }))).toEqual([])
    expect(foreign(decidedAsNotMade({ sent_at: null }))).toEqual([])
    expect(foreign(refund("a", { status: "refused" }))).toEqual([])
    expect(foreign(refund("a", { status: "refused", clock_offset: null }))).toEqual([])
  })

  it("is any other: of another amount, dated elsewhere, or of a refund that was never sent", () => {
    const refused = refund("a", { status: "refused" })
    expect(foreign(refused, item(1, { amount: 501 }))).toEqual([1])
    expect(foreign(refused, item(1, at(3 * minute)))).toEqual([1])
    expect(foreign({ ...refused, sent_at: null })).toEqual([1])
    expect(foreign(done("a", "2"))).toEqual([1])
  })
})

describe("the date of an entry", () => {
  it.each<readonly [string, Partial<ChangeRow>, number | undefined, boolean | undefined]>([
    ["two minutes after the send", { sent_at: 10 * minute }, 12 * minute, true],
    ["two minutes before it", { sent_at: 10 * minute }, 8 * minute, true],
    ["longer after it", { sent_at: 10 * minute }, 12 * minute + 1, false],
    ["by a gateway whose clock is ahead", { sent_at: 10 * minute, clock_offset: 60 * minute }, 70 * minute, true],
    ["by the database's clock, where the gateway's is ahead", { clock_offset: 60 * minute }, 0, false],
    ["of a gateway that does not say its time", { clock_offset: null }, 0, undefined],
    ["of a refund that was not sent", { sent_at: null }, 0, undefined],
    ["that the list does not have", {}, undefined, undefined]
  ])("%s", (_, row, requested, isOf) => {
    const entry = requested === undefined ? undated(1) : item(1, at(requested))
    expect(Balance.isOfSend(refund("a", row), entry)).toBe(isOf)
  })

  it.each<readonly [string, Partial<ChangeRow>, number | undefined, number | undefined, boolean]>([
    ["after the backup, of a refund sent before it", { sent_at: 9 }, 10, 10, true],
    ["before the backup", { sent_at: 9 }, 9, 10, false],
    ["of a refund sent since the backup", { sent_at: 10 }, 10, 10, false],
    ["by a gateway whose clock is ahead", { sent_at: 9, clock_offset: 5 }, 14, 10, false],
    ["by a gateway that does not say its time", { sent_at: 9, clock_offset: null }, 10, 10, true],
    ["where no backup was restored", { sent_at: 9 }, 10, undefined, false],
    ["of a refund that was not sent", { sent_at: null }, 10, 10, false],
    ["that the list does not have", { sent_at: 9 }, undefined, 10, false]
  ])("may be that of a change which a restored backup lacks: %s", (_, row, requested, since, may) => {
    const entry = requested === undefined ? undated(1) : item(1, at(requested))
    expect(Balance.mayBeOfLostChange(refund("a", row), entry, since)).toBe(may)
  })
})
