/**
 * The contents of a statement of a merchant's account in one currency: what was there, what came and went, and what it
 * comes to. Days are those of Prague, from the first to the last.
 */
import type { Movement } from "../books/Books.js"
import type { StatementOrder } from "../wire/RequestDecoder.js"
import { day } from "../time/PragueTime.js"

/** A movement within the days of a statement. */
export interface Entry extends Movement {
  /** In Prague, `yyyy-mm-dd`. */
  readonly day: string
  /** The balance after it. An integer in minor units. */
  readonly balance: number
}

/** A statement. Amounts are integers in minor units. */
export interface Statement {
  readonly order: StatementOrder
  /** All that moved before the first day. */
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

/** The statement that is ordered, out of all movements on the merchant's account, oldest first. */
export const statementOf = (movements: ReadonlyArray<Movement>, order: StatementOrder): Statement => {
  const entries: Array<Entry> = []
  let balance = 0
  let openingBalance = 0
  let credit = 0
  for (const movement of movements) {
    const date = day(movement.at)
    if (movement.payment.order.currency !== order.currency || date > order.date_to) continue
    balance += movement.amount
    if (date < order.date_from) {
      openingBalance = balance
    } else {
      entries.push({ ...movement, day: date, balance })
      credit += Math.max(movement.amount, 0)
    }
  }
  return { order, openingBalance, entries, credit, debit: openingBalance + credit - balance, closingBalance: balance }
}
