/**
 * The payments that charges of a recurrence make, beside those of orders.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import { type ChargeOwner, recogniseCharge } from "../change/ChargeSteps.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import { withoutAttempt } from "../model/PaymentAttempt.js"
import { type StoreError, unavailable } from "../store/Database.js"
import type { PaymentRow, PaymentTable } from "./PaymentTable.js"

export interface ChargeOwners extends Pick<LedgerParts, "changes" | "onChangeAttention"> {
  readonly payments: PaymentTable
}

/** Whose a charge is; what is the ledger's own is bound to its change. */
export const ownerOf = (parts: ChargeOwners, child: PaymentResponse): Effect.Effect<ChargeOwner, StoreError> =>
  Effect.flatMap(parts.payments.byPaymentId(child.parent_id ?? ""), (first) => {
    const unnamed = withoutAttempt(child, Option.getOrUndefined(first)?.attempt)
    return recogniseCharge(parts.changes, unnamed, parts.onChangeAttention)
  })

export interface RecurrenceCharge {
  readonly child: PaymentResponse
  readonly firstPaymentId: string
  /** Its number, where the gateway does not say it. */
  readonly orderNumber: string
  readonly reference?: string | null
  /** Whether the ledger made it, so that every refund of it is the ledger's own or acknowledged. */
  readonly isOwned: boolean
}

/** Records the payment of a charge, unless it is known. */
export const recordCharge = Effect.fnUntraced(function* (
  payments: Pick<PaymentTable, "insert" | "byPaymentId">,
  { child, firstPaymentId, isOwned, orderNumber, reference = null }: RecurrenceCharge
): Effect.fn.Return<PaymentRow, StoreError> {
  const known = yield* payments.byPaymentId(child.id)
  if (Option.isSome(known)) return known.value
  yield* payments.insert({
    order_number: numberOf(child, orderNumber),
    attempt: `charge ${child.id}`,
    status: "created",
    isOffered: false,
    terms: { amount: child.amount, currency: child.currency },
    needs_payer: 0,
    is_owned: isOwned ? 1 : 0,
    payment_id: String(child.id),
    parent_id: firstPaymentId,
    reference,
    next_at: { after: 1_000 }
  })
  const row = yield* payments.byPaymentId(child.id)
  return Option.isSome(row)
    ? row.value
    : yield* Effect.fail(unavailable("The charge was recorded, but cannot be found."))
})

/** The number of a charge, as the shop spells it where that is known. */
const numberOf = ({ order_number: echoed }: PaymentResponse, orderNumber: string): string =>
  echoed === undefined || isEchoOf(orderNumber, echoed) ? orderNumber : echoed
