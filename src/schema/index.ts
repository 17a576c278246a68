/**
 * The gateway's messages and the client's errors as schemas that document themselves: for an `HttpApi` that accepts or
 * returns them, so that its OpenAPI document describes each member and lists the codes.
 *
 * They decode and encode like the schemas of the same names in `effect-gopay`, which have no descriptions, so that a
 * client stays small. In one document, take all schemas from here: those of `effect-gopay` with the same names would
 * appear beside them as `Payment_1` and so on.
 */
import * as Schema from "effect/Schema"
import * as Errors from "../client/error/GatewayErrorSchema.js"
import type { GatewayOperations } from "../contract/GatewayOperations.js"
import * as Plain from "../contract/GatewaySchema.js"
import { documented } from "./documented.js"
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
} from "./SharedReasons.js"

export * from "./SharedReasons.js"
export { GatewayId } from "../contract/GatewaySchema.js"

/** {@inheritDoc PaymentItem} */
export const PaymentItem: typeof Plain.PaymentItem = /* @__PURE__ */ documented(Plain.PaymentItem, "PaymentItem")

/** {@inheritDoc PaymentCallback} */
export const PaymentCallback: typeof Plain.PaymentCallback = /* @__PURE__ */ documented(
  Plain.PaymentCallback,
  "PaymentCallback"
)

/** {@inheritDoc PayerContact} */
export const PayerContact: typeof Plain.PayerContact = /* @__PURE__ */ documented(Plain.PayerContact, "PayerContact")

/** {@inheritDoc BankAccount} */
export const BankAccount: typeof Plain.BankAccount = /* @__PURE__ */ documented(Plain.BankAccount, "BankAccount")

/** {@inheritDoc Payer} */
export const Payer: typeof Plain.Payer = /* @__PURE__ */ documented(Plain.Payer, "Payer")

/** {@inheritDoc PaymentTarget} */
export const PaymentTarget: typeof Plain.PaymentTarget = /* @__PURE__ */ documented(
  Plain.PaymentTarget,
  "PaymentTarget"
)

/** {@inheritDoc AdditionalParam} */
export const AdditionalParam: typeof Plain.AdditionalParam = /* @__PURE__ */ documented(
  Plain.AdditionalParam,
  "AdditionalParam"
)

/** {@inheritDoc Recurrence} */
export const Recurrence: typeof Plain.Recurrence = /* @__PURE__ */ documented(Plain.Recurrence, "Recurrence")

/** {@inheritDoc CreatePaymentRequest} */
export const CreatePaymentRequest: typeof Plain.CreatePaymentRequest = /* @__PURE__ */ documented(
  Plain.CreatePaymentRequest,
  "CreatePaymentRequest"
)

/** {@inheritDoc RefundPaymentRequest} */
export const RefundPaymentRequest: typeof Plain.RefundPaymentRequest = /* @__PURE__ */ documented(
  Plain.RefundPaymentRequest,
  "RefundPaymentRequest"
)

/** {@inheritDoc CreateRecurrenceRequest} */
export const CreateRecurrenceRequest = /* @__PURE__ */ documented(
  Plain.CreateRecurrenceRequest,
  "CreateRecurrenceRequest"
)

/** {@inheritDoc CaptureAuthorizationPartialRequest} */
export const CaptureAuthorizationPartialRequest = /* @__PURE__ */ documented(
  Plain.CaptureAuthorizationPartialRequest,
  "CaptureAuthorizationPartialRequest"
)

/** {@inheritDoc AccountStatementRequest} */
export const AccountStatementRequest = /* @__PURE__ */ documented(
  Plain.AccountStatementRequest,
  "AccountStatementRequest"
)

/** {@inheritDoc PaymentQrRequest} */
export const PaymentQrRequest: typeof Plain.PaymentQrRequest = /* @__PURE__ */ documented(
  Plain.PaymentQrRequest,
  "PaymentQrRequest"
)

/** {@inheritDoc PaymentResponse} */
export const Payment: typeof Plain.Payment = /* @__PURE__ */ documented(Plain.Payment, "PaymentResponse")

/** {@inheritDoc CreatePaymentResponse} */
export const CreatedPayment: typeof Plain.CreatedPayment = /* @__PURE__ */ documented(
  Plain.CreatedPayment,
  "CreatePaymentResponse"
)

/** {@inheritDoc PaymentOperationResponse} */
export const PaymentOperation: typeof Plain.PaymentOperation = /* @__PURE__ */ documented(
  Plain.PaymentOperation,
  "PaymentOperationResponse"
)

/** {@inheritDoc RefundHistoryItem} */
export const Refund: typeof Plain.Refund = /* @__PURE__ */ documented(Plain.Refund, "RefundHistoryItem")

/** {@inheritDoc CardDetailsResponse} */
export const CardDetails: typeof Plain.CardDetails = /* @__PURE__ */ documented(
  Plain.CardDetails,
  "CardDetailsResponse"
)

/** {@inheritDoc PaymentInstrumentsResponse} */
export const PaymentInstruments: typeof Plain.PaymentInstruments = /* @__PURE__ */ documented(
  Plain.PaymentInstruments,
  "PaymentInstrumentsResponse"
)

/** {@inheritDoc PaymentQrResponse} */
export const PaymentQr: typeof Plain.PaymentQr = /* @__PURE__ */ documented(Plain.PaymentQr, "PaymentQrResponse")

/** The reason `PaymentNotFound`. An `HttpApi` responds to it with status 404. */
export const PaymentNotFound: typeof Errors.PaymentNotFound = /* @__PURE__ */ documented(
  Errors.PaymentNotFound,
  "PaymentNotFound"
)

