/**
 * The account statement as a file.
 */
import * as Result from "effect/Result"
import { amountToDecimal } from "../../contract/Amount.js"
import { StatementFormats } from "../../contract/CodeLists.js"
import type { Movement } from "../books/Books.js"
import { accountOf } from "./Booking.js"
import { csvBStatement, guessedCsvStatement } from "./CsvStatement.js"
import type { StatementOrder } from "../books/RequestDecoder.js"
import { refusal, type Refusal } from "../books/Refusal.js"
import type { LocalGatewaySettings } from "../books/LocalGatewaySettings.js"
import { type Statement, statementOf } from "./Statement.js"
import { encode } from "windows-1250"

/** An encoding that statements are written in. */
type TextEncoding = "utf-8" | "windows-1250"

const questionMark = 0x3f

/** A text in an encoding; what windows-1250 does not have becomes a question mark. */
export const encodeText = (text: string, encoding: TextEncoding): Uint8Array =>
  encoding === "utf-8"
    ? new TextEncoder().encode(text)
    : Uint8Array.from(encode(text, { mode: "replacement" }), (byte) => (byte > 0xff ? questionMark : byte))

/** A file for download. */
export interface StatementFile {
  readonly bytes: Uint8Array
  /** The name to save it by. */
  readonly fileName: string
  readonly contentType: string
}

/** Whether the local gateway writes a format. Of the others it has no layout that a recorded file confirms. */
const isWritten = (format: string): boolean => format.startsWith("CSV_")

const written = Object.keys(StatementFormats).filter(isWritten)

/** Sums that are no longer exact are refused. */
const exact = ({
  closingBalance,
  credit,
  debit,
  entries,
  openingBalance,
  order
}: Statement): Result.Result<void, Refusal> => {
  const totals = [openingBalance, closingBalance, credit, debit]
  const values = [...totals, ...entries.flatMap(({ amount, balance }) => [amount, balance])]
  if (values.every(Number.isSafeInteger)) return Result.succeed(undefined)
  const most = amountToDecimal(Number.MAX_SAFE_INTEGER)
  return Result.fail(refusal(116, `${order.format} has room for amounts and balances up to ${most}.`))
}

const contentType = ({ format }: StatementOrder, encoding: TextEncoding): string =>
  `${StatementFormats[format].contentType}; charset=${encoding}`

/**
 * The statement that is ordered, as a file as of now, out of all movements of the merchant, oldest first.
 *
 * A format that is not implemented, and amounts that the format has no room for, are refused with 116.
 */
export const accountStatement = (
  movements: ReadonlyArray<Movement>,
  order: StatementOrder,
  settings: LocalGatewaySettings,
  now: number
): Result.Result<StatementFile, Refusal> =>
  Result.gen(function* () {
    const { currency, date_from, date_to, format, goid } = order
    if (!isWritten(format)) {
      const message = `${format} is not implemented by the local gateway; it has ${written.join(", ")}.`
      return yield* Result.fail(refusal(116, message))
    }
    const { bookings } = accountOf(movements, currency, settings, now)
    const statement = statementOf(bookings, order)
    yield* exact(statement)
    const { statementContentType, statementEncoding: encoding } = settings
    return {
      bytes: encodeText(format === "CSV_B" ? csvBStatement(statement) : guessedCsvStatement(statement), encoding),
      fileName: `statement_${goid}_${currency}_${date_from}_${date_to}${StatementFormats[format].extension}`,
      contentType: statementContentType === "ofFormat" ? contentType(order, encoding) : "application/octet-stream"
    }
  })
