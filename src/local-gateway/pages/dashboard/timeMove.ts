/**
 * How far time is to move.
 */

const units: ReadonlyArray<readonly [names: RegExp, seconds: number]> = [
  [/^(s|sec|secs|seconds?)$/, 1],
  [/^(min|mins|minutes?)$/, 60],
  [/^(h|hours?)$/, 3600],
  [/^(d|days?)$/, 24 * 3600],
  [/^(w|weeks?)$/, 7 * 24 * 3600]
]

/** Units that are as long as the calendar says. */
const calendarUnits: ReadonlyArray<readonly [names: RegExp, months: number]> = [
  [/^(mo|months?)$/, 1],
  [/^(y|years?)$/, 12]
]

const parts = /(\d+(?:[.,]\d+)?)\s*([a-z]+)\.?/g

/** Between the parts of a duration. */
const between = /^(\s|,|and|\+)*$/

const named = (list: ReadonlyArray<readonly [RegExp, number]>, name: string): number | undefined =>
  list.find(([names]) => names.test(name))?.[1]

/**
 * A duration as it is typed, such as `1 d 12 h`, `+1 month` or `P1M`, as the control API takes it. Capitals do not
 * matter. Undefined for anything else.
 */
export const durationIn = (typed: string): number | string | undefined => {
  const text = typed.trim().toLowerCase()
  if (/^p\w+$/.test(text)) return text.toUpperCase()
  if (!/\d/.test(text) || !between.test(text.replaceAll(parts, " "))) return undefined
  let months = 0
  let seconds = 0
  for (const [, written = "", unit = ""] of text.matchAll(parts)) {
    const count = Number(written.replace(",", "."))
    const [length, calendar] = [named(units, unit), named(calendarUnits, unit)]
    if (length !== undefined) seconds += count * length
    else if (calendar !== undefined && Number.isInteger(count)) months += count * calendar
    else return undefined
  }
  return months === 0 ? seconds : `P${months}M${seconds === 0 ? "" : `T${seconds}S`}`
}

/** The seconds up to a time, of the reader's clock where it names no zone; undefined for none, and for the past. */
export const secondsUntil = (time: string, now: string): number | undefined => {
  const seconds = Math.ceil((Date.parse(time) - Date.parse(now)) / 1000)
  return seconds > 0 ? seconds : undefined
}
