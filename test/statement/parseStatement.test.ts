import * as spreadsheets from "@e965/xlsx"
import { unzipSync, Zip, type ZipInputFile, ZipPassThrough, zipSync } from "fflate"
import { deflateRawSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { parseStatement, StatementError } from "../../src/statement/index.js"
import type { ParseStatementOptions } from "../../src/statement/parseStatement.js"
import {
  abo,
  aboLine,
  aboLines,
  clearingXml,
  csvB,
  csvBHead,
  csvBLines,
  sheetRows,
  utf8,
  windows1250
} from "./files.js"

const reasonOf = (file: Uint8Array, options?: ParseStatementOptions) => {
  try {
    parseStatement(file, options)
  } catch (error) {
    if (error instanceof StatementError) return error.reason
    throw error
  }
  throw new Error("The file was read.")
}

/** The reason why a file was refused, or what was noted of it. */
const outcomeOf = (file: Uint8Array, options?: ParseStatementOptions): string => {
  try {
    return parseStatement(file, options)
      .notes.map(({ _tag }) => _tag)
      .join(" ")
  } catch (error) {
    if (error instanceof StatementError) return error.reason._tag
    throw error
  }
}

const replaced = (text: string, by: string, lines = csvBLines): Uint8Array => {
  expect(lines.join("\r\n")).toContain(text)
  return csvB(lines.join("\r\n").replace(text, by).split("\r\n"))
}

const book = (
  rows: ReadonlyArray<ReadonlyArray<string | number | null>>,
  bookType: "xlsx" | "biff8" = "xlsx"
): Uint8Array => {
  const workbook = spreadsheets.utils.book_new()
  const copy = rows.map((row) => [...row])
  spreadsheets.utils.book_append_sheet(workbook, spreadsheets.utils.aoa_to_sheet(copy), "Vypis")
  const bytes: ArrayBuffer = spreadsheets.write(workbook, { type: "array", bookType })
  return new Uint8Array(bytes)
}

describe("CSV_B", () => {
  it("is read from windows-1250, with each movement's kind, amount, order, ids and balances", () => {
    const statement = parseStatement(csvB())
    expect(statement).toMatchObject({
      format: "CSV_B",
      currency: "CZK",
      openingBalance: 0,
      closingBalance: 0,
      notes: []
    })
    expect(statement.movements.map(({ _tag, amount }) => [_tag, amount])).toEqual([
      ["Payment", 139_950],
      ["Fee", -1_399],
      ["Payment", 10_000],
      ["Refund", -20_050],
      ["RefundFee", -500],
      ["Payout", -128_001]
    ])
    expect(statement.movements[0]).toEqual({
      _tag: "Payment",
      type: "GOPAY-platba",
      line: 2,
      date: "2026-06-01",
      time: "08:05",
      amount: 139_950,
      currency: "CZK",
      orderNumber: "2026-0001",
      movementId: "9001",
      counterparty: "Jana Nováková",
      extra: { "Subjekt/E-mail": "jana@example.com" }
    })
    expect(statement.movements[1]).toMatchObject({ orderNumber: "2026-0001", relatedMovementId: "9001" })
    expect(statement.movements[5]).toMatchObject({ clearing: "20260608" })
    expect(statement.movements[5]).not.toHaveProperty("orderNumber")
  })

  it("is the same in UTF-8, with a byte order mark, with bare line feeds, with thin spaces and with U+2212", () => {
    const expected = parseStatement(csvB())
    const text = csvBLines.join("\r\n")
    for (const other of [
      utf8(`${text}\r\n`),
      utf8(`\ufeff${text}\r\n`),
      utf8(`${csvBLines.join("\n")}\n`),
      utf8(
        `${text}\r\n`.replaceAll("1 399", "1\u2009399").replaceAll("1 280", "1\u00a0280").replaceAll(";-", ";\u2212")
      ),
      utf8(`${text}\r\n\r\n`)
    ]) {
      expect(parseStatement(other)).toEqual(expected)
    }
    const littleEndian = new Uint8Array(Uint16Array.from(`\ufeff${text}\r\n`, (c) => c.charCodeAt(0)).buffer)
    const bigEndian = littleEndian.map((_, index) => littleEndian[index ^ 1] ?? 0)
    expect([bigEndian[0], littleEndian[0]]).toEqual([0xfe, 0xff])
    expect([bigEndian, littleEndian].map((utf16) => parseStatement(utf16))).toEqual([expected, expected])
  })

  it("may have the newest movement first", () => {
    const [head = "", ...lines] = csvBLines
    const statement = parseStatement(csvB([head, ...lines.toReversed()]))
    expect(statement).toMatchObject({ openingBalance: 0, closingBalance: 0 })
    expect(statement.movements.map(({ line, movementId }) => [line, movementId])).toContainEqual([2, "9006"])
  })

  it("is read from the response to getAccountStatement, whose bytes are in data", () => {
    const bytes = csvB()
    const data = bytes.buffer.slice(0)
    if (!(data instanceof ArrayBuffer)) throw new Error("no buffer")
    expect(parseStatement({ data })).toEqual(parseStatement(bytes))
    expect(parseStatement(data)).toEqual(parseStatement(bytes))
  })

  it("has cells in quotation marks, with a delimiter, a line end and a doubled mark in them", () => {
    const file = replaced("Petr Dvořák", `"Dvořák; ""Petr""\r\nPraha"`)
    const { movements } = parseStatement(file)
    expect(movements[2]).toMatchObject({ counterparty: 'Dvořák; "Petr"\r\nPraha', line: 4 })
    expect(movements[3]?.line).toBe(6)
  })

  it("is refused by the name of the problem and its facts, from which the message is made", () => {
    expect(reasonOf(replaced("Petr Dvořák", "Petr;Dvořák"))).toEqual({
      _tag: "InvalidStatement",
      line: 4,
      problem: { _tag: "CellCount", expected: 14, found: 15, file: "statement" },
      message: "Line 4: 14 cells were expected and 15 found. The file is cut off or not a statement."
    })
    const long = `${"9".repeat(70)}\u0007`
    expect(reasonOf(replaced(";100,00;", `;"${long}";`))).toMatchObject({
      problem: { _tag: "NotAmount", column: "Částka", text: `${"9".repeat(60)}…` }
    })
  })

  it("covers the days that were ordered, and is refused with a movement outside of them", () => {
    const period = { from: "2026-06-01", to: "2026-06-30" }
    expect(parseStatement(csvB(), { period }).period).toEqual(period)
    expect(parseStatement(csvB())).not.toHaveProperty("period")
    expect(reasonOf(csvB(), { period: { ...period, to: "2026-06-07" } })).toMatchObject({
      _tag: "InvalidStatement",
      line: 7
    })
  })

  it("without movements has no balances", () => {
    const statement = parseStatement(csvB([csvBHead]), { currency: "CZK" })
    expect(statement).toEqual({ format: "CSV_B", currency: "CZK", movements: [], notes: [] })
    expect(reasonOf(csvB([csvBHead]))._tag).toBe("CurrencyNeeded")
  })

  it.each([
    ["an amount that a line's balances do not have", "100,00;1 385,51", "100,01;1 385,51", 4],
    ["a balance that is not that of the line before", "1 385,51;1 485,51", "1 385,50;1 485,50", 4]
  ])("with %s is refused with the line", (_, text, by, line) => {
    expect(reasonOf(replaced(text, by))).toMatchObject({ _tag: "StatementImbalance", line })
  })

  it("with a line taken out is refused with the line that does not follow", () => {
    const reason = reasonOf(csvB(csvBLines.toSpliced(3, 1)))
    expect(reason).toMatchObject({ _tag: "StatementImbalance", line: 4, expected: 138_551, actual: 148_551 })
    expect(reason.message).toBe(
      "Line 4: the balance before it is 1485.51, and the movements come to 1385.51. The file is not complete or was edited: download it again."
    )
  })

  it("with a line twice is refused", () => {
    expect(reasonOf(csvB(csvBLines.toSpliced(4, 0, csvBLines[3] ?? "")))).toMatchObject({
      _tag: "InvalidStatement",
      line: 5
    })
  })

  it("cut off within a line is refused; within the last cell it is noted, since the line may be whole", () => {
    const file = csvB()
    const ends = Array.from({ length: file.length - csvBHead.length - 3 }, (_, index) => csvBHead.length + 3 + index)
    const within = ends.filter((end) => file[end - 1] !== 0x0d && file[end - 1] !== 0x0a)
    const lastCells = (cut: Uint8Array) =>
      new TextDecoder("windows-1250").decode(cut).split("\r\n").at(-1)?.split(";").length
    for (const end of within) {
      const cut = file.subarray(0, end)
      const expected = lastCells(cut) === 14 ? ["NoFinalLineEnd"] : ["InvalidStatement", "StatementImbalance"]
      expect(expected).toContain(outcomeOf(cut))
    }
  })

  it.each([["10.000,00"], ["1,000"], ["1e3"], ["1 00,00"], [""], ["=1+1"], ["90071992547409920,00"]])(
    "with the amount %j is refused",
    (amount) => {
      expect(reasonOf(replaced(";100,00;", `;${amount};`))).toMatchObject({ _tag: "InvalidStatement", line: 4 })
    }
  )

  it.each([["31.06.2026 10:00"], ["29.02.2026"], ["2026-13-01"], ["02.06.26"], ["02.06.2026 24:00"], [""]])(
    "with the day %j is refused",
    (day) => {
      expect(reasonOf(replaced("02.06.2026 23:59", day))).toMatchObject({ _tag: "InvalidStatement", line: 4 })
    }
  )

  it("with two currencies is refused", () => {
    expect(reasonOf(replaced("1 485,51;CZK", "1 485,51;EUR"))).toMatchObject({ _tag: "InvalidStatement", line: 4 })
  })

  it("keeps a type that is not known with its text, once noted, and takes it for no payment", () => {
    const file = replaced("Platba;Petr", "Platba 2.0;Petr")
    const { movements, notes } = parseStatement(file)
    expect(movements[2]).toMatchObject({ _tag: "Unknown", type: "Platba 2.0", reference: "2026-0002", amount: 10_000 })
    expect(notes).toMatchObject([{ _tag: "UnknownType", line: 4, text: "Platba 2.0" }])
    expect(parseStatement(file, { types: { "PLATBA 2.0": "Payment" } })).toMatchObject({
      notes: [],
      movements: { 2: { _tag: "Payment", orderNumber: "2026-0002" } }
    })
  })

  it("keeps the meaning of a type that is known, and reports once that another one was given", () => {
    const file = replaced("Platba;Petr", "Platba;Petr")
    const { movements, notes } = parseStatement(file, { types: { platba: "TopUp", "Výplata na účet": "Payout" } })
    expect(movements.filter(({ _tag }) => _tag === "TopUp")).toEqual([])
    expect(notes).toMatchObject([{ _tag: "OptionNotUsed", text: "Platba" }])
  })

  it.each([["constructor"], ["__proto__"], ["toString"]])("takes the type %s for a type like any", (type) => {
    expect(parseStatement(replaced("Platba;Petr", `${type};Petr`)).movements[2]?._tag).toBe("Unknown")
  })

  it("keeps a payment that debits the account as unknown", () => {
    const lines = [csvBHead, "1;01.06.2026;Platba;;;;;;2026-0001;-1,00;1,00;0,00;CZK;"]
    const { movements, notes } = parseStatement(csvB(lines))
    expect(movements).toMatchObject([{ _tag: "Unknown", amount: -100 }])
    expect(notes).toMatchObject([{ _tag: "UnexpectedSign", line: 2 }])
  })

  it("keeps a column that is not known, and notes it", () => {
    const lines = csvBLines.map((line, index) => `${line};${index === 0 ? "Kanál" : index === 1 ? "karta" : ""}`)
    const { movements, notes } = parseStatement(csvB(lines))
    expect(notes).toMatchObject([{ _tag: "UnknownColumn", text: "Kanál" }])
    expect(movements[0]?.extra).toEqual({ "Subjekt/E-mail": "jana@example.com", Kanál: "karta" })
    expect(movements[1]).not.toHaveProperty("extra")
  })
})

describe("another CSV", () => {
  const file = utf8(`Day,What,Sum,Order\n2026-06-01,Card,"1399,50",A-1\n2026-06-02,Fee,-1.00,\n`)
  const columns = { date: "Day", type: "What", amount: "Sum", orderNumber: "Order" }

  it("is refused with the columns that were found and how to describe them", () => {
    const reason = reasonOf(file)
    expect(reason).toMatchObject({ _tag: "UnknownStatement", columns: ["Day", "What", "Sum", "Order"] })
    expect(reason.message).toContain("Another CSV is read with the option columns")
  })

  it("is read as it is described, and its sums are said to be unchecked", () => {
    const types = { card: "Payment", fee: "Fee" } as const
    const statement = parseStatement(file, { columns, types, currency: "EUR" })
    expect(statement.format).toBe("CSV")
    expect(statement.movements).toMatchObject([
      { _tag: "Payment", amount: 139_950, currency: "EUR", orderNumber: "A-1", date: "2026-06-01" },
      { _tag: "Fee", amount: -100 }
    ])
    expect(statement.notes).toMatchObject([{ _tag: "NoBalances" }])
  })

  it("may have a column with the ids of payments, which are digits or left out", () => {
    const read = (id: string) =>
      parseStatement(utf8(`Day,What,Sum,Id\n2026-06-01,Card,1,${id}\n`), {
        columns: { date: "Day", type: "What", amount: "Sum", paymentId: "Id" },
        currency: "CZK"
      }).movements[0]?.paymentId
    expect([read("3000006542"), read("")]).toEqual([3_000_006_542, undefined])
    for (const id of ["x", "3000006542a", "-3000006542", "9".repeat(16)]) {
      expect(() => read(id)).toThrow(`Line 2: not the id of a payment: "${id}"`)
    }
  })

  it("needs a currency, and the columns that were described", () => {
    expect(reasonOf(file, { columns })._tag).toBe("CurrencyNeeded")
    const reason = reasonOf(file, { columns: { ...columns, amount: "Amount" }, currency: "EUR" })
    expect(reason.message).toContain(`not found: "Amount".`)
  })
})

const isValidUtf8 = (bytes: Uint8Array): boolean => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes) !== ""
  } catch {
    return false
  }
}

