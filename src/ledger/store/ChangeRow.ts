/**
 * A row of the table of changes, and how it is shown to callers.
 */
import * as Schema from "effect/Schema"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { ChangeRecord } from "../../client/error/ChangeRecordSchema.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import type { AttentionItem, AttentionKind, ChangeDecision, ProposedDecision } from "../model/Attention.js"
import type { ChangeEntry } from "../model/Change.js"
import { changeDecisionNames, changeDecisionsFor } from "../model/Decisions.js"
import type { ChangeOutcome } from "../model/Outcome.js"
import type { HistoryRow } from "./HistoryTable.js"
import { attentionColumn, kindsOf, type SeenItem } from "./Items.js"
import { listed } from "./ItemTable.js"
import { Integer, jsonColumn, movingColumns } from "./Rows.js"

export const ChangeName = Schema.Literals([
  "refundPayment",
  "captureAuthorization",
  "captureAuthorizationPartial",
  "voidAuthorization",
  "createRecurrence"
])
export type ChangeName = typeof ChangeName.Type

export const ChangeRequest = Schema.Struct({
  amount: Schema.optional(Schema.Int),
  items: Schema.optional(Schema.Array(GatewaySchema.PaymentItem)),
  currency: Schema.optional(GatewaySchema.CreateRecurrenceRequest.fields.currency),
  order_number: Schema.optional(Schema.String),
  /** The day that a charge is for. It is not sent to the gateway. */
  day: Schema.optional(Schema.String),
  order_description: Schema.optional(Schema.String)
})
export type ChangeRequest = typeof ChangeRequest.Type

const Verdict = Schema.Literals(["done", "notDone", "cancelled", "byHand"])

export const Decision = Schema.Struct({
  outcome: Schema.Literals(["done", "refused", "failed"]),
  how: Schema.Literals(["answered", "found", "stateReached", "operator"]),
  message: Schema.String,
  code: Schema.optionalKey(Schema.Int),
  /** Why a charge was declined. */
  subState: Schema.optionalKey(Schema.String),
  as: Schema.optional(Verdict),
  /** For a refusal that is not certain: whether it is temporary, so that the change returns to the queue. */
  isPassing: Schema.optionalKey(Schema.Boolean),
  /** When the first successful read agreed with it, by the database's clock. */
  agreedAt: Schema.optionalKey(Schema.Int)
})
export type Decision = typeof Decision.Type

/** A first operator's decision that a second operator has to confirm. */
const Proposal = Schema.Struct({
  as: Schema.Literals(changeDecisionNames),
  refundId: Schema.optional(Schema.String),
  by: Schema.String,
  note: Schema.String
})
type Proposal = typeof Proposal.Type

/** A first operator's decision, in words. */
export const saidOf = ({ as, by, note }: Pick<Proposal, "as" | "by" | "note">): string =>
  `${by} says ${as}: ${note} Another operator has to agree.`

/** The states of a change. */
export const Status = Schema.Literals([
  // Certainly not sent. While it is locked, a process checks whether it may be sent.
  "queued",
  "locked",
  // The mark is committed. The request may be on the wire.
  "sending",
  // The gateway refused it (`decision`). Reads check that nothing was done: a proxy may have sent the request twice,
  // and this may be the answer to the second copy.
  "refusing",
  // The gateway may have accepted it. It is searched for, and never sent again.
  "unknown",
  // The gateway has accepted it, and is still processing it.
  "accepted",
  // Only an operator can decide. The search for it continues, at long intervals.
  "needsOperator",
  // Decided.
  "done",
  "refused",
  // It was done, and undone later.
  "failed"
])
export type Status = typeof Status.Type

export const ChangeRow = Schema.Struct({
  ...movingColumns,
  key: Schema.String,
  payment_id: Schema.String,
  operation: ChangeName,
  /** In minor units; `null` for a full capture and a release. It stays when the details are erased. */
  amount: Schema.NullOr(Integer),
  /** `null` once its details are erased. */
  request: Schema.NullOr(jsonColumn(ChangeRequest)),
  hash: Schema.String,
  status: Status,
  /** A random name of the attempt that locked it, known only to the process that makes it. */
  attempt: Schema.NullOr(Schema.String),
  /**
   * The lock on the payment, which is unique; a charge locks only itself. A refund that is done keeps it until its
   * entry is known.
   */
  holds: Schema.NullOr(Schema.String),
  /** What was committed before it was sent. */
  record: Schema.NullOr(jsonColumn(ChangeRecord)),
  /** The id of the refund in the gateway's list, or of the payment that a charge made. */
  entry: Schema.NullOr(Schema.String),
  decision: Schema.NullOr(jsonColumn(Decision)),
  proposal: Schema.NullOr(jsonColumn(Proposal)),
  /** Why it does not continue, for an operator. */
  message: Schema.NullOr(Schema.String),
  attention: attentionColumn,
  created_at: Integer,
  sent_at: Schema.NullOr(Integer),
  /**
   * The gateway's clock minus the database's when the change was marked, in milliseconds; `null` if the gateway did not
   * say.
   */
  clock_offset: Schema.NullOr(Integer),
  decided_at: Schema.NullOr(Integer)
})
export type ChangeRow = typeof ChangeRow.Type

/** Whether a step is due, by the database's clock. */
export const isDue = ({ next_at, now }: ChangeRow): boolean => next_at !== null && next_at <= now

/**
 * Whether a capture was reported as done or accepted in its own response: a payment that is paid after that was captured
 * by it. A hold that is merely found captured proves neither who captured it nor how much.
 */
