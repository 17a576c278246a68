/**
 * The gateway's operations, each declared once with its parameters and result. The programs, the `Gateway` service and
 * the promise client derive their types from it.
 */
import type { Currency } from "./CodeLists.js"
import type {
  AccountStatementRequest,
  AccountStatementResponse,
  CaptureAuthorizationPartialRequest,
  CardDetailsResponse,
  CreatePaymentRequest,
  CreatePaymentResponse,
  CreateRecurrenceRequest,
  GatewayId,
  PaymentInstrumentsAllResponse,
  PaymentInstrumentsResponse,
  PaymentOperationResponse,
  PaymentQrRequest,
  PaymentQrResponse,
  PaymentResponse,
  RefundHistoryItem,
  RefundPaymentRequest
} from "./Messages.js"

/**
 * The operations of the gateway's REST API v3, named as in its specification.
 *
 * Amounts are integers in minor units (haléře, cents), dates are `yyyy-mm-dd`. A _read_ changes nothing at the gateway
 * and is retried automatically while the gateway is unavailable. A _change_ may move money: the gateway has no
 * idempotency key, so it is sent again only if it certainly was not carried out, and may fail with `OutcomeUnknown`.
 */
export interface GatewayOperations {
  /**
   * Creates a payment. The response has `gw_url`, the address of the pay page to send the payer to.
   *
   * When absent, `target` is the configured merchant and `lang` the configured language. Store the `id` before you
   * redirect the payer: the gateway cannot be searched by order number.
   *
   * A change; repeating it creates another payment, so put no retry around it. After `OutcomeUnknown` you may still
   * create it again, if you send the payer only to the newest address that you have stored: no one has the address of
   * the lost payment. Do not repeat one with `allowed_card_token`, which is charged without the payer. Fails with
   * `OperationRefused` when the shop may not take the payment.
   *
   * To limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around
   * it you get no `OutcomeUnknown`, and so no record of what was sent.
   */
  readonly createPayment: (payment: CreatePaymentRequest) => CreatePaymentResponse

  /**
   * Reads a payment: its `state` says whether it is paid.
   *
   * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
   */
  readonly getPayment: (paymentId: GatewayId) => PaymentResponse

  /**
   * Returns money to the payer: all of it, or a part.
   *
   * A change; repeating it may return the money twice. Success with `result: "ACCEPTED"` means accepted, not yet done.
   * Fails with `PaymentNotFound` when the payment is another merchant's or unknown; an id that cannot be a payment's is
   * an `InvalidRequest` for the field `id`. Fails with `OperationRefused` when the payment is in a state that has
   * nothing to refund (303), the amount is too large (332), or the merchant's account holds too little (333). The
   * gateway may take longer than 30 seconds.
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done.
   * To limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around
   * it you get no `OutcomeUnknown`, and so not the record that `reconcile` takes.
   */
  readonly refundPayment: (paymentId: GatewayId, refund: RefundPaymentRequest) => PaymentOperationResponse

  /**
   * Lists the refunds of a payment. Their order is not documented.
   *
   * A read. Fails with `PaymentNotFound` when the gateway knows no such payment.
   */
  readonly getPaymentRefunds: (paymentId: GatewayId) => ReadonlyArray<RefundHistoryItem>

  /**
   * Charges an `ON_DEMAND` recurrence once more: `paymentId` is its first payment. Returns the new payment.
   *
   * Success means that the new payment exists, not that it is paid: read it, or wait for its notification.
   *
   * A change; repeating it may charge twice. Fails with `OperationRefused`: 340 if it failed or `paymentId` is unknown
   * (it may be retried later), 342 if the recurrence is stopped.
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done.
   * To limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around
   * it you get no `OutcomeUnknown`, and so not the record that `reconcile` takes.
   */
  readonly createRecurrence: (paymentId: GatewayId, recurrence: CreateRecurrenceRequest) => PaymentResponse

  /**
   * Stops a recurrence for good: `paymentId` is its first payment.
   *
   * A change. Fails with `OperationRefused`: 340 for an unknown payment, 342 with `goalReached` when it is stopped
   * already.
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done.
   * To limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around
   * it you get no `OutcomeUnknown`, and so not the record that `reconcile` takes.
   */
  readonly voidRecurrence: (paymentId: GatewayId) => PaymentOperationResponse

  /**
   * Captures all of the sum that a preauthorized payment holds on the card; `captureAuthorizationPartial` captures a
   * part.
   *
   * A change. Fails with `OperationRefused`: 350 when there is nothing to capture, 351 with `goalReached` when it is
   * captured already.
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done.
   * To limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around
   * it you get no `OutcomeUnknown`, and so not the record that `reconcile` takes.
   */
  readonly captureAuthorization: (paymentId: GatewayId) => PaymentOperationResponse

