/**
 * The gateway's list of refunds, as a set of entries.
 */
import type { RefundHistoryItem } from "../../contract/Messages.js"

/** The entries of a list: what is listed twice, and alike, is one. */
export const distinctRefunds = (list: ReadonlyArray<RefundHistoryItem>): ReadonlyArray<RefundHistoryItem> =>
  list.filter(
    (entry, index) => !list.slice(0, index).some((earlier) => earlier.id === entry.id && isSame(earlier, entry))
  )

const isSame = (one: RefundHistoryItem, other: RefundHistoryItem): boolean =>
  one.amount === other.amount && one.state === other.state

/** Whether a list says two things of one refund. */
export const isContradictory = (list: ReadonlyArray<RefundHistoryItem>): boolean => {
  const entries = distinctRefunds(list)
  return new Set(entries.map(({ id }) => id)).size < entries.length
}
