/**
 * The page for accountants in a browser: used without JavaScript, attacked from another site, and judged by axe.
 */
import Database from "libsql"
import { createServer, type Server } from "node:http"
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { SqliteTransaction } from "../../src/ledger/promise/index.js"
import { createAdminHandler } from "../../src/ledger/promise/index.js"
import { type Ledger } from "../../src/ledger/promise/index.js"
import { toNodeHandler } from "../../src/promise/index.js"
import { parseStatement, reconcileStatement } from "../../src/statement/index.js"
import { createTestShop, type TestShop } from "../../src/testing/promise/index.js"
import { stopRefunds } from "../ledger/StoppedRefunds.js"
import { order } from "../ledger/World.js"
import { collected } from "../support/collected.js"
import { listening } from "../support/RawGateway.js"
import { findings } from "./Axe.js"
import { launchBrowser } from "./Browser.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let browser: Browser
let shop: TestShop
let ledger: Ledger<SqliteTransaction>
let server: Server
let url: string

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

beforeEach(async () => {
  shop = await createTestShop({ driver: Database, gateway: partsAtOnce, onAttention: () => {} })
  ledger = shop.ledger
  const { id } = await shop.gateway.createPayment(order)
  await shop.local.payByCard(id)
  await stopRefunds(ledger, shop.gateway, id, { "complaint-77": 50_000, "complaint-78": 100 })
  server = createServer(toNodeHandler(accountants()))
  url = await listening(server.listen(0, "127.0.0.1"))
})

/** The page, with months whose statements the gateway gives. */
const accountants = () =>
  createAdminHandler(ledger.operator, {
    authorize: () => "Jana Nová",
    reconcileMonth: async ({ from, to }) => {
      const file = await shop.gateway.getAccountStatement({
        date_from: from,
        date_to: to,
        currency: "CZK",
        format: "CSV_B"
      })
      return reconcileStatement(parseStatement(file, { period: { from, to } }), {
        orders: await collected(ledger.operator.listBookedOrders())
      })
    },
    reconcileFile: async (file) =>
      reconcileStatement(parseStatement(file), { orders: await collected(ledger.operator.listBookedOrders()) })
  })

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await shop.close()
})

describe("the page for accountants", () => {
  it("takes a decision in a browser without JavaScript, in Czech", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: "cs-CZ" })
    const page = await context.newPage()
    await page.goto(`${url}/admin`)
    await page.getByRole("heading", { name: "Refundace neznámého původu: complaint-77" }).waitFor()
    await page.getByLabel("Neodesílat").check()
    await page.getByLabel("Zdůvodnění").fill("vráceno ručně")
    await page.getByRole("button", { name: "Potvrdit rozhodnutí" }).click()
    await page.getByRole("status").filter({ hasText: "complaint-77: Neprovedeno. Cancelled by Jana Nová" }).waitFor()
    await page.getByText("Na rozhodnutí nic nečeká.").waitFor()
    await page.getByRole("link", { name: "English" }).click()
    await page.getByText("Nothing needs a decision.").waitFor()
    expect(await ledger.getOutcome("complaint-77")).toMatchObject({ message: "Cancelled by Jana Nová: vráceno ručně" })
    await context.close()
  })

  it.each([
    ["cs-CZ", "Měsíc", "Porovnat s knihami", "Nesouhlasí.", "taková platba ani vratka v knihách není"],
    ["en-GB", "Month", "Compare with the books", "It does not agree.", "no such payment or refund in the books"]
  ])("compares the month that is chosen, without JavaScript (%s)", async (locale, label, button, verdict, reason) => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale })
    const page = await context.newPage()
    const month = new Date().toISOString().slice(0, 7)
    await shop.local.advanceTime("40 days")
    await page.goto(`${url}/admin`)
    await page.getByLabel(label, { exact: true }).fill(month)
    await page.getByRole("button", { name: button }).first().click()
    await page.getByText(verdict).waitFor()
    // The payment was made beside the ledger.
    await page.getByText(reason).first().waitFor()
    expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(month)
    const [day] = new Date(Date.now() - 86_400_000).toISOString().split("T")
    const until = new Date(Date.now() + 39 * 86_400_000).toISOString().slice(0, 10)
    const file = await shop.gateway.getAccountStatement({
      date_from: day ?? "",
      date_to: until,
      currency: "CZK",
      format: "CSV_B"
    })
    await page.locator("input[type=file]").setInputFiles({
      name: "statement.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(file.data)
    })
    await page.getByRole("button", { name: button }).last().click()
    await page.getByText(reason).first().waitFor()
    await context.close()
  })

  it("decides nothing by a form of another site, and shows itself in no frame of one", async () => {
    const version = (await ledger.operator.getChange("complaint-77"))?.version
    const fields = { key: "complaint-77", version: String(version), as: "notDone", by: "no one", note: "stolen" }
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    const evil = createServer((request, response) => {
      response.setHeader("content-type", "text/html")
      response.end(
        request.url === "/frame"
          ? `<iframe src="${url}/admin"></iframe>`
          : `<form method="post" action="${url}/admin">${inputs.join("")}<button>win</button></form>`
      )
    })
    // Another name is another site: the browser's ports are the same one.
    const evilUrl = (await listening(evil.listen(0, "127.0.0.1"))).replace("127.0.0.1", "localhost")
    const page = await browser.newPage()
    await page.goto(evilUrl)
    const response = page.waitForResponse(`${url}/admin`)
    await page.getByRole("button").click()
    expect((await response).status()).toBe(403)
    expect(await ledger.getOutcome("complaint-77")).toMatchObject({ _tag: "InDoubt" })
    await page.close()
    const framing = await browser.newPage()
    await framing.goto(`${evilUrl}/frame`)
    expect(await framing.frameLocator("iframe").getByRole("heading", { level: 1 }).count()).toBe(0)
    await framing.close()
    evil.closeAllConnections()
    evil.close()
  })

  it.each(["en", "cs"])("has nothing that axe finds (%s)", async (language) => {
    const context = await browser.newContext({ bypassCSP: true })
    const page = await context.newPage()
    const found: Array<string> = []
    for (const path of [
      `/?lang=${language}`,
      `/?lang=${language}&decided=complaint-77`,
      `/?lang=${language}&month=${new Date().toISOString().slice(0, 7)}`
    ]) {
      await page.goto(url + path)
      found.push(...(await findings(page)).map((finding) => `${path}, ${finding}`))
    }
    expect(found).toEqual([])
    await context.close()
  })
})
