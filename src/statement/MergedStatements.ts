/**
 * Merges several files into one list that has each movement once.
 *
 * Two movements are the same if they have the same id. If one of the files has no ids, they are the same if kind, day,
 * amount, currency and reference agree; each movement of one file then corresponds to at most one of the other. Equal
 * movements within one file are different ones.
 */
import { inOrderOf } from "../basics/Lists.js"
import { balanceConflict } from "./AccountBalances.js"
import { type CoveredDays, daysOf } from "./CoveredDays.js"
import { numberOf } from "./MovementType.js"
import type { ParsedStatement, StatementMovement } from "./ParsedStatement.js"
import type { FileContradiction } from "./StatementReconciliation.js"
import { shiftedDay } from "../basics/Day.js"

/** How many days the day in a statement may be from that in a clearing file, nearest first. */
const clearingDays = [0, 1, -1, 2, -2, 3, -3]

/** A movement of the list, and the files that contain it. */
interface Merged {
  movement: StatementMovement
  readonly account: string | undefined
  readonly files: Set<number>
  /** Its position in the list. */
  readonly index: number
  /** Its original reference. */
  readonly reference: string | undefined
  /** The key of the `Alike` that it is in, which changes when a file adds details. */
  kind?: string
}

/** Movements that agree in everything that is compared. */
interface Alike {
  readonly kind: string
  readonly account: string | undefined
  readonly time: string | undefined
  readonly hasId: boolean
  readonly list: Array<Merged>
  /** The file that is being merged, and the first two of these movements that it does not contain. */
  file: number
  first: number
  second: number
}

const minuteOf = ({ time }: StatementMovement): string | undefined => time?.slice(0, 5)

/** An index of movements by what equal ones have in common, with and without the reference. */
class Equals {
  private readonly groups = new Map<string, Map<string, Alike>>()

  /** Adds a movement, or moves it to another key when more is known about it. */
  add(merged: Merged): void {
    const { account, movement } = merged
    const time = minuteOf(movement)
    const hasId = movement.movementId !== undefined
    const kind = JSON.stringify([account, time, hasId])
    if (merged.kind === kind) return
    merged.kind = kind
    for (const name of this.namesOf(merged)) {
      const group = this.groups.get(name) ?? new Map<string, Alike>()
      const alike = group.get(kind) ?? { kind, account, time, hasId, list: [], file: -1, first: 0, second: 0 }
      alike.list.push(merged)
      group.set(kind, alike)
      this.groups.set(name, group)
    }
  }

  /**
   * The first movement that may be the same, and whether there are others. Reference, account, time and id have to
   * agree, or be missing on one side. Movements that the file already has are excluded.
   */
  find(movement: StatementMovement, date: string, file: number, account: string | undefined) {
    const reference = numberOf(movement)
    const at = { ...movement, date }
    const names = reference === undefined ? [this.key(at, 1, "any")] : [this.key(at, 0, reference), this.key(at, 0, "")]
    const time = minuteOf(movement)
    let first: Merged | undefined
    let count = 0
    for (const name of names) {
      let nearest: Merged | undefined
      for (const alike of this.groups.get(name)?.values() ?? []) {
        const fits =
          (account === undefined || alike.account === undefined || account === alike.account) &&
          (movement.movementId === undefined || !alike.hasId) &&
          (time === undefined || alike.time === undefined || time === alike.time)
        if (!fits) continue
        const [merged, other] = this.leftOf(alike, file)
        if (merged === undefined) continue
        count += other === undefined ? 1 : 2
        if (nearest === undefined || merged.index < nearest.index) nearest = merged
      }
      first ??= nearest
    }
    return first === undefined ? undefined : { first, isOnly: count === 1 }
  }

  /**
   * The first two movements of a list that a file does not contain. Each position is skipped only once for each file.
   */
  private leftOf(alike: Alike, file: number): ReadonlyArray<Merged> {
    if (alike.file !== file) Object.assign(alike, { file, first: 0, second: 1 })
    const isLeft = (place: number): boolean => {
      const merged = alike.list[place]
      return merged === undefined || (merged.kind === alike.kind && !merged.files.has(file))
    }
    while (!isLeft(alike.first)) alike.first += 1
    alike.second = Math.max(alike.second, alike.first + 1)
    while (!isLeft(alike.second)) alike.second += 1
    return [alike.list[alike.first], alike.list[alike.second]].filter((merged) => merged !== undefined)
  }

