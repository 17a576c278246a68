/**
 * The operations of a client, each with arguments, its request as the gateway documents it, and a response.
 */
import * as Struct from "effect/Struct"
import * as Endpoint from "../../src/contract/Endpoint.js"
import type { GatewayOperations } from "../../src/contract/GatewayOperations.js"
import type { CallOptions, GatewayClient } from "../../src/promise/index.js"
import type { Answer, Route } from "./ScriptedGateway.js"

/** A client's endpoints; what is made of these has tests of its own. */
export type EndpointClient = Omit<
  GatewayClient,
  "goid" | "warm" | "reconcile" | "sendRequest" | "verifyPayment" | "awaitPayment" | "createNotificationHandler"
>

export interface OperationCase {
  readonly name: keyof GatewayOperations
  readonly kind: "read" | "change"
  /** Calls the operation; `options` is its last argument. */
  readonly call: (client: EndpointClient, ...options: [CallOptions?]) => Promise<unknown>
  readonly route: Route
  readonly query?: string
  readonly contentType?: string
  readonly body?: string
  readonly answer: Answer
  readonly result: unknown
}

export const paymentId = 3000006542
export const cardId = 3011480505

export const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
}

export const payment = {
  id: paymentId,
  order_number: "2026-0042",
  state: "CREATED",
  amount: 139_950,
  currency: "CZK",
  target: { type: "ACCOUNT", goid: 8123456781 },
  lang: "en",
  gw_url: "https://gateway.example/gw/v3/d41d8cd98f00b204e9800998ecf8427e"
}

const form = "application/x-www-form-urlencoded"
const json = "application/json"

const at = (rest = ""): `/payments/payment/${number}${string}` => `/payments/payment/${paymentId}${rest}`

const finished = { id: paymentId, result: "FINISHED" }

const charge = { amount: 500, currency: "CZK", order_number: "2026-0043" }

const child = { ...payment, id: 3000006621, parent_id: paymentId, order_number: "2026-0043", amount: 500 }

const card = { card_id: cardId, card_number: "444444******4448", card_expiration: "3012", status: "ACTIVE" }

const refund = { id: 3000000013, state: "SUCCESS", amount: 5_000, currency: "CZK" }

const statement = { date_from: "2026-01-01", date_to: "2026-01-31", goid: 8123456781, currency: "CZK", format: "CSV_A" }

const groups = { "card-payment": { label: { cs: "Platební karta" } } }

const qr = { amount: 139_950, currency: "CZK", qr_code: { spayd: "iVBORw0KGgo=" } }

