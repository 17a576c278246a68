/**
 * The books of a ledger, for `reconcileStatement`.
 */
import * as Effect from "effect/Effect"
import type { ChangeRow } from "./change/ChangeRow.js"
import type { ChangeTable } from "./change/ChangeTable.js"
import type { StoreError } from "./database/Database.js"
import { nameOf } from "./order/PaymentItems.js"
import type { PaymentRow } from "./order/PaymentRow.js"
import type { PaymentTable } from "./order/PaymentTable.js"
import type { BookedOrder, BookedPayment, BookedRefund, DoubtfulChange } from "../statement/BookedOrder.plain.js"

/** What the books are read from. */
export interface BookedOrdersOptions {
  readonly changeTable: Pick<ChangeTable, "page">
  readonly paymentTable: Pick<PaymentTable, "page">
}

/** All orders with their payments, their refunds, and what is in doubt. */
export const bookedOrders = ({
  changeTable,
  paymentTable
}: BookedOrdersOptions): Effect.Effect<ReadonlyArray<BookedOrder>, StoreError> =>
  Effect.gen(function* () {
    const payments = yield* allOf(paymentTable.page)
    const changes = grouped(yield* allOf(changeTable.page), ({ payment_id }) => payment_id)
    return Array.from(
      grouped(payments, ({ order_number }) => order_number),
      ([orderNumber, rows]) => orderOf(orderNumber, rows, changes)
    )
  })

const allOf = <Row extends { readonly seq: number }>(
  page: (afterSeq: number) => Effect.Effect<ReadonlyArray<Row>, StoreError>
): Effect.Effect<ReadonlyArray<Row>, StoreError> =>
  Effect.gen(function* () {
    const all: Array<Row> = []
    for (let afterSeq = 0; ;) {
      const rows = yield* page(afterSeq)
      const last = rows.at(-1)
      if (last === undefined) return all
      all.push(...rows)
      afterSeq = last.seq
    }
  })

const grouped = <Row>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string
): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const groups = new Map<string, Array<Row>>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}

type ChangesByPayment = ReadonlyMap<string, ReadonlyArray<ChangeRow>>

const orderOf = (orderNumber: string, all: ReadonlyArray<PaymentRow>, byPayment: ChangesByPayment): BookedOrder => {
  // Payments of an order have one currency, unless one has replaced another: then that of the money counts.
  const currency = (all.find(isPaid) ?? all.at(-1))?.terms.currency ?? ""
  const rows = all.filter(({ terms }) => terms.currency === currency)
  const changesOf = ({ payment_id }: PaymentRow) => (payment_id === null ? [] : (byPayment.get(payment_id) ?? []))
  const inDoubt = rows.flatMap((row) => [
    ...creationInDoubt(row),
    ...changesOf(row).flatMap((one) => changeInDoubt(row, one))
  ])
  return {
    orderNumber,
    currency,
    payments: rows.flatMap((row) => (row.payment_id === null ? [] : [paymentOf(row, row.payment_id, changesOf(row))])),
    ...(inDoubt.length === 0 ? undefined : { inDoubt })
  }
}

const isPaid = ({ state }: PaymentRow): boolean =>
  state === "PAID" || state === "PARTIALLY_REFUNDED" || state === "REFUNDED"

const paymentOf = (row: PaymentRow, paymentId: string, changes: ReadonlyArray<ChangeRow>): BookedPayment => {
  const { created_at, moved_at, state, terms } = row
  const captured = changes.find(
    ({ operation, status }) => operation === "captureAuthorizationPartial" && status === "done"
  )
  const refunds = changes.flatMap(refundOf)
  return {
    paymentId: Number(paymentId),
    amount: captured?.request?.amount ?? terms.amount,
    paid: isPaid(row),
    // Once a part was returned, the row has the time of that.
    ...(isPaid(row) ? { paidOn: dayOf(state === "PAID" ? (moved_at ?? created_at) : created_at) } : undefined),
    ...(refunds.length === 0 ? undefined : { refunds })
  }
}

const refundOf = ({
  created_at,
  entry,
  operation,
  request,
  sent_at,
  status
}: ChangeRow): ReadonlyArray<BookedRefund> => {
  const { amount } = request ?? {}
  if (operation !== "refundPayment" || amount === undefined || (status !== "done" && status !== "accepted")) return []
  return [
    {
      ...(entry === null ? undefined : { refundId: Number(entry) }),
      amount,
      state: status === "done" ? "SUCCESS" : "REQUESTED",
      requestedOn: dayOf(sent_at ?? created_at)
    }
  ]
}

/** A payment that may exist, and that the ledger does not know the id of. */
const creationInDoubt = (row: PaymentRow): ReadonlyArray<DoubtfulChange> =>
  row.payment_id !== null
    ? []
    : [{ key: nameOf(row), operation: "createPayment", amount: row.terms.amount, sentOn: dayOf(row.created_at) }]

const changeInDoubt = ({ terms }: PaymentRow, change: ChangeRow): ReadonlyArray<DoubtfulChange> => {
  const { created_at, key, operation, payment_id, request, sent_at, status } = change
  const wasSent = status === "sending" || status === "unknown" || (status === "needsOperator" && change.record !== null)
  if (!wasSent || operation === "voidAuthorization") return []
  return [
    {
      key,
      operation: operation === "refundPayment" ? operation : "captureAuthorization",
      amount: request?.amount ?? terms.amount,
      paymentId: Number(payment_id),
      sentOn: dayOf(sent_at ?? created_at)
    }
  ]
}

const prague = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Prague" })

/** The day in Prague, where statements are written. */
const dayOf = (milliseconds: number): string => prague.format(milliseconds)
