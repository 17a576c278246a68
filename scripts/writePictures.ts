/**
 * Takes the pictures of `docs/images` at a running local gateway: `npm run pictures`. It needs Debian's Chromium.
 */
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { root } from "./root.js"

const { startLocalGateway } = await import("../src/local-gateway/promise/index.js")
const { createGatewayClient } = await import("../src/promise/index.js")

await using local = await startLocalGateway({
  port: 4646,
  settings: { returnOrder: "never" },
  notificationReceiver: async () => 200,
  seed: { merchants: [{ goid: 8_123_456_781, client_id: "1234567884", client_secret: "L0calGtw", name: "Knitwear" }] }
})
await using client = createGatewayClient(local.merchant)
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox"] })

const order = (number: number, changes: object = {}) =>
  client.createPayment({
    amount: 139_950,
    currency: "CZK",
    order_number: `2026-00${number}`,
    order_description: "A cardigan",
    items: [
      { type: "ITEM", name: "Cardigan", amount: 129_950 },
      { type: "DELIVERY", name: "Parcel service", amount: 10_000 }
    ],
    payer: { contact: { email: "jana@example.com", first_name: "Jana", last_name: "Nováková" } },
    callback: { return_url: "http://localhost:3000/return", notification_url: "http://localhost:3000/notify" },
    lang: "EN",
    ...changes
  })

const picture = async (
  name: string,
  options: { readonly width: number; readonly height: number; readonly fullPage?: boolean },
  visit: (page: Page) => Promise<unknown>
): Promise<void> => {
  const { fullPage = false, height, width } = options
  const page = await browser.newPage({
    viewport: { width, height },
    locale: "en-GB",
    timezoneId: "Europe/Prague",
    reducedMotion: "reduce"
  })
  await visit(page)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(root, `docs/images/${name}.png`), fullPage })
  await page.close()
}

try {
  const { gw_url } = await order(42)
  await picture("pay-page", { width: 1080, height: 800, fullPage: true }, (page) => page.goto(gw_url))
  await picture("pay-page-phone", { width: 390, height: 844, fullPage: true }, (page) => page.goto(gw_url))

  await local.payByCard((await order(43, { currency: "EUR", amount: 5_990, items: [] })).id)
  await local.decline((await order(44)).id)
  await local.payByBankTransfer((await order(45)).id)
  await local.payByCard((await order(46, { preauthorization: true })).id)
  const { id } = await order(47)
  await local.payByCard(id)
  await client.refundPayment(id, { amount: 10_000 })
  await local.drainNotifications()
  await picture("dashboard", { width: 1280, height: 860 }, async (page) => {
    await page.goto(`${local.url}/#/payments/${id}`)
    await page.locator("#payment-detail .entry").nth(5).waitFor()
  })
  await picture("reference", { width: 1280, height: 860 }, async (page) => {
    await page.goto(`${local.url}/reference`)
    await page.locator("#operations-Payments-refundPayment .opblock-summary-control").click()
    await page.locator("#operations-Payments-refundPayment").scrollIntoViewIfNeeded()
    await page.locator("#operations-Payments-refundPayment .parameters").first().waitFor()
  })
} finally {
  await browser.close()
}
