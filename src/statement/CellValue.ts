/**
 * Amounts and days as written in Czech files.
 */
import { amountFromDecimal } from "../contract/Amount.js"
import { isDay } from "../basics/Day.js"
import { shown } from "./EnglishProblems.js"
import { invalidLine } from "./StatementError.js"

/** Plain, hard, thin, figure and narrow spaces. */
const spaces = /[\u0020\u00a0\u2007\u2009\u202f]/g

/** Digits, grouped by three or not at all, with at most two decimals. */
const amountText = /^[-+]?(?:\d+|\d{1,3}(?: \d{3})+)(?:[.,]\d{1,2})?$/

/** Reads an amount, in minor units. Refuses any other text. */
export const readAmount = (text: string, line: number, column: string): number => {
  const plain = text
    .replace(spaces, " ")
    .replace("\u2212", "-")
    .trim()
    .replace(/^([-+]) /, "$1")
  try {
    if (amountText.test(plain)) return amountFromDecimal(plain.replaceAll(" ", "").replace(",", ".").replace(/^\+/, ""))
  } catch {
    // Reported below.
  }
  throw invalidLine(line, { _tag: "NotAmount", column: shown(column), text: shown(text) })
}

/** Whether a spreadsheet has lost the digits of a number, such as `1E+11`, which stands for many numbers. */
export const isSpoiltNumber = (text: string): boolean => /^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)

/** A day and, if the text has it, a time. */
export interface Moment {
  readonly date: string
  readonly time?: string
}

const czechDay = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?: (\d{1,2}:\d{2}(?::\d{2})?))?$/
const isoDay = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?$/

/** A day of the calendar as `yyyy-mm-dd`, or `undefined`. */
export const calendarDay = (year: string, month: string, day: string): string | undefined => {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  return isDay(text) ? text : undefined
}

const clockTime = (text: string): string | undefined => {
  const [hours = "", ...rest] = text.split(":")
  const isTime = Number(hours) < 24 && rest.every((part) => Number(part) < 60)
  return isTime ? [hours.padStart(2, "0"), ...rest].join(":") : undefined
}

/** Reads a moment: `d.m.yyyy`, with or without a time, or `yyyy-mm-dd`. Refuses any other text. */
export const readMoment = (text: string, line: number, column: string): Moment => {
  const plain = text.replace(spaces, " ").trim()
  const czech = czechDay.exec(plain)
  const iso = isoDay.exec(plain)
  const [year = "", month = "", day = "", clock] =
    czech === null ? (iso?.slice(1) ?? []) : [czech[3], czech[2], czech[1], czech[4]]
  const date = calendarDay(year, month, day)
  const time = clock === undefined ? undefined : clockTime(clock)
  if (date === undefined || (clock !== undefined && time === undefined)) {
    throw invalidLine(line, { _tag: "NotDay", column: shown(column), text: shown(text) })
  }
  return time === undefined ? { date } : { date, time }
}
