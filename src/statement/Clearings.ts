/**
 * The clearings: what was paid out, and for which movements.
 */
import { firstWhere, groupBy, inOrderOf, sumOf } from "../basics/Lists.js"
import { daysOf } from "./CoveredDays.js"
import type { ClearingTotals, ParsedStatement, StatementMovement } from "./ParsedStatement.js"
import type { ClearingExplanation, ReceivedClearing, StatementReconciliation } from "./StatementReconciliation.js"
import type { BankStatement, BankTransfer } from "./AboStatement.js"

/** A clearing's number without leading zeros, which an ABO file may omit. */
export const numberOf = (text: string): string => (/^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, "") : text)

const totals = (movements: ReadonlyArray<StatementMovement>, ownFees: ReadonlyArray<StatementMovement>) => {
  const of = (tag: StatementMovement["_tag"]) => movements.filter(({ _tag }) => _tag === tag)
  const known = ["Payment", "Refund", "RefundFee", "Fee", "CreditNote"]
  const feeMovements = [...of("Fee"), ...ownFees]
  const isFee = ({ _tag }: StatementMovement): boolean => _tag === "Fee"
  return {
    gross: sumOf(of("Payment")),
    refunds: 0 - sumOf(of("Refund")),
    refundFees: 0 - sumOf(of("RefundFee")),
    fees: 0 - sumOf(feeMovements.filter(isFee)),
    creditNotes: sumOf(of("CreditNote")) + sumOf(ownFees.filter((movement) => !isFee(movement))),
    others: sumOf(movements.filter(({ _tag }) => !known.includes(_tag)))
  }
}

/** The movements of one clearing by its number. */
interface Numbered {
  readonly number: string
  readonly currency: string
  readonly payouts: Array<StatementMovement>
  readonly fees: Array<StatementMovement>
}

const numbered = (movements: ReadonlyArray<StatementMovement>): ReadonlyArray<Numbered> => {
  const found = new Map<string, Numbered>()
  for (const movement of movements) {
    const { _tag, clearing, currency, date, movementId } = movement
    if (clearing === undefined && _tag !== "Payout") continue
    const number = clearing === undefined ? (movementId ?? date) : numberOf(clearing)
    // Each payout without a number is a clearing of its own.
    const key = clearing === undefined ? `${currency} without number ${found.size}` : `${currency} ${number}`
    const entry = found.get(key) ?? { number, currency, payouts: [], fees: [] }
    if (_tag === "Payout") entry.payouts.push(movement)
    else entry.fees.push(movement)
    found.set(key, entry)
  }
  return [...found.values()]
}

/** Movements that a cut-off may pay out: all that are not payouts and belong to no clearing by number. */
const isCleared = ({ _tag, clearing }: StatementMovement): boolean => _tag !== "Payout" && clearing === undefined

/**
 * Explains a clearing by the latest day up to which everything that was booked, minus what earlier clearings have paid
 * out, equals the clearing; together with the movements since the last clearing explained in this way.
 */
class CutOffs {
  private readonly movements: ReadonlyArray<StatementMovement>
  /** The sum booked before each movement, and the final sum. */
  private readonly sums: ReadonlyArray<number>
  /** The positions at which a day ends, in order, by the sum booked until then. */
  private readonly dayEnds: ReadonlyMap<string, ReadonlyArray<number>>
  private carried: number
  private begin = 0

  constructor(movements: ReadonlyArray<StatementMovement>, openingBalance: number) {
    this.movements = movements.filter(isCleared)
    this.carried = openingBalance
    const sums = [0]
    for (const { amount } of this.movements) sums.push((sums.at(-1) ?? 0) + amount)
    this.sums = sums
    const places = [...sums.keys()].filter(
      (place) => this.movements[place]?.date !== this.movements[place - 1]?.date || place === 0
    )
    this.dayEnds = groupBy(places, (place) => String(sums[place]))
  }

