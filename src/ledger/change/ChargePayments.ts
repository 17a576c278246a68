/**
 * The payments made by charges of a recurrence: who made a charge, and the row of its payment, which is in the same
 * table as those of orders.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import { withoutAttempt } from "../model/LedgerKey.js"
import { notRecorded, type StoreError } from "../store/Database.js"
import type { PaymentPatch, PaymentRow, PaymentTable } from "../store/PaymentTable.js"
import { now } from "../store/Statements.js"
import { type ChargeOwner, recogniseCharge } from "./ChargeSteps.js"
import type { ChangeReports } from "./ChangeItems.js"

export interface ChargeOwners extends ChangeReports {
  readonly payments: PaymentTable
}

/** Finds out who made a charge. One of the ledger's own is bound to its change. */
export const ownerOf = (parts: ChargeOwners, child: PaymentResponse): Effect.Effect<ChargeOwner, StoreError> =>
  Effect.flatMap(parts.payments.byPaymentId(child.parent_id ?? ""), (first) => {
    const unnamed = withoutAttempt(child, Option.getOrUndefined(first)?.attempt)
    return recogniseCharge(parts, unnamed)
  })

interface RecurrenceCharge {
  readonly child: PaymentResponse
  readonly firstPaymentId: string
  /** The order number, if the gateway does not say it. */
  readonly orderNumber: string
  readonly reference?: string | null
  /** Whether the ledger made it; then every refund of it is either the ledger's own or acknowledged. */
  readonly isOwned: boolean
  /** Whether the shop is notified of it. Otherwise it is only read, so that the same period is not charged twice. */
  readonly isKnown: boolean
}

const notTaken =
  "It is a charge that this ledger has not made, of a first payment that it does not know. adoptPayment takes it over."

/** Records the payment of a charge unless it is recorded already. */
export const recordCharge = Effect.fnUntraced(function* (
  payments: PaymentTable,
  { child, firstPaymentId, isKnown, isOwned, orderNumber, reference = null }: RecurrenceCharge
): Effect.fn.Return<PaymentRow, StoreError> {
  const known = yield* payments.byPaymentId(child.id)
  if (Option.isSome(known)) return known.value
  const { order_number: echoed = orderNumber } = child
  yield* payments.insert({
    // In the shop's own spelling, if that is known.
    order_number: isEchoOf(orderNumber, echoed) ? orderNumber : echoed,
    attempt: `charge ${child.id}`,
    status: isKnown ? "created" : "unknown",
    isOffered: false,
    terms: { amount: child.amount, currency: child.currency },
    needs_payer: 0,
    is_owned: isOwned ? 1 : 0,
    payment_id: String(child.id),
    parent_id: firstPaymentId,
    reference,
    message: isKnown ? null : notTaken,
    next_at: { after: 1_000 }
  })
  const row = yield* payments.byPaymentId(child.id)
  return Option.isSome(row) ? row.value : yield* Effect.fail(notRecorded("The charge"))
})

/** A payment that the ledger did not know becomes its own: whichever process reads it notifies the shop. */
export const becomesKnown: PaymentPatch = {
  status: "created",
  state: "CREATED",
  attention: { UnknownPayment: null },
  message: null,
  tries: 0,
  next_at: now
}

/** Makes an unknown payment one of the ledger's own, and due: it will be read even if this process fails or dies. */
export const becomeKnown = Effect.fnUntraced(function* (
  payments: PaymentTable,
  row: PaymentRow
): Effect.fn.Return<PaymentRow, StoreError> {
  let current = row
  while (current.status === "unknown") {
    const moved = yield* payments.move(current, becomesKnown)
    current = Option.getOrElse(Option.isSome(moved) ? moved : yield* payments.bySeq(row.seq), () => current)
  }
  return current
})

/** Records the payment of a charge of the ledger's own, or takes it over if it was recorded as someone else's. */
export const recordOwnCharge = (
  payments: PaymentTable,
  charge: Omit<RecurrenceCharge, "isKnown" | "isOwned">
): Effect.Effect<PaymentRow, StoreError> =>
  Effect.flatMap(recordCharge(payments, { ...charge, isOwned: true, isKnown: true }), (row) =>
    becomeKnown(payments, row)
  )
