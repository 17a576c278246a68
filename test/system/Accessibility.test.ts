/**
 * Accessibility of the local gateway's pages, judged by axe: the pay page and the demonstration shop in both languages, the dashboard,
 * on a narrow phone and on a desk, in the light and in the dark.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { LogFeed, serveDemoShop } from "../../src/command-line/DemoCommand.js"
import { startLocalGateway, type RunningLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { firstOf } from "../support/Runs.js"
import { findings } from "./Axe.js"
import { launchBrowser } from "./Browser.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** Czech, with the longer words, comes first. */
const languages = ["cs", "en"] as const

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  order_description: "Two shirts",
  items: [{ name: "Shirt", amount: 139_949, count: 2 }],
  payer: { contact: { email: "payer@shop.test" } },
  callback: { return_url: "http://127.0.0.1:9/return", notification_url: "http://127.0.0.1:9/notify" }
} as const

/** A gateway and a page of the browser, whose policy lets axe in. Returns what axe found. */
const withPage = async (
  language: (typeof languages)[number],
  visit: (scene: {
    readonly page: Page
    readonly context: BrowserContext
    readonly local: RunningLocalGateway
    readonly client: GatewayClient
    /** Has axe check the page. */
    readonly look: (what: string) => Promise<void>
  }) => Promise<void>
): Promise<ReadonlyArray<string>> => {
  await using local = await startLocalGateway({ settings: { ...partsAtOnce, notificationTiming: "never" } })
  await using client = createGatewayClient(local.merchant)
  const context = await browser.newContext({ bypassCSP: true, locale: language === "cs" ? "cs-CZ" : "en-GB" })
  const found: Array<string> = []
  try {
    const page = await context.newPage()
    await visit({
      page,
      context,
      local,
      client,
      look: async (what) => {
        found.push(...(await findings(page)).map((finding) => `${what}, ${finding}`))
      }
    })
    return found
  } finally {
    await context.close()
  }
}

describe.each(firstOf(1, languages))("axe finds nothing (%s)", (language) => {
  it("on the pay page, whatever it asks and shows", async () => {
    const found = await withPage(language, async ({ look, client, local, page }) => {
      const open = async (changes: object = {}) => {
        const { gw_url, id } = await client.createPayment({ ...order, ...changes, lang: language.toUpperCase() })
        await page.goto(gw_url)
        return { id, again: () => page.goto(gw_url) }
      }
      const { again, id } = await open()
      await look("the card form")
      await page.getByTestId("number").fill("1")
      await page.getByTestId("approve").click()
      await look("wrong fields")
      await page.getByTestId("choose-BANK_ACCOUNT").click()
      await look("a bank transfer")
      await local.declineAttempt(id, "_5006")
      await again()
      await page.locator("summary").last().click()
      await look("a declined attempt, with all reasons")
      await page.getByTestId("choose-PAYMENT_CARD").click()
      await page.getByTestId("threeDSecure").click()
      await look("3-D Secure")
      await local.payByCard(id)
      await again()
      await look("a paid payment")
      await page.goto(`${local.url}/gw/v3/none`)
      await look("an unknown address")
      await page.goto(`${local.url}/nothing`)
      await look("an address that is not served")
    })
    assert.deepStrictEqual(found, [])
  })

  it("in the demonstration shop", async () => {
    const found = await withPage(language, async ({ client, local, look, page }) => {
      const shop = await serveDemoShop(0, {
        client,
        feed: new LogFeed(),
        url: local.url,
        passDay: () => local.advanceTime("1 day")
      })
      try {
        await page.goto(shop.url)
        await look("the articles")
        await page.getByTestId("buy-0").click()
        await page.getByTestId("approve").waitFor()
        const id = (await local.listPayments())[0]?.id ?? 0
        const order = `${shop.url}/order?number=${new Date().getFullYear()}-0001&lang=${language}`
        await page.goto(order)
        await look("an order that is not paid")
        await local.payByCard(id)
        await local.deliverNotifications()
        await page.goto(order)
        await look("a paid order")
        await page.getByTestId("refund-1000").click()
        await local.deliverNotifications()
        await page.goto(order)
        await look("a refunded order")
        for (const [article, number, what] of [
          [4, "0002", "a hold"],
          [5, "0003", "a subscription"]
        ] as const) {
          await page.goto(shop.url)
          await page.getByTestId(`buy-${article}`).click()
          await page.getByTestId("approve").waitFor()
          await local.payByCard((await local.listPayments()).at(-1)?.id ?? 0)
          await local.deliverNotifications()
          await page.goto(order.replace("0001", number))
          await look(what)
        }
        await page.goto(`${shop.url}/order?number=none`)
        await look("no such page")
        await page.goto(shop.url)
        await look("the articles, with an order")
      } finally {
        shop.close()
      }
    })
    assert.deepStrictEqual(found, [])
  })
})

