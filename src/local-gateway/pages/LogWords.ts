/**
 * The words in which the dashboard shows the log. The log is searched in the same words, so that everything shown can
 * be found.
 */
import { durationText, noBreak } from "../../basics/DurationText.js"
import { ownMember } from "../../basics/OwnMember.js"
import { decimalText, moneyText } from "../../html/Money.js"
import type { LogEntry } from "./LogEntry.js"

/** The kind of an entry. Not every request calls an operation of the API: some open a page. */
export const kindOf = (entry: LogEntry): string =>
  entry.type === "request" && entry.operation === undefined ? "Request" : logKinds[entry.type]

/** The kinds of entries. */
export const logKinds: { readonly [Type in LogEntry["type"]]: string } = {
  request: "API call",
  state: "State",
  payer: "Payer",
  recurrence: "Recurrence",
  preauthorization: "Hold",
  operation: "Operation",
  notification: "Notification",
  warning: "Warning",
  control: "Control",
  time: "Time",
  fault: "Fault"
}

// ---------------------------------------------------------------------------------------------------------------------
// Formats
// ---------------------------------------------------------------------------------------------------------------------

/** A text in a form for searching: `Nováková` is found by `novakova`. */
export const searchable = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** The words of a query. */
export const wordsOf = (query: string): ReadonlyArray<string> =>
  searchable(query)
    .split(/\s+/)
    .filter((word) => word !== "")

/** A code as words, such as `time out` of `timeOut` or `recurrence end` of `recurrenceEnd`. */
export const words = (code: string): string =>
  code
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/[-_]/g, " ")
    .trim()

const decimal1 = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })

/** An amount in minor units with its currency, such as `1,399.50 CZK`. All currencies of the gateway have two decimals. */
export const amountText = (minorUnits: number, currency?: string): string =>
  currency === undefined ? decimalText(minorUnits, "en") : moneyText(minorUnits, currency, "en")

/** `4444 4444 4444 4448`: a card number or an IBAN in groups of four. */
export const grouped = (number: string): string => number.replaceAll(/(?<=^(?:.{4})+)(?=.)/g, " ")

/** A short duration, such as `0.4 ms`, `15 ms` or `1.2 s`. */
export const millisText = (millis: number): string => {
  if (millis < 1000) return `${decimal1.format(millis < 10 ? millis : Math.round(millis))}${noBreak}ms`
  return millis < 60_000 ? `${decimal1.format(millis / 1000)}${noBreak}s` : durationText(millis / 1000)
}

/** Why a response to a notification does not count, where it does not: the gateway takes 200 and nothing else. */
export const notTakenText = (status: number): string | undefined => {
  if (status === 200) return undefined
  return status >= 300 && status < 400 ? "a redirect is not followed" : "only 200 counts"
}

/** The status of a response. */
export const statusText = (status: number): string => (status === 0 ? "no response" : String(status))

// ---------------------------------------------------------------------------------------------------------------------
// Entries
// ---------------------------------------------------------------------------------------------------------------------

/** A change caused by an actor, or by time. */
type Change = Extract<LogEntry, { readonly type: "state" | "recurrence" | "preauthorization" }>

const actors: { readonly [Actor in Change["by"]]: string } = {
  merchant: "by the shop",
  payer: "by the payer",
  time: "by the passage of time",
  control: "by the control API"
}

/** How time has changed a payment, by its new state. */
const reasons: { readonly [state: string]: string } = { TIMEOUTED: "expired", CANCELED: "released" }

/** Who or what caused a change, such as `expired by the +12 h jump`. */
const causeText = ({ by, jump_millis, to }: Change): string => {
  const actor = jump_millis === undefined ? actors[by] : `by the +${durationText(jump_millis / 1000)} jump`
  const reason = by === "time" ? ownMember(reasons, to) : undefined
  return reason === undefined ? actor : `${reason} ${actor}`
}

