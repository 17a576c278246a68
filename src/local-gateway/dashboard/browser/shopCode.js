/**
 * Code that connects a shop: in several languages, with nothing installed but the language.
 *
 * @import { Access } from "./page/copies.js"
 */
import { orderAsCurl } from "./page/copies.js"

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  order_description: "Kšiltovka",
  callback: { return_url: "http://localhost:3000/return", notification_url: "http://localhost:3000/notify" }
}

/** @type {(access: Access) => string} */
const orderJson = ({ goid }) => JSON.stringify({ target: { type: "ACCOUNT", goid }, ...order }, null, 2)

/** A text in double quotes, as JavaScript, Python, Java and C# write it. @type {(text: string) => string} */
const quoted = (text) => JSON.stringify(text)

/** A text in single quotes, within which PHP and Ruby replace nothing. @type {(text: string) => string} */
const plain = (text) => `'${text.replaceAll(/['\\]/g, "\\$&")}'`

/** @type {(access: Access) => string} */
const curl = (access) => orderAsCurl(JSON.parse(orderJson(access)), access)

/** @type {(access: Access) => string} */
const node = ({ client_id, client_secret, goid, url }) => `// npm install effect-gopay
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

/** @type {(access: Access) => string} */
const php = ({ client_id, client_secret, goid, url }) => `<?php
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

/** @type {(access: Access) => string} */
const python = ({ client_id, client_secret, goid, url }) => `import base64, json, urllib.request

gateway = ${quoted(url)}

def post(path, headers, body):
    with urllib.request.urlopen(urllib.request.Request(gateway + path, body.encode(), headers)) as response:
        return json.load(response)

token = post("/api/oauth2/token", {
    "Authorization": "Basic " + base64.b64encode(${quoted(`${client_id}:${client_secret}`)}.encode()).decode(),
    "Content-Type": "application/x-www-form-urlencoded",
}, "grant_type=client_credentials&scope=payment-all")["access_token"]

payment = post("/api/payments/payment", {
    "Authorization": "Bearer " + token,
    "Content-Type": "application/json",
}, json.dumps({
    "target": {"type": "ACCOUNT", "goid": ${goid}},
    "amount": ${order.amount},  # haléře
    "currency": "CZK",
    "order_number": "${order.order_number}",
    "order_description": "${order.order_description}",
    "callback": {
        "return_url": "${order.callback.return_url}",
        "notification_url": "${order.callback.notification_url}",
    },
}, ensure_ascii=False))  # GoPay's firewall refuses \\u escapes
print("send the payer to", payment["gw_url"])
`

/** @type {(access: Access) => string} */
const ruby = ({ client_id, client_secret, goid, url }) => `require "json"
require "net/http"

gateway = ${plain(url)}
credentials = [${plain(`${client_id}:${client_secret}`)}].pack("m0")

post = lambda do |path, headers, body|
  JSON.parse(Net::HTTP.post(URI(gateway + path), body, headers).body)
end

token = post.call("/api/oauth2/token", {
  "Authorization" => "Basic " + credentials,
  "Content-Type" => "application/x-www-form-urlencoded"
}, "grant_type=client_credentials&scope=payment-all")["access_token"]

payment = post.call("/api/payments/payment", {
  "Authorization" => "Bearer " + token,
  "Content-Type" => "application/json"
}, JSON.generate({
  target: { type: "ACCOUNT", goid: ${goid} },
  amount: ${order.amount}, # haléře
  currency: "CZK",
  order_number: "${order.order_number}",
  order_description: "${order.order_description}",
  callback: {
    return_url: "${order.callback.return_url}",
    notification_url: "${order.callback.notification_url}"
  }
}))
puts "send the payer to " + payment["gw_url"]
`

/** @type {(access: Access) => string} */
const java = (access) => `// java Shop.java
import java.net.URI;
import java.net.http.*;
import java.util.Base64;
import java.util.regex.Pattern;

public class Shop {
  static final String GATEWAY = ${quoted(access.url)};

  static String post(String path, String authorization, String type, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(GATEWAY + path))
        .header("Authorization", authorization)
        .header("Content-Type", type)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  // A shop has a JSON library for this.
  static String member(String json, String name) {
    var found = Pattern.compile("\\"" + name + "\\":\\"([^\\"]*)\\"").matcher(json);
    if (!found.find()) throw new IllegalStateException(json);
    return found.group(1);
  }

  public static void main(String[] args) throws Exception {
    var credentials = Base64.getEncoder().encodeToString(${quoted(`${access.client_id}:${access.client_secret}`)}.getBytes());
    var token = member(post("/api/oauth2/token", "Basic " + credentials,
        "application/x-www-form-urlencoded", "grant_type=client_credentials&scope=payment-all"), "access_token");
    var order = """
${orderJson(access).replaceAll(/^/gm, "        ")}
        """;
    var payment = post("/api/payments/payment", "Bearer " + token, "application/json", order);
    System.out.println("send the payer to " + member(payment, "gw_url"));
  }
}
`

/** @type {(access: Access) => string} */
const dotnet = (access) => `// dotnet run Shop.cs (.NET 10), or as the Program.cs of a console application
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;

using var http = new HttpClient();
const string gateway = ${quoted(access.url)};

async Task<JsonElement> Post(string path, AuthenticationHeaderValue authorization, HttpContent content)
{
    using var request = new HttpRequestMessage(HttpMethod.Post, gateway + path) { Content = content };
    request.Headers.Authorization = authorization;
    var response = await http.SendAsync(request);
    return JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;
}

var credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes(${quoted(`${access.client_id}:${access.client_secret}`)}));
var token = await Post("/api/oauth2/token", new("Basic", credentials), new FormUrlEncodedContent(
    new Dictionary<string, string> { ["grant_type"] = "client_credentials", ["scope"] = "payment-all" }));

var order = """
${orderJson(access).replaceAll(/^/gm, "    ")}
    """;
var payment = await Post("/api/payments/payment", new("Bearer", token.GetProperty("access_token").GetString()),
    new StringContent(order, Encoding.UTF8, "application/json"));
Console.WriteLine("send the payer to " + payment.GetProperty("gw_url").GetString());
`

/**
 * The code by language, in the order of the choice.
 *
 * @type {Readonly<Record<string, (access: Access) => string>>}
 */
export const shopCode = { "Node.js": node, PHP: php, Python: python, Java: java, ".NET": dotnet, Ruby: ruby, curl }
