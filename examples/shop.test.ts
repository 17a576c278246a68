import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, onTestFinished, vi } from "vitest"
import { ManagedRuntime, Redacted } from "effect"
import { fileStore } from "effect-gopay/ledger/promise"
import { LocalGateway, type SettingsChange } from "effect-gopay/local-gateway"
import { createGatewayClient } from "effect-gopay/promise"
import { serveShop } from "./shop-server.js"
import { type Good, openShop } from "./shop.js"

const card = { method: "PAYMENT_CARD", number: "4444 4444 4444 4448", expiry: "12/39", cvc: "123" }

/** A local gateway, the shop, and a visitor who follows no redirect unasked. */
const openTestShop = async ({ goods, settings }: { goods?: ReadonlyArray<Good>; settings?: SettingsChange } = {}) => {
  const runtime = ManagedRuntime.make(
    LocalGateway.layerServer({ notificationTiming: "notificationFirst", ...settings })
  )
  const local = await runtime.runPromise(LocalGateway)
  const { clientSecret, ...merchant } = local.merchant
  const gateway = createGatewayClient({ ...merchant, clientSecret: Redacted.value(clientSecret) })
  const folder = mkdtempSync(join(tmpdir(), "shop-"))
  const store = fileStore(join(folder, "shop.db"), { driver: Database })
  const shop = await serveShop(0, (url) => openShop(gateway, url, store, goods))
  onTestFinished(async () => {
    await shop.close()
    await gateway.close()
    await runtime.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  const visit = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(address, shop.url), { redirect: "manual", ...init })
    return { status: response.status, location: response.headers.get("location") ?? "", body: await response.text() }
  }
  /** The shop's own rows, oldest first. */
  const statuses = async () =>
    (await store.query("SELECT status FROM shop_order ORDER BY rowid", [])).map(({ status }) => status)
  const order = async (address = "/order?good=0") => {
    const { location } = await visit(address, { method: "POST" })
    const [row] = await store.query("SELECT order_number, payment_id, gw_url FROM gopay_payment ORDER BY seq DESC", [])
    if (row === undefined) throw new Error("nothing was ordered")
    return {
      number: String(row["order_number"]),
      paymentId: Number(row["payment_id"]),
      gwUrl: String(row["gw_url"]),
      location
    }
  }
  /** Submits the form of the pay page; answers with where it leads. */
  const submit = async (payPage: string, fields: Record<string, string>) =>
    (await visit(payPage, { method: "POST", body: new URLSearchParams(fields) })).location
  return { gateway, local, order, runtime, statuses, submit, url: shop.url, visit }
}

describe("The shop", () => {
  it("sends the payer to the pay page, hears that the order is paid, and says so when the payer returns", async () => {
    const { order, statuses, submit, url, visit } = await openTestShop()
    const { gwUrl, location, number, paymentId } = await order()
    assert.strictEqual(location, gwUrl)
    assert.strictEqual((await visit(location)).status, 200)

    const returned = await submit(location, { ...card, payer_action: "approve" })
    assert.strictEqual(returned, `${url}/return?order=${number}&id=${paymentId}`)
    // By the notification: no one has visited the return page yet.
    assert.deepStrictEqual(await statuses(), ["paid"])
    const page = await visit(returned)
    assert.include(page.body, "It is paid. Thank you!")
    assert.include(page.body, "Its payment is PAID.")
  })

  it("asks the gateway when the payer returns before the notification comes", async () => {
    const { order, statuses, submit, visit } = await openTestShop({ settings: { notificationTiming: "returnFirst" } })
    const { location } = await order()
    const returned = await submit(location, { ...card, payer_action: "approve" })
    assert.include((await visit(returned)).body, "It is paid.")
    assert.deepStrictEqual(await statuses(), ["paid"])
  })

  it("does not take an order for paid because the address of the return says so", async () => {
    const { order, statuses, submit, visit } = await openTestShop()
    const book = await order("/order?good=0")
    const bookmark = await order("/order?good=1")
    await submit(bookmark.location, { ...card, payer_action: "approve" })
    assert.deepStrictEqual(await statuses(), ["open", "paid"])

    const forged = await visit(`/return?order=${book.number}&id=${bookmark.paymentId}`)
    assert.deepStrictEqual([forged.status, forged.body.includes("paid")], [404, false])
    assert.include((await visit(`/return?order=${book.number}&id=${book.paymentId}`)).body, "waiting")
    assert.deepStrictEqual(await statuses(), ["open", "paid"])
  })

  it("shows nothing of an order to who does not know its number", async () => {
    const { order, visit } = await openTestShop()
    const { paymentId } = await order()
    for (const address of [`/return?id=${paymentId}`, `/pay?id=${paymentId}`, "/return", "/pay", "/return?id=1"]) {
      const { body, status } = await visit(address)
      assert.deepStrictEqual([address, status, body.includes("Švejk")], [address, 404, false])
    }
  })

  it("says that a cancelled order is not paid, and takes another", async () => {
    const { order, statuses, submit, visit } = await openTestShop()
    const cancelled = await order()
    const returned = await submit(cancelled.location, { payer_action: "cancel" })
    assert.deepStrictEqual(await statuses(), ["closed"])
    const { body } = await visit(returned)
    assert.include(body, "It is not paid.")
    assert.include(body, "Its payment is CANCELED.")
    const again = await order()
    assert.include(await submit(again.location, { ...card, payer_action: "approve" }), `id=${again.paymentId}`)
    assert.deepStrictEqual(await statuses(), ["closed", "paid"])
  })

  it("leads to the pay page from its own page too, with the gateway's script", async () => {
    const { gateway, order, visit } = await openTestShop()
    const { gwUrl, location } = await order("/order?good=1&inline")
    const { body } = await visit(location)
    assert.include(body, `<form id="gopay-payment-button" method="post" action="${gwUrl}">`)
    assert.include(body, `<script src="${gateway.getEmbedJsUrl()}"></script>`)
  })

  it("escapes what it shows", async () => {
    const name = `<img src=x onerror="alert('1')"> & more`
    const shown = "&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62; &#38; more"
    const { order, visit } = await openTestShop({ goods: [{ name, amount: 100 }] })
    const { location, number, paymentId } = await order("/order?good=0&inline")
    for (const address of ["/", location, `/return?order=${number}&id=${paymentId}`]) {
      const { body } = await visit(address)
      assert.deepStrictEqual([body.includes(shown), body.includes("<img")], [true, false])
    }
  })

  it("answers a notification of no payment of its own with 503, and what it does not have with 404", async () => {
    const { visit } = await openTestShop()
    const statusOf = async (address: string, method = "GET") => (await visit(address, { method })).status
    assert.deepStrictEqual([await statusOf("/notify?id=1"), await statusOf("/notify")], [503, 400])
    assert.deepStrictEqual([await statusOf("/admin"), await statusOf("/order?good=0")], [404, 404])
    for (const good of ["good=2", "good=-1", "good=x", ""])
      assert.strictEqual(await statusOf(`/order?${good}`, "POST"), 404)
  })

  it("says so when the gateway cannot be asked", async () => {
    const { runtime, visit } = await openTestShop()
    await runtime.dispose()
    const told = vi.spyOn(console, "error").mockImplementation(() => {})
    const { body, status } = await visit("/order?good=0", { method: "POST" })
    assert.strictEqual(status, 503)
    assert.include(body, "Please try again in a minute.")
    assert.strictEqual(told.mock.calls.length, 1)
    told.mockRestore()
  })
})
