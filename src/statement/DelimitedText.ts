/**
 * A strict parser of delimited text: a quotation mark may only open a cell, or occur doubled in a quoted one.
 */
import { invalidLine } from "./StatementError.js"

/** More than any statement or export of orders has. */
const maxColumns = 200

export interface Row {
  /** The line on which the row begins; the first is 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

interface Cell {
  readonly text: string
  /** Where the cell ends. */
  readonly end: number
}

const quotedCell = (text: string, start: number, line: number): Cell => {
  let end = start + 1
  let content = ""
  for (;;) {
    const mark = text.indexOf('"', end)
    if (mark === -1) throw invalidLine(line, { _tag: "OpenQuotation" })
    content += text.slice(end, mark)
    if (text[mark + 1] !== '"') return { text: content, end: mark + 1 }
    content += '"'
    end = mark + 2
  }
}

const plainCell = (text: string, start: number, delimiter: string, line: number): Cell => {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1
  const content = text.slice(start, end)
  if (content.includes('"')) throw invalidLine(line, { _tag: "QuotationWithin" })
  return { text: content, end }
}

/** The text below a line `sep=;`, with which some programs tell Excel the delimiter. */
export interface Table {
  readonly text: string
  /** The line on which the text begins. */
  readonly line: number
  readonly delimiter: string | undefined
}

/** Splits off the line `sep=;`, if there is one, and its delimiter. */
export const tableOf = (text: string): Table => {
  const [first = "", delimiter] = /^sep=([^\r\n])(?:\r\n|\n|\r)/i.exec(text) ?? []
  return { text: text.slice(first.length), line: first === "" ? 1 : 2, delimiter }
}

/** The table below its first line. */
export const withoutFirstLine = (table: Table): Table => {
  const [first = ""] = /^[^\r\n]*(?:\r\n|\n|\r)?/.exec(table.text) ?? []
  return { ...table, text: table.text.slice(first.length), line: table.line + 1 }
}

/** The rows of a text without blank lines, and whether the last one has a line end. */
export const rowsOf = (
  text: string,
  delimiter: string,
  maxRows: number,
  onTooMany: () => Error,
  firstLine = 1
): { readonly rows: ReadonlyArray<Row>; readonly isEnded: boolean } => {
  const rows: Array<Row> = []
  let line = firstLine
  let at = 0
  let isEnded = true
  while (at < text.length) {
    const cells: Array<string> = []
    const startLine = line
    isEnded = false
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, delimiter, line)
      line += cell.text.split("\n").length - 1
      cells.push(cell.text)
      at = cell.end
      if (text[at] !== delimiter) break
      if (cells.length >= maxColumns) throw invalidLine(line, { _tag: "TooManyColumns", limit: maxColumns })
      at += 1
    }
    if (at < text.length) {
      if (text[at] !== "\r" && text[at] !== "\n") throw invalidLine(line, { _tag: "TextAfterQuotation" })
      at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1
      isEnded = true
      line += 1
    }
    if (cells.length > 1 || cells[0]?.trim() !== "") rows.push({ line: startLine, cells })
    if (rows.length > maxRows) throw onTooMany()
  }
  return { rows, isEnded }
}

/** The possible delimiters. */
export const delimiters: ReadonlyArray<string> = [";", ",", "\t"]

/** The headers in the first line; empty if it cannot be split. */
export const headsOf = ({ text }: Table, delimiter: string): ReadonlyArray<string> => {
  const firstLine = /^[^\r\n]{0,10000}/.exec(text)?.[0] ?? ""
  try {
    const [first] = rowsOf(firstLine, delimiter, 1, () => new Error("one line")).rows
    return (first?.cells ?? []).map((head) => head.trim())
  } catch {
    return []
  }
}

/** The headers and the delimiter, if the table has all of the wanted columns. */
export const headed = (
  table: Table,
  wanted: ReadonlyArray<string>
): { readonly heads: ReadonlyArray<string>; readonly delimiter: string } | undefined =>
  (table.delimiter === undefined ? delimiters : [table.delimiter])
    .map((delimiter) => ({ delimiter, heads: headsOf(table, delimiter) }))
    .find(({ heads }) => wanted.every((head) => heads.includes(head)))
