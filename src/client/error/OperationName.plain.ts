/**
 * The operations by name, and what kind each is.
 */

/** The operations of the gateway, by their method's name. */
export type OperationName = ReadOperation | ChangeOperation

/** The operations that leave the gateway's books as they are; repeating them is harmless. */
export type ReadOperation =
  | "getAccessToken"
  | "getPayment"
  | "getPaymentRefunds"
  | "getCardDetails"
  | "getPaymentInstruments"
  | "getPaymentInstrumentsAll"
  | "getAccountStatement"
  | "getPaymentQr"
  | "reconcile"

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
