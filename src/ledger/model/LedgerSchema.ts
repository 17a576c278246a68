/**
 * The results and errors of a ledger as schemas, for an `HttpApi`, an RPC or a workflow.
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

/** A text member with a description. */
const text = (description: string) => Schema.String.annotate({ description })
const integer = (description: string) => Schema.Int.annotate({ description })

/** A struct with a description of its `_tag`. */
const tagged = <const Tag extends string, const Fields extends Schema.Struct.Fields>(
  tag: Tag,
  fields: Fields,
  about: { readonly tag: string; readonly description: string }
): Schema.TaggedStruct<Tag, Fields> =>
  Schema.Struct({ _tag: Schema.tag(tag).annotate({ description: about.tag }), ...fields }).annotate({
    identifier: tag,
    description: about.description
  })

const outcome = {
  key: text("The key of the change."),
  paymentId: integer("The payment that it changes."),
  message: text("The outcome in words.")
}
const anOutcome = "The name of the outcome."
const refundId = Schema.optionalKey(integer("The id of the refund at the gateway, once it is known."))
const decidedAt = text("The time of the decision, ISO 8601.")

export type ChangeOutcome = PlainOutcome.ChangeOutcome
/** The outcome of a change, as a schema. */
export const ChangeOutcome = Schema.Union([
  tagged(
    "Done",
    {
      ...outcome,
      how: Schema.Literals(["answered", "found", "stateReached", "operator"]).annotate({
        description:
          "Who knows it: `answered` by the gateway; `found` by a read; `stateReached`: the payment is as was asked for, whoever did it; `operator`."
      }),
      refundId,
      chargeId: Schema.optionalKey(integer("For a charge: the payment that it made. Refund that one.")),
      decidedAt
    },
    { tag: anOutcome, description: "The change is made." }
  ),
  tagged(
    "Refused",
    {
      ...outcome,
      how: Schema.Literals(["answered", "found", "operator"]).annotate({
        description: "Who knows it: `answered` by the gateway, or it can never be sent; `found` by a read; `operator`."
      }),
      code: Schema.optionalKey(integer("The gateway's error code, when it gave one.")),
      subState: Schema.optionalKey(
        text("For a charge that was declined: the sub-state of its payment, when there is one.")
      ),
      chargeId: Schema.optionalKey(
        integer("For a charge that was declined: the payment that it made, which is closed.")
      ),
      decidedAt
    },
    { tag: anOutcome, description: "The change is not made and will not be. A new attempt is a new key." }
  ),
  tagged(
    "Failed",
    { ...outcome, refundId, decidedAt },
    {
      tag: anOutcome,
      description: "The change was done, and then the gateway took it back. A new attempt is a new key."
    }
  ),
  tagged(
    "Pending",
    {
      ...outcome,
      status: Schema.Literals(["queued", "sending", "accepted"]).annotate({
        description:
          "`queued`: not sent yet; `sending`: a process is sending it; `accepted`: the gateway has taken it and is not done, which may take days."
      })
    },
    { tag: anOutcome, description: "The change is under way: no one needs to do anything." }
  ),
  tagged(
    "InDoubt",
    {
      ...outcome,
      needsOperator: Schema.Boolean.annotate({
        description: "Whether an operator has to decide. Until then the ledger goes on looking by itself."
      }),
      version: integer("The version of the change, for an operator's decision.")
    },
    {
      tag: anOutcome,
      description:
        "The change was sent, or may have been, and whether the gateway took it is not known yet. Do not repeat it under another key."
    }
  )
]).annotate({ identifier: "ChangeOutcome", description: "The outcome of a change; `_tag` tells the kinds apart." })

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

const reason = { message: text("The problem and its remedy, in words.") }
const aReason = "The name of the reason."

/** {@inheritDoc KeyReused} */
export type KeyReused = Plain.KeyReused
/** {@inheritDoc KeyReused} */
export const KeyReused = tagged(
  "KeyReused",
  { ...reason, key: text("The key.") },
  { tag: aReason, description: "The key belongs to another change. Nothing was sent." }
).annotate({ httpApiStatus: 422 })

/** {@inheritDoc LedgerUnavailable} */
export type LedgerUnavailable = Plain.LedgerUnavailable
/**
 * {@inheritDoc LedgerUnavailable}
 *
 * An `HttpApi` answers it with status 503, which clients repeat by themselves. Take the key from the request: a handler that
 * makes a new one for each request makes a second change when it is repeated.
 */
export const LedgerUnavailable = tagged("LedgerUnavailable", reason, {
  tag: aReason,
  description: "The store cannot be used now. The same call with the same key is safe."
}).annotate({ httpApiStatus: 503 })

/** {@inheritDoc InvalidArgument} */
export type InvalidArgument = Plain.InvalidArgument
/** {@inheritDoc InvalidArgument} */
export const InvalidArgument = tagged("InvalidArgument", reason, {
  tag: aReason,
  description: "An argument is wrong. Nothing was recorded."
}).annotate({ httpApiStatus: 422 })

/** {@inheritDoc NotResolved} */
export type NotResolved = Plain.NotResolved
/** {@inheritDoc NotResolved} */
export const NotResolved = tagged(
  "NotResolved",
  { ...reason, key: text("The key.") },
  {
    tag: aReason,
    description: "Nothing was decided: the change has moved, a process is working on it, or there is no such key."
  }
).annotate({ httpApiStatus: 409 })

const EncodedLedgerError = Schema.TaggedStruct("LedgerError", {
  reason: Schema.Union([KeyReused, LedgerUnavailable, InvalidArgument, NotResolved])
}).annotate({ identifier: "LedgerError" })

/**
 * A `LedgerError` as a schema. Decoding makes an error again, without the stack and the `cause`.
 *
 * An `HttpApi` responds with status 424 to any reason, which no client retries by itself. To distinguish reasons, fail
 * with the reason itself, whose schema has a status of its own: 422 for `KeyReused` and `InvalidArgument`, 409 for
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
