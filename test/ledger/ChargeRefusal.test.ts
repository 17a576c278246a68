/**
 * The one judge of charges, by the facts that the rows have.
 */
import { describe, expect, it } from "@effect/vitest"
import type { ChargeFacts } from "../../src/ledger/change/ChargeFacts.js"
import type { OtherCharge } from "../../src/ledger/store/ChargeReads.js"
import { chargeRefusal } from "../../src/ledger/change/chargeRefusal.js"
import { changeRow } from "./LedgerRows.js"

const row = { created_at: 101, now: 150, payment_id: "10" }
const plain: ChargeFacts = { trust: undefined, dayBegins: undefined, others: [], attempt: undefined }
const restored = { at: 100, releasedAt: undefined, madeAt: undefined }
const active = { status: "active", payment_id: "10" }
const charging = { status: "charging", due_at: 50 }
const none: OtherCharge = { id: "77", isPaid: false, isKnown: false, isUnresolved: false }

/** What has become of another charge. */
const stands = {
  paid: { ...none, isPaid: true },
  adopted: { ...none, isKnown: true },
  reported: { ...none, isUnresolved: true },
  resolved: none
} as const

describe("a plain charge", () => {
  const mayBe = { _tag: "MayBeCharged", chargeId: "77" }

  it.each<readonly [string, Partial<ChargeFacts>, object | undefined]>([
    ["is sent", {}, undefined],
    ["is not sent beside one that is paid", { others: [stands.paid] }, mayBe],
    ["is not sent beside one that is adopted, and open", { others: [stands.adopted] }, mayBe],
    ["is not sent beside one that is reported", { others: [stands.reported] }, mayBe],
    ["is sent when an operator has said that it is none", { others: [stands.resolved] }, undefined],
    ["without a day waits after a restore", { trust: restored }, { _tag: "MayBeCharged", isReleasable: true }],
    [
      "that another one may be is named, whatever is released",
      { trust: { ...restored, releasedAt: 101 }, others: [stands.adopted] },
      mayBe
    ],
    ["waits for its day", { dayBegins: 151 }, { _tag: "NotYet", from: 151 }],
    ["is sent on its day", { dayBegins: 150 }, undefined]
  ])("%s", (_, facts, expected) => {
    expect(chargeRefusal(row, { ...plain, ...facts })).toEqual(expected)
  })

  it("that waited when a backup was restored is an operator's, whatever else is known", () => {
    const facts = { ...plain, trust: restored, others: [stands.paid] }
    expect(chargeRefusal({ ...row, created_at: 100 }, facts)).toEqual({ _tag: "MayBeCharged" })
  })
})

describe("an attempt for a period", () => {
  const attempt = { before: [], period: charging, subscription: active }

  it.each<readonly [string, Partial<typeof attempt>, Partial<ChargeFacts>, object | undefined]>([
    ["is sent", {}, {}, undefined],
    [
      "is not sent while its subscription is cancelling",
      { subscription: { ...active, status: "cancelling" } },
      {},
      { _tag: "Never", message: "The subscription was cancelled." }
    ],
    [
      "is not sent with a card that was replaced",
      { subscription: { ...active, payment_id: "20" } },
      {},
      { _tag: "Never", message: "Another card has taken the place of this one.", code: 342 }
    ],
    [
      "is not sent for a period that is paid",
      { period: { ...charging, status: "paid" } },
      {},
      { _tag: "Never", message: "The period is paid by an earlier charge." }
    ],
    [
      "is not sent beside a charge that has paid the period",
      {},
      { others: [stands.paid] },
      { _tag: "Never", message: "The period is paid by charge 77." }
    ],
    ["waits for a charge that is adopted, and open", {}, { others: [stands.adopted] }, { _tag: "Waits" }],
    ["waits for a charge that is reported", {}, { others: [stands.reported] }, { _tag: "Waits" }],
    ["is sent when an operator has said that the other one is none", {}, { others: [stands.resolved] }, undefined],
    ["may have been sent before a restore", {}, { trust: restored }, { _tag: "MayBeCharged" }],
    [
      "was not sent before its day, so not before the restore either",
      { period: { ...charging, due_at: 101 } },
      { trust: restored },
      undefined
    ]
  ])("%s", (_, own, facts, expected) => {
    const refusal = chargeRefusal(row, { ...plain, ...facts, attempt: { ...attempt, ...own } })
    expect({ refusal }).toMatchObject({ refusal: expected })
  })

  it("waits for the attempts before it", () => {
    const before = [changeRow({ status: "accepted" })]
    expect(chargeRefusal(row, { ...plain, attempt: { ...attempt, before } })).toMatchObject({ _tag: "Waits" })
  })

  it("is not sent without its subscription, whatever its period", () => {
    const facts = { ...plain, attempt: { before: [], period: undefined, subscription: undefined } }
    expect(chargeRefusal(row, facts)).toMatchObject({ _tag: "Never", message: "The subscription was cancelled." })
  })
})
