/**
 * A local gateway below a path of the server that one develops on, in a browser: everything that a payer and a
 * developer use is found there, and nothing is requested from elsewhere.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { mountLocalGateway, type MountedLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { launchBrowser } from "./Browser.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

const shopPage = (gatewayUrl: string): string => `<!doctype html><html lang="en"><title>Shop</title>
  <form id="gopay-payment-button" method="post" action="${gatewayUrl}"><button>Pay</button></form>
  <script src="/gopay/gp-gw/js/embed.js"></script>`

/** A shop and the gateway at one origin. Fails on errors of its pages, and on requests to another path or origin. */
const withShop = async (
  visit: (scene: {
    readonly page: Page
    readonly local: MountedLocalGateway
    readonly origin: string
    readonly order: () => Promise<{ readonly id: number; readonly gwUrl: string }>
  }) => Promise<void>
): Promise<void> => {
  await using local = mountLocalGateway({ settings: { notificationTiming: "notificationFirst" } })
  const server = createServer((request, response) =>
    local.node(request, response, () => {
      const { searchParams } = new URL(request.url ?? "/", "http://shop")
      response.setHeader("content-type", "text/html").end(shopPage(searchParams.get("gw") ?? ""))
    })
  )
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const origin = `http://localhost:${typeof address === "object" ? address?.port : ""}`
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("there is no merchant")
  await using client = createGatewayClient({ ...merchant, environment: `${origin}/gopay` })
  const context = await browser.newContext({ locale: "en-GB" })
  const page = await context.newPage()
  const wrong: Array<string> = []
  page.on("console", (message) => void (message.type() === "error" && wrong.push(message.text())))
  page.on("pageerror", (error) => wrong.push(String(error)))
  page.on("request", (request) => {
    const { href, origin: asked, pathname, protocol } = new URL(request.url())
    const isOurs = asked === origin && (pathname.startsWith("/gopay") || pathname === "/shop")
    if (!isOurs && protocol !== "data:") wrong.push(`asks for ${href}`)
  })
  try {
    const order = async () => {
      const { gw_url: gwUrl, id } = await client.createPayment({
        amount: 139_950,
        currency: "CZK",
        order_number: "2026-0042",
        callback: { return_url: `${origin}/shop?paid=1`, notification_url: `${origin}/shop?notify` },
        lang: "EN"
      })
      return { id, gwUrl }
    }
    await visit({ local, order, origin, page })
    expect(wrong).toEqual([])
  } finally {
    await context.close()
    server.close()
    server.closeAllConnections()
  }
}

it("a transfer shows its QR code, arrives, and brings the payer back", () =>
  withShop(async ({ local, order, origin, page }) => {
    const { gwUrl, id } = await order()
    expect(gwUrl.startsWith(`${origin}/gopay/gw/v3/`)).toBe(true)
    await page.goto(gwUrl)
    await page.getByTestId("choose-BANK_ACCOUNT").click()
    const picture = page.getByRole("img").first()
    await picture.waitFor()
    const { height = 0, width = 0 } = (await picture.boundingBox()) ?? {}
    expect(Math.min(height, width)).toBeGreaterThan(100)
    await page.getByTestId("approve").click()
    await page.waitForURL(`${origin}/shop?paid=1&id=${id}`)
    expect((await local.listPayments()).map(({ state }) => state)).toEqual(["PAID"])
  }))

it("the overlay opens over the shop, and the payer is back after paying", () =>
  withShop(async ({ local, order, origin, page }) => {
    const { gwUrl, id } = await order()
    await page.goto(`${origin}/shop?gw=${encodeURIComponent(gwUrl)}`)
    await page.getByRole("button", { name: "Pay" }).click()
    await page.getByRole("dialog").frameLocator("iframe").getByTestId("approve").click()
    await page.waitForURL(`${origin}/shop?paid=1&id=${id}`)
    expect((await local.listPayments()).map(({ state }) => state)).toEqual(["PAID"])
  }))

it("the dashboard acts on a payment", () =>
  withShop(async ({ local, order, origin, page }) => {
    const { id } = await order()
    await page.goto(`${origin}/gopay`)
    await page.getByTestId(`payment-${id}`).click()
    await page.getByTestId("pay-by-card").click()
    await page.locator("#payment-detail").getByText("PAID").first().waitFor()
    expect((await local.listPayments()).map(({ state }) => state)).toEqual(["PAID"])
  }))
