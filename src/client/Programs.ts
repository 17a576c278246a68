/**
 * The operations of the gateway as programs, named as in its specification.
 *
 * Each needs a `Gateway` and fails with a `GatewayError`, whose `reason` tells what happened. Any of them can fail
 * with `InvalidRequest` (before anything is sent, when an argument cannot be right), `AuthenticationFailed`,
 * `PermissionDenied`, `RateLimited`, `GatewayUnavailable` and `UnexpectedResponse` (for a change: the answer to the
 * token call, and nothing was sent); changes also with `OutcomeUnknown`: then the gateway may have taken it, and
 * repeating it may do it twice. Reads are repeated by themselves as the `RetryPolicy` says, changes only when the
 * gateway certainly did not take them.
 *
 * Amounts are integers in minor units (haléře, cents), dates are `yyyy-mm-dd`.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Currency } from "../api/CodeLists.js"
import * as Endpoint from "../api/Endpoint.js"
import type {
  AccountStatementRequest,
  AccountStatementResponse,
  CaptureAuthorizationPartialRequest,
  CardDetailsResponse,
  CreatePaymentRequest,
  CreatePaymentResponse,
  CreateRecurrenceRequest,
  Id,
  PaymentInstrumentsAllResponse,
  PaymentInstrumentsResponse,
  PaymentOperationResponse,
  PaymentQrRequest,
  PaymentQrResponse,
  PaymentResponse,
  RefundHistoryItem,
  RefundPaymentRequest
} from "../api/Messages.js"
import { Gateway } from "./Gateway.js"
import { embedJsUrl } from "./GatewayOptions.js"
import type { GatewaySettings } from "./GatewayConfig.js"
import type { GatewayError } from "./GatewayError.js"
import * as Operation from "./Operation.js"

const createPaymentOperation = Operation.make(Endpoint.createPayment)

/**
 * Creates a payment. Its answer has `gw_url`, the address of the pay page to send the payer to.
 *
 * When absent, `target` is the configured merchant and `lang` the configured language. Store the `id` before you redirect
 * the payer: the gateway cannot be searched by order number.
 *
 * A change; repeating it creates another payment. Fails with `OperationRefused` when the shop may not take the payment.
 */
export const createPayment = (
  payment: CreatePaymentRequest
): Effect.Effect<CreatePaymentResponse, GatewayError, Gateway> =>
  Gateway.use(({ run, settings }) => run(createPaymentOperation, {}, withDefaults(payment, settings)))

const withDefaults = (
  payment: CreatePaymentRequest,
  { goid, language }: Pick<GatewaySettings, "goid" | "language">
): CreatePaymentRequest =>
  // What is no object at all is left for the check to refuse.
  Predicate.isObject(payment)
    ? {
        ...payment,
        target: payment.target === undefined ? { type: "ACCOUNT", goid } : payment.target,
        lang: payment.lang === undefined ? language : payment.lang
      }
    : payment

const getPaymentOperation = Operation.make(Endpoint.getPayment)

/**
 * Reads a payment: its `state` says whether it is paid.
 *
 * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
 */
export const getPayment = (paymentId: Id): Effect.Effect<PaymentResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(getPaymentOperation, { id: paymentId }, undefined))

const refundPaymentOperation = Operation.make(Endpoint.refundPayment)

/**
 * Returns money to the payer: all of it, or a part.
 *
 * A change; repeating it may return the money twice. Success with `result: "ACCEPTED"` means taken, not yet done. An
 * unknown payment is an `InvalidRequest` for the field `id`. Fails with `OperationRefused` when the payment is in a state
 * that has nothing to refund (303), the amount is too large (332), or the merchant's account holds too little (333). The
 * gateway may take longer than 30 seconds.
 */
export const refundPayment = (
  paymentId: Id,
  refund: RefundPaymentRequest
): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(refundPaymentOperation, { id: paymentId }, refund))

const getPaymentRefundsOperation = Operation.make(Endpoint.getPaymentRefunds)

/**
 * Lists the refunds of a payment. Their order is not documented.
 *
 * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
 */
export const getPaymentRefunds = (
  paymentId: Id
): Effect.Effect<ReadonlyArray<RefundHistoryItem>, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(getPaymentRefundsOperation, { id: paymentId }, undefined))

const createRecurrenceOperation = Operation.make(Endpoint.createRecurrence)

/**
 * Charges an `ON_DEMAND` recurrence once more: `paymentId` is its first payment. Answers with the new payment.
 *
 * Success means that the new payment exists, not that it is paid: read it, or wait for its notification.
 *
 * A change; repeating it may charge twice. Fails with `OperationRefused`: 340 when it failed or `paymentId` is unknown
 * (it may be tried again later), 342 when the recurrence is stopped.
 */
export const createRecurrence = (
  paymentId: Id,
  recurrence: CreateRecurrenceRequest
): Effect.Effect<PaymentResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(createRecurrenceOperation, { id: paymentId }, recurrence))

