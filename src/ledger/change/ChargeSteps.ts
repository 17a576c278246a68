/**
 * The rules that only charges of a recurrence have. The gateway does not list charges: one whose response was lost is
 * recognised only when something, such as a notification, names the payment that it made. That payment decides.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { echoedBy, isEchoOf } from "../../contract/EchoedText.js"
import type { CreateRecurrenceRequest, PaymentResponse } from "../../contract/Messages.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import { isClosedUnpaid, wasPaid } from "../../client/payment/PaymentState.js"
import type { StoreError } from "../store/Database.js"
import { attemptOf, attemptOfKey, withAttempt } from "../model/LedgerKey.js"
import { type ChangeRow, isDecided } from "../store/ChangeRow.js"
import { type ChangeReports, needsNothing, reportItems } from "./ChangeItems.js"
import type { ChargeTrust, Patch } from "../store/ChangeTable.js"
import { hasItem } from "../store/Items.js"
import { now } from "../store/Statements.js"

export type ChargeRefusal =
  | { readonly _tag: "Never"; readonly message: string; readonly code?: number }
  /** It is for a later day, which begins at `from` by the database's clock. */
  | { readonly _tag: "NotYet"; readonly from: number }
  /** The outcome of another charge of its period is unknown. It is woken when that is known. */
  | { readonly _tag: "Waits"; readonly message: string }
  /**
   * It may have been sent before: the ledger was restored to an earlier time. `chargeId` is the payment that it may
   * have made; `isReleasable` means that it waits for `releaseCharges`.
   */
  | { readonly _tag: "MayBeCharged"; readonly chargeId?: string; readonly isReleasable?: boolean }

export const chargeRequestOf = ({ attempt, request }: ChangeRow): CreateRecurrenceRequest => {
  const { amount = 0, currency = "CZK", items, order_description, order_number = "" } = request ?? {}
  const details = withoutUndefined({ order_description, items })
  const charge: CreateRecurrenceRequest = { amount, currency, order_number, ...details }
  return withAttempt(charge, attempt ?? "")
}

/** Why the gateway would refuse to charge a first payment; `undefined` if it may be charged. */
export const uncharged = (
  { key, request }: Pick<ChangeRow, "key" | "request">,
  first: PaymentResponse
): { readonly message: string; readonly code?: number } | undefined => {
  const { recurrence_cycle: cycle, recurrence_state: state } = first.recurrence ?? {}
  if (cycle === undefined) return { message: "It is not the first payment of a recurrence.", code: 340 }
  if (cycle !== "ON_DEMAND") return { message: `The gateway charges this recurrence by itself: ${cycle}.`, code: 340 }
  if (state === "STOPPED") return { message: "The recurrence is stopped.", code: 342 }
  if (state === "REQUESTED") return { message: "The first payment is not paid.", code: 340 }
  if (request?.currency !== undefined && first.currency !== undefined && first.currency !== request.currency) {
    return { message: `The first payment is in ${first.currency}.` }
  }
  // A charge for a period is an order of its own. Under the number of the first payment its payer would pay that order twice.
  const isOfFirst =
    attemptOfKey(key) !== undefined &&
    first.order_number !== undefined &&
    isEchoOf(request?.order_number ?? "", first.order_number)
  return isOfFirst ? { message: "Its order number is that of the first payment." } : undefined
}

/**
 * Whether a restored ledger may have forgotten that it sent this charge. `Waited`: it was recorded before the restore.
 * `Undated`: an operator has to release it together with the other charges of its first payment. `undefined`: it cannot
 * have been made before, since nothing is charged before its day.
 */
export const trustProblem = (
  { createdAt, dayBegins }: { readonly createdAt: number; readonly dayBegins: number | undefined },
  trust: ChargeTrust | undefined
): "Waited" | "Undated" | undefined => {
  if (trust === undefined) return undefined
  const { at, madeAt = at, releasedAt = at } = trust
  if (createdAt <= at) return "Waited"
  return Math.max(dayBegins ?? at, madeAt, releasedAt) > at ? undefined : "Undated"
}

