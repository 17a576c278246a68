/**
 * The days on which periods are charged. A period's beginning follows from its name and the shop's time zone.
 */
import { day } from "../../basics/Milliseconds.js"

/** Years start at 1000: `Date.UTC` would take a mistyped 0026 for 1926. */
const pattern = /^([1-9]\d{3})(?:-(?:(\d\d)(?:-(\d\d))?|Q([1-4])|W(\d\d)))?$/

export const periodNames = "a year 2026, a quarter 2026-Q4, a month 2026-12, a week 2026-W49 or a day 2026-12-01"

/** A day of the calendar, as midnight UTC of that date. */
const dayOf = (year: number, month: number, dayOfMonth: number): number => Date.UTC(year, month - 1, dayOfMonth)

const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The Monday of an ISO 8601 week: the first week is the one with 4 January. */
const mondayOf = (year: number, week: number): number => {
  const fourth = dayOf(year, 1, 4)
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7
  return fourth + ((week - 1) * 7 - weekday) * day
}

const weeksOf = (year: number): number => Math.round((mondayOf(year + 1, 1) - mondayOf(year, 1)) / (7 * day))

/** The day on which a period is charged, `yyyy-mm-dd`; `undefined` if the name is not a period's. */
export const chargeDayOf = (period: string, dayOfMonth?: number): string | undefined => {
  const [matched, year = "", month, date, quarter, week] = pattern.exec(period) ?? []
  if (matched === undefined) return undefined
  const y = Number(year)
  if (week !== undefined) {
    const number = Number(week)
    return number >= 1 && number <= weeksOf(y) ? isoDay(mondayOf(y, number)) : undefined
  }
  if (quarter !== undefined) return isoDay(dayOf(y, Number(quarter) * 3 - 2, 1))
  if (month === undefined) return isoDay(dayOf(y, 1, 1))
  const m = Number(month)
  if (m < 1 || m > 12) return undefined
  const last = lastOf(y, m)
  if (date === undefined) return isoDay(dayOf(y, m, Math.min(dayOfMonth ?? 1, last)))
  const d = Number(date)
  return d >= 1 && d <= last ? isoDay(dayOf(y, m, d)) : undefined
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
