/**
 * The order of a payment's timeline.
 */
import type { LogEntry } from "./controlResponses.js"

/** A call is logged with its response, after its effects, which come this soon before it. */
const longestMillis = 2000

const isEffect = (cause: LogEntry, effect: LogEntry): boolean => {
  const late = Date.parse(cause.at) - Date.parse(effect.at)
  if (late > longestMillis + ("duration_millis" in cause ? cause.duration_millis : 0)) return false
  switch (effect.type) {
    case "state":
    case "recurrence":
    case "preauthorization":
      return cause.type === "request" ? effect.by === "merchant" : effect.by === "control" || effect.by === "payer"
    case "operation":
    case "warning":
      return cause.type === "request"
    default:
      return false
  }
}

/** The entries, which are in the order of the log, with each call before what it has caused. */
export const causesFirst = (entries: ReadonlyArray<LogEntry>): ReadonlyArray<LogEntry> => {
  const ordered: Array<LogEntry> = []
  for (const entry of entries) {
    let place = ordered.length
    if (entry.type === "request" || entry.type === "control") {
      for (
        let effect = ordered[place - 1];
        effect !== undefined && isEffect(entry, effect);
        effect = ordered[place - 1]
      ) {
        place--
      }
    }
    ordered.splice(place, 0, entry)
  }
  return ordered
}