  private namesOf({ movement, reference }: Merged): ReadonlyArray<string> {
    return [this.key(movement, 0, reference ?? ""), this.key(movement, 1, "any")]
  }

  private key({ _tag, amount, currency, date }: StatementMovement, kind: number, reference: string): string {
    return `${kind} ${currency} ${_tag} ${amount} ${date} ${reference}`
  }
}

/** Merges file after file. */
class Merging {
  readonly list: Array<Merged> = []
  readonly contradictions: Array<FileContradiction> = []
  repeated = 0
  private readonly byId = new Map<string, Merged>()
  private readonly equals = new Equals()

  /** Adds the movements of a file, except those that another file already has. */
  enterFile(statement: ParsedStatement, file: number): void {
    const before = this.list.length
    for (const movement of statement.movements) this.enter(movement, file, statement)
    // Equal movements within one file are different ones, so they are compared only with other files.
    for (const merged of this.list.slice(before)) this.equals.add(merged)
  }

  private enter(movement: StatementMovement, file: number, statement: ParsedStatement): void {
    const found = this.sameAs(movement, file, statement)
    if (found === undefined) return this.add(movement, file, statement.account)
    const { first: same, isOnly } = found
    this.repeated += 1
    same.files.add(file)
    if (same.movement.amount !== movement.amount) {
      const { currency, date } = movement
      const difference = movement.amount - same.movement.amount
      this.contradictions.push({ _tag: "OtherAmount", from: date, to: date, currency, difference, movement })
      return
    }
    // It is unknown which of several equal movements is the same: they are counted, and get no details from each other.
    if (!isOnly && numberOf(movement) !== numberOf(same.movement)) return
    // Takes details that only one of the files has; values of the first file stay.
    same.movement = { ...movement, ...same.movement }
    this.equals.add(same)
    if (same.movement.movementId !== undefined)
      this.byId.set(`${same.movement.currency} ${same.movement.movementId}`, same)
  }

  private add(movement: StatementMovement, file: number, account: string | undefined): void {
    const reference = numberOf(movement)
    const merged: Merged = { movement, account, files: new Set([file]), index: this.list.length, reference }
    this.list.push(merged)
    if (movement.movementId !== undefined) this.byId.set(`${movement.currency} ${movement.movementId}`, merged)
  }

  /** The first movement that it may be, and whether it is the only one. */
  private sameAs(movement: StatementMovement, file: number, { account, format }: ParsedStatement) {
    const byId = this.byId.get(`${movement.currency} ${movement.movementId ?? ""}`)
    if (byId !== undefined && !byId.files.has(file)) return { first: byId, isOnly: true }
    const days = format === "CLEARING_XML" ? clearingDays : [0]
    const found = days.flatMap((day) => this.equals.find(movement, shiftedDay(movement.date, day), file, account) ?? [])
    const [nearest] = found
    return nearest && { first: nearest.first, isOnly: nearest.isOnly && found.length === 1 }
  }
}

/** Where one file of an account ends and the next one begins. */
interface Seam extends CoveredDays {
  /** The opening balance of the next file minus the closing balance of the last one. */
  readonly difference: number
}

/** The files of one account in sequence: the closing balance of one is the opening balance of the next. */
const seamsOf = (statements: ReadonlyArray<ParsedStatement>): ReadonlyArray<Seam> => {
  const inTime = statements
    .flatMap((statement) => {
      const days = daysOf(statement)
      const { account, closingBalance, openingBalance } = statement
      return days === undefined || openingBalance === undefined || closingBalance === undefined
        ? []
        : [{ ...days, openingBalance, closingBalance, account }]
    })
    .toSorted(inOrderOf(({ from }) => from))
  return inTime.flatMap((later, index): ReadonlyArray<Seam> => {
    const isSameAccount = ({ account, currency }: (typeof inTime)[number]): boolean =>
      currency === later.currency && (account === undefined || later.account === undefined || account === later.account)
    const latest = inTime
      .slice(0, index)
      .filter(isSameAccount)
      .reduce<(typeof inTime)[number] | undefined>(
        (last, one) => (last === undefined || one.to > last.to ? one : last),
        undefined
      )
    if (latest === undefined || latest.to >= later.from) return []
    const difference = later.openingBalance - latest.closingBalance
    return [{ currency: later.currency, from: latest.to, to: later.from, difference }]
  })
}

