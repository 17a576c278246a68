/**
 * Compares statements with a shop's books and with what the gateway says.
 */
import { wasPaid } from "../client/payment/PaymentState.js"
import type { BankStatement } from "./AboStatement.js"
import { clearingsOf, withClearing, withReceived } from "./Clearings.js"
import type {
  BookedOrder,
  BookedPayment,
  BookedRefund,
  DetachedRefund,
  DoubtfulChange,
  GatewayPayment
} from "./BookedOrder.js"
import { groupBy, sumOf } from "../basics/Lists.js"
import { Matching } from "./Matching.js"
import type { CoveredDays } from "./CoveredDays.js"
import { mergeStatements } from "./MergedStatements.js"
import type { ParsedStatement, StatementMovement } from "./ParsedStatement.js"
import type {
  ClearingExplanation,
  ExpectedMovement,
  ForeignMovement,
  GatewayDifference,
  OutcomeEvidence,
  ReconciledDays,
  StatementReconciliation
} from "./StatementReconciliation.js"
import { isDay, shiftedDay } from "../basics/Day.js"
import { withoutUndefined } from "../basics/Nulls.js"

/** What statements are compared with. */
export interface ReconcileStatementOptions {
  /** The orders of the statements' days, and of some days before: a payment may be booked days after it was made. */
  readonly orders: ReadonlyArray<BookedOrder>
  /** The same payments as the gateway shows them. Without this, only the shop and the statements are compared. */
  readonly payments?: ReadonlyArray<GatewayPayment> | undefined
  /** Statements of the shop's own bank, in any order: their transfers are assigned to clearings. */
  readonly bank?: BankStatement | ReadonlyArray<BankStatement> | undefined
  /**
   * The last day, `yyyy-mm-dd`, whose payments and refunds must be on the statements. Default: three days before they
   * end. Later ones may be on the next statement.
   */
  readonly through?: string | undefined
}

/** The number of days at the end of a statement in which absence proves nothing. */
const lastDays = 3

/** The days that statements cover. */
class Coverage {
  private readonly byCurrency: ReadonlyMap<string, ReadonlyArray<CoveredDays>>
  /** What is covered of each currency, from its first day to its last. */
  readonly days: ReadonlyArray<ReconciledDays>
  private readonly ends: ReadonlyMap<string, ReconciledDays>

  constructor(covered: ReadonlyArray<CoveredDays>, through: string | undefined) {
    this.byCurrency = groupBy(covered, ({ currency }) => currency)
    this.days = [...this.byCurrency].map(([currency, days]) => {
      const from = days.map((one) => one.from).reduce((first, day) => (day < first ? day : first))
      const to = days.map((one) => one.to).reduce((last, day) => (day > last ? day : last))
      return { currency, from, to, through: through ?? shiftedDay(to, -lastDays) }
    })
    this.ends = new Map(this.days.map((days) => [days.currency, days]))
  }

  /** Whether a day is so long before the end of the covered days that all of it must be on the statements. */
  readonly isDue = (day: string, currency: string): boolean => {
    const end = this.ends.get(currency)
    return end !== undefined && day <= end.through
  }

  /** Whether a statement must contain it: yes, perhaps only the next one, or no given one. */
  dueIn({ currency, day }: ExpectedMovement): "due" | "notYetDue" | "notCovered" {
    const end = this.ends.get(currency)
    if (end === undefined) return "notCovered"
    if (day === undefined) return "due"
    if (!this.isDue(day, currency)) return "notYetDue"
    const days = this.byCurrency.get(currency) ?? []
    return day > end.to || days.some(({ from, to }) => from <= day && day <= to) ? "due" : "notCovered"
  }
}

const isPaidInBooks = ({ paid }: BookedPayment): boolean => paid !== false

const expectedOf = ({
  currency,
  orderNumber,
  payments,
  refunds = []
}: BookedOrder): ReadonlyArray<ExpectedMovement> => {
  const debits = (refunds: ReadonlyArray<DetachedRefund>, paymentId?: number): ReadonlyArray<ExpectedMovement> =>
    refunds
      .filter(({ state }) => state !== "FAILED")
      .map(({ amount, paymentId: own = paymentId, refundId, requestedOn }) => {
        const common = { orderNumber, currency, paymentId: own }
        return withoutUndefined({ _tag: "Refund" as const, ...common, amount: -amount, refundId, day: requestedOn })
      })
  const credits = payments.filter(isPaidInBooks).flatMap((payment): ReadonlyArray<ExpectedMovement> => {
    const { amount, isUpperBound, paidOn, paymentId } = payment
    const common = { orderNumber, currency, paymentId, amount, day: paidOn }
    const bound = isUpperBound === true ? { isUpperBound } : undefined
    return [
      withoutUndefined({ _tag: "Payment" as const, ...common, ...bound }),
      ...debits(payment.refunds ?? [], paymentId)
    ]
  })
  return [...credits, ...debits(refunds)]
}