export const isOwnCapture = ({ decision, status }: Pick<ChangeRow, "decision" | "status">): boolean =>
  status === "accepted" || (status === "done" && decision?.how !== "stateReached")

/** Whether it was sent or may have been, even long after its record was erased. */
export const wasSent = ({ sent_at }: Pick<ChangeRow, "sent_at">): boolean => sent_at !== null

export const isDecided = ({ status }: ChangeRow | HistoryRow): boolean =>
  status === "done" || status === "refused" || status === "failed"

// ---- How it is shown

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const outcomeOf = (row: ChangeRow): ChangeOutcome => {
  const { created_at, decided_at, decision, entry, key, operation, payment_id, message, status, version } = row
  const details = { key, paymentId: Number(payment_id) }
  const said = (otherwise: string) => ({ ...details, message: decision?.message ?? message ?? otherwise })
  const decidedAt = iso(decided_at ?? created_at)
  const { code, how = "answered", subState } = decision ?? {}
  const ids = entryIdOf(operation, entry)
  switch (status) {
    case "done":
      return { _tag: "Done", ...said("The change is done."), how, ...ids, decidedAt }
    case "refused":
      return {
        _tag: "Refused",
        ...said("The gateway refused the change."),
        how: how === "stateReached" ? "found" : how,
        ...withoutUndefined({ code, subState }),
        ...(operation === "createRecurrence" ? ids : undefined),
        decidedAt
      }
    case "failed":
      return { _tag: "Failed", ...said("The change was done, and then it failed."), ...ids, decidedAt }
    case "queued":
      return { _tag: "Pending", ...said("The change waits for its turn."), status }
    case "locked":
    case "sending":
      return { _tag: "Pending", ...details, status: "sending", message: "A process is sending it." }
    case "refusing": {
      const message =
        decision?.isPassing === true
          ? `${decision.message} It is sent again, unless the gateway shows that it was taken.`
          : "The gateway refused it. Whether nothing came of it is checked."
      return { _tag: "Pending", ...details, status: "sending", message }
    }
    case "accepted":
      return { _tag: "Pending", ...said("The gateway has accepted it."), status }
    case "unknown":
    case "needsOperator": {
      const message = "It was sent, or may have been, and whether the gateway took it is not known."
      return { _tag: "InDoubt", ...said(message), needsOperator: status === "needsOperator", version }
    }
  }
}

const entryIdOf = (operation: ChangeName, entry: string | null): Pick<ProposedDecision, "chargeId" | "refundId"> => {
  if (entry === null) return {}
  return operation === "createRecurrence" ? { chargeId: Number(entry) } : { refundId: Number(entry) }
}

export const entryOf = (row: ChangeRow): ChangeEntry => {
  const { attention, decided_at, decision, next_at, message, status, version } = row
  const kinds = kindsOf(row)
  const decisions = new Set((kinds.length === 0 ? [null] : kinds).flatMap((kind) => decisionsFor(row, kind)))
  return {
    ...shownOf(row),
    version,
    decisions: changeDecisionNames.filter((name) => decisions.has(name)),
    status: isSending(status) ? "sending" : status,
    ...(kinds.length === 0 ? undefined : { attention: kinds }),
    message: decision?.message ?? message ?? attention.at(-1)?.message ?? "",
    ...(decided_at === null ? undefined : { decidedAt: iso(decided_at) }),
    ...(next_at === null ? undefined : { nextAt: iso(next_at) })
  }
}

export const itemOf = (row: ChangeRow, item: SeenItem): AttentionItem => ({
  ...shownOf(row),
  ...item,
  message: row.proposal === null ? item.message : `${item.message} ${saidOf(row.proposal)}`,
  decisions: decisionsFor(row, item.kind)
})

/** How an operator sees a change, in every list. */
const shownOf = (row: ChangeRow) => {
  const { amount, created_at, key, operation, payment_id, proposal, request, sent_at } = row
  const orderNumber = operation === "createRecurrence" ? request?.order_number : undefined
  return {
    key,
    ...(orderNumber === undefined ? undefined : { orderNumber }),
    paymentId: Number(payment_id),
    operation,
    ...(amount === null ? undefined : { amount }),
    ...(proposal === null ? undefined : { proposal: proposedIn(operation, proposal) }),
    since: iso(created_at),
    ...(sent_at === null ? undefined : { sentAt: iso(sent_at) })
  }
}

const proposedIn = (operation: ChangeName, { refundId, ...said }: Proposal): ProposedDecision => ({
  ...said,
  ...entryIdOf(operation, refundId ?? null)
})

/** The list entries of the items of changes. */
export const itemsOf = listed(itemOf, ({ raw }) => ({
  key: String(raw["key"]),
  paymentId: Number(raw["payment_id"]),
  operation: String(raw["operation"])
}))

/** A process is working on it, from its lock until the outcome is known. */
const isSending = (status: Status): status is "locked" | "sending" | "refusing" =>
  status === "locked" || status === "sending" || status === "refusing"

/** The statuses of rows that are shown as this status. */
export const statusesOf = (status: ChangeEntry["status"]): ReadonlyArray<string> =>
  status === "sending" ? Status.literals.filter(isSending) : [status]

/** The decisions that fit a change, or an item of it, given what is known. */
export const decisionsFor = (row: ChangeRow, kind: AttentionKind | null): ReadonlyArray<ChangeDecision> => {
  const { decision, entry, holds, operation, status } = row
  return changeDecisionsFor({
    status,
    operation,
    kind,
    wasSent: wasSent(row),
    isPassing: decision?.isPassing === true,
    isUnbound: status === "done" && holds !== null && entry === null,
    isDecidedByOperator: decision?.how === "operator"
  })
}
