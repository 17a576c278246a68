/**
 * A row of the table of changes.
 */
import * as Schema from "effect/Schema"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { ChangeRecord } from "../../client/error/ChangeRecordSchema.js"
import { AttentionKind, Integer, jsonColumn, movingColumns } from "../store/Rows.js"

/** The operations that a ledger makes. */
export const ChangeName = Schema.Literals([
  "refundPayment",
  "captureAuthorization",
  "captureAuthorizationPartial",
  "voidAuthorization",
  "createRecurrence"
])
export type ChangeName = typeof ChangeName.Type

/** The arguments of a change beside the payment. */
export const ChangeRequest = Schema.Struct({
  amount: Schema.optional(Schema.Int),
  items: Schema.optional(Schema.Array(GatewaySchema.PaymentItem)),
  currency: Schema.optional(GatewaySchema.CreateRecurrenceRequest.fields.currency),
  order_number: Schema.optional(Schema.String),
  /** The day that a charge is for. The gateway is not told. */
  day: Schema.optional(Schema.String),
  order_description: Schema.optional(Schema.String)
})
export type ChangeRequest = typeof ChangeRequest.Type

export const Decision = Schema.Struct({
  outcome: Schema.Literals(["done", "refused", "failed"]),
  how: Schema.Literals(["answered", "found", "stateReached", "operator"]),
  message: Schema.String,
  code: Schema.optionalKey(Schema.Int),
  /** Why a charge was declined. */
  subState: Schema.optionalKey(Schema.String),
  /** What an operator has said. */
  as: Schema.optional(Schema.Literals(["done", "notDone", "cancelled", "byHand"]))
})
export type Decision = typeof Decision.Type

/** What a first operator has said, where a second one has to say the same. */
export const Proposal = Schema.Struct({
  as: Schema.Literals(["done", "notDone", "cancelled", "byHand"]),
  refundId: Schema.optional(Schema.String),
  by: Schema.String,
  note: Schema.String
})
export type Proposal = typeof Proposal.Type

/**
 * The states of a change:
 *
 * - `queued`: not sent, for certain.
 * - `locked`: a process looks whether it may be sent. Not sent, for certain.
 * - `sending`: the mark is committed. It may be on the wire.
 * - `refusing`: the gateway refused it (`decision`). Whether nothing came of it is checked: something between may have
 *   repeated the request, and the second answer came.
 * - `unknown`: it may have been taken; it is searched for, never sent again.
 * - `accepted`: the gateway has taken it, and is not done.
 * - `needsOperator`: only an operator can decide. It is searched for still, rarely.
 * - `done`, `refused`: decided.
 * - `failed`: it was done, and then returned.
 */
export const Status = Schema.Literals([
  "queued",
  "locked",
  "sending",
  "refusing",
  "unknown",
  "accepted",
  "needsOperator",
  "done",
  "refused",
  "failed"
])
export type Status = typeof Status.Type

export const ChangeRow = Schema.Struct({
  ...movingColumns,
  key: Schema.String,
  payment_id: Schema.String,
  operation: ChangeName,
  /** In minor units; null for a full capture and a release. It stays when the details are erased. */
  amount: Schema.NullOr(Integer),
  /** Null after it was cleaned up. */
  request: Schema.NullOr(jsonColumn(ChangeRequest)),
  hash: Schema.String,
  status: Status,
  /** The attempt that locked it: a random name, known to the process that makes it. */
  attempt: Schema.NullOr(Schema.String),
  /**
   * The lock on the payment, unique; a charge locks only itself. A refund that is done holds it until its entry in the list
   * is known.
   */
  holds: Schema.NullOr(Schema.String),
  /** What was committed before it was sent. */
  record: Schema.NullOr(jsonColumn(ChangeRecord)),
  /** The id of the refund in the gateway's list, or of the payment that a charge made. */
  entry: Schema.NullOr(Schema.String),
  decision: Schema.NullOr(jsonColumn(Decision)),
  proposal: Schema.NullOr(jsonColumn(Proposal)),
  /** The reason why it does not go on, for an operator. */
  problem: Schema.NullOr(Schema.String),
  attention: Schema.NullOr(AttentionKind),
  created_at: Integer,
  sent_at: Schema.NullOr(Integer),
  /** The gateway's clock less the database's when it was marked, in milliseconds; null where the gateway did not say. */
  clock_offset: Schema.NullOr(Integer),
  decided_at: Schema.NullOr(Integer)
})
export type ChangeRow = typeof ChangeRow.Type

/** Whether a step is due, by the database's clock. */
export const isDue = ({ next_at, now }: ChangeRow): boolean => next_at !== null && next_at <= now

/** Whether it was sent, or may have been: also long after its record was erased. */
export const wasSent = ({ sent_at }: Pick<ChangeRow, "sent_at">): boolean => sent_at !== null

export const isDecided = ({ status }: ChangeRow): boolean =>
  status === "done" || status === "refused" || status === "failed"
