/**
 * The words in which the dashboard shows the log, and in which the log is searched: so that whatever is seen can be
 * found.
 */
import { ownMember } from "../../contract/OwnMember.js"
import type { LogEntry } from "./LogEntry.js"

/** A change that was caused by someone, or by time. */
type Change = Extract<LogEntry, { readonly type: "state" | "recurrence" | "preauthorization" }>

const kinds: { readonly [Type in LogEntry["type"]]: string } = {
  request: "API call",
  state: "State",
  recurrence: "Recurrence",
  preauthorization: "Hold",
  operation: "Operation",
  notification: "Notification",
  warning: "Warning",
  control: "Control",
  time: "Time",
  fault: "Fault"
}

/** The words. */
export const logWords = {
  kinds,
  noResponse: "no response",
  notified: "notified",
  attempt: "attempt",
  mayBeRefused: "GoPay may refuse this",
  movedForward: "moved forward by",
  refused: "refused"
}

const actors: { readonly [Actor in Change["by"]]: string } = {
  merchant: "by the shop",
  payer: "by the payer",
  time: "by the passage of time",
  control: "by the control API"
}

/** What time does to a payment, by the state that it gets. */
const reasons: { readonly [state: string]: string } = { TIMEOUTED: "expired", CANCELED: "released" }

/** The one who caused a change, or the time that did, such as `expired by the +12 h jump`. */
export const causeText = ({ by, jump_millis, to }: Change): string => {
  const actor = jump_millis === undefined ? actors[by] : `by the +${durationText(jump_millis / 1000)} jump`
  const reason = by === "time" ? ownMember(reasons, to) : undefined
  return reason === undefined ? actor : `${reason} ${actor}`
}

/** The words of a query. */
export const wordsOf = (query: string): ReadonlyArray<string> =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")

/** A space at which no line breaks. */
export const noBreak = "\u00a0"

const integer = new Intl.NumberFormat("en")

const units = [
  ["d", 24 * 3600],
  ["h", 3600],
  ["min", 60],
  ["s", 1]
] as const

/** A time span in its two largest units, such as `4 d 2 h` or `59 s`; less than a second is `0 s`. */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const largest = units.findIndex(([, size]) => whole >= size)
  if (largest === -1) return `0${noBreak}s`
  return units
    .slice(largest, largest + 2)
    .flatMap(([name, size], index) => {
      const count = Math.floor((index === 0 ? whole : whole % (units[largest]?.[1] ?? 1)) / size)
      return count === 0 ? [] : [`${integer.format(count)}${noBreak}${name}`]
    })
    .join(" ")
}
