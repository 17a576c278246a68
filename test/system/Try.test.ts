/**
 * `/try` in a browser: shop, payer and gateway in one tab, below a folder as on GitHub Pages.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:https"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chapters } from "../../site/try/Texts.js"
import { writeTry } from "../../site/tryPage.js"
import { selfSignedCertificate } from "../support/SelfSignedCertificate.js"
import { isThorough } from "../support/Runs.js"
import { findings } from "./Axe.js"
import { launchBrowser } from "./Browser.js"

const types: { readonly [extension: string]: string } = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".webp": "image/webp"
}

/** No loopback name, since some things are allowed on loopback only. */
const host = "site.example"

const folder = mkdtempSync(join(tmpdir(), "try-"))

let browser: Browser
let server: Server
let site: string

beforeAll(async () => {
  await writeTry(join(folder, "try"))
  server = createServer(selfSignedCertificate({ name: host }), (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site")
    const path = pathname.replace(/^\/site\//, "").replace(/\/$/, "/index.html")
    const file = path.startsWith("images/") ? join("docs", path) : join(folder, path)
    if (existsSync(file) && extname(file) !== "") {
      response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(readFileSync(file))
    } else response.writeHead(404, { "content-type": "text/html" }).end("<title>Not found</title>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  site = `https://${host}:${typeof address === "object" ? address?.port : ""}/site/`
  browser = await launchBrowser(`--host-resolver-rules=MAP ${host} 127.0.0.1`, "--ignore-certificate-errors")
})

afterAll(async () => {
  await browser.close()
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

/** Lets the page hear late of what its workers do, as on a busy machine; answers to what it asks come at once. */
const hearLate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.Worker = class extends Worker {
      override addEventListener(type: string, listener: (event: Event) => void) {
        super.addEventListener(type, (event) => setTimeout(() => listener(event), 100))
      }
    }
  })

/** Visits a chapter; fails on errors of the page. */
const visit = async (
  path: string,
  look: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {}
): Promise<void> => {
  const context = await browser.newContext({ locale: "en-GB", ...options })
  const page = await context.newPage()
  const wrong: Array<string> = []
  page.on("console", (message) => void (message.type() === "error" && wrong.push(message.text())))
  page.on("pageerror", (error) => wrong.push(String(error)))
  try {
    await hearLate(page)
    await page.goto(`${site}try/${path}`)
    await look(page)
    expect(wrong).toEqual([])
  } finally {
    await context.close()
  }
}

const run = (page: Page): Promise<void> => page.locator("#run").click()

const payer = (page: Page) => page.frameLocator("#payer")

const outputOf = (page: Page): Promise<string> => page.locator("#output").innerText()

/** The refunds in the gateway's log. */
const refundsIn = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await page.locator("#log li[data-type=request]").allInnerTexts()).filter((entry) => entry.includes("refundPayment"))

const seen = (page: Page): Promise<void> => page.locator("#seen").waitFor()

describe.each(isThorough ? [390, 1280] : [390])("at %i px", (width) => {
  const options = { viewport: { width, height: 800 } }

  it("a payment is created, paid by the payer, and read by the shop's page", () =>
    visit(
      "",
      async (page) => {
        await run(page)
        await payer(page).getByTestId("approve").click()
        expect(await payer(page).getByTestId("returned").innerText()).toBe("PAID")
        await seen(page)
        expect(await page.locator("#log li[data-type=state]").allInnerTexts()).toEqual(
          expect.arrayContaining([expect.stringContaining("PAID")])
        )
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      },
      options
    ))

  it("a notification reaches the shop without the payer", () =>
    visit(
      "#notification",
      async (page) => {
        await run(page)
        await seen(page)
        expect(await outputOf(page)).toContain("notified: PAID")
      },
      options
    ))

  it("a declined card leaves the payment open, and the payer pays with the next one", () =>
    visit(
      "#declined",
      async (page) => {
        await run(page)
        await seen(page)
        expect(await outputOf(page)).toContain("_5002")
        await payer(page).getByTestId("approve").click()
        expect(await payer(page).getByTestId("returned").innerText()).toBe("PAID")
      },
      options
    ))

  it("a refund whose response is lost is found again", () =>
    visit(
      "#refund",
      async (page) => {
        await run(page)
        await seen(page)
        expect(await outputOf(page)).toMatch(/^OutcomeUnknown\n[^]*StateReached[^]*Whether this call did it is unknown/)
        expect(await page.locator("#seen-text").innerText()).toContain("whether this call did it, it cannot tell")
        const said = await page
          .getByRole("list", { name: "Who said what to whom" })
          .getByRole("listitem")
          .evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")?.replace(/^[\d:]+ /, "")))
        const refund = said.indexOf("Shop → Gateway: refundPayment")
        expect(said.slice(refund, refund + 5)).toEqual([
          "Shop → Gateway: refundPayment",
          "Gateway: refund: finished",
          "Gateway: REFUNDED",
          "Gateway: fault: connection reset",
          "Gateway → Shop: no response, lost"
        ])
        expect(await page.locator("#log li[data-type=request]").allInnerTexts()).toEqual(
          expect.arrayContaining([expect.stringContaining("refundPayment → no response")])
        )
      },
      options
    ))

  it("a shop with a ledger is killed after the gateway has refunded, and the next one finds that", () =>
    visit(
      "#ledger",
      async (page) => {
        await run(page)
        await seen(page)
        expect(await outputOf(page)).toMatch(/The shop was killed\.[^]*\nDone\n$/)
        expect(await refundsIn(page)).toEqual([expect.stringContaining("refundPayment → 200")])
        const said = await page
          .getByRole("list", { name: "Who said what to whom" })
          .getByRole("listitem")
          .evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")?.replace(/^[\d:]+ /, "")))
        const refund = said.indexOf("Shop → Gateway: refundPayment")
        // The notification of the refund may be on its way by then.
        expect(said.slice(refund + 3, refund + 6)).toEqual(
          expect.arrayContaining(["Gateway → Shop: 200", "Shop: is killed"])
        )
        // The same key once more, in a shop that is killed by hand meanwhile.
        await page.locator("#stop").click()
        await run(page)
        await seen(page)
        expect(await outputOf(page)).toBe("Done\n")
        expect(await refundsIn(page)).toHaveLength(1)
      },
      options
    ))

  it("a month passes, and the card is charged", () =>
    visit(
      "#month",
      async (page) => {
        await run(page)
        await seen(page)
        expect(await outputOf(page)).toMatch(/^\d+ PAID$/m)
        // What has happened on another day than the first says on which.
        const log = await page.locator("#log li").allInnerTexts()
        expect(log[0]).toMatch(/^\d\d:\d\d:\d\d /)
        expect(log.at(-1)).toMatch(/^\d{1,2} [A-Z][a-z]+, \d\d:\d\d:\d\d /)
      },
      options
    ))
})

it("loads the ledger and its database in the chapter that needs them, and begins anew with them", () =>
  visit("#refund", async (page) => {
    const loaded: Array<string> = []
    page.on("request", (request) => loaded.push(request.url().split("/").at(-1) ?? ""))
    await run(page)
    await seen(page)
    expect(loaded.filter((name) => /ledger|wasm/i.test(name))).toEqual([])
    await page.locator("nav a[href='#ledger']").click()
    await run(page)
    await seen(page)
    await page.locator("#again").click()
    await run(page)
    await seen(page)
    expect(await outputOf(page)).toMatch(/The shop was killed\.[^]*\nDone\n$/)
    expect(await refundsIn(page)).toHaveLength(1)
  }))

it("knows in the second shop that the order is paid, though the first one was slow to take the notification", () =>
  visit("#ledger", async (page) => {
    const code = await page.locator("#code").inputValue()
    const slow = `const handler = ledger.notificationHandler()
shop.onNotification((request) => new Promise((taken) => setTimeout(() => taken(handler(request)), 2_000)))`
    await page.locator("#code").fill(code.replace("shop.onNotification(ledger.notificationHandler())", slow))
    await run(page)
    await page.getByText("The shop was killed.").waitFor()
    await page.locator("#run:enabled").waitFor()
    expect(await outputOf(page)).toMatch(/The shop was killed\.[^]*\nDone\n$/)
  }))

it("delivers every notification of a month at once, also after a chapter whose shop was killed", () =>
  visit("#ledger", async (page) => {
    await run(page)
    await seen(page)
    await page.locator("nav a[href='#month']").click()
    await page.locator("#run:enabled").waitFor()
    await run(page)
    await seen(page)
    const notified = await page.locator("#log li[data-type=notification]").allInnerTexts()
    expect(notified.map((text) => text.replace(/^.*(?=notification)/s, ""))).toEqual(
      Array.from({ length: 2 }, () => "notification → 200")
    )
  }))

it("starts a chapter clean, whatever the one before has left", () =>
  visit("#ledger", async (page) => {
    await run(page)
    await seen(page)
    await page.locator("#code").fill(`shop.onNotification(async () => new Response(undefined, { status: 503 }))
shop.redirect((await gateway.createPayment(shop.order)).gw_url)
await local.armFault({ type: "connectionReset" }, { operation: "createPayment" })
await new Promise(() => undefined)`)
    await run(page)
    await payer(page).getByTestId("approve").waitFor()
    await page.locator("nav a[href='#month']").click()
    await page.locator("#run:enabled").waitFor()
    expect(await page.locator("#log li").allInnerTexts()).toEqual([])
    expect(await page.locator("#payer").isVisible()).toBe(false)
    await run(page)
    await seen(page)
    expect(await outputOf(page)).toMatch(/^\d+ PAID\n$/)
    expect(await refundsIn(page)).toEqual([])
    expect(await page.locator("#log li[data-type=fault]").allInnerTexts()).toEqual([])
  }))

it("leads from each chapter to the next, and from the last one to the guide", () =>
  visit("", async (page) => {
    for (const { id } of chapters.slice(1)) {
      await page.locator("#run:enabled").waitFor()
      await page.locator("#seen").evaluate((section: HTMLElement) => section.removeAttribute("hidden"))
      await page.locator("#next").click()
      await page.locator(`nav a[href='#${id}'][aria-current]`).waitFor()
    }
    const last = await page.locator("#next").evaluate((link: HTMLAnchorElement) => link.href)
    expect(last).toBe(`${site}guides/first-payment`)
  }))

it("shows all of a chapter's code, in colours", () =>
  visit("#ledger", async (page) => {
    const hidden = await page.locator("#code").evaluate(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight)
    expect(hidden).toBeLessThanOrEqual(0)
    const colours = page.locator("#colours")
    const code = await page.locator("#code").inputValue()
    expect(await colours.evaluate(({ textContent }) => textContent)).toBe(`${code}\n`)
    expect(await colours.locator(".word").first().innerText()).toBe("const")
    await page.locator("#code").fill(`// one\n"two" // "three"`)
    const kinds = await colours.locator("span").evaluateAll((spans) => spans.map(({ className }) => className))
    expect(kinds).toEqual(["comment", "text", "comment"])
  }))

it("brings the payer back to a page of the shop that says what was bought", () =>
  visit("", async (page) => {
    await run(page)
    await payer(page).getByTestId("approve").click()
    await payer(page).getByRole("heading", { name: "Thank you, it is paid." }).waitFor()
    expect(await payer(page).locator("dl").innerText()).toMatch(/2026-0042[^]*CZK\s1,399\.50/)
  }))

it("speaks Czech, and leads to a Czech guide where there is one", () =>
  visit("cs/#refund", async (page) => {
    expect(await page.locator("#chapter").innerText()).toBe("Vrácení, jehož odpověď se ztratila")
    await run(page)
    await seen(page)
    expect(await page.locator("#guide").evaluate((link: HTMLAnchorElement) => link.href)).toBe(`${site}guides/refunds`)
    expect(await page.locator("#guide").innerText()).toBe("Vracení peněz (anglicky)")
  }))

it("is used with the keyboard alone", () =>
  visit("", async (page) => {
    await page.locator("#run:not([disabled])").waitFor()
    await page.getByRole("link", { name: "A declined card" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "A declined card" }).waitFor()
    await page.locator("#run:enabled").waitFor()
    await page.locator("#code").focus()
    await page.keyboard.press("ControlOrMeta+A")
    await page.keyboard.type("console.log(6 * 7)")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await seen(page)
    expect(await outputOf(page)).toBe("42\n")
  }))

it("stops code that never ends, and shows what is wrong with other code", () =>
  visit("", async (page) => {
    await page.locator("#code").fill("console.log('on and on')\nwhile (true) {}")
    await run(page)
    await page.locator("#output", { hasText: "on and on" }).waitFor()
    await page.locator("#stop").click()
    await page.getByText("The shop was stopped").waitFor()
    expect(await outputOf(page)).toMatch(/^on and on\n/)
    await page.locator("#code").fill("await gateway.getPayment(100)")
    await run(page)
    await page.getByText("GatewayError PaymentNotFound").waitFor()
  }))

it("keeps the gateway's books over a reload, and forgets them when one begins again", () =>
  visit("", async (page) => {
    const list = "console.log((await local.listPayments()).length)"
    const count = async (): Promise<string> => {
      await page.locator("#code").fill(list)
      await run(page)
      await page.locator("#output:not(:empty)").waitFor()
      return outputOf(page)
    }
    await run(page)
    await payer(page).getByTestId("approve").waitFor()
    await page.reload()
    expect(await count()).toBe("1\n")
    await page.locator("#again").click()
    await page.locator("#output:empty").waitFor({ state: "attached" })
    expect(await count()).toBe("0\n")
  }))

it("restores a session from a link, whose code waits until it is run", () =>
  visit("#refund", async (page) => {
    await run(page)
    await seen(page)
    await page.locator("#code").fill("console.log((await local.listPayments()).map(({ state }) => state))")
    await page.locator("#link").click()
    await page.waitForURL(/#refund~/)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator("#run:not([disabled])").waitFor()
    expect(await outputOf(other)).toBe("")
    expect(other.url()).toBe(`${site}try/#refund`)
    await run(other)
    await other.getByText("REFUNDED").first().waitFor()
    await other.goto(`${site}try/#refund~nothing`)
    await other.reload()
    await other.locator("#run:not([disabled])").waitFor()
    expect(await other.locator("#code").inputValue()).toContain("refundPayment")
  }))

it("shows the payer no page but the shop's and the gateway's", () =>
  visit("", async (page) => {
    await page.locator("#code").fill("shop.redirect('javascript:document.title=1')\nconsole.log('after')")
    await run(page)
    await page.locator("#output", { hasText: "after" }).waitFor()
    expect(await outputOf(page)).toBe("javascript:document.title=1\nafter\n")
    expect(await page.locator("#payer").getAttribute("src")).toBe(null)
  }))

it("brings a payer who comes again back to the shop in the same frame", () =>
  visit("", async (page) => {
    await run(page)
    await payer(page).getByTestId("approve").click()
    await payer(page).getByTestId("returned").waitFor()
    await page.locator("#payer").evaluate((frame: HTMLIFrameElement) => {
      frame.src = `${frame.src}?again`
    })
    await payer(page).getByTestId("back-to-shop").click()
    expect(await payer(page).getByTestId("returned").innerText()).toBe("PAID")
    expect(page.url()).toBe(`${site}try/`)
  }))

it("is two shops in two tabs", () =>
  visit("", async (page) => {
    const other = await page.context().newPage()
    await other.goto(`${site}try/`)
    for (const tab of [page, other]) await run(tab)
    for (const tab of [page, other]) {
      await tab.bringToFront()
      await payer(tab).getByTestId("approve").click()
      expect(await payer(tab).getByTestId("returned").innerText()).toBe("PAID")
    }
  }))

it("says so where there are no service workers, and shows a picture", async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"))
  await page.goto(`${site}try/`)
  await page.getByRole("alert").waitFor()
  const picture = page.locator("#missing img")
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await page.locator("#app").isVisible()).toBe(false)
  await context.close()
})

it.each(["", "cs/"])("has nothing for axe to find: %s", (path) =>
  visit(`${path}#refund`, async (page) => {
    await run(page)
    await seen(page)
    expect(await findings(page)).toEqual([])
  })
)
