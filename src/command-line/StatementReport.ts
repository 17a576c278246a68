/**
 * A reconciliation as a page for an accountant.
 */
import { csvCell } from "../basics/Csv.js"
import type { CommandFailure } from "./Command.js"
import { printable } from "./OutputText.js"
import { amountToDecimal } from "../contract/Amount.js"
import { groupBy, sumOf, sumsByCurrency } from "../basics/Lists.js"
import { ownMember } from "../basics/OwnMember.js"
import type {
  BankTransfer,
  ClearingExplanation,
  ExpectedMovement,
  FileContradiction,
  ForeignMovement,
  ParsedStatement,
  ReceivedClearing,
  StatementMovement,
  StatementReconciliation
} from "../statement/index.js"
import type { OrdersLayout } from "../statement/BookedOrder.js"
import { noteText } from "./StatementWords.js"
import { failure } from "./StatementFailure.js"
import { daysOf } from "../statement/CoveredDays.js"
import { numberOf } from "../statement/MovementType.js"
import type { Language, Text } from "./Language.js"
import { advice, inLanguage, type Said, texts } from "./StatementTexts.js"

export interface ReadFile {
  readonly path: string
  readonly statement: ParsedStatement
}

/** A day, an amount and further values, in columns. */
const lineOf = (
  { day, language, money }: Said,
  date: string,
  { amount, currency }: { readonly amount: number; readonly currency: string },
  ...parts: ReadonlyArray<string | number | undefined>
): string =>
  [day(date).padEnd(language === "cs" ? 12 : 10), money(amount, currency).padStart(14), ...parts]
    .filter((part) => part !== undefined)
    .join("  ")

const movementText = (said: Said, movement: StatementMovement): string => {
  const { counterparty, date, paymentId, type } = movement
  const payment = paymentId === undefined ? undefined : `${said.text("Payment")} ${paymentId}`
  return lineOf(said, date, movement, type, numberOf(movement), payment, counterparty)
}

const expectedText = (said: Said, expected: ExpectedMovement): string => {
  const { _tag, day = "", orderNumber, paymentId } = expected
  return lineOf(said, day, expected, said.text(_tag), orderNumber, paymentId)
}

const transferText = (said: Said, transfer: BankTransfer): string =>
  lineOf(said, transfer.date, transfer, transfer.variableSymbol, transfer.name)

/** The notes about a file, for output that has no place for them. */
export const noteLines = ({ path, statement }: ReadFile, language: Language): ReadonlyArray<string> =>
  statement.notes.map((note) => printable(`${path}: ${noteText(note, language)}`))

/** The days of a file, and where they come from if it does not say them. */
const daysText = ({ day, text }: Said, statement: ParsedStatement): string | undefined => {
  const days = daysOf(statement)
  if (days === undefined) return undefined
  return `${day(days.from)} – ${day(days.to)}${statement.period === undefined ? ` (${text("ofMovements")})` : ""}`
}

const fileLines = (said: Said, { path, statement }: ReadFile): ReadonlyArray<string> => {
  const { money, text } = said
  const { account, accountName, closingBalance, currency, format, movements, notes, openingBalance } = statement
  const about = [
    format,
    account && `${text("account")} ${account}`,
    accountName,
    currency,
    daysText(said, statement),
    `${text("movements")}: ${movements.length}`,
    openingBalance !== undefined && `${text("opening")}: ${money(openingBalance, currency)}`,
    closingBalance !== undefined && `${text("closing")}: ${money(closingBalance, currency)}`
  ]
  return [
    printable(`${text("file")} ${path}: ${about.filter(Boolean).join(", ")}`),
    ...notes.map((note) => printable(`  ${noteText(note, said.language)}`))
  ]
}

const clearingText = ({ day, money, text }: Said, clearing: ClearingExplanation): string => {
  const { carried, creditNotes, currency, explainedBy, externalFees, fees, gross } = clearing
  const { number, others, payouts, refundFees, refunds, through = "", transfer } = clearing
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
  const how = `${text(`explained.${explainedBy}`)}${explainedBy === "cutOff" ? ` ${day(through)}` : ""}`
  const days = [...new Set(payouts.map(({ date }) => day(date)))]
  const when = days.length === 0 ? `(${text("notOnStatement")})` : `${text("on")} ${days.join(", ")}`
  return `${number}: ${text("transfer")} ${money(transfer, currency)} ${when} = ${sums.join(", ")} (${how})`
}

/** The sum that the bank received for a clearing, and when. */
const receivedText = ({ day, money, text }: Said, currency: string, received: ReceivedClearing): string => {
  const { amount, outstanding, state, transfers } = received
  const days = [...new Set(transfers.map(({ date }) => day(date)))].join(", ")
  const arrived =
    transfers.length === 0
      ? text("nothingAtBank")
      : `${text("atBank")} ${money(amount, currency)} ${text("on")} ${days}`
  const rest = outstanding === 0 ? "" : ` (${text("rest")} ${money(outstanding, currency)})`
  return [arrived, `${text(`received.${state}`)}${rest}`].filter((part) => part !== "").join("; ")
}

/** The fees of a clearing by the channel of its payments, as its file has them. */
const channelLines = (
  { money, text }: Said,
  { currency, number }: ClearingExplanation,
  files: ReadonlyArray<ReadFile>
): ReadonlyArray<string> => {
  const own = files.find(({ statement }) => statement.currency === currency && statement.clearing?.number === number)
    ?.statement.clearing
  const fees = (own?.channels ?? []).flatMap(({ fee, type = "?" }) =>
    fee === undefined ? [] : [`${type} ${money(fee, currency)}`]
  )
  return fees.length === 0 ? [] : [`  ${text("feesByChannel")}: ${fees.join(", ")}`]
}

