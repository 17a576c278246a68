/**
 * What an accountant should doubt of files that can be read: another shop's, and days that no statement has.
 */
import { groupBy } from "../basics/Lists.js"
import * as Milliseconds from "../basics/Milliseconds.js"
import type { AttentionItem } from "../ledger/model/Attention.js"
import type { BookedOrder, StatementReconciliation } from "../statement/index.js"
import { WrongUsage } from "./Command.js"
import { printable } from "./OutputText.js"
import type { ReadFile } from "./StatementReport.js"
import type { Said } from "./StatementTexts.js"
import { words } from "./Words.js"

/** What is compared, and how. */
interface Compared {
  readonly files: ReadonlyArray<ReadFile>
  readonly result: StatementReconciliation
  readonly isMatched: boolean
  readonly through: string | undefined
}

/** A day further than this behind the end of the statements is mistyped rather than meant. */
const fewDays = 31 * Milliseconds.day

const lateThrough = ({ day, text }: Said, { result, through }: Compared): ReadonlyArray<string> => {
  if (through === undefined) return []
  return result.days
    .filter(({ currency, to }) => {
      const isMissed = result.missing.some((one) => one.currency === currency && one.day !== undefined && one.day > to)
      return through > to && (isMissed || Date.parse(through) - Date.parse(to) > fewDays)
    })
    .map(({ currency, to }) => `--through ${day(through)} ${text("lateThrough")} (${currency}: ${day(to)})`)
}

/** Fewer orders say nothing: an order number may be in two lists by chance. */
const fewPayments = 3

/** Statements whose payments are, but for a quarter, not in the books with their order number and amount. */
const strangeOrders = ({ text }: Said, { isMatched, result }: Compared): ReadonlyArray<string> => {
  if (!isMatched) return []
  const payments = result.movements.filter(({ _tag, orderNumber }) => _tag === "Payment" && orderNumber !== undefined)
  const strange = new Set([
    ...result.foreign.flatMap(({ _tag, movement }) => (_tag === "UnknownOrder" ? [movement] : [])),
    // Shops that number their orders alike have them with other amounts.
    ...result.differentAmounts.map(({ movement }) => movement)
  ])
  const known = payments.filter((movement) => !strange.has(movement)).length
  if (payments.length < fewPayments || known * 4 > payments.length) return []
  return [`${text("strangeOrders")} (${known}/${payments.length})`]
}

/** Accounts of one currency that differ, by what files of one kind call them. */
const severalAccounts = ({ text }: Said, { files }: Compared): ReadonlyArray<string> => {
  const named = files.flatMap(({ statement: { account, accountName, currency, format } }) => {
    const name = account ?? accountName
    return name === undefined ? [] : [{ kind: `${currency} ${format}`, name }]
  })
  return [...groupBy(named, ({ kind }) => kind).values()].flatMap((alike) => {
    const names = [...new Set(alike.map(({ name }) => name))]
    return names.length < 2 ? [] : [`${text("severalAccounts")}: ${printable(names.join(", "))}`]
  })
}

/** Clearings of which no movement is on the statement of their days. */
const strangeClearings = ({ text }: Said, { files, result }: Compared): ReadonlyArray<string> => {
  const alone = new Set(
    result.contradictions.flatMap(({ _tag, movement }) => (_tag === "OnlyInClearing" ? (movement ?? []) : []))
  )
  return files
    .filter(({ statement: { clearing, movements } }) => {
      return clearing !== undefined && movements.length > 0 && movements.every((movement) => alone.has(movement))
    })
    .map(({ path, statement }) => printable(`${path}: ${text("strangeClearing")} (${statement.accountName ?? ""})`))
}

/** All of it, one line each. */
export const warningsOf = (said: Said, compared: Compared): ReadonlyArray<string> => [
  ...lateThrough(said, compared),
  ...strangeOrders(said, compared),
  ...severalAccounts(said, compared),
  ...strangeClearings(said, compared)
]

/**
 * The open decisions of a ledger about the orders of the statements: their money is on the account, and what becomes of
 * it is undecided, also where it agrees with the books.
 */
export const decisionLines = (
  { language, money, text }: Said,
  decisions: ReadonlyArray<AttentionItem>,
  orders: ReadonlyArray<BookedOrder>,
  { movements }: StatementReconciliation
): ReadonlyArray<string> => {
  if (decisions.length === 0) return []
  const { books } = words[language]
  const orderOf = new Map(
    orders.flatMap(({ orderNumber, payments }) => payments.map(({ paymentId }) => [paymentId, orderNumber] as const))
  )
  const onStatements = new Set(movements.flatMap(({ orderNumber }) => orderNumber ?? []))
  const currencies = new Map(movements.map(({ currency, orderNumber }) => [orderNumber, currency]))
  const own = decisions.flatMap(({ amount, kind, orderNumber, paymentId }) => {
    const number = orderNumber ?? orderOf.get(paymentId)
    if (number === undefined || !onStatements.has(number)) return []
    const sum = amount === undefined ? undefined : money(amount, currencies.get(number))
    return [`  ${[number, paymentId, sum, books.kinds[kind]].filter((part) => part !== undefined).join("  ")}`]
  })
  return [`${text("decisions")}: ${decisions.length} (${text("decisionsHere")}: ${own.length})`, ...own.map(printable)]
}

/** Refuses a day before all statements: with it nothing would be due, and a list with faults would agree. */
export const checkThrough = ({ days }: StatementReconciliation, through: string | undefined): void => {
  const [first] = days.map(({ from }) => from).toSorted()
  if (through === undefined || first === undefined || through >= first) return
  throw new WrongUsage(({ statement }) => statement.earlyThrough(through, first))
}
