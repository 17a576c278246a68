/**
 * Consistency checks of a seed: unique ids, matching sums, compatible states.
 */
import type { FieldProblem } from "../../basics/InvalidFields.js"
import type { SeedContent, SeedPayment, SeedCard } from "./SeedSchema.js"
import { defaultMerchant } from "./LocalMerchant.js"

/**
 * The payments, cards and merchants of a seed by their ids. Seeds may hold hundreds of thousands of payments, so no step for
 * one payment may iterate over the others.
 */
export class SeedIndex {
  /** The shops' identifiers; there is at least one. */
  readonly goids: ReadonlySet<number>
  /** The first shop's identifier. */
  readonly firstGoid: number
  private readonly payments: ReadonlyMap<number | undefined, SeedPayment>
  private readonly cards: ReadonlyMap<number | undefined, SeedCard>
  private readonly charges = new Map<number, number>()

  constructor({ cards = [], merchants = [], payments = [] }: SeedContent) {
    this.firstGoid = merchants[0]?.goid ?? defaultMerchant.goid
    this.goids = new Set([this.firstGoid, ...merchants.map(({ goid }) => goid)])
    this.payments = new Map(payments.map((payment) => [payment.id, payment] as const))
    this.cards = new Map(cards.map((card) => [card.card_id, card] as const))
    for (const { parent_id } of payments) {
      if (parent_id !== undefined) this.charges.set(parent_id, this.chargesOf(parent_id) + 1)
    }
  }

  /** The payment with this id. */
  payment(id: number): SeedPayment | undefined {
    return this.payments.get(id)
  }

  /** The stored card with this id. */
  card(id: number): SeedCard | undefined {
    return this.cards.get(id)
  }

  /** The number of charges of the recurrence that began with the payment of this id. */
  chargesOf(id: number): number {
    return this.charges.get(id) ?? 0
  }

  /** The first payment of the recurrence that a payment is a charge of. */
  parentOf({ parent_id }: SeedPayment): SeedPayment | undefined {
    return parent_id === undefined ? undefined : this.payment(parent_id)
  }

  /** The shop that a payment is for: its own, or its parent's, or the first. */
  goidOf(payment: SeedPayment): number {
    return payment.target?.goid ?? this.parentOf(payment)?.target?.goid ?? this.firstGoid
  }
}

/** Whether the merchant has received money for it. */
export const hasReceived = ({ state }: Pick<SeedPayment, "state">): boolean =>
  state === "PAID" || state === "PARTIALLY_REFUNDED" || state === "REFUNDED"

/** The money that the merchant received. */
export const receivedFor = (payment: SeedPayment): number =>
  hasReceived(payment) ? (payment.received ?? payment.amount) : 0

/** The refunds: for a payment that is `REFUNDED`, one of everything unless the seed says otherwise. */
export const refundsOf = (payment: SeedPayment): NonNullable<SeedPayment["refunds"]> => {
  const received = receivedFor(payment)
  return payment.refunds ?? (payment.state === "REFUNDED" && received > 0 ? [{ amount: received }] : [])
}

/** The state of the preauthorization: the one that goes with the payment's, unless the seed says it. */
export const preauthorizationOf = ({
  preauthorization,
  state
}: SeedPayment): NonNullable<NonNullable<SeedPayment["preauthorization"]>["state"]> | undefined => {
  if (state === "AUTHORIZED") return preauthorization?.state ?? "AUTHORIZED"
  if (preauthorization === undefined) return undefined
  if (preauthorization.state !== undefined) return preauthorization.state
  if (state === "CANCELED") return "CANCELED"
  return hasReceived({ state }) ? "CAPTURED" : "REQUESTED"
}

/** For each state of a preauthorization, the payment states that it is compatible with. */
const statesByPreauthorization: { readonly [preauthorization: string]: ReadonlyArray<SeedPayment["state"]> } = {
  REQUESTED: ["CREATED", "PAYMENT_METHOD_CHOSEN", "CANCELED", "TIMEOUTED"],
  AUTHORIZED: ["AUTHORIZED"],
  CAPTURED: ["PAID", "PARTIALLY_REFUNDED", "REFUNDED"],
  CANCELED: ["CANCELED"]
}

const sum = (amounts: ReadonlyArray<{ readonly amount: number }>): number =>
  amounts.reduce((total, { amount }) => total + amount, 0)

