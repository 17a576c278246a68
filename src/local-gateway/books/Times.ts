/**
 * Times and durations in ISO 8601.
 */
import * as DateTime from "effect/DateTime"

/** A time in UTC: `2026-01-31T12:00:00.000Z`; `millis` since 1970. */
export const isoTime = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** A time in Prague; `millis` since 1970. */
export const zoned = (millis: number): DateTime.Zoned => DateTime.makeZonedUnsafe(millis, { timeZone: "Europe/Prague" })

/** The end of a day, `yyyy-mm-dd`, in Prague: in milliseconds since 1970. */
export const midnightAfter = (date: string): number =>
  DateTime.toEpochMillis(
    DateTime.add(DateTime.makeZonedUnsafe(`${date}T00:00:00`, { timeZone: "Europe/Prague", adjustForTimeZone: true }), {
      days: 1
    })
  )

/** Date and time: `2023-04-26T15:58:18.581+0200`, with no colon in the offset, as recorded. */
export const timestamp = (millis: number): string => DateTime.formatIsoOffset(zoned(millis)).replace(/:(\d\d)$/, "$1")

/** The day in Prague: `2023-04-26`. */
export const day = (millis: number): string => timestamp(millis).slice(0, 10)

/** A duration in calendar units, whose length depends on the time in Prague, and in hours and smaller units. */
interface CalendarDuration {
  readonly years: number
  readonly months: number
  readonly weeks: number
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

/** A date and time with its offset from UTC. */
const isoTimePattern = /^(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)$/

/** A duration such as `P1M`, `P10D` or `PT12H30M`. */
export const isoDurationPattern =
  /^P(?=\w)((\d{1,4})Y)?((\d{1,4})M)?((\d{1,4})W)?((\d{1,5})D)?(T(?=\d)((\d{1,6})H)?((\d{1,7})M)?((\d{1,9}(\.\d{1,3})?)S)?)?$/

/** Reads a duration; `undefined` if it is not one. */
export const readIsoDuration = (text: string): CalendarDuration | undefined => {
  const found = isoDurationPattern.exec(text)
  if (found === null) return undefined
  const part = (index: number): number => Number(found[index] ?? 0)
  return {
    years: part(2),
    months: part(4),
    weeks: part(6),
    days: part(8),
    hours: part(11),
    minutes: part(13),
    seconds: part(15)
  }
}

/** Adds a duration to a time, in milliseconds since 1970. */
export const later = (millis: number, duration: CalendarDuration): number =>
  DateTime.toEpochMillis(DateTime.add(zoned(millis), { ...duration, ...fraction(duration) }))

/** Subtracts a duration from a time, in milliseconds since 1970. */
export const earlier = (millis: number, duration: CalendarDuration): number =>
  DateTime.toEpochMillis(DateTime.subtract(zoned(millis), { ...duration, ...fraction(duration) }))

const fraction = ({ seconds }: CalendarDuration) => {
  const whole = Math.floor(seconds)
  return { seconds: whole, milliseconds: Math.round((seconds - whole) * 1000) }
}

const durationFromNow = (text: string): CalendarDuration | undefined => readIsoDuration(text.replace(/^-/, ""))

/** Whether a text is a time, or a duration relative to now: `-P3D` is three days ago. */
export const isTimeOrDistance = (text: string): boolean =>
  durationFromNow(text) !== undefined || (isoTimePattern.test(text) && DateTime.make(text)._tag === "Some")

/** The time of a text that {@link isTimeOrDistance} accepts, in milliseconds since 1970. */
export const timeFrom = (now: number, text: string): number => {
  const duration = durationFromNow(text)
  if (duration === undefined) return DateTime.toEpochMillis(DateTime.makeUnsafe(text))
  return text.startsWith("-") ? earlier(now, duration) : later(now, duration)
}

/** In seconds: the furthest that time can be moved, about 1000 years, so that every time can still be written. */
export const maxAdvanceSeconds = 1000 * 366 * 24 * 3600
