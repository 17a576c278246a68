/**
 * Rows of a ledger for the tests of what is decided by them.
 */
import type { ChangeRow } from "../../src/ledger/store/ChangeRow.js"
import { type AttentionKind, attentionKinds } from "../../src/ledger/model/Attention.js"
import type { ItemPatch, OpenItem, RowWithItems } from "../../src/ledger/store/Items.js"
import type { PaymentRow } from "../../src/ledger/store/PaymentTable.js"
import type { PeriodRow, SubscriptionRow } from "../../src/ledger/store/SubscriptionTable.js"

/** Open items of these kinds, each in the words of its kind. */
export const itemsOf = (...kinds: ReadonlyArray<AttentionKind>): ReadonlyArray<OpenItem> =>
  kinds.map((kind) => ({ kind, message: kind }))

/** A row as its table has it: the words of its items by their kinds. */
export const storedRow = (row: ChangeRow | PaymentRow) => {
  const words = row.attention.map(({ kind, message }) => [kind, message])
  return { ...row, attention: words.length === 0 ? null : Object.fromEntries(words) }
}

/** The kinds of the items that a row has after a patch of them. */
export const kindsAfter = (
  { attention }: RowWithItems,
  { attention: patch = {} }: { readonly attention?: ItemPatch }
): ReadonlyArray<AttentionKind> => {
  const ended = attentionKinds.filter((kind) => patch[kind] === null)
  const begun = attentionKinds.filter((kind) => typeof patch[kind] === "string")
  const kept = attention.map(({ kind }) => kind).filter((kind) => !ended.includes(kind) && !begun.includes(kind))
  return [...kept, ...begun]
}

/** A queued refund, but for what a test says. */
export const changeRow = (more: Partial<ChangeRow> = {}): ChangeRow => ({
  seq: 1,
  key: "refund",
  payment_id: "10",
  operation: "refundPayment",
  amount: 500,
  request: { amount: 500 },
  hash: "",
  status: "queued",
  version: 1,
  attempt: null,
  holds: null,
  record: null,
  entry: null,
  decision: null,
  proposal: null,
  message: null,
  attention: [],
  tries: 0,
  created_at: 0,
  sent_at: null,
  clock_offset: null,
  decided_at: null,
  next_at: 0,
  now: 0,
  ...more
})

/** An active subscription that payment 10 is charged for, but for what a test says. */
export const subscriptionRow = (more: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  seq: 1,
  name: "sub",
  version: 1,
  status: "active",
  maximum: 1_000,
  currency: "CZK",
  first_order: "first",
  order_number: "first",
  payment_id: "10",
  awaits: null,
  card_expires: null,
  expiry_reported: 0,
  to_void: null,
  tries: 0,
  next_at: 0,
  now: 0,
  ...more
})

/** A period that is due, but for what a test says. */
export const periodRow = (more: Partial<PeriodRow> = {}): PeriodRow => ({
  seq: 1,
  subscription: "sub",
  period: "1970-01",
  version: 1,
  status: "waiting",
  amount: 500,
  order_number: "sub-1970-01",
  request: null,
  attempts: 0,
  due_at: 0,
  first_at: null,
  needs_card: 0,
  failure: null,
  payment_id: null,
  reported_twice: 0,
  tries: 0,
  created_at: 0,
  next_at: 0,
  now: 0,
  ...more
})

/** A payment of an order that was created, but for what a test says. */
export const paymentRow = (more: Partial<PaymentRow> = {}): PaymentRow => ({
  seq: 1,
  order_number: "first",
  attempt: "",
  status: "created",
  version: 1,
  offered: null,
  terms: { amount: 500, currency: "CZK" },
  needs_payer: 1,
  is_owned: 1,
  payment_id: "10",
  parent_id: null,
  gw_url: null,
  state: "CREATED",
  refunded: 0,
  moves: 0,
  captured: null,
  hold: null,
  decisions: null,
  group_name: null,
  group_total: null,
  reference: null,
  message: null,
  attention: [],
  doubt: null,
  doubt_since: null,
  tries: 0,
  created_at: 0,
  paid_at: null,
  pay_until: null,
  hold_until: null,
  checked_at: null,
  moved_at: null,
  next_at: 0,
  now: 0,
  ...more
})
