/**
 * Statements and what was found of them as CSV.
 */
import { csvText } from "../basics/Csv.js"
import { amountToDecimal } from "../contract/Amount.js"
import type { ExpectedMovement, StatementMovement, StatementReconciliation } from "../statement/index.js"

const heads = [
  "result",
  "type",
  "order_number",
  "payment_id",
  "expected",
  "booked",
  "date",
  "currency",
  "movement_id",
  "clearing"
]

interface CsvLine {
  readonly result: string
  readonly expected?: ExpectedMovement | undefined
  readonly movement?: StatementMovement | undefined
}

const cellsOf = ({ expected, movement, result }: CsvLine) => [
  result,
  expected?._tag ?? movement?._tag,
  expected?.orderNumber ?? movement?.orderNumber,
  expected?.paymentId ?? movement?.paymentId,
  expected && amountToDecimal(expected.amount),
  movement && amountToDecimal(movement.amount),
  movement?.date ?? expected?.day,
  expected?.currency ?? movement?.currency,
  movement?.movementId,
  movement?.clearing
]

const isFee = ({ _tag }: StatementMovement): boolean => ["Fee", "RefundFee", "CreditNote"].includes(_tag)

/** Each line of the books and of the statements, with what was found. */
export const statementCsv = (result: StatementReconciliation): string => {
  const of =
    (name: string) =>
    (expected: ExpectedMovement): CsvLine => ({ result: name, expected })
  const lines: ReadonlyArray<CsvLine> = [
    ...result.evidence.map(({ isAmbiguous, movement }) => ({
      result: isAmbiguous ? "ambiguousEvidence" : "evidence",
      movement
    })),
    ...result.foreign.map(({ movement }) => ({ result: "foreign", movement })),
    ...result.missing.map(of("missing")),
    ...result.differentAmounts.map(({ expected, movement }) => ({ result: "differentAmount", expected, movement })),
    ...result.ambiguous.flatMap(({ candidates, movements }) => [
      ...movements.map((movement) => ({ result: "ambiguous", movement })),
      ...candidates.map(of("ambiguous"))
    ]),
    ...result.toCheck.map((movement) => ({ result: "toCheck", movement })),
    ...result.matched.map(({ expected, movement }) => ({ result: "matched", expected, movement })),
    ...result.clearings.flatMap(({ payouts }) => payouts.map((movement) => ({ result: "payout", movement }))),
    ...result.movements.filter(isFee).map((movement) => ({ result: "fee", movement })),
    ...result.topUps.map((movement) => ({ result: "topUp", movement })),
    ...result.notYetDue.map(of("notYetDue")),
    ...result.notCovered.map(of("notCovered"))
  ]
  return csvText(heads, lines.map(cellsOf))
}