  next(amount: number, lastDay: string) {
    const { begin, carried } = this
    const limit = firstWhere(this.movements.length, (place) => (this.movements[place]?.date ?? "") > lastDay)
    const booked = amount - carried + (this.sums[begin] ?? 0)
    const places = this.dayEnds.get(String(booked)) ?? []
    const last = places[firstWhere(places.length, (index) => (places[index] ?? 0) > limit) - 1]
    const end = last !== undefined && last >= begin ? last : carried === amount ? begin : undefined
    if (end === undefined) {
      this.carried -= amount
      return undefined
    }
    this.begin = end
    this.carried = 0
    const movements = this.movements.slice(begin, end)
    return { movements, carried, through: movements.at(-1)?.date ?? lastDay }
  }
}

const explainedByCutOff = (
  { currency, fees, number, payouts }: Numbered,
  cutOffs: CutOffs | undefined
): ClearingExplanation => {
  const transfer = 0 - sumOf(payouts)
  const lastDay = payouts.map(({ date }) => date).toSorted()[0] ?? ""
  const found = payouts.length === 0 ? undefined : cutOffs?.next(transfer - sumOf(fees), lastDay)
  const base = { number, currency, transfer, payouts, externalFees: 0 }
  if (found === undefined) return { ...base, ...totals([], fees), carried: 0, explainedBy: "no", movements: [] }
  const { carried, movements, through } = found
  return { ...base, ...totals(movements, fees), carried, explainedBy: "cutOff", through, movements }
}

type ClearingFile = ParsedStatement & { readonly clearing: ClearingTotals }

const isClearingFile = (file: ParsedStatement): file is ClearingFile => file.clearing !== undefined

/** Only the fees of payments are taken with their sums; everything else is in the clearing's file. */
const explainedByFile = (
  { clearing, currency, movements, period }: ClearingFile,
  found: Numbered | undefined,
  isDue: (day: string, currency: string) => boolean
): ClearingExplanation => {
  const { creditNote, externalFees, fees, gross, performedOn, refundFees, refunds, sent, transfer } = clearing
  const payouts = found?.payouts ?? []
  const paid = 0 - sumOf(payouts)
  const paidAs = payouts.length === 0 ? undefined : paid === transfer ? "transfer" : paid === sent ? "sent" : undefined
  // The rest of it may be on the next statement.
  const isOpen =
    paidAs === undefined && paid < transfer && payouts.length < maxTransfers && !isDue(performedOn, currency)
  const difference = payouts.length === 0 || paidAs !== undefined || isOpen ? 0 : paid - transfer
  return {
    number: clearing.number,
    currency,
    transfer: payouts.length === 0 ? transfer : paid,
    gross,
    refunds,
    refundFees,
    fees,
    externalFees,
    creditNotes: creditNote,
    others: 0,
    carried: 0,
    explainedBy: difference === 0 ? "file" : "no",
    ...(period === undefined ? {} : { through: period.to }),
    ...(paidAs === undefined ? {} : { paidAs }),
    ...(sent === undefined || sent === transfer ? {} : { notSent: transfer - sent }),
    ...(isOpen && payouts.length > 0 ? { outstanding: transfer - paid } : {}),
    ...(difference === 0 ? {} : { difference }),
    // It may be another shop's clearing of the same number.
    movements: difference === 0 ? movements : [],
    payouts
  }
}

/** The balance of a currency before a day; `undefined` if it is known for two accounts or for none. */
const openingOf = (
  statements: ReadonlyArray<ParsedStatement>,
  currency: string
): { readonly balance: number; readonly day: string } | undefined => {
  const own = statements.filter(
    (statement) => statement.currency === currency && statement.openingBalance !== undefined
  )
  const accounts = new Set(own.flatMap(({ account }) => account ?? []))
  if (accounts.size > 1) return undefined
  const [first] = own.toSorted(inOrderOf((statement) => daysOf(statement)?.from ?? "9999"))
  return first?.openingBalance === undefined
    ? undefined
    : { balance: first.openingBalance, day: daysOf(first)?.from ?? "" }
}

