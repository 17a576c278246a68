/**
 * Requests of a merchant as they go over HTTP, without the client: for tests of the local gateway.
 */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ResponseSchema from "../../src/contract/ResponseSchema.js"
import type { PaymentResponse } from "../../src/contract/Messages.js"
import { LocalGateway } from "../../src/local-gateway/index.js"

/** A response, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string
}

/** What goes with a request. */
export interface Content {
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Sends a request as it is, without a token. */
export const send = (method: string, path: string, { body, headers = {} }: Content = {}) =>
  Effect.gen(function* () {
    const request = HttpClientRequest.makeWith(
      method,
      `http://localhost${path}`,
      UrlParams.empty,
      Option.none(),
      Headers.fromInput(headers),
      body === undefined ? HttpBody.empty : HttpBody.raw(body)
    )
    const response = yield* HttpClient.execute(request)
    const answer: Answer = { status: response.status, headers: response.headers, body: yield* response.text }
    return answer
  }).pipe(Effect.orDie)

const { clientId, clientSecret, goid } = LocalGateway.merchant

const form = { "content-type": "application/x-www-form-urlencoded" }
const json = { "content-type": "application/json" }

/** The merchant's credentials, as most clients send them. */
export const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`

/** Asks for a token. */
export const requestToken = (authorization = basic, body = "grant_type=client_credentials&scope=payment-all") =>
  send("POST", "/api/oauth2/token", { body, headers: { authorization, ...form } })

const TokenResponse = Schema.fromJsonString(ResponseSchema.AccessTokenResponse)
const PaymentAnswer = Schema.fromJsonString(ResponseSchema.PaymentResponse)

/** The token in a response. */
export const tokenIn = (answer: Answer): string => Schema.decodeUnknownSync(TokenResponse)(answer.body).access_token

/** The payment in a response. */
export const paymentIn = (answer: Answer): PaymentResponse => Schema.decodeUnknownSync(PaymentAnswer)(answer.body)

const ErrorAnswer = Schema.fromJsonString(ResponseSchema.ErrorResponse)

/** What a response refuses, in short: `409 G 303 PAYMENT_WRONG_STATE`, or with the field in place of the scope. */
export const refusalIn = (answer: Answer): string => {
  const { errors } = Schema.decodeUnknownSync(ErrorAnswer)(answer.body)
  const items = errors.map(
    ({ error_code, error_name, field, scope }) => `${field ?? scope} ${error_code} ${error_name}`
  )
  return `${answer.status} ${items.join(", ")}`
}

/** An order that the gateway takes. */
export const order = {
  amount: 10_000,
  currency: "CZK",
  order_number: "order-1",
  callback: { return_url: "http://localhost/return", notification_url: "http://localhost/notify" },
  target: { type: "ACCOUNT", goid },
  lang: "CS"
}

const payment = (id: number | string, rest = "") => `/payments/payment/${id}${rest}`

/** A shop that has a token. */
export const openShop = Effect.gen(function* () {
  const authorization = `Bearer ${tokenIn(yield* requestToken())}`
  const request = (method: string, path: string, { body, headers = {} }: Content = {}) =>
    send(method, `/api${path}`, { ...(body === undefined ? {} : { body }), headers: { authorization, ...headers } })
  const post = (path: string, content?: Content) => request("POST", path, content)
  const postJson = (path: string, body: unknown) => post(path, { body: JSON.stringify(body), headers: json })
  return {
    request,
    post,
    postJson,
    get: (path: string) => request("GET", path),
    remove: (path: string) => request("DELETE", path),
    create: (changes: object = {}) => Effect.map(postJson("/payments/payment", { ...order, ...changes }), paymentIn),
    read: (id: number) => Effect.map(request("GET", payment(id)), paymentIn),
    refund: (id: number | string, amount: number) =>
      post(payment(id, "/refund"), { body: `amount=${amount}`, headers: form }),
    refunds: (id: number | string) => request("GET", payment(id, "/refunds")),
    capture: (id: number | string, amount?: number) =>
      amount === undefined ? post(payment(id, "/capture")) : postJson(payment(id, "/capture"), { amount }),
    voidAuthorization: (id: number | string) => post(payment(id, "/void-authorization")),
    voidRecurrence: (id: number | string) => post(payment(id, "/void-recurrence")),
    charge: (id: number | string, changes: object = {}) =>
      postJson(payment(id, "/create-recurrence"), {
        amount: 2_500,
        currency: "CZK",
        order_number: "order-2",
        order_description: "next month",
        items: [{ name: "month", amount: 2_500 }],
        ...changes
      })
  }
})

/** Asks for a recurrence that the shop charges. */
export const onDemand = { recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } }
