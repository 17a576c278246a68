/**
 * Tests of a checkout, as a shop would write them.
 */
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type Order as PaidOrder, notificationsOf, type Orders, sweep } from "../notifications.js"
import { type Order, orderPage, payUrl } from "./checkout.js"

const request = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
}

const start = async () => {
  const local = await startLocalGateway()
  return { local, gateway: createGatewayClient(local.merchant) }
}

let world: Awaited<ReturnType<typeof start>>

beforeEach(async () => {
  world = await start()
})

afterEach(async () => {
  await world.gateway.close()
  await world.local.close()
})

/** A table of one order. */
const ordersWith = (paymentId: number) => {
  const { amount, currency, order_number } = request
  let row: PaidOrder = { paymentId, status: "open", amount, currency, order_number }
  const orders: Orders = {
    byPaymentId: async (id) => (id === paymentId ? row : undefined),
    unpaid: async () => (row.status === "open" ? [row] : []),
    change: async (_, change) => {
      row = change(row)
    }
  }
  return { orders, status: () => row.status }
}

it("an order is paid when the gateway says so, not when someone calls", async () => {
  const { gateway, local } = world
  const { id } = await gateway.createPayment(request)
  const { orders, status } = ordersWith(id)
  const notify = notificationsOf(gateway, orders)
  const notification = { method: "GET", url: `/notify?id=${id}` }

  expect((await notify(notification)).status).toBe(200)
  expect(status()).toBe("open")

  await local.payByCard(id)
  await notify(notification)
  await notify(notification) // the same once more
  expect(status()).toBe("paid")
})

it("a notification that never comes is made up for", async () => {
  const { gateway, local } = world
  await local.changeSettings({ notificationCopies: 0 })
  const { id } = await gateway.createPayment(request)
  const { orders, status } = ordersWith(id)

  await local.payByCard(id)
  expect(status()).toBe("open")
  await sweep(gateway, orders)
  expect(status()).toBe("paid")
})

it("a payer who changes the method pays the same payment", async () => {
  const { gateway, local } = world
  const order: Order = { request }
  const address = await payUrl(gateway, order)
  const id = Number(order.paymentId)

  await local.choosePaymentMethod(id, "BANK_ACCOUNT") // and comes back without having paid
  expect(await payUrl(gateway, order)).toBe(address)
  await local.payByCard(id)
  expect(await payUrl(gateway, order)).toBe(undefined)
  expect(await local.listPayments()).toHaveLength(1)
})

it("a declined card says why, and the order can be paid again", async () => {
  const { gateway, local } = world
  const order: Order = { request }
  const address = await payUrl(gateway, order)
  const id = Number(order.paymentId)

  await local.declinePayment(id, "_5006")
  expect(await gateway.getPayment(id)).toMatchObject({ state: "CANCELED", sub_state: "_5006" })
  expect(await orderPage(gateway, id, "en")).toContain("There was not enough money in the account.")
  expect(await payUrl(gateway, order)).not.toBe(address)
})

it("a transfer that is on its way asks no one to pay again", async () => {
  const { gateway, local } = world
  const { id } = await gateway.createPayment(request)
  await local.choosePaymentMethod(id, "BANK_ACCOUNT")
  expect(await orderPage(gateway, id, "en")).toMatch(/please do not pay again/)

  await local.advanceTime("6 days")
  expect((await gateway.getPayment(id)).state).toBe("TIMEOUTED")
  await local.payByBankTransfer(id) // late
  expect(await gateway.getPayment(id)).toMatchObject({ state: "PAID", sub_state: "_5047" })
})

it("a page that is waited on says what to do", async () => {
  const { gateway } = world
  const { gw_url, id } = await gateway.createPayment(request)
  expect(await orderPage(gateway, id, "cs")).toContain(gw_url)
})
