/**
 * Searching the log for words.
 */
import type { LogEntry } from "./LogEntry.js"
import { causeText, durationText, logWords as shown } from "./LogWords.js"
import { PaymentSubStates } from "../../contract/CodeLists.js"
import { ownMember } from "../../contract/OwnMember.js"

const subStates: { readonly [code: string]: string } = PaymentSubStates

/** The words that the dashboard shows with an entry. */
const shownWords = (entry: LogEntry): ReadonlyArray<string> => {
  const kind = shown.kinds[entry.type]
  switch (entry.type) {
    case "state":
    case "recurrence":
    case "preauthorization": {
      const meaning = entry.type === "state" ? ownMember(subStates, entry.sub_state ?? "") : undefined
      return [kind, causeText(entry), meaning ?? ""]
    }
    case "request":
      return [kind, entry.status === 0 ? shown.noResponse : "", `${entry.duration_millis} ms`]
    case "notification":
      return [kind, shown.notified, `${shown.attempt} ${entry.attempt}`, entry.status === 0 ? shown.noResponse : ""]
    case "warning":
      return [kind, shown.mayBeRefused]
    case "control":
      return [kind, entry.problem === undefined ? "" : shown.refused]
    case "time":
      return [kind, shown.movedForward, durationText(entry.advanced_millis / 1000)]
    default:
      return [kind]
  }
}

/** Amounts are searched as they are shown, too. */
const amounts = (entry: LogEntry): ReadonlyArray<string> =>
  Object.entries(entry).flatMap(([name, value]) =>
    typeof value === "number" && /^(amount|received|refunded)$/.test(name) ? [(value / 100).toFixed(2)] : []
  )

/** All texts within a value: members that hold one, and names of headers. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
    : [String(value)]

/** The texts that were searched once, by entry. Entries never change. */
const searched = new WeakMap<LogEntry, string>()

const textOf = (entry: LogEntry): string => {
  const known = searched.get(entry)
  if (known !== undefined) return known
  const { at: _at, number: _number, type, ...members } = entry
  const values = Object.values(members).flatMap(textsIn)
  const codes = values.map((value) => value.replaceAll("_", " "))
  const text = [type, ...values, ...codes, ...amounts(entry), ...shownWords(entry)].join("\n").toLowerCase()
  searched.set(entry, text)
  return text
}

/** Whether an entry contains all the words. */
export const containsWords = (entry: LogEntry, words: ReadonlyArray<string>): boolean =>
  words.every((word) => textOf(entry).includes(word))
