/**
 * Several files as one list of movements, each of them once.
 *
 * Two movements are the same when they have the same id. Where one of the files has no ids: when kind, day, amount,
 * currency and reference agree, and each movement of one file is taken for one of the other only. Equal movements of one
 * file are different ones.
 */
import { inOrderOf } from "../basics/Lists.js"
import { numberOf } from "./MovementType.js"
import type { ParsedStatement, StatementMovement } from "./ParsedStatement.js"
import type { FileContradiction } from "./StatementReconciliation.js"
import { shiftedDay } from "../basics/Day.js"

/** The days of one currency that statements cover. */
export interface CoveredDays {
  readonly currency: string
  readonly from: string
  readonly to: string
}

/** The days from the first to the last, or those of the movements where the file does not say them. */
export const daysOf = ({ currency, movements, period }: ParsedStatement): CoveredDays | undefined => {
  if (period !== undefined) return { currency, ...period }
  const days = movements.map(({ date }) => date).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  return from === undefined || to === undefined ? undefined : { currency, from, to }
}

/** How many days the statement's day may be from that in a clearing file, nearest first. */
const clearingDays = [0, 1, -1, 2, -2, 3, -3]

/** A movement of the list, and the files that have it. */
interface Merged {
  movement: StatementMovement
  readonly account: string | undefined
  readonly files: Set<number>
  /** Its place in the list. */
  readonly index: number
  /** The reference that it came with. */
  readonly reference: string | undefined
  /** The kind of `Alike` that it is in: another one once a file has told more of it. */
  kind?: string
}

/** Movements that are alike in all that is compared. */
interface Alike {
  readonly kind: string
  readonly account: string | undefined
  readonly time: string | undefined
  readonly hasId: boolean
  readonly list: Array<Merged>
  /** The file that is being entered, and the first two of the list that it does not have. */
  file: number
  first: number
  second: number
}

const minuteOf = ({ time }: StatementMovement): string | undefined => time?.slice(0, 5)

/** Movements by what equal ones have in common, with the reference and without it. */
class Equals {
  private readonly groups = new Map<string, Map<string, Alike>>()

  /** Enters a movement, or enters it anew where more is known of it by now. */
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
   * The first movement that may be the same, and whether there are others: their reference is the same, or is missing on one
   * side, and so are account, time and id. A movement that the file has already is none of them.
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

  /** The first two of a list that a file does not have: each place is passed over once for each file. */
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

/** Enters file after file. */
class Merging {
  readonly list: Array<Merged> = []
  readonly contradictions: Array<FileContradiction> = []
  repeated = 0
  private readonly byId = new Map<string, Merged>()
  private readonly equals = new Equals()

  /** Enters the movements of a file, but those that another file has. */
  enterFile(statement: ParsedStatement, file: number): void {
    const before = this.list.length
    for (const movement of statement.movements) this.enter(movement, file, statement)
    // Equal movements of one file are different ones, so they are compared with those of other files only.
    for (const merged of this.list.slice(before)) this.equals.add(merged)
  }

  private enter(movement: StatementMovement, file: number, statement: ParsedStatement): void {
    const found = this.sameAs(movement, file, statement)
    if (found === undefined) return this.add(movement, file, statement.account)
    const { first: same, isOnly } = found
    this.repeated += 1
    same.files.add(file)
    if (same.movement.amount !== movement.amount) {
      const difference = movement.amount - same.movement.amount
      this.contradictions.push({ _tag: "OtherAmount", from: movement.date, to: movement.date, difference, movement })
      return
    }
    // Of several that are equal it is not known which: they are counted, and learn nothing from each other.
    if (!isOnly && numberOf(movement) !== numberOf(same.movement)) return
    // What only one of the files knows; what the first one says stands.
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

  /** The first movement that it may be, and whether it can be no other. */
  private sameAs(movement: StatementMovement, file: number, { account, format }: ParsedStatement) {
    const byId = this.byId.get(`${movement.currency} ${movement.movementId ?? ""}`)
    if (byId !== undefined && !byId.files.has(file)) return { first: byId, isOnly: true }
    const days = format === "CLEARING_XML" ? clearingDays : [0]
    const found = days.flatMap((day) => this.equals.find(movement, shiftedDay(movement.date, day), file, account) ?? [])
    const [nearest] = found
    return nearest && { first: nearest.first, isOnly: nearest.isOnly && found.length === 1 }
  }
}

/** Where one file of an account ends and the next begins. */
interface Seam extends CoveredDays {
  /** The balance that the next one begins with, less the one that the last one ends with. */
  readonly difference: number
}

/** Files of one account one after the other: what one ends with, the next begins with. */
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

/** All files as one list, oldest first. */
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
  // Where the balances meet, nothing was booked between two files, though a CSV file does not say its days.
  const covered: ReadonlyArray<CoveredDays> = [
    ...(booked.length > 0 ? booked : inRank).flatMap((statement) => daysOf(statement) ?? []),
    ...seams.filter(({ difference }) => difference === 0)
  ]
  const gaps = seams
    .filter(({ difference }) => difference !== 0)
    .map(({ difference, from, to }): FileContradiction => ({ _tag: "Gap", from, to, difference }))
  const isCovered = ({ currency, date }: StatementMovement): boolean =>
    booked.length > 0 && covered.some((days) => days.currency === currency && days.from <= date && date <= days.to)
  // The files of clearings come last.
  const isOnlyInClearing = ({ files, movement }: Merged): boolean =>
    [...files].every((file) => file >= booked.length) && isCovered(movement)
  const onlyInClearing = merging.list.filter(isOnlyInClearing).map(({ movement }): FileContradiction => ({
    _tag: "OnlyInClearing",
    from: movement.date,
    to: movement.date,
    difference: movement.amount,
    movement
  }))
  const moment = ({ date, time = "" }: StatementMovement): string => `${date} ${time}`
  return {
    movements: merging.list
      .filter((merged) => !isOnlyInClearing(merged))
      .map(({ movement }) => movement)
      .toSorted(inOrderOf(moment)),
    contradictions: [...gaps, ...merging.contradictions, ...onlyInClearing],
    repeated: merging.repeated,
    covered
  }
}
