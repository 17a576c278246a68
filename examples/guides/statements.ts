/**
 * Account statements, with promises.
 */
import type { GatewayClient } from "effect-gopay/promise"

/** A payment that your books have for the month. */
export interface BookedPayment {
  readonly id: number
  readonly order_number: string
}

/** The text of a month's statement. */
export const statementOf = async (gateway: GatewayClient, date_from: string, date_to: string): Promise<string> => {
  const file = await gateway.getAccountStatement({ date_from, date_to, currency: "CZK", format: "CSV_A" })
  return file.toText() // UTF-8, or windows-1250 where it is none
}

/** Which payments the statement has, whatever its columns are: a payment's id stands in the line that books it. */
export const match = (statement: string, payments: ReadonlyArray<BookedPayment>) => {
  const lines = statement.split(/\r?\n/).filter((line) => line.trim() !== "")
  const numbers = new Map(lines.map((line) => [line, new Set(line.match(/\d+/g))]))
  const linesOf = ({ id }: BookedPayment) => lines.filter((line) => numbers.get(line)?.has(String(id)))
  const found = payments.map((payment) => ({ payment, lines: linesOf(payment) }))
  const known = new Set(found.flatMap((each) => each.lines))
  return {
    found: found.filter((each) => each.lines.length > 0),
    missing: payments.filter((payment) => linesOf(payment).length === 0),
    /** Fees, payouts, headings, and what your books do not have: for a person. */
    others: lines.filter((line) => !known.has(line))
  }
}
