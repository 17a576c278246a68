/**
 * The contents of a statement of a merchant's account in one currency: what was there, what came and went, and what it
 * comes to. Days are those of Prague, from the first to the last.
 */
import type { StatementOrder } from "../books/RequestDecoder.js"
import type { Booking } from "./Booking.js"

/** A booking within the days of a statement. */
export interface Entry extends Booking {
  /** The balance after it. An integer in minor units. */
  readonly balance: number
}

/** A statement. Amounts are integers in minor units. */
export interface Statement {
  readonly order: StatementOrder
  /** All that was booked before the first day. */
  readonly openingBalance: number
  /** Oldest first. */
  readonly entries: ReadonlyArray<Entry>
  /** The sum of what came in with the entries. */
  readonly credit: number
  /** The sum of what went out with the entries, 0 or more. */
  readonly debit: number
  /** The opening balance and all entries. */
  readonly closingBalance: number
}

/** The statement that is ordered, out of all bookings on the account, oldest first. */
export const statementOf = (bookings: ReadonlyArray<Booking>, order: StatementOrder): Statement => {
  const entries: Array<Entry> = []
  let balance = 0
  let openingBalance = 0
  let credit = 0
  for (const booking of bookings) {
    if (booking.day > order.date_to) continue
    balance += booking.amount
    if (booking.day < order.date_from) {
      openingBalance = balance
    } else {
      entries.push({ ...booking, balance })
      credit += Math.max(booking.amount, 0)
    }
  }
  return { order, openingBalance, entries, credit, debit: openingBalance + credit - balance, closingBalance: balance }
}

/** The types of movements as the gateway writes them. */
export const movementTypes: { readonly [Type in Booking["type"]]: string } = {
  PAYMENT: "GOPAY-platba",
  REFUND: "GOPAY-storno-platby",
  REFUND_FEE: "GOPAY-storno-popl",
  FEE: "GOPAY-popl",
  PAYOUT: "GOPAY-vyuctovani"
}

/** The column "ID objednávky/VS": the order's number, or the clearing's. */
export const referenceOf = ({ clearing, payment }: Booking): string => clearing ?? payment?.order.order_number ?? ""

/** The other party: a masked card of a payment, the gateway of the rest. */
export const counterpartyOf = ({ payment, type }: Booking): string =>
  type === "PAYMENT" ? (payment?.order.payer?.contact?.email ?? "400000******0001") : "GOPAY"

/** `yyyy-mm-dd` as `dd.mm.yyyy`. */
export const czechDay = (day: string): string => day.split("-").toReversed().join(".")
