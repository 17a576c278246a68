/**
 * Buys in a browser, by each of the two buttons, with a local gateway in place of GoPay.
 */
import assert from "node:assert/strict"
import { createServer } from "node:http"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { build } from "esbuild"
import { chromium } from "playwright-core"

const { outputFiles } = await build({
  entryPoints: ["page.tsx"],
  bundle: true,
  define: { "process.env.NODE_ENV": '"production"' },
  format: "esm",
  jsx: "automatic",
  write: false
})

// With the default timing, some payers never come back.
const local = await startLocalGateway({ settings: { notificationTiming: "returnFirst" } })
const gateway = createGatewayClient(local.merchant)
const html = `<!doctype html><html lang="en"><title>Shop</title>
<body data-script="${gateway.getEmbedJsUrl()}"><div id="react"></div><button id="plain">Pay</button>
<script type="module" src="/page.js"></script></body></html>`

// GoPay's script, and its pay page in a frame, or the page itself if a frame is impossible. GoPay's samples show two
// origins for production.
const { origin } = new URL(gateway.getEmbedJsUrl())
const payPages = origin === "https://gate.gopay.cz" ? `${origin} https://gate.gopay.com` : origin
const policy = `default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' ${payPages}; frame-src ${payPages}; object-src 'none'`

let url = ""
const shop = createServer(async (request, response) => {
  if (request.url === "/page.js") response.setHeader("content-type", "text/javascript").end(outputFiles[0].text)
  else if (request.url === "/payments") {
    const { gw_url } = await gateway.createPayment({
      amount: 139_950,
      currency: "CZK",
      order_number: crypto.randomUUID(),
      callback: { return_url: `${url}/return` }
    })
    response.end(gw_url)
  } else if (request.url?.startsWith("/return")) {
    const { id } = Object.fromEntries(new URL(request.url, url).searchParams)
    // The payer may be back before the gateway has finished.
    const { payment } = await gateway.awaitPayment(id)
    response.setHeader("content-type", "text/html").end(`<title>${payment.state}</title>`)
  } else if (request.url === "/")
    response.setHeader("content-type", "text/html").setHeader("content-security-policy", policy).end(html)
  else response.writeHead(204).end()
}).listen(0, "127.0.0.1")
await new Promise((listening) => shop.once("listening", listening))
url = `http://127.0.0.1:${shop.address().port}`

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"]
})
try {
  for (const name of ["Pay with React", "Pay"]) {
    const page = await browser.newPage()
    await page.goto(url)
    const pay = page.getByRole("button", { name, exact: true })
    const payPage = page.getByRole("dialog", { name: "Payment" })
    // Closed, and opened again.
    await pay.click()
    await payPage.getByRole("button", { name: "Close the payment" }).click()
    await pay.click()
    await payPage
      .frameLocator("iframe")
      .getByRole("button", { name: /^Pay [\d,.]+\sCZK$/ })
      .click()
    await page.waitForURL(/\/return\?/)
    assert.equal(await page.title(), "PAID")
    await page.close()
  }
  console.log("overlay: paid by both buttons")
} finally {
  await browser.close()
  shop.close()
  await gateway.close()
  await local.close()
}
