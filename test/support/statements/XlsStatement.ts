/**
 * The account statement as a spreadsheet, laid out as merchants' own files are. Whether the gateway's XLS is the old
 * binary format is not known: this is XLSX.
 */
import { amountToDecimal } from "../../../src/contract/Amount.js"
import { accountNumber } from "./AboStatement.js"
import {
  czechAmount,
  counterpartyOf,
  movementTypes,
  referenceOf,
  type Entry,
  type Statement
} from "../../../src/local-gateway/documents/StatementFile.js"
import { type Cell, workbook } from "./Workbook.js"

/** `yyyy-mm-dd` as `d. m. yyyy`. */
const spacedDay = (day: string): string => day.split("-").toReversed().map(Number).join(". ")

const labelled = (label: string, value: string): ReadonlyArray<Cell> => [undefined, label, undefined, undefined, value]

const entryRow = (entry: Entry, currency: string): ReadonlyArray<Cell> => [
  undefined,
  spacedDay(entry.day),
  movementTypes[entry.type],
  counterpartyOf(entry),
  { number: amountToDecimal(entry.amount) },
  currency,
  referenceOf(entry)
]

/** A statement as XLSX. */
export const xlsStatement = ({
  closingBalance,
  credit,
  debit,
  entries,
  openingBalance,
  order
}: Statement): Uint8Array => {
  const { currency, date_from, date_to, goid } = order
  const account = accountNumber(goid)
  const sum = (amount: number): string => `${czechAmount(amount)} ${currency}`
  return workbook([
    [],
    [undefined, "VÝPIS Z OBCHODNÍHO ÚČTU"],
    [],
    [undefined, `EVČ: ${account}`],
    [undefined, `ID účtu: ${account}/TEST LOCAL GATEWAY ${currency}`],
    labelled("Datum vytvoření výpisu", spacedDay(date_to)),
    labelled("Definované období", `${spacedDay(date_from)} - ${spacedDay(date_to)}`),
    labelled("Počáteční zůstatek na účtě", sum(openingBalance)),
    labelled("Připsáno na účet", sum(credit)),
    labelled("Odepsáno z účtu", sum(0 - debit)),
    labelled("Konečný zůstatek na účtě", sum(closingBalance)),
    [],
    [undefined, "Pohyby na účtě"],
    [undefined, "Datum", "Typ", "Protistrana", "Částka", "Měna", "ID objednávky/VS"],
    ...entries.map((entry) => entryRow(entry, currency))
  ])
}
