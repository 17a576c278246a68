/**
 * The gateway's operations as programs, named as in its specification, and programs built on them.
 *
 * Each needs a `Gateway` and fails with a `GatewayError`, whose `reason` says what happened; its type lists the reasons
 * an operation can fail with. Reads are retried as the `RetryPolicy` says, changes only when the gateway certainly did
 * not carry them out.
 *
 * Amounts are integers in minor units (haléře, cents), dates are `yyyy-mm-dd`.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { GatewayOperations } from "../contract/GatewayOperations.js"
import type { GatewayId, PaymentResponse } from "../contract/Messages.js"
import type { CustomRequest } from "./call/CustomRequest.js"
import type { ChangeRecord } from "./error/ChangeRecord.js"
import { GatewayError } from "./error/YieldableGatewayError.js"
import type { CardReadReason, ChangeReason, GatewayErrorReason, PaymentReadReason } from "./error/GatewayError.js"
import type { GatewayFailure } from "./error/GatewayFailure.js"
import { Gateway, type GatewayPrograms, type GatewayService } from "./call/Gateway.js"
import type { ReasonOf } from "./call/Operations.js"
import type {
  ExpectedPayment,
  NotificationSource,
  VerificationErrorReason,
  VerifiedPayment
} from "./notification/Notification.js"
import { type NotificationError, toNotificationError } from "./notification/NotificationError.js"
import { sharing } from "./notification/SharedReads.js"
import * as Verification from "./notification/Verification.js"
import type { PaymentExpectation, PaymentReader } from "./notification/Verification.js"
import * as Reconcile from "./payment/Reconcile.js"
import type { Reconciliation } from "./payment/Reconciliation.js"
import * as AwaitPayment from "./payment/AwaitPayment.js"
import type { AwaitPaymentOptions } from "./payment/AwaitPayment.js"
import type { AwaitedPayment } from "./payment/AwaitedPayment.js"
import * as PaymentStateStream from "./payment/PaymentStateStream.js"

const program =
  <Name extends keyof GatewayOperations>(name: Name) =>
  (
    ...args: Parameters<GatewayOperations[Name]>
  ): Effect.Effect<ReturnType<GatewayOperations[Name]>, GatewayError<ReasonOf<Name>>, Gateway> =>
    Gateway.use((gateway: GatewayPrograms) => gateway[name](...args))

/** Wraps a failure in an error unless it is one already. */
const toError = <Reason extends GatewayErrorReason>(failure: GatewayFailure<Reason>): GatewayError<Reason> =>
  isError(failure) ? failure : new GatewayError(failure)

const isError = <Reason extends GatewayErrorReason>(failure: GatewayFailure<Reason>): failure is GatewayError<Reason> =>
  failure instanceof GatewayError

/**
 * Creates a payment. The response has `gw_url`, the address of the pay page to send the payer to.
 *
 * When absent, `target` is the configured merchant and `lang` the configured language. Store the `id` before you
 * redirect the payer: the gateway cannot be searched by order number.
 *
 * A change; repeating it creates another payment. After `OutcomeUnknown` create it again all the same, and send the
 * payer only to the newest address that you have stored: no one has the address of the lost one. Not so with
 * `allowed_card_token`, which needs no payer. Fails with `OperationRefused` when the shop may not take the payment.
 *
 * @category operations
 */
export const createPayment = program("createPayment")

/**
 * Reads a payment: its `state` says whether it is paid.
 *
 * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
 *
 * @category operations
 */
export const getPayment = program("getPayment")

/**
 * Returns money to the payer: all of it, or a part.
 *
 * A change; repeating it may return the money twice. Success with `result: "ACCEPTED"` means taken, not yet done. An
 * unknown payment is an `InvalidRequest` for the field `id`. Fails with `OperationRefused` when the payment is in a
 * state that has nothing to refund (303), the amount is too large (332), or the merchant's account holds too little
 * (333). The gateway may take longer than 30 seconds.
 *
 * @category operations
 */
export const refundPayment = program("refundPayment")

/**
 * Lists the refunds of a payment. Their order is not documented.
 *
 * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
 *
 * @category operations
 */
export const getPaymentRefunds = program("getPaymentRefunds")

/**
 * Charges an `ON_DEMAND` recurrence once more: `paymentId` is its first payment. Returns the new payment.
 *
 * Success means that the new payment exists, not that it is paid: read it, or wait for its notification.
 *
 * A change; repeating it may charge twice. Fails with `OperationRefused`: 340 when it failed or `paymentId` is unknown
 * (it may be tried again later), 342 when the recurrence is stopped.
 *
 * @category operations
 */
export const createRecurrence = program("createRecurrence")