const cases: { readonly [Name in keyof GatewayOperations]: Omit<OperationCase, "name" | "kind"> } = {
  createPayment: {
    call: (client, ...options) => client.createPayment(order, ...options),
    route: "POST /payments/payment",
    contentType: json,
    body: JSON.stringify({ ...order, target: { type: "ACCOUNT", goid: 8123456781 }, lang: "EN" }),
    answer: { body: payment },
    result: payment
  },
  getPayment: {
    call: (client, ...options) => client.getPayment(paymentId, ...options),
    route: `GET ${at()}`,
    answer: { body: payment },
    result: payment
  },
  refundPayment: {
    call: (client, ...options) => client.refundPayment(paymentId, { amount: 5_000 }, ...options),
    route: `POST ${at("/refund")}`,
    contentType: form,
    body: "amount=5000",
    answer: { body: { id: paymentId, result: "ACCEPTED" } },
    result: { id: paymentId, result: "ACCEPTED" }
  },
  getPaymentRefunds: {
    call: (client, ...options) => client.getPaymentRefunds(paymentId, ...options),
    route: `GET ${at("/refunds")}`,
    answer: { body: [refund] },
    result: [refund]
  },
  createRecurrence: {
    call: (client, ...options) => client.createRecurrence(paymentId, charge, ...options),
    route: `POST ${at("/create-recurrence")}`,
    contentType: json,
    body: JSON.stringify(charge),
    answer: { body: child },
    result: child
  },
  voidRecurrence: {
    call: (client, ...options) => client.voidRecurrence(paymentId, ...options),
    route: `POST ${at("/void-recurrence")}`,
    contentType: form,
    answer: { body: finished },
    result: finished
  },
  captureAuthorization: {
    call: (client, ...options) => client.captureAuthorization(paymentId, ...options),
    route: `POST ${at("/capture")}`,
    contentType: form,
    answer: { body: finished },
    result: finished
  },
  captureAuthorizationPartial: {
    call: (client, ...options) => client.captureAuthorizationPartial(paymentId, { amount: 1_000 }, ...options),
    route: `POST ${at("/capture")}`,
    contentType: json,
    body: `{"amount":1000}`,
    answer: { body: finished },
    result: finished
  },
  voidAuthorization: {
    call: (client, ...options) => client.voidAuthorization(paymentId, ...options),
    route: `POST ${at("/void-authorization")}`,
    contentType: form,
    answer: { body: finished },
    result: finished
  },
  getCardDetails: {
    call: (client, ...options) => client.getCardDetails(cardId, ...options),
    route: `GET /payments/cards/${cardId}`,
    answer: { body: card },
    result: card
  },
  deleteCard: {
    call: (client, ...options) => client.deleteCard(cardId, ...options),
    route: `DELETE /payments/cards/${cardId}`,
    answer: { status: 204 },
    result: undefined
  },
  getPaymentInstruments: {
    call: (client, ...options) => client.getPaymentInstruments(8123456781, "CZK", ...options),
    route: "GET /eshops/eshop/8123456781/payment-instruments/CZK",
    answer: { body: { groups, enabledPaymentInstruments: [{ paymentInstrument: "PAYMENT_CARD" }] } },
    result: { groups, enabledPaymentInstruments: [{ paymentInstrument: "PAYMENT_CARD" }] }
  },
  getPaymentInstrumentsAll: {
    call: (client, ...options) => client.getPaymentInstrumentsAll(8123456781, ...options),
    route: "GET /eshops/eshop/8123456781/payment-instruments",
    answer: { body: { groups, enabledPaymentInstruments: { PAYMENT_CARD: { currencies: ["CZK", "EUR"] } } } },
    result: {
      groups,
      enabledPaymentInstruments: [{ paymentInstrument: "PAYMENT_CARD", currencies: ["CZK", "EUR"] }]
    }
  },
  getAccountStatement: {
    call: async (client, ...options) => {
      const file = await client.getAccountStatement(statement, ...options)
      const { contentDisposition, contentType, data } = file
      return { contentDisposition, contentType, bytes: [...new Uint8Array(data)], text: file.toText() }
    },
    route: "POST /accounts/account-statement",
    contentType: json,
    body: JSON.stringify(statement),
    answer: {
      headers: { "content-type": "application/octet-stream", "content-disposition": "attachment; filename=a.csv" },
      body: new Uint8Array([0xc8, 0x61, 0x73, 0x3b]) // windows-1250
    },
    result: {
      contentType: "application/octet-stream",
      contentDisposition: "attachment; filename=a.csv",
      bytes: [0xc8, 0x61, 0x73, 0x3b],
      text: "Čas;"
    }
  },
  getPaymentQr: {
    call: (client, ...options) => client.getPaymentQr(paymentId, { format: "svg" }, ...options),
    route: `GET ${at("/qr-payment")}`,
    query: "?format=svg",
    answer: { body: qr },
    result: qr
  }
}

const endpoints = { ...Endpoint }

export const operations: ReadonlyArray<OperationCase> = Struct.keys(cases).map((name) => ({
  name,
  kind: endpoints[name].kind,
  ...cases[name]
}))

export const reads = operations.filter(({ kind }) => kind === "read")

export const changes = operations.filter(({ kind }) => kind === "change")