describe("ABO", () => {
  it("is read with its account, period, balances, and the clearing at payouts and fees", () => {
    const statement = parseStatement(abo(), { currency: "CZK" })
    expect(statement).toMatchObject({
      format: "ABO",
      account: "100200300",
      accountName: "EXAMPLE S.R.O.",
      currency: "CZK",
      period: { from: "2026-06-01", to: "2026-06-30" },
      openingBalance: 0,
      closingBalance: 5_000,
      notes: []
    })
    expect(statement.movements).toEqual([
      {
        _tag: "Payment",
        type: "GOPAY-PLATBA",
        line: 2,
        date: "2026-06-01",
        amount: 139_500,
        currency: "CZK",
        movementId: "9001"
      },
      {
        _tag: "Payment",
        type: "GOPAY-PLATBA",
        line: 3,
        date: "2026-06-02",
        amount: 10_000,
        currency: "CZK",
        movementId: "9003"
      },
      {
        _tag: "Refund",
        type: "GOPAY-STORNO-PLATBY",
        line: 4,
        date: "2026-06-05",
        amount: -20_000,
        currency: "CZK",
        movementId: "9004"
      },
      {
        _tag: "Payout",
        type: "GOPAY-VYUCTOVANI",
        line: 5,
        date: "2026-06-08",
        amount: -120_000,
        currency: "CZK",
        movementId: "9006",
        clearing: "20260608"
      },
      {
        _tag: "Fee",
        type: "GOPAY-POPL",
        line: 6,
        date: "2026-06-08",
        amount: -4_500,
        currency: "CZK",
        movementId: "9007",
        clearing: "20260608"
      }
    ])
  })

  it("needs to be told its currency, since 01101 and 01102 are none", () => {
    expect(reasonOf(abo())._tag).toBe("CurrencyNeeded")
    const withCode = aboLines.map((line) => line.replace(/0110[12](?=\d{6}$)/, "00978"))
    expect(parseStatement(abo(withCode)).currency).toBe("EUR")
  })

  it("has reversals, whose turnover counts against its side or on the other one", () => {
    const reversal = aboLine({ id: "9008", amount: 100, code: "4", symbol: "0", day: "090626", type: "GOPAY-POPL" })
    const head = (debit: string, credit: string): string =>
      (aboLines[0] ?? "")
        .replace("00000000005000+", "00000000005100+")
        .replace("000000001445000", debit)
        .replace("000000001495000", credit)
    for (const first of [head("000000001444000", "000000001495000"), head("000000001445000", "000000001496000")]) {
      const { closingBalance, movements } = parseStatement(abo([first, ...aboLines.slice(1), reversal]), {
        currency: "CZK"
      })
      expect(closingBalance).toBe(5_100)
      expect(movements.at(-1)).toMatchObject({ _tag: "Unknown", amount: 100 })
    }
  })

  it("is refused where it does not add up, has another length, another account or another record", () => {
    const at = (index: number, change: (line: string) => string) =>
      reasonOf(abo(aboLines.map((line, position) => (position === index ? change(line) : line))), { currency: "CZK" })
    expect(at(1, (line) => line.replace("000000139500", "000000139501"))).toMatchObject({
      _tag: "StatementImbalance",
      line: 1
    })
    expect(at(0, (line) => line.replace("000000001445000", "000000001445010"))).toMatchObject({
      _tag: "StatementImbalance",
      message: expect.stringContaining("the sum of debits"),
      expected: 144_500,
      actual: 144_501
    })
    expect(at(0, (line) => line.replace("000000001495000", "000000001495010"))).toMatchObject({
      _tag: "StatementImbalance",
      message: expect.stringContaining("the sum of credits"),
      expected: 149_500,
      actual: 149_501
    })
    expect(at(2, (line) => line.slice(0, -1))).toMatchObject({ _tag: "InvalidStatement", line: 3 })
    expect(at(2, (line) => line.replace("100200300", "100200301"))).toMatchObject({ _tag: "InvalidStatement", line: 3 })
    expect(at(2, (line) => line.replace("075", "076"))).toMatchObject({ _tag: "InvalidStatement", line: 3 })
    expect(at(2, (line) => line.replace("000000010000", "0000000XXXXX"))).toMatchObject({
      _tag: "InvalidStatement",
      line: 3
    })
    expect(at(2, (line) => line.replaceAll("020626", "310626"))).toMatchObject({ _tag: "InvalidStatement", line: 3 })
    expect(reasonOf(abo(aboLines.slice(0, -1)), { currency: "CZK" })).toMatchObject({ _tag: "StatementImbalance" })
  })

  it("cut off anywhere is refused", () => {
    const file = abo()
    for (let end = 20; end < file.length - 2; end += 1) {
      expect(["InvalidStatement", "StatementImbalance"]).toContain(
        reasonOf(file.subarray(0, end), { currency: "CZK" })._tag
      )
    }
  })

  it("knows an unmatched transfer by the beginning of its type, and a hold", () => {
    const lines = [
      (aboLines[0] ?? "")
        .replace("00000000005000+", "00000000000000+")
        .replace("000000001445000", "000000000001000")
        .replace("000000001495000", "000000000001000"),
      aboLine({ id: "1", amount: 100, code: "2", symbol: "77", day: "010626", type: "GOPAY-NESPAROVANE /" }),
      aboLine({ id: "2", amount: 100, code: "1", symbol: "0", day: "010626", type: "BLOKACE POHYBU" })
    ]
    const { movements } = parseStatement(abo(lines), { currency: "CZK" })
    expect(movements).toMatchObject([{ _tag: "UnmatchedTransfer", reference: "77" }, { _tag: "Hold" }])
  })
})

