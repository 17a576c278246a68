/**
 * The equivalents of other clients' calls: the "after" of docs/coming-from.
 */
import { clientId, clientSecret, environment, goid, local } from "./local-credentials.js"
import { createGatewayClient, type ExpectedPayment, GatewayError, isPaid } from "effect-gopay/promise"

const gateway = createGatewayClient({ goid, clientId, clientSecret, environment, language: "CS" })

const deliver = () => console.log("delivered")

const order = {
  amount: 139_950, // haléře, as a number
  currency: "CZK",
  order_number: "2026-0042",
  payer: { contact: { email: "karel@example.com" } },
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
}
const { gw_url, id } = await gateway.createPayment(order)

const stored = new Map<number, ExpectedPayment>([[id, order]])
await local.payByCard(id)
console.log(gw_url.startsWith(local.url))
const request = { url: `/return?id=${id}` }

const payment = await gateway.getPayment(id)
if (isPaid(payment)) deliver()

const verified = await gateway.verifyPayment(request.url, (id) => stored.get(id))
console.log(verified.payment.state)

await local.advanceTime("1 day") // a part can be refunded 24 hours after the payment

const { result } = await gateway.refundPayment(id, { amount: 39_950 })
console.log(result) // FINISHED, or ACCEPTED: made later

const refunds = await gateway.getPaymentRefunds(id)
console.log(`${refunds.length} refund`)

try {
  await gateway.refundPayment(id, { amount: 1_000_000 })
} catch (error) {
  if (!(error instanceof GatewayError)) throw error
  const { reason } = error
  // It was sent, and its outcome is unknown: never repeat it, but find out.
  if (reason._tag === "OutcomeUnknown") console.log((await gateway.reconcile(reason.change)).message)
  if (reason._tag === "OperationRefused") console.log(`refused with ${reason.code}: ${error.help}`)
}

const subscription = await gateway.createPayment({
  ...order,
  recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" }
})

await local.payByCard(subscription.id)

await gateway.createRecurrence(subscription.id, { amount: 19_900, currency: "CZK", order_number: "2026-0043" })
await gateway.voidRecurrence(subscription.id)

const hold = await gateway.createPayment({ ...order, preauthorization: true })

await local.payByCard(hold.id)

await gateway.captureAuthorizationPartial(hold.id, { amount: 99_950, items: [{ name: "Books", amount: 99_950 }] })

const other = await gateway.createPayment({ ...order, preauthorization: true })
await local.payByCard(other.id)

await gateway.voidAuthorization(other.id)

const { enabledPaymentInstruments } = await gateway.getPaymentInstruments(goid, "CZK")
console.log(`${enabledPaymentInstruments.length > 0}`)

const statement = await gateway.getAccountStatement({
  date_from: "2026-01-01",
  date_to: "2026-01-31",
  currency: "CZK",
  format: "CSV_A"
})
console.log(statement.toText() === "" ? "empty" : "a statement")

await gateway.close()
await local.close()
