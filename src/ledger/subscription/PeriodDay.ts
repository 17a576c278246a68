/**
 * The days of periods. A period has a name; when it begins follows from the name and the shop's time zone.
 */
import { day, hour, minute, second } from "../../contract/Milliseconds.js"

const pattern = /^(\d{4})(?:-(?:(\d\d)(?:-(\d\d))?|Q([1-4])|W(\d\d)))?$/

export const periodNames = "a year 2026, a quarter 2026-Q4, a month 2026-12, a week 2026-W49 or a day 2026-12-01"

/** A day of the calendar, as the midnight of UTC that bears its name. */
const dayOf = (year: number, month: number, dayOfMonth: number): number => Date.UTC(year, month - 1, dayOfMonth)

const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The Monday of a week as ISO 8601 counts them: the first week has the 4th of January. */
const mondayOf = (year: number, week: number): number => {
  const fourth = dayOf(year, 1, 4)
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7
  return fourth + ((week - 1) * 7 - weekday) * day
}

const weeksOf = (year: number): number => Math.round((mondayOf(year + 1, 1) - mondayOf(year, 1)) / (7 * day))

/** The day on which a period is charged, `yyyy-mm-dd`; nothing for a name that is none. */
export const chargeDayOf = (period: string, dayOfMonth?: number): string | undefined => {
  const [matched, year = "", month, date, quarter, week] = pattern.exec(period) ?? []
  if (matched === undefined) return undefined
  const y = Number(year)
  if (week !== undefined) {
    const number = Number(week)
    return number >= 1 && number <= weeksOf(y) ? textOf(mondayOf(y, number)) : undefined
  }
  if (quarter !== undefined) return textOf(dayOf(y, Number(quarter) * 3 - 2, 1))
  if (month === undefined) return textOf(dayOf(y, 1, 1))
  const m = Number(month)
  if (m < 1 || m > 12) return undefined
  const last = lastOf(y, m)
  if (date === undefined) return textOf(dayOf(y, m, Math.min(dayOfMonth ?? 1, last)))
  const d = Number(date)
  return d >= 1 && d <= last ? textOf(dayOf(y, m, d)) : undefined
}

/** Whether a period is a month, which has a day to be charged on. */
export const isMonth = (period: string): boolean => /^\d{4}-\d\d$/.test(period)

const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The time at which a day begins in a time zone, in milliseconds since 1970. */
export const startOfDay = (text: string, timeZone: string): number => {
  const wanted = Date.parse(`${text}T00:00:00Z`)
  // A change of the clock may lie between the first guess and the answer.
  const first = wanted - offsetAt(wanted, timeZone)
  const second = wanted - offsetAt(first, timeZone)
  // Where the clocks go forward at midnight, the day begins an hour later.
  return Math.max(second, wanted - offsetAt(second, timeZone))
}

/** The clock of a time zone. Making it takes much longer than reading it. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** How much a time zone is ahead of UTC at a time, in milliseconds. */
const offsetAt = (time: number, timeZone: string): number => {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  clocks.set(timeZone, clock)
  const shown = clock.format(time)
  // Such as 12/1/2026, GMT+01:00; of a year long ago with seconds, GMT+00:57:44.
  const [zone, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT(?:([+−-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(shown) ?? []
  if (zone === undefined) throw new Error(`The runtime shows no offset of the time zone ${timeZone}: ${shown}`)
  return (sign === "+" ? 1 : -1) * (Number(hours) * hour + Number(minutes) * minute + Number(seconds) * second)
}

/** The month in which a card expires, `yyyy-mm`, from the gateway's `YYMM`; nothing where it is none. */
export const expiryMonthOf = (cardExpiration: string | undefined): string | undefined => {
  const [, year, month] = /^(\d\d)(0[1-9]|1[0-2])$/.exec(cardExpiration ?? "") ?? []
  return year === undefined ? undefined : `20${year}-${month}`
}
