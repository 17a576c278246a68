/**
 * The gateway's list of a payment's refunds against the ledger's own rows.
 */
import type { RefundHistoryItem } from "../../contract/Messages.js"
import { requestedAt } from "../model/LedgerGateway.js"
import { type ChangeRow, isDecided, wasSent } from "../store/ChangeRow.js"
import type { Provenance } from "../store/ChangeTable.js"

export interface Balance {
  /** The ids of the entries that are not listed. */
  readonly missing: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<RefundHistoryItem>
}

/**
 * The refunds that may have returned money and are not listed, and the entries of no row, which may be strange. Each refund that is done is
 * bound to one entry by its id.
 */
export const balanceOf = (
  row: ChangeRow,
  list: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>
): Balance => {
  const bound = boundToOthers(row, refunds)
  const listed = new Set(list.map(({ id }) => String(id)))
  // One that failed has returned nothing, whether it is still listed or not.
  const returned = refunds.filter(({ status }) => status !== "refused" && status !== "failed")
  return {
    missing: [...boundToOthers(row, returned)].filter((id) => !listed.has(id)),
    unknown: list.filter(({ id, state }) => state !== "FAILED" && !bound.has(String(id)))
  }
}

/**
 * The entries that stop a refund: they may be a refund of ours that the database has forgotten, or one made by hand for
 * the same reason. Their age says nothing on a payment of the ledger's own: clocks differ, and backups are restored.
 */
export const strangeOf = (
  unknown: ReadonlyArray<RefundHistoryItem>,
  refunds: ReadonlyArray<ChangeRow>,
  { acknowledged, isOwned, oldBefore }: Provenance
): ReadonlyArray<RefundHistoryItem> => {
  // What an operator took for done has an entry as well, of which only the amount is known.
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
 * What is refunded at least, in minor units, if the payment was last read at this time: 0 when that has shown every refund
 * of the ledger. The amount of an old one is erased.
 */
export const refundedAtLeast = (refunds: ReadonlyArray<ChangeRow>, readAt: number): number => {
  const done = refunds.filter(({ status }) => status === "done")
  const isUnseen = done.some(
    ({ decided_at, entry, holds }) => (entry === null && holds !== null) || (decided_at ?? 0) >= readAt
  )
  return isUnseen ? done.reduce((sum, { amount }) => sum + (amount ?? 0), 0) : 0
}

/** The ids of the entries that are other refunds of the ledger. */
export const boundToOthers = (row: ChangeRow, refunds: ReadonlyArray<ChangeRow>): ReadonlySet<string> =>
  new Set(refunds.flatMap(({ entry, key }) => (entry === null || key === row.key ? [] : [entry])))

/** The entries that were not listed before a refund was sent, and belong to no one else: its own is among them. */
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

/** Whether an entry can be that of a refund which has not failed. */
const isAlike = (row: ChangeRow, entry: RefundHistoryItem): boolean => entry.state !== "FAILED" && fits(row, entry)

/** Whether an entry can be that of a refund: of its amount, and not listed before it was sent. */
export const fits = ({ amount: asked, record }: ChangeRow, { amount, id }: RefundHistoryItem): boolean =>
  amount === asked && record?.refundsBefore?.some((before) => before.id === id) !== true

export interface Claim {
  /** The key of the refund. */
  readonly key: string
  /** Whether the entry is certainly its own. */
  readonly isBound: boolean
}

/**
 * The refund of the ledger that an entry belongs to or may belong to: then it is no one else's to acknowledge. The rows are
 * read after the list, so that none of them was sent in between unseen.
 */
export const claimOn = (entry: RefundHistoryItem, refunds: ReadonlyArray<ChangeRow>): Claim | undefined => {
  const owner = refunds.find((row) => row.entry === String(entry.id))
  // One that is not bound to the entry is undecided, and the entry may be what came of it.
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

/** Whether a refund was sent, and its entry is not known. */
const isSearchedFor = (row: ChangeRow): boolean =>
  wasSent(row) && row.entry === null && (!isDecided(row) || (row.status === "done" && row.holds !== null))

/** In milliseconds: how far from the send the gateway may date a refund of ours. */
const sendWindow = 120_000

/** Whether an entry may be of a change that a restored backup lacks: dated after it, and the refund was sent before. */
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
 * Whether the gateway dates an entry to the time at which a refund was sent, both by the gateway's clock. `undefined` where
 * the list has no date, or the gateway did not give its time.
 */
export const isOfSend = ({ clock_offset, sent_at }: ChangeRow, entry: RefundHistoryItem): boolean | undefined => {
  const requested = requestedAt(entry)
  if (requested === undefined || clock_offset === null || sent_at === null) return undefined
  return Math.abs(requested - (sent_at + clock_offset)) <= sendWindow
}
