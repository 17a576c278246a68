/**
 * Searching the log for words.
 */
import { PaymentSubStates } from "../../contract/CodeLists.js"
import type { LogEntry } from "./LogEntry.js"
import { logKinds, piecesOf } from "./LogWords.js"

/** All texts within a value: members that hold one, and names of headers. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
    : [String(value)]

/** The texts that were searched once, by entry. Entries never change. */
const searched = new WeakMap<LogEntry, string>()

/** What an entry has, and what the dashboard shows of it. Amounts are found without the separators of thousands, too. */
const textOf = (entry: LogEntry): string => {
  const known = searched.get(entry)
  if (known !== undefined) return known
  const { at: _at, number: _number, type, ...members } = entry
  const values = Object.values(members).flatMap(textsIn)
  const codes = values.map((value) => value.replaceAll("_", " "))
  const shown = piecesOf(entry, PaymentSubStates).map(([, shown]) => shown)
  const plain = shown.map((text) => text.replaceAll(/(?<=\d),(?=\d{3})/g, ""))
  const text = [type, logKinds[type], ...values, ...codes, ...shown, ...plain].join("\n").toLowerCase()
  searched.set(entry, text)
  return text
}

/** Whether an entry contains all the words. */
export const containsWords = (entry: LogEntry, words: ReadonlyArray<string>): boolean =>
  words.every((word) => textOf(entry).includes(word))
