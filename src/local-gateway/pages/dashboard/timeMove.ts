/**
 * How far time is to move, as it is typed. Capitals do not matter.
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

const normalized = (text: string): string =>
  text
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .trim()
    .toLowerCase()

const named = (list: ReadonlyArray<readonly [RegExp, number]>, name: string): number | undefined =>
  list.find(([names]) => names.test(name))?.[1]

const durationIn = (text: string): number | string | undefined => {
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

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const clock = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?`

const dates = [
  String.raw`(?<year>\d{4})-(?<month>\d\d?)-(?<day>\d\d?)(?:[t ]+${clock})?`,
  String.raw`(?<day>\d\d?)\. ?(?<month>\d\d?)\.(?: ?(?<year>\d{4}))?(?:,? ?${clock})?`,
  String.raw`(?<day>\d\d?)\.? (?<name>[a-z]{3})[a-z]*\.?(?: (?<year>\d{4}))?(?:,? ${clock})?`,
  clock
].map((pattern) => new RegExp(`^${pattern}$`))

/** The time that a text names, of the reader's clock: the next one, where it does not say which. */
const timeIn = (text: string, now: Date): number | undefined => {
  for (const pattern of dates) {
    const found = pattern.exec(text)?.groups
    if (found === undefined) continue
    const { day = now.getDate(), hour = 0, minute = 0, name, second = 0, year = now.getFullYear() } = found
    const month = name === undefined ? Number(found["month"] ?? now.getMonth() + 1) : monthNames.indexOf(name) + 1
    const date = (laterYears: number, laterDays: number): Date =>
      new Date(
        Number(year) + laterYears,
        month - 1,
        Number(day) + laterDays,
        Number(hour),
        Number(minute),
        Number(second)
      )
    const first = date(0, 0)
    // Such as the 31st of February.
    if (first.getMonth() !== month - 1 || first.getDate() !== Number(day)) return undefined
    if (first > now || found["year"] !== undefined) return first.getTime()
    return date(found["day"] === undefined ? 0 : 1, found["day"] === undefined ? 1 : 0).getTime()
  }
  return undefined
}

/** A time as ISO 8601 writes it, with its offset. */
const isoTime = /^\d{4}-\d\d-\d\dt\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:?\d\d)$/

/**
 * How far time is to move, as the control API takes it: for a duration such as `1 d 12 h`, `+1 month` or `P1M`,
 * or up to a date such as `2026-12-24` or `24. 12. 2026 14:00`, which is the reader's, as is every date on the page.
 * Undefined for anything else, and for the past. `now` is ISO 8601.
 */
export const moveOf = (typed: string, now: string): number | string | undefined => {
  const text = normalized(typed).replace(/^\+ ?/, "")
  if (/^p\w+$/.test(text)) return text.toUpperCase()
  const start = new Date(now)
  const to = isoTime.test(text) ? Date.parse(text.toUpperCase()) : timeIn(text, start)
  if (to === undefined) return durationIn(text)
  const seconds = Math.ceil((to - start.getTime()) / 1000)
  return seconds > 0 ? seconds : undefined
}