/** What happened on the payer's side, besides the states of the payment. */
const payerTexts: { readonly [Action in Extract<LogEntry, { readonly type: "payer" }>["action"]]: string } = {
  threeDSecure: "asked for 3-D Secure",
  returned: "sent back to the shop"
}

/** A part of an entry's line, with its appearance. */
export type Piece = readonly [
  look: "status" | "tag" | "chip" | "what" | "path" | "quiet" | "number" | "warning" | "problem",
  text: string
]

type Pieces = ReadonlyArray<Piece>

/** A piece, if there is something to show. */
const some = (look: Piece[0], value: string | number | undefined, text = String(value)): Pieces =>
  value === undefined || value === 0 || value === "" ? [] : [[look, text]]

/** The line of an entry. `meanings` are those of the sub-states; the currency is for amounts without one. */
export const piecesOf = (
  entry: LogEntry,
  meanings: { readonly [subState: string]: string },
  currency?: string
): Pieces => {
  switch (entry.type) {
    case "request": {
      const { duration_millis, error_codes = [], fault, method, operation, path, status } = entry
      return [
        ["status", statusText(status)],
        ...error_codes.map((code) => ["tag", String(code)] as const),
        ...some("what", operation),
        ["path", `${method} ${path}`],
        ...some("tag", fault, `fault: ${words(fault ?? "")}`),
        ["number", millisText(duration_millis)]
      ]
    }
    case "notification": {
      const { attempt, duration_millis, method = "GET", problem, status, url } = entry
      if (attempt === 0) {
        return [["what", "not notified"], ["path", `${method} ${url}`], ...some("problem", problem)]
      }
      return [
        ["status", statusText(status)],
        [
          "what",
          `${status === 200 ? "notified" : "notification not taken"}${attempt <= 1 ? "" : `, attempt ${attempt}`}`
        ],
        ["path", `${method} ${url}`],
        ...some("problem", problem ?? notTakenText(status)),
        ...some("number", duration_millis, millisText(duration_millis ?? 0))
      ]
    }
    case "state": {
      const { from, received, refunded, to } = entry
      // After a refund, the sub-state still says how the payment was made.
      const sub_state = to.endsWith("REFUNDED") ? "" : (entry.sub_state ?? "")
      const meaning = ownMember(meanings, sub_state)
      return [
        ...(from === undefined || from === to
          ? []
          : ([
              ["chip", from],
              ["quiet", "→"]
            ] as const)),
        ["chip", to],
        ["quiet", causeText(entry)],
        ...some("quiet", meaning === undefined ? sub_state : `${sub_state}: ${meaning}`),
        ...some("number", received, `received ${amountText(received, entry.currency ?? currency)}`),
        ...some("number", refunded, `refunded ${amountText(refunded, entry.currency ?? currency)}`)
      ]
    }
    case "recurrence":
    case "preauthorization":
      return [
        ["chip", entry.to],
        ["quiet", causeText(entry)]
      ]
    case "payer":
      return [["what", payerTexts[entry.action]]]
    case "operation": {
      const { amount = 0, operation, result } = entry
      return [
        ["what", words(operation)],
        ["chip", result.toUpperCase()],
        ...some("number", amount, amountText(amount, entry.currency ?? currency))
      ]
    }
    case "warning":
      return [
        ["what", words(entry.operation)],
        ["warning", `GoPay may refuse this: ${entry.refusal}`]
      ]
    case "control":
      return [
        ["what", words(entry.action)],
        ...some("path", entry.request),
        ...some("problem", entry.problem, `refused: ${entry.problem}`)
      ]
    case "time":
      return [
        ["what", `moved forward by ${durationText(entry.advanced_millis / 1000)}`],
        ...some(
          "problem",
          entry.planned_millis,
          `stopped before ${durationText((entry.planned_millis ?? 0) / 1000)} had passed`
        )
      ]
    case "fault":
      return [
        ["what", words(entry.fault)],
        ["quiet", entry.change]
      ]
  }
}
