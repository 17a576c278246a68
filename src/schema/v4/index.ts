/**
 * The messages and the errors of API v4 as schemas that document themselves: for an `HttpApi` that accepts or returns
 * them, as `effect-gopay/schema` has them for v3. In one document both can stand: their names differ by `V4`, and the
 * reasons that both have are the same schemas.
 */
import * as Schema from "effect/Schema"
import * as Errors from "../../client/v4/GatewayErrorSchemaV4.js"
import { changeRecordSchemaV4 } from "../../client/v4/ChangeRecordV4.js"
import type { GatewayOperationsV4 } from "../../contract/GatewayOperationsV4.js"
import * as Plain from "../../contract/GatewaySchemaV4.js"
import {
  AuthenticationFailed,
  GatewayUnavailable,
  InvalidRequest,
  OperationRefused,
  PermissionDenied,
  RateLimited,
  type ReadReasons,
  readReasons,
  UnexpectedResponse
} from "../SharedReasons.js"
import { documentedV4 } from "./documentedV4.js"

export * from "../SharedReasons.js"
export { PaymentIdV4, RecurrenceIdV4, RefundIdV4 } from "../../contract/GatewaySchemaV4.js"

/** {@inheritDoc PaymentResponseV4} */
export const PaymentV4: typeof Plain.PaymentV4 = /* @__PURE__ */ documentedV4(Plain.PaymentV4, "PaymentResponseV4")

/** {@inheritDoc CreatedPaymentV4} */
export const CreatedPaymentV4: typeof Plain.CreatedPaymentV4 = /* @__PURE__ */ documentedV4(
  Plain.CreatedPaymentV4,
  "CreatedPaymentV4"
)

/** {@inheritDoc ChargeResponseV4} */
export const ChargeV4: typeof Plain.ChargeV4 = /* @__PURE__ */ documentedV4(Plain.ChargeV4, "ChargeResponseV4")

/** {@inheritDoc RefundResponseV4} */
export const RefundV4: typeof Plain.RefundV4 = /* @__PURE__ */ documentedV4(Plain.RefundV4, "RefundResponseV4")

/** {@inheritDoc RecurrenceResponseV4} */
export const RecurrenceV4: typeof Plain.RecurrenceV4 = /* @__PURE__ */ documentedV4(
  Plain.RecurrenceV4,
  "RecurrenceResponseV4"
)

/** {@inheritDoc CreatePaymentRequestV4} */
export const CreatePaymentRequestV4: typeof Plain.CreatePaymentRequestV4 = /* @__PURE__ */ documentedV4(
  Plain.CreatePaymentRequestV4,
  "CreatePaymentRequestV4"
)

/** {@inheritDoc RefundPaymentRequestV4} */
export const RefundPaymentRequestV4: typeof Plain.RefundPaymentRequestV4 = /* @__PURE__ */ documentedV4(
  Plain.RefundPaymentRequestV4,
  "RefundPaymentRequestV4"
)

/** {@inheritDoc CreateRecurrenceRequestV4} */
export const CreateRecurrenceRequestV4: typeof Plain.CreateRecurrenceRequestV4 = /* @__PURE__ */ documentedV4(
  Plain.CreateRecurrenceRequestV4,
  "CreateRecurrenceRequestV4"
)

/** {@inheritDoc PaymentOverrideV4} */
export const PaymentOverrideV4: typeof Plain.PaymentOverrideV4 = /* @__PURE__ */ documentedV4(
  Plain.PaymentOverrideV4,
  "PaymentOverrideV4"
)

/** {@inheritDoc PaymentQrRequestV4} */
export const PaymentQrRequestV4: typeof Plain.PaymentQrRequestV4 = /* @__PURE__ */ documentedV4(
  Plain.PaymentQrRequestV4,
  "PaymentQrRequestV4"
)

/** The reason `PaymentNotFound` of API v4. An `HttpApi` responds to it with status 404. */
export const PaymentNotFoundV4: typeof Errors.PaymentNotFoundV4 = /* @__PURE__ */ documentedV4(
  Errors.PaymentNotFoundV4,
  "PaymentNotFoundV4"
)

/** The reason `ChargeNotFound` of API v4. An `HttpApi` responds to it with status 404. */
export const ChargeNotFoundV4: typeof Errors.ChargeNotFoundV4 = /* @__PURE__ */ documentedV4(
  Errors.ChargeNotFoundV4,
  "ChargeNotFoundV4"
)

/** The reason `RefundNotFound` of API v4. An `HttpApi` responds to it with status 404. */
export const RefundNotFoundV4: typeof Errors.RefundNotFoundV4 = /* @__PURE__ */ documentedV4(
  Errors.RefundNotFoundV4,
  "RefundNotFoundV4"
)

/** The reason `RecurrenceNotFound` of API v4. An `HttpApi` responds to it with status 404. */
export const RecurrenceNotFoundV4: typeof Errors.RecurrenceNotFoundV4 = /* @__PURE__ */ documentedV4(
  Errors.RecurrenceNotFoundV4,
  "RecurrenceNotFoundV4"
)

/** The reason `OutcomeUnknown` of API v4. An `HttpApi` responds to it with status 424. */
export const OutcomeUnknownV4: typeof Errors.OutcomeUnknownV4 = /* @__PURE__ */ documentedV4(
  Errors.OutcomeUnknownV4,
  "OutcomeUnknownV4"
)

