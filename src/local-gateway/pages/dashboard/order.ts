/**
 * Calls of the gateway's own API, as a shop makes them.
 */
import { base } from "./api.js"
import type { Access } from "./copies.js"
import { accessOf } from "./state.js"

const origin = (): string => `${location.origin}${base}`

/** A response of the gateway's API. */
export interface ApiResponse {
  readonly status: number
  readonly body: string
  readonly millis: number
}

/** Sends a call as it is. */
export const send = async (
  method: string,
  path: string,
  headers: { readonly [name: string]: string },
  body: string
): Promise<ApiResponse> => {
  const begun = performance.now()
  const response = await fetch(`${origin()}${path}`, { method, headers, ...(body === "" ? {} : { body }) })
  return { status: response.status, body: await response.text(), millis: performance.now() - begun }
}

/** The header by which a shop asks for a token. */
export const basicAuthorization = ({ client_id, client_secret }: Access): string =>
  `Basic ${btoa(`${client_id}:${client_secret}`)}`

/** A token of a shop. The response is trusted to be as the API documents it. */
export const tokenOf = async (access: Access): Promise<string> => {
  const headers = {
    authorization: basicAuthorization(access),
    "content-type": "application/x-www-form-urlencoded"
  }
  const { body, status } = await send(
    "POST",
    "/api/oauth2/token",
    headers,
    "grant_type=client_credentials&scope=payment-all"
  )
  if (status !== 200) throw new Error(`The gateway responded with status ${status} when asked for a token.`)
  const { access_token }: { readonly access_token: string } = JSON.parse(body)
  return access_token
}

/** Creates a payment, and gives its id. */
export const createPayment = async (order: object, goid?: number): Promise<number> => {
  const access = await accessOf(goid)
  const headers = { authorization: `Bearer ${await tokenOf(access)}`, "content-type": "application/json" }
  const text = JSON.stringify({ target: { type: "ACCOUNT", goid: access.goid }, ...order })
  const { body, status } = await send("POST", "/api/payments/payment", headers, text)
  if (status !== 200) throw new Error(`The gateway responded with status ${status}: ${body}`)
  const { id }: { readonly id: number } = JSON.parse(body)
  return id
}

/** A payment to try the gateway with. Its payer comes back to the dashboard. */
export const testOrder = () => {
  const name = "Test payment"
  return {
    amount: 139_950,
    currency: "CZK",
    order_number: "TEST-1",
    order_description: name,
    items: [{ name, amount: 139_950, count: 1 }],
    lang: "EN",
    callback: { return_url: `${origin()}/`, notification_url: `${origin()}/` }
  }
}
