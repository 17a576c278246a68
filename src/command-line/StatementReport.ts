/**
 * A reconciliation as a page for an accountant, and as CSV.
 */
import { csvCell, amountText, printable } from "./OutputText.js"
import { amountToDecimal } from "../contract/Amount.js"
import type {
  BankTransfer,
  ClearingExplanation,
  ExpectedMovement,
  ParsedStatement,
  StatementMovement,
  StatementReconciliation
} from "../statement/index.js"
import type { StatementTexts } from "./StatementTexts.js"

/** A file that was read. */
export interface ReadFile {
  readonly path: string
  readonly statement: ParsedStatement
}

const amountOf = (
  { language }: StatementTexts,
  { amount, currency }: { readonly amount: number; readonly currency: string }
): string => amountText(amount, currency, language)

const movementText = (texts: StatementTexts, movement: StatementMovement): string => {
  const { clearing, counterparty, date, orderNumber, reference, type } = movement
  return [date, amountOf(texts, movement).padStart(14), type, orderNumber ?? clearing ?? reference, counterparty]
    .filter((part) => part !== undefined)
    .join("  ")
}

const expectedText = (texts: StatementTexts, expected: ExpectedMovement): string => {
  const { _tag, day, orderNumber, paymentId } = expected
  return [day ?? "", amountOf(texts, expected).padStart(14), texts[_tag], orderNumber, paymentId ?? ""]
    .join("  ")
    .trimEnd()
}

/** A heading with its number of lines, the lines, and what to do about them; nothing where there are none. */
const section = (heading: string, lines: ReadonlyArray<string>, advice?: string): ReadonlyArray<string> =>
  lines.length === 0
    ? []
    : [
        "",
        `${heading} (${lines.length}):`,
        ...lines.map((line) => `  ${printable(line)}`),
        ...(advice === undefined ? [] : [`  => ${advice}`])
      ]

const transferText = (texts: StatementTexts, transfer: BankTransfer): string => {
  const { date, name, variableSymbol } = transfer
  return [date, amountOf(texts, transfer).padStart(14), variableSymbol, name]
    .filter((part) => part !== undefined)
    .join("  ")
}

const fileLines = (texts: StatementTexts, { path, statement }: ReadFile): ReadonlyArray<string> => {
  const { account, closingBalance, currency, format, movements, notes, openingBalance, period } = statement
  const about = [
    format,
    account && `${texts.account} ${account}`,
    currency,
    period && `${period.from} – ${period.to}`,
    `${texts.movements}: ${movements.length}`,
    openingBalance !== undefined && `${texts.opening}: ${amountText(openingBalance, currency, texts.language)}`,
    closingBalance !== undefined && `${texts.closing}: ${amountText(closingBalance, currency, texts.language)}`
  ]
  return [
    printable(`${texts.file} ${path}: ${about.filter(Boolean).join(", ")}`),
    ...notes.map(({ message }) => printable(`  ${message}`))
  ]
}

const clearingText = (texts: StatementTexts, clearing: ClearingExplanation): string => {
  const {
    carried,
    creditNotes,
    currency,
    explainedBy,
    externalFees,
    fees,
    gross,
    number,
    others,
    refundFees,
    refunds,
    through,
    transfer
  } = clearing
  const parts: ReadonlyArray<readonly [string, number]> = [
    [texts.carried, carried],
    [texts.gross, gross],
    [texts.refunds, -refunds],
    [texts.refundFees, -refundFees],
    [texts.feesOf, -fees],
    [texts.credits, creditNotes + others]
  ]
  const sums = parts
    .filter(([, amount]) => amount !== 0)
    .map(([name, amount]) => {
      const sum = `${name} ${amountText(amount, undefined, texts.language)}`
      const isSplit = name === texts.feesOf && externalFees !== 0
      return isSplit ? `${sum} (${texts.externalFees} ${amountText(-externalFees, undefined, texts.language)})` : sum
    })
  const how = explainedBy === "cutOff" ? `${texts.explained.cutOff} ${through ?? ""}` : texts.explained[explainedBy]
  return `${number}: ${texts.transfer} ${amountText(transfer, currency, texts.language)} = ${sums.join(", ")} (${how})`
}

/** What is to know of a clearing beside what it was made of: one line each. */
const clearingLines = (texts: StatementTexts, clearing: ClearingExplanation): ReadonlyArray<string> => {
  const { currency, difference, notSent, outstanding, received } = clearing
  const money = (amount: number): string => amountText(amount, currency, texts.language)
  return [
    clearingText(texts, clearing),
    ...(notSent === undefined ? [] : [`  ${texts.notSent} ${money(notSent)}: ${texts.notSentAdvice}`]),
    ...(difference === undefined ? [] : [`  ${texts.difference} ${money(difference)}: ${texts.differenceAdvice}`]),
    ...(outstanding === undefined ? [] : [`  ${texts.outstanding} ${money(outstanding)}`]),
    ...(received === undefined
      ? []
      : [
          `  ${money(received.amount)} ${texts.received[received.state]}${received.outstanding === 0 ? "" : ` (${texts.rest} ${money(received.outstanding)})`}`,
          ...received.transfers.map((transfer) => `    ${transferText(texts, transfer)}`)
        ])
  ]
}