const voidRecurrenceOperation = Operation.make(Endpoint.voidRecurrence)

/**
 * Stops a recurrence for good: `paymentId` is its first payment.
 *
 * A change. Fails with `OperationRefused`: 340 for an unknown payment, 342 with `goalReached` when it is stopped already.
 */
export const voidRecurrence = (paymentId: Id): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(voidRecurrenceOperation, { id: paymentId }, undefined))

const captureAuthorizationOperation = Operation.make(Endpoint.captureAuthorization)

/**
 * Captures all of the sum that a preauthorized payment holds on the card.
 *
 * A change. Fails with `OperationRefused`: 350 when there is nothing to capture, 351 with `goalReached` when it is captured
 * already.
 */
export const captureAuthorization = (paymentId: Id): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(captureAuthorizationOperation, { id: paymentId }, undefined))

const captureAuthorizationPartialOperation = Operation.make(Endpoint.captureAuthorizationPartial)

/**
 * Captures a part of the sum that a preauthorized payment holds on the card; the rest is released.
 *
 * A change. Fails with `OperationRefused`: 350 when there is nothing to capture, 351 with `goalReached` when it is captured
 * already (by how much is not told).
 */
export const captureAuthorizationPartial = (
  paymentId: Id,
  capture: CaptureAuthorizationPartialRequest
): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(captureAuthorizationPartialOperation, { id: paymentId }, capture))

const voidAuthorizationOperation = Operation.make(Endpoint.voidAuthorization)

/**
 * Releases the sum that a preauthorized payment holds on the card.
 *
 * A change. Fails with `OperationRefused`: 352 when it is captured or was never authorized, 353 with `goalReached` when it
 * is released already.
 */
export const voidAuthorization = (paymentId: Id): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(voidAuthorizationOperation, { id: paymentId }, undefined))

const getCardDetailsOperation = Operation.make(Endpoint.getCardDetails)

/**
 * Reads a stored card. A deleted card can still be read, with `status: "DELETED"`.
 *
 * A read. Fails with `CardNotFound` when the gateway knows no such card.
 */
export const getCardDetails = (cardId: Id): Effect.Effect<CardDetailsResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(getCardDetailsOperation, { card_id: cardId }, undefined))

const deleteCardOperation = Operation.make(Endpoint.deleteCard)

/**
 * Deletes a stored card. Deleting it again succeeds as well.
 *
 * A change. Fails with `CardNotFound` when the gateway knows no such card.
 */
export const deleteCard = (cardId: Id): Effect.Effect<void, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(deleteCardOperation, { card_id: cardId }, undefined))

const getPaymentInstrumentsOperation = Operation.make(Endpoint.getPaymentInstruments)

/**
 * Lists the ways to pay that a shop offers in one currency.
 *
 * A read. An unknown `goid` is an `InvalidRequest`.
 */
export const getPaymentInstruments = (
  goid: Id,
  currency: Currency
): Effect.Effect<PaymentInstrumentsResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(getPaymentInstrumentsOperation, { goid, currency }, undefined))

const getPaymentInstrumentsAllOperation = Operation.make(Endpoint.getPaymentInstrumentsAll)

/**
 * Lists the ways to pay that a shop offers, in all currencies.
 *
 * A read. An unknown `goid` is an `InvalidRequest`.
 */
export const getPaymentInstrumentsAll = (
  goid: Id
): Effect.Effect<PaymentInstrumentsAllResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(getPaymentInstrumentsAllOperation, { goid }, undefined))

const getAccountStatementOperation = Operation.make(Endpoint.getAccountStatement)

/**
 * Downloads an account statement. `toText()` of the answer finds the encoding; `data` has the bytes as they came.
 *
 * A read (a POST that, as far as is known, changes nothing). An HTML page, a JSON answer or an empty one is no statement:
 * `UnexpectedResponse`.
 */
export const getAccountStatement = (
  statement: AccountStatementRequest
): Effect.Effect<AccountStatementResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(getAccountStatementOperation, {}, statement))

const getPaymentQrOperation = Operation.make(Endpoint.getPaymentQr)

/**
 * Reads the QR codes that pay a payment by bank transfer, as base64 pictures.
 *
 * A read. In the official SDKs since 2025; GoPay enables it per shop. Fails with `PaymentNotFound` when the gateway knows
 * no such payment.
 */
export const getPaymentQr = (
  paymentId: Id,
  options?: PaymentQrRequest
): Effect.Effect<PaymentQrResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(getPaymentQrOperation, { id: paymentId }, options ?? {}))

/**
 * The address of the browser script that opens the pay page inside the shop's page (`/gp-gw/js/embed.js`).
 *
 * Sends nothing.
 */
export const getEmbedJsUrl = (): Effect.Effect<string, never, Gateway> =>
  Gateway.use(({ settings }) => Effect.succeed(embedJsUrl(settings.baseUrl)))
