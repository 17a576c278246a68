/**
 * Every operation with arguments that are right, for tests that hold for all of them.
 */
import type * as Effect from "effect/Effect"
import * as Client from "../../src/index.js"

export const id = 3090066980

export const payment: Client.CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
}

export const statement: Client.AccountStatementRequest = {
  date_from: "2026-01-01",
  date_to: "2026-01-31",
  goid: 8123456781,
  currency: "CZK",
  format: "CSV_A"
}

const charge: Client.CreateRecurrenceRequest = { amount: 500, currency: "CZK", order_number: "2026-0043" }

type Program = Effect.Effect<unknown, Client.GatewayError, Client.Gateway>

export const reads = {
  getPayment: () => Client.getPayment(id),
  getPaymentRefunds: () => Client.getPaymentRefunds(id),
  getCardDetails: () => Client.getCardDetails(3003000011),
  getPaymentInstruments: () => Client.getPaymentInstruments(8123456781, "CZK"),
  getPaymentInstrumentsAll: () => Client.getPaymentInstrumentsAll(8123456781),
  getAccountStatement: () => Client.getAccountStatement(statement),
  getPaymentQr: () => Client.getPaymentQr(id)
} satisfies { readonly [Name in Exclude<keyof Client.GatewayOperations, Client.ChangeOperation>]: () => Program }

export const changes = {
  createPayment: () => Client.createPayment(payment),
  refundPayment: () => Client.refundPayment(id, { amount: 5_000 }),
  createRecurrence: () => Client.createRecurrence(id, charge),
  voidRecurrence: () => Client.voidRecurrence(id),
  captureAuthorization: () => Client.captureAuthorization(id),
  captureAuthorizationPartial: () => Client.captureAuthorizationPartial(id, { amount: 1_000 }),
  voidAuthorization: () => Client.voidAuthorization(id),
  deleteCard: () => Client.deleteCard(3003000011)
} satisfies { readonly [Name in Client.ChangeOperation]: () => Program }
