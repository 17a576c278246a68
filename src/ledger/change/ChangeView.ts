/**
 * A change as it is shown, from its row.
 */
import { withoutUndefined } from "../../contract/Nulls.js"
import type { AttentionItem, AttentionKind, ChangeDecision, ProposedDecision } from "../model/Attention.js"
import * as Rows from "../store/Rows.js"
import type { ChangeEntry } from "../model/Change.js"
import { type ChangeRow, Status, wasSent } from "./ChangeRow.js"
import type { ChangeOutcome } from "../model/Outcome.js"

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const outcomeOf = (row: ChangeRow): ChangeOutcome => {
  const { created_at, decided_at, decision, entry, key, operation, payment_id, problem, status, version } = row
  const details = { key, paymentId: Number(payment_id) }
  const decidedAt = iso(decided_at ?? created_at)
  const message = decision?.message ?? problem
  switch (status) {
    case "done":
      return {
        _tag: "Done",
        ...details,
        message: message ?? "The change is done.",
        how: decision?.how ?? "answered",
        ...entryIdOf(operation, entry),
        decidedAt
      }
    case "refused": {
      const { code, how = "answered", subState } = decision ?? {}
      return {
        _tag: "Refused",
        ...details,
        message: message ?? "The gateway refused the change.",
        how: how === "stateReached" ? "found" : how,
        ...withoutUndefined({ code, subState }),
        ...(operation === "createRecurrence" ? entryIdOf(operation, entry) : undefined),
        decidedAt
      }
    }
    case "failed":
      return {
        _tag: "Failed",
        ...details,
        message: message ?? "The change was done, and then it failed.",
        ...(entry === null ? undefined : { refundId: Number(entry) }),
        decidedAt
      }
    case "queued":
      return { _tag: "Pending", ...details, status, message: message ?? "The change waits for its turn." }
    case "locked":
    case "sending":
      return { _tag: "Pending", ...details, status: "sending", message: "A process is sending it." }
    case "refusing":
      return {
        _tag: "Pending",
        ...details,
        status: "sending",
        message: "The gateway refused it. Whether nothing came of it is checked."
      }
    case "accepted":
      return { _tag: "Pending", ...details, status, message: message ?? "The gateway has accepted it." }
    case "unknown":
    case "needsOperator":
      return {
        _tag: "InDoubt",
        ...details,
        message: message ?? "It was sent, and whether the gateway took it is not known.",
        needsOperator: status === "needsOperator",
        version
      }
  }
}

/** What a change has made at the gateway. */
const entryIdOf = (
  operation: ChangeRow["operation"],
  entry: string | null
): { readonly refundId?: number; readonly chargeId?: number } => {
  if (entry === null) return {}
  return operation === "createRecurrence" ? { chargeId: Number(entry) } : { refundId: Number(entry) }
}

/** A change with all that the ledger knows of it. */
export const entryOf = (row: ChangeRow): ChangeEntry => {
  const { amount, attention, decided_at, decision, key, next_at, operation, payment_id, problem, sent_at } = row
  return {
    key,
    paymentId: Number(payment_id),
    operation,
    ...(amount === null ? undefined : { amount }),
    status: statusOf(row),
    ...(attention === null ? undefined : { attention }),
    message: decision?.message ?? problem ?? "",
    version: row.version,
    decisions: decisionsFor(row),
    ...proposedIn(row),
    since: iso(row.created_at),
    ...(sent_at === null ? undefined : { sentAt: iso(sent_at) }),
    ...(decided_at === null ? undefined : { decidedAt: iso(decided_at) }),
    ...(next_at === null ? undefined : { nextAt: iso(next_at) })
  }
}

/** What a first operator has said. */
const proposedIn = ({ operation, proposal }: ChangeRow): { readonly proposal?: ProposedDecision } => {
  if (proposal === null) return {}
  const { refundId, ...said } = proposal
  return { proposal: { ...said, ...entryIdOf(operation, refundId ?? null) } }
}

/** A process is at it, from its lock until it is certain what came of it. */
const isSending = (status: ChangeRow["status"]): status is "locked" | "sending" | "refusing" =>
  status === "locked" || status === "sending" || status === "refusing"

const statusOf = ({ status }: ChangeRow): ChangeEntry["status"] => (isSending(status) ? "sending" : status)

/** The statuses of rows that are shown as this one. */
export const statusesOf = (status: ChangeEntry["status"]): ReadonlyArray<string> =>
  status === "sending" ? Status.literals.filter(isSending) : [status]

/** What may be decided of a change: it follows from what is known. */
export const decisionsFor = (row: ChangeRow): ReadonlyArray<ChangeDecision> => {
  const { attention, decision, entry, holds, operation, status } = row
  const isRefund = operation === "refundPayment"
  switch (status) {
    case "queued":
      return isRefund ? ["cancelled", "byHand"] : ["cancelled"]
    case "locked":
      return []
    case "sending":
    case "refusing":
    case "unknown":
    case "accepted":
      return ["done", "notDone"]
    case "needsOperator":
      if (wasSent(row)) return ["done", "notDone"]
      if (operation === "createRecurrence") return ["done", "notDone", "cancelled"]
      // Nothing was sent: an earlier one of the same kind may have been.
      return isRefund ? ["cancelled", "byHand"] : ["done", "cancelled"]
    case "done":
    case "refused":
    case "failed":
      if (attention === "DecisionContradicted") return ["done", "notDone"]
      if (attention === "PaidTwice") return ["done"]
      if (status === "done" && holds !== null && entry === null) return ["done"]
      return decision?.how === "operator" ? ["undecided"] : []
  }
}

export const itemOf = (row: ChangeRow, kind: AttentionKind): AttentionItem => {
  const { amount, created_at, key, operation, payment_id, problem, sent_at, version } = row
  return {
    kind,
    key,
    paymentId: Number(payment_id),
    operation,
    ...(amount === null ? undefined : { amount }),
    message: problem ?? kind,
    version,
    decisions: decisionsFor(row),
    ...proposedIn(row),
    since: iso(created_at),
    ...(sent_at === null ? undefined : { sentAt: iso(sent_at) })
  }
}

/** The items of rows, with the rows' numbers. */
export const itemsOf = Rows.itemsOf(itemOf, ({ raw }) => ({
  key: String(raw["key"]),
  paymentId: Number(raw["payment_id"]),
  operation: String(raw["operation"])
}))
