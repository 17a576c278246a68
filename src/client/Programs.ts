/**
 * The gateway's operations as programs, named as in its specification, and programs built on them.
 *
 * Each needs a `Gateway` and fails with a `GatewayError`, whose `reason` says what happened; its type lists the reasons
 * an operation can fail with. Reads are retried as the `RetryPolicy` says, changes only when the gateway certainly did
 * not carry them out.
 *
 * Amounts are integers in minor units (haléře, cents), dates are `yyyy-mm-dd`. The build writes the
 * comments that `{@inheritDoc}` names: of the operation, or of the promise client's method.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { CustomRequest, GatewayOperations } from "../contract/GatewayOperations.js"
import type { GatewayId, PaymentResponse } from "../contract/Messages.js"
import type { ChangeRecord } from "./error/ChangeRecord.js"
import { GatewayError } from "./error/YieldableGatewayError.js"
import type { GatewayErrorReason } from "./error/GatewayError.js"
import type { CardReadReason, GatewayFailure, PaymentReadReason } from "./error/GatewayFailure.js"
import {
  Gateway,
  toError as makeError,
  type GatewayPrograms,
  type GatewayService,
  type SendRequest
} from "./call/Gateway.js"
import type { ReasonOf } from "./call/Operation.js"
import type {
  ExpectationFailed,
  ExpectedPayment,
  NotificationFailure,
  NotificationSource,
  VerificationErrorReason,
  VerifiedPayment
} from "./notification/Notification.js"
import { type NotificationError, toNotificationError } from "./notification/NotificationError.js"
import { sharing } from "./notification/SharedReads.js"
import * as Verification from "./notification/Verification.js"
import type { PaymentExpectation, PaymentReader, ShopFailure } from "./notification/Verification.js"
import * as Reconcile from "./payment/Reconcile.js"
import type { Reconciliation } from "./payment/Reconciliation.js"
import * as AwaitPayment from "./payment/AwaitPayment.js"
import type { AwaitPaymentOptions } from "./payment/AwaitPayment.js"
import type { AwaitedPayment } from "./payment/PaymentState.js"
// oxlint-disable-next-line import/no-self-import, import/no-cycle -- a module's exports have no other name
import type * as Programs from "./Programs.js"

/** The operations that this module has a program for. An error here names those that are missing. */
type Operations = Pick<typeof Programs, keyof GatewayOperations>

const program =
  <Name extends keyof Operations>(name: Name) =>
  (
    ...args: Parameters<GatewayOperations[Name]>
  ): Effect.Effect<ReturnType<GatewayOperations[Name]>, GatewayError<ReasonOf<Name>>, Gateway> =>
    Gateway.use((gateway: GatewayPrograms) => gateway[name](...args))

/** Wraps a failure in an error unless it is one already. */
const toError = <Reason extends GatewayErrorReason>(failure: GatewayFailure<Reason>): GatewayError<Reason> =>
  isError(failure) ? failure : makeError(failure)

const isError = <Reason extends GatewayErrorReason>(failure: GatewayFailure<Reason>): failure is GatewayError<Reason> =>
  failure instanceof GatewayError

/** {@inheritDoc GatewayOperations.createPayment} */
export const createPayment = program("createPayment")
/** {@inheritDoc GatewayOperations.getPayment} */
export const getPayment = program("getPayment")
/** {@inheritDoc GatewayOperations.refundPayment} */
export const refundPayment = program("refundPayment")
/** {@inheritDoc GatewayOperations.getPaymentRefunds} */
export const getPaymentRefunds = program("getPaymentRefunds")
/** {@inheritDoc GatewayOperations.createRecurrence} */
export const createRecurrence = program("createRecurrence")
/** {@inheritDoc GatewayOperations.voidRecurrence} */
export const voidRecurrence = program("voidRecurrence")
/** {@inheritDoc GatewayOperations.captureAuthorization} */
export const captureAuthorization = program("captureAuthorization")
/** {@inheritDoc GatewayOperations.captureAuthorizationPartial} */
export const captureAuthorizationPartial = program("captureAuthorizationPartial")
/** {@inheritDoc GatewayOperations.voidAuthorization} */
export const voidAuthorization = program("voidAuthorization")
/** {@inheritDoc GatewayOperations.getCardDetails} */
export const getCardDetails = program("getCardDetails")
/** {@inheritDoc GatewayOperations.deleteCard} */
export const deleteCard = program("deleteCard")
/** {@inheritDoc GatewayOperations.getPaymentInstruments} */
export const getPaymentInstruments = program("getPaymentInstruments")
/** {@inheritDoc GatewayOperations.getPaymentInstrumentsAll} */
export const getPaymentInstrumentsAll = program("getPaymentInstrumentsAll")
/** {@inheritDoc GatewayOperations.getAccountStatement} */
export const getAccountStatement = program("getAccountStatement")
/** {@inheritDoc GatewayOperations.getPaymentQr} */
export const getPaymentQr = program("getPaymentQr")

