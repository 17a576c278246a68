/**
 * Schemas of the reasons of a `GatewayError`, so that they can cross an `HttpApi`, an RPC or a workflow.
 */
import * as Schema from "effect/Schema"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { ChangeRecord } from "./ChangeRecordSchema.js"
import type * as Plain from "./GatewayError.js"

const details = {
  /** The problem and its remedy, in words. */
  message: Schema.String,
  /**
   * Whether repeating this same call now is safe and may help. For a change that is so only when the gateway certainly
   * did not take it.
   */
  isRetryable: Schema.Boolean
}

const responseDetails = {
  /** The HTTP status. */
  status: Schema.optionalKey(Schema.Int),
  /** The gateway's own error elements, when its body could be read. */
  errors: Schema.optionalKey(Schema.Array(GatewaySchema.ErrorItem))
}

/** One field that is wrong. */
const InvalidField = Schema.Struct({
  /** The path of the field, such as `items[0].amount`. Absent when the gateway did not name a field. */
  field: Schema.optionalKey(Schema.String),
  /** The problem, in words. */
  message: Schema.String,
  /** The gateway's code, when the gateway refused it. */
  error_code: Schema.optionalKey(GatewaySchema.ErrorItem.fields.error_code),
  /** The gateway's symbolic name of the code. Not known for every code. */
  error_name: GatewaySchema.ErrorItem.fields.error_name,
  /** `F`: about one field. `G`: about the whole request. */
  scope: GatewaySchema.ErrorItem.fields.scope,
  /** The gateway's technical details. */
  description: GatewaySchema.ErrorItem.fields.description
})

/**
 * The request cannot be right. Nothing was done. Correct the fields.
 *
 * @category errors
 */
export type InvalidRequest = Plain.InvalidRequest
/**
 * The schema of the reason `InvalidRequest`.
 *
 * @category errors
 */
export const InvalidRequest = Schema.TaggedStruct("InvalidRequest", {
  ...details,
  /** `client`: nothing was sent. `gateway`: it refused the request (codes 110–116 and 360, or a too large request). */
  refusedBy: Schema.Literals(["client", "gateway"]),
  /** The fields that are wrong. */
  errors: Schema.Array(InvalidField),
  /** The HTTP status, when the gateway refused it. */
  status: Schema.optionalKey(Schema.Int)
})

/**
 * The credentials were refused (codes 201–203, status 401 or 403 of the token call), or a fresh token was (401).
 *
 * @category errors
 */
export type AuthenticationFailed = Plain.AuthenticationFailed
/**
 * The schema of the reason `AuthenticationFailed`.
 *
 * @category errors
 */
export const AuthenticationFailed = Schema.TaggedStruct("AuthenticationFailed", { ...details, ...responseDetails })

/**
 * A fresh token does not give access (code 200: its scope), or something before the gateway refused (403 without its
 * body).
 *
 * @category errors
 */
export type PermissionDenied = Plain.PermissionDenied
/**
 * The schema of the reason `PermissionDenied`.
 *
 * @category errors
 */
export const PermissionDenied = Schema.TaggedStruct("PermissionDenied", { ...details, ...responseDetails })

/**
 * The gateway knows no such payment (code 304).
 *
 * @category errors
 */
export type PaymentNotFound = Plain.PaymentNotFound
/**
 * The schema of the reason `PaymentNotFound`.
 *
 * @category errors
 */
export const PaymentNotFound = Schema.TaggedStruct("PaymentNotFound", {
  ...details,
  ...responseDetails,
  /** The id that was asked for. */
  paymentId: GatewaySchema.GatewayId
})

/**
 * The gateway knows no such card (code 304).
 *
 * @category errors
 */
export type CardNotFound = Plain.CardNotFound
/**
 * The schema of the reason `CardNotFound`.
 *
 * @category errors
 */
export const CardNotFound = Schema.TaggedStruct("CardNotFound", {
  ...details,
  ...responseDetails,
  /** The id that was asked for. */
  cardId: GatewaySchema.GatewayId
})

/**
 * A business rule of the gateway forbids it. Nothing was done by this call.
 *
 * @category errors
 */
export type OperationRefused = Plain.OperationRefused
/**
 * The schema of the reason `OperationRefused`.
 *
 * @category errors
 */
export const OperationRefused = Schema.TaggedStruct("OperationRefused", {
  ...details,
  ...responseDetails,
  /** Decide on this code; see `ErrorCodes`. Absent when the gateway answered `result: "FAILED"`. */
  code: Schema.optionalKey(GatewaySchema.ErrorItem.fields.error_code),
  /**
   * Whether the goal of the call is reached already, by an earlier call or another actor: already captured, voided or
   * stopped.
   */
  goalReached: Schema.Boolean
})

/**
 * Too many requests (429). Nothing was done.
 *
 * @category errors
 */
export type RateLimited = Plain.RateLimited
/**
 * The schema of the reason `RateLimited`.
 *
 * @category errors
 */
export const RateLimited = Schema.TaggedStruct("RateLimited", {
  ...details,
  ...responseDetails,
  /** Milliseconds to wait, when the gateway said so. */
  retryAfterMillis: Schema.optionalKey(Schema.Finite)
})

/**
 * No connection was made; for a read also: no response in time, a cut connection, status 408 or 5xx.
 *
 * @category errors
 */
export type GatewayUnavailable = Plain.GatewayUnavailable
/**
 * The schema of the reason `GatewayUnavailable`.
 *
 * @category errors
 */
export const GatewayUnavailable = Schema.TaggedStruct("GatewayUnavailable", {
  ...details,
  ...responseDetails,
  /** The system's error code, such as `ECONNREFUSED`. */
  code: Schema.optionalKey(Schema.String)
})

/**
 * A change was sent, and whether the gateway took it is unknown. Do not repeat it: find out, with `reconcile`.
 * A payment that no stored card pays is created again instead.
 *
 * @category errors
 */
export type OutcomeUnknown = Plain.OutcomeUnknown
/**
 * The schema of the reason `OutcomeUnknown`.
 *
 * @category errors
 */
export const OutcomeUnknown = Schema.TaggedStruct("OutcomeUnknown", {
  ...details,
  ...responseDetails,
  /** Never: repeating it may do it twice. */
  isRetryable: Schema.Literal(false),
  /** The record of what was sent: give it to `reconcile`, with anything else you know of it, or store it as JSON. */
  change: ChangeRecord,
  /** The system's error code, such as `ECONNRESET`. */
  code: Schema.optionalKey(Schema.String)
})

/**
 * The response to a read cannot be used.
 *
 * @category errors
 */
export type UnexpectedResponse = Plain.UnexpectedResponse
/**
 * The schema of the reason `UnexpectedResponse`.
 *
 * @category errors
 */
export const UnexpectedResponse = Schema.TaggedStruct("UnexpectedResponse", { ...details, ...responseDetails })

/**
 * Every reason that there is; tell them apart by `_tag`.
 *
 * @category errors
 */
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