// ---------------------------------------------------------------------------------------------------------------------
// What the books say of a movement that they do not expect
// ---------------------------------------------------------------------------------------------------------------------

/** An entry of the books that may explain a movement, once. */
interface Explanation {
  readonly currency: string
  readonly tag: "Payment" | "Refund"
  readonly amount: number
  readonly orderNumber: string
  readonly paymentId: number | undefined
  readonly of: { readonly change: DoubtfulChange } | "NotCountedAsPaid" | "FailedRefund"
}

const explanationsOf = (order: BookedOrder): ReadonlyArray<Explanation> => {
  const { currency, inDoubt = [], orderNumber, payments, refunds = [] } = order
  const one = (
    of: Explanation["of"],
    tag: Explanation["tag"],
    amount: number,
    paymentId: number | undefined
  ): Explanation => ({ currency, tag, amount: tag === "Refund" ? -amount : amount, orderNumber, paymentId, of })
  return [
    ...inDoubt.map((change) =>
      one({ change }, change.operation === "refundPayment" ? "Refund" : "Payment", change.amount, change.paymentId)
    ),
    ...payments
      .filter((payment) => !isPaidInBooks(payment))
      .map(({ amount, paymentId }) => one("NotCountedAsPaid", "Payment", amount, paymentId)),
    ...[
      ...payments.flatMap(({ paymentId, refunds = [] }) => refunds.map((refund) => ({ ...refund, paymentId }))),
      ...refunds
    ]
      .filter(({ state }) => state === "FAILED")
      .map(({ amount, paymentId }) => one("FailedRefund", "Refund", amount, paymentId))
  ]
}

/** The explanations of one key, in order. Those that are used are passed once, not again for each movement. */
class Unused {
  private readonly list: ReadonlyArray<Explanation>
  private readonly used: ReadonlySet<Explanation>
  private at = 0

  constructor(list: ReadonlyArray<Explanation>, used: ReadonlySet<Explanation>) {
    this.list = list
    this.used = used
  }

  first(): Explanation | undefined {
    let found = this.list[this.at]
    while (found !== undefined && this.used.has(found)) found = this.list[++this.at]
    return found
  }
}

const explanationKey = ({ amount, currency }: Pick<Explanation, "amount" | "currency">, tag: string, id: string) =>
  `${tag} ${currency} ${amount} ${id}`

/** The entries that may explain a movement. A change in doubt comes first. */
class Explanations {
  private readonly used = new Set<Explanation>()
  private readonly byPayment: ReadonlyMap<string, Unused>
  private readonly byOrder: ReadonlyMap<string, Unused>
  /** Those that do not know their payment: where both do, the payment decides. */
  private readonly byOrderAlone: ReadonlyMap<string, Unused>

  constructor(explanations: ReadonlyArray<Explanation>) {
    const by = (
      list: ReadonlyArray<Explanation>,
      idOf: (one: Explanation) => string | undefined
    ): ReadonlyMap<string, Unused> => {
      const groups = groupBy(list, (one) => {
        const id = idOf(one)
        return id === undefined ? undefined : explanationKey(one, one.tag, id)
      })
      return new Map([...groups].map(([key, alike]) => [key, new Unused(alike, this.used)]))
    }
    this.byPayment = by(explanations, ({ paymentId }) => paymentId?.toString())
    this.byOrder = by(explanations, ({ orderNumber }) => orderNumber)
    const ofNoPayment = explanations.filter(({ paymentId }) => paymentId === undefined)
    this.byOrderAlone = by(ofNoPayment, ({ orderNumber }) => orderNumber)
  }

  find(movement: StatementMovement): Explanation | undefined {
    const { _tag, orderNumber, paymentId } = movement
    const first = (from: ReadonlyMap<string, Unused>, id: string | undefined) =>
      id === undefined ? undefined : from.get(explanationKey(movement, _tag, id))?.first()
    return paymentId === undefined
      ? first(this.byOrder, orderNumber)
      : (first(this.byPayment, String(paymentId)) ?? first(this.byOrderAlone, orderNumber))
  }

  take(movement: StatementMovement): Explanation | undefined {
    const found = this.find(movement)
    if (found !== undefined) this.used.add(found)
    return found
  }
}

