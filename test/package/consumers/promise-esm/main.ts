/**
 * Plain TypeScript with no types but the language's and the DOM's, and nothing installed beside the package.
 */
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import {
  createGatewayClient,
  GatewayError,
  type CreatePaymentRequest,
  type GatewayClient,
  type PaymentResponse
} from "effect-gopay/promise"
import { parseStatement, reconcileStatement, StatementError, type ParsedStatement } from "effect-gopay/statement"
import { startGateway } from "../loopback-gateway.cjs"

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`)
}

const order: CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
}

const csv = `ID pohybu;Datum;Typ;Protistrana;Subjekt/E-mail;Bank.účet - prefix;Bank.účet - číslo;Bank.účet - kód banky;ID objednávky/VS;Částka;Počáteční stav;Koncový stav;Měna;ID referenčního pohybu
1;01.06.2026 10:00;GOPAY-platba;;;;;;2026-0042;1 399,50;0,00;1 399,50;CZK;
`
const statement: ParsedStatement = parseStatement(new TextEncoder().encode(csv))
const payments = [{ amount: 139_950, paidOn: "2026-06-01" }]
const { agrees } = reconcileStatement(statement, { orders: [{ orderNumber: "2026-0042", currency: "CZK", payments }] })
expect("the statement", agrees, true)
try {
  parseStatement(new Uint8Array())
} catch (error) {
  expect("what is no statement", error instanceof StatementError && error.reason._tag, "UnknownStatement")
}

const { changes, sentOver, stop, url } = await startGateway()
const gateway: GatewayClient = createGatewayClient({
  goid: 8_123_456_781,
  clientId: "1234567884",
  clientSecret: "a-secret",
  environment: url,
  language: "CS"
})

try {
  const created = await gateway.createPayment(order)
  expect("the pay page", created.gw_url, "https://gw.example/pay/3000006529")

  const payment: PaymentResponse = await gateway.getPayment(created.id)
  expect("the state", payment.state, "PAID")

  const error: unknown = await gateway.refundPayment(payment.id, { amount: 5_000 }).then(
    () => undefined,
    (refused: unknown) => refused
  )
  if (!(error instanceof GatewayError)) throw new Error("expected a GatewayError")
  expect("the error's name", error.name, "GatewayError")
  expect("the reason", error.reason._tag, "OperationRefused")
  if (error.reason._tag === "OperationRefused") expect("the code", error.reason.code, 330)

  // Runtimes may repeat a request by themselves. Money must not move twice.
  for (const change of [
    () => gateway.refundPayment(3_000_006_542, { amount: 5_000 }),
    () => gateway.captureAuthorization(3_000_006_542),
    () => gateway.deleteCard(3_000_006_542),
    () => gateway.refundPayment(3_000_006_543, { amount: 1_000 }),
    () => gateway.voidAuthorization(3_000_006_543)
  ]) {
    await gateway.getPayment(payment.id)
    const outcome: unknown = await change().catch((lost: unknown) => lost)
    expect("what is lost", outcome instanceof GatewayError && outcome.reason._tag, "OutcomeUnknown")
  }
  const sent = "refund amount=5000, capture, 3000006542, refund amount=1000, void-authorization"
  expect("what the gateway read of it", changes.join(", "), sent)

  const isNode = !("Deno" in globalThis || "Bun" in globalThis)
  expect("what sends them", [...sentOver].join(), isNode ? "sockets" : "fetch")

  const script: string = gateway.getEmbedJsUrl()
  expect("the script", script, `${url}/gp-gw/js/embed.js`)
} finally {
  await gateway.close()
  await stop()
}

const local = await startLocalGateway()
const client = createGatewayClient(local.merchant)
try {
  const { id } = await client.createPayment(order)
  await local.payByCard(id)
  expect("the state at a local gateway", (await client.getPayment(id)).state, "PAID")
} finally {
  await client.close()
  await local.close()
}

console.log(
  "promise-esm: a payment created, read, its refund refused; lost changes sent once; one paid at a local gateway"
)
