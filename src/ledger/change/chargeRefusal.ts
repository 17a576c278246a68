/**
 * Decides from the facts in the rows whether a charge may be sent: the same rules for a plain charge and for an attempt
 * to charge a period.
 */
import type { ChargeFacts } from "./ChargeFacts.js"
import { type ChangeRow, isDecided } from "../store/ChangeRow.js"
import { type ChargeRefusal, isBeforeRestore, trustProblem } from "./ChargeSteps.js"

/** Why a charge may not be sent. Decided when the charge is locked, and again when it is marked for sending. */
export const chargeRefusal = (
  { created_at, now, payment_id }: Pick<ChangeRow, "created_at" | "now" | "payment_id">,
  { attempt, dayBegins, others, trust }: ChargeFacts
): ChargeRefusal | undefined => {
  if (attempt !== undefined) {
    const { before, period = { due_at: 0 } } = attempt
    if (trust !== undefined && isBeforeRestore(trust.at, period, before)) return { _tag: "MayBeCharged" }
    return attemptRefusal(payment_id, attempt, others)
  }
  const problem = trustProblem({ createdAt: created_at, dayBegins }, trust)
  if (problem === "Waited") return { _tag: "MayBeCharged" }
  const other = others.find(mayHaveCharged)
  if (other !== undefined) return { _tag: "MayBeCharged", chargeId: other.id }
  if (problem === "Undated") return { _tag: "MayBeCharged", isReleasable: true }
  return dayBegins !== undefined && dayBegins > now ? { _tag: "NotYet", from: dayBegins } : undefined
}

/** An operator's decision about an unknown charge stands unless that charge was paid. */
const mayHaveCharged = ({ isKnown, isPaid, isUnresolved }: ChargeFacts["others"][number]): boolean =>
  isPaid || isKnown || isUnresolved

/** GoPay's code for a recurrence that is stopped: https://doc.gopay.com, error codes. */
const recurrenceStopped = 342

const attemptRefusal = (
  firstPaymentId: string,
  { before, period, subscription }: NonNullable<ChargeFacts["attempt"]>,
  others: ChargeFacts["others"]
): ChargeRefusal | undefined => {
  if (subscription?.status !== "active") return { _tag: "Never", message: "The subscription was cancelled." }
  // With this code the period is charged to the new card at once.
  if (subscription.payment_id !== firstPaymentId) {
    return { _tag: "Never", message: "Another card has taken the place of this one.", code: recurrenceStopped }
  }
  if (period?.status === "paid") return { _tag: "Never", message: "The period is paid by an earlier charge." }
  if (!before.every(isDecided)) return { _tag: "Waits", message: "The attempt before it may be paid." }
  const other = others.find(mayHaveCharged)
  if (other === undefined) return undefined
  return other.isPaid
    ? { _tag: "Never", message: `The period is paid by charge ${other.id}.` }
    : { _tag: "Waits", message: `Charge ${other.id} has its order number, and may be paid.` }
}
