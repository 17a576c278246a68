/**
 * Matches movements with the books: by payment id, else by order number and amount, else by amount and day.
 */
import * as Milliseconds from "../basics/Milliseconds.js"
import { firstWhere, groupBy, inOrderOf, sumOf } from "../basics/Lists.js"
import type { StatementMovement } from "./ParsedStatement.js"
import type {
  AmbiguousMovements,
  DifferentAmount,
  ExpectedMovement,
  MatchedMovement
} from "./StatementReconciliation.js"

/**
 * The days around a payment in which a movement without an order number may book it: around midnight, and some days
 * later.
 */
const daysBefore = 1
const daysAfter = 3

const dayNumber = (day: string): number => Date.parse(day) / Milliseconds.day

/** Movements and expected movements with the same key: a payment's or an order's. */
interface Group {
  readonly by: "paymentId" | "orderNumber"
  readonly movements: ReadonlyArray<StatementMovement>
  readonly expected: ReadonlyArray<ExpectedMovement>
}

/** Matches payments and refunds of statements with those of the books. */
export class Matching {
  readonly matched: Array<MatchedMovement> = []
  readonly differentAmounts: Array<DifferentAmount> = []
  readonly ambiguous: Array<AmbiguousMovements> = []
  /** The unmatched movements of the statements. */
  readonly movements: Set<StatementMovement>
  /** The unmatched payments and refunds of the books. */
  readonly expected: Set<ExpectedMovement>
  private readonly explains: (movement: StatementMovement) => boolean

  /**
   * @param explains - Explains a single movement before it is reported as foreign or as having another amount.
   *
   * @param explains - Says what a movement alone is, before it is said to be foreign or of another amount.
   */
  constructor(
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>,
    explains: (movement: StatementMovement) => boolean
  ) {
    this.movements = new Set(movements)
    this.expected = new Set(expected)
    this.explains = explains
    this.pass("paymentId", paymentKey, paymentKey)
    // A movement with a payment id does not book a payment with another id.
    const ifNamed = (movement: StatementMovement) => (movement.paymentId === undefined ? undefined : orderKey(movement))
    const ifUnnamed = (one: ExpectedMovement | StatementMovement) =>
      one.paymentId === undefined ? orderKey(one) : undefined
    this.pass("orderNumber", ifNamed, ifUnnamed)
    this.pass("orderNumber", ifUnnamed, orderKey)
    this.byAmountAndDay()
  }

  /** Matches within groups that have the same key on both sides. */
  private pass(
    by: Group["by"],
    movementKey: (movement: StatementMovement) => string | undefined,
    expectedKey: (expected: ExpectedMovement) => string | undefined
  ): void {
    const groups = groupBy(this.expected, expectedKey)
    for (const [key, movements] of groupBy(this.movements, movementKey)) {
      const expected = groups.get(key)
      if (expected !== undefined) this.group({ by, movements, expected })
    }
  }

  /** The unmatched part of a group. */
  private left({ by, expected, movements }: Group): Group {
    return {
      by,
      movements: movements.filter((movement) => this.movements.has(movement)),
      expected: expected.filter((one) => this.expected.has(one))
    }
  }

  /** Matches one payment or one order: equal amounts first, then the rest. */
  private group(group: Group): void {
    const byAmount = groupBy(group.expected, ({ amount }) => String(amount))
    for (const [amount, movements] of groupBy(group.movements, (movement) => String(movement.amount))) {
      const expected = byAmount.get(amount)
      if (expected !== undefined) this.equalAmounts({ by: group.by, movements, expected })
    }
    const left = this.left(group)
    const movements = left.movements.filter((movement) => !this.explains(movement))
    const [movement, ...others] = movements
    const [first, ...rest] = left.expected
    if (movement === undefined || first === undefined) return
    if (others.length > 0 || rest.length > 0) return this.report(movements, left.expected)
    const isWithin = first.isUpperBound === true && movement.amount > 0 && movement.amount < first.amount
    if (isWithin) return this.match(group.by, movement, first)
    this.take(movement, first)
    this.differentAmounts.push({ expected: first, movement, difference: movement.amount - first.amount })
  }

