/**
 * What each call of a ledger is about, in the attributes of its span.
 */
import { ownMember } from "../../basics/OwnMember.js"
import { canonicalId } from "../../contract/CanonicalId.js"
import type { LedgerOperations, OperatorOperations } from "./LedgerOperations.js"

const ids = ["gopay.payment_id", "gopay.refund_id"] as const

const names = ["gopay.ledger.key", "gopay.ledger.subscription", "gopay.ledger.period", "gopay.order_number"] as const

type Attribute = (typeof ids)[number] | (typeof names)[number]

const ofChange = ["gopay.ledger.key", "gopay.payment_id"] as const
const ofKey = ["gopay.ledger.key"] as const
const ofOrder = ["gopay.order_number"] as const
const ofPayment = ["gopay.payment_id"] as const
const ofSubscription = ["gopay.ledger.subscription"] as const
const ofNothing = [] as const

/** The attributes that the first parameters of each call are. */
const parameters: { readonly [call: string]: ReadonlyArray<Attribute> } = {
  migrate: ofNothing,
  refund: ofChange,
  capture: ofChange,
  capturePartial: ofChange,
  release: ofChange,
  charge: ofChange,
  createSubscription: ofSubscription,
  getSubscription: ofSubscription,
  chargePeriod: ["gopay.ledger.subscription", "gopay.ledger.period"],
  replaceCard: ["gopay.ledger.subscription", "gopay.order_number"],
  cancelSubscription: ofSubscription,
  // It has no span: it only writes a row within the caller's transaction.
  submit: ofNothing,
  checkout: ofOrder,
  getOrder: ofOrder,
  withdrawOrder: ofOrder,
  verifyReturn: ofNothing,
  getOutcome: ofKey,
  runOnce: ofNothing,
  getHealth: ofNothing,
  listSubscriptions: ofNothing,
  adoptPayment: ["gopay.order_number", "gopay.payment_id"],
  adoptCharges: ofNothing,
  getChange: ofKey,
  getHistory: ofKey,
  listHistory: ofNothing,
  getRecordedUntil: ofNothing,
  pageOfBookedOrders: ofNothing,
  listChanges: ofNothing,
  listPayments: ofNothing,
  listAttention: ofNothing,
  resolveChange: ofKey,
  resolvePayment: ofKey,
  eraseDetails: ofNothing,
  acknowledgeRefund: ids,
  releaseCharges: ofPayment,
  listRefunds: ofPayment,
  listAcknowledgedRefunds: ofPayment,
  distrust: ofNothing,
  listMerchants: ofNothing,
  getMetrics: ofNothing,
  retireHandler: ofNothing,
  pause: ofNothing,
  resume: ofNothing
} satisfies Record<keyof LedgerOperations | keyof OperatorOperations | "pageOfBookedOrders", ReadonlyArray<Attribute>>

/** In characters: a longer text is no key and no number of an order, and is left out. */
const maxLength = 255

const read = (attribute: Attribute, value: unknown): string | undefined => {
  if (ids.some((id) => id === attribute)) return canonicalId(value)?.toString()
  return typeof value === "string" && value.length > 0 && value.length <= maxLength ? value : undefined
}

/** The attributes of a call's span. An argument that cannot be what it should be is left out. */
export const callSubject = (call: string, args: ReadonlyArray<unknown>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (ownMember<ReadonlyArray<Attribute>>(parameters, call) ?? []).flatMap((attribute, index) => {
      const value = read(attribute, args[index])
      return value === undefined ? [] : [[attribute, value]]
    })
  )
