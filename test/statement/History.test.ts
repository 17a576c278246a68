/**
 * Histories of the local gateway, written as statements in each layout, read, and matched with the shop's books.
 */
import * as spreadsheets from "@e965/xlsx"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Movement } from "../../src/local-gateway/books/Books.js"
import { newPayment } from "../../src/local-gateway/books/Payment.js"
import { accountOf } from "../../src/local-gateway/documents/Booking.js"
import { clearingXml } from "../../src/local-gateway/documents/ClearingXml.js"
import { accountStatement } from "../../src/local-gateway/documents/StatementFile.js"
import { defaultSettings, type SettingsChange } from "../../src/local-gateway/settings/LocalGatewaySettings.plain.js"
import { day } from "../../src/local-gateway/time/PragueTime.js"
import {
  type BookedOrder,
  parseStatement,
  reconcileStatement,
  type ParsedStatement,
  StatementError
} from "../../src/statement/index.js"
import { writtenStatement } from "../support/statements/writtenStatement.js"

const goid = 8_123_456_781
const months = [
  { from: "2026-06-01", to: "2026-06-30" },
  { from: "2026-07-01", to: "2026-07-31" },
  { from: "2026-08-01", to: "2026-08-31" }
] as const
const now = Date.parse("2026-09-15T12:00:00Z")
const through = "2026-08-31"

