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

/** Which payments the statement has, whatever its columns are: a payment's id stands in the lines that book it. */
export const match = (statement: string, payments: ReadonlyArray<BookedPayment>) => {
  const ids = new Set(payments.map(({ id }) => String(id)))
  const lines = statement.split(/\r?\n/).filter((line) => line.trim() !== "")
  const idsIn = (line: string) => (line.match(/\d+/g) ?? []).filter((number) => ids.has(number))
  const seen = new Set(lines.flatMap(idsIn))
  return {
    found: payments.filter(({ id }) => seen.has(String(id))),
    missing: payments.filter(({ id }) => !seen.has(String(id))),
    /** Fees, payouts, headings, and what your books do not have: for a person. */
    others: lines.filter((line) => idsIn(line).length === 0)
  }
}
