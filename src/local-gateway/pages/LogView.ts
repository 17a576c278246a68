/**
 * The log as the control API shows it: filtered, searched, and a page at a time.
 */
import type { Books } from "../books/Books.js"
import type { Engine } from "../server/Engine.js"
import type { LoggedEvent, JournalEntry, LoggedRequest } from "../server/Journal.js"
import { isoTime } from "../books/Times.js"
import type { LogEntry } from "./LogEntry.js"
import { containsWords, wordsOf } from "./LogSearch.js"

/** A filter of log entries. */
export interface LogFilter {
  /** Words that an entry must contain. */
  readonly query?: string
  readonly type?: LogEntry["type"]
  /** Only what went wrong. */
  readonly only?: "problems"
  readonly payment_id?: number
  readonly operation?: string
  /** A status, or a class of statuses such as `4xx`. */
  readonly status?: string
  readonly error_code?: number
}

/** A page of the log. */
export interface LogPage {
  readonly after?: number
  readonly before?: number
  readonly limit: number
}

const jumpOf = ({ jumpMillis }: { readonly jumpMillis?: number }): { readonly jump_millis?: number } =>
  jumpMillis === undefined ? {} : { jump_millis: jumpMillis }

const requestEntry = (entry: JournalEntry<LoggedRequest>): LogEntry => ({
  number: entry.number,
  at: isoTime(entry.at),
  type: "request",
  method: entry.method,
  path: entry.path,
  query: entry.query,
  status: entry.status,
  duration_millis: entry.durationMillis,
  ...(entry.errorCodes === undefined ? {} : { error_codes: entry.errorCodes }),
  headers: entry.headers,
  ...(entry.operation === undefined ? {} : { operation: entry.operation }),
  ...(entry.paymentId === undefined ? {} : { payment_id: entry.paymentId }),
  ...(entry.fault === undefined ? {} : { fault: entry.fault }),
  request_body: entry.requestBody,
  response_body: entry.responseBody
})

const currencyOf = (books: Books, paymentId: number): { readonly currency?: string } => {
  const payment = books.payment(paymentId)
  return payment === undefined ? {} : { currency: payment.order.currency }
}

const eventEntry = (books: Books, entry: JournalEntry<LoggedEvent>): LogEntry => {
  const place = { number: entry.number, at: isoTime(entry.at) }
  switch (entry.type) {
    case "state":
      return {
        ...place,
        type: entry.type,
        payment_id: entry.paymentId,
        by: entry.by,
        ...jumpOf(entry),
        ...(entry.from === undefined ? {} : { from: entry.from }),
        to: entry.to,
        ...(entry.subState === undefined ? {} : { sub_state: entry.subState }),
        received: entry.received,
        refunded: entry.refunded,
        ...currencyOf(books, entry.paymentId)
      }
    case "recurrence":
    case "preauthorization":
      return { ...place, type: entry.type, payment_id: entry.paymentId, by: entry.by, ...jumpOf(entry), to: entry.to }
    case "operation":
      return {
        ...place,
        type: entry.type,
        payment_id: entry.paymentId,
        operation: entry.operation,
        result: entry.result,
        ...(entry.amount === undefined ? {} : { amount: entry.amount, ...currencyOf(books, entry.paymentId) })
      }
    case "notification":
      return {
        ...place,
        type: entry.type,
        payment_id: entry.paymentId,
        url: entry.url,
        attempt: entry.attempt,
        status: entry.status,
        ...(entry.problem === undefined ? {} : { problem: entry.problem }),
        ...(entry.durationMillis === undefined ? {} : { duration_millis: entry.durationMillis }),
        ...(entry.headers === undefined ? {} : { headers: entry.headers }),
        ...(entry.responseBody === undefined ? {} : { response_body: entry.responseBody })
      }
    case "warning":
      return {
        ...place,
        type: entry.type,
        operation: entry.operation,
        ...(entry.paymentId === undefined ? {} : { payment_id: entry.paymentId }),
        refusal: entry.refusal
      }
    case "control":
      return {
        ...place,
        type: entry.type,
        action: entry.action,
        ...(entry.paymentId === undefined ? {} : { payment_id: entry.paymentId }),
        ...(entry.request === undefined ? {} : { request: entry.request }),
        ...(entry.problem === undefined ? {} : { problem: entry.problem })
      }
    case "time":
      return { ...place, type: entry.type, advanced_millis: entry.advancedMillis }
    case "fault":
      return { ...place, type: entry.type, fault: entry.fault, change: entry.change }
  }
}

type Entry = JournalEntry<LoggedRequest> | JournalEntry<LoggedEvent>

/** Entries never change, so each is written only once, while anyone asks for it. */
const written = new WeakMap<Entry, LogEntry>()

const entryOf = (books: Books, entry: Entry): LogEntry => {
  const known = written.get(entry)
  if (known !== undefined) return known
  const made = "type" in entry ? eventEntry(books, entry) : requestEntry(entry)
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
    default:
      return false
  }
}

const operationOf = (entry: LogEntry): string | undefined =>
  "operation" in entry ? entry.operation : entry.type === "control" ? entry.action : undefined

/** The log entries that match, oldest first. */
export const logOf = ({ books, journal }: Engine, filter: LogFilter): ReadonlyArray<LogEntry> => {
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
    containsWords(entry, words)
  return [...journal.requests(), ...journal.events()]
    .map((entry) => entryOf(books, entry))
    .filter(isWanted)
    .sort((a, b) => a.number - b.number)
}

/** A page of the entries that match: the first ones after a number, else the newest ones before it. */
export const logPage = (engine: Engine, filter: LogFilter, { after, before = Infinity, limit }: LogPage) => {
  const { newest } = engine.journal
  const found = logOf(engine, filter)
  const inRange = found.filter(({ number }) => number > (after ?? 0) && number < before)
  const entries = after === undefined ? inRange.slice(-limit) : inRange.slice(0, limit)
  const isAll = after === undefined || entries.length === inRange.length
  return { entries, next_after: isAll ? newest : (entries.at(-1)?.number ?? newest), total: found.length }
}