const findings = (texts: StatementTexts, result: StatementReconciliation): ReadonlyArray<string> => {
  const movements = (list: ReadonlyArray<StatementMovement>) => list.map((one) => movementText(texts, one))
  const expected = (list: ReadonlyArray<ExpectedMovement>) => list.map((one) => expectedText(texts, one))
  return [
    ...section(
      texts.evidence,
      result.evidence.map(
        ({ change, movement }) => `${change.operation} ${change.key}: ${movementText(texts, movement)}`
      ),
      texts.advice.evidence
    ),
    ...section(
      texts.foreign,
      result.foreign.map(({ _tag, movement }) => `${movementText(texts, movement)}: ${texts[_tag]}`)
    ),
    ...section(texts.missing, expected(result.missing), texts.advice.missing),
    ...section(
      texts.differentAmounts,
      result.differentAmounts.map(
        ({ difference, expected: one, movement }) =>
          `${one.orderNumber}: ${texts.expected} ${amountOf(texts, one)}, ${texts.booked} ${amountOf(texts, movement)} (${difference > 0 ? "+" : ""}${amountText(difference, undefined, texts.language)})`
      ),
      texts.advice.differentAmounts
    ),
    ...section(
      texts.ambiguous,
      result.ambiguous.flatMap(({ candidates, movements: list }) => [
        ...movements(list),
        ...candidates.map((one) => `  ${texts.candidates}: ${expectedText(texts, one)}`)
      ]),
      texts.advice.ambiguous
    ),
    ...section(
      texts.gatewayDifferences,
      result.gatewayDifferences.map(
        ({ _tag, gateway, orderNumber, paymentId, shop }) =>
          `${orderNumber} ${paymentId}: ${_tag}: ${shop} / ${gateway}`
      ),
      texts.advice.gatewayDifferences
    ),
    ...section(
      texts.contradictions,
      result.contradictions.map(({ _tag, difference, from, to }) => {
        const days = from === to ? from : `${from} – ${to}`
        return `${texts[_tag]} ${days}: ${amountText(difference, undefined, texts.language)}`
      }),
      texts.advice.contradictions
    ),
    ...section(
      texts.unexplainedTransfers,
      result.unexplainedTransfers.map((one) => transferText(texts, one)),
      texts.advice.unexplainedTransfers
    )
  ]
}

/** Counts clearings, not lines. */
const clearingSection = (
  texts: StatementTexts,
  clearings: ReadonlyArray<ClearingExplanation>
): ReadonlyArray<string> => {
  if (clearings.length === 0) return []
  const lines = clearings.flatMap((clearing) => clearingLines(texts, clearing))
  return ["", `${texts.clearings} (${clearings.length}):`, ...lines.map((line) => `  ${printable(line)}`)]
}

/** The page: totals first, then what needs an operator. Without orders, the movements are not matched. */
export const statementPage = (
  texts: StatementTexts,
  files: ReadonlyArray<ReadFile>,
  result: StatementReconciliation,
  isMatched: boolean
): string => {
  const sum = result.matched.reduce((total, { movement }) => total + movement.amount, 0)
  const expected = (list: ReadonlyArray<ExpectedMovement>) => list.map((one) => expectedText(texts, one))
  const verdict = result.agrees ? texts.agrees : texts.differs
  return [
    ...files.flatMap((file) => fileLines(texts, file)),
    "",
    isMatched ? verdict : texts.unchecked,
    ...(isMatched ? [`${texts.matched}: ${result.matched.length}, ${amountText(sum, undefined, texts.language)}`] : []),
    ...(result.repeated === 0 ? [] : [`${texts.repeated}: ${result.repeated}`]),
    ...findings(texts, result),
    ...section(
      texts.toCheck,
      result.toCheck.map((one) => movementText(texts, one)),
      texts.advice.toCheck
    ),
    ...clearingSection(texts, result.clearings),
    ...section(
      texts.topUps,
      result.topUps.map((one) => movementText(texts, one))
    ),
    ...section(
      texts.fees,
      result.fees.map((one) => movementText(texts, one))
    ),
    ...section(texts.notYetDue, expected(result.notYetDue)),
    ...section(texts.notCovered, expected(result.notCovered))
  ].join("\n")
}

const heads = ["result", "type", "order_number", "payment_id", "expected", "booked", "date", "currency", "movement_id"]

interface CsvLine {
  readonly result: string
  readonly expected?: ExpectedMovement | undefined
  readonly movement?: StatementMovement | undefined
}

const csvLine = ({ expected, movement, result }: CsvLine): string => {
  const paymentId = expected?.paymentId ?? movement?.paymentId
  return [
    result,
    expected?._tag ?? movement?._tag ?? "",
    csvCell(expected?.orderNumber ?? movement?.orderNumber ?? movement?.clearing ?? ""),
    paymentId === undefined ? "" : String(paymentId),
    expected === undefined ? "" : amountToDecimal(expected.amount),
    movement === undefined ? "" : amountToDecimal(movement.amount),
    movement?.date ?? expected?.day ?? "",
    expected?.currency ?? movement?.currency ?? "",
    csvCell(movement?.movementId ?? "")
  ].join(",")
}

/** Each line of the books and of the statements, with what was found. */
export const statementCsv = (result: StatementReconciliation): string => {
  const of =
    (name: string) =>
    (expected: ExpectedMovement): CsvLine => ({ result: name, expected })
  const lines: ReadonlyArray<CsvLine> = [
    ...result.evidence.map(({ movement }) => ({ result: "evidence", movement })),
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
    ...result.fees.map((movement) => ({ result: "fee", movement })),
    ...result.topUps.map((movement) => ({ result: "topUp", movement })),
    ...result.notYetDue.map(of("notYetDue")),
    ...result.notCovered.map(of("notCovered"))
  ]
  return [heads.join(","), ...lines.map(csvLine)].join("\r\n")
}
