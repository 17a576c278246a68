/**
 * A statement of the shop's own bank, in the same ABO that Czech banks write: what arrived of GoPay's clearings.
 */
import { withoutUndefined } from "../contract/Nulls.js"
import { aboFile, type Fields, isAbo, withoutZeros } from "./AboStatement.js"
import { bytesText, maxBytes, maxMovements, textOf, tooLarge } from "./FileText.js"
import { unknownStatement } from "./StatementError.js"

/**
 * A transfer on the shop's own bank account.
 *
 * @category statements
 */
export interface BankTransfer {
  /** The line of the file; the first is 1. */
  readonly line: number
  /** `yyyy-mm-dd`. */
  readonly date: string
  /** An integer in minor units; negative is out of the account. */
  readonly amount: number
  /** The ISO 4217 code. */
  readonly currency: string
  /** The variable symbol, without leading zeros: of a clearing its number. */
  readonly variableSymbol?: string
  /** The bank's number of the transfer, where the file has it. */
  readonly transferId?: string
  /** The other account's number, without leading zeros and without the code of its bank. */
  readonly counterparty?: string
  /** The name of the other party, as the file writes it. */
  readonly name?: string
}

/**
 * A statement of the shop's own bank. Its transfers add up: a file in which they do not is refused.
 *
 * @category statements
 */
export interface BankStatement {
  /** The number of the shop's account. */
  readonly account: string
  /** Its name. */
  readonly accountName: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** The days that the file covers, both `yyyy-mm-dd`. */
  readonly period: { readonly from: string; readonly to: string }
  /** An integer in minor units. */
  readonly openingBalance: number
  /** An integer in minor units. */
  readonly closingBalance: number
  /** In the order of the file. */
  readonly transfers: ReadonlyArray<BankTransfer>
}

const transferOf = (fields: Fields, amount: number, currency: string): BankTransfer =>
  withoutUndefined({
    line: fields.line,
    date: fields.day(122, "the day"),
    amount,
    currency,
    transferId: withoutZeros(fields.text(35, 13)),
    variableSymbol: withoutZeros(fields.digits(61, 10, "the variable symbol")),
    counterparty: withoutZeros(fields.text(19, 16)),
    name: fields.text(97, 20) || undefined
  })

/**
 * Reads a statement of the shop's own bank as ABO, also called GPC, which Czech banks export. `reconcileStatement` takes
 * it as `bank`, and says which transfers are those of which clearing.
 *
 * Records of text below a transfer (076 to 079) are left out. Files up to 16 MiB and 200 000 transfers are read.
 *
 * @throws StatementError when the file is no ABO, does not add up, is cut off, is too large or does not say its currency
 * @category statements
 */
export const parseBankStatement = (
  file: Uint8Array,
  options: { readonly currency?: string | undefined } = {}
): BankStatement => {
  if (file.length > maxBytes) throw tooLarge(bytesText(maxBytes))
  const text = textOf(file)
  if (!isAbo(text)) {
    throw unknownStatement("Not a known kind of bank statement: export it as ABO, which banks also call GPC.")
  }
  const { lines, ...account } = aboFile(text, { currency: options.currency, isBank: true, maxMovements }, transferOf)
  return { ...account, transfers: lines }
}
