/**
 * What is special about a charge of a recurrence. The gateway lists no charges: one whose response was lost is recognised
 * only when something names the payment that it made, such as its notification. That payment decides.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { echoedBy, isEchoOf } from "../../contract/EchoedText.js"
import type { CreateRecurrenceRequest, PaymentResponse } from "../../contract/Messages.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import { isClosedUnpaid, wasPaid } from "../../client/payment/PaymentState.js"
import type { StoreError } from "../store/Database.js"
import { attemptOf, withAttempt } from "../model/LedgerKey.js"
import { type ChangeRow, isDecided } from "../store/ChangeRow.js"
import { type ChangeReports, needsNothing, reportItems } from "./ChangeItems.js"
import type { ChargeTrust, Patch } from "../store/ChangeTable.js"
import { hasItem } from "../store/Items.js"
import { now } from "../store/Statements.js"

export type ChargeRefusal =
  | { readonly _tag: "Never"; readonly message: string; readonly code?: number }
  /** It is for a later day, which begins then by the database's clock. */
  | { readonly _tag: "NotYet"; readonly from: number }
  /** What came of another charge of its period is not known. It is woken by what becomes known. */
  | { readonly _tag: "Waits"; readonly message: string }
  /**
   * It may have been sent before: the ledger was restored to an earlier time. `chargeId` is what may have come of it;
   * `isReleasable` says that it waits for `releaseCharges`.
   */
  | { readonly _tag: "MayBeCharged"; readonly chargeId?: string; readonly isReleasable?: boolean }

export const chargeRequestOf = ({ attempt, request }: ChangeRow): CreateRecurrenceRequest => {
  const { amount = 0, currency = "CZK", items, order_description, order_number = "" } = request ?? {}
  const details = withoutUndefined({ order_description, items })
  const charge: CreateRecurrenceRequest = { amount, currency, order_number, ...details }
  return withAttempt(charge, attempt ?? "")
}

/** Why the gateway would refuse to charge a first payment; nothing when it may be charged. */
export const uncharged = (
  { request }: Pick<ChangeRow, "request">,
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
  return undefined
}

/**
 * Whether a restored ledger may have forgotten that it has sent a charge before: `Waited` of one that was recorded before the
 * restore, `Undated` of one that an operator has to release with those of its first payment; nothing when it cannot have
 * been made before. Nothing is charged before the day that it is for.
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

/** Nothing is charged before its day; what was begun since the restore is known, and so is what an operator has said since. */
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

/** How far the payment of a charge is, by its state. */
export const stateOf = (state: string): "paid" | "closed" | "open" =>
  wasPaid({ state }) ? "paid" : isClosedUnpaid({ state }) ? "closed" : "open"

/** What the payment of a charge says of its row. What an operator has decided otherwise stays, and is reported. */
export const boundTo = ({ decision, status }: Pick<ChangeRow, "decision" | "status">, childId: number): Patch => {
  const entry = String(childId)
  switch (status) {
    case "queued":
    case "locked":
    case "sending":
      return { entry }
    case "refused":
      if (decision?.how === "operator") {
        const problem = `It was decided that it was not made. The gateway has made payment ${childId} of it.`
        return { attention: { DecisionContradicted: problem }, problem, entry }
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

/** A charge has made another payment than the one that it is bound to. */
const chargedTwice = ({ entry }: ChangeRow, childId: number): Patch => ({
  attention: {
    PaidTwice: `It was sent once, and the gateway has made two payments of it: ${entry} and ${childId}. Refund one of them.`
  }
})

/**
 * Whose a charge is. `Unknown`: a ledger made it, and this one does not know it. `Foreign`: it names no attempt of a ledger:
 * the shop has made it without one, or the gateway by itself.
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
  // Where something between has repeated the request, the payment that is paid decides.
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