/**
 * Nothing is charged before its day. What was begun since the restore is known, and so is every decision of an operator
 * since.
 */
export const isBeforeRestore = (
  restoredAt: number,
  { due_at }: { readonly due_at: number },
  attempts: ReadonlyArray<ChangeRow>
): boolean => {
  const last = attempts.findLast(isDecided)
  const knownAt = last?.decision?.how === "operator" ? last.decided_at : last?.created_at
  return (knownAt ?? due_at) <= restoredAt
}

export const isOfCharge = ({ payment_id, request }: ChangeRow, child: PaymentResponse): boolean =>
  (child.parent_id === undefined || String(child.parent_id) === payment_id) &&
  (request === null ||
    (child.amount === request.amount &&
      child.currency === request.currency &&
      (child.order_number === undefined || isEchoOf(request.order_number ?? "", child.order_number))))

/** The progress of a charge's payment, from its state. */
export const stateOf = (state: string): "paid" | "closed" | "open" =>
  wasPaid({ state }) ? "paid" : isClosedUnpaid({ state }) ? "closed" : "open"

/**
 * How the payment of a charge moves its row. A different decision of an operator stays, and the contradiction is
 * reported.
 */
export const boundTo = ({ decision, status }: Pick<ChangeRow, "decision" | "status">, childId: number): Patch => {
  const entry = String(childId)
  switch (status) {
    case "queued":
    case "locked":
    case "sending":
      return { entry }
    case "refused":
      if (decision?.how === "operator") {
        const message = `It was decided that it was not made. The gateway has made payment ${childId} of it.`
        return { attention: { DecisionContradicted: message }, message, entry }
      }
      return { tries: 0, next_at: now, entry }
    case "done":
      return { tries: 0, next_at: now, entry }
    case "accepted":
    case "refusing":
    case "unknown":
    case "needsOperator":
    case "failed":
      return {
        status: "accepted",
        decision: null,
        decided_at: null,
        attention: needsNothing,
        tries: 0,
        next_at: now,
        entry
      }
  }
}

/** The charge has made a second payment besides the one that it is bound to. */
const chargedTwice = ({ entry }: ChangeRow, childId: number): Patch => ({
  attention: {
    PaidTwice: `It was sent once, and the gateway has made two payments of it: ${entry} and ${childId}. Refund one of them.`
  }
})

/**
 * Who made a charge. `Unknown`: a ledger, but this one has no record of it. `Foreign`: it names no attempt of a ledger,
 * so the shop made it without one, or the gateway by itself.
 */
export type ChargeOwner = "Own" | "Unknown" | "Foreign"

export const recogniseCharge = Effect.fnUntraced(function* (
  reports: ChangeReports,
  child: PaymentResponse
): Effect.fn.Return<ChargeOwner, StoreError> {
  const { changes } = reports
  const attempt = attemptOf(child)
  const firstPaymentId = String(child.parent_id ?? "")
  if (attempt === undefined && (yield* changes.chargesBoundTo(firstPaymentId, child.id)).length > 0) return "Own"
  const found: ReadonlyArray<ChangeRow> =
    attempt === undefined
      ? // Where the gateway does not give back who made it, the order number shows it.
        echoedBy(
          (yield* changes.lostCharges(firstPaymentId)).filter((row) => isOfCharge(row, child)),
          child.order_number ?? "",
          ({ request }) => request?.order_number
        )
      : yield* changes.chargeOf(firstPaymentId, attempt)
  const [row, ...others] = found
  if (row === undefined || others.length > 0) return attempt === undefined ? "Foreign" : "Unknown"
  if (row.entry === String(child.id)) return "Own"
  const isPaid = stateOf(child.state) === "paid"
  // If a proxy has repeated the request, the payment that is paid decides.
  const patch =
    row.entry === null || (isPaid && row.status !== "done")
      ? boundTo(row, child.id)
      : isPaid && !hasItem(row, "PaidTwice")
        ? chargedTwice(row, child.id)
        : undefined
  const moved = patch === undefined ? undefined : Option.getOrUndefined(yield* changes.move(row, patch))
  if (moved !== undefined) yield* reportItems(reports, moved, row)
  return "Own"
})
