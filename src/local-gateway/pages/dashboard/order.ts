/**
 * Calls to the gateway's own API, as made by a shop.
 */
import { basePathV4, endpointsV4 } from "../../../contract/EndpointV4.js"
import { basePathV3 } from "../../server/ApiPath.js"
import { base, call, read } from "./api.js"
import type { Access } from "./copies.js"
import { addressOf } from "./place.js"
import { gatewayUrl, state } from "./state.js"

/** The credentials of a shop; of the first one without a GoID. To be copied, never shown. */
export const accessOf = async (goid?: number): Promise<Access> => {
  const { merchants } = await read("/merchants")
  const merchant = goid === undefined ? merchants[0] : merchants.find((known) => known.goid === goid)
  if (merchant === undefined) throw new Error("This merchant no longer exists.")
  return { ...merchant, url: gatewayUrl.value }
}

/** The header by which a shop asks for a token. */
export const basicAuthorization = ({ client_id, client_secret }: Access): string =>
  `Basic ${btoa(`${client_id}:${client_secret}`)}`

/** Where each API issues tokens, and the scopes of a token for everything. */
const tokenRequests = {
  v3: { path: `${basePathV3}/oauth2/token`, scope: "payment-all" },
  v4: {
    path: `${basePathV4}${endpointsV4.getAccessToken.path}`,
    scope: "payment:write payment:read card:write card:read shared:read"
  }
}

/** Whether a path is the token endpoint of an API. */
export const givesToken = (path: string): boolean => Object.values(tokenRequests).some((one) => one.path === path)

/** A token of a shop for one of the APIs. */
export const tokenOf = async (access: Access, api: keyof typeof tokenRequests = "v3"): Promise<string> => {
  const { path, scope } = tokenRequests[api]
  const { access_token } = await call<{ readonly access_token: string }>(path, {
    method: "POST",
    headers: { authorization: basicAuthorization(access), "content-type": "application/x-www-form-urlencoded" },
    body: String(new URLSearchParams({ grant_type: "client_credentials", scope }))
  })
  return access_token
}

/** Creates a payment and opens it. Returns the announcement. */
export const createPayment = async (order: object, goid?: number): Promise<string> => {
  const access = await accessOf(goid)
  const { id } = await call<{ readonly id: number }>("/api/payments/payment", {
    method: "POST",
    headers: { authorization: `Bearer ${await tokenOf(access)}`, "content-type": "application/json" },
    body: JSON.stringify({ target: { type: "ACCOUNT", goid: access.goid }, ...order })
  })
  location.hash = addressOf({ tab: "payments", id: String(id), search: {} })
  return `The payment ${id} was created.`
}

/** A payment to try the gateway with. Its payer returns to the dashboard, and no shop is notified. */
export const testOrder = () => {
  const name = "Test payment"
  return {
    amount: 139_950,
    currency: "CZK",
    order_number: `TEST-${(state.peek()?.payments.total ?? 0) + 1}`,
    order_description: name,
    items: [{ name, amount: 139_950, count: 1 }],
    lang: "EN",
    callback: { return_url: `${location.origin}${base}/` }
  }
}
