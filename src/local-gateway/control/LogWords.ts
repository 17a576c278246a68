/**
 * The words in which the dashboard shows the log, and in which the log is searched: so that whatever is seen can be
 * found.
 */
import type { LogEntry } from "./LogEntry.js"

type By = Extract<LogEntry, { readonly type: "state" }>["by"]

type FaultChange = Extract<LogEntry, { readonly type: "fault" }>["change"]

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
  /** What becomes of a fault. */
  readonly changes: { readonly [Change in FaultChange]: string }
  /** Sentences of the gateway's own, which are English in the entries: patterns, and what takes their place. */
  readonly sentences: ReadonlyArray<readonly [pattern: string, replacement: string]>
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
  refused: "refused",
  changes: { armed: "armed", used: "used", disarmed: "disarmed" },
  sentences: []
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
  notified: "notifikace odeslána",
  attempt: "pokus",
  mayBeRefused: "GoPay to může odmítnout",
  movedForward: "posun o",
  refused: "odmítnuto",
  changes: { armed: "připravena", used: "použita", disarmed: "zrušena" },
  sentences: [
    [
      "a firewall refuses JSON with (\\S+) escapes \\(403, an HTML page\\)",
      "firewall odmítne JSON se znaky $1 (403, stránka HTML)"
    ],
    ["The token is for creating payments only\\.", "Token je jen pro vytváření plateb."],
    ["The items sum to (\\d+), the amount is (\\d+)\\.", "Součet položek je $1, částka platby $2."],
    ["A part can be refunded (\\d+) seconds after the payment\\.", "Část platby lze vrátit až $1 s po zaplacení."],
    ["(\\S+) is missing", "chybí $1"],
    ["(\\S+) must be more than 0", "$1 musí být větší než 0"],
    ["not sent: this is not an address", "neodesláno: toto není adresa"],
    ["not sent: only http and https are", "neodesláno: posílá se jen na adresy http a https"],
    [
      "not sent: (\\S+) is not loopback; allow it by name in notificationHosts",
      "neodesláno: $1 není na tomto počítači; povolte adresu jménem v notificationHosts"
    ],
    ["not sent: the order has no notification_url", "neodesláno: objednávka nemá notification_url"],
    ["not sent: merchants are not notified of (\\S+)", "neodesláno: o stavu $1 se obchod nedozvídá"],
    ["not sent: this gateway has no receiver", "neodesláno: tato brána nikomu notifikace nedoručuje"],
    ["dropped by notificationCopies", "zahozeno nastavením notificationCopies"]
  ]
}

/** The words, by language. */
export const logWords: { readonly en: LogWords; readonly cs: LogWords } = { en: english, cs: czech }

/** A sentence of an entry in the language of the words. */
export const sentenceIn = ({ sentences }: LogWords, text: string): string =>
  sentences.reduce((written, [pattern, replacement]) => written.replaceAll(new RegExp(pattern, "g"), replacement), text)
