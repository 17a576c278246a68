/**
 * A payment's order, and a call, as code that sends them again.
 *
 * @import { EntryOf } from "./controlResponses.js"
 */

/**
 * The credentials of a merchant, and the address of its gateway.
 *
 * @typedef {{ readonly goid: number, readonly client_id: string, readonly client_secret: string, readonly url: string }} Access
 */

/** @type {(text: string) => string} */
const inShell = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * An order, as `createPayment` takes it.
 *
 * @typedef {{ readonly target?: unknown, readonly [member: string]: unknown }} Order
 */

/**
 * The commands of a shell that create a payment with the same order.
 *
 * @param {Order} order
 * @param {Access} access
 * @returns {string}
 */
export const orderAsCurl = (order, { client_id, client_secret, url }) =>
  [
    `url=${inShell(`${url}/api`)}`,
    `TOKEN=$(curl -s -u ${inShell(`${client_id}:${client_secret}`)} -d 'grant_type=client_credentials&scope=payment-all' "$url/oauth2/token" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s "$url/payments/payment" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d ${inShell(JSON.stringify(order, null, 2))}`,
    ""
  ].join("\n")

/** @type {(text: string) => string} */
const withBareNames = (text) => text.replaceAll(/^(\s*)"([A-Za-z_]\w*)": /gm, "$1$2: ")

/** @type {(value: unknown) => string} */
const inTypeScript = (value) => withBareNames(JSON.stringify(value, null, 2))

/**
 * The TypeScript that creates a payment with the same order. The client itself adds the shop.
 *
 * @param {Order} order
 * @param {Access} access
 * @returns {string}
 */
export const orderAsTypeScript = ({ target: _target, ...order }, { client_id, client_secret, goid, url }) =>
  [
    `import { createGatewayClient } from "effect-gopay/promise"`,
    "",
    `const gateway = createGatewayClient(${inTypeScript({ goid, clientId: client_id, clientSecret: client_secret, environment: url })})`,
    "",
    `const payment = await gateway.createPayment(${inTypeScript(order)})`,
    "console.log(payment.id, payment.gw_url)",
    ""
  ].join("\n")

/** Headers that curl sets by itself, or that belong to the original caller. */
const left = /^(host|connection|content-length|accept-encoding|user-agent|authorization|cookie|traceparent|b3|sec-.*)$/

/**
 * The command of a shell that sends a call of the log again, with the token in `TOKEN`.
 *
 * @param {EntryOf<"request">} entry
 * @param {string} url
 * @returns {string}
 */
export const callAsCurl = ({ headers, method, path, query, request_body }, url) => {
  const kept = Object.entries(headers).filter(([name]) => !left.test(name))
  return [
    `curl -s -X ${method} ${inShell(`${url}${path}${query === "" ? "" : `?${query}`}`)}`,
    ...("authorization" in headers ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...kept.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(request_body === "" ? [] : [`-d ${inShell(request_body)}`]),
    ""
  ]
    .join(" ")
    .trimEnd()
}
