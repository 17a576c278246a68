/**
 * The schema of the record of a change.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as GatewaySchema from "../api/GatewaySchema.js"
import type { ChangeOperation, InvalidField, SentChange as SentChangeRecord } from "./GatewayError.js"
import { invalidFields } from "../api/InvalidFields.js"

/** See {@link SentChangeRecord}. */
export type SentChange = SentChangeRecord

/** What `reconcile` cannot do without. */
const needed: { readonly [operation in ChangeOperation]: ReadonlyArray<keyof SentChange> } = {
  createPayment: ["amount", "currency", "orderNumber"],
  refundPayment: ["paymentId", "amount"],
  createRecurrence: ["paymentId", "amount", "currency", "orderNumber"],
  voidRecurrence: ["paymentId"],
  captureAuthorization: ["paymentId"],
  captureAuthorizationPartial: ["paymentId", "amount"],
  voidAuthorization: ["paymentId"],
  deleteCard: ["cardId"]
}

const { amount, currency, order_number: orderNumber } = GatewaySchema.CreatePaymentRequest.fields

const operation = Schema.Literals([
  "createPayment",
  "refundPayment",
  "createRecurrence",
  "voidRecurrence",
  "captureAuthorization",
  "captureAuthorizationPartial",
  "voidAuthorization",
  "deleteCard"
]).annotate({ message: "must be the name of a change, such as refundPayment" })

const instant = Schema.String.check(
  Schema.makeFilter(
    (value) =>
      (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))) ||
      "must be a time in UTC, written as 2026-01-31T12:00:00.000Z"
  )
)

/**
 * The record of a change, to encode it for a store and to decode what the store gives back. Members that it does not know
 * are left out.
 *
 * `Schema.fromJsonString(SentChange)` is the same for JSON text.
 */
export const SentChange = Schema.Struct({
  operation,
  paymentId: Schema.optional(GatewaySchema.Id),
  cardId: Schema.optional(GatewaySchema.Id),
  amount: Schema.optional(amount),
  currency: Schema.optional(currency),
  orderNumber: Schema.optional(orderNumber),
  sentAt: instant,
  refundsBefore: Schema.optional(GatewaySchema.RefundHistory),
  isOnlyWriter: Schema.optional(Schema.Boolean),
  childId: Schema.optional(GatewaySchema.Id)
}).check(
  Schema.makeFilter((change) =>
    needed[change.operation].flatMap((field) =>
      change[field] === undefined ? [{ path: [field], issue: `is required for ${change.operation}` }] : []
    )
  )
)

const decode = Schema.decodeUnknownResult(SentChange, { errors: "all" })

/** Checks what says to be the record of a change, and names every field that is wrong. */
export const checkSentChange = (change: unknown): Result.Result<SentChange, ReadonlyArray<InvalidField>> => {
  try {
    return Result.mapError(decode(change), ({ issue }) => invalidFields(issue))
  } catch {
    // A member may throw when it is looked at.
    return Result.fail([{ message: "cannot be read" }])
  }
}
