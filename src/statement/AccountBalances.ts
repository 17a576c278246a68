/**
 * Whether two files can be of one account: an account has one balance at the start of a day.
 */
import { daysOf } from "./CoveredDays.js"
import type { ParsedStatement } from "./ParsedStatement.js"

/** A day on which two files cannot be of one account, and the second balance at its start minus the first. */
interface BalanceConflict {
  readonly day: string
  readonly difference: number
}

/** A file whose balance is known at the start of each day from `first` to `last`. */
interface Balanced {
  readonly format: ParsedStatement["format"]
  readonly first: string
  /** The day of the last movement: later ones may not have been over when the file was made. */
  readonly last: string
  readonly opening: number
  readonly closing: number
  /** The sum of each day. */
  readonly sums: ReadonlyMap<string, number>
}

const balancedOf = (statement: ParsedStatement): Balanced | undefined => {
  const { closingBalance, format, movements, openingBalance } = statement
  const first = daysOf(statement)?.from
  if (first === undefined || openingBalance === undefined || closingBalance === undefined) return undefined
  const sums = new Map<string, number>()
  for (const { amount, date } of movements) sums.set(date, (sums.get(date) ?? 0) + amount)
  const last = [...sums.keys()].reduce((latest, day) => (day > latest ? day : latest), first)
  return { format, first, last, opening: openingBalance, closing: closingBalance, sums }
}

/** Whether the second file goes on within the day on which the first one ends. */
const goesOn = (one: Balanced, other: Balanced): boolean => one.last === other.first && one.closing === other.opening

/**
 * The first day on which two files that have no movement in common cannot be of one account: their balances at its
 * start differ, or both have movements of it. `undefined` if they have no such day.
 */
export const balanceConflict = (first: ParsedStatement, second: ParsedStatement): BalanceConflict | undefined => {
  const [one, other] = [balancedOf(first), balancedOf(second)]
  if (one === undefined || other === undefined || goesOn(one, other) || goesOn(other, one)) return undefined
  const from = one.first > other.first ? one.first : other.first
  const to = one.last < other.last ? one.last : other.last
  if (from > to) return undefined
  let difference = other.opening - one.opening
  let onOneDay: BalanceConflict | undefined
  for (const day of [...new Set([from, ...one.sums.keys(), ...other.sums.keys()])].toSorted()) {
    if (day > to) break
    if (day >= from && difference !== 0) return { day, difference }
    const [sum, otherSum] = [one.sums.get(day), other.sums.get(day)]
    // Files of different formats may name a movement in different ways, so only their balances are compared.
    if (day >= from && one.format === other.format && sum !== undefined && otherSum !== undefined)
      onOneDay ??= { day, difference }
    difference += (otherSum ?? 0) - (sum ?? 0)
  }
  return onOneDay
}