/** The explanations of the remaining movements. */
const unexpected = (
  movements: Iterable<StatementMovement>,
  explanations: Explanations,
  found: ReadonlyArray<ExpectedMovement>,
  orders: ReadonlyArray<BookedOrder>
): { readonly evidence: ReadonlyArray<OutcomeEvidence>; readonly foreign: ReadonlyArray<ForeignMovement> } => {
  const known = new Set(orders.map(({ orderNumber }) => orderNumber))
  const key = ({ _tag, amount, currency, orderNumber }: ExpectedMovement | StatementMovement): string =>
    `${_tag} ${currency} ${amount} ${orderNumber ?? ""}`
  const matched = new Set(found.map(key))
  const evidence: Array<OutcomeEvidence> = []
  const foreign: Array<ForeignMovement> = []
  const unexplained = new Set<string>()
  for (const movement of movements) {
    const explanation = explanations.take(movement)
    const { orderNumber } = movement
    if (explanation === undefined) {
      unexplained.add(key(movement))
      const isKnown = orderNumber !== undefined && known.has(orderNumber)
      const _tag = orderNumber !== undefined && matched.has(key(movement)) ? "Surplus" : "UnknownOrder"
      foreign.push({ _tag, movement, ...(isKnown ? { orderNumber } : {}) })
    } else if (typeof explanation.of === "string") {
      const { of: _tag, orderNumber, paymentId } = explanation
      foreign.push(withoutUndefined({ _tag, movement, orderNumber, paymentId }))
    } else {
      evidence.push({ change: explanation.of.change, orderNumber: explanation.orderNumber, movement })
    }
  }
  /** Another movement or another change is equal to it, so it is unknown which belong together. */
  const isAmbiguous = ({ movement }: OutcomeEvidence): boolean =>
    unexplained.has(key(movement)) || explanations.find(movement) !== undefined
  return { evidence: evidence.map((one) => (isAmbiguous(one) ? { ...one, isAmbiguous: true } : one)), foreign }
}

// ---------------------------------------------------------------------------------------------------------------------
// Shop and gateway
// ---------------------------------------------------------------------------------------------------------------------

const differencesOf = (
  gateway: GatewayPayment,
  booked: { readonly order: BookedOrder; readonly payment: BookedPayment } | undefined
): ReadonlyArray<GatewayDifference> => {
  const { id: paymentId, order_number: orderNumber = "", refunds, state } = gateway
  const isPaid = wasPaid({ state: state ?? "" })
  if (booked === undefined) {
    return isPaid ? [{ _tag: "UnknownPayment", paymentId, orderNumber, shop: false, gateway: true }] : []
  }
  const { order, payment } = booked
  const common = { paymentId, orderNumber: order.orderNumber }
  const shop = isPaidInBooks(payment)
  if (shop !== isPaid) return [{ _tag: "Paid", ...common, shop, gateway: isPaid }]
  if (!shop) return []
  const returned = sumOf((payment.refunds ?? []).filter((refund) => (refund.state ?? "SUCCESS") === "SUCCESS"))
  const refunded = sumOf((refunds ?? []).filter((refund) => refund.state === "SUCCESS"))
  const found: Array<GatewayDifference> = []
  const isWhole = gateway.preauthorization === undefined
  if (isWhole && gateway.amount !== undefined && gateway.amount !== payment.amount) {
    found.push({ _tag: "Amount", ...common, shop: payment.amount, gateway: gateway.amount })
  }
  if (refunds !== undefined && returned !== refunded) {
    found.push({ _tag: "Refunded", ...common, shop: returned, gateway: refunded })
  }
  return found
}

const gatewayDifferences = (
  orders: ReadonlyArray<BookedOrder>,
  payments: ReadonlyArray<GatewayPayment>
): ReadonlyArray<GatewayDifference> => {
  const booked = new Map(
    orders.flatMap((order) =>
      order.payments.flatMap((payment) =>
        payment.paymentId === undefined ? [] : [[payment.paymentId, { order, payment }] as const]
      )
    )
  )
  return payments.flatMap((payment) => differencesOf(payment, booked.get(payment.id)))
}

// ---------------------------------------------------------------------------------------------------------------------

/** A day of the calendar; throws a RangeError that names the field otherwise. */
const checkDay = (field: string, day: string | undefined): void => {
  if (day !== undefined && !isDay(day)) {
    throw new RangeError(`${field} must be a day such as 2026-06-30, not ${JSON.stringify(day)}`)
  }
}

const checkAmount = (field: string, amount: number): void => {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new RangeError(`${field} must be an integer in minor units, 0 or more, not ${amount}`)
  }
}

