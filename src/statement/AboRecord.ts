/**
 * A record of ABO: a line of 128 characters whose fields are read by position.
 */
import { calendarDay } from "./CellValue.js"
import { shown } from "./EnglishProblems.js"
import { invalidLine } from "./StatementError.js"
import type { StatementField } from "./StatementProblem.js"

/** The characters of a record. */
export const recordLength = 128

/** Where the fields of a record 074 end. The rest is spaces, which some programs omit. */
const headLength = 114

export const isAbo = (text: string): boolean => /^074\d{16}/.test(text)

/** A record whose fields are read by position; the first is 0. */
export class Fields {
  readonly line: number
  private readonly record: string

  constructor(line: number, record: string) {
    this.line = line
    this.record = record
  }

  text(start: number, length: number): string {
    return this.record.slice(start, start + length).trim()
  }

  digits(start: number, length: number, field: StatementField): string {
    const text = this.record.slice(start, start + length)
    if (!/^\d+$/.test(text)) throw invalidLine(this.line, { _tag: "NotDigits", field, text: shown(text) })
    return text
  }

  amount(start: number, length: number, field: StatementField): number {
    return Number(this.digits(start, length, field))
  }

  /** An amount with its sign after it. */
  signed(start: number, field: StatementField): number {
    const sign = this.record[start + 14] ?? ""
    const amount = this.amount(start, 14, field)
    if (!["+", "-", "0", " "].includes(sign))
      throw invalidLine(this.line, { _tag: "NotSign", field, text: shown(sign) })
    return sign === "-" && amount !== 0 ? -amount : amount
  }

  /** A day, written `ddmmyy`. */
  day(start: number, field: StatementField): string {
    const text = this.digits(start, 6, field)
    const day = calendarDay(`20${text.slice(4)}`, text.slice(2, 4), text.slice(0, 2))
    if (day === undefined) throw invalidLine(this.line, { _tag: "FieldNotDay", field, text })
    return day
  }
}

/** A record 074 filled up to its full length, and any other record unchanged. */
export const wholeHead = (record: string): string => {
  const fields = record.trimEnd()
  return fields.startsWith("074") && fields.length >= headLength ? fields.padEnd(recordLength) : record
}

const linesOf = (text: string): ReadonlyArray<string> => text.split(/\r\n|\n|\r/)

/** How many records of an ABO file have the wrong length: a wrongly guessed encoding shifts them. */
export const shiftedRecords = (text: string): number =>
  linesOf(text).filter((line) => /^07[45]/.test(line) && wholeHead(line).length !== recordLength).length
