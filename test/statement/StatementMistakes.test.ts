/**
 * Files that are not what was meant, and what the errors say to do about them.
 */
import { describe, expect, it } from "vitest"
import { parseOrders, parseStatement, StatementError, type ParseStatementOptions } from "../../src/statement/index.js"
import { csvB, csvBLines, utf8, windows1250 } from "./files.js"

const problemOf = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (error instanceof StatementError) return error.reason
    throw error
  }
  throw new Error("The file was read.")
}

const reasonOf = (file: Uint8Array, options?: ParseStatementOptions) => problemOf(() => parseStatement(file, options))

const text = csvBLines.map((line) => `${line}\r\n`).join("")

describe("A file", () => {
  it.each(["", " \r\n", "\ufeff"])("that is empty (%j) is said to be empty", (content) => {
    expect(reasonOf(utf8(content)).message).toBe("The file is empty. Download it again.")
    expect(problemOf(() => parseOrders(utf8(content))).message).toBe("The file is empty. Download it again.")
  })

  it("with two currencies names them and what to order, before its balances", () => {
    const [last = ""] = csvBLines.slice(-1)
    const euros = last.replace(/^\d+/, "9999").replace(";1 280,01;0,00;CZK;", ";5 000,00;3 719,99;EUR;")
    expect(reasonOf(csvB([...csvBLines, euros]))).toMatchObject({
      _tag: "InvalidStatement",
      line: 8,
      message: "Line 8: the currency is EUR, and that of the lines above is CZK. Order a statement for each currency."
    })
  })

  it("read in a wrong encoding names it", () => {
    expect(reasonOf(utf8(text), { encoding: "windows-1250" }).message).toContain(
      "the file is utf-8. Leave encoding out"
    )
    expect(parseStatement(windows1250(text), { encoding: "utf-8" }).notes).toMatchObject([
      { _tag: "OptionNotUsed", message: "The file has windows-1250, so encoding: utf-8 was not used." }
    ])
    expect(parseStatement(windows1250(text), { encoding: "windows-1250" }).notes).toEqual([])
    const twice = new TextDecoder("windows-1250").decode(utf8(text))
    expect(reasonOf(utf8(twice)).message).toContain("Their letters are spoilt")
    expect(reasonOf(utf8("Den;Částka\n1;2\n")).message).not.toContain("spoilt")
  })

  it("with a remark above its headers, and a row without an amount, is read below them", () => {
    const remark = "A report, made on 1 July"
    const columns = { date: "date", type: "type", amount: "amount" }
    const other = `${remark}\ndate,type,amount\n2026-06-01,OPENING,\n2026-06-02,Platba,5.00\n`
    expect(parseStatement(utf8(other), { columns, currency: "CZK" })).toMatchObject({
      movements: [{ line: 4, amount: 500 }],
      notes: [
        { _tag: "UnknownRow", line: 1, message: `Line 1: "${remark}" stands above the headers and was skipped.` },
        { _tag: "UnknownRow", line: 3, text: "2026-06-01 OPENING" },
        { _tag: "NoBalances" }
      ]
    })
    expect(parseStatement(windows1250(`${remark}\r\n${text}`))).toMatchObject({
      format: "CSV_B",
      movements: { length: 6 },
      notes: [{ _tag: "UnknownRow" }]
    })
    expect(
      reasonOf(csvB([...csvBLines.slice(0, -1), (csvBLines[6] ?? "").replace("-1 280,01", "")])).message
    ).toContain('Line 7: Částka is not an amount such as 1 234,50: ""')
  })

  it("whose days are out of order is read, and the line is named", () => {
    const lines = csvBLines.map((line, index) => (index === 2 ? line.replace("01.06.2026", "01.06.2062") : line))
    expect(parseStatement(csvB(lines)).notes).toMatchObject([{ _tag: "DayOutOfOrder", line: 3, text: "2062-06-01" }])
  })
})
