/**
 * The gateway's list of a payment's refunds against the ledger's own rows.
 */
import type { RefundHistoryItem } from "../../api/Messages.plain.js"
import type { ChangeRow } from "../table/ChangeRow.js"

/** Whether a refund may be marked. */
export type Balance =
  | { readonly _tag: "Balanced" }
  /** A refund that is done is not listed. */
  | { readonly _tag: "Incomplete"; readonly missing: ReadonlyArray<string> }
  /** A refund is listed that is nobody's. */
  | { readonly _tag: "Strange"; readonly entries: ReadonlyArray<RefundHistoryItem> }

/** In milliseconds: how far the gateway's clock and the database's may be apart. */
const clockDifference = 60_000

/**
 * Compares the list with the payment's refunds in the ledger before another one is marked. Each refund of ours that is
 * done is bound to one entry by its id. An entry that is nobody's may be older than the row: made before there was a
 * ledger, or by hand for another reason. One that is newer, or that is what a person took for not made, stops the
 * refund.
 */
export const balanceOf = (
  row: ChangeRow,
  list: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>
): Balance => {
  const others = refunds.filter(({ key }) => key !== row.key)
  const bound = boundEntries(others)
  const listed = new Set(list.map(({ id }) => String(id)))
  const missing = [...bound].filter((id) => !listed.has(id))
  if (missing.length > 0) return { _tag: "Incomplete", missing }
  // What a person took for done has an entry as well, of which only the amount is known.
  const decided = others.filter(({ entry, status }) => status === "done" && entry === null)
  const isDecided = (entry: RefundHistoryItem): boolean => {
    const index = decided.findIndex((other) => isAlike(other, entry))
    if (index >= 0) decided.splice(index, 1)
    return index >= 0
  }
  const known = new Set(others.flatMap(({ record }) => (record?.refundsBefore ?? []).map(({ id }) => id)))
  const entries = list.filter((entry) => {
    // One that failed has returned nothing.
    if (entry.state === "FAILED" || bound.has(String(entry.id)) || isDecided(entry)) return false
    if (others.some((other) => contradicts(other, entry))) return true
    const requested = timeOf(entry.date_requested)
    return requested === undefined ? !known.has(entry.id) : requested > row.created_at - clockDifference
  })
  return entries.length === 0 ? { _tag: "Balanced" } : { _tag: "Strange", entries }
}

/** The ids of the entries that are refunds of the ledger. */
export const boundEntries = (refunds: ReadonlyArray<ChangeRow>): ReadonlySet<string> =>
  new Set(refunds.flatMap(({ entry }) => (entry === null ? [] : [entry])))

/** The entries that were not listed before a refund was sent and belong to no other one: its own is among them. */
export const newEntries = (
  row: ChangeRow,
  list: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>
): ReadonlyArray<RefundHistoryItem> => {
  const before = new Set((row.record?.refundsBefore ?? []).map(({ id }) => id))
  const others = boundEntries(refunds.filter(({ key }) => key !== row.key))
  return list.filter(({ id }) => !before.has(id) && !others.has(String(id)))
}

/** Whether an entry is evidence against a person's decision that a refund was not made. */
export const contradicts = (row: ChangeRow, entry: RefundHistoryItem): boolean =>
  row.status === "refused" && row.decision?.how === "person" && row.record !== null && isAlike(row, entry)

/** Whether an entry can be that of a refund. */
const isAlike = ({ record, request }: ChangeRow, { amount, id, state }: RefundHistoryItem): boolean =>
  state !== "FAILED" && amount === request?.amount && record?.refundsBefore?.some((before) => before.id === id) !== true

/** The gateway writes `+0200`, without the colon that ISO 8601 asks for. */
const timeOf = (date: string | undefined): number | undefined => {
  const time = Date.parse((date ?? "").replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))
  return Number.isNaN(time) ? undefined : time
}
