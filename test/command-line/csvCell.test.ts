/**
 * Cells of CSV against what a spreadsheet takes for a formula. A comma file opened with semicolons, as a Czech Excel does
 * it, ignores the quotation marks of a cell that does not begin with one.
 */
import { describe, expect, it } from "vitest"
import { csvCell } from "../../src/basics/Csv.js"

/** The cells that a spreadsheet makes of a line with a delimiter: quotation marks count at the beginning of a cell only. */
const cellsOf = (text: string, delimiter: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let at = 0
  while (at <= text.length) {
    let cell = ""
    if (text[at] === '"') {
      at += 1
      while (at < text.length && !(text[at] === '"' && text[at + 1] !== '"')) {
        if (text[at] === '"') at += 1
        cell += text[at] ?? ""
        at += 1
      }
      at += 1
    }
    while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") {
      cell += text[at] ?? ""
      at += 1
    }
    cells.push(cell)
    at += 1
  }
  return cells
}

const isFormula = (cell: string): boolean => /^\s*[=+\-@＝＋－＠]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell)

describe("A cell of CSV", () => {
  it.each([
    `=HYPERLINK("https://example.com")`,
    `x;=HYPERLINK("https://example.com";"x")`,
    `x; =1+1`,
    `x;"=1+1`,
    `x;""=1+1`,
    `"x";=1+1`,
    `x,=1+1`,
    `x\t@SUM(A1)`,
    `x\n=1+1`,
    `x\r\n+1+1`,
    `-1+cmd|' /C calc'!A0`,
    `-5;=1+1`,
    `＝1+1`,
    `;;;=1`,
    `'=1+1;-2+3`,
    `\u00a0=1+1`
  ])("of %j has no formula, whichever separator it is opened with", (text) => {
    for (const delimiter of [",", ";", "\t"]) {
      expect(cellsOf(["a", csvCell(text), "b"].join(","), delimiter).filter(isFormula)).toEqual([])
      expect(cellsOf(["a", csvCell(text), "b"].join(";"), delimiter).filter(isFormula)).toEqual([])
    }
  })

  it.each(["", "-50.00", "-1234", "12.50", "2026-0001", "Jana Nováková", "platba - karta", "a@example.com"])(
    "of %j is as it is, and a negative amount stays a number",
    (text) => {
      expect(csvCell(text)).toBe(text)
    }
  )

  it("is in quotation marks where it has a separator, a mark or a line end", () => {
    expect(csvCell("a,b")).toBe(`"a,b"`)
    expect(csvCell("a;b")).toBe(`"a;b"`)
    expect(csvCell(`a "b"`)).toBe(`"a ""b"""`)
    expect(csvCell("a\nb")).toBe(`"a\nb"`)
  })

  it("has nothing that moves a terminal's cursor or paints", () => {
    expect(csvCell("Jan\u001b[2J\u009b31m Novák\u0007")).toBe("Jan?[2J?31m Novák?")
    expect(csvCell("two\nlines\tand a tab")).toBe('"two\nlines\tand a tab"')
  })
})
