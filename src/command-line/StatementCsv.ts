/**
 * Statements and what was found of them as CSV: for programs, or for a Czech spreadsheet.
 */
import { csvCell, csvText } from "../basics/Csv.js"
import { amountToDecimal } from "../contract/Amount.js"
import type { ExpectedMovement, MovementTag, StatementMovement, StatementReconciliation } from "../statement/index.js"
import { czechDay } from "./OutputText.js"

/** For each kind of movement, its name in the export, which never changes since programs rely on it, and its Czech name. */
export const bookings: Readonly<Record<MovementTag, { readonly word: string; readonly cs: string }>> = {
  Payment: { word: "payment", cs: "platba" },
  Refund: { word: "refund", cs: "vratka" },
  RefundFee: { word: "refund_fee", cs: "poplatek za vratku" },
  Fee: { word: "fee", cs: "poplatek" },
  CreditNote: { word: "credit_note", cs: "dobropis poplatků" },
  Payout: { word: "payout", cs: "výplata na bankovní účet" },
  TopUp: { word: "top_up", cs: "dobití účtu" },
  UnmatchedTransfer: { word: "unmatched_transfer", cs: "nespárovaný převod" },
  Hold: { word: "hold", cs: "blokace" },
  Unknown: { word: "unknown", cs: "neznámý pohyb" }
}

/**
 * Whom a table is for. A program reads commas, decimal points, `yyyy-mm-dd` and words that do not change. A Czech spreadsheet
 * opens semicolons, decimal commas and Czech days, and takes a file for UTF-8 by its mark only.
 */
export type TableFor = "program" | "czechSpreadsheet"

/** A cell: a text or an id; an amount in minor units; a day, `yyyy-mm-dd`; or a word in both forms. */
type Cell =
  | string
  | number
  | undefined
  | { readonly amount: number }
  | { readonly day: string }
  | { readonly word: string; readonly cs: string }

const cellText = (cell: Cell, reader: TableFor): string => {
  if (typeof cell !== "object") return String(cell ?? "")
  const isCzech = reader === "czechSpreadsheet"
  if ("amount" in cell) return isCzech ? amountToDecimal(cell.amount).replace(".", ",") : amountToDecimal(cell.amount)
  if ("word" in cell) return isCzech ? cell.cs : cell.word
  // A spreadsheet takes it for a day without the spaces only.
  return isCzech ? czechDay(cell.day).replaceAll(" ", "") : cell.day
}

/** A table with its heads for programs and in Czech. */
export const tableText = (
  heads: Readonly<Record<string, string>>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  reader: TableFor
): string => {
  if (reader === "program") {
    return csvText(
      Object.keys(heads),
      rows.map((row) => row.map((cell) => cellText(cell, reader)))
    )
  }
  const isAmount = (cell: Cell): boolean => typeof cell === "object" && "amount" in cell
  const lines = rows.map((row) =>
    row.map((cell) => (isAmount(cell) ? cellText(cell, reader) : csvCell(cellText(cell, reader))))
  )
  return `\ufeff${[Object.values(heads), ...lines].map((cells) => cells.join(";")).join("\r\n")}`
}

const heads = {
  result: "výsledek",
  type: "druh",
  order_number: "číslo objednávky",
  payment_id: "ID platby",
  expected: "v účetnictví",
  booked: "na výpisu",
  date: "datum",
  currency: "měna",
  movement_id: "ID pohybu",
  clearing: "vyúčtování"
}

/** The finding for a line: the word that programs rely on, and its Czech name. */
const results = {
  evidence: "změna proběhla",
  ambiguousEvidence: "změna možná proběhla",
  foreign: "chybí v účetnictví",
  missing: "chybí na výpisu",
  differentAmount: "jiná částka",
  ambiguous: "hodí se více objednávek",
  toCheck: "ověřit u GoPay",
  matched: "souhlasí",
  notMatched: "nepárováno",
  payout: "výplata",
  fee: "poplatek",
  topUp: "dobití účtu",
  notYetDue: "zatím být nemusí",
  notCovered: "mimo dny výpisů"
}

interface CsvLine {
  readonly result: keyof typeof results
  readonly expected?: ExpectedMovement | undefined
  readonly movement?: StatementMovement | undefined
}

const cellsOf = ({ expected, movement, result }: CsvLine): ReadonlyArray<Cell> => {
  const tag = expected?._tag ?? movement?._tag
  const day = movement?.date ?? expected?.day
  return [
    { word: result, cs: results[result] },
    tag && { word: tag, cs: bookings[tag].cs },
    expected?.orderNumber ?? movement?.orderNumber,
    expected?.paymentId ?? movement?.paymentId,
    expected && { amount: expected.amount },
    movement && { amount: movement.amount },
    day === undefined ? undefined : { day },
    expected?.currency ?? movement?.currency,
    movement?.movementId,
    movement?.clearing
  ]
}

const isFee = ({ _tag }: StatementMovement): boolean => ["Fee", "RefundFee", "CreditNote"].includes(_tag)

const isOrder = ({ _tag }: StatementMovement): boolean => _tag === "Payment" || _tag === "Refund"

/** Each line of the books and of the statements, with what was found; without books, each movement. */
export const statementCsv = (result: StatementReconciliation, isMatched: boolean, reader: TableFor): string => {
  const of =
    (name: keyof typeof results) =>
    (expected: ExpectedMovement): CsvLine => ({ result: name, expected })
  const as =
    (name: keyof typeof results) =>
    (movement: StatementMovement): CsvLine => ({ result: name, movement })
  const lines: ReadonlyArray<CsvLine> = [
    ...(isMatched ? [] : result.movements.filter(isOrder).map(as("notMatched"))),
    ...result.evidence.map(({ isAmbiguous, movement }) => as(isAmbiguous ? "ambiguousEvidence" : "evidence")(movement)),
    ...result.foreign.map(({ movement }) => as("foreign")(movement)),
    ...result.missing.map(of("missing")),
    ...result.differentAmounts.map(({ expected, movement }) => ({ ...as("differentAmount")(movement), expected })),
    ...result.ambiguous.flatMap(({ candidates, movements }) => [
      ...movements.map(as("ambiguous")),
      ...candidates.map(of("ambiguous"))
    ]),
    ...result.toCheck.map(as("toCheck")),
    ...result.matched.map(({ expected, movement }) => ({ ...as("matched")(movement), expected })),
    ...result.clearings.flatMap(({ payouts }) => payouts.map(as("payout"))),
    ...result.movements.filter(isFee).map(as("fee")),
    ...result.topUps.map(as("topUp")),
    ...result.notYetDue.map(of("notYetDue")),
    ...result.notCovered.map(of("notCovered"))
  ]
  return tableText(heads, lines.map(cellsOf), reader)
}
