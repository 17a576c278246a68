/**
 * What a shop and the gateway say about orders, as plain data for `reconcileStatement`; and a reader of a shop's books
 * as CSV, for shops that keep them in a spreadsheet or export them.
 */
import { ownMember } from "../basics/OwnMember.js"
import { isSpoiltNumber, readAmount, readMoment } from "./CellValue.js"
import { headed, type Row, rowsOf, tableOf } from "./DelimitedText.js"
import { groupBy } from "../basics/Lists.js"
import { shown } from "./EnglishProblems.js"
import { maxBytes, maxMovements, decodedText } from "./FileText.js"
import { emptyFile, invalidLine, tooLarge, unknownStatement } from "./StatementError.js"

/** An order in the shop's books. */
export interface BookedOrder {
  /** The `order_number` of its payments. Two orders must not share one. */
  readonly orderNumber: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** Its payments, paid or not. A payment that the shop does not count as paid can explain money that came late. */
  readonly payments: ReadonlyArray<BookedPayment>
  /** Refunds whose payment is not among `payments`, such as those of an order of an earlier month. */
  readonly refunds?: ReadonlyArray<DetachedRefund> | undefined
  /** Changes whose outcome is unknown: a lost `createPayment`, or a charge or refund in doubt. */
  readonly inDoubt?: ReadonlyArray<DoubtfulChange> | undefined
}

/** A payment in the shop's books. */
export interface BookedPayment {
  /** The payment's id at GoPay, if the shop has recorded it. */
  readonly paymentId?: number | undefined
  /** The credited amount, in minor units: for a partial capture, the captured amount. */
  readonly amount: number
  /**
   * Whether less may have been credited: a hold was captured, and it is unknown how much of it. Then a smaller movement
   * is matched as well. Default: false.
   */
  readonly isUpperBound?: boolean | undefined
  /** Whether the shop counts it as paid. Default: true. */
  readonly paid?: boolean | undefined
  /** The day it was paid, `yyyy-mm-dd` in Prague. Without it, the payment is due at once. */
  readonly paidOn?: string | undefined
  /** Its refunds. */
  readonly refunds?: ReadonlyArray<BookedRefund> | undefined
}

/** A refund in the shop's books. */
export interface BookedRefund {
  /** The refund's id at GoPay, if the shop has recorded it. */
  readonly refundId?: number | undefined
  /** In minor units, above 0. */
  readonly amount: number
  /** `FAILED` is not expected on a statement. Default: `SUCCESS`. */
  readonly state?: "REQUESTED" | "SUCCESS" | "FAILED" | undefined
  /** The day it was requested, `yyyy-mm-dd` in Prague. Without it, the refund is due at once. */
  readonly requestedOn?: string | undefined
}

/** A refund in the shop's books without the payment that it returns. */
export interface DetachedRefund extends BookedRefund {
  /** The payment's id, if the shop has recorded it. */
  readonly paymentId?: number | undefined
}

/** A change whose outcome the shop does not know. A statement may prove that it was carried out. */
export interface DoubtfulChange {
  /** The shop's name for it, such as the ledger's key. */
  readonly key: string
  /** What was sent. */
  readonly operation: "createPayment" | "createRecurrence" | "captureAuthorization" | "refundPayment"
  /** In minor units, above 0. */
  readonly amount: number
  /** The payment that it changes, or has created, if known. */
  readonly paymentId?: number | undefined
  /** The day it was sent, `yyyy-mm-dd` in Prague. */
  readonly sentOn?: string | undefined
}

/** A payment as the gateway shows it: a response to `getPayment`, with the list of `getPaymentRefunds` as `refunds`. */
export interface GatewayPayment {
  /** As in the response. */
  readonly id: number
  /** As in the response. */
  readonly state?: string | undefined
  /** As in the response. */
  readonly amount?: number | undefined
  /** As in the response. */
  readonly currency?: string | undefined
  /** As in the response. If present, the amount is not compared, since only a part may have been captured. */
  readonly preauthorization?: object | undefined
  /** As in the response. */
  readonly order_number?: string | undefined
  /** As listed. Without it, refunds are not compared. */
  readonly refunds?:
    | ReadonlyArray<{ readonly amount?: number | undefined; readonly state?: string | undefined }>
    | undefined
}

const required = ["order_number", "type", "amount", "currency"] as const
const optional = ["date", "payment_id", "state"] as const

type Column = (typeof required)[number] | (typeof optional)[number]

const states = { payment: ["paid", "unpaid", "unknown"], refund: ["done", "requested", "failed", "unknown"] } as const

/** One row, checked. */
const entryOf = ({ cells, line }: Row, heads: ReadonlyArray<string>) => {
  if (cells.length !== heads.length)
    throw invalidLine(line, { _tag: "CellCount", expected: heads.length, found: cells.length, file: "orders" })
  const cell = (head: Column): string => (cells[heads.indexOf(head)] ?? "").trim()
  const orderNumber = cell("order_number")
  const type = cell("type")
  const currency = cell("currency")
  const paymentId = cell("payment_id")
  if (orderNumber === "") throw invalidLine(line, { _tag: "NoOrderNumber" })
  for (const name of ["order_number", "payment_id"] as const) {
    if (!isSpoiltNumber(cell(name))) continue
    throw invalidLine(line, { _tag: "LostDigits", column: name, text: shown(cell(name)) })
  }
  if (!/^[A-Z]{3}$/.test(currency)) throw invalidLine(line, { _tag: "OrderCurrency", text: shown(currency) })
  if (type !== "payment" && type !== "refund") throw invalidLine(line, { _tag: "OrderType", text: shown(type) })
  const amount = readAmount(cell("amount"), line, "amount")
  if (amount < 0) throw invalidLine(line, { _tag: "NegativeAmount" })
  const known: ReadonlyArray<string> = states[type]
  const state = cell("state") || known[0]
  if (state === undefined || !known.includes(state))
    throw invalidLine(line, { _tag: "OrderState", type, known, text: shown(cell("state")) })
  if (!/^\d{0,15}$/.test(paymentId)) throw invalidLine(line, { _tag: "OrderPaymentId", text: shown(paymentId) })
  return {
    orderNumber,
    currency,
    type,
    amount,
    state,
    day: cell("date") === "" ? undefined : readMoment(cell("date"), line, "date").date,
    paymentId: paymentId === "" ? undefined : Number(paymentId),
    line
  }
}