/** The fees in each currency by their kind, one line each. */
const feeLines = ({ money, text }: Said, result: StatementReconciliation): ReadonlyArray<string> => {
  const kinds = { Fee: "feesOfClearings", RefundFee: "refundFees", CreditNote: "creditNotes" } as const
  const fees = result.movements.filter(({ _tag }) => Object.hasOwn(kinds, _tag))
  const open = notPaidOut(result).filter(({ _tag }) => _tag === "Payment")
  return sumsByCurrency(fees).map(({ amount, currency }) => {
    const parts = Object.entries(kinds).flatMap(([tag, name]) => {
      const own = fees.filter((fee) => fee._tag === tag && fee.currency === currency)
      return own.length === 0 ? [] : [`${text(name)} ${money(0 - sumOf(own), currency)}`]
    })
    const count = open.filter((payment) => payment.currency === currency).length
    const later = count === 0 ? "" : `; ${text("later")}: ${count}`
    return `${money(0 - amount, currency)} = ${parts.join(" + ")}${later}`
  })
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
const clearingLines = (
  said: Said,
  clearing: ClearingExplanation,
  files: ReadonlyArray<ReadFile>
): ReadonlyArray<string> => {
  const { carried, currency, difference, notSent, outstanding, received } = clearing
  const { text } = said
  const money = (amount: number): string => said.money(amount, currency)
  return [
    clearingText(said, clearing),
    ...(notSent === undefined ? [] : [`  ${text("notSent")} ${money(notSent)}: ${text("notSentAdvice")}`]),
    ...(difference === undefined ? [] : [`  ${text("difference")} ${money(difference)}: ${text("differenceAdvice")}`]),
    ...(outstanding === undefined ? [] : [`  ${text("outstanding")} ${money(outstanding)}`]),
    ...(received === undefined ? [] : [`  ${receivedText(said, currency, received)}`]),
    ...(received?.transfers ?? []).map((transfer) => `    ${transferText(said, transfer)}`),
    ...channelLines(said, clearing, files),
    ...(carried === 0 ? [] : [`  ${text("carriedAdvice")}`]),
    ...ordersPaidOut(said, clearing)
  ]
}

/** The money that is still at GoPay. A clearing that is not explained may have paid it out. */
const notPaidOut = ({ clearings, movements }: StatementReconciliation): ReadonlyArray<StatementMovement> =>
  clearings.length === 0 || clearings.some(({ explainedBy }) => explainedBy === "no")
    ? []
    : movements.filter(({ _tag, clearing }) => (_tag === "Payment" || _tag === "Refund") && clearing === undefined)

/** The line for a refund in a list of orders. */
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

const contradictionText = (
  { day, money, text }: Said,
  { _tag, currency, difference, files = [], from, to }: FileContradiction,
  paths: ReadonlyArray<string>
): string => {
  const sum = money(_tag === "TwoAccounts" ? Math.abs(difference) : difference, currency)
  if (_tag !== "TwoAccounts") return `${text(_tag)} ${from === to ? day(from) : `${day(from)} – ${day(to)}`}: ${sum}`
  const named = files.flatMap((file) => paths[file] ?? []).join(", ")
  const why = difference === 0 ? text("nothingInCommon") : `${text("otherBalance")} ${sum}`
  return `${text(_tag)}: ${named}: ${text("on")} ${day(from)} ${why}`
}

/** Contradictions between files, grouped by what to do about them, which is said once. */
export const contradictionLines = (
  said: Said,
  contradictions: ReadonlyArray<FileContradiction>,
  paths: ReadonlyArray<string>
): ReadonlyArray<string | ReadonlyArray<string>> =>
  [...groupBy(contradictions, ({ _tag }) => _tag)].flatMap(([, alike]) =>
    alike.map((one, index) => {
      const { _tag } = one
      const { text } = said
      const line = contradictionText(said, one, paths)
      return index === alike.length - 1 ? [line, `=> ${text(`${_tag}Advice`)}`] : line
    })
  )

/** A refusal of files that contradict each other, with each contradiction. */
export const contradictory = (
  name: "contradictory" | "twoAccounts",
  language: Language,
  contradictions: ReadonlyArray<FileContradiction>,
  files: ReadonlyArray<ReadFile>
): CommandFailure => {
  const paths = files.map(({ path }) => path)
  const lines = contradictionLines(inLanguage(language), contradictions, paths).flat()
  return failure(name, `\n${lines.map((line) => `  ${printable(line)}`).join("\n")}`)
}

/** The days through which all that is due agrees: one for all currencies, or one each. */
const dueText = ({ day, text }: Said, { days }: StatementReconciliation): string => {
  const ends = new Set(days.map(({ through }) => through))
  const [end] = ends
  if (end !== undefined && ends.size === 1) return ` ${text("through")} ${day(end)}`
  return days
    .map(({ currency, through }, index) => `${index === 0 ? ": " : ""}${currency} ${text("through")} ${day(through)}`)
    .join(", ")
}

/** Whether the list has one payment or refund more often than the statement. */
const isDoubled = (candidates: ReadonlyArray<ExpectedMovement>, movements: ReadonlyArray<StatementMovement>): boolean =>
  new Set(candidates.map((one) => JSON.stringify(one))).size === 1 && candidates.length > movements.length

/** The contents of a page. */
interface StatementPage {
  readonly language: Language
  readonly files: ReadonlyArray<ReadFile>
  readonly result: StatementReconciliation
  readonly isMatched: boolean
  /** Reasons to doubt the files, one line each. */
  readonly warnings: ReadonlyArray<string>
  /** The layout of the list of orders, if there is one. */
  readonly layout: OrdersLayout | undefined
}

/** The page: totals first, then what needs an operator. Without orders, the movements are not matched. */
export const statementPage = ({ files, isMatched, language, layout, result, warnings }: StatementPage): string => {
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
    ambiguous: result.ambiguous.map(({ candidates, movements }) => [
      ...movements.map(moved),
      ...candidates.map((one) => `  ${text("candidates")}: ${wanted(one)}`),
      ...(isDoubled(candidates, movements) ? [`  => ${text("doubled")}`] : [])
    ]),
    gatewayDifferences: result.gatewayDifferences.map(
      ({ _tag, gateway, orderNumber, paymentId, shop }) => `${orderNumber} ${paymentId}: ${_tag}: ${shop} / ${gateway}`
    ),
    contradictions: contradictionLines(
      said,
      result.contradictions,
      files.map(({ path }) => path)
    ),
    unexplainedTransfers: result.unexplainedTransfers.map((one) => transferText(said, one)),
    toCheck: result.toCheck.map(moved),
    clearings: result.clearings.map((clearing) => clearingLines(said, clearing, files)),
    allFees: feeLines(said, result),
    notPaidOut: notPaidOut(result).map(moved),
    topUps: result.topUps.map(moved),
    fees: result.fees.map(moved),
    notYetDue: result.notYetDue.map(wanted)
  }
  return [
    ...files.flatMap((file) => fileLines(said, file)),
    "",
    isMatched ? (result.agrees ? `${text("agrees")}${dueText(said, result)}.` : text("differs")) : text("unchecked"),
    ...result.days.map(
      ({ currency, from, to }) => `${text("daysOf")} ${said.day(from)} – ${said.day(to)}, ${currency}`
    ),
    ...(isMatched
      ? [`${text("matched")}: ${result.matched.length}${matchedSums && `, ${text("net")} ${matchedSums}`}`]
      : []),
    ...(result.notCovered.length === 0 ? [] : [`${text("notCovered")}: ${result.notCovered.length}`]),
    ...warnings,
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
