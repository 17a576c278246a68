/**
 * The client of API v4 for callers who do not use Effect: its options and methods.
 */
import type { DurationInput } from "../../basics/DurationInput.js"
import type { CallSubject } from "../../client/call/FailureReason.js"
import type { AwaitedPaymentV4 } from "../../client/v4/AwaitPaymentV4.js"
import type { ChangeRecordV4 } from "../../client/v4/ChangeRecordV4.js"
import type { GatewayErrorReasonV4 } from "../../client/v4/GatewayErrorV4.js"
import type { GatewayErrorV4 } from "../../client/v4/GatewayErrorV4.js"
import type {
  ExpectedPaymentV4,
  NotificationErrorV4,
  NotificationLimitsV4,
  NotificationRequestV4,
  VerifiedPaymentV4
} from "../../client/v4/NotificationV4.js"
import type { NotificationSource } from "../../client/notification/Notification.js"
import type { ReconciliationV4 } from "../../client/v4/ReconcileV4.js"
import type { CustomRequest } from "../../contract/GatewayOperations.js"
import type { GatewayOperationsV4, OperationNameV4 } from "../../contract/GatewayOperationsV4.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { PaymentIdV4 } from "../../contract/MessagesV4.js"
import type { AwaitPaymentCallOptions, CallOptions, GatewayClientOptions } from "../GatewayClient.js"

/** The options of a client of API v4: those of v3 but for the language, which v4 does not have. */
export interface GatewayClientOptionsV4 extends Omit<GatewayClientOptions, "language" | "scope" | "observer"> {
  /** The scopes of the access token, separated by blanks. Default: `payment:write payment:read`. */
  readonly scope?: string | undefined
  /** Called for every call that has ended. Nothing secret or personal is in it. It changes no call. */
  readonly observer?: ((call: CallEventV4) => void) | undefined
}

/** The end of a call. Nothing secret or personal is in it. */
export interface CallEventV4 extends Omit<CallSubject, "cardId"> {
  /** Requests for an access token are calls too: `getAccessToken`. */
  readonly operation: OperationNameV4
  /** `success`, the reason's `_tag`, or `interrupted`; `defect` is a failure of what the application provided. */
  readonly outcome: "success" | GatewayErrorReasonV4["_tag"] | "interrupted" | "defect"
  /** The attempts that were made, those for a token aside. */
  readonly attempts: number
  /** The HTTP status of the last attempt, when it was answered. */
  readonly status?: number
  /** The kind of failure, when there was one. */
  readonly errorType?: string
  /** Milliseconds, including every wait: for a token, a connection and retries. */
  readonly durationMillis: number
}

/** Options of one call. */
export interface CallOptionsV4 extends Omit<CallOptions, "beforeSend"> {
  /** Asked before every attempt of a change, when nothing is left but to hand the request over; `false` holds it back. */
  readonly beforeSend?:
    | ((change: ChangeRecordV4) => boolean | DurationInput | Promise<boolean | DurationInput>)
    | undefined
}

/** The shop's part in handling notifications, and the limit of what they cause. */
export interface NotificationHandlerOptionsV4<Order extends ExpectedPaymentV4 = ExpectedPaymentV4> {
  /**
   * Finds what the shop stored when it created a payment, by its id. Returns `undefined` or `null` for one that it does
   * not know.
   */
  readonly expected: (paymentId: PaymentIdV4) => Order | null | undefined | PromiseLike<Order | null | undefined>
  /**
   * Called with a payment, read after the notification arrived and found to be the expected one. Check its `state`: it may be any. It
   * must do no harm when called again; another process may call its own at the same time: lock the order.
   */
  readonly handler: (verified: VerifiedPaymentV4<Order>) => unknown
  /**
   * Called with the reason why a notification was not answered with 200; `paymentId` is absent when it names no payment. Default: an
   * error in the log, or a debug message for what anyone on the internet can cause.
   */
  readonly onError?:
    | ((error: NotificationErrorV4 | GatewayErrorV4, paymentId: PaymentIdV4 | undefined) => unknown)
    | undefined
  /** How often one payment is read for its notifications. Default: that of `NotificationLimits` of v3. */
  readonly limits?: NotificationLimitsV4 | undefined
}

/** Answers a notification. It never rejects. Of the request, its method, address and body are read. */
export type NotificationRequestHandlerV4 = (request: NotificationRequestV4) => Promise<Response>

