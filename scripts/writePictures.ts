/**
 * Takes the pictures of `docs/images` at a running local gateway: `npm run pictures`. It needs Debian's Chromium.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { pictureFile, withSteps } from "./DrawnPicture.js"
import { drawnPictures } from "./drawnPictures.js"
import { root } from "./root.js"

const { startLocalGateway } = await import("../src/local-gateway/promise/index.js")
const { createGatewayClient } = await import("../src/promise/index.js")

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox"] })

type Scheme = "light" | "dark"

/** Where the pictures of a colour scheme are. The dark ones are of the site alone. */
const folders = { light: "docs/images", dark: "site/images" } as const satisfies Record<Scheme, string>

const open = (colorScheme: Scheme, width: number, height: number) =>
  browser.newPage({
    viewport: { width, height },
    locale: "en-GB",
    timezoneId: "Europe/Prague",
    reducedMotion: "reduce",
    colorScheme
  })

const shot = async (page: Page, fullPage = false): Promise<string> => {
  await page.evaluate(() => document.fonts.ready)
  return `data:image/png;base64,${(await page.screenshot({ fullPage })).toString("base64")}`
}

/** Writes a picture as WebP, which has a third of the size of PNG. */
const write = async (scheme: Scheme, name: string, png: string): Promise<void> => {
  const page = await browser.newPage()
  const webp = await page.evaluate(async (source) => {
    const image = new Image()
    image.src = source
    await image.decode()
    const canvas = document.createElement("canvas")
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    canvas.getContext("2d")?.drawImage(image, 0, 0)
    return canvas.toDataURL("image/webp", 0.85)
  }, png)
  await page.close()
  writeFileSync(join(root, folders[scheme], `${name}.webp`), Buffer.from(webp.replace(/^.*,/, ""), "base64"))
}

const picture = async (
  scheme: Scheme,
  name: string,
  options: { readonly width: number; readonly height: number; readonly fullPage?: boolean },
  visit: (page: Page) => Promise<unknown>
): Promise<void> => {
  const page = await open(scheme, options.width, options.height)
  await visit(page)
  await write(scheme, name, await shot(page, options.fullPage))
  await page.close()
}

/** A picture of several steps side by side, each on a phone. */
const strip = async (
  scheme: Scheme,
  name: string,
  steps: ReadonlyArray<{ readonly title: string; readonly take: (page: Page) => Promise<unknown> }>
): Promise<void> => {
  const page = await open(scheme, 390, 780)
  const frames: Array<string> = []
  for (const { take, title } of steps) {
    await take(page)
    frames.push(`<figure><figcaption>${title}</figcaption><img src="${await shot(page)}"></figure>`)
  }
  await page.close()
  const film = await open(scheme, 16 + steps.length * 256, 100)
  await film.setContent(`<style>
    :root { color-scheme: ${scheme} } body { margin: 0; padding: 16px; display: flex; gap: 16px; font: 15px sans-serif }
    figure { margin: 0 } figcaption { height: 28px } img { width: 240px; border: 1px solid GrayText; border-radius: 12px }
  </style>${frames.join("")}`)
  await write(scheme, name, await shot(film, true))
  await film.close()
}

/** Takes all pictures in a colour scheme, at a gateway of its own. */
const take = async (scheme: Scheme): Promise<void> => {
  await using local = await startLocalGateway({
    port: 4646,
    settings: { notificationTiming: "never" },
    notificationReceiver: async () => 200,
    seed: { merchants: [{ goid: 8_123_456_781, client_id: "1234567884", client_secret: "L0calGtw", name: "Knitwear" }] }
  })
  await using client = createGatewayClient(local.merchant)

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

  const { gw_url } = await order(42)
  await picture(scheme, "pay-page", { width: 1080, height: 800, fullPage: true }, (page) => page.goto(gw_url))

  const byCard = (await order(48)).gw_url
  const byTransfer = (await order(49)).gw_url
  await strip(scheme, "pay-page-steps", [
    { title: "The order, and how to pay", take: (page) => page.goto(byCard) },
    { title: "You decide what happens", take: (page) => page.getByTestId("decline-_5006").scrollIntoViewIfNeeded() },
    { title: "Declined: try again", take: (page) => page.getByTestId("decline-_5006").click() },
    { title: "3-D Secure", take: (page) => page.getByTestId("threeDSecure").click() },
    {
      title: "Paid",
      // Here the payer never returns to the shop: from now on, the payment's address shows the page of a paid payment.
      take: async (page) => {
        await page.getByTestId("approve").click()
        await page.goto(byCard)
        await page.getByRole("heading", { name: "Paid" }).waitFor()
      }
    },
    {
      title: "A transfer, with its QR code",
      take: async (page) => {
        await page.goto(byTransfer)
        await page.getByTestId("choose-BANK_ACCOUNT").click()
        await page.locator(".codes").evaluate((codes) => codes.scrollIntoView({ block: "center" }))
      }
    }
  ])

  await local.payByCard((await order(43, { currency: "EUR", amount: 5_990, items: [] })).id)
  await local.declinePayment((await order(44)).id)
  await local.payByBankTransfer((await order(45)).id)
  await local.payByCard((await order(46, { preauthorization: true })).id)
  const { id } = await order(47)
  await local.payByCard(id)
  await local.changeSettings({ partialRefundDelaySeconds: 0 })
  await client.refundPayment(id, { amount: 10_000 })
  await local.deliverNotifications()
  await picture(scheme, "dashboard", { width: 1280, height: 860 }, async (page) => {
    await page.goto(`${local.url}/#/payments/${id}`)
    await page.locator("#payment-detail .entry").nth(5).waitFor()
  })
}

for (const { file, page, play } of drawnPictures) {
  const sequence = await play()
  const path = join(root, page)
  writeFileSync(join(root, "docs/images", file), pictureFile(sequence))
  writeFileSync(path, withSteps(readFileSync(path, "utf8"), file, sequence))
}
try {
  await take("light")
  await take("dark")
} finally {
  await browser.close()
}
