/**
 * The tasks that a client is used for, for the page of the documentation that leads from a task to the method. The
 * client does not import it.
 */
import type { GatewayClient } from "./GatewayClient.js"

type Method = {
  [Name in Extract<keyof GatewayClient, string>]: GatewayClient[Name] extends (...args: never) => unknown ? Name : never
}[Extract<keyof GatewayClient, string>]

/** Each method and its task, in the order of a shop's life. */
export const clientTasks = {
  createPayment: "Take a payment",
  getEmbedJsUrl: "Take a payment",
  getPaymentQr: "Take a payment",
  getPaymentInstruments: "Take a payment",
  getPaymentInstrumentsAll: "Take a payment",
  createNotificationHandler: "Know that it is paid",
  verifyPayment: "Know that it is paid",
  getPayment: "Know that it is paid",
  awaitPayment: "Know that it is paid",
  refundPayment: "Return money",
  getPaymentRefunds: "Return money",
  captureAuthorization: "Hold money, then capture or release it",
  captureAuthorizationPartial: "Hold money, then capture or release it",
  voidAuthorization: "Hold money, then capture or release it",
  createRecurrence: "Charge again and again",
  voidRecurrence: "Charge again and again",
  getCardDetails: "Stored cards",
  deleteCard: "Stored cards",
  getAccountStatement: "Bookkeeping",
  reconcile: "When the response to a change is lost",
  warm: "The client itself",
  close: "The client itself",
  sendRequest: "The client itself"
} as const satisfies { readonly [Name in Method]: string }
