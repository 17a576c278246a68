import { assert, describe, it, onTestFinished, vi } from "vitest"
import { ManagedRuntime, Redacted } from "effect"
import { LocalGateway, type SettingsChange } from "effect-gopay/local-gateway"
import { createGatewayClient } from "effect-gopay/promise"
import { serveShop } from "./shop-server.js"
import { createShop, type Good, type ShopOrder } from "./shop.js"

const card = { method: "PAYMENT_CARD", number: "4444 4444 4444 4448", expiry: "12/39", cvc: "123" }

/** A local gateway, the shop, and a visitor who follows no redirect unasked. */
const openShop = async ({ goods, settings }: { goods?: ReadonlyArray<Good>; settings?: SettingsChange } = {}) => {
  const runtime = ManagedRuntime.make(LocalGateway.layerServer({ returnOrder: "notificationFirst", ...settings }))
  const local = await runtime.runPromise(LocalGateway)
  const { clientSecret, ...merchant } = local.merchant
  const gateway = createGatewayClient({ ...merchant, clientSecret: Redacted.value(clientSecret) })
  const orders = new Map<number, ShopOrder>()
  const shop = await serveShop(0, (url) => createShop(gateway, url, orders, goods))
  onTestFinished(async () => {
    await shop.close()
    await gateway.close()
    await runtime.dispose()
  })

  const visit = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(address, shop.url), { redirect: "manual", ...init })
    return { status: response.status, location: response.headers.get("location") ?? "", body: await response.text() }
  }
  const order = async (address = "/order?good=0") => {
    const { location } = await visit(address, { method: "POST" })
    const placed = [...orders.values()].at(-1)
    if (placed === undefined) throw new Error("nothing was ordered")
    return { ...placed, location }
  }
  /** Submits the form of the pay page; answers with where it leads. */
  const submit = async (payPage: string, fields: Record<string, string>) =>
    (await visit(payPage, { method: "POST", body: new URLSearchParams(fields) })).location
  return { gateway, local, order, orders, runtime, submit, url: shop.url, visit }
}

