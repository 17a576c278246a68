/**
 * The handler of the gateway's notifications for callers who do not use Effect: its options and types.
 */
import type { GatewayError } from "../client/error/GatewayError.js"
import type {
  ExpectedPayment,
  PaymentNotification,
  NotificationError,
  NotificationLimits,
  NotificationRequest,
  VerifiedPayment
} from "../client/notification/Notification.js"

/** The shop's part in handling notifications, and its limits. */
export interface NotificationHandlerOptions<Order extends ExpectedPayment = ExpectedPayment> {
  /**
   * Finds what the shop expects of a payment, by the payment's id: what it stored when it created it. Gives `undefined`
   * or `null` for a payment that is not the shop's.
   */
  readonly expected: (paymentId: number) => Order | null | undefined | PromiseLike<Order | null | undefined>
  /**
   * Called with a payment, read after the notification arrived and found to be the expected one. Check its `state`: it
   * may be any. It is called at least once for each change, so it must do no harm when called again; never twice at
   * once for one payment by this handler, but another process may call its own: lock the order.
   */
  readonly handler: (verified: VerifiedPayment<Order>) => unknown
  /**
   * Called with the reason why a notification was not answered with 200; `notification` is absent when the address names no payment.
   * Default: an error in the log, or a debug message for what anyone on the internet can cause.
   */
  readonly onError?:
    | ((error: NotificationError | GatewayError, notification: PaymentNotification | undefined) => unknown)
    | undefined
  /** Limits of the reads that notifications may cause. Default: those of `NotificationLimits`. */
  readonly limits?: NotificationLimits | undefined
}

/** Answers a notification. It never rejects. Of the request, only its method and its address are checked. */
export type NotificationRequestHandler = (request: NotificationRequest) => Promise<Response>