/** Numbers that are the same for the same seed. */
const generator = (seed: number) => {
  let state = seed * 2_654_435_761 + 1
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Three months of payments and refunds, oldest first: several payments of some orders, equal amounts on one day. */
const historyOf = (seed: number): ReadonlyArray<Movement> => {
  const random = generator(seed)
  const start = Date.parse("2026-05-31T22:00:00Z")
  const payments = Array.from({ length: 5 + random(40) }, (_, index): Movement => {
    const amount = 100 * (1 + random(6)) + random(2)
    const order_number = `2026-${String(random(3) === 0 ? Math.floor(index / 2) : index).padStart(4, "0")}`
    const order = {
      amount,
      currency: "CZK" as const,
      order_number,
      target: { goid },
      callback: { return_url: "https://shop.example/" }
    }
    const payment = newPayment(3_000_000_003 + 13 * index, order, String(index), 0)
    return { at: start + random(92 * 86_400) * 1_000, type: "PAYMENT", amount, payment }
  })
  const refunds = payments.flatMap(({ amount, at, payment }): ReadonlyArray<Movement> =>
    random(4) === 0
      ? Array.from({ length: 1 + random(2) }, () => ({
          at: Math.min(at + random(10 * 86_400) * 1_000, Date.parse("2026-08-31T20:00:00Z")),
          type: "REFUND",
          amount: -Math.ceil(amount / 4),
          payment
        }))
      : []
  )
  return [...payments, ...refunds].toSorted((one, other) => one.at - other.at)
}

/** What the shop has of a history. */
const booksOf = (history: ReadonlyArray<Movement>): ReadonlyArray<BookedOrder> => {
  const orders = new Map<string, BookedOrder["payments"][number][]>()
  for (const { amount, at, payment, type } of history) {
    if (type !== "PAYMENT") continue
    const refunds = history
      .filter((other) => other.type === "REFUND" && other.payment.id === payment.id)
      .map((refund) => ({ amount: -refund.amount, requestedOn: day(refund.at) }))
    const booked = { paymentId: payment.id, amount, paidOn: day(at), refunds }
    orders.set(payment.order.order_number, [...(orders.get(payment.order.order_number) ?? []), booked])
  }
  return [...orders].map(([orderNumber, payments]) => ({ orderNumber, currency: "CZK", payments }))
}

type Format = "CSV_B" | "XLS_A" | "ABO_A"

const fileOf = (
  history: ReadonlyArray<Movement>,
  format: Format,
  month: (typeof months)[number],
  changes: SettingsChange
): Uint8Array => {
  const order = { goid, currency: "CZK", format, date_from: month.from, date_to: month.to } as const
  const settings = { ...defaultSettings, ...changes }
  return format === "CSV_B"
    ? Result.getOrThrow(accountStatement(history, order, settings, now)).bytes
    : writtenStatement(history, order, settings, now)
}

const read = (file: Uint8Array, period?: (typeof months)[number]): ParsedStatement =>
  parseStatement(file, { spreadsheets, currency: "CZK", period })

const statementsOf = (
  history: ReadonlyArray<Movement>,
  format: Format,
  changes: SettingsChange
): ReadonlyArray<ParsedStatement> => months.map((month) => read(fileOf(history, format, month, changes), month))

const clearingSettings: ReadonlyArray<SettingsChange> = [
  {},
  { clearings: "daily", paymentFeeBasisPoints: 190, refundFee: 500 },
  { clearings: "weekly", paymentFeeBasisPoints: 190 },
  { clearings: "monthly", paymentFeeBasisPoints: 99, refundFee: 1 }
]

const seeds = Array.from({ length: 40 }, (_, index) => index)

describe("Three months of the local gateway, in files of a month", () => {
  it.each(["CSV_B", "XLS_A"] as const)(
    "agree with the books to the haléř as %s, with clearings or without",
    (format) => {
      for (const seed of seeds) {
        const history = historyOf(seed)
        const changes = clearingSettings[seed % clearingSettings.length] ?? {}
        const statements = statementsOf(history, format, changes)
        const result = reconcileStatement(statements, { orders: booksOf(history), through })
        expect(result, `seed ${seed}`).toMatchObject({
          agrees: true,
          notYetDue: [],
          notCovered: [],
          contradictions: []
        })
        expect(result.matched.length).toBe(history.length)
        const { bookings, clearings } = accountOf(history, "CZK", { ...defaultSettings, ...changes }, now)
        const inAugust = clearings.filter((clearing) => clearing.day <= through)
        expect(result.clearings.map(({ explainedBy, fees, transfer }) => [explainedBy, fees, transfer])).toEqual(
          inAugust.map(({ fee, transfer }) => ["cutOff", fee, transfer])
        )
        const closing = bookings.reduce((sum, booking) => (booking.day <= through ? sum + booking.amount : sum), 0)
        expect(statements.at(-1)?.closingBalance ?? closing).toBe(closing)
      }
    }
  )

  it("agree with the clearings' files, which name the payments", () => {
    for (const seed of seeds.slice(0, 15)) {
      const history = historyOf(seed)
      const changes: SettingsChange = { clearings: "weekly", paymentFeeBasisPoints: 190, refundFee: 300 }
      const { clearings } = accountOf(history, "CZK", { ...defaultSettings, ...changes }, now)
      const files = clearings
        .filter((clearing) => clearing.day <= through)
        .map((clearing) => read(new TextEncoder().encode(clearingXml(clearing))))
      for (const format of ["CSV_B", "XLS_A"] as const) {
        const result = reconcileStatement([...statementsOf(history, format, changes), ...files], {
          orders: booksOf(history),
          through
        })
        expect(result, `seed ${seed}`).toMatchObject({ agrees: true, contradictions: [] })
        expect(result.clearings.every(({ explainedBy }) => explainedBy === "file")).toBe(true)
        expect(result.matched.length).toBe(history.length)
      }
    }
  })

  it("as ABO balance, and have nothing foreign and nothing missing but what is ambiguous", () => {
    for (const seed of seeds) {
      const history = historyOf(seed)
      const result = reconcileStatement(
        statementsOf(history, "ABO_A", { clearings: "weekly", paymentFeeBasisPoints: 190 }),
        {
          orders: booksOf(history),
          through
        }
      )
      expect([result.foreign, result.missing, result.differentAmounts], `seed ${seed}`).toEqual([[], [], []])
      expect(result.ambiguous.every(({ isBalanced }) => isBalanced)).toBe(true)
      expect(result.clearings.every(({ explainedBy }) => explainedBy === "cutOff")).toBe(true)
    }
  })

  it("in CSV_B and ABO together are counted once", () => {
    for (const seed of seeds.slice(0, 10)) {
      const history = historyOf(seed)
      const statements = [
        ...statementsOf(history, "ABO_A", {}),
        ...statementsOf(history, "CSV_B", {}),
        ...statementsOf(history, "XLS_A", {})
      ]
      const result = reconcileStatement(statements, { orders: booksOf(history), through })
      expect(result, `seed ${seed}`).toMatchObject({ agrees: true, repeated: 2 * history.length })
    }
  })
})

describe("With one movement of the gateway", () => {
  const cases = seeds.map((seed) => {
    const history = historyOf(seed)
    const index = generator(seed + 1_000)(history.length)
    const chosen = history[index]
    if (chosen === undefined) throw new Error("no movement")
    return { seed, history, index, chosen, orders: booksOf(history) }
  })
  const found = (history: ReadonlyArray<Movement>, orders: ReadonlyArray<BookedOrder>) =>
    reconcileStatement(statementsOf(history, "CSV_B", { clearings: "monthly" }), { orders, through })
  /** The order's number in whatever was found. */
  const named = (order_number: string, found: ReadonlyArray<{ readonly orderNumber?: string }>): boolean =>
    found.some(({ orderNumber }) => orderNumber === order_number)

  it("left out, its order is named as missing, or among the candidates of its equals", () => {
    for (const { chosen, history, index, orders, seed } of cases) {
      const { agrees, ambiguous, differentAmounts, foreign, missing } = found(history.toSpliced(index, 1), orders)
      const candidates = ambiguous.flatMap((one) => one.candidates)
      expect(agrees, `seed ${seed}`).toBe(false)
      expect(named(chosen.payment.order.order_number, [...missing, ...candidates])).toBe(true)
      expect([differentAmounts, foreign]).toEqual([[], []])
    }
  })

  it("booked twice, it is named as surplus", () => {
    for (const { chosen, history, index, orders, seed } of cases) {
      const { foreign, missing } = found(history.toSpliced(index, 0, chosen), orders)
      expect(foreign, `seed ${seed}`).toMatchObject([
        { _tag: "Surplus", orderNumber: chosen.payment.order.order_number }
      ])
      expect(missing).toEqual([])
    }
  })

  it("changed by one haléř, it is named with the difference, or among the amounts of its order that differ", () => {
    for (const { chosen, history, index, orders, seed } of cases) {
      const { agrees, ambiguous, differentAmounts } = found(
        history.with(index, { ...chosen, amount: chosen.amount + 1 }),
        orders
      )
      const candidates = ambiguous.flatMap((one) => one.candidates)
      expect(agrees, `seed ${seed}`).toBe(false)
      expect(
        named(chosen.payment.order.order_number, [...differentAmounts.map(({ expected }) => expected), ...candidates])
      ).toBe(true)
    }
  })

  it("moved beyond the last month, it is missing until then and agrees with the next statement", () => {
    const september = { from: "2026-09-01", to: "2026-09-30" } as const
    for (const { chosen, history, index, orders, seed } of cases) {
      const late = [...history.toSpliced(index, 1), { ...chosen, at: Date.parse("2026-09-02T08:00:00Z") }]
      expect(found(late, orders).agrees, `seed ${seed}`).toBe(false)
      const order = {
        goid,
        currency: "CZK",
        format: "CSV_B",
        date_from: september.from,
        date_to: september.to
      } as const
      const next = Result.getOrThrow(accountStatement(late, order, defaultSettings, now)).bytes
      const result = reconcileStatement([...statementsOf(late, "CSV_B", {}), read(next)], { orders, through })
      expect(result.agrees, `seed ${seed}`).toBe(true)
    }
  })

  it("changed, left out or doubled in the file itself, the file is refused", () => {
    for (const { history, seed } of cases) {
      const lines = new TextDecoder("windows-1250").decode(fileOf(history, "CSV_B", months[0], {})).split("\r\n")
      const random = generator(seed)
      const at = 2 + random(Math.max(1, lines.length - 4))
      const line = lines[at] ?? ""
      const isInside = lines.length > 5 && at < lines.length - 2
      const edited = [
        lines.toSpliced(at, 1),
        lines.toSpliced(at, 0, line),
        lines.with(at, line.replace(/,(\d)(\d);/, ",$2$1;"))
      ]
      for (const other of edited) {
        if (!isInside || other.join() === lines.join()) continue
        expect(() => read(new TextEncoder().encode(other.join("\r\n"))), `seed ${seed}`).toThrow(StatementError)
      }
    }
  })
})
