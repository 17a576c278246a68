/**
 * A row of the table of payments.
 */
import * as Schema from "effect/Schema"
import { AttentionKind, Integer, jsonColumn, movingColumns } from "../store/Rows.js"

/** What is compared of the request that a payment was made with. Nothing else of it is stored. */
export const Terms = Schema.Struct({
  amount: Schema.Int,
  currency: Schema.String,
  preauthorization: Schema.optional(Schema.Boolean),
  recurrence: Schema.optional(
    Schema.Struct({
      recurrence_cycle: Schema.String,
      recurrence_period: Schema.optional(Schema.Int),
      recurrence_date_to: Schema.String
    })
  )
})
export type Terms = typeof Terms.Type

/** What becomes of a hold that the shop does not end itself. */
export const Hold = Schema.Struct({
  /** In milliseconds, from the last time at which it was seen not to be held. */
  atMost: Schema.Int,
  end: Schema.Literals(["capture", "release"])
})
export type Hold = typeof Hold.Type

/** What an operator has said of a payment that needed one. */
export const PersonsWord = Schema.Struct({
  kind: AttentionKind,
  as: Schema.Literals(["done", "notDone", "accepted", "refused"]),
  by: Schema.String,
  note: Schema.String
})
export type PersonsWord = typeof PersonsWord.Type

/**
 * How far its creation is:
 *
 * - `creating`: the mark is committed. It may be on the wire.
 * - `lost`: it may exist. No one has its address, so no one can pay it.
 * - `inDoubt`: it may exist, and needs no payer.
 * - `created`: it has an id; `state` is what the gateway last said of it.
 * - `unknown`: a ledger made it, and this one does not know it.
 */
export const PaymentStatus = Schema.Literals(["creating", "lost", "inDoubt", "created", "unknown"])
export type PaymentStatus = typeof PaymentStatus.Type

export const PaymentRow = Schema.Struct({
  ...movingColumns,
  order_number: Schema.String,
  /** The name of the attempt to create it, which the payment carries in its `additional_params`. */
  attempt: Schema.String,
  status: PaymentStatus,
  /** The order's one payment that is on offer or is paid: unique. */
  offered: Schema.NullOr(Schema.String),
  terms: jsonColumn(Terms),
  /** 0 for one that is paid with a stored card. */
  needs_payer: Integer,
  /** 1 where every refund of it is the ledger's own or acknowledged. */
  is_owned: Integer,
  payment_id: Schema.NullOr(Schema.String),
  /** For a charge of a recurrence: its first payment. */
  parent_id: Schema.NullOr(Schema.String),
  /** A secret, kept for as long as it can be paid at. */
  gw_url: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  refunded: Integer,
  /** Counts what the shop was told. */
  moves: Integer,
  hold: Schema.NullOr(jsonColumn(Hold)),
  decisions: Schema.NullOr(jsonColumn(Schema.Array(PersonsWord))),
  /** What it is for together with the payments of other orders, and the sum that they are for. */
  group_name: Schema.NullOr(Schema.String),
  group_total: Schema.NullOr(Integer),
  /** The shop's own words. */
  reference: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Schema.String),
  attention: Schema.NullOr(AttentionKind),
  /** What one read said against the row, and since when: it counts when another one says the same later. */
  doubt: Schema.NullOr(Schema.String),
  doubt_since: Schema.NullOr(Integer),
  created_at: Integer,
  /** When it was first read as paid. It never moves. */
  paid_at: Schema.NullOr(Integer),
  withdrawn_at: Schema.NullOr(Integer),
  pay_until: Schema.NullOr(Integer),
  hold_until: Schema.NullOr(Integer),
  looked_at: Schema.NullOr(Integer),
  moved_at: Schema.NullOr(Integer)
})
export type PaymentRow = typeof PaymentRow.Type
