/**
 * The shop's own bank beside the clearings: each transfer is explained by its clearing, each clearing by its transfers.
 */
import { describe, expect, it } from "vitest"
import {
  type BankStatement,
  parseBankStatement,
  parseStatement,
  reconcileStatement,
  StatementError
} from "../../src/statement/index.js"
import { type BankLine, bankFile, clearingXml, csvB, csvBHead, utf8 } from "./files.js"

const gopay = "0000002801234567"
const transfer = (id: string, amount: number, day: string, symbol = "20260608"): BankLine => ({
  id,
  amount,
  code: "2",
  symbol,
  day,
  name: "GOPAY S.R.O.",
  account: gopay
})

const bank = (from: string, to: string, ...lines: ReadonlyArray<BankLine>): BankStatement =>
  parseBankStatement(bankFile(from, to, lines), { currency: "CZK" })

const xml = parseStatement(utf8(clearingXml))
const july = parseStatement(
  utf8(
    clearingXml
      .replaceAll("20260608", "20260706")
      .replace('datePerformed="08.06.2026"', 'datePerformed="06.07.2026"')
      .replace(/accountMovementId="9/g, `accountMovementId="8`)
  )
)

const orders = [
  {
    orderNumber: "2026-0001",
    currency: "CZK",
    payments: [{ amount: 100_000, paidOn: "2026-06-01", refunds: [{ amount: 10_000, requestedOn: "2026-06-05" }] }]
  }
]

describe("A statement of the shop's bank", () => {
  it("is read by the positions of Czech banks, with the currency of its records", () => {
    const file = bankFile("2026-06-01", "2026-06-30", [
      transfer("11", 50_000, "2026-06-10"),
      { id: "12", amount: 9_900, code: "1", symbol: "77", day: "2026-06-11", name: "NAJEM", account: "0" }
    ])
    expect(parseBankStatement(file)).toEqual({
      account: "1234567890",
      accountName: "EXAMPLE SHOP",
      currency: "CZK",
      period: { from: "2026-06-01", to: "2026-06-30" },
      openingBalance: 0,
      closingBalance: 40_100,
      transfers: [
        {
          line: 2,
          date: "2026-06-10",
          amount: 50_000,
          currency: "CZK",
          transferId: "11",
          variableSymbol: "20260608",
          counterparty: "2801234567",
          name: "GOPAY S.R.O."
        },
        {
          line: 3,
          date: "2026-06-11",
          amount: -9_900,
          currency: "CZK",
          transferId: "12",
          variableSymbol: "77",
          name: "NAJEM"
        }
      ]
    })
  })

  it("may have records of text below a transfer, and is refused where it does not add up or is no ABO", () => {
    const text = new TextDecoder().decode(bankFile("2026-06-01", "2026-06-30", [transfer("11", 50_000, "2026-06-10")]))
    const withText = `${text}078Zprava pro prijemce\r\n079dalsi\r\n`
    expect(parseBankStatement(utf8(withText)).transfers).toHaveLength(1)
    expect(() => parseBankStatement(utf8(text.replace("000000050000", "000000050001")))).toThrow(StatementError)
    expect(() => parseBankStatement(utf8(clearingXml))).toThrow("ABO")
    expect(() => parseBankStatement(utf8(`078Zprava\r\n${text}`))).toThrow(StatementError)
  })

  it("is refused beyond 16 MiB, unread", () => {
    expect(() => parseBankStatement(new Uint8Array(16 * 2 ** 20 + 1))).toThrow("16 MiB")
  })

  /** Concatenates files, as a bank exports several days. */
  const together = (...files: ReadonlyArray<Uint8Array>): Uint8Array =>
    Uint8Array.from(files.flatMap((file) => [...file]))
  const tenth = bankFile("2026-06-10", "2026-06-10", [transfer("11", 50_000, "2026-06-10")])
  const eleventh = bankFile("2026-06-11", "2026-06-11", [transfer("12", 37_600, "2026-06-11")], 50_000)

  it("may have a record 074 for each day, each adding up and each beginning where the one above ended", () => {
    const statement = parseBankStatement(together(tenth, eleventh))
    expect(statement).toMatchObject({
      period: { from: "2026-06-10", to: "2026-06-11" },
      openingBalance: 0,
      closingBalance: 87_600,
      transfers: [
        { line: 2, transferId: "11" },
        { line: 4, transferId: "12" }
      ]
    })
    const gap = bankFile("2026-06-11", "2026-06-11", [transfer("12", 37_600, "2026-06-11")], 49_999)
    expect(() => parseBankStatement(together(tenth, gap))).toThrow("Line 3: the old balance is 499.99")
    const earlier = bankFile("2026-06-09", "2026-06-09", [], 50_000)
    expect(() => parseBankStatement(together(tenth, earlier))).toThrow(
      "Line 3: the day 2026-06-09 is before 2026-06-10"
    )
    const other = utf8(new TextDecoder().decode(eleventh).replaceAll("1234567890", "1234567891"))
    expect(() => parseBankStatement(together(tenth, other))).toThrow("Line 3: the account")
  })

  it("has one currency: a second one, or one that GoPay does not settle in, is refused by name", () => {
    const inCurrency = (file: Uint8Array, number: string): Uint8Array =>
      utf8(new TextDecoder().decode(file).replaceAll("00203", number))
    expect(() => parseBankStatement(together(tenth, inCurrency(eleventh, "00978")))).toThrow(
      "Line 4: the currency is EUR, and that of the lines above CZK. Export a file for each currency."
    )
    expect(() => parseBankStatement(inCurrency(tenth, "00756"), { currency: "CZK" })).toThrow(
      'Line 2: the currency number "00756" is none of CZK, EUR'
    )
    // GoPay's own records have 01101 and 01102 there: no number of a currency, so the caller says which one it is.
    expect(parseBankStatement(inCurrency(tenth, "01102"), { currency: "EUR" }).currency).toBe("EUR")
    // A bank that leaves the field empty in some records says it in the others.
    expect(parseBankStatement(together(inCurrency(tenth, "00000"), eleventh), { currency: "EUR" }).currency).toBe("CZK")
  })
})

describe("Clearings beside the shop's bank", () => {
  it("are explained by up to three transfers with one variable symbol, to the haléř", () => {
    for (const amounts of [[87_600], [50_000, 37_600], [50_000, 30_000, 7_600]]) {
      const statement = bank(
        "2026-06-01",
        "2026-06-30",
        ...amounts.map((amount, index) => transfer(String(index + 1), amount, "2026-06-10"))
      )
      const result = reconcileStatement(xml, { orders, bank: statement })
      expect(result.clearings).toMatchObject([{ received: { state: "complete", amount: 87_600, outstanding: 0 } }])
      expect(result.clearings[0]?.received?.transfers).toHaveLength(amounts.length)
      expect([result.unexplainedTransfers, result.agrees]).toEqual([[], true])
    }
  })

  it("may be sent over two months, and a part that has arrived is open, not wrong", () => {
    const june = bank("2026-06-01", "2026-06-09", transfer("1", 50_000, "2026-06-09"))
    const first = reconcileStatement(xml, { orders, bank: june })
    expect(first.clearings).toMatchObject([{ received: { state: "open", amount: 50_000, outstanding: 37_600 } }])
    expect(first.agrees).toBe(true)
    const second = bank("2026-06-10", "2026-07-31", transfer("2", 37_600, "2026-07-01"))
    for (const files of [
      [june, second],
      [second, june],
      [june, second, june]
    ]) {
      const result = reconcileStatement(xml, { orders, bank: files })
      expect(result.clearings).toMatchObject([{ received: { state: "complete", outstanding: 0 } }])
      expect(result.agrees).toBe(true)
    }
  })

  it("are late when the bank's statements go on past the day, and wrong when more or another sum in three came", () => {
    const of = (...amounts: ReadonlyArray<number>) =>
      reconcileStatement(xml, {
        orders,
        bank: bank(
          "2026-06-01",
          "2026-06-30",
          ...amounts.map((amount, index) => transfer(String(index + 1), amount, "2026-06-10"))
        )
      })
    expect(of(50_000)).toMatchObject({
      agrees: false,
      clearings: [{ received: { state: "late", outstanding: 37_600 } }]
    })
    expect(of()).toMatchObject({ agrees: false, clearings: [{ received: { state: "late", amount: 0 } }] })
    expect(of(87_601)).toMatchObject({
      agrees: false,
      clearings: [{ received: { state: "differs", outstanding: -1 } }]
    })
    expect(of(1, 2, 3)).toMatchObject({
      agrees: false,
      clearings: [{ received: { state: "differs", outstanding: 87_594 } }]
    })
  })

  it("may be of other days or another currency than the bank's statements, which say nothing of them then", () => {
    const later = reconcileStatement(xml, { orders, bank: bank("2026-07-01", "2026-07-31") })
    expect(later.clearings[0]).not.toHaveProperty("received")
    expect(later.agrees).toBe(true)
    const inEuro = utf8(
      new TextDecoder()
        .decode(bankFile("2026-06-01", "2026-06-30", [transfer("1", 500, "2026-06-10", "1")]))
        .replaceAll("00203", "00978")
    )
    expect(reconcileStatement(xml, { orders, bank: parseBankStatement(inEuro) }).clearings[0]).not.toHaveProperty(
      "received"
    )
  })

  it("are expected from the day on which they were made: statements that begin after it or end before it say nothing", () => {
    const stateIn = (from: string, to: string) =>
      reconcileStatement(xml, { orders, bank: bank(from, to) }).clearings[0]?.received?.state
    expect(stateIn("2026-06-09", "2026-06-30")).toBe(undefined)
    expect(stateIn("2026-06-01", "2026-06-07")).toBe(undefined)
    expect(stateIn("2026-06-08", "2026-06-30")).toBe("late")
    expect(stateIn("2026-06-01", "2026-06-08")).toBe("open")
  })

  it("are paid as the account's own statement says: what was sent is all that is still to come then", () => {
    const sent = parseStatement(utf8(clearingXml.replace(`amountSent="876.00"`, `amountSent="875.00"`)))
    const line = "9;08.06.2026 01:00;GOPAY-vyuctovani;Example;;;1;0800;20260608;-875,00;875,00;0,00;CZK;"
    const account = parseStatement(csvB([csvBHead, line]))
    const received = (amount: number) =>
      reconcileStatement([sent, account], {
        orders,
        bank: bank("2026-06-01", "2026-06-30", transfer("1", amount, "2026-06-10"))
      }).clearings[0]?.received
    expect(received(87_500)).toMatchObject({ state: "complete", outstanding: 0 })
    expect(received(87_600)).toMatchObject({ state: "differs", outstanding: -100 })
  })

  it("are several, each with its own transfers, and a sum that was sent is enough", () => {
    const sent = parseStatement(utf8(clearingXml.replace(`amountSent="876.00"`, `amountSent="875.00"`)))
    const statement = bank(
      "2026-06-01",
      "2026-07-31",
      transfer("1", 87_500, "2026-06-10"),
      transfer("2", 7_600, "2026-07-08", "20260706"),
      transfer("3", 80_000, "2026-07-08", "20260706")
    )
    expect(reconcileStatement([sent, july], { orders, bank: statement }).clearings).toMatchObject([
      { number: "20260608", paidAs: "sent", notSent: 100, received: { state: "complete", amount: 87_500 } },
      { number: "20260706", paidAs: "transfer", received: { state: "complete", amount: 87_600 } }
    ])
  })

  it("leave a transfer of GoPay's that is of none of them unexplained, and others' transfers alone", () => {
    const statement = bank(
      "2026-06-01",
      "2026-06-30",
      transfer("1", 87_600, "2026-06-10"),
      transfer("2", 1_234, "2026-06-15", "20260615"),
      { ...transfer("3", 999, "2026-06-15", "20260616"), name: "JINY ODESILATEL" },
      { id: "4", amount: 500, code: "2", symbol: "5", day: "2026-06-16", name: "NAJEMNIK", account: "42" }
    )
    const result = reconcileStatement(xml, { orders, bank: statement })
    expect(result.unexplainedTransfers.map(({ amount }) => amount)).toEqual([1_234, 999])
    expect(result.agrees).toBe(false)
  })

  it("know a transfer of GoPay's by its name where no clearing has told the account, and take no payment to GoPay for one", () => {
    const statement = bank(
      "2026-07-01",
      "2026-07-31",
      { ...transfer("1", 1_234, "2026-07-15", "20260715"), account: "7" },
      { ...transfer("2", 500, "2026-07-15", "20260716"), code: "1" },
      { ...transfer("3", 700, "2026-07-15", "20260717"), name: "GOPAYER S.R.O.", account: "8" }
    )
    const result = reconcileStatement(xml, { orders, bank: statement })
    expect(result.unexplainedTransfers.map(({ amount }) => amount)).toEqual([1_234])
  })
})
