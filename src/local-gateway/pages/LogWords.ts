/**
 * The words in which the dashboard shows the log, and in which the log is searched: so that whatever is seen can be
 * found.
 */
import type { LogEntry } from "./LogEntry.js"

type By = Extract<LogEntry, { readonly type: "state" }>["by"]

type FaultChange = Extract<LogEntry, { readonly type: "fault" }>["change"]

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

const actors: { readonly [Actor in By]: string } = {
  merchant: "by the shop",
  payer: "by the payer",
  time: "by the passage of time",
  control: "by the control API"
}

/** What time does to a payment, by the state that it gets. */
const reasons: { readonly [state: string]: string } = { TIMEOUTED: "expired", CANCELED: "released" }

/** What becomes of a fault. */
const changes: { readonly [Change in FaultChange]: string } = { armed: "armed", used: "used", disarmed: "disarmed" }

/** The words. */
export const logWords = {
  kinds,
  actors,
  /** In place of the passage of time; `{}` stands for the length of the jump. */
  byJump: "by the +{} jump",
  reasons,
  noResponse: "no response",
  notified: "notified",
  attempt: "attempt",
  mayBeRefused: "GoPay may refuse this",
  movedForward: "moved forward by",
  refused: "refused",
  changes
}

/** The words, as the dashboard gets them. */
export type LogWords = typeof logWords
