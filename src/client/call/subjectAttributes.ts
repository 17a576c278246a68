/**
 * The subject of a call, in its span and its log messages.
 */
import type { CallSubject } from "./FailureReason.js"

type Subject = { readonly [Id in keyof CallSubject]: CallSubject[Id] | undefined }

export const subjectAttributes = ({ cardId, paymentId, recurrenceId, refundId }: Subject) =>
  Object.fromEntries(
    Object.entries({
      "gopay.payment_id": paymentId,
      "gopay.card_id": cardId,
      "gopay.refund_id": refundId,
      "gopay.recurrence_id": recurrenceId
    }).flatMap(([name, id]) => (id === undefined ? [] : [[name, String(id)]]))
  )
