/**
 * Time as the gateway writes it: the local time of Prague, with its offset.
 */
import * as DateTime from "effect/DateTime"

/** Date and time: `2023-04-26T15:58:18.581+0200`, with no colon in the offset, as in recorded answers. */
export const timestamp = (millis: number): string =>
  DateTime.formatIsoOffset(DateTime.makeZonedUnsafe(millis, { timeZone: "Europe/Prague" })).replace(/:(\d\d)$/, "$1")

/** The day in Prague: `2023-04-26`. */
export const day = (millis: number): string => timestamp(millis).slice(0, 10)