/** The operations as promises. Each takes the options of a call after its own arguments. */
export type GatewayPromisesV4 = {
  readonly [Name in keyof GatewayOperationsV4]: (
    ...args: [...args: Parameters<GatewayOperationsV4[Name]>, options?: CallOptionsV4]
  ) => Promise<ReturnType<GatewayOperationsV4[Name]>>
}

/**
 * One merchant at one gateway by API v4, with promises. A promise rejects with a `GatewayErrorV4`, whose `reason._tag` says what
 * happened; changes also with `OutcomeUnknown`: then the gateway may have taken it, and repeating it may do it twice.
 *
 * Nothing of v4 was ever called by us: each operation says how surely it is known.
 */
export interface GatewayClientV4 extends GatewayPromisesV4 {
  /** The shop's identifier at GoPay, as configured. */
  readonly goid: GatewayId
  /** The API's base address, without a slash at its end. */
  readonly baseUrl: string

  /**
   * Sends a request of your own, for what of v4 is not here, such as a payment link: with the same token, errors and care as the
   * operations. Its path is below the API's base address: `/eshops/8123456789/links`. Returns the JSON of the response as it came, or
   * `undefined` when the response is empty.
   *
   * A read or a change, as its `kind` says. Fails with `InvalidRequest` before anything is sent when it cannot be right. What no
   * operation here reads is a read only by GET.
   */
  readonly sendRequest: (request: CustomRequest, options?: CallOptionsV4) => Promise<unknown>

  /**
   * Finds out what became of a change whose outcome is unknown: the `change` of an `OutcomeUnknown`, or a stored record. What the
   * gateway does not show is never taken for not done. A refund is recognised only with the refunds listed before (`refundsBefore`) and
   * your word that no one else refunds the payment (`isOnlyWriter`); the payment of `nextPayment` only with the recurrence's payment
   * before (`paymentBefore`) and an order number of its own. A created payment or recurrence cannot be looked up.
   *
   * Reads only, at most once. Fails as its read does, and with `InvalidRequest` when `change` is no record of v4, or of another merchant.
   */
  readonly reconcile: (change: ChangeRecordV4, options?: CallOptionsV4) => Promise<ReconciliationV4>

  /**
   * Verifies the payment that an address names, or that has an id: that of a notification, or of the payer's return to the shop. Reads
   * it, and compares order number, amount and currency with what the shop stored when it created it. Its `state` may be any: check it.
   *
   * `expected` finds what the shop stored by the payment's id, and gives `undefined` or `null` for a payment that it does not know,
   * which is not read. A read. Calls for one payment at the same time share it.
   *
   * Fails with a `NotificationErrorV4`: `InvalidNotification`, `UnknownPayment`, `PaymentMismatch` or `ExpectationFailed`. Else it fails
   * as `getPayment` does.
   */
  readonly verifyPayment: <Order extends ExpectedPaymentV4>(
    source: NotificationSource,
    expected: (paymentId: PaymentIdV4) => Order | null | undefined | PromiseLike<Order | null | undefined>,
    options?: CallOptionsV4
  ) => Promise<VerifiedPaymentV4<Order>>

  /**
   * Makes a handler that answers the gateway's notifications: 200 only after a read that began when the notification had arrived, and
   * after the shop's handler succeeded. 400 for what names no payment, 405 for anything but GET and POST, and 503 for everything else,
   * so that the gateway repeats it, as v3 does. Of a payment that the shop does not know nothing is read.
   *
   * How GoPay notifies by v4 is not documented: the id may be `id` or `payment_id`, in the address, in a form or in JSON, and **nothing
   * of a notification is believed but the id**. For each payment there is at most one read and one call of the shop's handler at a time.
   * After `close()` it answers 503.
   *
   * @throws TypeError when an option is missing, wrong or unknown; it names every one
   */
  readonly createNotificationHandler: <Order extends ExpectedPaymentV4>(
    options: NotificationHandlerOptionsV4<Order>
  ) => NotificationRequestHandlerV4

  /**
   * Waits until the payer's part is over (see `isPayerDone`), or the payment is in one of the states in `until`; `StillPending` when
   * `waitAtMost` has expired (default: 10 minutes). Reads at once, then after ever longer waits, at most 30 seconds, also while the
   * gateway is not available.
   */
  readonly awaitPayment: (paymentId: PaymentIdV4, options?: AwaitPaymentCallOptions) => Promise<AwaitedPaymentV4>

  /** Gets an access token unless there is one, and with it a connection that the next call can use. */
  readonly warm: (options?: CallOptionsV4) => Promise<void>

  /** Ends the client: new calls are refused, reads under way are interrupted, changes under way are waited for. */
  readonly close: () => Promise<void>

  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
