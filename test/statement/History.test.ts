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
import { defaultSettings } from "../../src/local-gateway/books/DefaultSettings.js"
import type { SettingsChange } from "../../src/local-gateway/books/LocalGatewaySettings.js"
import { day } from "../../src/local-gateway/books/Times.js"
import {
  type BookedOrder,
  parseBankStatement,
  parseStatement,
  reconcileStatement,
  type ParsedStatement,
  StatementError
} from "../../src/statement/index.js"
import { type BankLine, bankFile } from "./files.js"
import { firstOf } from "../support/Runs.js"
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

const seeds = firstOf(
  8,
  Array.from({ length: 40 }, (_, index) => index)
)

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

  it("without a month explain the next ones as before, though clearings' files name payments of that month", () => {
    for (const seed of seeds) {
      const history = historyOf(seed)
      const changes: SettingsChange = { clearings: "weekly", paymentFeeBasisPoints: 190, refundFee: 300 }
      const { clearings } = accountOf(history, "CZK", { ...defaultSettings, ...changes }, now)
      const files = clearings
        .filter((clearing) => clearing.day < "2026-07-05")
        .map((clearing) => read(new TextEncoder().encode(clearingXml(clearing))))
      const later = statementsOf(history, "CSV_B", changes).slice(1)
      const explained = reconcileStatement([...later, ...files], { orders: booksOf(history), through }).clearings
      expect(
        explained.map(({ explainedBy }) => explainedBy).filter((by) => by !== "file"),
        `seed ${seed}`
      ).toEqual(clearings.filter(({ day }) => "2026-07-05" <= day && day <= through).map(() => "cutOff"))
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

describe("The clearings of a history beside the shop's bank", () => {
  const changes: SettingsChange = { clearings: "weekly", paymentFeeBasisPoints: 190, refundFee: 300 }
  /** A history, the files of its clearings with a part of their fees external, and one to three transfers for each. */
  const cases = seeds.slice(0, 20).map((seed) => {
    const history = historyOf(seed)
    const random = generator(seed + 500)
    const all = accountOf(history, "CZK", { ...defaultSettings, ...changes }, now).clearings
    const clearings = all.filter((clearing) => clearing.day <= through)
    const external = new Map(clearings.map(({ fee, number }) => [number, random(fee + 1)]))
    const files = clearings.map((clearing) =>
      clearingXml(clearing).replace(
        `amountFeeExternal="0.00"`,
        `amountFeeExternal="${((external.get(clearing.number) ?? 0) / 100).toFixed(2)}"`
      )
    )
    const transfers = clearings.flatMap(({ day: date, number, transfer }): ReadonlyArray<BankLine> => {
      const cuts = Array.from({ length: random(3) }, () => 1 + random(transfer - 1)).toSorted(
        (one, other) => one - other
      )
      const ends = [...new Set(cuts), transfer]
      return ends.map((end, index) => ({
        id: `${number}${index}`,
        amount: end - (ends[index - 1] ?? 0),
        code: "2",
        symbol: number,
        day: new Date(Date.parse(date) + random(3) * 86_400_000).toISOString().slice(0, 10),
        name: "GOPAY S.R.O.",
        account: "2801234567"
      }))
    })
    return { seed, history, files, clearings, external, transfers, random }
  })
  type Case = (typeof cases)[number]

  const bankMonths = [...months, { from: "2026-09-01", to: "2026-09-10" }]
  const found = ({ files, history }: Case, transfers: ReadonlyArray<BankLine>) => {
    const clearingFiles = files.map((file) => parseStatement(new TextEncoder().encode(file)))
    const bank = bankMonths.map(({ from, to }) => {
      const own = transfers.filter(({ day: date }) => from <= date && date <= to)
      return parseBankStatement(bankFile(from, to, own), { currency: "CZK" })
    })
    const statements = statementsOf(history, "CSV_B", changes)
    return reconcileStatement([...statements, ...clearingFiles], { orders: booksOf(history), through, bank })
  }

  it("agree to the haléř: each clearing with its transfers, each transfer with its clearing, fees with the external ones", () => {
    for (const one of cases) {
      const result = found(one, one.transfers)
      expect(result, `seed ${one.seed}`).toMatchObject({ agrees: true, unexplainedTransfers: [], contradictions: [] })
      expect(
        result.clearings.map(({ externalFees, fees, number, paidAs, received }) => [
          number,
          fees,
          externalFees,
          paidAs,
          received?.state,
          received?.amount
        ])
      ).toEqual(
        one.clearings.map(({ fee, number, transfer }) => [
          number,
          fee,
          one.external.get(number),
          "transfer",
          "complete",
          transfer
        ])
      )
      const sent = result.clearings.flatMap(({ received }) => received?.transfers ?? [])
      expect(sent.length).toBe(one.transfers.length)
      expect(
        result.movements.flatMap(({ _tag, paymentChannel }) =>
          _tag === "Payment" && paymentChannel === "all" ? [1] : []
        ).length
      ).toBe(one.files.join("").match(/<movement /g)?.length ?? 0)
    }
  })

  it("with one transfer left out, doubled, changed by a haléř or with another symbol name its clearing or the transfer", () => {
    for (const one of cases) {
      if (one.transfers.length === 0) continue
      const index = one.random(one.transfers.length)
      const line = one.transfers[index]
      if (line === undefined) throw new Error("no transfer")
      const clearingOf = (transfers: ReadonlyArray<BankLine>) => {
        const result = found(one, transfers)
        expect(result.agrees, `seed ${one.seed}`).toBe(false)
        const others = result.clearings.filter(({ number }) => number !== line.symbol)
        expect(others.every(({ received }) => received?.state === "complete")).toBe(true)
        return { result, received: result.clearings.find(({ number }) => number === line.symbol)?.received }
      }
      expect(clearingOf(one.transfers.toSpliced(index, 1)).received).toMatchObject({
        state: "late",
        outstanding: line.amount
      })
      expect(clearingOf(one.transfers.toSpliced(index, 0, { ...line, id: "7" })).received).toMatchObject({
        state: "differs",
        outstanding: -line.amount
      })
      expect(clearingOf(one.transfers.with(index, { ...line, amount: line.amount + 1 })).received).toMatchObject({
        state: "differs",
        outstanding: -1
      })
      const { received, result } = clearingOf(one.transfers.with(index, { ...line, symbol: "4" }))
      expect(received).toMatchObject({ state: "late", outstanding: line.amount })
      expect(result.unexplainedTransfers).toMatchObject([{ variableSymbol: "4", amount: line.amount }])
    }
  })

  it("of which one sent another sum, or has one figure spoilt, are named, or the file is refused", () => {
    for (const one of cases) {
      const index = one.random(Math.max(1, one.files.length))
      const file = one.files[index]
      const clearing = one.clearings[index]
      if (file === undefined || clearing === undefined) continue
      const sent = file.replace(/amountSent="[^"]*"/, `amountSent="${((clearing.transfer - 1) / 100).toFixed(2)}"`)
      const result = found({ ...one, files: one.files.with(index, sent) }, one.transfers)
      expect([
        result.agrees,
        result.clearings.flatMap(({ notSent, number }) => (notSent === undefined ? [] : [[number, notSent]]))
      ]).toEqual([false, [[clearing.number, 1]]])
      for (const name of [
        "amount",
        "amountFee",
        "amountStorno",
        "amountStornoFee",
        "amountCreditNote",
        "amountTransfer"
      ]) {
        const spoilt = file.replace(
          new RegExp(` ${name}="([^"]*)"`),
          (_, amount) => ` ${name}="${(Number(amount) + 0.01).toFixed(2)}"`
        )
        expect(() => parseStatement(new TextEncoder().encode(spoilt))).toThrow(StatementError)
      }
      const more = file.replace(
        /amountFeeExternal="[^"]*"/,
        `amountFeeExternal="${((clearing.fee + 1) / 100).toFixed(2)}"`
      )
      expect(() => parseStatement(new TextEncoder().encode(more))).toThrow("amountFeeExternal")
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
