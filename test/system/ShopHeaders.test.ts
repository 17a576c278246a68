/**
 * A shop's headers in a browser: what stops a payer on the way to the pay page or back, and what the documents advise.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { Browser, Page } from "playwright-core"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { contentSecurityPolicy, sessionCookie } from "../../examples/guides/shop-headers.js"
import { launchBrowser } from "./Browser.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** As `helmet()` sets it. */
const helmets = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' https: data:",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' https: 'unsafe-inline'",
  "upgrade-insecure-requests"
].join(";")

const script = `
const pay = (gwUrl) => _gopay.checkout({ gatewayUrl: gwUrl, inline: true }, ({ url }) => location.assign(url))
document.getElementById("here").onclick = async () => pay(await (await fetch("/here", { method: "POST" })).text())`

interface Headers {
  readonly policy: "helmet's" | "advised"
  readonly cookie?: (session: string) => string
}

/** Whoever comes to a shop with such headers, which is another site than its gateway. */
const visit = async (
  { cookie = sessionCookie, policy }: Headers,
  does: (page: Page, payments: () => Promise<number>) => Promise<void>
): Promise<void> => {
  await using local = await startLocalGateway({ settings: { notificationTiming: "returnFirst" } })
  await using gateway = createGatewayClient(local.merchant)
  const headers = {
    "content-type": "text/html",
    "content-security-policy": policy === "advised" ? contentSecurityPolicy(gateway) : helmets,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer"
  }
  const order = {
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "" }
  } as const
  const gwUrl = async ({ headers: { host } }: IncomingMessage) =>
    (await gateway.createPayment({ ...order, callback: { return_url: `http://${host}/return` } })).gw_url
  const pages: Readonly<Record<string, string>> = {
    "/": `<form method="post" action="/pay"><button>Pay</button></form><button id="here">Pay here</button>
      <script src="${gateway.getEmbedJsUrl()}"></script><script src="/page.js"></script>`,
    "/page.js": script
  }
  const shop = createServer(async (request, response) => {
    const path = request.url?.split("?")[0] ?? ""
    if (path === "/pay") response.writeHead(303, { ...headers, location: await gwUrl(request) }).end()
    else if (path === "/here") response.end(await gwUrl(request))
    else if (path === "/return") response.writeHead(200, headers).end(`session: ${request.headers.cookie}`)
    else {
      const type = path.endsWith(".js") ? "text/javascript" : "text/html"
      response.writeHead(200, { ...headers, "content-type": type, "set-cookie": cookie("ada") }).end(pages[path])
    }
  })
  await once(shop.listen(0), "listening")
  const address = shop.address()
  const page = await browser.newPage()
  try {
    await page.goto(`http://localhost:${typeof address === "object" ? address?.port : ""}`)
    await does(page, async () => (await local.listPayments()).length)
  } finally {
    await page.close()
    shop.close()
  }
}

const payAndReturn = async (page: Page): Promise<string> => {
  await page.getByRole("button", { name: "Pay", exact: true }).click()
  await page.getByRole("button", { name: /^Pay [\d,.]+\sCZK$/ }).click()
  await page.waitForURL(/\/return\?/)
  return page.locator("body").innerText()
}

describe("the policy that helmet sets by default", () => {
  it("keeps the payer at the shop, though the payment is made", () =>
    visit({ policy: "helmet's" }, async (page, payments) => {
      const stopped = page.waitForEvent("console", (message) => message.text().includes("form-action"))
      await page.getByRole("button", { name: "Pay", exact: true }).click()
      await stopped
      assert.strictEqual(new URL(page.url()).pathname, "/")
      assert.strictEqual(await payments(), 1)
    }))

  it("does not load the script that opens the pay page over the shop's", () =>
    visit({ policy: "helmet's" }, async (page) => {
      assert.strictEqual(await page.evaluate("typeof _gopay"), "undefined")
    }))
})

describe("the headers that the documents advise", () => {
  it("let the payer go to the pay page and come back to the session", () =>
    visit({ policy: "advised" }, async (page) => {
      assert.strictEqual(await payAndReturn(page), "session: session=ada")
    }))

  it("let the pay page open over the shop's", () =>
    visit({ policy: "advised" }, async (page) => {
      await page.getByRole("button", { name: "Pay here" }).click()
      const frame = page.getByRole("dialog", { name: "Payment" }).frameLocator("iframe")
      await frame.getByRole("button", { name: /^Pay [\d,.]+\sCZK$/ }).click()
      await page.waitForURL(/\/return\?/)
      assert.strictEqual(await page.locator("body").innerText(), "session: session=ada")
    }))
})

it("a cookie with SameSite=Strict does not come back with the payer", () =>
  visit({ policy: "advised", cookie: (session) => sessionCookie(session).replace("Lax", "Strict") }, async (page) => {
    assert.strictEqual(await payAndReturn(page), "session: undefined")
  }))
