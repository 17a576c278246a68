import { assert, describe, it } from "vitest"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { GatewayErrorV4, paymentIdV4 } from "effect-gopay/v4/promise"
import {
  chargeMonth,
  notificationHandler,
  openGateway,
  type OpenRefunds,
  type Order,
  type Orders,
  pay,
  refund,
  settle
} from "./shop-v4.js"

const order: Order = { number: "2026-0042", amount: 139_950, currency: "CZK", email: "payer@example.com" }

const memory = () => {
  const payments = new Map<string, Order>()
  const paid = new Set<string>()
  const records = new Map<string, string>()
  const orders: Orders = {
    savePayment: async (_, id) => void payments.set(id, order),
    byPayment: async (id) => payments.get(id),
    markPaid: async (number) => void paid.add(number)
  }
  const open: OpenRefunds = {
    find: async (id) => records.get(id),
    save: async (id, record) => void records.set(id, record),
    remove: async (id) => void records.delete(id)
  }
  return { open, orders, paid, payments }
}

const opened = async () => {
  const local = await startLocalGateway()
  const { environment, ...credentials } = local.merchant
  return { local, gateway: openGateway(environment, credentials) }
}

describe("a shop on API v4", () => {
  it("takes a payment, believes a notification's id only, and returns money once when a response is lost", async () => {
    const { gateway, local } = await opened()
    const { open, orders, paid, payments } = memory()
    await pay(gateway, orders, order)
    const [id = ""] = payments.keys()
    const handle = notificationHandler(gateway, orders)
    const notify = async (url: string, body?: string) =>
      (await handle({ method: body === undefined ? "GET" : "POST", url, body })).status
    assert.strictEqual(await notify(`/notify?id=${id}`, JSON.stringify({ id, state: "PAID" })), 200)
    assert.lengthOf(paid, 0)
    await local.payByCard(id)
    assert.deepStrictEqual(
      [await notify("/notify"), await notify("/notify?id=1"), await notify("/notify", `id=${id}`)],
      [400, 503, 200]
    )
    assert.deepStrictEqual([...paid], [order.number])

    const paymentId = paymentIdV4(id)
    await local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "v4.refundPayment" })
    const error: unknown = await refund(gateway, open, paymentId, 40_000).catch((error: unknown) => error)
    assert.isTrue(error instanceof GatewayErrorV4 && error.reason._tag === "OutcomeUnknown")
    assert.include(await settle(gateway, open, id), "it is refund")
    assert.lengthOf(await gateway.getPaymentRefunds(paymentId), 1)
    assert.strictEqual(await settle(gateway, open, id), "nothing is open")
    await gateway.close()
    await local.close()
  })

  it("charges a month by an order number of its own, once", async () => {
    const { gateway, local } = await opened()
    const { id } = await gateway.createRecurrence({
      type: "ON_DEMAND",
      recurrence_date_to: "2099-12-31",
      payment: {
        amount: order.amount,
        currency: order.currency,
        order_number: order.number,
        customer: { email: order.email },
        callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
      }
    })
    const first = await gateway.startRecurrence(id)
    await local.payByCard(first.id)
    const charge = (await chargeMonth(gateway, id, "2027-01")) ?? assert.fail("It is charged already.")
    assert.strictEqual(charge.record.paymentBefore, first.id)
    const charged = await charge.send()
    assert.deepInclude(await gateway.reconcile(charge.record), { _tag: "Happened", id: charged.id })
    assert.isUndefined(await chargeMonth(gateway, id, "2027-01"))
    await gateway.close()
    await local.close()
  })
})
