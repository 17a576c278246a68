/**
 * A reconciliation as a page for an accountant, and as CSV.
 */
import { amountText, csvText, printable } from "./OutputText.js"
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

/** Counts clearings, not lines. */
const clearingSection = (
  texts: StatementTexts,
  clearings: ReadonlyArray<ClearingExplanation>
): ReadonlyArray<string> => {
  if (clearings.length === 0) return []
  const lines = clearings.flatMap((clearing) => clearingLines(texts, clearing))
  return ["", `${texts.clearings} (${clearings.length}):`, ...lines.map((line) => `  ${printable(line)}`)]
}

/** The headings of sections, some of which have advice. */
type Heading = keyof StatementTexts["advice"] | "foreign" | "topUps" | "fees" | "notYetDue" | "notCovered"

/** The page: totals first, then what needs an operator. Without orders, the movements are not matched. */
export const statementPage = (
  texts: StatementTexts,
  files: ReadonlyArray<ReadFile>,
  result: StatementReconciliation,
  isMatched: boolean
): string => {
  const sum = result.matched.reduce((total, { movement }) => total + movement.amount, 0)
  const plain = (amount: number): string => amountText(amount, undefined, texts.language)
  const moved = (movement: StatementMovement): string => movementText(texts, movement)
  const wanted = (expected: ExpectedMovement): string => expectedText(texts, expected)
  const advice: { readonly [heading in Heading]?: string } = texts.advice
  /** A heading with its number of lines, the lines, and what to do about them; nothing where there are none. */
  const section = (heading: Heading, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0
      ? []
      : [
          "",
          `${texts[heading]} (${lines.length}):`,
          ...lines.map((line) => `  ${printable(line)}`),
          ...(advice[heading] === undefined ? [] : [`  => ${advice[heading]}`])
        ]
  const verdict = result.agrees ? texts.agrees : texts.differs
  return [
    ...files.flatMap((file) => fileLines(texts, file)),
    "",
    isMatched ? verdict : texts.unchecked,
    ...(isMatched ? [`${texts.matched}: ${result.matched.length}, ${plain(sum)}`] : []),
    ...(result.repeated === 0 ? [] : [`${texts.repeated}: ${result.repeated}`]),
    ...section(
      "evidence",
      result.evidence.map(({ change, movement }) => `${change.operation} ${change.key}: ${moved(movement)}`)
    ),
    ...section(
      "foreign",
      result.foreign.map(({ _tag, movement }) => `${moved(movement)}: ${texts[_tag]}`)
    ),
    ...section("missing", result.missing.map(wanted)),
    ...section(
      "differentAmounts",
      result.differentAmounts.map(
        ({ difference, expected, movement }) =>
          `${expected.orderNumber}: ${texts.expected} ${amountOf(texts, expected)}, ${texts.booked} ${amountOf(texts, movement)} (${difference > 0 ? "+" : ""}${plain(difference)})`
      )
    ),
    ...section(
      "ambiguous",
      result.ambiguous.flatMap(({ candidates, movements }) => [
        ...movements.map(moved),
        ...candidates.map((one) => `  ${texts.candidates}: ${wanted(one)}`)
      ])
    ),
    ...section(
      "gatewayDifferences",
      result.gatewayDifferences.map(
        ({ _tag, gateway, orderNumber, paymentId, shop }) =>
          `${orderNumber} ${paymentId}: ${_tag}: ${shop} / ${gateway}`
      )
    ),
    ...section(
      "contradictions",
      result.contradictions.map(
        ({ _tag, difference, from, to }) =>
          `${texts[_tag]} ${from === to ? from : `${from} – ${to}`}: ${plain(difference)}`
      )
    ),
    ...section(
      "unexplainedTransfers",
      result.unexplainedTransfers.map((one) => transferText(texts, one))
    ),
    ...section("toCheck", result.toCheck.map(moved)),
    ...clearingSection(texts, result.clearings),
    ...section("topUps", result.topUps.map(moved)),
    ...section("fees", result.fees.map(moved)),
    ...section("notYetDue", result.notYetDue.map(wanted)),
    ...section("notCovered", result.notCovered.map(wanted))
  ].join("\n")
}

const heads = ["result", "type", "order_number", "payment_id", "expected", "booked", "date", "currency", "movement_id"]

interface CsvLine {
  readonly result: string
  readonly expected?: ExpectedMovement | undefined
  readonly movement?: StatementMovement | undefined
}

const cellsOf = ({ expected, movement, result }: CsvLine) => [
  result,
  expected?._tag ?? movement?._tag,
  expected?.orderNumber ?? movement?.orderNumber ?? movement?.clearing,
  expected?.paymentId ?? movement?.paymentId,
  expected && amountToDecimal(expected.amount),
  movement && amountToDecimal(movement.amount),
  movement?.date ?? expected?.day,
  expected?.currency ?? movement?.currency,
  movement?.movementId
]

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
  return csvText(heads, lines.map(cellsOf))
}
