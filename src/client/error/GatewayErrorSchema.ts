/**
 * The schema of `GatewayError`.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Endpoint from "../../contract/Endpoint.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { namedObject } from "../../contract/NamedObject.js"
import type * as Plain from "./GatewayError.js"
import { GatewayError } from "./YieldableGatewayError.js"
import { ChangeRecord } from "./ChangeRecordSchema.js"

/** The name of a schema, and the status with which an `HttpApi` responds when it fails with it. @internal */
export const answeredAs = (identifier: string, httpApiStatus: number) => ({ ...namedObject(identifier), httpApiStatus })

/**
 * Failed Dependency (RFC 4918, 11.4): the gateway, on which the call depends, has not proven that it was carried out.
 * No client that retries does so by itself for this status. Effect's `retryTransient` and `fetch` wrappers retry 408,
 * 429, 500, 502, 503 and 504, some generated clients also 409, and repeating a refund makes a second one.
 * @internal
 */
export const notRepeated = 424

const details = {
  message: Schema.String,
  isRetryable: Schema.Boolean
}

/** The members of every reason that comes from a response. @internal */
export const responseDetails = {
  ...details,
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

/** {@inheritDoc InvalidRequest} */
export type InvalidRequest = Plain.InvalidRequest
/** {@inheritDoc InvalidRequest} */
export const InvalidRequest = Schema.TaggedStruct("InvalidRequest", {
  ...details,
  refusedBy: Schema.Literals(["client", "gateway"]),
  errors: Schema.Array(InvalidField),
  status: Schema.optionalKey(Schema.Int)
}).annotate(answeredAs("InvalidRequest", 422))

/** {@inheritDoc AuthenticationFailed} */
export type AuthenticationFailed = Plain.AuthenticationFailed
/** {@inheritDoc AuthenticationFailed} */
export const AuthenticationFailed = Schema.TaggedStruct("AuthenticationFailed", { ...responseDetails }).annotate(
  answeredAs("AuthenticationFailed", 502)
)

/** {@inheritDoc PermissionDenied} */
export type PermissionDenied = Plain.PermissionDenied
/** {@inheritDoc PermissionDenied} */
export const PermissionDenied = Schema.TaggedStruct("PermissionDenied", { ...responseDetails }).annotate(
  answeredAs("PermissionDenied", 502)
)

/** {@inheritDoc PaymentNotFound} */
export type PaymentNotFound = Plain.PaymentNotFound
/** {@inheritDoc PaymentNotFound} */
export const PaymentNotFound = Schema.TaggedStruct("PaymentNotFound", {
  ...responseDetails,
  paymentId: GatewaySchema.GatewayId
}).annotate(answeredAs("PaymentNotFound", 404))

/** {@inheritDoc CardNotFound} */
export type CardNotFound = Plain.CardNotFound
/** {@inheritDoc CardNotFound} */
export const CardNotFound = Schema.TaggedStruct("CardNotFound", {
  ...responseDetails,
  cardId: GatewaySchema.GatewayId
}).annotate(answeredAs("CardNotFound", 404))

/** {@inheritDoc OperationRefused} */
export type OperationRefused = Plain.OperationRefused
/** {@inheritDoc OperationRefused} */
export const OperationRefused = Schema.TaggedStruct("OperationRefused", {
  ...responseDetails,
  code: Schema.optionalKey(GatewaySchema.ErrorItem.fields.error_code),
  goalReached: Schema.Boolean
}).annotate(answeredAs("OperationRefused", 409))

/** {@inheritDoc RateLimited} */
export type RateLimited = Plain.RateLimited
/** {@inheritDoc RateLimited} */
export const RateLimited = Schema.TaggedStruct("RateLimited", {
  ...responseDetails,
  retryAfterMillis: Schema.optionalKey(Schema.Finite)
}).annotate(answeredAs("RateLimited", 503))

/** {@inheritDoc GatewayUnavailable} */
export type GatewayUnavailable = Plain.GatewayUnavailable
/** {@inheritDoc GatewayUnavailable} */
export const GatewayUnavailable = Schema.TaggedStruct("GatewayUnavailable", {
  ...responseDetails,
  code: Schema.optionalKey(Schema.String),
  retryAfterMillis: Schema.optionalKey(Schema.Finite)
}).annotate(answeredAs("GatewayUnavailable", 503))

/** {@inheritDoc OutcomeUnknown} */
export type OutcomeUnknown = Plain.OutcomeUnknown
/**
 * {@inheritDoc OutcomeUnknown}
 *
 * An `HttpApi` answers it with status 424, which no client repeats by itself: the repeat of a refund that was lost is a
 * second refund.
 */
export const OutcomeUnknown = Schema.TaggedStruct("OutcomeUnknown", {
  ...responseDetails,
  isRetryable: Schema.Literal(false),
  change: ChangeRecord,
  code: Schema.optionalKey(Schema.String)
}).annotate(answeredAs("OutcomeUnknown", notRepeated))

/** {@inheritDoc UnexpectedResponse} */
export type UnexpectedResponse = Plain.UnexpectedResponse
/** {@inheritDoc UnexpectedResponse} */
export const UnexpectedResponse = Schema.TaggedStruct("UnexpectedResponse", { ...responseDetails }).annotate(
  answeredAs("UnexpectedResponse", 502)
)

/** {@inheritDoc GatewayErrorReason} */
export type GatewayErrorReason = Plain.GatewayErrorReason
/**
 * The schema of every reason. For the reasons of one operation, list them in an array in the endpoint of an `HttpApi`:
 * a `Schema.Union` of them is answered with status 500, which clients retry; this one is answered with 424.
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
]).annotate({ httpApiStatus: notRepeated })

/**
 * An encoded error, from the schema of its reason: its `toJSON` without the message, which follows from the reason.
 * @internal
 */
export const encodedErrorOf = (reason: typeof GatewayErrorReason) =>
  Schema.TaggedStruct("GatewayError", {
    operation: Schema.Literals([...Object.values(Endpoint).map(({ name }) => name), "reconcile", "sendRequest"]),
    reason
  }).annotate(namedObject("GatewayError"))

/** Decodes to instances of `GatewayError`, so that `instanceof` works. @internal */
export const errorSchemaOf = (encoded: ReturnType<typeof encodedErrorOf>) =>
  encoded
    .pipe(
      Schema.decodeTo(
        Schema.instanceOf(GatewayError),
        SchemaTransformation.transform({
          decode: ({ operation, reason }) => new GatewayError({ operation, reason }),
          encode: ({ operation, reason }) => ({ _tag: "GatewayError" as const, operation, reason })
        })
      )
    )
    .annotate({ httpApiStatus: notRepeated })

/**
 * A `GatewayError` as a schema, to let it cross an `HttpApi`, an RPC or a workflow. Decoding makes an error again,
 * without the stack and the `cause`.
 *
 * An `HttpApi` responds with status 424 to any reason: it may be `OutcomeUnknown`, and many clients retry 500, 502 and
 * 503 by themselves, some also 409. Repeating a lost refund would make a second one. To distinguish reasons, fail with
 * the reason itself, whose schema has a status of its own: 422 for `InvalidRequest`, 404 for `PaymentNotFound` and
 * `CardNotFound`, 409 for `OperationRefused`, 503 for `RateLimited` and `GatewayUnavailable`, 424 for `OutcomeUnknown`,
 * 502 for the others. A change that fails with any reason other than `OutcomeUnknown` was not carried out, so repeating
 * it does no harm. `.annotate({ httpApiStatus })` sets another status; for `OutcomeUnknown`, never use one that clients
 * retry.
 *
 * ```ts
 * HttpApiEndpoint.get("payment", "/payments/:id", {
 *   params: { id: GatewaySchema.GatewayId },
 *   success: GatewaySchema.Payment,
 *   error: [PaymentNotFound, GatewayErrorSchema]
 * })
 * // in its handler, with `error` for any other reason
 * getPayment(id).pipe(Effect.catchReason("GatewayError", "PaymentNotFound", (reason) => Effect.fail(reason)))
 * ```
 */
export const GatewayErrorSchema = /* @__PURE__ */ errorSchemaOf(encodedErrorOf(GatewayErrorReason))