/** Everything in a seed that contradicts the rest of it. */
export const contradictions = (seed: SeedContent): ReadonlyArray<FieldProblem> => {
  const problems: Array<FieldProblem> = []
  const report = (field: string, message: string): void => {
    problems.push({ field, message })
  }
  const { cards = [], merchants, notifications = [], payments = [], recurrences = [] } = seed
  const index = new SeedIndex(seed)

  /** Reports duplicates. */
  const unique = (what: string) => {
    const taken = new Set<number | string>()
    return (field: string, value: number | string | undefined): void => {
      if (value === undefined) return
      if (taken.has(value)) report(field, `is the ${what} of another one`)
      taken.add(value)
    }
  }

  if (merchants?.length === 0) report("merchants", "must have at least one, or be left out")
  const takenGoid = unique("GoID")
  const takenClientId = unique("ClientID")
  merchants?.forEach(({ client_id, goid }, place) => {
    takenGoid(`merchants[${place}].goid`, goid)
    takenClientId(`merchants[${place}].client_id`, client_id)
  })

  const takenCardId = unique("id")
  const takenToken = unique("token")
  cards.forEach(({ card_id, card_token, goid }, place) => {
    takenCardId(`cards[${place}].card_id`, card_id)
    takenToken(`cards[${place}].card_token`, card_token)
    if (goid !== undefined && !index.goids.has(goid)) report(`cards[${place}].goid`, "is not a merchant of this seed")
  })

  const takenId = unique("id")
  const takenPage = unique("pay page")
  recurrences.forEach(({ goid, id }, place) => {
    takenId(`recurrences[${place}].id`, id)
    if (goid !== undefined && !index.goids.has(goid)) {
      report(`recurrences[${place}].goid`, "is not a merchant of this seed")
    }
  })
  const recurrenceIds = new Set(recurrences.map(({ id }) => id))
  payments.forEach((payment, place) => {
    const at = (field: string): string => `payments[${place}].${field}`
    takenId(at("id"), payment.id)
    takenPage(at("pay_page"), payment.pay_page)
    payment.refunds?.forEach(({ id }, refund) => takenId(at(`refunds[${refund}].id`), id))
    takenId(at("v4.charge.id"), payment.v4?.charge?.id)
    const recurrenceId = payment.v4?.recurrence_id
    if (recurrenceId !== undefined && !recurrenceIds.has(recurrenceId)) {
      report(at("v4.recurrence_id"), "is not one of the recurrences of this seed")
    }
    const goid = index.goidOf(payment)
    if (!index.goids.has(goid)) report(at("target.goid"), "is not a merchant of this seed")
    checkParent(payment, goid, at, report, index)
    checkMoney(payment, at, report)
    checkStates(payment, at, report)
    checkOperations(payment, at, report)
    const cardId = payment.payer?.card_id
    const card = cardId === undefined ? undefined : index.card(cardId)
    if (cardId !== undefined && card === undefined) report(at("payer.card_id"), "is not one of the cards of this seed")
    const token = payment.payer?.payment_card?.card_token
    if (token !== undefined && card?.card_token !== undefined && token !== card.card_token) {
      report(at("payer.payment_card.card_token"), "must be that of the stored card")
    }
    if (card !== undefined && (card.goid ?? index.firstGoid) !== goid) {
      report(at("payer.card_id"), "is a card that was stored for another merchant")
    }
  })

  notifications.forEach(({ payment_id }, place) => {
    if (index.payment(payment_id) === undefined) {
      report(`notifications[${place}].payment_id`, "is not one of the payments of this seed")
    }
  })
  return problems
}

type At = (field: string) => string
type Report = (field: string, message: string) => void

const checkParent = (payment: SeedPayment, goid: number, at: At, report: Report, index: SeedIndex): void => {
  const { id, parent_id, preauthorization, recurrence } = payment
  if (parent_id === undefined) return
  const parent = index.parentOf(payment)
  if (parent === undefined) report(at("parent_id"), "is not one of the payments of this seed")
  else if (parent_id === id) report(at("parent_id"), "is the payment itself")
  else if (parent.recurrence === undefined) report(at("parent_id"), "is a payment without a recurrence")
  else if (index.goidOf(parent) !== goid) report(at("target.goid"), "must be that of the parent")
  if (recurrence !== undefined) report(at("recurrence"), "belongs to the parent, not to a further payment")
  if (preauthorization !== undefined) report(at("preauthorization"), "is not for a further payment of a recurrence")
}

