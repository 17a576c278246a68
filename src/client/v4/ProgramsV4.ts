/**
 * The operations of API v4 as programs, and programs built on them. Each needs a `GatewayV4` and fails with a `GatewayErrorV4`. The build
 * writes the comments that `{@inheritDoc}` names.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { CustomRequest } from "../../contract/GatewayOperations.js"
import type { GatewayOperationsV4 } from "../../contract/GatewayOperationsV4.js"
import type { PaymentIdV4, PaymentResponseV4 } from "../../contract/MessagesV4.js"
import type { ReadReason } from "../error/GatewayFailure.js"
import type { WaitOptions } from "../payment/AwaitPayment.js"
import { type AwaitedPaymentV4, awaitPaymentV4, paymentStatesV4 } from "./AwaitPaymentV4.js"
import type { ChangeRecordV4 } from "./ChangeRecordV4.js"
import type { PaymentNotFoundV4, RecurrenceNotFoundV4 } from "./GatewayErrorV4.js"
import { type GatewayProgramsV4, type GatewayServiceV4, GatewayV4, type SendRequestV4, toErrorV4 } from "./GatewayV4.js"
import type { ReasonOfV4 } from "./OperationsV4.js"
import type { NotificationSource } from "../notification/Notification.js"
import { askedOrder, type ShopFailure } from "../notification/Verification.js"
import {
  type ExpectationFailedV4,
  type ExpectedPaymentV4,
  type NotificationFailureV4,
  type VerificationErrorReasonV4,
  type VerifiedPaymentV4
} from "./NotificationV4.js"
import {
  isNotificationFailureV4,
  type PaymentExpectationV4,
  type PaymentReaderV4,
  sharingV4,
  verifyPaymentV4
} from "./VerificationV4.js"
import { type ReconciliationV4, reconcileV4 } from "./ReconcileV4.js"
import { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"
import { NotificationErrorV4 } from "./YieldableNotificationErrorV4.js"
// oxlint-disable-next-line import/no-self-import, import/no-cycle -- a module's exports have no other name
import type * as ProgramsV4 from "./ProgramsV4.js"

/** The operations that this module has a program for. An error here names those that are missing. */
type Operations = Pick<typeof ProgramsV4, keyof GatewayOperationsV4>

const program =
  <Name extends keyof Operations>(name: Name) =>
  (
    ...args: Parameters<GatewayOperationsV4[Name]>
  ): Effect.Effect<ReturnType<GatewayOperationsV4[Name]>, GatewayErrorV4<ReasonOfV4<Name>>, GatewayV4> =>
    GatewayV4.use((gateway: GatewayProgramsV4) => gateway[name](...args))

/** {@inheritDoc GatewayOperationsV4.createPayment} */
export const createPayment = program("createPayment")
/** {@inheritDoc GatewayOperationsV4.getPayment} */
export const getPayment = program("getPayment")
/** {@inheritDoc GatewayOperationsV4.cancelPayment} */
export const cancelPayment = program("cancelPayment")
/** {@inheritDoc GatewayOperationsV4.getCharge} */
export const getCharge = program("getCharge")
/** {@inheritDoc GatewayOperationsV4.getPaymentQr} */
export const getPaymentQr = program("getPaymentQr")
/** {@inheritDoc GatewayOperationsV4.refundPayment} */
export const refundPayment = program("refundPayment")
/** {@inheritDoc GatewayOperationsV4.getPaymentRefunds} */
export const getPaymentRefunds = program("getPaymentRefunds")
/** {@inheritDoc GatewayOperationsV4.getRefund} */
export const getRefund = program("getRefund")
/** {@inheritDoc GatewayOperationsV4.createRecurrence} */
export const createRecurrence = program("createRecurrence")
/** {@inheritDoc GatewayOperationsV4.getRecurrence} */
export const getRecurrence = program("getRecurrence")
/** {@inheritDoc GatewayOperationsV4.startRecurrence} */
export const startRecurrence = program("startRecurrence")
/** {@inheritDoc GatewayOperationsV4.nextPayment} */
export const nextPayment = program("nextPayment")
/** {@inheritDoc GatewayOperationsV4.stopRecurrence} */
export const stopRecurrence = program("stopRecurrence")

