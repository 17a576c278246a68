/**
 * Code to be copied: an order or a call to be sent again, and an order to start with.
 */
import type { EntryOf } from "./api.js"

/** The credentials of a merchant, and the address of its gateway. */
export interface Access {
  readonly goid: number
  readonly client_id: string
  readonly client_secret: string
  readonly url: string
}

/** A text in single quotes for a shell. */
export const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The variables by which the commands and this package's client find the gateway. */
export const environmentText = ({ client_id, client_secret, goid, url }: Access): string =>
  Object.entries({
    GOPAY_GOID: goid,
    GOPAY_CLIENT_ID: client_id,
    GOPAY_CLIENT_SECRET: client_secret,
    GOPAY_ENVIRONMENT: url
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join("")

/** Shell commands that create a payment with the same order. */
export const orderAsCurl = (order: object, { client_id, client_secret, url }: Access): string =>
  [
    `url=${inShell(`${url}/api`)}`,
    `TOKEN=$(curl -s -u ${inShell(`${client_id}:${client_secret}`)} -d 'grant_type=client_credentials&scope=payment-all' "$url/oauth2/token" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s "$url/payments/payment" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d ${inShell(JSON.stringify(order, null, 2))}`,
    ""
  ].join("\n")

const withBareNames = (text: string): string => text.replaceAll(/^(\s*)"([A-Za-z_]\w*)": /gm, "$1$2: ")

const inTypeScript = (value: unknown): string => withBareNames(JSON.stringify(value, null, 2))

/** The TypeScript that creates a payment with the same order. The client itself adds the shop. */
export const orderAsTypeScript = (
  { target: _target, ...order }: { readonly target?: unknown },
  { client_id, client_secret, goid, url }: Access
): string =>
  [
    `import { createGatewayClient } from "effect-gopay/promise"`,
    "",
    `const gateway = createGatewayClient(${inTypeScript({ goid, clientId: client_id, clientSecret: client_secret, environment: url })})`,
    "",
    `const payment = await gateway.createPayment(${inTypeScript(order)})`,
    "console.log(payment.id, payment.gw_url)",
    ""
  ].join("\n")

/** Headers that a client sets by itself, or that belong to the original caller. */
const left = /^(host|connection|content-length|accept-encoding|user-agent|authorization|cookie|traceparent|b3|sec-.*)$/

/** The path of a call of the log, with its query. */
export const targetOf = ({ path, query }: EntryOf<"request">): string => (query === "" ? path : `${path}?${query}`)

/** The headers with which a logged call is sent again, besides the credentials. */
export const keptHeaders = ({ headers }: EntryOf<"request">): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(headers).filter(([name]) => !left.test(name))

/** The shell command that sends a logged call again, with the token in `TOKEN`. */
export const callAsCurl = (entry: EntryOf<"request">, url: string): string =>
  [
    `curl -s -X ${entry.method} ${inShell(`${url}${targetOf(entry)}`)}`,
    ...("authorization" in entry.headers ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...keptHeaders(entry).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(entry.request_body === "" ? [] : [`-d ${inShell(entry.request_body)}`])
  ].join(" ")

/** An order to try. */
const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  order_description: "Kšiltovka",
  callback: { return_url: "http://localhost:3000/return", notification_url: "http://localhost:3000/notify" }
}

const ofShop = ({ goid }: Access) => ({ target: { type: "ACCOUNT", goid }, ...order })

/** A text in single quotes, in which PHP substitutes nothing. */
const plain = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`

const php = ({ client_id, client_secret, goid, url }: Access): string => `<?php
$gateway = ${plain(url)};

function post(string $url, array $headers, string $body): array {
    $http = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true];
    return json_decode(file_get_contents($url, false, stream_context_create(['http' => $http])), true);
}

$token = post("$gateway/api/oauth2/token", [
    'Authorization: Basic ' . base64_encode(${plain(`${client_id}:${client_secret}`)}),
    'Content-Type: application/x-www-form-urlencoded',
], 'grant_type=client_credentials&scope=payment-all')['access_token'];

$payment = post("$gateway/api/payments/payment", [
    "Authorization: Bearer $token",
    'Content-Type: application/json',
], json_encode([
    'target' => ['type' => 'ACCOUNT', 'goid' => ${goid}],
    'amount' => ${order.amount}, // haléře
    'currency' => 'CZK',
    'order_number' => '${order.order_number}',
    'order_description' => '${order.order_description}',
    'callback' => [
        'return_url' => '${order.callback.return_url}',
        'notification_url' => '${order.callback.notification_url}',
    ],
], JSON_UNESCAPED_UNICODE)); // GoPay's firewall refuses \\u escapes
echo "send the payer to {$payment['gw_url']}\\n";
`

/** Code that connects a shop without further packages, in the order of the choices. */
export const shopCode = {
  "Node.js": (access: Access): string => `// npm install effect-gopay\n${orderAsTypeScript(ofShop(access), access)}`,
  PHP: php,
  curl: (access: Access): string => orderAsCurl(ofShop(access), access)
} satisfies { readonly [language: string]: (access: Access) => string }