type Entry = Readonly<ReturnType<typeof entryOf>>

const changeOf = (entry: Entry): DoubtfulChange => ({
  key: `${entry.orderNumber}, line ${entry.line}`,
  operation: entry.type === "payment" ? "createPayment" : "refundPayment",
  amount: entry.amount,
  paymentId: entry.paymentId,
  sentOn: entry.day
})

const refundStates = { requested: "REQUESTED", failed: "FAILED" } as const

const refundOf = ({ amount, day, state }: Entry): BookedRefund => ({
  amount,
  requestedOn: day,
  state: ownMember(refundStates, state) ?? "SUCCESS"
})

/** Refuses a list with one payment twice: it would expect two movements where there is one. */
const checkTwice = (payments: ReadonlyArray<Entry>): void => {
  const lines = new Map<number, number>()
  for (const { line, paymentId } of payments) {
    if (paymentId === undefined) continue
    const before = lines.get(paymentId)
    if (before !== undefined) throw invalidLine(line, { _tag: "RepeatedPayment", paymentId, before })
    lines.set(paymentId, line)
  }
}

/**
 * The order of some rows. A refund belongs to the payment with its id, or else to the first one; without payments it stands
 * alone.
 */
const orderOf = (entries: ReadonlyArray<Entry>): BookedOrder => {
  const [{ currency, orderNumber } = { currency: "", orderNumber: "" }] = entries
  const certain = entries.filter(({ state }) => state !== "unknown")
  const payments = certain.filter(({ type }) => type === "payment")
  const refunds = certain.filter(({ type }) => type === "refund")
  checkTwice(payments)
  const ownerOf = ({ line, paymentId }: Entry): Entry => {
    const owner = payments.find((payment) => paymentId === undefined || payment.paymentId === paymentId)
    if (owner === undefined) {
      throw invalidLine(line, { _tag: "RefundOfOther", paymentId, orderNumber: shown(orderNumber) })
    }
    return owner
  }
  const owners = payments.length === 0 ? [] : refunds.map((refund) => ({ refund, owner: ownerOf(refund) }))
  return {
    orderNumber,
    currency,
    payments: payments.map((payment): BookedPayment => ({
      paymentId: payment.paymentId,
      amount: payment.amount,
      paid: payment.state === "paid",
      paidOn: payment.day,
      refunds: owners.filter(({ owner }) => owner === payment).map(({ refund }) => refundOf(refund))
    })),
    ...(payments.length > 0 || refunds.length === 0
      ? undefined
      : { refunds: refunds.map((refund) => ({ ...refundOf(refund), paymentId: refund.paymentId })) }),
    inDoubt: entries.filter(({ state }) => state === "unknown").map(changeOf)
  }
}

/**
 * Reads a shop's books from a CSV file, for `reconcileStatement`: a line for each payment and each refund, in UTF-8 or
 * windows-1250.
 *
 * The columns are `order_number`, `type` (`payment` or `refund`), `amount` (such as `1399.50`, positive for refunds as
 * well) and `currency`; and optionally `date` (`yyyy-mm-dd` or `d.m.yyyy`), `payment_id` and `state`. The state of a
 * payment is `paid` (the default), `unpaid` or `unknown`, that of a refund `done` (the default), `requested`, `failed`
 * or `unknown`. `unknown` means that the outcome is in doubt. A refund of an earlier month's order needs no line for its
 * payment.
 *
 * @throws StatementError if columns are missing, or a line does not match them
 */
export const parseOrders = (file: Uint8Array): ReadonlyArray<BookedOrder> => readOrders(file).orders

/** The columns of a list of orders, and the delimiter of its cells. */
export interface OrdersLayout {
  readonly heads: ReadonlyArray<string>
  readonly delimiter: string
}

/** The orders in a file, and the layout of its lines. */
export const readOrders = (file: Uint8Array): OrdersLayout & { readonly orders: ReadonlyArray<BookedOrder> } => {
  if (file.length > maxBytes) throw tooLarge({ _tag: "TooManyBytes", bytes: maxBytes })
  const table = tableOf(decodedText(file))
  if (table.text.trim() === "") throw emptyFile()
  const found = headed(table, required)
  if (found === undefined) {
    throw unknownStatement({ _tag: "NotOrders", required, optional })
  }
  const { delimiter, heads } = found
  const onTooMany = () => tooLarge({ _tag: "TooManyLines", limit: maxMovements })
  const { rows } = rowsOf(table.text, delimiter, maxMovements + 1, onTooMany, table.line)
  const entries = rows.slice(1).map((row) => entryOf(row, heads))
  const orders = [...groupBy(entries, ({ currency, orderNumber }) => `${currency} ${orderNumber}`).values()].map(
    orderOf
  )
  return { delimiter, heads, orders }
}
