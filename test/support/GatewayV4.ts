/**
 * What tests of API v4 have in common: an order, a recurrence, their ids, and a gateway over a scripted transport.
 */
import * as Layer from "effect/Layer"
import * as V4 from "../../src/client/v4/index.js"
import { merchant, type ScriptedTransport } from "./ScriptedTransport.js"

/** The order that GoPay's own tests create payments with. */
export const orderV4: V4.CreatePaymentRequestV4 = {
  amount: 100,
  currency: "CZK",
  order_number: "e2e-order",
  customer: { email: "payer@shop.test" },
  callback: { return_url: "https://example.com/return", notification_url: "https://example.com/notify" }
}

/** A recurrence that the shop charges. */
export const recurrenceV4: V4.CreateRecurrenceRequestV4 = {
  type: "ON_DEMAND",
  recurrence_date_to: "2099-12-31",
  payment: orderV4
}

export const paymentId = V4.paymentIdV4("7310000001")

export const recurrenceId = V4.recurrenceIdV4("55")

/** A gateway of API v4 over a scripted transport. */
export const gatewayV4Over = (transport: ScriptedTransport) =>
  Layer.provide(V4.GatewayV4.layer(merchant), transport.layer)
