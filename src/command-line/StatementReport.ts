/**
 * A reconciliation as a page for an accountant.
 */
import { csvCell } from "../basics/Csv.js"
import { printable } from "./OutputText.js"
import { amountToDecimal } from "../contract/Amount.js"
import { groupBy, sumsByCurrency } from "../basics/Lists.js"
import { ownMember } from "../basics/OwnMember.js"
import type {
  BankTransfer,
  ClearingExplanation,
  ExpectedMovement,
  ForeignMovement,
  ParsedStatement,
  StatementMovement,
  StatementNote,
  StatementReconciliation
} from "../statement/index.js"
import type { OrdersLayout } from "../statement/BookedOrder.js"
import { numberOf } from "../statement/MovementType.js"
import { advice, inLanguage, type Said, type StatementLanguage, type Text, texts } from "./StatementTexts.js"

export interface ReadFile {
  readonly path: string
  readonly statement: ParsedStatement
}

/** A day, an amount and further values, in columns. */
const lineOf = (
  { money }: Said,
  date: string,
  { amount, currency }: { readonly amount: number; readonly currency: string },
  ...parts: ReadonlyArray<string | number | undefined>
): string => [date, money(amount, currency).padStart(14), ...parts].filter((part) => part !== undefined).join("  ")

const movementText = (said: Said, movement: StatementMovement): string => {
  const { counterparty, date, type } = movement
  return lineOf(said, date, movement, type, numberOf(movement), counterparty)
}

const expectedText = (said: Said, expected: ExpectedMovement): string => {
  const { _tag, day = "", orderNumber, paymentId } = expected
  return lineOf(said, day, expected, said.text(_tag), orderNumber, paymentId)
}

const transferText = (said: Said, transfer: BankTransfer): string =>
  lineOf(said, transfer.date, transfer, transfer.variableSymbol, transfer.name)

const noteText = ({ message }: StatementNote): string => printable(message)

/** What to know about files, for output that has no place for it. */
export const noteLines = ({ path, statement }: ReadFile): ReadonlyArray<string> =>
  statement.notes.map((note) => `${printable(path)}: ${noteText(note)}`)

const fileLines = ({ money, text }: Said, { path, statement }: ReadFile): ReadonlyArray<string> => {
  const { account, closingBalance, currency, format, movements, notes, openingBalance, period } = statement
  const about = [
    format,
    account && `${text("account")} ${account}`,
    currency,
    period && `${period.from} – ${period.to}`,
    `${text("movements")}: ${movements.length}`,
    openingBalance !== undefined && `${text("opening")}: ${money(openingBalance, currency)}`,
    closingBalance !== undefined && `${text("closing")}: ${money(closingBalance, currency)}`
  ]
  return [
    printable(`${text("file")} ${path}: ${about.filter(Boolean).join(", ")}`),
    ...notes.map((note) => `  ${noteText(note)}`)
  ]
}

const clearingText = ({ money, text }: Said, clearing: ClearingExplanation): string => {
  const { carried, creditNotes, currency, explainedBy, externalFees, fees, gross } = clearing
  const { number, others, refundFees, refunds, through = "", transfer } = clearing
  const parts = [
    ["carried", carried],
    ["gross", gross],
    ["refunds", -refunds],
    ["refundFees", -refundFees],
    ["feesOf", -fees],
    ["credits", creditNotes + others]
  ] as const
  const sums = parts
    .filter(([, amount]) => amount !== 0)
    .map(([name, amount]) => {
      const external = name === "feesOf" && externalFees !== 0
      return `${text(name)} ${money(amount)}${external ? ` (${text("externalFees")} ${money(-externalFees)})` : ""}`
    })
  const how = `${text(`explained.${explainedBy}`)}${explainedBy === "cutOff" ? ` ${through}` : ""}`
  return `${number}: ${text("transfer")} ${money(transfer, currency)} = ${sums.join(", ")} (${how})`
}