const checkOrder = ({ inDoubt = [], orderNumber, payments, refunds: detached = [] }: BookedOrder): void => {
  const at = `The order ${JSON.stringify(orderNumber)}`
  const checkRefunds = (refunds: ReadonlyArray<BookedRefund>): void => {
    for (const { amount, requestedOn } of refunds) {
      checkAmount(`${at}: the amount of a refund`, amount)
      checkDay(`${at}: requestedOn`, requestedOn)
    }
  }
  for (const { amount, paidOn, refunds = [] } of payments) {
    checkAmount(`${at}: the amount of a payment`, amount)
    checkDay(`${at}: paidOn`, paidOn)
    checkRefunds(refunds)
  }
  checkRefunds(detached)
  for (const change of inDoubt) checkAmount(`${at}: the amount of a change in doubt`, change.amount)
}

/**
 * Compares statements with a shop's books, and with the gateway if `payments` are given: which payments and refunds are
 * booked, which are missing, which movements are not in the books, and what each clearing paid out.
 *
 * A movement is matched by payment id if the file has it (a clearing's XML), else by order number and amount; the day
 * decides between equal ones. If several match, it is reported as ambiguous with the candidates, and never guessed. ABO
 * has no order numbers: its sums are verified, and most of its movements are ambiguous.
 *
 * With `bank`, each transfer of the shop's bank is explained by its clearing, and each clearing by its transfers: at
 * most three, with its number as their variable symbol.
 *
 * Give the files in any order. They may overlap: a movement is counted once. Nothing is repaired and nothing is sent.
 *
 * @throws RangeError if a day or an amount in the books is invalid
 */
export const reconcileStatement = (
  statements: ParsedStatement | ReadonlyArray<ParsedStatement>,
  options: ReconcileStatementOptions
): StatementReconciliation => {
  const { bank = [], orders, payments = [], through } = options
  checkDay("through", through)
  orders.forEach(checkOrder)
  const files = "movements" in statements ? [statements] : statements
  const { contradictions, covered, repeated, ...merged } = mergeStatements(files)
  const coverage = new Coverage(covered, through)
  // A balance explains no transfer if movements between are unknown, or another account's are in the list.
  const hasGaps = contradictions.some(({ _tag }) => _tag === "Gap" || _tag === "TwoAccounts")
  const { explained, movements } = withClearing(
    clearingsOf(files, merged.movements, hasGaps, coverage.isDue),
    merged.movements
  )
  const expected = orders.flatMap(expectedOf)
  const explanations = new Explanations(orders.flatMap(explanationsOf))
  const booked = movements.filter(({ _tag }) => _tag === "Payment" || _tag === "Refund")
  const matching = new Matching(booked, expected, (movement) => explanations.find(movement) !== undefined)
  const { ambiguous, differentAmounts, matched } = matching
  const sorted = groupBy(matching.expected, (one) => coverage.dueIn(one))
  const found = matched.map(({ expected: one }) => one)
  const { evidence, foreign } = unexpected(matching.movements, explanations, found, orders)
  const of = (...tags: ReadonlyArray<StatementMovement["_tag"]>) => movements.filter(({ _tag }) => tags.includes(_tag))
  const bankFiles = "transfers" in bank ? [bank] : bank
  const bankDays = bankFiles.map(({ currency, period }) => ({ currency, ...period }))
  const { clearings, unexplainedTransfers } = withReceived(
    explained,
    files,
    bankFiles,
    new Coverage(bankDays, through).isDue
  )
  const problems = {
    evidence,
    foreign,
    missing: sorted.get("due") ?? [],
    differentAmounts,
    ambiguous,
    gatewayDifferences: gatewayDifferences(orders, payments),
    contradictions,
    toCheck: of("UnmatchedTransfer", "Hold", "Unknown")
  }
  const lists = [...Object.values(problems), unexplainedTransfers, clearings.filter(isWrong)]
  return {
    agrees: lists.every(({ length }) => length === 0),
    ...problems,
    matched,
    notYetDue: sorted.get("notYetDue") ?? [],
    notCovered: sorted.get("notCovered") ?? [],
    clearings,
    unexplainedTransfers,
    topUps: of("TopUp"),
    fees: of("Fee", "RefundFee", "CreditNote").filter(({ clearing }) => clearing === undefined),
    movements,
    repeated,
    days: coverage.days
  }
}

const isWrong = ({ difference, notSent, received }: ClearingExplanation): boolean =>
  difference !== undefined || notSent !== undefined || received?.state === "late" || received?.state === "differs"
