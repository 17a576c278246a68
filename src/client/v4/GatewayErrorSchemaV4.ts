/**
 * The schema of `GatewayErrorV4`.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import { endpointsV4 } from "../../contract/EndpointV4.js"
import { PaymentIdV4, RecurrenceIdV4, RefundIdV4 } from "../../contract/IdSchemaV4.js"
import { namedObject } from "../../contract/NamedObject.js"
import * as Errors from "../error/GatewayErrorSchema.js"
import { answeredAs, notRepeated, responseDetails } from "../error/GatewayErrorSchema.js"
import { changeRecordSchemaV4 } from "./ChangeRecordV4.js"
import type { FailureV4 } from "./GatewayErrorV4.js"
import { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"

/** {@inheritDoc PaymentNotFoundV4} */
export const PaymentNotFoundV4 = Schema.TaggedStruct("PaymentNotFound", {
  ...responseDetails,
  paymentId: PaymentIdV4
}).annotate(answeredAs("PaymentNotFoundV4", 404))

/** {@inheritDoc ChargeNotFoundV4} */
export const ChargeNotFoundV4 = Schema.TaggedStruct("ChargeNotFound", {
  ...responseDetails,
  paymentId: PaymentIdV4
}).annotate(answeredAs("ChargeNotFoundV4", 404))

/** {@inheritDoc RefundNotFoundV4} */
export const RefundNotFoundV4 = Schema.TaggedStruct("RefundNotFound", {
  ...responseDetails,
  refundId: RefundIdV4
}).annotate(answeredAs("RefundNotFoundV4", 404))

/** {@inheritDoc RecurrenceNotFoundV4} */
export const RecurrenceNotFoundV4 = Schema.TaggedStruct("RecurrenceNotFound", {
  ...responseDetails,
  recurrenceId: RecurrenceIdV4
}).annotate(answeredAs("RecurrenceNotFoundV4", 404))

/** {@inheritDoc OutcomeUnknownV4} */
export const OutcomeUnknownV4 = Schema.TaggedStruct("OutcomeUnknown", {
  ...responseDetails,
  isRetryable: Schema.Literal(false),
  change: changeRecordSchemaV4,
  code: Schema.optionalKey(Schema.String)
}).annotate(answeredAs("OutcomeUnknownV4", notRepeated))

/** The schema of every reason. */
export const GatewayErrorReasonV4 = Schema.Union([
  Errors.InvalidRequest,
  Errors.AuthenticationFailed,
  Errors.PermissionDenied,
  PaymentNotFoundV4,
  ChargeNotFoundV4,
  RefundNotFoundV4,
  RecurrenceNotFoundV4,
  Errors.OperationRefused,
  Errors.RateLimited,
  Errors.GatewayUnavailable,
  OutcomeUnknownV4,
  Errors.UnexpectedResponse
]).annotate({ httpApiStatus: notRepeated })

type Named = Exclude<keyof typeof endpointsV4, "getAccessToken"> | "reconcile" | "sendRequest"

const names: ReadonlyArray<Named> = [
  ...Struct.keys(Struct.omit(endpointsV4, ["getAccessToken"])),
  "reconcile",
  "sendRequest"
]

/** An encoded error, from the schema of its reason. @internal */
export const encodedErrorOfV4 = (reason: typeof GatewayErrorReasonV4) =>
  Schema.TaggedStruct("GatewayErrorV4", {
    operation: Schema.Literals(["getAccessToken", ...names.map((name) => `v4.${name}` as const)]),
    reason
  }).annotate(namedObject("GatewayErrorV4"))

/** The schema of errors, from that of encoded ones. @internal */
export const errorSchemaOfV4 = (encoded: ReturnType<typeof encodedErrorOfV4>) =>
  encoded
    .pipe(
      Schema.decodeTo(
        Schema.instanceOf(GatewayErrorV4),
        SchemaTransformation.transform({
          decode: ({ operation, reason }: FailureV4) => new GatewayErrorV4({ operation, reason }),
          encode: ({ operation, reason }) => ({ _tag: "GatewayErrorV4" as const, operation, reason })
        })
      )
    )
    .annotate({ httpApiStatus: notRepeated })

/**
 * A `GatewayErrorV4` as a schema, to let it cross an `HttpApi`, an RPC or a workflow. Decoding makes an error again,
 * without the stack and the `cause`. An `HttpApi` responds with status 424 to any reason.
 */
export const GatewayErrorSchemaV4 = /* @__PURE__ */ errorSchemaOfV4(encodedErrorOfV4(GatewayErrorReasonV4))