const checkMoney = (payment: SeedPayment, at: At, report: Report): void => {
  const { accepted_operations = [], amount, preauthorization, received, recurrence, refunds = [], state, v4 } = payment
  if (
    amount === 0 &&
    v4 === undefined &&
    recurrence === undefined &&
    preauthorizationOf(payment) === undefined &&
    payment.parent_id === undefined
  ) {
    report(at("amount"), "must be more than 0 without a recurrence or a preauthorization")
  }
  if (!hasReceived(payment)) {
    if ((received ?? 0) > 0) report(at("received"), `must be 0 of a payment that is ${state}`)
    // API v4 also lists refused refunds.
    const shown = v4 === undefined ? refunds : refunds.filter((refund) => refund.state !== "FAILED")
    if (shown.length > 0) report(at("refunds"), `must be empty for a payment that is ${state}`)
    return
  }
  const got = receivedFor(payment)
  if (got > amount) report(at("received"), "must not be more than the amount")
  if (got < amount && preauthorization === undefined) {
    report(at("received"), "can only be less than the amount where a part of a preauthorization was captured")
  }
  const all = refundsOf(payment)
  const refunded = sum(all.filter((refund) => (refund.state ?? "SUCCESS") === "SUCCESS"))
  const refused = accepted_operations.flatMap(({ end, refund_id }) => (end === "refused" ? [refund_id] : []))
  const requested = sum(
    all.filter(({ id, state }) => state === "REQUESTED" && !(id !== undefined && refused.includes(id)))
  )
  const rules = {
    PAID: [refunded === 0, "must not have a SUCCESS in a payment that is PAID"],
    PARTIALLY_REFUNDED: [refunded > 0 && refunded < got, "must have SUCCESS for a part of what was received"],
    REFUNDED: [refunded === got && got > 0, "must have SUCCESS for all that was received"]
  } as const
  if (state === "PAID" || state === "PARTIALLY_REFUNDED" || state === "REFUNDED") {
    const [holds, message] = rules[state]
    if (!holds) report(at("refunds"), `${message}: received is ${got}, refunded ${refunded}`)
  }
  if (refunded + requested > got) report(at("refunds"), "must not be more than what was received")
}

const checkStates = (payment: SeedPayment, at: At, report: Report): void => {
  const { payment_instrument, recurrence, state } = payment
  const preauthorization = preauthorizationOf(payment)
  if (preauthorization !== undefined && statesByPreauthorization[preauthorization]?.includes(state) === false) {
    report(at("preauthorization.state"), `cannot be ${preauthorization} of a payment that is ${state}`)
  }
  const isPaidByCard = state === "AUTHORIZED" || preauthorization === "CAPTURED"
  if (isPaidByCard && payment_instrument !== undefined && payment_instrument !== "PAYMENT_CARD") {
    report(at("payment_instrument"), "must be PAYMENT_CARD: only a card can be held")
  }
  if (
    recurrence?.recurrence_state === "STARTED" &&
    (state === "CREATED" || state === "PAYMENT_METHOD_CHOSEN" || state === "TIMEOUTED")
  ) {
    report(at("recurrence.recurrence_state"), `cannot be STARTED of a payment that is ${state}`)
  }
}

const checkOperations = (payment: SeedPayment, at: At, report: Report): void => {
  const { accepted_operations, amount } = payment
  const requested = refundsOf(payment).filter(({ state }) => state === "REQUESTED")
  accepted_operations?.forEach((operation, index) => {
    const field = (name: string) => at(`accepted_operations[${index}].${name}`)
    if (operation.end === "refused" && operation.type !== "refund")
      report(field("end"), "can only be refused of a refund")
    switch (operation.type) {
      case "refund":
        if (operation.refund_id === undefined || !requested.some(({ id }) => id === operation.refund_id)) {
          report(field("refund_id"), "must be the id of a refund that is REQUESTED")
        }
        if (operation.amount !== undefined) report(field("amount"), "is that of the refund, and is not said again")
        break
      case "capture":
      case "voidAuthorization":
        if (preauthorizationOf(payment) === undefined) report(field("type"), "needs a preauthorization")
        if (operation.type === "capture" && (operation.amount ?? 0) > amount) {
          report(field("amount"), "must not be more than the payment's")
        }
        break
      case "voidRecurrence":
        if (payment.recurrence === undefined) report(field("type"), "needs a recurrence")
        break
    }
  })
  if (accepted_operations === undefined) return
  const ended = accepted_operations.flatMap(({ refund_id }) => (refund_id === undefined ? [] : [refund_id]))
  if (new Set(ended).size < ended.length) report(at("accepted_operations"), "must end each refund once")
  requested.forEach(({ id }) => {
    if (id === undefined || !ended.includes(id)) {
      report(at("accepted_operations"), "must hold what ends each refund that is REQUESTED, or be left out")
    }
  })
}