  private equalAmounts(group: Group): void {
    const isEnough = group.movements.length >= group.expected.length
    if (group.movements.length === group.expected.length) return this.inTime(group)
    this.sameDay(group, isEnough)
    const left = this.left(group)
    const { expected, movements } = left
    if (movements.length === 0 || expected.length === 0) return
    if (isEnough) this.nearest(left)
    else this.unequivocal(left)
  }

  /** If both sides have the same number and all amounts are equal, matches in the order of days. */
  private inTime({ by, expected, movements }: Group): void {
    const days = movements.toSorted(inOrderOf(({ date }) => date))
    expected.toSorted(inOrderOf(({ day = "" }) => day)).forEach((one, index) => {
      const movement = days[index]
      if (movement !== undefined) this.match(by, movement, one)
    })
  }

  /** Matches those of the same day. If too few are booked on a day, it stays open which ones they are. */
  private sameDay({ by, expected, movements }: Group, isEnough: boolean): void {
    const byDate = groupBy(movements, ({ date }) => date)
    for (const [day, same] of groupBy(expected, (one) => one.day)) {
      const booked = byDate.get(day) ?? []
      if (!isEnough && booked.length < same.length) continue
      for (const [index, movement] of booked.slice(0, same.length).entries()) {
        const one = same[index]
        if (one !== undefined) this.match(by, movement, one)
      }
    }
  }

  /** Fewer movements than expected: matches a movement only if its day leaves no choice. */
  private unequivocal(group: Group): void {
    const byDay = new Map<number, Set<ExpectedMovement>>()
    for (const one of group.expected) {
      if (one.day === undefined) continue
      const day = dayNumber(one.day)
      byDay.set(day, (byDay.get(day) ?? new Set()).add(one))
    }
    for (const movement of group.movements) {
      const day = dayNumber(movement.date)
      for (let distance = 0; distance <= daysAfter; distance += 1) {
        const closest = [...new Set([day - distance, day + distance])].map((near) => byDay.get(near))
        const count = closest.reduce((sum, found) => sum + (found?.size ?? 0), 0)
        const [only] = closest.flatMap((found) => (count === 1 && found !== undefined ? [...found] : []))
        if (only !== undefined) {
          for (const found of closest) found?.delete(only)
          this.match(group.by, movement, only)
        }
        if (count > 0) break
      }
    }
    const { expected, movements } = this.left(group)
    if (movements.length > 0 && expected.length > 0) this.report(movements, expected)
  }

  /**
   * More movements than expected: matches each expected one with the movement of the nearest day, and leaves the rest.
   */
  private nearest({ by, expected, movements }: Group): void {
    const free = new FreePlaces(movements.toSorted(inOrderOf(({ date }) => date)))
    for (const one of expected.toSorted(inOrderOf(({ day = "" }) => day))) {
      const movement = free.takeNearest(one.day)
      if (movement !== undefined) this.match(by, movement, one)
    }
  }

  /**
   * For movements with neither payment id nor order number, as in ABO: matches a movement that is alone within its
   * days.
   */
  private byAmountAndDay(): void {
    const hasNoName = ({ orderNumber, paymentId }: StatementMovement): boolean =>
      orderNumber === undefined && paymentId === undefined
    const key = ({ _tag, amount, currency }: ExpectedMovement | StatementMovement): string =>
      `${_tag} ${currency} ${amount}`
    const groups = groupBy(this.expected, key)
    for (const [name, movements] of groupBy([...this.movements].filter(hasNoName), key)) {
      for (const cluster of clusters(movements, groups.get(name) ?? [])) this.cluster(cluster)
    }
  }

  private cluster({ expected, movements }: Cluster): void {
    const [movement, ...others] = movements.filter((one) => !this.explains(one))
    const [one, ...rest] = expected
    if (movement === undefined || one === undefined) return
    if (others.length === 0 && rest.length === 0) this.match("amountAndDay", movement, one)
    else this.report([movement, ...others], expected)
  }

  private match(by: MatchedMovement["by"], movement: StatementMovement, expected: ExpectedMovement): void {
    this.take(movement, expected)
    this.matched.push({ expected, movement, by })
  }