/** Two files whose balances show that they are of two accounts, although neither or only one names its account. */
const twoAccounts = (
  statements: ReadonlyArray<ParsedStatement>,
  booked: ReadonlyArray<ParsedStatement>,
  merged: ReadonlyArray<Merged>
): ReadonlyArray<FileContradiction> => {
  const shared = new Set(
    merged
      .filter(({ files }) => files.size > 1)
      .flatMap(({ files }) => [...files].flatMap((one) => [...files].map((other) => `${one} ${other}`)))
  )
  const isComparable = (one: ParsedStatement, other: ParsedStatement): boolean =>
    one.currency === other.currency &&
    (one.account === undefined || other.account === undefined || one.account === other.account)
  return booked.flatMap((other, later) =>
    booked.slice(0, later).flatMap((one, earlier): ReadonlyArray<FileContradiction> => {
      if (!isComparable(one, other) || shared.has(`${earlier} ${later}`)) return []
      const found = balanceConflict(one, other)
      if (found === undefined) return []
      const { day, difference } = found
      const files = [statements.indexOf(one), statements.indexOf(other)]
      return [{ _tag: "TwoAccounts", from: day, to: day, currency: one.currency, difference, files }]
    })
  )
}

/** Merges all files into one list, oldest first. */
export const mergeStatements = (statements: ReadonlyArray<ParsedStatement>) => {
  const merging = new Merging()
  const ranks: Readonly<Record<ParsedStatement["format"], number>> = {
    CSV_B: 0,
    CSV: 0,
    XLS: 1,
    ABO: 2,
    CLEARING_XML: 3
  }
  const inRank = statements.toSorted((one, other) => ranks[one.format] - ranks[other.format])
  inRank.forEach((statement, file) => merging.enterFile(statement, file))
  const booked = inRank.filter(({ format }) => format !== "CLEARING_XML")
  const seams = seamsOf(booked)
  // If the balances agree, nothing was booked between two files, even if a CSV file does not say its days.
  const covered: ReadonlyArray<CoveredDays> = [
    ...(booked.length > 0 ? booked : inRank).flatMap((statement) => daysOf(statement) ?? []),
    ...seams.filter(({ difference }) => difference === 0)
  ]
  const gaps = seams
    .filter(({ difference }) => difference !== 0)
    .map((seam): FileContradiction => ({ _tag: "Gap", ...seam }))
  const isCovered = ({ currency, date }: StatementMovement): boolean =>
    booked.length > 0 && covered.some((days) => days.currency === currency && days.from <= date && date <= days.to)
  // The files of clearings come last.
  const isOnlyInClearing = ({ files, movement }: Merged): boolean =>
    [...files].every((file) => file >= booked.length) && isCovered(movement)
  const onlyInClearing = merging.list.filter(isOnlyInClearing).map(({ movement }): FileContradiction => ({
    _tag: "OnlyInClearing",
    from: movement.date,
    to: movement.date,
    currency: movement.currency,
    difference: movement.amount,
    movement
  }))
  const moment = ({ date, time = "" }: StatementMovement): string => `${date} ${time}`
  return {
    movements: merging.list
      .filter((merged) => !isOnlyInClearing(merged))
      .map(({ movement }) => movement)
      .toSorted(inOrderOf(moment)),
    contradictions: [
      ...twoAccounts(statements, booked, merging.list),
      ...gaps,
      ...merging.contradictions,
      ...onlyInClearing
    ],
    repeated: merging.repeated,
    covered
  }
}
