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
import type { Currency } from "../../api/CodeLists.plain.js"
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
} from "../../api/Messages.plain.js"
import type { AwaitedPayment } from "../payment/AwaitPayment.plain.js"
import * as AwaitPayment from "../payment/AwaitPayment.js"
import type { AwaitPaymentOptions } from "../payment/AwaitPayment.js"
import * as Calls from "./Calls.js"
import { Gateway } from "./Gateway.js"
import { embedJsUrl } from "../config/GatewayOptions.js"
import type { GatewayError } from "../error/GatewayError.plain.js"
import type { ChangeRecord } from "../error/ChangeRecord.plain.js"
import * as Reconcile from "../outcome/Reconcile.js"
import type { Reconciliation } from "../outcome/Reconciliation.plain.js"
import type {
  ExpectedPayment,
  NotificationError,
  NotificationSource,
  VerificationErrorReason,
  VerifiedPayment
} from "../notification/Notification.plain.js"
import * as Verification from "../notification/Verification.js"
import type { Expectation } from "../notification/Verification.js"

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
  Gateway.use(({ run, settings }) => run(Calls.createPayment(payment, settings)))

/**
 * Reads a payment: its `state` says whether it is paid.
 *
 * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
 */
export const getPayment = (paymentId: Id): Effect.Effect<PaymentResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.getPayment(paymentId)))

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
  Gateway.use(({ run }) => run(Calls.refundPayment(paymentId, refund)))

/**
 * Lists the refunds of a payment. Their order is not documented.
 *
 * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
 */
export const getPaymentRefunds = (
  paymentId: Id
): Effect.Effect<ReadonlyArray<RefundHistoryItem>, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.getPaymentRefunds(paymentId)))

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
  Gateway.use(({ run }) => run(Calls.createRecurrence(paymentId, recurrence)))

/**
 * Stops a recurrence for good: `paymentId` is its first payment.
 *
 * A change. Fails with `OperationRefused`: 340 for an unknown payment, 342 with `goalReached` when it is stopped already.
 */
export const voidRecurrence = (paymentId: Id): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.voidRecurrence(paymentId)))

/**
 * Captures all of the sum that a preauthorized payment holds on the card.
 *
 * A change. Fails with `OperationRefused`: 350 when there is nothing to capture, 351 with `goalReached` when it is captured
 * already.
 */
export const captureAuthorization = (paymentId: Id): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.captureAuthorization(paymentId)))

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
  Gateway.use(({ run }) => run(Calls.captureAuthorizationPartial(paymentId, capture)))

/**
 * Releases the sum that a preauthorized payment holds on the card.
 *
 * A change. Fails with `OperationRefused`: 352 when it is captured or was never authorized, 353 with `goalReached` when it
 * is released already.
 */
export const voidAuthorization = (paymentId: Id): Effect.Effect<PaymentOperationResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.voidAuthorization(paymentId)))

/**
 * Reads a stored card. A deleted card can still be read, with `status: "DELETED"`.
 *
 * A read. Fails with `CardNotFound` when the gateway knows no such card.
 */
export const getCardDetails = (cardId: Id): Effect.Effect<CardDetailsResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.getCardDetails(cardId)))

/**
 * Deletes a stored card. Deleting it again succeeds as well.
 *
 * A change. Fails with `CardNotFound` when the gateway knows no such card.
 */
export const deleteCard = (cardId: Id): Effect.Effect<void, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.deleteCard(cardId)))

/**
 * Lists the ways to pay that a shop offers in one currency.
 *
 * A read. An unknown `goid` is an `InvalidRequest`.
 */
export const getPaymentInstruments = (
  goid: Id,
  currency: Currency
): Effect.Effect<PaymentInstrumentsResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.getPaymentInstruments(goid, currency)))

/**
 * Lists the ways to pay that a shop offers, in all currencies.
 *
 * A read. An unknown `goid` is an `InvalidRequest`.
 */
export const getPaymentInstrumentsAll = (
  goid: Id
): Effect.Effect<PaymentInstrumentsAllResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.getPaymentInstrumentsAll(goid)))