/** GoPay sends a clearing in at most three transfers with the same variable symbol. Source: its help. */
const maxTransfers = 3

/** The clearings from files, by each number that a transfer may have. */
const clearingFiles = (statements: ReadonlyArray<ParsedStatement>): ReadonlyMap<string, ClearingFile> =>
  new Map(
    statements.filter(isClearingFile).flatMap((file) => {
      const { number, variableSymbol = number } = file.clearing
      return [number, variableSymbol].map((one) => [`${file.currency} ${numberOf(one)}`, file] as const)
    })
  )

/** Each clearing of the statements once, in the order of its payouts. */
export const clearingsOf = (
  statements: ReadonlyArray<ParsedStatement>,
  movements: ReadonlyArray<StatementMovement>,
  hasGaps: boolean,
  isDue: (day: string, currency: string) => boolean
): ReadonlyArray<ClearingExplanation> => {
  const files = clearingFiles(statements)
  const all = numbered(movements)
  const currencies = [...new Set(all.map(({ currency }) => currency))]
  const cutOffs = new Map(
    currencies.flatMap((currency) => {
      const opening = hasGaps ? undefined : openingOf(statements, currency)
      if (opening === undefined) return []
      // Movements before the opening day are part of the opening balance, or were paid out before.
      const own = movements.filter((movement) => movement.currency === currency && movement.date >= opening.day)
      return [[currency, new CutOffs(own, opening.balance)] as const]
    })
  )
  const used = new Set<ClearingFile>()
  const explained = all.map((entry): ClearingExplanation => {
    const file = files.get(`${entry.currency} ${entry.number}`)
    const byCutOff = explainedByCutOff(entry, cutOffs.get(entry.currency))
    if (file === undefined) return byCutOff
    used.add(file)
    return explainedByFile(file, entry, isDue)
  })
  const later = [...new Set(files.values())].filter((file) => !used.has(file))
  return [...explained, ...later.map((file) => explainedByFile(file, undefined, isDue))]
}

/** Clearings and movements, each movement with the number of the clearing that paid it out. */
export const withClearing = (
  clearings: ReadonlyArray<ClearingExplanation>,
  movements: ReadonlyArray<StatementMovement>
): { readonly explained: ReadonlyArray<ClearingExplanation>; readonly movements: ReadonlyArray<StatementMovement> } => {
  // A movement in a clearing's file is another object than in the list, but has the same id.
  const idOf = ({ currency, movementId }: StatementMovement): string | undefined =>
    movementId === undefined ? undefined : `${currency} ${movementId}`
  const numbers = new Map<StatementMovement | string, string>()
  for (const { movements: own, number } of clearings) {
    for (const movement of own) numbers.set(idOf(movement) ?? movement, number)
  }
  const numbered = movements.map((movement) => {
    const clearing = movement.clearing ?? numbers.get(idOf(movement) ?? movement)
    return clearing === undefined || clearing === movement.clearing ? movement : { ...movement, clearing }
  })
  const listed = new Map<StatementMovement | string, StatementMovement>()
  movements.forEach((movement, index) => listed.set(idOf(movement) ?? movement, numbered[index] ?? movement))
  const explained = clearings.map((clearing) => ({
    ...clearing,
    movements: clearing.movements.map((movement) => listed.get(idOf(movement) ?? movement) ?? movement)
  }))
  return { explained, movements: numbered }
}

const keyOf = (account: string, transfer: BankTransfer): string => {
  const { amount, counterparty, currency, date, transferId, variableSymbol } = transfer
  return JSON.stringify([account, currency, date, amount, variableSymbol, counterparty, transferId])
}

