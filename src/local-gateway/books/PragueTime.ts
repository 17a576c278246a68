/**
 * Time as the gateway writes it: the local time of Prague, with its offset.
 */
import * as DateTime from "effect/DateTime"

/** A time as it is in Prague; in milliseconds since 1970. */
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