/** {@inheritDoc GatewayClient.reconcile} @category outcomes */
export const reconcile = (
  change: ChangeRecord
): Effect.Effect<Reconciliation, GatewayError<PaymentReadReason | CardReadReason>, Gateway> =>
  Gateway.use((gateway) =>
    Effect.mapError(Reconcile.reconcile<GatewayError<PaymentReadReason | CardReadReason>>(gateway, change), toError)
  )

/** {@inheritDoc GatewayClient.verifyPayment} @category notifications */
export const verifyPayment = <Order extends ExpectedPayment, ExpectedE = never, ExpectedR = never>(
  source: NotificationSource,
  expected: PaymentExpectation<Order, ExpectedE, ExpectedR>
): Effect.Effect<
  VerifiedPayment<Order>,
  GatewayError<PaymentReadReason> | NotificationError<VerificationErrorReason> | ExpectedE,
  Gateway | ExpectedR
> =>
  Gateway.use((gateway) =>
    Effect.mapError(
      Verification.verifyPayment<
        Order,
        GatewayError<PaymentReadReason>,
        ShopFailure<ExpectedE> | NotificationFailure<ExpectationFailed>,
        ExpectedR
      >(sharedReader(gateway), source, Verification.askedOrder(expected)),
      (failure) => (Predicate.isTagged(failure, "ShopFailure") ? failure.error : toNotificationError(failure))
    )
  )

const sharedReaders = new WeakMap<GatewayService, PaymentReader<GatewayError<PaymentReadReason>>>()

/** A gateway whose reads are shared. It is the same object for every call with the same gateway. */
const sharedReader = (gateway: GatewayService): PaymentReader<GatewayError<PaymentReadReason>> => {
  const known = sharedReaders.get(gateway)
  if (known !== undefined) return known
  const shared = sharing(gateway)
  sharedReaders.set(gateway, shared)
  return shared
}

/** {@inheritDoc GatewayClient.awaitPayment} @category payments */
export const awaitPayment = (
  paymentId: GatewayId,
  options?: AwaitPaymentOptions
): Effect.Effect<AwaitedPayment, GatewayError<PaymentReadReason>, Gateway> =>
  Gateway.use(({ getPayment }) => Effect.mapError(AwaitPayment.awaitPayment(getPayment(paymentId), options), toError))

/**
 * Follows a payment: emits it as first read, and again each time its state has changed. Ends after a state in `until`;
 * by default with the payer's part (see `isPayerDone`).
 *
 * Polls as `awaitPayment` does: at once, then after growing pauses of at most 30 seconds. With a `schedule`, it polls
 * by that, and ends with it. States that come and go between two reads are not seen. While the gateway is unavailable,
 * it keeps polling without end: limit the time with `Stream.interruptWhen(Effect.sleep("10 minutes"))`. Otherwise it
 * fails as `getPayment` does.
 *
 * @category payments
 */
export const watchPaymentStates = (
  paymentId: GatewayId,
  options: Pick<AwaitPaymentOptions, "until" | "schedule"> = {}
): Stream.Stream<PaymentResponse, GatewayError<PaymentReadReason>, Gateway> =>
  Stream.unwrap(
    Gateway.useSync(({ getPayment }) =>
      Stream.mapError(AwaitPayment.paymentStates(getPayment(paymentId), options), toError)
    )
  )

/** {@inheritDoc GatewayClient.sendRequest} */
export const sendRequest: SendRequest<Gateway> = <Response>(
  request: CustomRequest,
  response?: Schema.Decoder<Response>
) =>
  Gateway.use((gateway) =>
    response === undefined ? gateway.sendRequest(request) : gateway.sendRequest(request, response)
  )

/** {@inheritDoc GatewayClient.getEmbedJsUrl} */
export const getEmbedJsUrl: Effect.Effect<string, never, Gateway> = Gateway.use((gateway) => gateway.getEmbedJsUrl)

/** {@inheritDoc GatewayClient.warm} */
export const warm: Effect.Effect<void, GatewayError, Gateway> = Gateway.use((gateway) => gateway.warm)
