/**
 * The example shop in a real browser: an order is paid by redirect and in an overlay.
 */
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { fileStore } from "effect-gopay/ledger/promise"
import { LocalGateway } from "effect-gopay/local-gateway"
import { createGatewayClient } from "effect-gopay/promise"
import { afterAll, assert, beforeAll, it } from "vitest"
import { serveShop } from "../../examples/shop-server.js"
import { openShop } from "../../examples/shop.js"
import { launchBrowser } from "./Browser.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** A visitor orders and pays in a new shop: where that ends, and what the shop knows of its orders by then. */
const buy = async (pay: (page: Page) => Promise<void>) => {
  const runtime = ManagedRuntime.make(LocalGateway.layerServer({ notificationTiming: "notificationFirst" }))
  const { merchant } = await runtime.runPromise(LocalGateway)
  const gateway = createGatewayClient({ ...merchant, clientSecret: Redacted.value(merchant.clientSecret) })
  const folder = mkdtempSync(join(tmpdir(), "shop-"))
  const store = fileStore(join(folder, "shop.db"), { driver: Database })
  const shop = await serveShop(0, (url) => openShop(gateway, url, store))
  const page = await browser.newPage()
  try {
    await page.goto(shop.url)
    await pay(page)
    await page.getByText("It is paid. Thank you!").waitFor()
    const orders = await store.query("SELECT status FROM shop_order", [])
    return { path: new URL(page.url()).pathname, orders: orders.map(({ status }) => status) }
  } finally {
    await page.close()
    await shop.close()
    await gateway.close()
    await runtime.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

const paidAndReturned = { path: "/return", orders: ["paid"] }

it("an order is paid by redirect", async () => {
  const outcome = await buy(async (page) => {
    await page.getByRole("button", { name: "Order", exact: true }).first().click()
    await page.getByRole("button", { name: /^Pay [\d,.]+\sCZK/ }).click()
  })
  assert.deepStrictEqual(outcome, paidAndReturned)
})

it("an order is paid in an overlay", async () => {
  const outcome = await buy(async (page) => {
    await page.getByRole("button", { name: "Order, and pay on this page" }).first().click()
    await page.getByRole("button", { name: "Pay", exact: true }).click()
    const frame = page.getByRole("dialog", { name: "Payment" }).frameLocator("iframe")
    await frame.getByRole("button", { name: /^Pay [\d,.]+\sCZK/ }).click()
  })
  assert.deepStrictEqual(outcome, paidAndReturned)
})