/** The payments and refunds that a clearing paid out, by their day. */
const ordersPaidOut = (said: Said, { movements }: ClearingExplanation): ReadonlyArray<string> => {
  const orders = movements.filter(({ _tag }) => _tag === "Payment" || _tag === "Refund")
  if (orders.length === 0) return []
  return [
    `  ${said.text("ordersPaidOut")} (${orders.length}):`,
    ...orders.map((movement) => {
      const { date, orderNumber, paymentId } = movement
      return `    ${lineOf(said, date, movement, said.text(movement._tag === "Refund" ? "Refund" : "Payment"), orderNumber, paymentId)}`
    })
  ]
}

/** Facts about a clearing besides its contents, one line each. */
const clearingLines = (said: Said, clearing: ClearingExplanation): ReadonlyArray<string> => {
  const { currency, difference, notSent, outstanding, received } = clearing
  const { text } = said
  const money = (amount: number): string => said.money(amount, currency)
  const rest = received?.outstanding ? ` (${text("rest")} ${money(received.outstanding)})` : ""
  return [
    clearingText(said, clearing),
    ...(notSent === undefined ? [] : [`  ${text("notSent")} ${money(notSent)}: ${text("notSentAdvice")}`]),
    ...(difference === undefined ? [] : [`  ${text("difference")} ${money(difference)}: ${text("differenceAdvice")}`]),
    ...(outstanding === undefined ? [] : [`  ${text("outstanding")} ${money(outstanding)}`]),
    ...(received === undefined ? [] : [`  ${money(received.amount)} ${text(`received.${received.state}`)}${rest}`]),
    ...(received?.transfers ?? []).map((transfer) => `    ${transferText(said, transfer)}`),
    ...ordersPaidOut(said, clearing)
  ]
}

/** The money that is still at GoPay. A clearing that is not explained may have paid it out. */
const notPaidOut = ({ clearings, movements }: StatementReconciliation): ReadonlyArray<StatementMovement> =>
  clearings.length === 0 || clearings.some(({ explainedBy }) => explainedBy === "no")
    ? []
    : movements.filter(({ _tag, clearing }) => (_tag === "Payment" || _tag === "Refund") && clearing === undefined)

/** The line of a file of orders that a refund would be. */
const orderLine = (
  { amount, currency, date, orderNumber, paymentId }: StatementMovement,
  { delimiter, heads }: OrdersLayout
): string => {
  const sum = amountToDecimal(Math.abs(amount))
  const cells = {
    order_number: csvCell(orderNumber ?? ""),
    type: "refund",
    // A list with semicolons comes from a spreadsheet that writes a decimal comma.
    amount: delimiter === ";" ? sum.replace(".", ",") : sum,
    currency,
    date,
    payment_id: String(paymentId ?? "")
  }
  return heads.map((head) => ownMember<string>(cells, head) ?? "").join(delimiter)
}

/** Movements that are not in the books, grouped by what to do about them, which is said once. */
const foreignLines = (
  said: Said,
  { foreign }: StatementReconciliation,
  layout: OrdersLayout | undefined
): ReadonlyArray<string | ReadonlyArray<string>> => {
  const kindOf = ({ _tag, movement }: ForeignMovement): keyof typeof texts =>
    _tag === "UnknownOrder" && movement._tag === "Refund"
      ? layout === undefined
        ? "UnknownRefundOfLedger"
        : "UnknownRefund"
      : _tag
  const kinds = [...new Set(foreign.map(kindOf))]
  return kinds.flatMap((kind) => {
    const movements = foreign.filter((one) => kindOf(one) === kind).map(({ movement }) => movement)
    const lines = movements.map((movement) => movementText(said, movement))
    const advice = [
      `=> ${said.text(kind)}`,
      ...(kind === "UnknownRefund" && layout !== undefined
        ? movements.map((movement) => `   ${orderLine(movement, layout)}`)
        : [])
    ]
    return lines.map((line, index) => (index === lines.length - 1 ? [line, ...advice] : line))
  })
}