it("on the dashboard, empty and full, axe finds nothing", async () => {
  const found = await withPage("en", async ({ look, client, local, page }) => {
    await page.goto(local.url)
    await page.locator("#no-payments").getByTestId("shop-code").waitFor()
    await look("no payments")
    const { id } = await client.createPayment(order)
    const { id: parent } = await client.createPayment({
      ...order,
      payer: { request_card_token: true },
      recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" }
    })
    await local.payByCard(parent)
    await client.refundPayment(parent, { amount: 100 })
    await client.getPayment(1).catch(() => {})
    await local.armFault({ type: "latency" }, { operation: "getAccountStatement" })
    await local.advanceTime("1 hour")
    for (const place of ["payments", `payments/${id}`, `payments/${parent}`, "notifications", "log", "faults"]) {
      await page.goto(`${local.url}/#/${place}`)
      await page.locator(".entry:visible, .delivery:visible, .cards:visible").first().waitFor()
      for (const summary of (await page.locator("summary:visible").all()).slice(-2)) await summary.click()
      await look(place)
      if (place !== `payments/${id}`) continue
      for (const menu of ["simulate-menu", "shop-menu", "accidents-menu", "forward-menu"]) {
        await page.getByTestId(menu).click()
        await look(menu)
        await page.keyboard.press("Escape")
      }
    }
    for (const place of ["settings", "keys", "new", "gateway"]) {
      await page.goto(`${local.url}/#/${place}`)
      await page.locator(".panel:visible").first().waitFor()
      await look(place)
    }
  })
  assert.deepStrictEqual(found, [])
})

describe("On a phone", () => {
  it.each(languages)("of 320 px an amount of ten digits breaks nowhere (%s)", async (language) => {
    await withPage(language, async ({ client, page }) => {
      await page.setViewportSize({ width: 320, height: 568 })
      const { gw_url } = await client.createPayment({
        ...order,
        amount: 1_000_000_000_000,
        lang: language.toUpperCase()
      })
      await page.goto(gw_url)
      const lines = (selector: string) =>
        page.locator(selector).evaluate((element) => {
          const range = new Range()
          range.selectNodeContents(element)
          return {
            lines: new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size,
            right: range.getBoundingClientRect().right
          }
        })
      for (const selector of ["h1", ".columns .primary > span", ".columns .primary > small"]) {
        const { lines: count, right } = await lines(selector)
        assert.strictEqual(count, 1, selector)
        assert.isAtMost(right, 320, selector)
      }
      await page.getByTestId("approve").getByText("…4448").waitFor()
      await page.locator("#number").fill("4188 0300 0000 0003")
      await page.getByTestId("approve").getByText("…0003").waitFor()
    })
  })

  it("the pay button stands on an opaque bar, as wide as the window; print has neither", async () => {
    await withPage("en", async ({ client, page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      const { gw_url } = await client.createPayment(order)
      await page.goto(gw_url)
      const bar = await page.locator("[data-page]").evaluate((element) => {
        const { backgroundColor, height, position, width } = getComputedStyle(element, "::after")
        return { backgroundColor, height, position, width }
      })
      assert.deepStrictEqual(bar, {
        backgroundColor: "rgb(255, 255, 255)",
        height: "76px",
        position: "fixed",
        width: "390px"
      })
      assert.isTrue(await page.locator(".lab").first().isVisible())
      await page.emulateMedia({ media: "print" })
      assert.strictEqual(await page.locator(".lab:visible, button:visible").count(), 0)
      assert.isTrue(await page.getByRole("heading", { level: 1 }).isVisible())
    })
  })

  it.each([
    [320, 568],
    [360, 640],
    [412, 915]
  ])("of %i × %i the pay button is there without scrolling", async (width, height) => {
    await withPage("en", async ({ client, page }) => {
      await page.setViewportSize({ width, height })
      const { gw_url } = await client.createPayment(order)
      await page.goto(gw_url)
      const button = page.getByTestId("approve")
      const { height: tall = 0, width: wide = 0, x = 0, y = 0 } = (await button.boundingBox()) ?? {}
      assert.isAtMost(y + tall, height)
      const atCentre = await page.evaluate(
        ([left = 0, top = 0]) => document.elementFromPoint(left, top)?.closest("button")?.value,
        [x + wide / 2, y + tall / 2]
      )
      assert.strictEqual(atCentre, "approve")
      // What stands at the end of the page can still be scrolled out from under the button.
      const language = page.getByTestId("switch-language")
      await language.scrollIntoViewIfNeeded()
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      const end = await language.boundingBox()
      assert.isAtMost((end?.y ?? height) + (end?.height ?? 0), y)
      await page.mouse.click(x + wide / 2, y + tall / 2)
      await page.getByTestId("state").getByText("PAID").waitFor()
    })
  })
})
