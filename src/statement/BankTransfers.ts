/**
 * The transfers that the shop's bank received, each with its clearing, and each clearing with its transfers.
 */
import type { BankStatement, BankTransfer } from "./BankStatement.js"
import { clearingFiles, maxTransfers, numberOf } from "./Clearings.js"
import type { ParsedStatement } from "./ParsedStatement.js"
import type { ClearingExplanation, ReceivedClearing } from "./StatementReconciliation.js"

/** Clearings with what the bank received of them, and GoPay's transfers that are of none. */
export interface ReceivedClearings {
  readonly clearings: ReadonlyArray<ClearingExplanation>
  readonly unexplainedTransfers: ReadonlyArray<BankTransfer>
}

const keyOf = (account: string, transfer: BankTransfer): string => {
  const { amount, counterparty, currency, date, transferId, variableSymbol } = transfer
  return JSON.stringify([account, currency, date, amount, variableSymbol, counterparty, transferId])
}

/** What came in, each transfer once though files overlap. Equal ones of one file are different ones. */
const incoming = (files: ReadonlyArray<BankStatement>): ReadonlyArray<BankTransfer> => {
  const found = new Map<string, ReadonlyArray<BankTransfer>>()
  for (const { account, transfers } of files) {
    for (const [key, list] of groupedBy(transfers, account))
      if (list.length > (found.get(key)?.length ?? 0)) found.set(key, list)
  }
  return [...found.values()]
    .flat()
    .toSorted((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0))
}

const groupedBy = (transfers: ReadonlyArray<BankTransfer>, account: string): Map<string, Array<BankTransfer>> => {
  const groups = new Map<string, Array<BankTransfer>>()
  for (const transfer of transfers) {
    if (transfer.amount <= 0) continue
    const key = keyOf(account, transfer)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [transfer])
    else group.push(transfer)
  }
  return groups
}

/** The sums of a clearing that a transfer may come to: all of it as paid out, or as its file has them. */
const sumsOf = (clearing: ClearingExplanation, file: ParsedStatement | undefined): ReadonlyArray<number> => {
  const { payouts, transfer } = clearing
  if (file?.clearing === undefined) return [transfer]
  const { sent = file.clearing.transfer, transfer: whole } = file.clearing
  return payouts.length > 0 && clearing.paidAs === "sent" ? [sent] : [whole, sent]
}

const receivedOf = (
  sums: ReadonlyArray<number>,
  transfers: ReadonlyArray<BankTransfer>,
  isDue: boolean
): ReceivedClearing => {
  const amount = transfers.reduce((total, one) => total + one.amount, 0)
  const outstanding = sums.includes(amount) ? 0 : (sums[0] ?? 0) - amount
  const isWrong = outstanding < 0 || transfers.length >= maxTransfers
  const state = outstanding === 0 ? "complete" : isWrong ? "differs" : isDue ? "late" : "open"
  return { state, amount, outstanding, transfers }
}

/** Adds to clearings what the bank received of them. `isDue` says whether all of a day's must have arrived. */
export const withReceived = (
  clearings: ReadonlyArray<ClearingExplanation>,
  statements: ReadonlyArray<ParsedStatement>,
  bank: ReadonlyArray<BankStatement>,
  isDue: (day: string, currency: string) => boolean
): ReceivedClearings => {
  const files = clearingFiles(statements)
  const bySymbol = new Map<string, Array<BankTransfer>>()
  const transfers = incoming(bank)
  for (const transfer of transfers) {
    const key = `${transfer.currency} ${numberOf(transfer.variableSymbol ?? "")}`
    const same = bySymbol.get(key)
    if (same === undefined) bySymbol.set(key, [transfer])
    else same.push(transfer)
  }
  const explained = new Set<BankTransfer>()
  const received = clearings.map((clearing): ClearingExplanation => {
    const { currency, number, payouts } = clearing
    const file = files.get(`${currency} ${numberOf(number)}`)
    const symbol = file?.clearing?.variableSymbol ?? number
    const own = bySymbol.get(`${currency} ${numberOf(symbol)}`) ?? []
    for (const transfer of own) explained.add(transfer)
    const day = file?.clearing?.performedOn ?? payouts[0]?.date ?? ""
    const isCovered = bank.some(({ currency: other, period }) => other === currency && period.from <= day)
    const isCoveredUntil = bank.some(({ currency: other, period }) => other === currency && day <= period.to)
    if (own.length === 0 && !(isCovered && isCoveredUntil)) return clearing
    const result = receivedOf(sumsOf(clearing, file), own, isDue(day, currency))
    const sent = file?.clearing?.sent
    const paidAs =
      clearing.paidAs ??
      (result.state !== "complete" || file === undefined
        ? undefined
        : result.amount === sent && sent !== file.clearing?.transfer
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