/** The files that contradict each other, by what to do about it, which is said once. */
export const contradictionLines = (
  { money, text }: Said,
  { contradictions }: StatementReconciliation
): ReadonlyArray<string | ReadonlyArray<string>> =>
  [...groupBy(contradictions, ({ _tag }) => _tag)].flatMap(([, alike]) =>
    alike.map(({ _tag, currency, difference, from, to }, index) => {
      const line = `${text(_tag)} ${from === to ? from : `${from} – ${to}`}: ${money(difference, currency)}`
      return index === alike.length - 1 ? [line, `=> ${text(`${_tag}Advice`)}`] : line
    })
  )

/** What a page is made of. */
interface StatementPage {
  readonly language: StatementLanguage
  readonly files: ReadonlyArray<ReadFile>
  readonly result: StatementReconciliation
  readonly isMatched: boolean
  /** How a line of the file of orders is written, if there is one. */
  readonly layout: OrdersLayout | undefined
}

/** The page: totals first, then what needs an operator. Without orders, the movements are not matched. */
export const statementPage = ({ files, isMatched, language, layout, result }: StatementPage): string => {
  const said = inLanguage(language)
  const { money, text } = said
  const sums = sumsByCurrency(result.matched.map(({ movement }) => movement))
  const matchedSums = sums.map(({ amount, currency }) => money(amount, currency)).join(", ")
  const moved = (movement: StatementMovement): string => movementText(said, movement)
  const wanted = (expected: ExpectedMovement): string => expectedText(said, expected)
  /** The items of each section, in order. An item with several lines is a list. */
  const sections: { readonly [Heading in keyof typeof texts]?: ReadonlyArray<string | ReadonlyArray<string>> } = {
    evidence: result.evidence.map(
      ({ change, isAmbiguous, movement }) =>
        `${change.operation} ${change.key}: ${moved(movement)}${isAmbiguous ? `; ${text("ambiguousEvidence")}` : ""}`
    ),
    foreign: foreignLines(said, result, layout),
    missing: result.missing.map(wanted),
    differentAmounts: result.differentAmounts.map(({ difference, expected, movement }) => {
      const [books, account] = [expected, movement].map(({ amount, currency }) => money(amount, currency))
      const more = `${difference > 0 ? "+" : ""}${money(difference, expected.currency)}`
      return `${expected.orderNumber}: ${text("expected")} ${books}, ${text("booked")} ${account} (${more})`
    }),
    ambiguous: result.ambiguous.flatMap(({ candidates, movements }) => [
      ...movements.map(moved),
      ...candidates.map((one) => `  ${text("candidates")}: ${wanted(one)}`)
    ]),
    gatewayDifferences: result.gatewayDifferences.map(
      ({ _tag, gateway, orderNumber, paymentId, shop }) => `${orderNumber} ${paymentId}: ${_tag}: ${shop} / ${gateway}`
    ),
    contradictions: contradictionLines(said, result),
    unexplainedTransfers: result.unexplainedTransfers.map((one) => transferText(said, one)),
    toCheck: result.toCheck.map(moved),
    clearings: result.clearings.map((clearing) => clearingLines(said, clearing)),
    notPaidOut: notPaidOut(result).map(moved),
    topUps: result.topUps.map(moved),
    fees: result.fees.map(moved),
    notYetDue: result.notYetDue.map(wanted),
    notCovered: result.notCovered.map(wanted)
  }
  return [
    ...files.flatMap((file) => fileLines(said, file)),
    "",
    text(isMatched ? (result.agrees ? "agrees" : "differs") : "unchecked"),
    ...(isMatched
      ? [`${text("matched")}: ${result.matched.length}${matchedSums && `, ${text("net")} ${matchedSums}`}`]
      : []),
    ...(result.repeated === 0 ? [] : [`${text("repeated")}: ${result.repeated}`]),
    ...Object.entries(sections).flatMap(([heading, items]) => {
      if (items.length === 0) return []
      const whatToDo = ownMember<Text>(advice, heading)
      return [
        "",
        `${ownMember<Text>(texts, heading)?.[language]} (${items.length}):`,
        ...items.flat().map((line) => `  ${printable(line)}`),
        ...(whatToDo === undefined ? [] : [`  => ${whatToDo[language]}`])
      ]
    })
  ].join("\n")
}
