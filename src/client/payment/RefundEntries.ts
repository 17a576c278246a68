/**
 * The gateway's list of refunds, as a set of entries.
 */
import type { RefundHistoryItem } from "../../contract/Messages.js"

/** The distinct entries of a list: identical duplicates are merged. */
export const distinctRefunds = (list: ReadonlyArray<RefundHistoryItem>): ReadonlyArray<RefundHistoryItem> => {
  const entries = new Map<string, RefundHistoryItem>()
  for (const entry of list) {
    const key = JSON.stringify([entry.id, entry.amount, entry.state])
    if (!entries.has(key)) entries.set(key, entry)
  }
  return [...entries.values()]
}

/** Whether a list contradicts itself about a refund. */
export const isContradictory = (list: ReadonlyArray<RefundHistoryItem>): boolean => {
  const entries = distinctRefunds(list)
  return new Set(entries.map(({ id }) => id)).size < entries.length
}
