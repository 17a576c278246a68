/**
 * The log as shown by the control API: filtered, searched, and page by page.
 */
import { memoize } from "effect/Function"
import { withoutUndefined } from "../../basics/Nulls.js"
import { PaymentSubStates } from "../../contract/CodeLists.js"
import type { Books } from "../books/Books.js"
import type { Engine } from "../server/Engine.js"
import type { LoggedEvent, JournalEntry, LoggedRequest } from "../server/Journal.js"
import { isoTime } from "../books/Times.js"
import type { controlEndpoints } from "./ControlEndpoints.js"
import type { LogEntry } from "./LogEntry.js"
import { kindOf, piecesOf, searchable, wordsOf } from "./LogWords.js"

/** A page of the log entries that match a filter. */
type LogQuery = (typeof controlEndpoints)["getLog"]["query"]["Type"]

type Entry = JournalEntry<LoggedRequest> | JournalEntry<LoggedEvent>

/** A name such as `paymentId` in the gateway's spelling: `payment_id`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

type SnakeCased<Members> = Members extends unknown
  ? { readonly [Name in keyof Members as SnakeCase<Name>]: Members[Name] }
  : never

/** The members with the gateway's names. Members that are `undefined` are left out. */
function snakeCased<Members extends object>(members: Members): SnakeCased<Members>
function snakeCased(members: object): object {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]]
    )
  )
}

const shown = (books: Books, entry: Entry): LogEntry => {
  const members = "type" in entry ? entry : { ...entry, type: "request" as const }
  const hasAmounts = members.type === "state" || (members.type === "operation" && members.amount !== undefined)
  const currency = hasAmounts ? books.payment(members.paymentId)?.order.currency : undefined
  const order_number =
    members.type === "notification" ? books.payment(members.paymentId)?.order.order_number : undefined
  return { ...snakeCased(members), at: isoTime(entry.at), ...withoutUndefined({ currency, order_number }) }
}

/** Entries never change, so each is converted only once, for as long as it is used. */
const written = new WeakMap<Entry, LogEntry>()

const entryOf = (books: Books, entry: Entry): LogEntry => {
  const known = written.get(entry)
  if (known !== undefined) return known
  const made = shown(books, entry)
  written.set(entry, made)
  return made
}

const hasStatus = (wanted: string): ((status: number) => boolean) => {
  const hundred = /^(\d)xx$/.exec(wanted)?.[1]
  return hundred === undefined
    ? (status) => status === Number(wanted)
    : (status) => Math.floor(status / 100) === Number(hundred)
}

/** Whether an entry says that something went wrong. */
const isProblem = (entry: LogEntry): boolean => {
  switch (entry.type) {
    case "request":
      return entry.status === 0 || entry.status >= 400
    case "notification":
      return entry.status !== 200
    case "warning":
      return true
    case "state":
    case "payer":
    case "preauthorization":
    case "recurrence":
    case "operation":
    case "fault":
    case "time":
    case "control":
      return false
  }
}

const operationOf = (entry: LogEntry): string | undefined =>
  "operation" in entry ? entry.operation : entry.type === "control" ? entry.action : undefined

/** All texts within a value, except the members that hold no text and the names of headers. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
    : [String(value)]

/**
 * The searchable text of an entry, and of how the dashboard shows it. Amounts are also found without thousands
 * separators. Entries never change, so each is converted only once.
 */
const searchedText = memoize((entry: LogEntry): string => {
  const { at: _at, number: _number, type, ...members } = entry
  const values = Object.values(members).flatMap(textsIn)
  const codes = values.map((value) => value.replaceAll("_", " "))
  const shown = piecesOf(entry, PaymentSubStates).map(([, shown]) => shown)
  const plain = shown.map((text) => text.replaceAll(/(?<=\d),(?=\d{3})/g, ""))
  return searchable([type, kindOf(entry), ...values, ...codes, ...shown, ...plain].join("\n"))
})

/** The log entries that match, oldest first. */
export const logOf = (
  { books, journal }: Engine,
  filter: Omit<LogQuery, "after" | "before" | "limit">
): ReadonlyArray<LogEntry> => {
  const { error_code, only, operation, payment_id, query = "", status, type } = filter
  const words = wordsOf(query)
  const isStatus = status === undefined ? undefined : hasStatus(status)
  const isWanted = (entry: LogEntry): boolean =>
    (type === undefined || entry.type === type) &&
    (only === undefined || isProblem(entry)) &&
    (payment_id === undefined || ("payment_id" in entry && entry.payment_id === payment_id)) &&
    (operation === undefined || operationOf(entry) === operation) &&
    (isStatus === undefined || ("status" in entry && isStatus(entry.status))) &&
    (error_code === undefined || (entry.type === "request" && entry.error_codes?.includes(error_code) === true)) &&
    words.every((word) => searchedText(entry).includes(word))
  return [...journal.requests(), ...journal.events()]
    .map((entry) => entryOf(books, entry))
    .filter(isWanted)
    .sort((a, b) => a.number - b.number)
}

/** A page of the matching entries: the first ones after a number, else the newest ones before it. */
export const logPage = (engine: Engine, { after, before = Infinity, limit = 200, ...filter }: LogQuery) => {
  const { newest } = engine.journal
  const found = logOf(engine, filter)
  const inRange = found.filter(({ number }) => number > (after ?? 0) && number < before)
  const entries = after === undefined ? inRange.slice(-limit) : inRange.slice(0, limit)
  const isAll = after === undefined || entries.length === inRange.length
  return { entries, next_after: isAll ? newest : (entries.at(-1)?.number ?? newest), total: found.length }
}
