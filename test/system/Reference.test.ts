/**
 * The reference of both APIs in a browser: every operation is there and can be tried, and nothing comes from elsewhere.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startLocalGateway, type StartLocalGatewayOptions } from "../../src/local-gateway/promise/index.js"
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
  visit: (page: Page, payments: () => Promise<number>) => Promise<void>,
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
    await page.locator(".opblock").first().waitFor()
    await visit(page, async () => (await gateway.listPayments()).length)
    expect(wrong).toEqual([])
  } finally {
    await context.close()
  }
}

describe("The reference", () => {
  it("shows every operation of the gateway's API, and lets one be tried at once", () =>
    visiting("/reference", async (page, payments) => {
      expect(await page.locator(".opblock").count()).toBe(15)
      await page.locator("#operations-Payments-createPayment .opblock-summary-control").click()
      await page.getByRole("button", { name: "Execute" }).click()
      const response = page.locator(".live-responses-table .response")
      await response.first().waitFor()
      expect(await response.first().innerText()).toContain('"state": "CREATED"')
      expect(await payments()).toBe(1)
    }))

  it("gets a token by the client credentials of the first merchant, at this gateway", () =>
    visiting("/reference", async (page) => {
      await page.locator(".btn.authorize").first().click()
      const form = page.locator(".auth-container", { hasText: "clientCredentials)" })
      expect(await form.innerText()).toMatch(/Token URL: http:\/\/localhost:\d+\/api\/oauth2\/token/)
      await form.getByRole("button", { name: "Authorize" }).click()
      await form.getByRole("button", { name: "Logout" }).waitFor()
    }))

  it("shows the control API beside it, which moves time, also behind a password", () =>
    visiting(
      "/reference?api=control",
      async (page) => {
        expect(await page.title()).toBe("The control API – API reference")
        await page.locator("#operations-Time-forward .opblock-summary-control").click()
        await page.getByRole("button", { name: "Execute" }).click()
        const response = page.locator(".live-responses-table .response")
        await response.first().waitFor()
        expect(await response.first().innerText()).toContain('"time_ahead": 2')
      },
      { password: "eight letters" }
    ))

  it("follows the browser's scheme", () =>
    visiting("/reference", async (page) => {
      await page.emulateMedia({ colorScheme: "dark" })
      await page.locator("html.dark-mode").waitFor()
      await page.emulateMedia({ colorScheme: "light" })
      await page.locator("html:not(.dark-mode)").waitFor()
      expect(await page.locator("html").getAttribute("class")).toBe("")
    }))

  it.each([
    ["/reference", "en-GB", ["Payments-createPayment", "Payments-getPayment", "Cards-deleteCard"]],
    ["/reference?api=control", "cs-CZ", ["Time-forward", "Log-getLog"]]
  ] as const)("axe finds nothing at %s (%s), open, tried, and asking for credentials", (path, locale, operations) =>
    visiting(
      path,
      async (page) => {
        for (const operation of operations) {
          await page.locator(`#operations-${operation} .opblock-summary-control`).dispatchEvent("click")
          await page.locator(`#operations-${operation} .execute`).waitFor()
        }
        await page.locator(`#operations-${operations[0]} .execute`).click()
        await page.locator(".live-responses-table .response").waitFor()
        await page.locator(".models button").first().click()
        expect(await findings(page)).toEqual([])
        if (operations[0] === "Time-forward") return
        await page.locator(".btn.authorize").first().click()
        await page.locator(".auth-container").first().waitFor()
        expect(await findings(page)).toEqual([])
      },
      {},
      { bypassCSP: true, locale }
    )
  )
})
