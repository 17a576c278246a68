/**
 * The record of a change that was sent or is about to be.
 */
import { canonicalId } from "../../contract/CanonicalId.js"
import type { ChangeSearchedBy } from "../../contract/ChangeFacts.js"
import type { Currency } from "../../contract/CodeLists.js"
import { keptOf, subjectOf } from "./RecordedFacts.js"
import type { GatewayId, RefundHistoryItem } from "../../contract/Messages.js"
import type { ChangeOperation, GatewayOperations } from "../../contract/GatewayOperations.js"

/**
 * The facts of a change that was sent: enough to look for its effect with `reconcile`, nothing personal or secret.
 *
 * Plain data, fit for JSON. `OutcomeUnknown` carries one. `ChangeRecord.refundPayment(…)` and its siblings make one
 * before the call, without the GoID, to be stored in case the process does not survive the call. Add members with a
 * spread: `{ ...change, childId }`.
 */
export interface ChangeRecord {
  /** The operation; `sendRequest` for a custom request. */
  readonly operation: ChangeOperation | "sendRequest"
  /** The merchant's GoID. Absent in a record that was made before the call. */
  readonly goid?: GatewayId | undefined
  /** For a custom request: its path without the query, with only those words and ids that may be shown. */
  readonly path?: string | undefined
  /** The payment that it changes. */
  readonly paymentId?: GatewayId | undefined
  /** The card that it deletes. */
  readonly cardId?: GatewayId | undefined
  /** An integer in minor units. */
  readonly amount?: number | undefined
  /** ISO 4217 code, such as `CZK`. */
  readonly currency?: Currency | undefined
  /** Your order's number, as sent. */
  readonly orderNumber?: string | undefined
  /** For `createPayment`: that the request has an `allowed_card_token`, which may need no payer. Absent: it has none. */
  readonly usesStoredCard?: boolean | undefined
  /** When it was handed over to be sent, ISO 8601 in UTC. */
  readonly sentAt: string
  /**
   * For a refund: the result of `getPaymentRefunds` before the call. Without it no refund in the list can be identified as
   * this one.
   */
  readonly refundsBefore?: ReadonlyArray<Omit<RefundHistoryItem, "extraFields">> | undefined
  /**
   * For a refund, your word that `refundsBefore` contains all earlier refunds, and that since it was read nothing but
   * this call refunds the payment: no other process, no one in GoPay's own administration, and no earlier call whose
   * outcome is still unknown. Absent: you do not give it.
   */
  readonly isOnlyWriter?: boolean | undefined
  /** For `createRecurrence`: the payment from a notification, its `id` next to a `parent_id`. */
  readonly childId?: GatewayId | undefined
}

/** When a change is sent. */
export interface ChangeTiming {
  /** Now. */
  readonly sentAt: Date
}

/** When a refund is sent, and the payment's other refunds as far as known. */
export interface RefundTiming extends ChangeTiming {
  /** The result of `getPaymentRefunds` just before. */
  readonly refundsBefore?: ReadonlyArray<RefundHistoryItem> | undefined
  /** Your word that nothing else refunds this payment meanwhile; see `ChangeRecord`. */
  readonly isOnlyWriter?: boolean | undefined
}

/**
 * Makes the record of a change before it is sent: for each change, a function of the same arguments and the time. It
 * sends nothing and checks nothing.
 *
 * Store the record as JSON, send the change, and delete the record when the outcome is known. After a crash, pass the
 * records that are still stored to `reconcile`. Of the request a record contains only the amount, the currency, the
 * order number and whether a stored card pays.
 *
 * ```ts
 * ChangeRecord.refundPayment(paymentId, { amount: 5_000 }, { sentAt: new Date(), refundsBefore, isOnlyWriter: true })
 * ```
 */
export type ChangeRecordConstructors = {
  readonly [Name in keyof Pick<GatewayOperations, ChangeOperation>]: (
    ...args: [
      ...args: Parameters<GatewayOperations[Name]>,
      timing: Name extends ChangeSearchedBy<"refundList"> ? RefundTiming : ChangeTiming
    ]
  ) => ChangeRecord
}

const recordOf = (
  operation: ChangeOperation,
  id: GatewayId | undefined,
  request: object,
  { isOnlyWriter, refundsBefore, sentAt }: RefundTiming
): ChangeRecord => {
  const subject = subjectOf(operation)
  return {
    operation,
    ...(subject === undefined || id === undefined ? undefined : { [subject]: canonical(id) }),
    ...keptOf(operation, request),
    sentAt: sentAt.toISOString(),
    ...(refundsBefore === undefined ? undefined : { refundsBefore }),
    ...(isOnlyWriter === undefined ? undefined : { isOnlyWriter })
  }
}

const ofId =
  (operation: ChangeOperation) =>
  (id: GatewayId, timing: RefundTiming): ChangeRecord =>
    recordOf(operation, id, {}, timing)

const ofRequest =
  (operation: ChangeOperation) =>
  (request: object, timing: RefundTiming): ChangeRecord =>
    recordOf(operation, undefined, request, timing)

const ofIdAndRequest =
  (operation: ChangeOperation) =>
  (id: GatewayId, request: object, timing: RefundTiming): ChangeRecord =>
    recordOf(operation, id, request, timing)

export const changeRecordConstructors: ChangeRecordConstructors = {
  createPayment: ofRequest("createPayment"),
  refundPayment: ofIdAndRequest("refundPayment"),
  createRecurrence: ofIdAndRequest("createRecurrence"),
  voidRecurrence: ofId("voidRecurrence"),
  captureAuthorization: ofId("captureAuthorization"),
  captureAuthorizationPartial: ofIdAndRequest("captureAuthorizationPartial"),
  voidAuthorization: ofId("voidAuthorization"),
  deleteCard: ofId("deleteCard")
}

/** A record has the id as a number. An invalid id stays as it is: `reconcile` refuses it and names the field. */
const canonical = (id: GatewayId): GatewayId => canonicalId(id) ?? id
