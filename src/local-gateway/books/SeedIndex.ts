/**
 * A seed indexed by ids. Seeds may hold hundreds of thousands of payments, so no step for one payment may iterate over
 * the others.
 */
import { defaultMerchant } from "./LocalMerchant.js"
import type { SeedCard, SeedContent, SeedPayment } from "./SeedSchema.js"

/** The payments, cards and merchants of a seed by their ids. */
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
