/**
 * A payment to try the gateway with, created as a shop would.
 *
 * @import { Merchants } from "./page/controlResponses.js"
 */
import { base, read } from "./page/api.js"

const address = `${location.origin}${base}`

/**
 * The response is trusted to be as the API documents it; the caller names its type.
 *
 * @param {string} path
 * @param {{ readonly [name: string]: string }} headers
 * @param {string} body
 */
const post = async (path, headers, body) => {
  const response = await fetch(`${address}/api${path}`, { method: "POST", headers, body })
  if (!response.ok) throw new Error(`The gateway responded with status ${response.status}.`)
  return response.json()
}

/**
 * Creates it at the first merchant. Its payer comes back to the dashboard.
 *
 * @returns {Promise<number>} Its id.
 */
export const createTestPayment = async () => {
  /** @type {Merchants} */
  const { merchants } = await read("/merchants")
  const [merchant] = merchants
  if (merchant === undefined) throw new Error("The gateway has no merchant.")
  const { client_id, client_secret, goid } = merchant
  /** @type {{ access_token: string }} */
  const { access_token } = await post(
    "/oauth2/token",
    {
      authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
      "content-type": "application/x-www-form-urlencoded"
    },
    "grant_type=client_credentials&scope=payment-create"
  )
  const name = "Test payment"
  /** @type {{ id: number }} */
  const { id } = await post(
    "/payments/payment",
    { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    JSON.stringify({
      target: { type: "ACCOUNT", goid },
      amount: 139_950,
      currency: "CZK",
      order_number: "TEST-1",
      order_description: name,
      items: [{ name, amount: 139_950, count: 1 }],
      lang: "EN",
      callback: { return_url: `${address}/`, notification_url: `${address}/` }
    })
  )
  return id
}
