/**
 * Statements in the formats that the local gateway refuses, for the reader's tests: of the same movements as its CSV.
 */
import type { Movement } from "../../../src/local-gateway/books/Books.js"
import { accountOf } from "../../../src/local-gateway/documents/Booking.js"
import { statementOf, encodeText } from "../../../src/local-gateway/documents/StatementFile.js"
import type { LocalGatewaySettings } from "../../../src/local-gateway/books/LocalGatewaySettings.js"
import type { StatementOrder } from "../../../src/local-gateway/books/RequestDecoder.js"
import { aboStatement } from "./AboStatement.js"
import { xlsStatement } from "./XlsStatement.js"

/** A statement as XLSX or ABO, out of all movements of the merchant, oldest first, as of a time. */
export const writtenStatement = (
  movements: ReadonlyArray<Movement>,
  order: StatementOrder,
  settings: LocalGatewaySettings,
  now: number
): Uint8Array => {
  const { bookings } = accountOf(movements, order.currency, settings, now)
  const statement = statementOf(bookings, order)
  return order.format.startsWith("XLS") ? xlsStatement(statement) : encodeText(aboStatement(statement), "windows-1250")
}