/**
 * Stops a recurrence for good: `paymentId` is its first payment.
 *
 * A change. Fails with `OperationRefused`: 340 for an unknown payment, 342 with `goalReached` when it is stopped
 * already.
 *
 * @category operations
 */
export const voidRecurrence = program("voidRecurrence")

/**
 * Captures all of the sum that a preauthorized payment holds on the card.
 *
 * A change. Fails with `OperationRefused`: 350 when there is nothing to capture, 351 with `goalReached` when it is
 * captured already.
 *
 * @category operations
 */
export const captureAuthorization = program("captureAuthorization")

/**
 * Captures a part of the sum that a preauthorized payment holds on the card; the rest is released.
 *
 * A change. Fails with `OperationRefused`: 350 when there is nothing to capture, 351 with `goalReached` when it is
 * captured already (by how much is not known).
 *
 * @category operations
 */
export const captureAuthorizationPartial = program("captureAuthorizationPartial")

/**
 * Releases the sum that a preauthorized payment holds on the card.
 *
 * A change. Fails with `OperationRefused`: 352 when it is captured or was never authorized, 353 with `goalReached` when
 * it is released already.
 *
 * @category operations
 */
export const voidAuthorization = program("voidAuthorization")

/**
 * Reads a stored card. A deleted card can still be read, with `status: "DELETED"`.
 *
 * A read. Fails with `CardNotFound` when the gateway knows no such card.
 *
 * @category operations
 */
export const getCardDetails = program("getCardDetails")

/**
 * Deletes a stored card. Deleting it again succeeds as well.
 *
 * A change. Fails with `CardNotFound` when the gateway knows no such card.
 *
 * @category operations
 */
export const deleteCard = program("deleteCard")

/**
 * Lists the ways to pay that a shop offers in one currency. `goid` is the configured merchant when `undefined`.
 *
 * A read. An unknown `goid` is an `InvalidRequest`.
 *
 * @category operations
 */
export const getPaymentInstruments = program("getPaymentInstruments")

/**
 * Lists the ways to pay that a shop offers, in all currencies. `goid` is the configured merchant when absent.
 *
 * A read. An unknown `goid` is an `InvalidRequest`.
 *
 * @category operations
 */
export const getPaymentInstrumentsAll = program("getPaymentInstrumentsAll")

/**
 * Downloads an account statement. `toText()` of the response finds the encoding; `data` has the bytes as they came.
 * `goid` is the configured merchant when absent.
 *
 * A read (a POST that, as far as is known, changes nothing). An HTML page, a JSON response or an empty one is no
 * statement: `UnexpectedResponse`.
 *
 * @category operations
 */
export const getAccountStatement = program("getAccountStatement")

/**
 * Reads the QR codes that pay a payment by bank transfer, as base64 pictures.
 *
 * A read. In the official SDKs since 2025; GoPay enables it per shop. Fails with `PaymentNotFound` when the gateway
 * knows no such payment.
 *
 * @category operations
 */
export const getPaymentQr = program("getPaymentQr")

/**
 * Finds out what became of a change whose outcome is unknown: the `change` of an `OutcomeUnknown`, or the stored record
 * of a call that the process did not survive. The result is one of `Happened`, `DidNotHappen`, `StateReached`,
 * `NotSeenYet` and `CannotTell`; each says what to do, and none that the change may simply be sent again.
 *
 * What the gateway does not show is never taken for not done. A refund is recognised only with the refunds listed
 * before the call (`refundsBefore`) and your word that no one else refunds the payment (`isOnlyWriter`), a charge only
 * with the id from its notification (`childId`); a created payment cannot be looked up at all.
 *
 * Reads only, at most twice; `createPayment`, and `createRecurrence` without `childId`, need no request. Fails as its
 * reads do, with `PaymentNotFound` or `CardNotFound` also when another merchant or environment sent the change, and
 * with `InvalidRequest` when `change` is no record of one.
 *
 * @category outcomes
 */
export const reconcile = (
  change: ChangeRecord
): Effect.Effect<Reconciliation, GatewayError<PaymentReadReason | CardReadReason>, Gateway> =>
  Gateway.use((gateway) =>
    Effect.mapError(Reconcile.reconcile<GatewayError<PaymentReadReason | CardReadReason>>(gateway, change), toError)
  )

/**
 * Verifies the payment that an address names: that of a notification, or of the payer's return to the shop (`?id=`).
 * Reads it and compares it with what the shop expects. Its `state` may be any: check it.
 *
 * `expected` finds what the shop stored when it created the payment, by the payment's id, and gives `undefined` or
 * `null` for one that it does not know; it is also asked for the first payment of the recurrence that the payment
 * claims to be a charge of.
 *
 * A read. Calls for one payment at the same time share it: each gets the result of a read that began after the call.
 *
 * Fails with a `NotificationError`: `InvalidNotification` when the address names no payment, `UnknownPayment`
 * when the shop knows nothing of it (then it is not read), `PaymentMismatch` when it is not what the shop expects,
 * `ExpectationFailed` when `expected` failed. Else it fails as `getPayment` does.
 *
 * @category notifications
 */
