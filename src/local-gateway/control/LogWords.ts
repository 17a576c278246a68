/**
 * The words in which the dashboard shows the log, and in which the log is searched: so that whatever is seen can be
 * found.
 */
import type { LogEntry } from "./LogEntry.js"

type By = Extract<LogEntry, { readonly type: "state" }>["by"]

/** Words of the log in one language. */
export interface LogWords {
  /** The kinds of entries. */
  readonly kinds: { readonly [Type in LogEntry["type"]]: string }
  readonly actors: { readonly [Actor in By]: string }
  /** In place of the passage of time; `{}` stands for the length of the jump. */
  readonly byJump: string
  /** What time does to a payment, by the state that it gets. */
  readonly reasons: { readonly [state: string]: string }
  readonly noResponse: string
  readonly notified: string
  readonly attempt: string
  readonly mayBeRefused: string
  readonly movedForward: string
  readonly refused: string
}

const english: LogWords = {
  kinds: {
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
  },
  actors: {
    merchant: "by the shop",
    payer: "by the payer",
    time: "by the passage of time",
    control: "by the control API"
  },
  byJump: "by the +{} jump",
  reasons: { TIMEOUTED: "expired", CANCELED: "released" },
  noResponse: "no response",
  notified: "notified",
  attempt: "attempt",
  mayBeRefused: "GoPay may refuse this",
  movedForward: "moved forward by",
  refused: "refused"
}

const czech: LogWords = {
  kinds: {
    request: "Volání API",
    state: "Stav",
    recurrence: "Opakování",
    preauthorization: "Předautorizace",
    operation: "Operace",
    notification: "Notifikace",
    warning: "Varování",
    control: "Ovládání",
    time: "Čas",
    fault: "Porucha"
  },
  actors: { merchant: "obchod", payer: "plátce", time: "uplynutím času", control: "ovládací API" },
  byJump: "posunem času o {}",
  reasons: { TIMEOUTED: "vypršela", CANCELED: "uvolněna" },
  noResponse: "bez odpovědi",
  notified: "notifikováno",
  attempt: "pokus",
  mayBeRefused: "GoPay to může odmítnout",
  movedForward: "posun o",
  refused: "odmítnuto"
}

/** The words, by language. */
export const logWords: { readonly en: LogWords; readonly cs: LogWords } = { en: english, cs: czech }
