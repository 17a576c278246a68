/**
 * The gateway's dates and times, and when a day begins.
 */
import * as Milliseconds from "./Milliseconds.js"

/** Whether a text is a day that exists, written `yyyy-mm-dd`. */
export const isDay = (value: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

/** The day that is this many days later, or earlier if negative. */
export const shiftedDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * Milliseconds.day).toISOString().slice(0, 10)

/**
 * A time of the gateway in ISO 8601, such as `2026-10-03T14:05:09.000+0200`: not every engine parses an offset without
 * a colon.
 */
export const isoTimestamp = (timestamp: string): string => timestamp.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")

/** The month in which a card expires, `yyyy-mm`, from the gateway's `YYMM`; `undefined` if that is not valid. */
export const expiryMonthOf = (cardExpiration: string | undefined): string | undefined => {
  const [, year, month] = /^(\d\d)(0[1-9]|1[0-2])$/.exec(cardExpiration ?? "") ?? []
  return year === undefined ? undefined : `20${year}-${month}`
}

/** What is wrong with the name of a time zone. */
export const timeZoneProblem = (timeZone: string): string | undefined => {
  try {
    void Intl.DateTimeFormat("en", { timeZone })
    return undefined
  } catch {
    return `timeZone is unknown: ${timeZone}. Give one such as Europe/Prague`
  }
}

/** The time at which a day begins in a time zone, in milliseconds since 1970. */
export const startOfDay = (text: string, timeZone: string): number => {
  const wanted = Date.parse(`${text}T00:00:00Z`)
  // The clock may change between the first guess and the result.
  const first = wanted - offsetAt(wanted, timeZone)
  const second = wanted - offsetAt(first, timeZone)
  // If the clocks go forward at midnight, the day begins an hour later.
  return Math.max(second, wanted - offsetAt(second, timeZone))
}

/** The day of a time in a time zone, `yyyy-mm-dd`. */
export const dayIn = (timeZone: string, millis: number): string =>
  new Date(millis + offsetAt(millis, timeZone)).toISOString().slice(0, 10)

/** Formatters by time zone: creating one takes much longer than using it. */
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
  return (
    (sign === "+" ? 1 : -1) *
    (Number(hours) * Milliseconds.hour + Number(minutes) * Milliseconds.minute + Number(seconds) * Milliseconds.second)
  )
}
