/**
 * The account statement as a file.
 */
import * as Result from "effect/Result"
import { amountToDecimal } from "../../api/Amount.plain.js"
import { StatementFormats } from "../../api/CodeLists.plain.js"
import { aboLimits, aboStatement } from "./AboStatement.js"
import type { Movement } from "../books/Books.js"
import { accountOf } from "./Booking.js"
import { csvBStatement, guessedCsvStatement } from "./CsvStatement.js"
import type { StatementOrder } from "../wire/RequestDecoder.js"
import { refusal, type Refusal } from "../wire/Refusal.js"
import type { LocalGatewaySettings } from "../settings/LocalGatewaySettings.plain.js"
import { statementOf, type Statement } from "./Statement.js"
import { encodeText, type TextEncoding } from "./TextEncoding.js"
import { ownMember } from "../../api/OwnMember.plain.js"
import { xlsStatement } from "./XlsStatement.js"

/** A file for download. */
export interface StatementFile {
  readonly bytes: Uint8Array
  /** The name to save it by. */
  readonly fileName: string
  readonly contentType: string
}

/** The formats that there are, by the part of their names before the underscore. */
interface Family {
  readonly write: (statement: Statement, encoding: TextEncoding) => Uint8Array
  /** Greatest absolute values. Integers in minor units. */
  readonly limits: { readonly amount: number; readonly total: number }
  /** The encoding, where the order does not decide it. */
  readonly encoding?: TextEncoding
  /** What follows the name of the file, where it is not what the format's own name says. */
  readonly extension?: string
}

const unlimited = { amount: Number.MAX_SAFE_INTEGER, total: Number.MAX_SAFE_INTEGER }

const families: { readonly [name: string]: Family } = {
  CSV: {
    write: (statement, encoding) =>
      encodeText(
        statement.order.format === "CSV_B" ? csvBStatement(statement) : guessedCsvStatement(statement),
        encoding
      ),
    limits: unlimited
  },
  XLS: { write: xlsStatement, limits: unlimited, extension: ".xlsx" },
  ABO: {
    write: (statement, encoding) => encodeText(aboStatement(statement), encoding),
    limits: aboLimits,
    encoding: "windows-1250"
  }
}

const familyName = (format: string): string => format.split("_")[0] ?? format

const familyOf = ({ format }: StatementOrder): Result.Result<Family, Refusal> =>
  Result.fromNullishOr(ownMember(families, familyName(format)), () => {
    const implemented = Object.keys(StatementFormats).filter((known) => Object.hasOwn(families, familyName(known)))
    return refusal(116, `${format} is not implemented by the local gateway; it has ${implemented.join(", ")}.`)
  })

const exceeds = (limit: number, values: ReadonlyArray<number>): boolean =>
  values.some((value) => Math.abs(value) > limit)

const fitting = (statement: Statement, { limits }: Family): Result.Result<Statement, Refusal> => {
  const { closingBalance, credit, debit, entries, openingBalance, order } = statement
  const amounts = entries.map(({ amount }) => amount)
  const totals = [openingBalance, ...entries.map(({ balance }) => balance), closingBalance, credit, debit]
  if (!exceeds(limits.amount, amounts) && !exceeds(limits.total, totals)) return Result.succeed(statement)
  const [amount, total] = [limits.amount, limits.total].map(amountToDecimal)
  return Result.fail(refusal(116, `${order.format} has room for amounts up to ${amount} and balances up to ${total}.`))
}

const contentType = ({ format }: StatementOrder, encoding: TextEncoding): string => {
  const type = StatementFormats[format].contentType
  return type === "text/csv" ? `${type}; charset=${encoding}` : type
}

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
    const family = yield* familyOf(order)
    const { bookings } = accountOf(movements, order.currency, settings, now)
    const statement = yield* fitting(statementOf(bookings, order), family)
    const { statementContentType, statementEncoding } = settings
    const encoding = family.encoding ?? statementEncoding
    const { currency, date_from, date_to, format, goid } = order
    return {
      bytes: family.write(statement, encoding),
      fileName: `statement_${goid}_${currency}_${date_from}_${date_to}${family.extension ?? StatementFormats[format].extension}`,
      contentType: statementContentType === "ofFormat" ? contentType(order, encoding) : "application/octet-stream"
    }
  })