describe("The XML of a clearing", () => {
  const changed = (text: string, by: string): Uint8Array => {
    expect(clearingXml).toContain(text)
    return utf8(clearingXml.replace(text, by))
  }

  it("has payment ids, and what the transfer comes to", () => {
    const statement = parseStatement(utf8(clearingXml))
    expect(statement).toMatchObject({
      format: "CLEARING_XML",
      accountName: "Example CZK",
      currency: "CZK",
      period: { from: "2026-06-01", to: "2026-06-07" },
      clearing: {
        number: "20260608",
        gross: 100_000,
        refunds: 10_000,
        refundFees: 500,
        fees: 2_000,
        creditNote: 100,
        transfer: 87_600,
        externalFees: 1_000,
        sent: 87_600,
        channels: [{ type: "card", fee: 1_000, transactionFee: 1_000, volumeFee: 0 }]
      },
      notes: []
    })
    expect(statement.movements.map(({ paymentChannel }) => paymentChannel)).toEqual(["card", undefined, undefined])
    expect(statement.movements).toMatchObject([
      {
        _tag: "Payment",
        amount: 100_000,
        paymentId: 3_000_006_542,
        orderNumber: "2026-0001",
        movementId: "9001",
        counterparty: "Jana Nováková",
        date: "2026-06-01"
      },
      { _tag: "Refund", amount: -10_000 },
      { _tag: "RefundFee", amount: -500 }
    ])
  })

  it("is read in the encoding that it declares", () => {
    const text = clearingXml.replace("UTF-8", "windows-1250").replace("Nov&#225;kov&#225;", "Nováková")
    expect(parseStatement(windows1250(text)).movements[0]?.counterparty).toBe("Jana Nováková")
  })

  it("is refused where its sums do not agree", () => {
    expect(reasonOf(changed(`amountTransfer="876.00"`, `amountTransfer="876.01"`))).toMatchObject({
      _tag: "StatementImbalance",
      expected: 87_600,
      actual: 87_601
    })
    expect(reasonOf(changed(`amount="-5.00"`, `amount="-5.01"`))._tag).toBe("StatementImbalance")
    expect(reasonOf(changed(`accountMovementId="9003"`, `accountMovementId="9002"`))._tag).toBe("InvalidStatement")
  })

  it("is refused with a DOCTYPE, so that no entity expands or is fetched", () => {
    const bomb = `<!DOCTYPE clearing [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n<clearing`
    expect(reasonOf(changed("<clearing", bomb)).message).toContain("DOCTYPE")
    expect(reasonOf(changed("GOPAY", "&xxe;"))._tag).toBe("InvalidStatement")
    expect(reasonOf(changed("GOPAY", "&xxe;")).message).toContain("not well-formed")
  })

  it("is refused when it is another XML, nested deeply, or cut off", () => {
    expect(reasonOf(changed("https://www.gopay.cz/clearing", "https://example.com/clearing"))._tag).toBe(
      "UnknownStatement"
    )
    expect(reasonOf(utf8("<html></html>"))._tag).toBe("UnknownStatement")
    expect(reasonOf(changed("<storno>", `${"<a>".repeat(50)}${"</a>".repeat(50)}<storno>`)).message).toContain("deeper")
    for (let end = 1; end < clearingXml.length - 2; end += 7) {
      expect(["InvalidStatement", "UnknownStatement"]).toContain(reasonOf(utf8(clearingXml.slice(0, end)))._tag)
    }
  })

  it("takes GoPay's own attributes only: one of another namespace takes no place", () => {
    const foreign = `xmlns:x="https://example.com/x" x:amount="1.00" x:paymentSessionId="3000000001" x:orderId="OTHER"`
    const file = changed(
      `orderId="2026-0001" paymentSessionId="3000006542" type="credit"/>`,
      `orderId="2026-0001" paymentSessionId="3000006542" type="credit" ${foreign}/>`
    )
    expect(parseStatement(file).movements[0]).toMatchObject({
      amount: 100_000,
      paymentId: 3_000_006_542,
      orderNumber: "2026-0001"
    })
    const only = changed(
      `orderId="2026-0001" paymentSessionId="3000006542" type="credit"/>`,
      `type="credit" ${foreign}/>`
    )
    expect(parseStatement(only).movements[0]).not.toHaveProperty("paymentId")
  })

  it("is refused with more attributes than any element has, as they come", () => {
    const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}="1"`).join(" ")
    const message = reasonOf(changed("<storno>", `<storno ${attributes}>`)).message
    expect(message).toContain("more than 100 attributes")
    const open = clearingXml.slice(0, clearingXml.indexOf("<storno>"))
    expect(reasonOf(utf8(`${open}<storno ${attributes}`)).message).toBe(message)
  })

  it("reads what is sent beside what is transferred, though they differ, and files without the newer fields", () => {
    expect(parseStatement(changed(`amountSent="876.00"`, `amountSent="875.50"`)).clearing).toMatchObject({
      transfer: 87_600,
      sent: 87_550
    })
    const older = clearingXml
      .replace(` amountFeeExternal="10.00" amountSent="876.00"`, "")
      .replace(` fee="10.00" transactionFee="10.00" type="card" volumeFee="0.00"`, "")
    const { clearing, notes } = parseStatement(utf8(older))
    expect([clearing?.externalFees, clearing?.sent, clearing?.channels, notes]).toEqual([0, undefined, [{}], []])
  })

  it("takes external fees for a part of the fees, so that more of them are refused", () => {
    expect(reasonOf(changed(`amountFeeExternal="10.00"`, `amountFeeExternal="20.01"`))).toMatchObject({
      _tag: "InvalidStatement",
      message: "Line 5: amountFeeExternal is 20.01, and as a part of amountFee it cannot be above 20.00."
    })
  })

  it("notes fees of channels that do not come to the fees, since it is not known whether they must", () => {
    expect(parseStatement(changed(`paymentChannel fee="10.00"`, `paymentChannel fee="9.00"`)).notes).toMatchObject([
      { _tag: "ChannelFees", line: 5, text: "20.00" }
    ])
  })

  it.each([
    [
      "an attribute of the clearing",
      `amountSent="876.00"`,
      `amountSent="876.00" amountHeld="7.00"`,
      "UnknownAttribute",
      "amountHeld"
    ],
    ["an attribute of a channel", `type="card"`, `type="card" discount="7.00"`, "UnknownAttribute", "discount"],
    ["an element", "<storno>", `<holds amount="7.00"/><storno>`, "UnknownElement", "holds"],
    [
      "an element of another namespace",
      "<storno>",
      `<x:hold xmlns:x="https://example.com/x"><x:a/></x:hold><storno>`,
      "UnknownElement",
      "hold"
    ]
  ])("reports %s that is not known, once", (_, text, by, tag, name) => {
    expect(parseStatement(changed(text, by)).notes).toMatchObject([{ _tag: tag, text: name }])
  })

  it("keeps an attribute of a movement that is not known", () => {
    const { movements, notes } = parseStatement(
      utf8(clearingXml.replaceAll(`orderId="2026-0001"`, `orderId="2026-0001" country="CZE"`))
    )
    expect(movements.map(({ extra }) => extra)).toEqual([{ country: "CZE" }, { country: "CZE" }, { country: "CZE" }])
    expect(notes.map(({ _tag, line, text }) => [_tag, line, text])).toEqual([
      ["UnknownAttribute", 9, "country"],
      ["UnknownAttribute", 14, "country"]
    ])
  })

  it("keeps a type that is not known", () => {
    const file = changed(
      `amount="-5.00" counterpartyName="GOPAY" datePerformed="05.06.2026"
     orderId="2026-0001" paymentSessionId="3000006542" type="stornoFee"`,
      `amount="0.00" datePerformed="05.06.2026" type="bonus"`
    )
    const text = new TextDecoder()
      .decode(file)
      .replace(`amountStornoFee="5.00"`, `amountStornoFee="0.00"`)
      .replace(`amountTransfer="876.00"`, `amountTransfer="881.00"`)
    expect(parseStatement(utf8(text))).toMatchObject({
      movements: { 2: { _tag: "Unknown", type: "bonus" } },
      notes: [{ _tag: "UnknownType" }]
    })
  })
})

describe("A clearing's XML", () => {
  const movements = /<movements>[^]*<\/movements>/

  it.each([
    ["of another namespace", (text: string) => `<x:part xmlns:x="https://example.com/other">${text}</x:part>`],
    ["of a name that is not known", (text: string) => `<reversed>${text}</reversed>`]
  ])("reads nothing within an element %s: what it says was not read was not", (_, around) => {
    const moved = clearingXml.replace(movements, (text) => around(text))
    expect(reasonOf(utf8(moved))).toMatchObject({ _tag: "StatementImbalance", expected: 0, actual: 100_000 })
    const added = clearingXml.replace(
      "<storno>",
      `${around(`<movement accountMovementId="8" amount="7.00"/>`)}<storno>`
    )
    const statement = parseStatement(utf8(added))
    expect(statement.movements).toHaveLength(3)
    expect(statement.notes).toMatchObject([
      { _tag: "UnknownElement", message: expect.stringContaining("was not read, nor what is in it") }
    ])
  })

  it("notes a movement of a day that it does not cover, and keeps it", () => {
    const late = clearingXml.replace('datePerformed="05.06.2026"', 'datePerformed="05.07.2026"')
    const { movements: kept, notes } = parseStatement(utf8(late))
    expect(kept).toHaveLength(3)
    expect(notes).toMatchObject([
      {
        _tag: "OutsideOfPeriod",
        text: "2026-07-05",
        message: expect.stringContaining("outside of the clearing's 2026-06-01 to 2026-06-07")
      }
    ])
    expect(parseStatement(utf8(clearingXml)).notes).toEqual([])
  })
})

describe("XLS and XLSX", () => {
  it.each(["xlsx", "biff8"] as const)("%s: has account, period, balances and movements", (bookType) => {
    const statement = parseStatement(book(sheetRows, bookType), { spreadsheets })
    expect(statement).toMatchObject({
      format: "XLS",
      account: "1002003001",
      accountName: "Example CZK",
      currency: "CZK",
      period: { from: "2026-06-01", to: "2026-06-30" },
      openingBalance: 1_000,
      closingBalance: 30_400,
      notes: []
    })
    expect(statement.movements).toMatchObject([
      { _tag: "Payment", date: "2026-06-01", amount: 139_950, orderNumber: "2026-0001", line: 15 },
      { _tag: "Payment", date: "2026-06-02", amount: 10_000, orderNumber: "2026-0002" },
      { _tag: "Refund", amount: -20_050 },
      { _tag: "RefundFee", amount: -500 },
      { _tag: "Payout", amount: -100_000, clearing: "20260608" }
    ])
  })

  it("needs what reads spreadsheets, and says how", () => {
    expect(reasonOf(book(sheetRows)).message).toContain(`await import("@e965/xlsx")`)
  })

  const changedRow = (row: number, column: number, value: string | number | null) =>
    reasonOf(book(sheetRows.map((cells, index) => (index === row ? cells.toSpliced(column, 1, value) : cells))), {
      spreadsheets
    })

  it("is refused where it does not add up, with the row", () => {
    expect(changedRow(14, 4, 1399.51)).toMatchObject({
      _tag: "StatementImbalance",
      line: 9,
      expected: 149_951,
      actual: 149_950
    })
    expect(changedRow(10, 4, "304,01 CZK")).toMatchObject({ _tag: "StatementImbalance", line: 11 })
    expect(reasonOf(book(sheetRows.slice(0, -1)), { spreadsheets })).toMatchObject({
      _tag: "StatementImbalance",
      line: 10
    })
  })

  it("is refused with a day outside of its period, a third decimal, another currency, or a label missing", () => {
    expect(changedRow(14, 1, "31. 5. 2026")).toMatchObject({ _tag: "InvalidStatement", line: 15 })
    expect(changedRow(14, 4, 1399.505)).toMatchObject({ _tag: "InvalidStatement", line: 15 })
    expect(changedRow(14, 5, "EUR")).toMatchObject({ _tag: "InvalidStatement", line: 15 })
    expect(changedRow(7, 4, null)).toMatchObject({ _tag: "InvalidStatement", line: 8 })
    expect(changedRow(13, 2, "Druh")._tag).toBe("UnknownStatement")
    expect(changedRow(1, 1, "FAKTURA")._tag).toBe("UnknownStatement")
  })

  it("keeps an unknown column and notes a row that is no movement", () => {
    const rows = sheetRows.map((cells, index) =>
      index === 13 ? [...cells, "Kanál"] : index === 14 ? [...cells, "karta"] : cells
    )
    const { movements, notes } = parseStatement(book([...rows, [], [null, null, "Strana 1"]]), { spreadsheets })
    expect(notes).toMatchObject([
      { _tag: "UnknownColumn", text: "Kanál" },
      { _tag: "UnknownRow", line: 21 }
    ])
    expect(movements[0]?.extra).toEqual({ Kanál: "karta" })
  })

  it("with a formula is refused, whatever it comes to", () => {
    const workbook = spreadsheets.read(book(sheetRows))
    const sheet = workbook.Sheets["Vypis"]
    if (sheet === undefined) throw new Error("no sheet")
    sheet["E15"] = { t: "n", v: 1399.5, f: "1000+399.5" }
    const bytes: ArrayBuffer = spreadsheets.write(workbook, { type: "array", bookType: "xlsx" })
    expect(reasonOf(new Uint8Array(bytes), { spreadsheets })).toMatchObject({ _tag: "InvalidStatement", line: 15 })
  })

  /** A file with one more part, which unpacks to this many bytes but declares another size. */
  const bomb = (name: string, size: number, said: number, content = " "): Uint8Array => {
    const chunks: Array<Uint8Array> = []
    // Its sizes stand after the data: those before it are zero.
    const zip = new Zip((error, chunk) => {
      if (error) throw error
      chunks.push(chunk)
    })
    for (const [part, bytes] of Object.entries(unzipSync(book(sheetRows)))) {
      if (part === name) continue
      const whole = new ZipPassThrough(part)
      zip.add(whole)
      whole.push(bytes, true)
    }
    const packed: ZipInputFile = { filename: name, compression: 8, size: said, crc: 0 }
    zip.add(packed)
    packed.ondata?.(null, deflateRawSync(content.repeat(size / content.length)), true)
    zip.end()
    return Buffer.concat(chunks)
  }
  /** What reads spreadsheets must not be given such a file. */
  const unreached = {
    read: () => {
      throw new Error("given the file")
    }
  }

  it.each([
    ["the sheet", "xl/worksheets/sheet1.xml"],
    ["the texts", "xl/sharedStrings.xml"]
  ])("of which %s unpack to more than the limit is refused while it is unpacked, whatever it says", (_, name) => {
    const bytes = bomb(name, 65 * 1024 * 1024, 1000)
    expect(bytes.length).toBeLessThan(1_000_000)
    const reason = reasonOf(bytes, { spreadsheets: unreached })
    expect(reason).toMatchObject({
      _tag: "StatementTooLarge",
      message: "The file has more than 64 MiB once it is unpacked. Order a shorter span of days, or raise the limit."
    })
    expect(reasonOf(book(sheetRows), { spreadsheets: unreached, maxBytes: 10_000 }).message).toContain("10000 bytes")
  })

  /** A file with one part changed. */
  const edited = (name: string, edit: (text: string) => string): Uint8Array => {
    const parts = unzipSync(book(sheetRows))
    const part = edit(new TextDecoder().decode(parts[name]))
    expect(part).not.toBe(new TextDecoder().decode(parts[name]))
    return zipSync({ ...parts, [name]: utf8(part) })
  }
  const firstSheet = "xl/worksheets/sheet1.xml"

  it.each([
    [
      "a link",
      (text: string) => text.replace("</sheetData>", `</sheetData><hyperlinks><hyperlink ref="ALL"/></hyperlinks>`)
    ],
    ["a link before them", (text: string) => text.replace("<sheetData>", `<hyperlink ref="ALL"/><sheetData>`)],
    ["a merger", (text: string) => text.replace("</sheetData>", `</sheetData><mergeCell ref="ALL"/>`)],
    ["an area", (text: string) => text.replace("<sheetData>", `<dimension ref="ALL"/><sheetData>`)]
  ])("of which %s names all cells that there could be is read by those that it has", (_, edit) => {
    const file = edited(firstSheet, (text) => edit(text).replace("ALL", "A1:XFD1048576"))
    const read: typeof spreadsheets.read = (data, options) => {
      // What reads spreadsheets would go through all of them.
      expect(new TextDecoder().decode(unzipSync(data)[firstSheet])).not.toContain("XFD1048576")
      return spreadsheets.read(data, options)
    }
    expect(parseStatement(file, { spreadsheets: { read } }).movements).toHaveLength(5)
  })

  it("that names another of its parts as its sheet is refused: all parts but the sheets are read whole", () => {
    const named = edited("xl/_rels/workbook.xml.rels", (text) =>
      text.replace("worksheets/sheet1.xml", "sharedStrings.xml")
    )
    const { read } = unreached
    const file = zipSync({
      ...unzipSync(named),
      "xl/sharedStrings.xml": utf8(`<worksheet><sheetData/><hyperlink ref="A1:XFD1048576"/></worksheet>`)
    })
    expect(reasonOf(file, { spreadsheets: { read } })).toMatchObject({ _tag: "InvalidStatement" })
    for (const part of ["sharedStrings.xml", "workbook.xml", "[Content_Types].xml"]) {
      const passedOn: typeof spreadsheets.read = (data, options) => {
        expect(Object.keys(unzipSync(data))).not.toContain("xl/theme/theme1.xml")
        return spreadsheets.read(data, options)
      }
      const target = edited("xl/_rels/workbook.xml.rels", (text) =>
        text.replace("worksheets/sheet1.xml", `/xl/worksheets/../${part}`)
      )
      expect(reasonOf(target, { spreadsheets: { read: passedOn } })._tag).toBe("InvalidStatement")
    }
  })

  it("whose days are counted from 1904 says so to what reads it", () => {
    const file = edited("xl/workbook.xml", (text) => text.replace("<sheets>", `<workbookPr date1904="true"/><sheets>`))
    // Its numbers of days are those from 1900, so they come out four years later.
    expect(reasonOf(file, { spreadsheets }).message).toContain("the day 2030-06-03 is outside")
  })

  /** The records of a XLS file: id, and where its data begin. */
  const recordsOf = (file: Uint8Array) => {
    const stream = Uint8Array.from(
      spreadsheets.CFB.find(spreadsheets.CFB.read(file, { type: "array" }), "/Workbook").content
    )
    const view = new DataView(stream.buffer)
    const records: Array<{ readonly id: number; readonly at: number }> = []
    for (let at = 0; at + 4 <= stream.length; at += 4 + view.getUint16(at + 2, true)) {
      records.push({ id: view.getUint16(at, true), at: at + 4 })
    }
    return { records, stream, view }
  }
  /** A XLS file with a stream of records. */
  const compoundFile = (stream: Uint8Array): Uint8Array => {
    const container = spreadsheets.CFB.utils.cfb_new()
    spreadsheets.CFB.utils.cfb_add(container, "/Workbook", stream)
    return Uint8Array.from(spreadsheets.CFB.write(container, { type: "array" }))
  }

  const link = 0x01b8

  it("as XLS of which a link names all cells that there could be is read by those that it has", () => {
    const workbook = spreadsheets.read(book(sheetRows))
    const cell = workbook.Sheets["Vypis"]?.["B2"]
    cell.l = { Target: "https://example.com" }
    const { records, stream, view } = recordsOf(
      new Uint8Array(spreadsheets.write(workbook, { type: "array", bookType: "biff8" }))
    )
    const { at = 0 } = records.find(({ id }) => id === link) ?? {}
    expect(at).toBeGreaterThan(0)
    for (const [index, value] of [0, 0xffff, 0, 0xff].entries()) view.setUint16(at + 2 * index, value, true)
    const file = compoundFile(stream)
    const read: typeof spreadsheets.read = (data, options) => {
      expect(recordsOf(data).records.map(({ id }) => id)).not.toContain(link)
      return spreadsheets.read(data, options)
    }
    expect(parseStatement(file, { spreadsheets: { ...spreadsheets, read } }).movements).toHaveLength(5)
    expect(reasonOf(file, { spreadsheets: { read } })._tag).toBe("SpreadsheetReaderNeeded")
  })

  it("as XLS with a formula is refused", () => {
    const { records, stream, view } = recordsOf(book(sheetRows, "biff8"))
    const { at = 0 } =
      records.find((record) => [0x0203, 0x027e].includes(record.id) && view.getUint16(record.at, true) === 14) ?? {}
    expect(at).toBeGreaterThan(0)
    view.setUint16(at - 4, 0x0006, true)
    expect(reasonOf(compoundFile(stream), { spreadsheets })).toMatchObject({ _tag: "InvalidStatement", line: 15 })
  })

  it.each([
    ["of many cells", `<f t="array" ref="A1:XFD1048576">1+1</f>`, "a cell has a formula. A statement has none"],
    ["that others share", `<f t="shared" si="0" ref="A1:XFD1048576"/>`, "a cell has a formula. A statement has none"],
    ["in another form", `<f ref="A1:XFD1048576"><![CDATA[1+1]]></f>`, "cannot be read"],
    ["with a prefix", `<x:f t="array" ref="A1:XFD1048576">1+1</x:f>`, "a cell has a formula. A statement has none"]
  ])("with a formula %s is refused, and no one calculates by it", (_, formula, problem) => {
    const file = edited(firstSheet, (text) => text.replace("<v>", `${formula}<v>`))
    const read: typeof spreadsheets.read = (data, options) => {
      expect(new TextDecoder().decode(unzipSync(data)[firstSheet])).not.toContain("XFD1048576")
      return spreadsheets.read(data, options)
    }
    expect(reasonOf(file, { spreadsheets: { read } }).message).toContain(problem)
  })

  it("whose cells share a long text is refused: no cell has more than a spreadsheet can, and all have no more than the limit", () => {
    const long = edited(firstSheet, (text) => text.replace("VÝPIS Z OBCHODNÍHO ÚČTU", "x".repeat(32_768)))
    expect(reasonOf(long, { spreadsheets })).toMatchObject({
      _tag: "InvalidStatement",
      message: expect.stringContaining("a cell has more than 32767 characters")
    })
    const workbook = spreadsheets.read(book(sheetRows))
    const written: ArrayBuffer = spreadsheets.write(workbook, { type: "array", bookType: "xlsx", bookSST: true })
    const cells = '<c t="s"><v>0</v></c>'.repeat(300)
    const repeated = zipSync({
      ...unzipSync(new Uint8Array(written)),
      [firstSheet]: utf8(`<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`),
      "xl/sharedStrings.xml": utf8(`<sst><si><t>${"x".repeat(32_767)}</t></si></sst>`)
    })
    expect(reasonOf(repeated, { spreadsheets })).toMatchObject({ _tag: "UnknownStatement" })
    expect(reasonOf(repeated, { spreadsheets, maxBytes: 299 * 32_767 })).toMatchObject({ _tag: "StatementTooLarge" })
  })

  it("with more tags than its movements may have is refused, and parts that it does not need are not unpacked", () => {
    expect(
      reasonOf(bomb("xl/worksheets/sheet1.xml", 5_000_000, 5_000_000, "<row/>"), {
        spreadsheets: unreached,
        maxMovements: 1_000
      })
    ).toMatchObject({ _tag: "StatementTooLarge", message: expect.stringContaining("1000 movements") })
    expect(
      parseStatement(bomb("xl/styles.xml", 65 * 1024 * 1024, 1000, "<xf />"), { spreadsheets }).movements
    ).toHaveLength(5)
  })

  it.each(["xlsx", "biff8"] as const)(
    "%s: damaged or cut off is refused by a StatementError, and never takes long",
    (bookType) => {
      const whole = book(sheetRows, bookType)
      let seed = 7
      const random = (below: number): number => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
        return seed % below
      }
      for (let run = 0; run < 150; run += 1) {
        const bytes = whole.slice(0, run % 3 === 0 ? 8 + random(whole.length - 8) : whole.length)
        for (let change = 0; change < 1 + random(20); change += 1) bytes[8 + random(bytes.length - 8)] = random(256)
        // Anything but a StatementError is thrown on.
        expect(outcomeOf(bytes, { spreadsheets })).toBeTypeOf("string")
      }
    }
  )
})

describe("What real files have been seen to be", () => {
  const cp852 = (text: string): Uint8Array => {
    const letters: Readonly<Record<string, number>> = {
      Č: 0xac,
      á: 0xa0,
      ú: 0xa3,
      č: 0x9f,
      í: 0xa1,
      ě: 0xd8,
      ň: 0xe5,
      ř: 0xfd,
      ý: 0xec,
      é: 0x82
    }
    return Uint8Array.from(text, (character) => letters[character] ?? character.charCodeAt(0))
  }

  it("ids that a spreadsheet has written as 1E+11 are no ids: kept apart, kept in extra, and reported", () => {
    const spoilt = csvBLines.map((line, index) =>
      index === 0 ? line : line.replace(/^\d+;/, "1E+11;").replace("2026-0001", "2,02601E+11")
    )
    const { movements, notes } = parseStatement(csvB(spoilt))
    expect(movements).toHaveLength(6)
    expect(movements.some(({ movementId }) => movementId !== undefined)).toBe(false)
    expect(movements[0]).not.toHaveProperty("orderNumber")
    expect(movements[0]?.extra).toMatchObject({ "ID pohybu": "1E+11", "ID objednávky/VS": "2,02601E+11" })
    expect(notes.map(({ _tag, line, text }) => [_tag, line, text])).toEqual([
      ["SpoiltNumber", 2, "2,02601E+11"],
      ["SpoiltNumber", 2, "1E+11"]
    ])
    const rows = sheetRows.map((cells) => cells.map((cell) => (cell === "2026-0002" ? "2,02601E+11" : cell)))
    const sheet = parseStatement(book(rows), { spreadsheets })
    expect(sheet.movements[1]).not.toHaveProperty("orderNumber")
    expect(sheet.notes).toMatchObject([{ _tag: "SpoiltNumber", line: 16 }])
  })

  it("a line sep=; before the heads says the delimiter, and lines are counted with it", () => {
    const { movements } = parseStatement(csvB(["sep=;", ...csvBLines]))
    expect(movements.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8])
    expect(reasonOf(csvB(["sep=,", ...csvBLines]))._tag).toBe("UnknownStatement")
  })

  it("a record 074 without the spaces at its end is a whole one; a longer one is not", () => {
    const [head = "", ...lines] = aboLines
    expect(parseStatement(abo([head.trimEnd(), ...lines]), { currency: "CZK" }).movements).toHaveLength(5)
    expect(parseStatement(abo([`${head}       `, ...lines]), { currency: "CZK" }).movements).toHaveLength(5)
    expect(reasonOf(abo([`${head}0000001`, ...lines]), { currency: "CZK" })).toMatchObject({
      _tag: "InvalidStatement",
      line: 1
    })
    expect(reasonOf(abo([head.slice(0, 113), ...lines]), { currency: "CZK" })).toMatchObject({ line: 1 })
  })

  it("cp852 is told from windows-1250 by its Czech letters, a guess is reported, and can be given", () => {
    const text = "Den;Typ;Částka;Plátce\r\n1.6.2026;Platba;10,00;Věra Nováčková, Příčná ulice\r\n"
    const columns = { date: "Den", type: "Typ", amount: "Částka", counterparty: "Plátce" }
    const options = { columns, currency: "CZK" }
    const guesses = [cp852(text), windows1250(text)].map((file) => parseStatement(file, options))
    expect(guesses.map(({ movements }) => movements[0]?.counterparty)).toEqual([
      "Věra Nováčková, Příčná ulice",
      "Věra Nováčková, Příčná ulice"
    ])
    expect(guesses.map(({ notes }) => notes.at(-1))).toMatchObject([
      { _tag: "GuessedEncoding", text: "cp852" },
      { _tag: "GuessedEncoding", text: "windows-1250" }
    ])
    const given = parseStatement(cp852(text), { ...options, encoding: "cp852" })
    expect(given.notes.map(({ _tag }) => _tag)).toEqual(["NoBalances"])
    expect(parseStatement(utf8(text), options).notes.map(({ _tag }) => _tag)).toEqual(["NoBalances"])
    expect(() => parseStatement(csvB(), { encoding: "Klingon" })).toThrow("encoding")
    // Its header proves the format CSV_B.
    expect(parseStatement(csvB()).notes).toEqual([])
  })

  it("windows-1250 whose bytes happen to be valid UTF-8 is told by its letters and what stands beside them, and reported", () => {
    const options = { columns: { date: "Den", type: "Typ", amount: "Suma", counterparty: "Od" }, currency: "CZK" }
    const read = (file: (text: string) => Uint8Array, name: string) => {
      const { movements, notes } = parseStatement(file(`Den;Typ;Suma;Od\r\n1.6.2026;Platba;10,00;${name}\r\n`), options)
      return [movements[0]?.counterparty, notes.some(({ _tag }) => _tag === "GuessedEncoding")]
    }
    for (const name of ["MÍŠA", "MŮŽEK a ŘEŘÍŠ", "ÚŽASNÁ", "KRYŠTŮŽKA"].filter((one) =>
      isValidUtf8(windows1250(one))
    )) {
      expect(read(windows1250, name)).toEqual([name, true])
    }
    expect(["MÍŠA", "MŮŽEK", "ÚŽASNÁ"].map((one) => isValidUtf8(windows1250(one)))).toEqual([true, true, false])
    for (const name of ["Věra Nováčková", "MÍŠA", "Muñoz", "ERDOĞAN", "Олена Шевченко", "Čas", "10 000 −5", "李小龍"]) {
      expect(read(utf8, name)).toEqual([name, false])
    }
  })

  it("ABO is told by the length of its records", () => {
    const [head = "", ...lines] = aboLines
    const named = [head.replace("EXAMPLE S.R.O.", "MÍŠA S.R.O.   "), ...lines]
    const file = abo(named)
    expect(isValidUtf8(file)).toBe(true)
    const statement = parseStatement(file, { currency: "CZK" })
    expect(statement.accountName).toBe("MÍŠA S.R.O.")
    expect(statement.notes).toMatchObject([{ _tag: "GuessedEncoding", text: "windows-1250" }])
    const asUtf8 = utf8(named.map((line) => `${line}\r\n`).join(""))
    expect(parseStatement(asUtf8, { currency: "CZK" })).toMatchObject({ accountName: "MÍŠA S.R.O.", notes: [] })
  })

  it("what an option says overrides nothing that a file says of itself, and is reported", () => {
    const withCode = abo(aboLines.map((line) => line.replace(/0110[12](?=\d{6}$)/, "00978")))
    expect(parseStatement(withCode, { currency: "CZK" })).toMatchObject({
      currency: "EUR",
      notes: [{ _tag: "OptionNotUsed", message: "The file has EUR, so currency: CZK was not used." }]
    })
    expect(parseStatement(csvB(), { currency: "EUR" })).toMatchObject({
      currency: "CZK",
      notes: [{ _tag: "OptionNotUsed" }]
    })
    const period = { from: "2026-06-01", to: "2026-06-15" }
    expect(parseStatement(abo(), { currency: "CZK", period })).toMatchObject({
      period: { to: "2026-06-30" },
      notes: [{ _tag: "OptionNotUsed", text: "2026-06-01 to 2026-06-15" }]
    })
    expect(parseStatement(utf8(clearingXml), { encoding: "windows-1250" }).notes).toMatchObject([
      { _tag: "OptionNotUsed", text: "windows-1250" }
    ])
  })

  it("a file of unknown columns may be the report whose layout is not public: a sample is asked for", () => {
    expect(reasonOf(utf8("Datum;Castka\r\n1.1.2026;1,00\r\n")).message).toContain(
      'the report "Clearing IF++" is not public'
    )
    expect(reasonOf(book([["Datum", "Castka"]]), { spreadsheets }).message).toContain(
      "a sample with its figures and names replaced"
    )
  })
})

describe("A file that is no statement", () => {
  it("is refused: a PDF, a page, nothing at all, noise", () => {
    expect(reasonOf(utf8("%PDF-1.4 …")).message).toContain("PDF")
    expect(reasonOf(utf8(""))._tag).toBe("UnknownStatement")
    expect(reasonOf(utf8("not found"))._tag).toBe("UnknownStatement")
    expect(reasonOf(Uint8Array.from({ length: 5000 }, (_, index) => (index * 193) % 256))._tag).toBe("UnknownStatement")
  })

  it("is refused with more columns than any statement has", () => {
    const wide = `${csvBHead}\r\n${";".repeat(5_000_000)}\r\n`
    expect(reasonOf(utf8(wide))).toMatchObject({
      _tag: "InvalidStatement",
      message: "Line 2: it has more than 200 columns."
    })
  })

  it("is refused beyond 16 MiB, a spreadsheet beyond 64 MiB, unread, or beyond the limits that are given", () => {
    expect(reasonOf(new Uint8Array(16 * 1024 * 1024 + 1))).toMatchObject({
      _tag: "StatementTooLarge",
      message: expect.stringContaining("more than 16 MiB. Order a shorter span of days")
    })
    const spreadsheet = new Uint8Array(64 * 1024 * 1024 + 1)
    spreadsheet.set([0x50, 0x4b, 0x03, 0x04])
    expect(reasonOf(spreadsheet, { spreadsheets })).toMatchObject({ _tag: "StatementTooLarge" })
    expect(reasonOf(csvB(), { maxBytes: csvB().length - 1 })).toMatchObject({
      _tag: "StatementTooLarge",
      message: expect.stringContaining(`more than ${csvB().length - 1} bytes.`)
    })
    for (const file of [csvB(), abo()]) {
      expect(reasonOf(file, { maxMovements: 1, currency: "CZK" }).message).toContain("more than 1 movements.")
    }
    expect(parseStatement(csvB(), { maxBytes: csvB().length }).movements).toHaveLength(6)
    const files = [csvB(), abo(), utf8(clearingXml), book(sheetRows)]
    expect(files.map((file) => outcomeOf(file, { maxMovements: 1, currency: "CZK", spreadsheets }))).toEqual(
      files.map(() => "StatementTooLarge")
    )
    for (const limit of [0, 1.5, Number.NaN]) {
      expect(() => parseStatement(csvB(), { maxBytes: limit })).toThrow(RangeError)
      expect(() => parseStatement(csvB(), { maxMovements: limit })).toThrow("maxMovements")
    }
  })

  it("shows no more of the file in the message than it needs", () => {
    const { message } = reasonOf(replaced(";100,00;", `;${"9".repeat(5000)}\u001b[31m;`))
    expect(message.length).toBeLessThan(200)
    expect(message).not.toContain("\u001b")
  })
})

describe("A StatementError", () => {
  it("links to what to do, and is stable as JSON", () => {
    const error = new StatementError({ reason: { _tag: "CurrencyNeeded", message: "Pass currency." } })
    expect(error.help).toMatch(/docs\/errors\.md#currencyneeded$/)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      _tag: "StatementError",
      message: "Pass currency.",
      help: error.help,
      reason: { _tag: "CurrencyNeeded", message: "Pass currency." }
    })
    expect(error.name).toBe("StatementError")
  })
})
