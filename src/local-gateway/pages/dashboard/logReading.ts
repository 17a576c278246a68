/**
 * The log, read page by page and followed. The gateway searches it.
 */
import { useSignal } from "@preact/signals"
import { read } from "./api.js"
import type { Log, LogEntry } from "./controlResponses.js"
import { epoch, newest, useSerial } from "./state.js"

/** Entries to keep while it is open: as many as the gateway gives at once. */
const kept = 5000

/** Shown at first, and added each time. */
export const pageSize = 100

/** A filter as the control API takes it. */
export interface LogQuery {
  readonly [name: string]: string
}

/** Numbers in a filter. */
const numbers = new Set(["error_code", "payment_id"])

/** The filter of filled-in fields. Empty ones match everything; undefined where one is no number, and nothing can match. */
export const logQuery = (fields: LogQuery): LogQuery | undefined => {
  const given = Object.entries(fields).flatMap(([name, text]) =>
    text.trim() === "" ? [] : [[name, text.trim()] as const]
  )
  return given.every(([name, text]) => !numbers.has(name) || /^[1-9]\d{0,14}$/.test(text))
    ? Object.fromEntries(given)
    : undefined
}

/** What was read of the log. */
interface LogReading {
  /** Newest first. */
  readonly entries: ReadonlyArray<LogEntry>
  /** The number of entries that match. */
  readonly total: number
  readonly isRead: boolean
  /** The number of the newest entry of the log when it was read. */
  readonly after: number
  readonly more: () => void
}

interface Read {
  readonly entries: ReadonlyArray<LogEntry>
  readonly total: number
  readonly after: number
  /** The filter, and the gateway that it was read of. */
  readonly of: string
}

/** What came after what was read, and what is missing of the older entries. */
const continued = async (query: LogQuery, before: Read, wanted: number, upTo: number): Promise<Read> => {
  let next = before
  if (upTo !== before.after) {
    const { entries, next_after, total } = await read<Log>("/log", { ...query, after: before.after, limit: kept })
    next = { ...before, entries: [...entries.toReversed(), ...before.entries].slice(0, kept), total, after: next_after }
  }
  const oldest = next.entries.at(-1)
  const missing = Math.min(wanted, next.total) - next.entries.length
  if (missing <= 0 || oldest === undefined) return next
  const { entries, total } = await read<Log>("/log", { ...query, before: oldest.number, limit: missing })
  const all = [...next.entries, ...entries.toReversed()]
  return { ...next, entries: all, total: entries.length < missing ? all.length : total }
}

/** The entries that match a filter, newest first. Without one, nothing matches. */
export const useLog = (query: LogQuery | undefined, firstPage = pageSize): LogReading => {
  const of = JSON.stringify([epoch.value, query])
  const log = useSignal<Read>({ entries: [], total: 0, after: -1, of: "" })
  const limit = useSignal({ of, count: firstPage })
  const wanted = limit.value.of === of ? limit.value.count : firstPage
  const upTo = newest.value
  useSerial(JSON.stringify([of, upTo, wanted]), async () => {
    const { value } = log
    if (query === undefined) log.value = { entries: [], total: 0, after: upTo, of }
    else if (value.of !== of || upTo < value.after) {
      const { entries, next_after, total } = await read<Log>("/log", { ...query, limit: wanted })
      log.value = { entries: entries.toReversed(), total, after: next_after, of }
    } else {
      log.value = await continued(query, value, wanted, upTo)
    }
  })
  const { after, entries, total } = log.value
  return {
    after,
    entries,
    total,
    isRead: log.value.of === of,
    more: () => (limit.value = { of, count: Math.max(wanted, entries.length) + firstPage })
  }
}