/** Incoming transfers, each once even if files overlap. Equal transfers within one file are different ones. */
const incoming = (files: ReadonlyArray<BankStatement>): ReadonlyArray<BankTransfer> => {
  const found = new Map<string, ReadonlyArray<BankTransfer>>()
  for (const { account, transfers } of files) {
    const credits = transfers.filter(({ amount }) => amount > 0)
    for (const [key, list] of groupBy(credits, (transfer) => keyOf(account, transfer)))
      if (list.length > (found.get(key)?.length ?? 0)) found.set(key, list)
  }
  return [...found.values()].flat().toSorted(inOrderOf(({ date }) => date))
}

/** The sums of a clearing that transfers may add up to: as paid out, or as in its file. */
const sumsOf = (clearing: ClearingExplanation, file: ClearingFile | undefined): ReadonlyArray<number> => {
  const { payouts, transfer } = clearing
  if (file === undefined) return [transfer]
  const { sent = file.clearing.transfer, transfer: whole } = file.clearing
  return payouts.length > 0 && clearing.paidAs === "sent" ? [sent] : [whole, sent]
}

const receivedOf = (
  sums: ReadonlyArray<number>,
  transfers: ReadonlyArray<BankTransfer>,
  isDue: boolean
): ReceivedClearing => {
  const amount = sumOf(transfers)
  const outstanding = sums.includes(amount) ? 0 : (sums[0] ?? 0) - amount
  const isWrong = outstanding < 0 || transfers.length >= maxTransfers
  const state = outstanding === 0 ? "complete" : isWrong ? "differs" : isDue ? "late" : "open"
  return { state, amount, outstanding, transfers }
}

/**
 * Adds to clearings what the bank received for them, and lists GoPay's transfers that belong to none. `isDue` says
 * whether all transfers of a day must have arrived.
 */
export const withReceived = (
  clearings: ReadonlyArray<ClearingExplanation>,
  statements: ReadonlyArray<ParsedStatement>,
  bank: ReadonlyArray<BankStatement>,
  isDue: (day: string, currency: string) => boolean
): Pick<StatementReconciliation, "clearings" | "unexplainedTransfers"> => {
  const files = clearingFiles(statements)
  const transfers = incoming(bank)
  const bySymbol = groupBy(transfers, ({ currency, variableSymbol = "" }) => `${currency} ${numberOf(variableSymbol)}`)
  const explained = new Set<BankTransfer>()
  const received = clearings.map((clearing): ClearingExplanation => {
    const { currency, number, payouts } = clearing
    const file = files.get(`${currency} ${numberOf(number)}`)
    const symbol = file?.clearing.variableSymbol ?? number
    const own = bySymbol.get(`${currency} ${numberOf(symbol)}`) ?? []
    for (const transfer of own) explained.add(transfer)
    const day = file?.clearing.performedOn ?? payouts[0]?.date ?? ""
    const isCovered = bank.some(({ currency: other, period }) => other === currency && period.from <= day)
    const isCoveredUntil = bank.some(({ currency: other, period }) => other === currency && day <= period.to)
    if (own.length === 0 && !(isCovered && isCoveredUntil)) return clearing
    const result = receivedOf(sumsOf(clearing, file), own, isDue(day, currency))
    const sent = file?.clearing.sent
    const paidAs =
      clearing.paidAs ??
      (result.state !== "complete" || file === undefined
        ? undefined
        : result.amount === sent && sent !== file.clearing.transfer
          ? "sent"
          : "transfer")
    return { ...clearing, ...(paidAs === undefined ? {} : { paidAs }), received: result }
  })
  const accounts = new Set([...explained].flatMap(({ counterparty }) => counterparty ?? []))
  const isGoPay = ({ counterparty, name }: BankTransfer): boolean =>
    (counterparty !== undefined && accounts.has(counterparty)) || /\bgopay\b/i.test(name ?? "")
  return {
    clearings: received,
    unexplainedTransfers: transfers.filter((transfer) => !explained.has(transfer) && isGoPay(transfer))
  }
}