  private report(movements: ReadonlyArray<StatementMovement>, candidates: ReadonlyArray<ExpectedMovement>): void {
    for (const movement of movements) this.movements.delete(movement)
    for (const candidate of candidates) this.expected.delete(candidate)
    this.ambiguous.push({ movements, candidates, isBalanced: sumOf(movements) === sumOf(candidates) })
  }

  private take(movement: StatementMovement, expected: ExpectedMovement): void {
    this.movements.delete(movement)
    this.expected.delete(expected)
  }
}

/** Movements ordered by day, from which the one nearest to a day is taken. */
class FreePlaces {
  private readonly movements: ReadonlyArray<StatementMovement>
  private readonly days: ReadonlyArray<number>
  /** For each position, the nearest one before and after it that may be free. */
  private readonly before: Array<number>
  private readonly behind: Array<number>

  constructor(movements: ReadonlyArray<StatementMovement>) {
    this.movements = movements
    this.days = movements.map(({ date }) => dayNumber(date))
    this.before = movements.map((_, place) => place)
    this.behind = movements.map((_, place) => place)
  }

  /** Takes the nearest; the earlier one if two are equally near, and the first one without a day. */
  takeNearest(day: string | undefined): StatementMovement | undefined {
    const wanted = day === undefined ? Number.NEGATIVE_INFINITY : dayNumber(day)
    const at = this.firstFrom(wanted)
    const left = freePlace(this.before, at - 1, -1)
    const right = freePlace(this.behind, at, 1)
    const [earlier, later] = [this.days[left], this.days[right]]
    const isLeft = earlier !== undefined && (later === undefined || wanted - earlier <= later - wanted)
    // Of several on the same day, takes the first.
    const place = isLeft ? this.firstFreeOf(earlier, left) : right
    this.before[place] = place - 1
    this.behind[place] = place + 1
    return this.movements[place]
  }

  private firstFreeOf(day: number, otherwise: number): number {
    const place = freePlace(this.behind, this.firstFrom(day), 1)
    return this.days[place] === day ? place : otherwise
  }

  /** The first position whose day is not before a day. */
  private firstFrom(day: number): number {
    return firstWhere(this.days.length, (place) => (this.days[place] ?? day) >= day)
  }
}

/** Follows the links to a free position, and shortens the path for the next search. */
const freePlace = (links: Array<number>, start: number, step: 1 | -1): number => {
  let place = start
  while (links[place] !== undefined && links[place] !== place) place = links[place] ?? place + step
  for (let at = start; links[at] !== undefined && at !== place;) {
    const next = links[at] ?? place
    links[at] = place
    at = next
  }
  return place
}

interface Cluster {
  readonly movements: Array<StatementMovement>
  readonly expected: Array<ExpectedMovement>
}

/** Splits into groups of near days. Unknown days are near to all. */
const clusters = (
  movements: ReadonlyArray<StatementMovement>,
  expected: ReadonlyArray<ExpectedMovement>
): ReadonlyArray<Cluster> => {
  if (expected.some(({ day }) => day === undefined)) return [{ movements: [...movements], expected: [...expected] }]
  const points = [
    ...movements.map((movement) => ({
      movement,
      from: dayNumber(movement.date) - daysAfter,
      to: dayNumber(movement.date) + daysBefore
    })),
    ...expected.map((one) => ({ expected: one, from: dayNumber(one.day ?? ""), to: dayNumber(one.day ?? "") }))
  ].toSorted((one, other) => one.from - other.from)
  const found: Array<Cluster> = []
  let end = Number.NEGATIVE_INFINITY
  for (const point of points) {
    const last = found.at(-1)
    const cluster = last === undefined || point.from > end ? { movements: [], expected: [] } : last
    if (cluster !== last) found.push(cluster)
    end = Math.max(end, point.to)
    if ("movement" in point) cluster.movements.push(point.movement)
    else cluster.expected.push(point.expected)
  }
  return found
}

const paymentKey = ({ _tag, currency, paymentId }: ExpectedMovement | StatementMovement): string | undefined =>
  paymentId === undefined ? undefined : `${_tag} ${currency} ${paymentId}`

const orderKey = ({ _tag, currency, orderNumber }: ExpectedMovement | StatementMovement): string | undefined =>
  orderNumber === undefined ? undefined : `${_tag} ${currency} ${orderNumber}`