  /**
   * Captures a part of the sum that a preauthorized payment holds on the card; the rest is released.
   *
   * A change. Fails with `OperationRefused`: 350 when there is nothing to capture, 351 with `goalReached` when it is
   * captured already (by how much is not known).
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done.
   * To limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around
   * it you get no `OutcomeUnknown`, and so not the record that `reconcile` takes.
   */
  readonly captureAuthorizationPartial: (
    paymentId: GatewayId,
    capture: CaptureAuthorizationPartialRequest
  ) => PaymentOperationResponse

  /**
   * Releases the sum that a preauthorized payment holds on the card.
   *
   * A change. Fails with `OperationRefused`: 352 when it is captured or was never authorized, 353 with `goalReached`
   * when it is released already.
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done.
   * To limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around
   * it you get no `OutcomeUnknown`, and so not the record that `reconcile` takes.
   */
  readonly voidAuthorization: (paymentId: GatewayId) => PaymentOperationResponse

  /**
   * Reads a stored card. A deleted card can still be read, with `status: "DELETED"`.
   *
   * A read. Fails with `CardNotFound` when the gateway knows no such card.
   */
  readonly getCardDetails: (cardId: GatewayId) => CardDetailsResponse

  /**
   * Deletes a stored card. Deleting it again succeeds as well.
   *
   * A change. Fails with `CardNotFound` when the gateway knows no such card.
   *
   * After `OutcomeUnknown` delete it again: that does no harm. To limit its time, use `AttemptTimeout` (`timeout` with
   * promises). With `Effect.timeout` or `Promise.race` around it you get no `OutcomeUnknown`, and so not the record of
   * what was sent.
   */
  readonly deleteCard: (cardId: GatewayId) => void

  /**
   * Lists the payment methods that a shop offers in one currency. `goid` is the configured merchant when `undefined`.
   *
   * A read. An unknown `goid` is an `InvalidRequest`.
   */
  readonly getPaymentInstruments: (goid: GatewayId | undefined, currency: Currency) => PaymentInstrumentsResponse

  /**
   * Lists the payment methods that a shop offers, in all currencies. `goid` is the configured merchant when absent.
   *
   * A read. An unknown `goid` is an `InvalidRequest`.
   */
  readonly getPaymentInstrumentsAll: (goid?: GatewayId) => PaymentInstrumentsAllResponse

  /**
   * Downloads an account statement. `toText()` of the response finds the encoding; `data` has the bytes as received.
   * `goid` is the configured merchant when absent.
   *
   * A read (a POST that, as far as is known, changes nothing). An HTML page, a JSON response or an empty one is not a
   * statement: `UnexpectedResponse`.
   */
  readonly getAccountStatement: (statement: AccountStatementRequest) => AccountStatementResponse

  /**
   * Reads the QR codes for paying by bank transfer, as base64 pictures.
   *
   * A read. In the official SDKs since 2025; GoPay enables it per shop. Fails with `PaymentNotFound` when the gateway
   * knows no such payment.
   */
  readonly getPaymentQr: (paymentId: GatewayId, qr?: PaymentQrRequest) => PaymentQrResponse
}

/** The operations that may move money or alter something; the gateway has no idempotency key for them. */
export type ChangeOperation =
  | "createPayment"
  | "refundPayment"
  | "createRecurrence"
  | "voidRecurrence"
  | "captureAuthorization"
  | "captureAuthorizationPartial"
  | "voidAuthorization"
  | "deleteCard"

/** The operations that change nothing at the gateway; repeating them is harmless. */
export type ReadOperation = Exclude<keyof GatewayOperations, ChangeOperation> | "getAccessToken" | "reconcile"

/** Every operation, by its method's name. `sendRequest` sends a custom request, of either kind. */
export type OperationName = ReadOperation | ChangeOperation | "sendRequest"

/**
 * A custom request. It gets the same token, errors and safety as the operations.
 *
 * @category calls
 */
export interface CustomRequest {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /**
   * Relative to the API's base address, with its query: `/payments/payment/3000006542/something-new?detail=1`. It has
   * to stay below that address for every reader: `.` and `..`, control characters, a backslash, and an encoded `/`, `?`
   * or `#` in it are refused. Encode your own texts with `encodeURIComponent`.
   */
  readonly path: `/${string}`
  /**
   * Whether repeating it does harm. A `read` is retried automatically while the gateway is unavailable. A `change` is
   * sent again only if it certainly was not carried out, and fails with `OutcomeUnknown` if that is unknown. Any method
   * but `GET` is a `change`: as a `read`, a refund would be repeated, and pay twice. Only the account statement, which
   * is known to be a read by `POST`, may be a `read`; others are refused.
   */
  readonly kind: "read" | "change"
  /**
   * A JSON value, for a JSON body; absent or `undefined`: no body. Values that JSON would lose or change are refused,
   * with their path: a function, `NaN`, a `bigint`, a `Date`, a `Map`, an object with `toJSON`, `undefined` in a list.
   */
  readonly body?: unknown
  /** For a form-encoded body, instead of `body`. */
  readonly form?: { readonly [field: string]: string | number | boolean } | undefined
}
