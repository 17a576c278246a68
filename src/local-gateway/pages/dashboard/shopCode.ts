/**
 * Code that connects a shop, with nothing installed but its language.
 */
import { orderAsCurl, type Access } from "./copies.js"

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  order_description: "Kšiltovka",
  callback: { return_url: "http://localhost:3000/return", notification_url: "http://localhost:3000/notify" }
}

const orderJson = ({ goid }: Access): string => JSON.stringify({ target: { type: "ACCOUNT", goid }, ...order }, null, 2)

/** A text in double quotes, as JavaScript writes it. */
const quoted = (text: string): string => JSON.stringify(text)

/** A text in single quotes, within which PHP replaces nothing. */
const plain = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`

const curl = (access: Access): string => orderAsCurl(JSON.parse(orderJson(access)), access)

const node = ({ client_id, client_secret, goid, url }: Access): string => `// npm install effect-gopay
import { createGatewayClient } from "effect-gopay/promise"

const gateway = createGatewayClient({
  goid: ${goid},
  clientId: ${quoted(client_id)},
  clientSecret: ${quoted(client_secret)},
  environment: ${quoted(url)}
})

const payment = await gateway.createPayment({
  amount: ${order.amount}, // haléře
  currency: "CZK",
  order_number: "${order.order_number}",
  order_description: "${order.order_description}",
  callback: { return_url: "${order.callback.return_url}", notification_url: "${order.callback.notification_url}" }
})
console.log("send the payer to", payment.gw_url)
await gateway.close()
`

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

/** The code by language, in the order of the choice. */
export const shopCode: { readonly [language: string]: (access: Access) => string } = { "Node.js": node, PHP: php, curl }
