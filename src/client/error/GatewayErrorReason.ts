/**
 * Schemas of the reasons of a `GatewayError`, so that they can cross an `HttpApi`, an RPC or a workflow.
 */
import * as Schema from "effect/Schema"
import * as GatewaySchema from "../../api/GatewaySchema.js"
import { ChangeRecord } from "./ChangeRecord.js"
import type * as Plain from "./GatewayError.plain.js"

const details = { message: Schema.String, isRetryable: Schema.Boolean }

const responseDetails = {
  status: Schema.optionalKey(Schema.Int),
  errors: Schema.optionalKey(Schema.Array(GatewaySchema.ErrorItem))
}

/** See {@link Plain.InvalidField}. */
const InvalidField = Schema.Struct({
  field: Schema.optionalKey(Schema.String),
  message: Schema.String,
  error_code: Schema.optionalKey(GatewaySchema.ErrorItem.fields.error_code),
  error_name: GatewaySchema.ErrorItem.fields.error_name,
  scope: GatewaySchema.ErrorItem.fields.scope,
  description: GatewaySchema.ErrorItem.fields.description
})

/** See {@link Plain.InvalidRequest}. */
export type InvalidRequest = Plain.InvalidRequest
/** The schema of {@link Plain.InvalidRequest}. */
export const InvalidRequest = Schema.TaggedStruct("InvalidRequest", {
  ...details,
  refusedBy: Schema.Literals(["client", "gateway"]),
  errors: Schema.Array(InvalidField),
  status: Schema.optionalKey(Schema.Int)
})

/** See {@link Plain.AuthenticationFailed}. */
export type AuthenticationFailed = Plain.AuthenticationFailed
/** The schema of {@link Plain.AuthenticationFailed}. */
export const AuthenticationFailed = Schema.TaggedStruct("AuthenticationFailed", { ...details, ...responseDetails })

/** See {@link Plain.PermissionDenied}. */
export type PermissionDenied = Plain.PermissionDenied
/** The schema of {@link Plain.PermissionDenied}. */
export const PermissionDenied = Schema.TaggedStruct("PermissionDenied", { ...details, ...responseDetails })

/** See {@link Plain.PaymentNotFound}. */
export type PaymentNotFound = Plain.PaymentNotFound
/** The schema of {@link Plain.PaymentNotFound}. */
export const PaymentNotFound = Schema.TaggedStruct("PaymentNotFound", {
  ...details,
  ...responseDetails,
  paymentId: GatewaySchema.Id
})

/** See {@link Plain.CardNotFound}. */
export type CardNotFound = Plain.CardNotFound
/** The schema of {@link Plain.CardNotFound}. */
export const CardNotFound = Schema.TaggedStruct("CardNotFound", {
  ...details,
  ...responseDetails,
  cardId: GatewaySchema.Id
})

/** See {@link Plain.OperationRefused}. */
export type OperationRefused = Plain.OperationRefused
/** The schema of {@link Plain.OperationRefused}. */
export const OperationRefused = Schema.TaggedStruct("OperationRefused", {
  ...details,
  ...responseDetails,
  code: Schema.optionalKey(GatewaySchema.ErrorItem.fields.error_code),
  goalReached: Schema.Boolean
})

/** See {@link Plain.RateLimited}. */
export type RateLimited = Plain.RateLimited
/** The schema of {@link Plain.RateLimited}. */
export const RateLimited = Schema.TaggedStruct("RateLimited", {
  ...details,
  ...responseDetails,
  retryAfter: Schema.optionalKey(Schema.Finite)
})

/** See {@link Plain.GatewayUnavailable}. */
export type GatewayUnavailable = Plain.GatewayUnavailable
/** The schema of {@link Plain.GatewayUnavailable}. */
export const GatewayUnavailable = Schema.TaggedStruct("GatewayUnavailable", {
  ...details,
  ...responseDetails,
  code: Schema.optionalKey(Schema.String)
})

/** See {@link Plain.OutcomeUnknown}. */
export type OutcomeUnknown = Plain.OutcomeUnknown
/** The schema of {@link Plain.OutcomeUnknown}. */
export const OutcomeUnknown = Schema.TaggedStruct("OutcomeUnknown", {
  ...details,
  ...responseDetails,
  isRetryable: Schema.Literal(false),
  change: ChangeRecord,
  code: Schema.optionalKey(Schema.String)
})

/** See {@link Plain.UnexpectedResponse}. */
export type UnexpectedResponse = Plain.UnexpectedResponse
/** The schema of {@link Plain.UnexpectedResponse}. */
export const UnexpectedResponse = Schema.TaggedStruct("UnexpectedResponse", { ...details, ...responseDetails })

/** See {@link Plain.GatewayErrorReason}. */
export type GatewayErrorReason = Plain.GatewayErrorReason
/** The schema of every reason; those of one operation are a `Schema.Union` of the single ones. */
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
