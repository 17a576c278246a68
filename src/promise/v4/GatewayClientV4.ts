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

/** The options of a client of API v4: those of v3, except the language, which v4 does not have. */
export interface GatewayClientOptionsV4 extends Omit<GatewayClientOptions, "language" | "scope" | "observer"> {
  /** The scopes of the access token, separated by spaces. Default: `payment:write payment:read`. */
  readonly scope?: string | undefined
  /**
   * Called for every call that has ended. The event contains nothing secret or personal. The observer cannot affect a
   * call.
   */
  readonly observer?: ((call: CallEventV4) => void) | undefined
}

/** The end of a call. It contains nothing secret or personal. */
export interface CallEventV4 extends Omit<CallSubject, "cardId"> {
  /** Requests for an access token are calls as well: `getAccessToken`. */
  readonly operation: OperationNameV4
  /** `success`, the reason's `_tag`, or `interrupted`; `defect` is a failure of what the application provided. */
  readonly outcome: "success" | GatewayErrorReasonV4["_tag"] | "interrupted" | "defect"
  /** The number of attempts, without those for a token. */
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
  /**
   * A check that runs before every attempt of a change, right before the request is handed over; `false` holds it back.
   */
  readonly beforeSend?:
    | ((change: ChangeRecordV4) => boolean | DurationInput | Promise<boolean | DurationInput>)
    | undefined
}

/** The shop's part in handling notifications, and the limit of the reads that they cause. */
export interface NotificationHandlerOptionsV4<Order extends ExpectedPaymentV4 = ExpectedPaymentV4> {
  /**
   * Finds what the shop stored when it created a payment, by its id. Returns `undefined` or `null` for one that it does
   * not know.
   */
  readonly expected: (paymentId: PaymentIdV4) => Order | null | undefined | PromiseLike<Order | null | undefined>
  /**
   * Called with a payment that was read after the notification arrived and is the expected one. Check its `state`: it
   * may be any. Repeating it must be harmless. Another process may call its own handler concurrently: lock the order.
   */
  readonly handler: (verified: VerifiedPaymentV4<Order>) => unknown
  /**
   * Called with the reason why a notification was not answered with 200; `paymentId` is absent if it names no payment.
   * Default: an error in the log, or a debug message if anyone on the internet can cause it.
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
 * One merchant at one gateway by API v4, with promises. A promise rejects with a `GatewayErrorV4`, whose `reason._tag`
 * says what happened; changes also with `OutcomeUnknown`: then the gateway may have carried it out, and repeating it
 * may do it twice.
 *
 * We have never called v4 itself: each operation says how well it is known.
 */
export interface GatewayClientV4 extends GatewayPromisesV4 {
  /** The shop's identifier at GoPay, as configured. */
  readonly goid: GatewayId
  /** The API's base address, without a slash at its end. */
  readonly baseUrl: string

  /**
   * Sends a custom request, for anything in v4 that this package lacks, such as a payment link, with the same token,
   * errors and safety as the operations. Its path is relative to the API's base address: `/eshops/8123456789/links`.
   * Returns the JSON of the response as it came, or `undefined` when the response is empty.
   *
   * A read or a change, as its `kind` says. Fails with `InvalidRequest` before anything is sent if it is invalid. A
   * path that no operation here reads can only be read by GET.
   */
  readonly sendRequest: (request: CustomRequest, options?: CallOptionsV4) => Promise<unknown>

  /**
   * Finds the outcome of a change for which it is unknown: the `change` of an `OutcomeUnknown`, or a stored record. A
   * change that the gateway does not show never counts as not made. A refund is recognised only with the refunds listed
   * before (`refundsBefore`) and your word that no one else refunds the payment (`isOnlyWriter`); the payment of
   * `nextPayment` only with the recurrence's payment before (`paymentBefore`) and an order number of its own. A created
   * payment or recurrence cannot be found.
   *
   * Reads only, at most once. Fails as its read does, and with `InvalidRequest` if `change` is not a record of v4, or
   * is another merchant's.
   */
  readonly reconcile: (change: ChangeRecordV4, options?: CallOptionsV4) => Promise<ReconciliationV4>

  /**
   * Verifies the payment that an address names, or that has an id: that of a notification, or of the payer's return to the shop. Reads
   * it, and compares order number, amount and currency with what the shop stored when it created it. Its `state` may be any: check it.
   *
   * `expected` finds what the shop stored by the payment's id, and returns `undefined` or `null` for a payment that it
   * does not know, which is not read. A read. Calls for one payment at the same time share it.
   *
   * Fails with a `NotificationErrorV4`: `InvalidNotification`, `UnknownPayment`, `PaymentMismatch` or
   * `ExpectationFailed`. Otherwise it fails as `getPayment` does.
   */
  readonly verifyPayment: <Order extends ExpectedPaymentV4>(
    source: NotificationSource,
    expected: (paymentId: PaymentIdV4) => Order | null | undefined | PromiseLike<Order | null | undefined>,
    options?: CallOptionsV4
  ) => Promise<VerifiedPaymentV4<Order>>

  /**
   * Makes a handler that answers the gateway's notifications: 200 only if the payment was read after the notification
   * had arrived, and the shop's handler has succeeded; 400 if it names no payment, 405 for any method but GET and POST,
   * and 503 for everything else, so that the gateway repeats it, as v3 does. A payment that the shop does not know is
   * not read.
   *
   * How GoPay notifies in v4 is not documented: the id may be `id` or `payment_id`, in the address, in a form or in
   * JSON, and **nothing in a notification is trusted except the id**. For each payment there is at most one read and
   * one call of the shop's handler at a time. After `close()` it answers 503.
   *
   * @throws TypeError when an option is missing, wrong or unknown; it names every one
   */
  readonly createNotificationHandler: <Order extends ExpectedPaymentV4>(
    options: NotificationHandlerOptionsV4<Order>
  ) => NotificationRequestHandlerV4

  /**
   * Waits until the payer's part is over (see `isPayerDone`), or the payment is in one of the states in `until`;
   * `StillPending` when `waitAtMost` has expired (default: 10 minutes). Reads at once, then after growing pauses of at
   * most 30 seconds, also while the gateway is unavailable.
   */
  readonly awaitPayment: (paymentId: PaymentIdV4, options?: AwaitPaymentCallOptions) => Promise<AwaitedPaymentV4>

  /** Gets an access token if there is none, and with it a connection that the next call can use. */
  readonly warm: (options?: CallOptionsV4) => Promise<void>

  /** Closes the client: new calls are refused, reads in flight are interrupted, changes in flight are waited for. */
  readonly close: () => Promise<void>

  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
