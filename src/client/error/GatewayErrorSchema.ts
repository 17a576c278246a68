/**
 * The schema of `GatewayError`.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Endpoint from "../../contract/Endpoint.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import type * as Plain from "./GatewayError.js"
import { GatewayError } from "./YieldableGatewayError.js"
import { ChangeRecord } from "./ChangeRecordSchema.js"

const details = {
  message: Schema.String,
  isRetryable: Schema.Boolean
}

const responseDetails = {
  status: Schema.optionalKey(Schema.Int),
  errors: Schema.optionalKey(Schema.Array(GatewaySchema.ErrorItem))
}

/** One field that is wrong. */
const InvalidField = Schema.Struct({
  field: Schema.optionalKey(Schema.String),
  message: Schema.String,
  error_code: Schema.optionalKey(GatewaySchema.ErrorItem.fields.error_code),
  error_name: GatewaySchema.ErrorItem.fields.error_name,
  scope: GatewaySchema.ErrorItem.fields.scope,
  description: GatewaySchema.ErrorItem.fields.description
})

/** @category errors */
export type InvalidRequest = Plain.InvalidRequest
/** @category errors */
export const InvalidRequest = Schema.TaggedStruct("InvalidRequest", {
  ...details,
  refusedBy: Schema.Literals(["client", "gateway"]),
  errors: Schema.Array(InvalidField),
  status: Schema.optionalKey(Schema.Int)
})

/** @category errors */
export type AuthenticationFailed = Plain.AuthenticationFailed
/** @category errors */
export const AuthenticationFailed = Schema.TaggedStruct("AuthenticationFailed", { ...details, ...responseDetails })

/** @category errors */
export type PermissionDenied = Plain.PermissionDenied
/** @category errors */
export const PermissionDenied = Schema.TaggedStruct("PermissionDenied", { ...details, ...responseDetails })

/** @category errors */
export type PaymentNotFound = Plain.PaymentNotFound
/** @category errors */
export const PaymentNotFound = Schema.TaggedStruct("PaymentNotFound", {
  ...details,
  ...responseDetails,
  paymentId: GatewaySchema.GatewayId
})

/** @category errors */
export type CardNotFound = Plain.CardNotFound
/** @category errors */
export const CardNotFound = Schema.TaggedStruct("CardNotFound", {
  ...details,
  ...responseDetails,
  cardId: GatewaySchema.GatewayId
})

/** @category errors */
export type OperationRefused = Plain.OperationRefused
/** @category errors */
export const OperationRefused = Schema.TaggedStruct("OperationRefused", {
  ...details,
  ...responseDetails,
  code: Schema.optionalKey(GatewaySchema.ErrorItem.fields.error_code),
  goalReached: Schema.Boolean
})

/** @category errors */
export type RateLimited = Plain.RateLimited
/** @category errors */
export const RateLimited = Schema.TaggedStruct("RateLimited", {
  ...details,
  ...responseDetails,
  retryAfterMillis: Schema.optionalKey(Schema.Finite)
})

/** @category errors */
export type GatewayUnavailable = Plain.GatewayUnavailable
/** @category errors */
export const GatewayUnavailable = Schema.TaggedStruct("GatewayUnavailable", {
  ...details,
  ...responseDetails,
  code: Schema.optionalKey(Schema.String)
})

/** @category errors */
export type OutcomeUnknown = Plain.OutcomeUnknown
/** @category errors */
export const OutcomeUnknown = Schema.TaggedStruct("OutcomeUnknown", {
  ...details,
  ...responseDetails,
  isRetryable: Schema.Literal(false),
  change: ChangeRecord,
  code: Schema.optionalKey(Schema.String)
})

/** @category errors */
export type UnexpectedResponse = Plain.UnexpectedResponse
/** @category errors */
export const UnexpectedResponse = Schema.TaggedStruct("UnexpectedResponse", { ...details, ...responseDetails })

/** @category errors */
export type GatewayErrorReason = Plain.GatewayErrorReason
/**
 * The schema of every reason; those of one operation are a `Schema.Union` of the single ones.
 *
 * @category errors
 */
export const GatewayErrorReason = Schema.Union([
  InvalidRequest,
  AuthenticationFailed,
  PermissionDenied,
  PaymentNotFound,
  CardNotFound,
  OperationRefused,
  RateLimited,
  GatewayUnavailable,
  OutcomeUnknown,
  UnexpectedResponse
])

/** An encoded {@link GatewayError}: its `toJSON` without the message, which follows from the reason. */
const EncodedGatewayError = Schema.TaggedStruct("GatewayError", {
  operation: Schema.Literals([...Object.values(Endpoint).map(({ name }) => name), "reconcile", "sendRequest"]),
  reason: GatewayErrorReason
})

/**
 * A `GatewayError` as a schema, to let it cross an `HttpApi`, an RPC or a workflow. Decoding makes an error again; its
 * stack and its `cause` do not cross.
 *
 * @category errors
 */
export const GatewayErrorSchema = EncodedGatewayError.pipe(
  Schema.decodeTo(
    Schema.instanceOf(GatewayError),
    SchemaTransformation.transform({
      decode: ({ operation, reason }) => new GatewayError({ operation, reason }),
      encode: ({ operation, reason }) => ({ _tag: "GatewayError" as const, operation, reason })
    })
  )
)