/** The record of a change of API v4, to store it and to read it again. {@inheritDoc ChangeRecordV4} */
export const ChangeRecordV4: typeof changeRecordSchemaV4 = /* @__PURE__ */ documentedV4(
  changeRecordSchemaV4,
  "ChangeRecordV4"
)

/** Every reason. An `HttpApi` responds with status 424 to any of them: use `reasonsV4` for a status of each. */
export const GatewayErrorReasonV4: typeof Errors.GatewayErrorReasonV4 = /* @__PURE__ */ Schema.Union([
  InvalidRequest,
  AuthenticationFailed,
  PermissionDenied,
  PaymentNotFoundV4,
  ChargeNotFoundV4,
  RefundNotFoundV4,
  RecurrenceNotFoundV4,
  OperationRefused,
  RateLimited,
  GatewayUnavailable,
  OutcomeUnknownV4,
  UnexpectedResponse
]).annotate({ httpApiStatus: 424 })

/** A `GatewayErrorV4`. An `HttpApi` responds to it with status 424, whatever its reason. */
export const GatewayErrorSchemaV4: typeof Errors.GatewayErrorSchemaV4 = /* @__PURE__ */ Errors.errorSchemaOfV4(
  documentedV4(Errors.encodedErrorOfV4(GatewayErrorReasonV4), "GatewayErrorJsonV4")
)

/** The reasons that a change of API v4 can fail for: those of a read, and `OutcomeUnknownV4`. */
export type ChangeReasonsV4 = readonly [...ReadReasons, typeof OutcomeUnknownV4]

const ofChange: ChangeReasonsV4 = [...readReasons, OutcomeUnknownV4]

/** The reasons of each operation of API v4, by its name. */
export interface OperationReasonsV4 extends Record<keyof GatewayOperationsV4, ReadonlyArray<Schema.Top>> {
  /** The `error` of an endpoint that answers with `createPayment`. */
  readonly createPayment: ChangeReasonsV4
  /** The `error` of an endpoint that answers with `getPayment`. */
  readonly getPayment: readonly [...ReadReasons, typeof PaymentNotFoundV4]
  /** The `error` of an endpoint that answers with `cancelPayment`. */
  readonly cancelPayment: readonly [...ChangeReasonsV4, typeof PaymentNotFoundV4]
  /** The `error` of an endpoint that answers with `getCharge`. */
  readonly getCharge: readonly [...ReadReasons, typeof ChargeNotFoundV4]
  /** The `error` of an endpoint that answers with `getPaymentQr`. */
  readonly getPaymentQr: readonly [...ReadReasons, typeof PaymentNotFoundV4]
  /** The `error` of an endpoint that answers with `refundPayment`. */
  readonly refundPayment: readonly [...ChangeReasonsV4, typeof PaymentNotFoundV4]
  /** The `error` of an endpoint that answers with `getPaymentRefunds`. */
  readonly getPaymentRefunds: readonly [...ReadReasons, typeof PaymentNotFoundV4]
  /** The `error` of an endpoint that answers with `getRefund`. */
  readonly getRefund: readonly [...ReadReasons, typeof RefundNotFoundV4]
  /** The `error` of an endpoint that answers with `createRecurrence`. */
  readonly createRecurrence: ChangeReasonsV4
  /** The `error` of an endpoint that answers with `getRecurrence`. */
  readonly getRecurrence: readonly [...ReadReasons, typeof RecurrenceNotFoundV4]
  /** The `error` of an endpoint that answers with `startRecurrence`. */
  readonly startRecurrence: readonly [...ChangeReasonsV4, typeof RecurrenceNotFoundV4]
  /** The `error` of an endpoint that answers with `nextPayment`. */
  readonly nextPayment: readonly [...ChangeReasonsV4, typeof RecurrenceNotFoundV4]
  /** The `error` of an endpoint that answers with `stopRecurrence`. */
  readonly stopRecurrence: readonly [...ChangeReasonsV4, typeof RecurrenceNotFoundV4]
}

/**
 * The reasons that each operation of API v4 can fail for, each with its status, as the `error` of an endpoint takes
 * them: see `reasons`. The handler unwraps the reason by `Effect.unwrapReason("GatewayErrorV4")`.
 */
export const reasonsV4: OperationReasonsV4 = {
  createPayment: ofChange,
  getPayment: [...readReasons, PaymentNotFoundV4],
  cancelPayment: [...ofChange, PaymentNotFoundV4],
  getCharge: [...readReasons, ChargeNotFoundV4],
  getPaymentQr: [...readReasons, PaymentNotFoundV4],
  refundPayment: [...ofChange, PaymentNotFoundV4],
  getPaymentRefunds: [...readReasons, PaymentNotFoundV4],
  getRefund: [...readReasons, RefundNotFoundV4],
  createRecurrence: ofChange,
  getRecurrence: [...readReasons, RecurrenceNotFoundV4],
  startRecurrence: [...ofChange, RecurrenceNotFoundV4],
  nextPayment: [...ofChange, RecurrenceNotFoundV4],
  stopRecurrence: [...ofChange, RecurrenceNotFoundV4]
}
