/**
 * Movements matched with what the books expect: by payment id, else by order number and amount, else by amount and day.
 */
import { groupBy } from "./groupBy.js"
import type { StatementMovement } from "./ParsedStatement.js"
import type {
  AmbiguousMovements,
  DifferentAmount,
  ExpectedMovement,
  MatchedMovement
} from "./StatementReconciliation.js"

/** What a movement alone is, before it is said to be foreign or of another amount. */
export type Explains = (movement: StatementMovement) => boolean

/** How matching ends. */
export interface Matching {
  readonly matched: ReadonlyArray<MatchedMovement>
  readonly differentAmounts: ReadonlyArray<DifferentAmount>
  readonly ambiguous: ReadonlyArray<AmbiguousMovements>
  /** Payments and refunds of the statements that are left. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** Payments and refunds of the books that are left. */
  readonly expected: ReadonlyArray<ExpectedMovement>
}

/** Days between which a movement without an order number may book a payment: around midnight, and some days later. */
const daysBefore = 1
const daysAfter = 3

/** Beyond that, equal amounts of one order are ambiguous without being compared each with each. */
const maxComparisons = 1_000_000

const dayNumber = (day: string): number => Date.parse(day) / 86_400_000

const distance = ({ day }: ExpectedMovement, { date }: StatementMovement): number =>
  day === undefined ? Number.POSITIVE_INFINITY : Math.abs(dayNumber(date) - dayNumber(day))

const sumOf = (items: ReadonlyArray<{ readonly amount: number }>): number =>
  items.reduce((sum, { amount }) => sum + amount, 0)

const byDay =
  <Item>(day: (item: Item) => string | undefined) =>
  (one: Item, other: Item): number => {
    const [first, second] = [day(one) ?? "", day(other) ?? ""]
    return first < second ? -1 : first > second ? 1 : 0
  }

/** The work of matching: what is left, and what has been found. */
class Work {
  readonly matched: Array<MatchedMovement> = []
  readonly differentAmounts: Array<DifferentAmount> = []
  readonly ambiguous: Array<AmbiguousMovements> = []
  readonly movements: Set<StatementMovement>
  readonly expected: Set<ExpectedMovement>
  private readonly explains: Explains

  constructor(
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>,
    explains: Explains
  ) {
    this.movements = new Set(movements)
    this.expected = new Set(expected)
    this.explains = explains
  }

  /** Matches within groups of one key, on both sides. */
  pass(
    by: "paymentId" | "orderNumber",
    movementKey: (movement: StatementMovement) => string | undefined,
    expectedKey: (expected: ExpectedMovement) => string | undefined
  ): void {
    const groups = groupBy(this.expected, expectedKey)
    for (const [key, movements] of groupBy(this.movements, movementKey)) {
      const expected = groups.get(key)
      if (expected !== undefined) this.group(by, movements, expected)
    }
  }

  /** One payment, or one order: equal amounts first, then what is left over. */
  private group(
    by: "paymentId" | "orderNumber",
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>
  ): void {
    const byAmount = groupBy(expected, ({ amount }) => String(amount))
    for (const [amount, same] of groupBy(movements, (movement) => String(movement.amount))) {
      const candidates = byAmount.get(amount)
      if (candidates !== undefined) this.equalAmounts(by, same, candidates)
    }
    const left = movements.filter((movement) => this.movements.has(movement) && !this.explains(movement))
    const wanted = expected.filter((one) => this.expected.has(one))
    const [movement, ...others] = left
    const [first, ...rest] = wanted
    if (movement === undefined || first === undefined) return
    if (others.length > 0 || rest.length > 0) return this.report(left, wanted)
    this.take(movement, first)
    this.differentAmounts.push({ expected: first, movement, difference: movement.amount - first.amount })
  }

  private equalAmounts(
    by: "paymentId" | "orderNumber",
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>
  ): void {
    const isEnough = movements.length >= expected.length
    if (movements.length === expected.length) return this.inTime(by, movements, expected)
    this.sameDay(by, movements, expected, isEnough)
    const open = movements.filter((movement) => this.movements.has(movement))
    const free = expected.filter((one) => this.expected.has(one))
    if (open.length === 0 || free.length === 0) return
    if (open.length * free.length > maxComparisons) return this.report(open, free)
    if (isEnough) this.nearest(by, open, free)
    else this.unequivocal(by, open, free)
  }

  /** As many on both sides, and all equal: in the order of days. */
  private inTime(
    by: "paymentId" | "orderNumber",
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>
  ): void {
    const days = movements.toSorted(byDay(({ date }) => date))
    expected.toSorted(byDay(({ day }) => day)).forEach((one, index) => {
      const movement = days[index]
      if (movement !== undefined) this.match(by, movement, one)
    })
  }

  /** Those of one day. Where too few of the day are booked, which of them is left open. */
  private sameDay(
    by: "paymentId" | "orderNumber",
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>,
    isEnough: boolean
  ): void {
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

  /** Fewer movements than expected: one is matched where its day leaves no choice. */
  private unequivocal(
    by: "paymentId" | "orderNumber",
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>
  ): void {
    for (const movement of movements) {
      const free = expected.filter((one) => this.expected.has(one))
      const closest = free.reduce((least, one) => Math.min(least, distance(one, movement)), Number.POSITIVE_INFINITY)
      const [only, ...others] = free.filter((one) => distance(one, movement) === closest)
      if (only !== undefined && others.length === 0 && closest <= daysAfter) this.match(by, movement, only)
    }
    const open = movements.filter((movement) => this.movements.has(movement))
    const free = expected.filter((one) => this.expected.has(one))
    if (open.length > 0 && free.length > 0) this.report(open, free)
  }

  /** More movements than expected: each expected one takes that of the nearest day, and the rest are left. */
  private nearest(
    by: "paymentId" | "orderNumber",
    movements: ReadonlyArray<StatementMovement>,
    expected: ReadonlyArray<ExpectedMovement>
  ): void {
    const free = movements.toSorted(byDay(({ date }) => date))
    for (const one of expected.toSorted(byDay(({ day }) => day))) {
      const movement = free.reduce((best, other) => (distance(one, other) < distance(one, best) ? other : best))
      this.match(by, movement, one)
      free.splice(free.indexOf(movement), 1)
    }
  }

  /** Movements with neither payment id nor order number, as in ABO: one alone in its days is matched. */
  byAmountAndDay(): void {
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

interface Cluster {
  readonly movements: Array<StatementMovement>
  readonly expected: Array<ExpectedMovement>
}

/** Groups within which days are near each other; one whose day is not known is near all. */
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

/** Matches payments and refunds of statements with those of the books. */
export const matchMovements = (
  movements: ReadonlyArray<StatementMovement>,
  expected: ReadonlyArray<ExpectedMovement>,
  explains: Explains
): Matching => {
  const work = new Work(movements, expected, explains)
  work.pass("paymentId", paymentKey, paymentKey)
  // A movement with an id is not that of a payment with another one.
  const ifNamed = (movement: StatementMovement) => (movement.paymentId === undefined ? undefined : orderKey(movement))
  const ifUnnamed = (one: ExpectedMovement) => (one.paymentId === undefined ? orderKey(one) : undefined)
  work.pass("orderNumber", ifNamed, ifUnnamed)
  work.pass("orderNumber", (movement) => (movement.paymentId === undefined ? orderKey(movement) : undefined), orderKey)
  work.byAmountAndDay()
  const { ambiguous, differentAmounts, matched } = work
  return { matched, differentAmounts, ambiguous, movements: [...work.movements], expected: [...work.expected] }
}