/** {@inheritDoc GatewayClientV4.reconcile} */
export const reconcile = (
  change: ChangeRecordV4
): Effect.Effect<ReconciliationV4, GatewayErrorV4<ReadReason | PaymentNotFoundV4 | RecurrenceNotFoundV4>, GatewayV4> =>
  GatewayV4.use((gateway) =>
    Effect.mapError(
      reconcileV4<GatewayErrorV4<ReadReason | PaymentNotFoundV4 | RecurrenceNotFoundV4>>(gateway, change),
      (failure) => (failure instanceof GatewayErrorV4 ? failure : toErrorV4(failure))
    )
  )

/** {@inheritDoc GatewayClientV4.verifyPayment} */
export const verifyPayment = <Order extends ExpectedPaymentV4, ExpectedE = never, ExpectedR = never>(
  source: NotificationSource,
  expected: PaymentExpectationV4<Order, ExpectedE, ExpectedR>
): Effect.Effect<
  VerifiedPaymentV4<Order>,
  GatewayErrorV4<ReasonOfV4<"getPayment">> | NotificationErrorV4<VerificationErrorReasonV4> | ExpectedE,
  GatewayV4 | ExpectedR
> =>
  GatewayV4.use((gateway) =>
    Effect.mapError(
      verifyPaymentV4<
        Order,
        GatewayErrorV4<ReasonOfV4<"getPayment">>,
        ShopFailure<ExpectedE> | NotificationFailureV4<ExpectationFailedV4>,
        ExpectedR
      >(sharedReader(gateway), source, askedOrder(expected)),
      (failure) => {
        if ("_tag" in failure && failure._tag === "ShopFailure") return failure.error
        return isNotificationFailureV4<VerificationErrorReasonV4>(failure)
          ? new NotificationErrorV4<VerificationErrorReasonV4>(failure)
          : failure
      }
    )
  )

const sharedReaders = new WeakMap<GatewayServiceV4, PaymentReaderV4<GatewayErrorV4<ReasonOfV4<"getPayment">>>>()

/** A gateway whose reads are shared. It is the same object for every call with the same gateway. */
const sharedReader = (gateway: GatewayServiceV4): PaymentReaderV4<GatewayErrorV4<ReasonOfV4<"getPayment">>> => {
  const known = sharedReaders.get(gateway)
  if (known !== undefined) return known
  const shared = sharingV4(gateway)
  sharedReaders.set(gateway, shared)
  return shared
}

/** {@inheritDoc GatewayClientV4.awaitPayment} */
export const awaitPayment = (
  paymentId: PaymentIdV4,
  options?: WaitOptions<PaymentResponseV4>
): Effect.Effect<AwaitedPaymentV4, GatewayErrorV4<ReasonOfV4<"getPayment">>, GatewayV4> =>
  GatewayV4.use(({ getPayment }) =>
    Effect.mapError(awaitPaymentV4<ReasonOfV4<"getPayment">>(getPayment(paymentId), options), toErrorV4)
  )

/**
 * Follows a payment: emits it as first read, and again each time its state has changed. Ends after a state in `until`;
 * by default with the payer's part (see `isPayerDone`).
 *
 * Polls as `awaitPayment` does: at once, then after growing pauses of at most 30 seconds. With a `schedule`, it polls
 * by that, and ends with it. States that come and go between two reads are not seen. While the gateway is unavailable,
 * it keeps polling without end: limit the time with `Stream.interruptWhen(Effect.sleep("10 minutes"))`. Otherwise it
 * fails as `getPayment` does.
 */
export const watchPaymentStates = (
  paymentId: PaymentIdV4,
  options: Pick<WaitOptions<PaymentResponseV4>, "until" | "schedule"> = {}
): Stream.Stream<PaymentResponseV4, GatewayErrorV4<ReasonOfV4<"getPayment">>, GatewayV4> =>
  Stream.unwrap(
    GatewayV4.useSync(({ getPayment }) =>
      Stream.mapError(paymentStatesV4<ReasonOfV4<"getPayment">>(getPayment(paymentId), options), toErrorV4)
    )
  )

/** {@inheritDoc GatewayClientV4.sendRequest} */
export const sendRequest: SendRequestV4<GatewayV4> = <Response>(
  request: CustomRequest,
  response?: Schema.Decoder<Response>
) =>
  GatewayV4.use((gateway) =>
    response === undefined ? gateway.sendRequest(request) : gateway.sendRequest(request, response)
  )

/** Gets an access token unless there is one, and with it a connection that the next call can use. */
export const warm: Effect.Effect<void, GatewayErrorV4, GatewayV4> = GatewayV4.use((gateway) => gateway.warm)
