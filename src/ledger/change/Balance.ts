/**
 * Compares the gateway's list of a payment's refunds with the ledger's own rows.
 */
import type { RefundHistoryItem } from "../../contract/Messages.js"
import { requestedAt } from "../model/LedgerGateway.js"
import { type ChangeRow, isDecided, wasSent } from "../store/ChangeRow.js"
import type { Provenance } from "../store/ChangeTable.js"

export interface Balance {
  /** The ids of the refunds of the ledger that the gateway does not list. */
  readonly missing: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<RefundHistoryItem>
}

/**
 * The refunds of the ledger that may have returned money and are not listed, and the listed entries that belong to no
 * row, which may be strange. Each refund that is done is bound to one entry by its id.
 */
export const balanceOf = (
  row: ChangeRow,
  list: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>
): Balance => {
  const bound = boundToOthers(row, refunds)
  const listed = new Set(list.map(({ id }) => String(id)))
  // A refund that failed has returned nothing, whether it is still listed or not.
  const returned = refunds.filter(({ status }) => status !== "refused" && status !== "failed")
  return {
    missing: [...boundToOthers(row, returned)].filter((id) => !listed.has(id)),
    unknown: list.filter(({ id, state }) => state !== "FAILED" && !bound.has(String(id)))
  }
}

/**
 * The entries that stop a refund: each may be a refund of ours that the database has forgotten, or one made by hand for
 * the same reason. On a payment of the ledger's own, their age proves nothing: clocks differ, and backups are restored.
 */
export const strangeOf = (
  unknown: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>,
  { acknowledged, isOwned, oldBefore }: Provenance
): ReadonlyArray<RefundHistoryItem> => {
  // A refund that an operator declared done has an entry too, of which only the amount is known.
  const resolved = refunds.filter(({ entry, status }) => status === "done" && entry === null)
  const isResolved = (entry: RefundHistoryItem): boolean => {
    const index = resolved.findIndex((row) => isAlike(row, entry))
    if (index >= 0) resolved.splice(index, 1)
    return index >= 0
  }
  return unknown.filter((entry) => {
    if (acknowledged.has(String(entry.id)) || isResolved(entry)) return false
    if (refunds.some((row) => contradicts(row, entry))) return true
    const requested = requestedAt(entry)
    return isOwned || requested === undefined || oldBefore === undefined || requested >= oldBefore
  })
}

/**
 * The least that is refunded, in minor units, if the payment was last read at `readAt`: 0 if that read has shown every
 * refund of the ledger. The amount of an old refund is erased.
 */
export const refundedAtLeast = (refunds: ReadonlyArray<ChangeRow>, readAt: number): number => {
  const done = refunds.filter(({ status }) => status === "done")
  const isUnseen = done.some(
    ({ decided_at, entry, holds }) => (entry === null && holds !== null) || (decided_at ?? 0) >= readAt
  )
  return isUnseen ? done.reduce((sum, { amount }) => sum + (amount ?? 0), 0) : 0
}

/** The ids of the entries that are bound to other refunds of the ledger. */
export const boundToOthers = (row: ChangeRow, refunds: ReadonlyArray<ChangeRow>): ReadonlySet<string> =>
  new Set(refunds.flatMap(({ entry, key }) => (entry === null || key === row.key ? [] : [entry])))

/** The entries that were not listed before a refund was sent and belong to no other: the refund's own is among them. */
export const newEntries = (
  row: ChangeRow,
  list: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>,
  acknowledged: ReadonlySet<string>
): ReadonlyArray<RefundHistoryItem> => {
  const before = new Set((row.record?.refundsBefore ?? []).map(({ id }) => id))
  const others = boundToOthers(row, refunds)
  return list.filter(({ id }) => !before.has(id) && !others.has(String(id)) && !acknowledged.has(String(id)))
}

/** Whether an entry is evidence against an operator's decision that a refund was not made. */
export const contradicts = (row: ChangeRow, entry: RefundHistoryItem): boolean =>
  row.status === "refused" && row.decision?.how === "operator" && row.record !== null && isAlike(row, entry)

/** Whether an entry can be that of this refund, and has not failed. */
const isAlike = (row: ChangeRow, entry: RefundHistoryItem): boolean => entry.state !== "FAILED" && fits(row, entry)

/**
 * Whether an entry can be that of this refund: it has the same amount, and was not listed before the refund was sent.
 */
export const fits = ({ amount: asked, record }: ChangeRow, { amount, id }: RefundHistoryItem): boolean =>
  amount === asked && record?.refundsBefore?.some((before) => before.id === id) !== true

export interface Claim {
  /** The key of the refund. */
  readonly key: string
  /** Whether the entry is certainly its own. */
  readonly isBound: boolean
}

/**
 * The refund of the ledger that an entry belongs to or may belong to. If there is one, the entry cannot be acknowledged
 * as someone else's. The rows are read after the list, so that a refund sent in between is among them.
 */
export const claimOn = (entry: RefundHistoryItem, refunds: ReadonlyArray<ChangeRow>): Claim | undefined => {
  const owner = refunds.find((row) => row.entry === String(entry.id))
  // A refund that is not bound to the entry is undecided, and may have made it.
  const claimant = owner ?? refunds.find((row) => isSearchedFor(row) && fits(row, entry))
  return claimant && { key: claimant.key, isBound: claimant === owner }
}

/**
 * The listed refunds to acknowledge when the ledger adopts their payment. Adopting says nothing about whose they are,
 * so an entry that may belong to a refund that was refused, or that an operator decided, is left for an operator.
 */
export const foreignRefunds = (
  list: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>
): ReadonlyArray<RefundHistoryItem> =>
  list.filter(
    (entry) =>
      claimOn(entry, refunds) === undefined &&
      !refunds.some(
        (row) =>
          contradicts(row, entry) ||
          (row.status === "refused" && wasSent(row) && fits(row, entry) && isOfSend(row, entry) !== false)
      )
  )

/** Whether a refund was sent and its entry is still unknown. */
const isSearchedFor = (row: ChangeRow): boolean =>
  wasSent(row) && row.entry === null && (!isDecided(row) || (row.status === "done" && row.holds !== null))

/** In milliseconds: how far the gateway's date of a refund of ours may be from the time it was sent. */
const sendWindow = 120_000

/**
 * Whether an entry may belong to a change that is missing from a restored backup: it is dated after the backup, and the
 * refund was sent before it.
 */
export const mayBeOfLostChange = (
  { clock_offset, sent_at }: ChangeRow,
  entry: RefundHistoryItem,
  distrustedSince: number | undefined
): boolean => {
  const requested = requestedAt(entry)
  if (distrustedSince === undefined || requested === undefined || sent_at === null) return false
  return sent_at < distrustedSince && requested >= distrustedSince + (clock_offset ?? 0)
}

/**
 * Whether the gateway's date of an entry fits the time at which a refund was sent, both by the gateway's clock.
 * `undefined` if the entry has no date or the gateway's clock is not known.
 */
export const isOfSend = ({ clock_offset, sent_at }: ChangeRow, entry: RefundHistoryItem): boolean | undefined => {
  const requested = requestedAt(entry)
  if (requested === undefined || clock_offset === null || sent_at === null) return undefined
  return Math.abs(requested - (sent_at + clock_offset)) <= sendWindow
}