describe("The shop", () => {
  it("sends the payer to the pay page, hears that the order is paid, and says so when the payer returns", async () => {
    const { order, orders, submit, url, visit } = await openShop()
    const { gw_url, location, order_number, paymentId } = await order()
    assert.strictEqual(location, gw_url)
    assert.strictEqual((await visit(location)).status, 200)

    const returned = await submit(location, { ...card, payer_action: "approve" })
    assert.strictEqual(returned, `${url}/return?order=${order_number}&id=${paymentId}`)
    // By the notification: nobody has visited the return page yet.
    assert.strictEqual(orders.get(paymentId)?.status, "paid")
    const page = await visit(returned)
    assert.include(page.body, "It is paid. Thank you!")
    assert.include(page.body, `Payment ${paymentId} is PAID.`)
  })

  it("asks the gateway when the payer returns before the notification comes", async () => {
    const { order, orders, submit, visit } = await openShop({ settings: { returnOrder: "returnFirst" } })
    const { location, paymentId } = await order()
    const returned = await submit(location, { ...card, payer_action: "approve" })
    assert.strictEqual(orders.get(paymentId)?.status, "open")
    assert.include((await visit(returned)).body, "It is paid.")
    assert.strictEqual(orders.get(paymentId)?.status, "paid")
  })

  it("does not take an order for paid because the address of the return says so", async () => {
    const { gateway, order, orders, submit, visit } = await openShop()
    const book = await order("/order?good=0")
    const bookmark = await order("/order?good=1")
    await submit(bookmark.location, { ...card, payer_action: "approve" })
    assert.deepStrictEqual(
      [book, bookmark].map(({ amount, paymentId }) => [amount, orders.get(paymentId)?.status]),
      [
        [139_950, "open"],
        [2_900, "paid"]
      ]
    )

    const forged = await visit(`/return?order=${book.order_number}&id=${bookmark.paymentId}`)
    assert.deepStrictEqual([forged.status, forged.body.includes("paid")], [404, false])
    assert.strictEqual(orders.get(book.paymentId)?.status, "open")
    assert.include((await visit(`/return?order=${book.order_number}&id=${book.paymentId}`)).body, "waiting")

    // Nor when the shop itself has mixed up the two payments.
    const cheap = await gateway.getPayment(bookmark.paymentId)
    orders.set(cheap.id, { ...book, paymentId: cheap.id })
    assert.strictEqual((await visit(`/return?order=${book.order_number}&id=${cheap.id}`)).status, 404)
    assert.strictEqual(orders.get(cheap.id)?.status, "open")
  })

  it("shows nothing of an order to who does not know its number", async () => {
    const { order, visit } = await openShop()
    const { paymentId } = await order()
    for (const address of [`/return?id=${paymentId}`, `/pay?id=${paymentId}`, "/return", "/pay", "/return?id=1"]) {
      const { body, status } = await visit(address)
      assert.deepStrictEqual([address, status, body.includes("Švejk")], [address, 404, false])
    }
  })

  it("says that a cancelled order is not paid, and takes another", async () => {
    const { order, orders, submit, visit } = await openShop()
    const cancelled = await order()
    const returned = await submit(cancelled.location, { payer_action: "cancel" })
    assert.strictEqual(orders.get(cancelled.paymentId)?.status, "closed")
    const { body } = await visit(returned)
    assert.include(body, "It is not paid.")
    assert.include(body, `Payment ${cancelled.paymentId} is CANCELED.`)
    const again = await order()
    assert.include(await submit(again.location, { ...card, payer_action: "approve" }), `id=${again.paymentId}`)
    assert.deepStrictEqual(
      [...orders.values()].map(({ status }) => status),
      ["closed", "paid"]
    )
  })

  it("leads to the pay page from its own page too, with the gateway's script", async () => {
    const { gateway, order, visit } = await openShop()
    const { gw_url, location } = await order("/order?good=1&inline")
    const { body } = await visit(location)
    assert.include(body, `<form id="gopay-payment-button" method="post" action="${gw_url}">`)
    assert.include(body, `<script src="${gateway.getEmbedJsUrl()}"></script>`)
  })

  it("escapes what it shows", async () => {
    const name = `<img src=x onerror="alert('1')"> & more`
    const shown = "&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62; &#38; more"
    const { order, visit } = await openShop({ goods: [{ name, amount: 100 }] })
    const { location, order_number, paymentId } = await order("/order?good=0&inline")
    for (const address of ["/", location, `/return?order=${order_number}&id=${paymentId}`]) {
      const { body } = await visit(address)
      assert.deepStrictEqual([body.includes(shown), body.includes("<img")], [true, false])
    }
  })

  it("answers a notification of no payment of its own with 503, and what it does not have with 404", async () => {
    const { visit } = await openShop()
    const statusOf = async (address: string, method = "GET") => (await visit(address, { method })).status
    assert.deepStrictEqual([await statusOf("/notify?id=1"), await statusOf("/notify")], [503, 400])
    assert.deepStrictEqual([await statusOf("/admin"), await statusOf("/order?good=0")], [404, 404])
    for (const good of ["good=2", "good=-1", "good=x", ""])
      assert.strictEqual(await statusOf(`/order?${good}`, "POST"), 404)
  })

  it("says so when the gateway cannot be asked", async () => {
    const { orders, runtime, visit } = await openShop()
    await runtime.dispose()
    const told = vi.spyOn(console, "error").mockImplementation(() => {})
    const { body, status } = await visit("/order?good=0", { method: "POST" })
    assert.deepStrictEqual([status, orders.size], [503, 0])
    assert.include(body, "Please try again in a minute.")
    assert.strictEqual(told.mock.calls.length, 1)
    told.mockRestore()
  })
})
