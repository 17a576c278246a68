/**
 * The reference of both APIs in a browser: every operation is there and can be tried, and nothing comes from elsewhere.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type RunningLocalGateway,
  startLocalGateway,
  type StartLocalGatewayOptions
} from "../../src/local-gateway/promise/index.js"
import { findings } from "./Axe.js"
import { launchBrowser } from "./Browser.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** The page at a gateway called localhost; fails on errors of the page and whatever the policy holds back. */
const visiting = async (
  path: string,
  visit: (page: Page, gateway: RunningLocalGateway) => Promise<void>,
  options: StartLocalGatewayOptions = {},
  contextOptions: BrowserContextOptions = { locale: "en-GB" }
): Promise<void> => {
  await using gateway = await startLocalGateway(options)
  const origin = gateway.url.replace("127.0.0.1", "localhost")
  const context = await browser.newContext(contextOptions)
  const page = await context.newPage()
  const wrong: Array<string> = []
  page.on("console", (message) => void (message.type() === "error" && wrong.push(message.text())))
  page.on("pageerror", (error) => wrong.push(String(error)))
  page.on("request", (request) => void (request.url().startsWith("data:") || wrong.push(...foreign(request.url()))))
  const foreign = (url: string) => (url.startsWith(`${origin}/`) ? [] : [`asks for ${url}`])
  try {
    if (options.password !== undefined) {
      await page.goto(`${origin}/`)
      await page.getByLabel("Password").fill(options.password)
      await page.getByRole("button").click()
      wrong.length = 0 // The browser reports the page that asks for the password as an error, for its status.
    }
    await page.goto(`${origin}${path}`)
    await visit(page, gateway)
    expect(wrong).toEqual([])
  } finally {
    await context.close()
  }
}

/** Sends the request of an operation, as it stands there, and gives the response. */
const sent = async (page: Page, operation: string): Promise<string> => {
  const place = page.locator(`#${operation}`)
  await place.locator(".try > summary").click()
  await place.getByRole("button", { name: /Send|Odeslat/ }).click()
  await place.locator(".response pre").waitFor()
  return place.locator(".response").innerText()
}

describe("The reference", () => {
  it("shows every operation of the gateway's API, and sends an edited request, which the log then has", () =>
    visiting("/reference", async (page, gateway) => {
      expect(await page.locator("article.operation").count()).toBe(15)
      expect(await page.locator("nav.side a[href^='#']:not([href^='#schema'])").count()).toBe(15)
      const body = page.locator("#createPayment textarea")
      await page.locator("#createPayment .try > summary").click()
      await body.fill((await body.inputValue()).replace("139950", "12345").replace(/"items": \[[^\]]*\],/, ""))
      await page.locator("#createPayment").getByRole("button", { name: "Send" }).click()
      await page.locator("#createPayment .response pre").waitFor()
      expect(await page.locator("#createPayment .response").innerText()).toContain('"amount": 12345')
      expect((await gateway.listRequests()).map(({ operation }) => operation)).toContain("createPayment")
      const [payment] = await gateway.listPayments()
      await gateway.payByCard(payment?.id ?? 0)
      await page.locator("#refundPayment .try > summary").click()
      await page.getByLabel("id", { exact: true }).and(page.locator("#refundPayment input")).fill(String(payment?.id))
      await page.locator("#refundPayment textarea").fill('{ "amount": 345 }')
      await page.locator("#refundPayment").getByRole("button", { name: "Send" }).click()
      await page.locator("#refundPayment .response pre").waitFor()
      expect(await page.locator("#refundPayment .response").innerText()).toContain('"result": "FINISHED"')
    }))

  it("gets a token by the credentials of the first merchant", () =>
    visiting("/reference", async (page) => {
      expect(await sent(page, "getAccessToken")).toContain('"token_type": "bearer"')
    }))

  it("shows the control API beside it, which moves time, also behind a password", () =>
    visiting(
      "/reference?api=control",
      async (page) => {
        expect(await page.title()).toBe("The control API – API reference")
        expect(await sent(page, "advanceTime")).toContain('"time_ahead": 2')
      },
      { password: "eight letters" }
    ))

  it("copies a sample, in which letters stay as they are", () =>
    visiting(
      "/reference",
      async (page) => {
        await page.locator("#createPayment .samples").getByText("PHP", { exact: true }).click()
        await page.locator("#createPayment .samples details[open] .copy").click()
        await page.getByText("Copied").waitFor()
        expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("'last_name' => 'Nováková'")
      },
      {},
      { locale: "en-GB", permissions: ["clipboard-read", "clipboard-write"] }
    ))

  it.each([320, 390, 1280])("has nothing to scroll to the side at a width of %i", (width) =>
    visiting(
      "/reference",
      async (page) => {
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      },
      {},
      { viewport: { width, height: 800 } }
    )
  )

  it.each([
    ["/reference", "en-GB", "light", "createPayment"],
    ["/reference", "cs-CZ", "dark", "getPaymentInstrumentsAll"],
    ["/reference?api=control", "cs-CZ", "dark", "advanceTime"],
    ["/reference?api=control", "en-GB", "light", "getLog"]
  ] as const)("axe finds nothing at %s (%s, %s), tried and opened", (path, locale, colorScheme, operation) =>
    visiting(
      path,
      async (page) => {
        await page.locator(`#${operation} .try > summary`).click()
        await page.locator(`#${operation} form button`).click()
        await page.locator(`#${operation} .response > *`).first().waitFor()
        for (const summary of await page.locator("nav.side summary, main dd > details > summary").all()) {
          await summary.click()
        }
        expect(await findings(page)).toEqual([])
      },
      {},
      { bypassCSP: true, locale, colorScheme }
    )
  )
})