export const verifyPayment = <Order extends ExpectedPayment, ExpectedR = never>(
  source: NotificationSource,
  expected: PaymentExpectation<Order, unknown, ExpectedR>
): Effect.Effect<
  VerifiedPayment<Order>,
  GatewayError<PaymentReadReason> | NotificationError<VerificationErrorReason>,
  Gateway | ExpectedR
> =>
  Gateway.use((gateway) =>
    Effect.mapError(Verification.verifyPayment(sharedReader(gateway), source, expected), toNotificationError)
  )

const sharedReaders = new WeakMap<GatewayService, PaymentReader<GatewayError<PaymentReadReason>>>()

/** A gateway whose reads are shared: the same for each call with the same gateway. */
const sharedReader = (gateway: GatewayService): PaymentReader<GatewayError<PaymentReadReason>> => {
  const known = sharedReaders.get(gateway)
  if (known !== undefined) return known
  const shared = sharing(gateway)
  sharedReaders.set(gateway, shared)
  return shared
}

/**
 * Waits until the payer's part is over (see `isPayerDone`), or the payment is in one of the states in `until`. Answers
 * `Reached`, or `StillPending` with the payment as last seen when `waitAtMost` has expired (default: 10 minutes).
 *
 * Reads at once, then after ever longer waits, at most 30 seconds, also while the gateway is not available. `CANCELED`
 * and `TIMEOUTED` do not prove that no money will come: a transfer may arrive late (sub-state `_5047`).
 *
 * A read. Fails as `getPayment` does, when it cannot help to wait, or the payment could not be read in all that time.
 *
 * @category payments
 */
export const awaitPayment = (
  paymentId: GatewayId,
  options?: AwaitPaymentOptions
): Effect.Effect<AwaitedPayment, GatewayError<PaymentReadReason>, Gateway> =>
  Gateway.use(({ getPayment }) => Effect.mapError(AwaitPayment.awaitPayment(getPayment(paymentId), options), toError))

/**
 * Follows a payment: it is given as first read, and again each time its state has become another. Ends after a state in
 * `until`; by default with the payer's part (see `isPayerDone`).
 *
 * Reads politely, as `awaitPayment` does: at once, then after ever longer waits, at most 30 seconds. States that come
 * and go between two reads are not seen. A gateway that is not available is waited for, without end: limit the time
 * with `Stream.interruptWhen(Effect.sleep("10 minutes"))`. Fails as `getPayment` does otherwise.
 *
 * @category payments
 */
export const watchPaymentStates = (
  paymentId: GatewayId,
  options: Pick<AwaitPaymentOptions, "until"> = {}
): Stream.Stream<PaymentResponse, GatewayError<PaymentReadReason>, Gateway> =>
  Stream.unwrap(
    Gateway.useSync(({ getPayment }) =>
      Stream.mapError(PaymentStateStream.paymentStates(getPayment(paymentId), options), toError)
    )
  )

/**
 * Sends a request of your own, for what GoPay adds to its API before it is known here: with the same token, errors and
 * care as the operations. Returns the JSON of the response as it came, or `undefined` when the response is empty.
 *
 * A read or a change, as its `kind` says. Fails with `InvalidRequest` before anything is sent when it cannot be right.
 *
 * @category operations
 */
export const sendRequest = (request: CustomRequest): Effect.Effect<unknown, GatewayError<ChangeReason>, Gateway> =>
  Gateway.use((gateway) => gateway.sendRequest(request))

/**
 * The address of the browser script that opens the pay page inside the shop's page (`/gp-gw/js/embed.js`).
 *
 * Sends nothing.
 *
 * @category operations
 */
export const getEmbedJsUrl = (): Effect.Effect<string, never, Gateway> =>
  Gateway.use((gateway) => gateway.getEmbedJsUrl())

/**
 * Gets an access token unless there is one, and with it a connection that the next call can use: at start-up it saves
 * the first payer these round trips. A token that is about to end is renewed: repeated every half minute, no call waits
 * for one.
 *
 * A read of no payment. Fails as the request for a token does, such as with `AuthenticationFailed` and
 * `GatewayUnavailable`.
 *
 * @category operations
 */
export const warm = (): Effect.Effect<void, GatewayError, Gateway> => Gateway.use((gateway) => gateway.warm())