/**
 * Downloads an account statement. `toText()` of the answer finds the encoding; `data` has the bytes as they came.
 *
 * A read (a POST that, as far as is known, changes nothing). An HTML page, a JSON answer or an empty one is no statement:
 * `UnexpectedResponse`.
 */
export const getAccountStatement = (
  statement: AccountStatementRequest
): Effect.Effect<AccountStatementResponse, GatewayError, Gateway> =>
  Gateway.use(({ run }) => run(Calls.getAccountStatement(statement)))

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
  Gateway.use(({ run }) => run(Calls.getPaymentQr(paymentId, options)))

/**
 * Finds out what became of a change whose outcome is unknown: the `change` of an `OutcomeUnknown`, or the stored record of
 * a call that the process did not survive. The answer is one of `Happened`, `DidNotHappen`, `StateReached`, `NotSeenYet`
 * and `CannotTell`; each says what to do, and none that the change may simply be sent again.
 *
 * What the gateway does not show is never taken for not done. A refund is recognised only with the refunds listed before
 * the call (`refundsBefore`) and your word that nobody else refunds the payment (`isOnlyWriter`), a charge only with the
 * id from its notification (`childId`); a created payment cannot be looked up at all.
 *
 * Reads only, at most twice; `createPayment`, and `createRecurrence` without `childId`, need no request. Fails as its reads
 * do, with `PaymentNotFound` or `CardNotFound` also when another merchant or environment sent the change, and with
 * `InvalidRequest` when `change` is no record of one.
 */
export const reconcile = (change: ChangeRecord): Effect.Effect<Reconciliation, GatewayError, Gateway> =>
  Gateway.use(({ run }) => Reconcile.reconcile(run, change))

/**
 * Verifies the payment that an address names: that of a notification, or of the payer's return to the shop (`?id=`). Reads
 * it and compares it with what the shop expects. Its `state` may be any: look at it.
 *
 * `expected` finds what the shop stored when it created the payment, by the payment's id, and gives `undefined` or `null`
 * for one that it does not know; it is also asked for the first payment of the recurrence that the payment claims to be a
 * charge of.
 *
 * A read. Fails with a `NotificationError`: `InvalidNotification` when the address names no payment, `UnknownPayment` when
 * the shop knows nothing of it (then it is not read), `PaymentMismatch` when it is not what the shop expects,
 * `ExpectationFailed` when `expected` failed. Else it fails as `getPayment` does.
 */
export const verifyPayment = <Order extends ExpectedPayment, ExpectedR = never>(
  source: NotificationSource,
  expected: Expectation<Order, unknown, ExpectedR>
): Effect.Effect<
  VerifiedPayment<Order>,
  GatewayError | NotificationError<VerificationErrorReason>,
  Gateway | ExpectedR
> => Gateway.use((gateway) => Verification.verifyPayment(Verification.paymentReader(gateway), source, expected))

/**
 * Waits until the payer's part is over (see `isPayerDone`), or the payment is in one of the states in `until`. Answers
 * `Reached`, or `StillPending` with the payment as last seen when `waitAtMost` is over (default: 10 minutes).
 *
 * Reads at once, then after ever longer waits, at most 30 seconds, also while the gateway is not available. `CANCELED` and
 * `TIMEOUTED` do not prove that no money will come: a transfer may arrive late (sub-state `_5047`).
 *
 * A read. Fails as `getPayment` does, when it cannot help to wait, or the payment could not be read in all that time.
 */
export const awaitPayment = (
  paymentId: Id,
  options?: AwaitPaymentOptions
): Effect.Effect<AwaitedPayment, GatewayError, Gateway> =>
  Gateway.use(({ run }) => AwaitPayment.awaitPayment(run(Calls.getPayment(paymentId)), options))

/**
 * The address of the browser script that opens the pay page inside the shop's page (`/gp-gw/js/embed.js`).
 *
 * Sends nothing.
 */
export const getEmbedJsUrl = (): Effect.Effect<string, never, Gateway> =>
  Gateway.use(({ settings }) => Effect.succeed(embedJsUrl(settings.baseUrl)))
