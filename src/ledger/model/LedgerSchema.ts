/**
 * What a ledger gives and fails with, as schemas: to let it cross an `HttpApi`, an RPC or a workflow.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import type * as PlainOrder from "./Order.js"
import type * as PlainOutcome from "./Outcome.js"
import type * as Plain from "./LedgerError.js"
import { LedgerError } from "./YieldableLedgerError.js"

const { currency } = GatewaySchema.Payment.fields

// ---------------------------------------------------------------------------------------------------------------------
// Outcomes of changes
// ---------------------------------------------------------------------------------------------------------------------

const outcome = {
  key: Schema.String,
  paymentId: Schema.Int,
  message: Schema.String
}

export type ChangeOutcome = PlainOutcome.ChangeOutcome
/** The outcome of a change, as a schema. */
export const ChangeOutcome = Schema.Union([
  Schema.TaggedStruct("Done", {
    ...outcome,
    how: Schema.Literals(["answered", "found", "stateReached", "operator"]),
    refundId: Schema.optionalKey(Schema.Int),
    chargeId: Schema.optionalKey(Schema.Int),
    decidedAt: Schema.String
  }).annotate({ identifier: "Done" }),
  Schema.TaggedStruct("Refused", {
    ...outcome,
    how: Schema.Literals(["answered", "found", "operator"]),
    code: Schema.optionalKey(Schema.Int),
    subState: Schema.optionalKey(Schema.String),
    chargeId: Schema.optionalKey(Schema.Int),
    decidedAt: Schema.String
  }).annotate({ identifier: "Refused" }),
  Schema.TaggedStruct("Failed", {
    ...outcome,
    refundId: Schema.optionalKey(Schema.Int),
    decidedAt: Schema.String
  }).annotate({ identifier: "Failed" }),
  Schema.TaggedStruct("Pending", {
    ...outcome,
    status: Schema.Literals(["queued", "sending", "accepted"])
  }).annotate({ identifier: "Pending" }),
  Schema.TaggedStruct("InDoubt", {
    ...outcome,
    needsOperator: Schema.Boolean,
    version: Schema.Int
  }).annotate({ identifier: "InDoubt" })
]).annotate({ identifier: "ChangeOutcome" })

// ---------------------------------------------------------------------------------------------------------------------
// Orders
// ---------------------------------------------------------------------------------------------------------------------

const order = {
  orderNumber: Schema.String,
  message: Schema.String,
  reference: Schema.optionalKey(Schema.String)
}

const presentOrders = [
  Schema.Struct({
    ...order,
    status: Schema.Literal("open"),
    paymentId: Schema.Int,
    gwUrl: Schema.String
  }).annotate({ identifier: "OpenOrder" }),
  Schema.Struct({
    ...order,
    status: Schema.Literals(["authorized", "paid", "partiallyRefunded", "refunded"]),
    paymentId: Schema.Int,
    held: Schema.Int,
    captured: Schema.Union([Schema.Int, Schema.Literal("unknown")]),
    refunded: Schema.Int,
    refundable: Schema.Struct({ amount: Schema.Int, isUpperBound: Schema.Boolean })
  }).annotate({ identifier: "PaidOrder" }),
  Schema.Struct({
    ...order,
    status: Schema.Literals(["closed", "expired", "withdrawn"]),
    paymentId: Schema.Int
  }).annotate({ identifier: "UnpaidOrder" }),
  Schema.Struct({
    ...order,
    status: Schema.Literals(["pending", "inDoubt", "withdrawn"]),
    paymentId: Schema.optionalKey(Schema.Int)
  }).annotate({ identifier: "UncertainOrder" })
] as const

export type Order = PlainOrder.Order
/** An order of the ledger, as a schema. */
export const Order = Schema.Union([
  ...presentOrders,
  Schema.Struct({
    ...order,
    status: Schema.Literal("changed"),
    paymentId: Schema.optionalKey(Schema.Int),
    present: Schema.Union(presentOrders),
    amount: Schema.Int,
    currency
  }).annotate({ identifier: "ChangedOrder" })
]).annotate({ identifier: "Order" })

// ---------------------------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------------------------

const reason = { message: Schema.String }

/** {@inheritDoc KeyReused} */
export type KeyReused = Plain.KeyReused
/** {@inheritDoc KeyReused} */
export const KeyReused = Schema.TaggedStruct("KeyReused", { ...reason, key: Schema.String }).annotate({
  identifier: "KeyReused",
  httpApiStatus: 422
})

/** {@inheritDoc LedgerUnavailable} */
export type LedgerUnavailable = Plain.LedgerUnavailable
/**
 * {@inheritDoc LedgerUnavailable}
 *
 * An `HttpApi` answers it with status 503, which clients repeat by themselves. Take the key from the request: a handler that
 * makes a new one for each request makes a second change when it is repeated.
 */
export const LedgerUnavailable = Schema.TaggedStruct("LedgerUnavailable", reason).annotate({
  identifier: "LedgerUnavailable",
  httpApiStatus: 503
})

/** {@inheritDoc InvalidArgument} */
export type InvalidArgument = Plain.InvalidArgument
/** {@inheritDoc InvalidArgument} */
export const InvalidArgument = Schema.TaggedStruct("InvalidArgument", reason).annotate({
  identifier: "InvalidArgument",
  httpApiStatus: 422
})

/** {@inheritDoc NotResolved} */
export type NotResolved = Plain.NotResolved
/** {@inheritDoc NotResolved} */
export const NotResolved = Schema.TaggedStruct("NotResolved", { ...reason, key: Schema.String }).annotate({
  identifier: "NotResolved",
  httpApiStatus: 409
})

const EncodedLedgerError = Schema.TaggedStruct("LedgerError", {
  reason: Schema.Union([KeyReused, LedgerUnavailable, InvalidArgument, NotResolved])
}).annotate({ identifier: "LedgerError" })

/**
 * A `LedgerError` as a schema. Decoding makes an error again; its stack and its `cause` do not cross.
 *
 * An `HttpApi` responds with status 424 to whatever reason, which no client repeats by itself. One that tells reasons apart
 * fails with the reason itself, whose schema has a status of its own: 422 for `KeyReused` and `InvalidArgument`, 409 for
 * `NotResolved`, 503 for `LedgerUnavailable`.
 */
export const LedgerErrorSchema = EncodedLedgerError.pipe(
  Schema.decodeTo(
    Schema.instanceOf(LedgerError),
    SchemaTransformation.transform({
      decode: ({ reason }) => new LedgerError({ reason }),
      encode: ({ reason }) => ({ _tag: "LedgerError" as const, reason })
    })
  )
).annotate({ httpApiStatus: 424 })