/** The reason `CardNotFound`. An `HttpApi` responds to it with status 404. */
export const CardNotFound: typeof Errors.CardNotFound = /* @__PURE__ */ documented(Errors.CardNotFound, "CardNotFound")

/** The reason `OutcomeUnknown`. An `HttpApi` responds to it with status 424. */
export const OutcomeUnknown: typeof Errors.OutcomeUnknown = /* @__PURE__ */ documented(
  Errors.OutcomeUnknown,
  "OutcomeUnknown"
)

/** Every reason. An `HttpApi` responds with status 424 to any of them: use `reasons` for a status of each. */
export const GatewayErrorReason: typeof Errors.GatewayErrorReason = /* @__PURE__ */ Schema.Union([
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
]).annotate({ httpApiStatus: 424 })

/** A `GatewayError`. An `HttpApi` responds to it with status 424, whatever its reason. */
export const GatewayErrorSchema: typeof Errors.GatewayErrorSchema = /* @__PURE__ */ Errors.errorSchemaOf(
  documented(Errors.encodedErrorOf(GatewayErrorReason), "GatewayErrorJson")
)

/** The reasons that a change can fail for: those of a read, and `OutcomeUnknown`. */
export type ChangeReasons = readonly [...ReadReasons, typeof OutcomeUnknown]
/** The reasons that a read of a payment can fail for: those of a read, and `PaymentNotFound`. */
export type PaymentReadReasons = readonly [...ReadReasons, typeof PaymentNotFound]
/** The reasons that a change of a payment can fail for: those of a change, and `PaymentNotFound`. */
export type PaymentChangeReasons = readonly [...ChangeReasons, typeof PaymentNotFound]

const ofChange: ChangeReasons = [...readReasons, OutcomeUnknown]
const ofPaymentRead: PaymentReadReasons = [...readReasons, PaymentNotFound]
const ofPaymentChange: PaymentChangeReasons = [...ofChange, PaymentNotFound]

/** The reasons of each operation, by its name. */
export interface OperationReasons extends Record<keyof GatewayOperations, ReadonlyArray<Schema.Top>> {
  /** The `error` of an endpoint that answers with `createPayment`. */
  readonly createPayment: ChangeReasons
  /** The `error` of an endpoint that answers with `getPayment`. */
  readonly getPayment: PaymentReadReasons
  /** The `error` of an endpoint that answers with `refundPayment`. */
  readonly refundPayment: PaymentChangeReasons
  /** The `error` of an endpoint that answers with `getPaymentRefunds`. */
  readonly getPaymentRefunds: PaymentReadReasons
  /** The `error` of an endpoint that answers with `createRecurrence`. */
  readonly createRecurrence: PaymentChangeReasons
  /** The `error` of an endpoint that answers with `voidRecurrence`. */
  readonly voidRecurrence: PaymentChangeReasons
  /** The `error` of an endpoint that answers with `captureAuthorization`. */
  readonly captureAuthorization: PaymentChangeReasons
  /** The `error` of an endpoint that answers with `captureAuthorizationPartial`. */
  readonly captureAuthorizationPartial: PaymentChangeReasons
  /** The `error` of an endpoint that answers with `voidAuthorization`. */
  readonly voidAuthorization: PaymentChangeReasons
  /** The `error` of an endpoint that answers with `getCardDetails`. */
  readonly getCardDetails: readonly [...ReadReasons, typeof CardNotFound]
  /** The `error` of an endpoint that answers with `deleteCard`. */
  readonly deleteCard: readonly [...ChangeReasons, typeof CardNotFound]
  /** The `error` of an endpoint that answers with `getPaymentInstruments`. */
  readonly getPaymentInstruments: ReadReasons
  /** The `error` of an endpoint that answers with `getPaymentInstrumentsAll`. */
  readonly getPaymentInstrumentsAll: ReadReasons
  /** The `error` of an endpoint that answers with `getAccountStatement`. */
  readonly getAccountStatement: ReadReasons
  /** The `error` of an endpoint that answers with `getPaymentQr`. */
  readonly getPaymentQr: PaymentReadReasons
}

/**
 * The reasons that each operation can fail for, each with its status, as the `error` of an endpoint takes them. The
 * handler unwraps the reason from the error.
 *
 * ```ts
 * HttpApiEndpoint.post("refund", "/payments/:id/refund", {
 *   params: { id: GatewayId },
 *   payload: RefundPaymentRequest,
 *   success: PaymentOperation,
 *   error: reasons.refundPayment
 * })
 * // its handler
 * ({ params, payload }) => refundPayment(params.id, payload).pipe(Effect.unwrapReason("GatewayError"))
 * ```
 */
export const reasons: OperationReasons = {
  createPayment: ofChange,
  getPayment: ofPaymentRead,
  refundPayment: ofPaymentChange,
  getPaymentRefunds: ofPaymentRead,
  createRecurrence: ofPaymentChange,
  voidRecurrence: ofPaymentChange,
  captureAuthorization: ofPaymentChange,
  captureAuthorizationPartial: ofPaymentChange,
  voidAuthorization: ofPaymentChange,
  getCardDetails: [...readReasons, CardNotFound],
  deleteCard: [...ofChange, CardNotFound],
  getPaymentInstruments: readReasons,
  getPaymentInstrumentsAll: readReasons,
  getAccountStatement: readReasons,
  getPaymentQr: ofPaymentRead
}
