/**
 * The account statement as a file.
 */
import * as Result from "effect/Result"
import { amountToDecimal } from "../../api/Amount.plain.js"
import { StatementFormats } from "../../api/CodeLists.plain.js"
import { aboLimits, aboStatement } from "./AboStatement.js"
import type { Movement } from "../books/Books.js"
import { csvStatement } from "./CsvStatement.js"
import type { StatementOrder } from "../wire/RequestDecoder.js"
import { refusal, type Refusal } from "../wire/Refusal.js"
import type { Settings } from "../settings/Settings.plain.js"
import { statementOf, type Statement } from "./Statement.js"
import { encodeText, type TextEncoding } from "./TextEncoding.js"
import { ownMember } from "../../api/OwnMember.plain.js"

/** A file for download. */
export interface StatementFile {
  readonly bytes: Uint8Array
  /** The name to save it by. */
  readonly fileName: string
  readonly contentType: string
}

/** The formats that there are, by the part of their names before the underscore. */
interface Family {
  readonly write: (statement: Statement) => string
  /** Greatest absolute values. Integers in minor units. */
  readonly limits: { readonly amount: number; readonly total: number }
  /** The encoding, where the order does not decide it. */
  readonly encoding?: TextEncoding
}

const families: { readonly [name: string]: Family } = {
  CSV: { write: csvStatement, limits: { amount: Number.MAX_SAFE_INTEGER, total: Number.MAX_SAFE_INTEGER } },
  ABO: { write: aboStatement, limits: aboLimits, encoding: "windows-1250" }
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
 * The statement that is ordered, as a file, out of all movements on the merchant's account, oldest first.
 *
 * A format that is not implemented, and amounts that the format has no room for, are refused with 116.
 */
export const accountStatement = (
  movements: ReadonlyArray<Movement>,
  order: StatementOrder,
  { statementContentType, statementEncoding }: Settings
): Result.Result<StatementFile, Refusal> =>
  Result.gen(function* () {
    const family = yield* familyOf(order)
    const statement = yield* fitting(statementOf(movements, order), family)
    const encoding = family.encoding ?? statementEncoding
    const { currency, date_from, date_to, format, goid } = order
    return {
      bytes: encodeText(family.write(statement), encoding),
      fileName: `statement_${goid}_${currency}_${date_from}_${date_to}${StatementFormats[format].extension}`,
      contentType: statementContentType === "ofFormat" ? contentType(order, encoding) : "application/octet-stream"
    }
  })
