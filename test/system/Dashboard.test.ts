/**
 * The dashboard in a real browser: it updates by itself, and everything can be done from it.
 */
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import { execFile } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, expect, it, vi } from "vitest"
import { LocalGateway, readSeed, type LocalGatewayServerOptions } from "../../src/local-gateway/index.js"
import type { RunningLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { parseStatement } from "../../src/statement/index.js"
import { openShopV4 } from "../support/ShopV4.js"
import { launchBrowser, patience } from "./Browser.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** The package, as it was built. */
const packaged = "../../dist/local-gateway/promise/index.js"

interface Scene {
  readonly page: Page
  /** What the browser has complained about: errors, refused scripts, dialogs. */
  readonly complaints: Array<string>
  readonly gatewayUrl: string
  readonly client: GatewayClient
  /** Creates a payment, and answers its id. */
  readonly order: (changes?: object) => Promise<number>
  /** A control call. */
  readonly control: (path: string, body?: object) => Promise<void>
}

interface Stage extends LocalGatewayServerOptions {
  readonly context?: BrowserContextOptions
}

/** The default, for a scene in which no setting is changed at first. */
const gopayDelay = { settings: { partialRefundDelaySeconds: 86_400 } } as const

/** Runs a gateway's server until it is disposed of. */
const startGateway = async ({ settings, ...options }: LocalGatewayServerOptions) => {
  const runtime = ManagedRuntime.make(
    LocalGateway.layerServer({ ...options, settings: { ...partsAtOnce, ...settings } })
  )
  const { merchant, url } = await runtime.runPromise(LocalGateway.use((gateway) => Effect.succeed(gateway)))
  return { merchant, url, [Symbol.asyncDispose]: () => runtime.dispose() }
}

/** Plays a scene with a gateway and a browser of its own. The browser must have nothing to complain about. */
const play = async ({ context = {}, ...options }: Stage, scene: (scene: Scene) => Promise<void>) => {
  await using gateway = await startGateway(options)
  const { merchant, url } = gateway
  await using client = createGatewayClient({
    goid: merchant.goid,
    clientId: merchant.clientId,
    clientSecret: merchant.clientSecret,
    environment: url
  })
  const visitor = await browser.newContext(context)
  try {
    const page = await visitor.newPage()
    const complaints: Array<string> = []
    page.on("console", (message) => {
      // The faults are not offered where there are none.
      if (message.type() === "error" && !message.location().url.endsWith("/faults")) complaints.push(message.text())
    })
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    const control: Scene["control"] = async (path, body = {}) => {
      const answer = await fetch(`${url}/local-gateway${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      assert.strictEqual(answer.status, 200, await answer.text())
    }
    const order: Scene["order"] = async (changes = {}) => {
      const { id } = await client.createPayment({
        amount: 139_950,
        currency: "CZK",
        order_number: "2026-0042",
        callback: { return_url: "http://127.0.0.1:9/return", notification_url: "http://127.0.0.1:9/notify" },
        ...changes
      })
      return id
    }
    await scene({ page, complaints, client, control, order, gatewayUrl: url })
    assert.deepStrictEqual(complaints, [])
  } finally {
    await visitor.close()
  }
}

const button = (page: Pick<Page, "getByRole">, name: string | RegExp) => page.getByRole("button", { name })

const moveTime = (page: Page) => page.getByRole("button", { name: "Move", exact: true })

const listed = (page: Page) => page.locator("#payment-list a")

const detail = (page: Page) => page.getByRole("article", { name: "Payment" })

const chips = (page: Page) => detail(page).locator(".title .chip")

const logEntries = (page: Page) => page.getByRole("region", { name: "Log", exact: true }).locator(".entry")

describe("The package's dashboard", () => {
  it("is there after few requests and few bytes, for slow lines", async () => {
    const { startLocalGateway } = await import(packaged)
    await using gateway: RunningLocalGateway = await startLocalGateway()
    const { clientId, clientSecret, goid } = gateway.merchant
    await using client = createGatewayClient({ clientId, clientSecret, goid, environment: gateway.url })
    await client.createPayment({
      amount: 100,
      currency: "CZK",
      order_number: "1",
      callback: { return_url: "http://127.0.0.1:9/return" }
    })
    const page = await browser.newPage()
    const session = await page.context().newCDPSession(page)
    await session.send("Network.enable")
    // The page reads its state again and again: on a slow machine more than once before it is seen.
    const asked = new Set<string>()
    const repeated = new Set<string>()
    session.on("Network.requestWillBeSent", ({ request: { url }, requestId }) => {
      if (asked.has(url)) repeated.add(requestId)
      asked.add(url)
    })
    const loaded: Array<number> = []
    session.on("Network.loadingFinished", ({ encodedDataLength, requestId }) => {
      if (!repeated.has(requestId)) loaded.push(encodedDataLength)
    })
    await page.goto(gateway.url)
    await listed(page).first().waitFor()
    await page.close()
    assert.isAtMost(loaded.length, 8)
    assert.isAtMost(
      loaded.reduce((sum, bytes) => sum + bytes, 0),
      60_000
    )
  })
})

describe("What goes on", () => {
  it("a payment appears by itself, on a page that was empty, and the newest is first", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      await page.goto(gatewayUrl)
      await page.getByRole("heading", { name: "No payments yet" }).waitFor()
      await order()
      await listed(page).getByText("2026-0042").waitFor()
      assert.match(await listed(page).innerText(), /1,399\.50\sCZK/)
      await page.getByRole("status").getByText("1 new payment.").waitFor()
      await order({ order_number: "2026-0043", currency: "EUR", amount: 1 })
      await listed(page).getByText("2026-0043").waitFor()
      assert.match((await listed(page).allInnerTexts()).join(), /2026-0043[^]*0\.01\sEUR[^]*2026-0042/)
    }))

  it("a payment's timeline has its calls with their bodies, its states and its notifications", () =>
    play({}, async ({ client, control, gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const entries = detail(page).locator(".entry")
      await entries.getByText("createPayment").click()
      const bodies = detail(page).locator("details[open]")
      assert.include(await bodies.getByLabel("Request body").innerText(), `"amount": 139950,\n  "currency": "CZK"`)
      assert.include(await bodies.getByLabel("Response body").innerText(), `"state": "CREATED"`)
      await control(`/payments/${id}/pay-by-card`)
      await chips(page).getByText("PAID").waitFor()
      await entries.getByText(/^notification not taken$/).waitFor()
      await client.refundPayment(id, { amount: 50 })
      await chips(page).getByText("PARTIALLY REFUNDED").waitFor()
      await detail(page).getByRole("region", { name: "Refunds" }).getByText("SUCCESS").waitFor()
      // The entries that were opened have stayed open.
      assert.strictEqual(await entries.getByText("createPayment").count(), 1)
      assert.strictEqual(await bodies.count(), 1)
      const types = await entries.evaluateAll((list) => list.map((entry) => entry.getAttribute("data-type")))
      for (const type of ["request", "state", "notification", "operation"]) assert.include(types, type)
    }))

  it("nothing jumps when payments arrive, beside the one that is open", () =>
    play({ context: { viewport: { width: 1280, height: 720 } } }, async ({ control, gatewayUrl, order, page }) => {
      const id = await order()
      await control(`/payments/${id}/pay-by-card`)
      await page.addInitScript(() => {
        const shifts = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const shift = Number(document.documentElement.dataset["shift"] ?? 0)
            document.documentElement.dataset["shift"] = String(shift + ("value" in entry ? Number(entry.value) : 0))
          }
        })
        shifts.observe({ type: "layout-shift", buffered: true })
      })
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await chips(page).getByText("PAID").waitFor()
      for (let round = 0; round < 3; round++) {
        for (let count = 0; count < 4; count++) await order({ order_number: `r${round}-${count}` })
        await listed(page).getByText(`r${round}-3`).waitFor()
      }
      const shift = await page.evaluate(() => Number(document.documentElement.dataset["shift"] ?? 0))
      assert.isBelow(shift, 0.05)
    }))

  it("Enter on a row goes to its payment, the way back to the row, and a first Tab past the header", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const id = await order()
      await order({ order_number: "other" })
      await page.goto(gatewayUrl)
      const row = page.getByTestId(`payment-${id}`)
      await row.focus()
      await page.keyboard.press("Enter")
      const heading = detail(page).getByRole("heading", { name: "2026-0042" })
      const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)
      await page.locator("#payment-heading:focus").waitFor()
      assert.isTrue(await isFocused(heading))
      await page.goBack()
      await page.locator(`[data-testid="payment-${id}"]:focus`).waitFor()
      await page.reload()
      await row.waitFor()
      await page.keyboard.press("Tab")
      assert.strictEqual(await page.locator(":focus").innerText(), "Skip to the content")
      await page.keyboard.press("Enter")
      assert.isTrue(await isFocused(page.getByRole("main")))
      assert.strictEqual(new URL(page.url()).hash, "")
    }))

  it.each([320, 390, 800, 1024, 1280])("the header is one row, and whole, at %i px", (width) =>
    play({ context: { viewport: { width, height: 720 } } }, async ({ control, gatewayUrl, order, page }) => {
      await order({ callback: { return_url: "http://127.0.0.1:9/", notification_url: "http://127.0.0.1:9/" } })
      await control("/advance-time", { by: "P40D" })
      await page.goto(gatewayUrl)
      await page.locator("#ahead").getByText(/40\sd/).waitFor()
      const head = await page.locator("#head").evaluate((header) => ({
        height: header.getBoundingClientRect().height,
        right: Math.max(...[...header.children].map((child) => child.getBoundingClientRect().right))
      }))
      assert.isAtMost(head.height, 48)
      assert.isAtMost(head.right, width)
      await page.getByTestId("forward-menu").click()
      const { width: wide = 0, x = 0 } = (await page.locator("#forward").boundingBox()) ?? {}
      assert.isTrue(x >= 0 && x + wide <= width)
    })
  )

  it("a payment shows what was ordered, and by whom", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const id = await order({
        order_description: "Two shirts",
        items: [{ name: "Shirt", amount: 139_950, count: 2 }],
        payer: { contact: { first_name: "Jana", last_name: "Nová", email: "jana@shop.test" } }
      })
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await detail(page).getByRole("definition").getByText("Two shirts").waitFor()
      await detail(page).getByRole("definition").getByText("Jana Nová, jana@shop.test").waitFor()
      const items = detail(page).getByRole("region", { name: "Items" })
      assert.match(await items.innerText(), /Shirt\s+2 ×\s+1,399\.50\sCZK/)
    }))

  it("a recurrence and the card it is charged to are shown with their further payments", () =>
    play({}, async ({ control, gatewayUrl, order, page }) => {
      const id = await order({
        payer: { request_card_token: true },
        recurrence: { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "2099-12-31" }
      })
      await control(`/payments/${id}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await detail(page)
        .getByText(/^The next charge is made in (2|3)\d\sd/)
        .waitFor()
      await button(page, "Skip to then").click()
      const further = detail(page).locator("dd .ids a")
      await further.waitFor()
      assert.strictEqual(await further.count(), 1)
      await detail(page)
        .getByRole("definition")
        .getByText(/^MONTH × 1 until 2099-12-31, STARTED$/)
        .waitFor()
      await detail(page).getByRole("definition").getByText("444444******4448").waitFor()
      await order({ order_number: "plain" })
      await listed(page).getByText("plain").waitFor()
      for (const kind of ["starts a recurrence", "stored card"]) {
        await page.getByLabel("Kind").selectOption(kind)
        await page.getByText(/^1\spayment found$/).waitFor()
        await page.getByTestId(`payment-${id}`).waitFor()
        await page.getByLabel("Kind").selectOption("Any kind of payment")
        await listed(page).getByText("plain").waitFor()
      }
    }))
})

describe("What can be done", () => {
  it("a clearing is made in time, and saved as the XML that explains it", () =>
    play({}, async ({ control, gatewayUrl, order, page }) => {
      await control(`/payments/${await order()}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/gateway`)
      const clearings = page.getByRole("region", { name: "Newest clearings" })
      await page.getByText("No clearings yet.").waitFor()
      await control("/settings", { clearings: "daily", paymentFeeBasisPoints: 100 })
      await page.getByTestId("forward-menu").click()
      await moveTime(page).click()
      await clearings.getByRole("cell", { name: /^1,385\.50\sCZK$/ }).waitFor()
      await clearings.getByRole("cell", { name: /^14\.00\sCZK$/ }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        clearings.getByRole("link", { name: /^Save clearing \d+ as XML$/ }).click()
      ])
      assert.match(download.suggestedFilename(), /^clearing-\d{10}\.xml$/)
      const statement = parseStatement(await readFile(await download.path()))
      assert.deepInclude(statement.clearing ?? {}, { transfer: 138_550 })
      assert.deepInclude(statement.movements[0], { orderNumber: "2026-0042", amount: 139_950 })
    }))

  it("the payer declines and pays by button, with the focus kept where it was", () =>
    play({}, async ({ client, gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await page.getByTestId("simulate-menu").click()
      await page.getByLabel("Reason for declining").selectOption("_5008")
      await button(page, "Decline the attempt").click()
      await page
        .getByRole("status")
        .getByText("The attempt was declined: the CVV/CVC code was refused (_5008). The payer may try again.")
        .waitFor()
      await chips(page).getByText("PAYMENT METHOD CHOSEN").waitFor()
      await detail(page)
        .getByRole("definition")
        .getByText(/^_5008 Declined/)
        .waitFor()
      await button(page, "Pay by card").focus()
      await page.keyboard.press("Enter")
      await chips(page).getByText("PAID").waitFor()
      await page.getByRole("status").getByText("2026-0042 is PAID.").waitFor()
      assert.strictEqual((await client.getPayment(id)).state, "PAID")
      assert.strictEqual(await button(page, "Pay by card").count(), 0)
      assert.notStrictEqual(await page.evaluate(() => document.activeElement?.tagName), "BODY")
    }))

  it("the shop refunds, captures, charges again and is notified once more, by button", () =>
    play({}, async ({ client, complaints, control, gatewayUrl, order, page }) => {
      const id = await order()
      await control(`/payments/${id}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const shop = page.getByRole("group", { name: "Shop" })
      const amount = page.getByLabel("Amount to refund")
      await amount.fill("much")
      await page.getByTestId("refund").click()
      await page.getByRole("status").getByText("This is not an amount").waitFor()
      await amount.fill("399,50")
      await page.getByTestId("refund").click()
      await chips(page).getByText("PARTIALLY REFUNDED").waitFor()
      assert.strictEqual((await client.getPaymentRefunds(id))[0]?.amount, 39_950)
      await amount.fill("9999")
      await page.getByTestId("refund").click()
      await page.getByRole("status").getByText("332 PAYMENT_WRONG_AMOUNT").waitFor()
      assert.match(complaints.splice(0).join(), /^[^,]*status of 409[^,]*$/)
      await page.getByTestId("shop-menu").click()
      await page.getByTestId("resend-notification").click()
      await detail(page).locator('.entry[data-type="notification"]').nth(2).waitFor()
      assert.include(await detail(page).innerText(), "http://127.0.0.1:9/notify")

      const held = await order({ preauthorization: true })
      await control(`/payments/${held}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/payments/${held}`)
      await page.getByLabel("Amount to capture").fill("10")
      await page.getByTestId("capture").click()
      await chips(page).getByText("PAID").waitFor()
      assert.include(await detail(page).innerText(), "10.00\u00a0CZK")
      await shop.getByRole("button", { name: "Release the hold" }).waitFor({ state: "detached" })

      const recurring = await order({
        recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" },
        items: [{ name: "a month", amount: 1 }]
      })
      await control(`/payments/${recurring}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/payments/${recurring}`)
      await detail(page)
        .getByText(/The items add up to 0\.01\sCZK, the amount is 1,399\.50\sCZK\./)
        .waitFor()
      await page.getByTestId("shop-menu").click()
      await page.getByTestId("charge").click()
      await detail(page).locator("dd .ids a").waitFor()
    }))

  it("what goes wrong seldom is played by one button each", () =>
    play({}, async ({ client, control, gatewayUrl, order, page }) => {
      const open = async () => {
        const id = await order()
        await page.goto(`${gatewayUrl}/#/payments/${id}`)
        return id
      }
      await open()
      await page.getByTestId("accidents-menu").click()
      await page.getByTestId("scenario-declined").click()
      await chips(page).getByText("PAYMENT METHOD CHOSEN").waitFor()
      const late = await open()
      await page.getByTestId("accidents-menu").click()
      await page.getByTestId("scenario-late").click()
      await chips(page).getByText("PAID").waitFor()
      assert.strictEqual((await client.getPayment(late)).sub_state, "_5047")
      await open()
      await page.getByTestId("accidents-menu").click()
      await page.getByTestId("scenario-twice").click()
      await chips(page).getByText("PAID").waitFor()
      await control("/deliver-notifications")
      const notified = detail(page)
        .locator('.entry[data-type="notification"]')
        .getByText(/^notification not taken$/)
      await notified.nth(1).waitFor()
      const twice = await open()
      await page.getByTestId("accidents-menu").click()
      await page.getByTestId("scenario-paid-twice").click()
      await page.getByText("Both payments of the order are paid.").waitFor()
      assert.strictEqual((await client.getPayment(twice)).state, "PAID")
      assert.strictEqual((await client.getPayment(twice + 13)).order_number, "2026-0042")
      const id = await open()
      await page.getByTestId("accidents-menu").click()
      await page.getByTestId("scenario-silent").click()
      await page.getByRole("status").getByText("The next call of the gateway gets no response.").waitFor()
      const silent = await fetch(`${gatewayUrl}/api/payments/payment/${id}`, {
        signal: AbortSignal.timeout(300)
      }).catch((error: unknown) => error)
      assert.instanceOf(silent, DOMException)
      assert.strictEqual((await client.getPayment(id)).state, "CREATED")
    }))

  it("what was not delivered is shown, delivered now, and sent once more", () =>
    play({}, async ({ control, gatewayUrl, order, page }) => {
      const id = await order()
      await control(`/payments/${id}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/notifications`)
      const delivery = page.locator(".delivery")
      await delivery.getByText("http://").waitFor()
      await delivery.getByText("waiting", { exact: true }).waitFor()
      await delivery.getByText(/^next attempt in \d+\ss$/).waitFor()
      await page.getByTestId("deliver-now").click()
      await page.getByText("No pending notifications.").waitFor()
      await delivery.getByText("given up", { exact: true }).waitFor()
      // The tab says so, in red, once nothing more is tried.
      await page.getByTestId("tab-notifications").locator(".count.bad").getByText("1", { exact: true }).waitFor()
      // It is not called given up before its last attempt is there.
      assert.match(await delivery.locator("summary").innerText(), /20\sattempts/)
      await delivery.getByRole("button", { name: `Resend the notification of payment ${id}` }).click()
      await page.getByText("The notification was sent once more.").waitFor()
    }))

  it("a notification that was never sent is said not to be, once", () =>
    play({}, async ({ control, gatewayUrl, order, page }) => {
      const id = await order({
        callback: { return_url: "http://127.0.0.1:9/", notification_url: "http://shop.test/n" }
      })
      await control(`/payments/${id}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/notifications`)
      const summary = page.locator(".delivery summary")
      await summary.getByText("not sent", { exact: true }).waitFor()
      const text = await summary.innerText()
      assert.notMatch(text, /given up|no response|attempt/)
      assert.lengthOf(text.match(/not sent/g) ?? [], 1)
      assert.include(text, "shop.test is not loopback")
    }))

  it("a payment's timeline says each thing once, and of a refund not how the payment was made", () =>
    play({}, async ({ client, control, gatewayUrl, order, page }) => {
      const id = await order()
      await control(`/payments/${id}/pay-by-bank-transfer`)
      await client.refundPayment(id, { amount: 139_950 })
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const timeline = detail(page).locator(".entries")
      const refunded = timeline.locator(".entry[data-type=state]").filter({ hasText: "REFUNDED" })
      assert.notInclude(await refunded.innerText(), "_3002")
      await timeline.getByText("_3002").waitFor()
      assert.strictEqual(await timeline.locator(".entry[data-type=control]").count(), 0)
      await page.goto(`${gatewayUrl}/#/log?type=control`)
      await logEntries(page).getByText("pay by bank transfer").waitFor()
    }))

  it("a payment has a picture of who said what to whom, which a screen reader reads as a list", () =>
    play({}, async ({ client, control, gatewayUrl, order, page }) => {
      const id = await order({ callback: { return_url: "http://127.0.0.1:9/return" } })
      await control(`/payments/${id}/pay-by-card`)
      await control("/faults", { fault: { type: "connectionReset" }, operation: "refundPayment" })
      await client.refundPayment(id, { amount: 100 }).catch(() => {})
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const picture = page.getByRole("list", { name: "Who said what to whom" })
      await picture.getByRole("listitem", { name: "Gateway → Shop: no response, lost" }).waitFor()
      const said = await picture
        .getByRole("listitem")
        .evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")?.replace(/^[\d:]+ /, "")))
      assert.deepStrictEqual(said, [
        "Shop → Gateway: createPayment",
        "Gateway: CREATED",
        "Gateway → Shop: 200",
        "Payer → Gateway: pays",
        "Gateway: PAID",
        "Shop → Gateway: refundPayment",
        "Gateway: refund: finished",
        "Gateway: PARTIALLY REFUNDED",
        "Gateway: fault: connection reset",
        "Gateway → Shop: no response, lost"
      ])
    }))

  it("a picture has the payer's declined attempt, 3-D Secure and return, and a notification that is not answered yet", async () => {
    const held: Array<() => void> = []
    const shop = createServer(({ url = "" }, response) => {
      if (url.startsWith("/notify")) held.push(() => response.end())
      else response.setHeader("content-type", "text/html").end("<title>The shop</title>")
    }).listen(0, "127.0.0.1")
    await once(shop, "listening")
    const address = shop.address()
    const shopUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    try {
      await play(
        { settings: { notificationTiming: "notificationFirst" } },
        async ({ client, gatewayUrl, order, page }) => {
          const id = await order({
            callback: { return_url: `${shopUrl}/return`, notification_url: `${shopUrl}/notify` }
          })
          await page.goto((await client.getPayment(id)).gw_url ?? "")
          await page.getByTestId("decline-_5006").click()
          await button(page, "Ask for 3-D Secure").click()
          // The payer is sent back once the shop has responded.
          const confirmed = button(page, "Confirm").click()
          await vi.waitUntil(() => held.length > 0, { timeout: patience })
          const dashboard = await page.context().newPage()
          await dashboard.goto(`${gatewayUrl}/#/payments/${id}`)
          const picture = dashboard.getByRole("list", { name: "Who said what to whom" })
          const step = (name: string) => picture.getByRole("listitem", { name })
          await step("Gateway: the shop has not responded yet").waitFor()
          await step("Gateway → Shop: notification of PAID").waitFor()
          held.shift()?.()
          await confirmed
          await step("Shop → Gateway: 200, taken").waitFor()
          await step("Payer → Shop: returns").waitFor()
          assert.strictEqual(await step("Gateway: the shop has not responded yet").count(), 0)
          const said = await picture
            .getByRole("listitem")
            .evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")?.replace(/^[\d:]+ /, "")))
          assert.deepStrictEqual(
            said.filter((text) => text?.includes("Payer")),
            [
              "Payer → Gateway: tries to pay",
              "Gateway → Payer: declined: insufficient funds (_5006)",
              "Payer → Gateway: tries to pay",
              "Gateway → Payer: asks for 3-D Secure",
              "Payer → Gateway: pays",
              "Payer → Shop: returns"
            ]
          )
        }
      )
    } finally {
      shop.close()
      shop.closeAllConnections()
    }
  })

  it("a menu closes when its reader goes to another page", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/log`)
      await page.getByTestId("forward-menu").click()
      await page.getByTestId("move-time").fill("30")
      await page
        .locator("#forward")
        .getByRole("link", { name: String(id) })
        .click()
      await detail(page).getByRole("heading", { name: "2026-0042" }).waitFor()
      assert.isFalse(await page.locator("#forward").isVisible())
    }))

  it("a notification has the shop's response, with its headers and its body", async () => {
    const shop = createServer((_, response) => {
      response.writeHead(500, { "x-shop": "example" }).end(`{"error":"the database is locked"}`)
    }).listen(0, "127.0.0.1")
    await once(shop, "listening")
    const address = shop.address()
    const notification_url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/notify`
    try {
      await play({}, async ({ control, gatewayUrl, order, page }) => {
        const id = await order({ callback: { return_url: "http://127.0.0.1:9/return", notification_url } })
        await control(`/payments/${id}/pay-by-card`)
        await page.goto(gatewayUrl)
        await page
          .getByTestId(`payment-${id}`)
          .getByRole("img", { name: "The shop has not taken the last notification." })
          .waitFor()
        await page.goto(`${gatewayUrl}/#/payments/${id}`)
        const failing = page.getByTestId("failing-notification")
        await failing.getByText(/: it responded with status 500, not 200\. The next attempt is in \d+\ss\.$/).waitFor()
        await page.goto(gatewayUrl)
        const live = page.getByRole("region", { name: "Live log" })
        assert.match(await live.locator(".entry").first().innerText(), /Notification[^]*500/)
        await page.goto(`${gatewayUrl}/#/notifications`)
        await page.locator(".delivery summary").click()
        assert.match(
          await page.getByLabel("Status and headers of the response").innerText(),
          /^HTTP 500[^]*x-shop: example/
        )
        assert.include(await page.getByLabel("Body of the response").innerText(), `"error": "the database is locked"`)
        await page.getByRole("radio", { name: "Given up" }).check()
        await page.waitForURL(/#\/notifications\?show=givenUp$/)
        await page.getByText("No notification matches.").waitFor()
      })
    } finally {
      shop.close()
      shop.closeAllConnections()
    }
  })

  it("a new payment is held, recurs and names its addresses, from any page", () =>
    play({}, async ({ client, gatewayUrl, page }) => {
      await page.goto(`${gatewayUrl}/#/settings`)
      await page.getByTestId("new-payment").click()
      await page.getByLabel("Amount").fill("12,50")
      await page.getByLabel("Currency").selectOption("EUR")
      await page.getByLabel("Hold").selectOption("held")
      await page.getByLabel("Recurrence").selectOption("MONTH")
      await page.getByLabel(/^Notification address/).fill("http://127.0.0.1:9/told")
      await page.getByTestId("create-payment").click()
      await detail(page).getByRole("heading", { name: "TEST-1" }).waitFor()
      const [, id = ""] = /\/(\d+)$/.exec(page.url()) ?? []
      const payment = await client.getPayment(Number(id))
      assert.deepInclude(payment, { amount: 1250, currency: "EUR" })
      assert.deepInclude(payment.recurrence, { recurrence_cycle: "MONTH" })
      assert.strictEqual(payment.preauthorization?.state, "REQUESTED")
      await detail(page).getByRole("definition").getByText("http://127.0.0.1:9/told").waitFor()
      await page.getByTestId("new-payment").click()
      assert.strictEqual(await page.getByLabel(/^Notification address/).inputValue(), "http://127.0.0.1:9/told")
      assert.strictEqual(await page.getByLabel("Order number").inputValue(), "TEST-2")
    }))

  it("keys and test cards are copied one by one", () =>
    play({ context: { permissions: ["clipboard-read", "clipboard-write"] } }, async ({ gatewayUrl, page }) => {
      await page.goto(`${gatewayUrl}/#/keys`)
      const { merchants } = await (await page.request.get(`${gatewayUrl}/local-gateway/merchants`)).json()
      const copied = async (name: string | RegExp) => {
        await button(page, name).first().click()
        await page
          .getByRole("status")
          .getByText(/on the clipboard/)
          .waitFor()
        return page.evaluate(() => navigator.clipboard.readText())
      }
      assert.strictEqual(await copied(/^Copy the ClientSecret/), merchants[0].client_secret)
      assert.strictEqual(await copied(/^Copy the GoID/), String(merchants[0].goid))
      assert.match(await copied(/of the test card$/), /^4\d{15}$/)
      assert.include(await page.getByTestId("env").innerText(), `GOPAY_ENVIRONMENT=${gatewayUrl}`)
    }))

  it("a fault is armed by one button, seen on every page until it is used, and disarmed", () =>
    play({}, async ({ client, gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/faults`)
      await button(page, "Arm: Error 500").click()
      for (const place of ["payments", "log", "keys"]) {
        await page.goto(`${gatewayUrl}/#/${place}`)
        await page
          .getByTestId("armed-line")
          .getByText("server error (any operation, 1×), status 500, not carried out")
          .waitFor()
      }
      await client.getPayment(id).catch(() => {})
      await page.getByTestId("armed-line").waitFor({ state: "detached" })
      await page.goto(`${gatewayUrl}/#/faults`)
      // Which one loses the response after money has moved stands on its card.
      const lost = page.getByRole("listitem").filter({ hasText: /Money moves\. A refund fails with OutcomeUnknown\./ })
      await lost.first().waitFor()
      assert.deepStrictEqual(await lost.getByRole("heading").allInnerTexts(), ["No response", "Connection breaks"])
      const refused = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Token refused" }) })
      assert.deepStrictEqual(await refused.getByText("token:").or(refused.getByText("older one:")).allInnerTexts(), [
        "With a new token: No money moves. A refund fails with PermissionDenied.",
        "With an older one: Money moves. A refund succeeds."
      ])
      // What a card says is about the call that is chosen.
      const whichCall = page.getByRole("combobox", { name: "Which call" })
      const broken = page.getByRole("listitem").filter({ has: button(page, "Arm: Connection breaks") })
      await whichCall.selectOption("getPayment")
      await broken.getByText("No money moves. getPayment may be repeated.").waitFor()
      await whichCall.selectOption("deleteCard")
      await broken.getByText("It is made. deleteCard fails with OutcomeUnknown.").waitFor()
      await whichCall.selectOption("refundPayment")
      await broken.getByText("Money moves. A refund fails with OutcomeUnknown.").waitFor()
      await button(page, "Arm: Connection breaks").click()
      await page.getByTestId("armed-line").getByText("connection reset (refundPayment, 1×)").waitFor()
      await button(page, "Disarm").click()
      await page.getByTestId("armed-line").waitFor({ state: "detached" })
      await page.locator(".custom summary").click()
      await page.getByRole("combobox", { name: "Fault" }).selectOption("rateLimited")
      await button(page, "Arm fault").click()
      await page.getByTestId("armed-line").getByText("rate limited (any operation, 1×), retry after seconds").waitFor()
      await button(page, "Arm: Slow").click()
      await page.getByTestId("armed-line").getByText("latency").waitFor()
      await button(page, "Disarm").first().click()
      await page.getByTestId("armed-line").getByText("rate limited").waitFor({ state: "detached" })
      await button(page, "Disarm").click()
      await page.getByTestId("armed-line").waitFor({ state: "detached" })
      assert.strictEqual(await button(page, "Disarm").count(), 0)
    }))

  it("time says what falls due before it moves, and from when to when it has moved", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/faults`)
      await page.getByTestId("forward-menu").click()
      await page.locator("#forward").getByText("2026-0042: times out").waitFor()
      await page.getByLabel("Unit of time").selectOption("hours")
      await page
        .locator("#forward")
        .getByText(/^Nothing falls due by/)
        .waitFor()
      await page.getByTestId("move-time").fill("48")
      await page.locator("#forward").getByText("2026-0042: times out").waitFor()
      await moveTime(page).click()
      await page.getByText(/ahead$/).waitFor()
      assert.match(await page.locator("#ahead").innerText(), /^2\sd ahead$/)
      const moved = page.getByTestId("moved")
      await moved.getByText(/^Time moved from .+ to .+\.$/).waitFor()
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await chips(page).getByText("TIMEOUTED").waitFor()
      await page.keyboard.press("Escape")
      await moved.getByRole("button", { name: "Dismiss" }).click()
      assert.strictEqual(await moved.count(), 0)
    }))

  it("time moves on by the same, without the menu and by the same key", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(gatewayUrl)
      await page.getByTestId("forward-menu").click()
      await button(page, "+1 day").click()
      const ahead = page.locator("#ahead")
      await ahead.getByText(/^1\sd ahead$/).waitFor()
      await page.getByTestId("move-on").focus()
      for (const days of [2, 3, 4, 5]) {
        await expect
          .poll(() => page.getByTestId("move-on").evaluate((one) => one === document.activeElement))
          .toBe(true)
        assert.match(await page.getByTestId("move-on").innerText(), /^Move on by 1\sday$/)
        await page.keyboard.press("Enter")
        await ahead.getByText(new RegExp(`^${days}\\sd ahead$`)).waitFor()
      }
      await expect.poll(() => page.getByTestId("moved").innerText()).toMatch(/^Time moved from /)
      // A skip to a moment is no duration that could be repeated.
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await order({ order_number: "2026-43" })
      await page.getByTestId("forward-menu").click()
      await button(page, "To the next event").click()
      await page.getByTestId("move-on").waitFor({ state: "hidden" })
      await page.getByTestId("moved").waitFor()
    }))

  it("at 390 px nothing of the time is cut off, and a menu keeps the same distance from both edges", () =>
    play({ context: { viewport: { width: 390, height: 844 } } }, async ({ control, gatewayUrl, order, page }) => {
      const id = await order()
      await control("/advance-time", { by: "PT27H" })
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const ahead = page.locator("#ahead")
      await ahead.getByText(/1\sd\s3\sh/).waitFor()
      assert.isTrue(await ahead.evaluate((one) => one.scrollWidth <= one.clientWidth))
      for (const menu of ["shop", "forward"]) {
        await page.getByTestId(`${menu}-menu`).click()
        const box = await page.locator(`#${menu}`).boundingBox()
        assert.isNotNull(box)
        assert.deepEqual([Math.round(box?.x ?? 0), Math.round((box?.x ?? 0) + (box?.width ?? 0))], [12, 378])
        await page.keyboard.press("Escape")
      }
    }))

  it("time moves by a button, and to whatever falls due next", () =>
    play({}, async ({ client, gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(gatewayUrl)
      await page.getByTestId("forward-menu").click()
      await button(page, "+1 hour").click()
      await page
        .locator("#ahead")
        .getByText(/^1\sh ahead$/)
        .waitFor()
      await page.getByTestId("forward-menu").click()
      await button(page, "To the next event").click()
      // A token from the middle of the move would have expired at its end.
      await page
        .getByTestId("moved")
        .getByText(/1\spayment timed out/)
        .waitFor()
      assert.strictEqual((await client.getPayment(id)).state, "TIMEOUTED")
    }))

  it("a call of the log is edited and sent again", () =>
    play({}, async ({ client, gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/log?operation=createPayment`)
      await logEntries(page).locator("summary").click()
      await button(page, "Edit and send again").click()
      const body = page.getByLabel("Body", { exact: true })
      await body.fill((await body.inputValue()).replace("2026-0042", "edited").replace("139950", "5000"))
      await page.getByRole("button", { name: "Send", exact: true }).click()
      const response = page.getByLabel("Response to the call sent again")
      await response.getByText(`"order_number": "edited"`).waitFor()
      const created = Number(/"id": (\d+)/.exec(await response.innerText())?.[1])
      assert.isAbove(created, id)
      assert.strictEqual((await client.getPayment(created)).amount, 5000)
    }))

  it("a payment of API v4 is marked, and a call of it is sent again by v4", () =>
    play({}, async ({ gatewayUrl, page }) => {
      const shop = await openShopV4({ ...LocalGateway.merchant, environment: gatewayUrl })
      const { id } = await shop.create()
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await listed(page).getByText("API v4").waitFor()
      await detail(page).getByRole("definition").getByText("v4", { exact: true }).waitFor()
      await button(page, "Shop").click()
      assert.strictEqual(await button(page, "Copy the order as curl").count(), 0)
      await page.goto(`${gatewayUrl}/#/log?operation=v4.createPayment`)
      await logEntries(page).locator("summary").click()
      await button(page, "Edit and send again").click()
      await page.getByRole("button", { name: "Send", exact: true }).click()
      await page.getByLabel("Response to the call sent again").getByText(`"state": "CREATED"`).waitFor()
      await page.goto(`${gatewayUrl}/#/payments`)
      await vi.waitUntil(async () => (await listed(page).count()) === 2, patience)
    }))

  it("settings are changed by a preset, shown alone, and copied as flags", () =>
    play(
      { ...gopayDelay, context: { permissions: ["clipboard-read", "clipboard-write"] } },
      async ({ gatewayUrl, page }) => {
        await page.goto(`${gatewayUrl}/#/settings`)
        await button(page, "The payer is back first").click()
        await page.getByLabel(/^Changed only/).check()
        await page.waitForURL(/#\/settings\?changed=1$/)
        await page.getByText("changed", { exact: true }).waitFor()
        assert.strictEqual(await page.locator("#settings .setting:visible").count(), 1)
        await button(page, "Copy as flags").click()
        await page
          .getByRole("status")
          .getByText(/on the clipboard/)
          .waitFor()
        const flags = await page.evaluate(() => navigator.clipboard.readText())
        assert.strictEqual(flags, "--set notificationTiming=returnFirst")
        await button(page, "Reset all").click()
        await page.getByText("No setting is changed.").waitFor()
      }
    ))

  it("payments are found by the payer's name, and the filter stays in the address", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const id = await order({ payer: { contact: { first_name: "Jana", last_name: "Nováková" } } })
      await order({ order_number: "other" })
      await page.goto(gatewayUrl)
      await page.getByLabel("Filter payments").fill("novakova JANA")
      await page.getByText(/^1\spayment found$/).waitFor()
      await page.getByLabel("Filter payments").fill("nováková jana")
      await page.getByText(/^1\spayment found$/).waitFor()
      await page.getByTestId(`payment-${id}`).click()
      await page.waitForURL(/#\/payments\/\d+\?query=nov/)
      await page.reload()
      await page.getByText(/^1\spayment found$/).waitFor()
      assert.strictEqual(await page.getByLabel("Filter payments").inputValue(), "nováková jana")
      await page.goto(`${gatewayUrl}/#/log?query=novakova`)
      await page.getByText(/^1\sentry found$/).waitFor()
    }))

  it("a part that cannot be refunded yet is said not to be before anyone tries, with the way there", () =>
    play(gopayDelay, async ({ client, complaints, control, gatewayUrl, order, page }) => {
      const id = await order()
      await control(`/payments/${id}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const early = page.getByTestId("part-refundable")
      await early.getByText(/^Until .+ only the whole amount can be refunded \(330\)\.$/).waitFor()
      const amount = page.getByLabel("Amount to refund")
      /** What is typed takes the place of what stands there. */
      const type = async (typed: string) => {
        await amount.click()
        await expect
          .poll(() => amount.evaluate((field: HTMLInputElement) => field.selectionEnd))
          .toBe((await amount.inputValue()).length)
        await page.keyboard.type(typed)
        await page.keyboard.press("Enter")
      }
      await type("500")
      await page
        .locator("#said")
        .getByText(/^That failed\. 330 .* no earlier than 1 d after the payment/)
        .waitFor()
      assert.match(complaints.splice(0).join(), /409/)
      await button(page, "Dismiss").click()
      assert.strictEqual(await page.locator("#said").innerText(), "")
      await early.getByRole("button", { name: "Skip to then" }).click()
      await early.waitFor({ state: "detached" })
      await page.getByLabel("Amount to refund").blur()
      await type("500")
      await chips(page).getByText("PARTIALLY REFUNDED").waitFor()
      assert.strictEqual((await client.getPaymentRefunds(id))[0]?.amount, 50_000)
    }))

  it("a move of time says what happened in it, and each step shows before what it would do", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      for (const order_number of ["1", "2"]) await order({ order_number })
      await page.goto(gatewayUrl)
      await listed(page).first().waitFor()
      await page.getByTestId("forward-menu").click()
      await button(page, "+1 hour").hover()
      await page.locator(".due").getByText("Nothing falls due by").waitFor()
      await button(page, "+1 day").focus()
      await page
        .locator(".due")
        .getByText(/2\sevents fall due by/)
        .waitFor()
      await button(page, "+1 day").click()
      const moved = page.getByTestId("moved").locator("span").first()
      await moved.waitFor()
      assert.match(await moved.innerText(), / 2\spayments timed out\. \d+\sattempts to notify failed\.$/)
    }))

  it("the numbers beside the states are those of the payments that are searched for", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      for (const order_number of ["a-1", "a-2", "b-1"]) await order({ order_number })
      await page.goto(gatewayUrl)
      const all = page.locator(".pill").filter({ hasText: "All" })
      await all.getByText("3").waitFor()
      await page.getByLabel("Filter payments").fill("a-")
      await all.getByText("2").waitFor()
      assert.strictEqual(await listed(page).count(), 2)
    }))

  it("an amount that can be read in two ways moves no money, and the most that can be refunded has its currency", () =>
    play({}, async ({ client, complaints, control, gatewayUrl, order, page }) => {
      const id = await order()
      await control(`/payments/${id}/pay-by-card`)
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const refund = async (typed: string) => {
        if (!(await page.locator("#shop").isVisible())) await page.getByTestId("shop-menu").click()
        await page.getByLabel("Amount to refund").fill(typed)
        await page.getByTestId("refund").click()
      }
      await refund("1 0,5")
      await page.getByText("This is not an amount").waitFor()
      assert.deepInclude(await client.getPayment(id), { state: "PAID" })
      await refund("1 399,51")
      await page.locator("#said").getByText("At most 1,399.50 CZK (139950) can be refunded.").waitFor()
      assert.match(complaints.splice(0).join(), /409/)
    }))

  it("an order is copied as commands and as a program that create it once more", () =>
    play({ context: { permissions: ["clipboard-read", "clipboard-write"] } }, async (scene) => {
      const { client, gatewayUrl, order, page } = scene
      const id = await order({ order_number: "it's a copy", items: [{ name: "Kůň", amount: 139_950 }] })
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      // What the page says of it may give way to what it says of a new payment.
      const copied = async (button_: Locator) => {
        await page.evaluate(() => navigator.clipboard.writeText(""))
        await button_.click()
        return vi.waitFor(
          async () => {
            const text = await page.evaluate(() => navigator.clipboard.readText())
            assert.notStrictEqual(text, "")
            return text
          },
          { timeout: patience }
        )
      }
      const run = (program: string, ...options: ReadonlyArray<string>) =>
        promisify(execFile)(program, options, { cwd: fileURLToPath(new URL("../..", import.meta.url)) })
      const newest = async () => {
        const { payments } = await (await page.request.get(`${gatewayUrl}/local-gateway/payments?limit=1`)).json()
        assert.strictEqual(payments[0].payment.order_number, "it's a copy")
        return Number(payments[0].id)
      }
      await page.getByTestId("shop-menu").click()
      const program = await copied(page.getByTestId("copy-typescript"))
      await page
        .getByRole("status")
        .getByText(/on the clipboard/)
        .waitFor()
      const { stdout } = await run(process.execPath, "--input-type=module", "--eval", program)
      const second = await newest()
      assert.strictEqual(stdout, `${second} ${(await client.getPayment(second)).gw_url}\n`)
      await run("bash", "-c", await copied(page.getByTestId("copy-curl")))
      assert.isAbove(await newest(), second)

      await page.keyboard.press("Escape")
      await detail(page).locator(".entry").getByText("createPayment").click()
      const call = await copied(button(page, "Copy as curl"))
      assert.match(call, /^curl -s -X POST '[^']+\/payments\/payment' -H "Authorization: Bearer \$TOKEN"/)
    }))

  it("a payment of today has its day once that is over", () =>
    play({}, async ({ control, gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      const times = [
        listed(page).locator("time"),
        detail(page).getByRole("definition").locator("time"),
        // The oldest entry: newer ones come before it.
        detail(page).locator(".entry time").last()
      ]
      assert.match(await listed(page).locator("time").innerText(), /^\d\d:\d\d:\d\d$/)
      await control("/advance-time", { by: "P2D" })
      for (const time of times) {
        await page.waitForFunction(
          (shown) => /^\d+ \w+.*, \d\d:\d\d:\d\d$/.test(shown?.textContent ?? ""),
          await time.elementHandle()
        )
      }
    }))

  it("time moves to the next event of a payment, and by a month", () =>
    play({}, async ({ client, gatewayUrl, order, page }) => {
      const id = await order()
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await detail(page)
        .getByText(/^Times out in 11/)
        .waitFor()
      await button(page, "Skip to then").click()
      await chips(page).getByText("TIMEOUTED").waitFor()
      assert.strictEqual((await client.getPayment(id)).state, "TIMEOUTED")
      await page.getByTestId("forward-menu").click()
      await page.getByLabel("Unit of time").selectOption("months")
      await moveTime(page).click()
      await page.getByText(/^(28|29|30|31)\sd 1[123]\sh ahead$/).waitFor()
      await page.getByTestId("forward-menu").click()
      await page.getByTestId("move-time").fill("100")
      await page.getByLabel("Unit of time").selectOption("weeks")
      await moveTime(page).click()
      await page.getByText(/^7[23]\d\sd 1[123]\sh ahead$/).waitFor()
      await page.getByTestId("forward-menu").click()
      await page.getByTestId("move-time").fill("-1")
      await page.keyboard.press("Enter")
      assert.isTrue(await page.getByTestId("move-time").evaluate((field) => field.matches(":invalid")))
      await page.getByText(/^7[23]\d\sd 1[123]\sh ahead$/).waitFor()
    }))

  it("the log has milliseconds, and its filter in the address", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      await order({ order_number: "Kůň-1" })
      await page.goto(`${gatewayUrl}/#/log`)
      await logEntries(page).first().waitFor()
      assert.match(await logEntries(page).first().locator("time").innerText(), /\d\d:\d\d:\d\d\.\d{3}$/)
      await page.getByLabel("Text", { exact: true }).fill("kůň-1")
      await page.getByLabel("Show").selectOption("request")
      await page.getByText(/^1\sentry found$/).waitFor()
      await page.waitForURL(/#\/log\?query=k%C5%AF%C5%88-1&type=request$/)
      await page.reload()
      await page.getByText(/^1\sentry found$/).waitFor()
      assert.strictEqual(await page.getByLabel("Text", { exact: true }).inputValue(), "kůň-1")
      await page.getByRole("link", { name: "Clear filter" }).click()
      await page.waitForURL(/#\/log$/)
    }))

  it("no setting is called changed before the gateway has said what it holds", () =>
    play({}, async ({ gatewayUrl, page }) => {
      await page.route("**/local-gateway/{state,settings}", () => {})
      await page.goto(`${gatewayUrl}/#/settings?changed=1`)
      await page.getByTestId("tab-settings").waitFor()
      assert.strictEqual(await page.getByText("changed").count(), 0)
      assert.strictEqual(await page.locator("main button").count(), 0)
    }))

  it("settings are found by their words, and are less when only the changed ones are shown", () =>
    play({}, async ({ control, gatewayUrl, page }) => {
      await control("/settings", { timeToPaySeconds: 60 })
      await page.goto(`${gatewayUrl}/#/settings`)
      const names = page.locator("#settings .setting label")
      const search = page.getByRole("searchbox", { name: "Find a setting" })
      await search.fill("time to pay")
      await expect.poll(() => names.allInnerTexts()).toContain("Time to pay by card")
      assert.isBelow(await names.count(), 8)
      await search.fill("nothing of this kind")
      await page.getByText("No setting has these words.").waitFor()
      await search.fill("Token")
      await expect.poll(() => names.allInnerTexts()).toContain("Lifetime of a token")
      await page.getByLabel("Changed only").check()
      await page.getByText("No setting has these words.").waitFor()
    }))

  it("a setting is changed, a wrong one explained, and a half-typed one left alone", () =>
    play({}, async ({ complaints, control, gatewayUrl, page }) => {
      await page.goto(`${gatewayUrl}/#/settings`)
      const setting = (name: string) => page.locator(".setting").filter({ has: page.getByLabel(name, { exact: true }) })
      await page.getByLabel("Scopes of tokens", { exact: true }).selectOption("enforced")
      await setting("Scopes of tokens").getByText("changed").waitFor()
      const read = async () => (await page.request.get(`${gatewayUrl}/local-gateway/settings`)).text()
      assert.include(await read(), `"scopes":"enforced"`)
      await button(page, "Reset to ignored").click()
      await setting("Scopes of tokens").getByText("changed").waitFor({ state: "hidden" })
      assert.include(await read(), `"scopes":"ignored"`)

      const lifetime = page.getByLabel("Lifetime of a token", { exact: true })
      await lifetime.fill("0")
      await lifetime.press("Enter")
      await setting("Lifetime of a token")
        .getByRole("alert")
        .getByText(/tokenLifetimeSeconds.*whole number from 1/)
        .waitFor()
      assert.match(complaints.splice(0).join(), /^[^,]*status of 400[^,]*$/)
      await lifetime.fill("77")
      await control("/settings", { timeToPaySeconds: 60 })
      await setting("Time to choose a method").getByText("= 1 min").waitFor()
      assert.strictEqual(await lifetime.inputValue(), "77")
      await lifetime.press("Enter")
      await setting("Lifetime of a token").getByText("= 1 min 17 s").waitFor()
    }))

  it("the log is filtered by type, operation, status and text", () =>
    play({}, async ({ client, gatewayUrl, order, page }) => {
      const [first, second] = [await order(), await order({ order_number: "needle" })]
      await client.getPayment(first)
      await client.getPayment(300).catch(() => {})
      await page.goto(`${gatewayUrl}/#/log`)
      const entries = logEntries(page)
      const shows = async (count: number) => {
        await page.getByText(new RegExp(`^${count}\\s(entry|entries) found`)).waitFor()
        assert.strictEqual(await entries.count(), count)
      }
      await page.getByRole("combobox", { name: "Status" }).selectOption("4xx")
      await shows(1)
      await entries.getByText("404").waitFor()
      await page.getByRole("link", { name: "Clear filter" }).click()
      await page.getByRole("combobox", { name: "Operation" }).selectOption("getPayment")
      await shows(2)
      await page.getByRole("link", { name: "Clear filter" }).click()
      await page.getByRole("searchbox", { name: "Text" }).fill("NEEDLE")
      await shows(1)
      await page.getByRole("link", { name: "Clear filter" }).click()
      await page.getByRole("combobox", { name: "Show" }).selectOption("state")
      await shows(2)
      await page.getByRole("searchbox", { name: "Text" }).fill(String(second))
      await shows(1)
      // What comes later appears when it passes the filter.
      await page.goto(`${gatewayUrl}/#/log?query=${first}`)
      await shows(3)
      await client.getPayment(first)
      await shows(4)
    }))

  it("what is typed at once after a filter was cleared is what is searched for", () =>
    play({}, async ({ client, gatewayUrl, order, page }) => {
      await client.getPayment(await order())
      await page.goto(`${gatewayUrl}/#/log?operation=createPayment`)
      await page.getByText(/^1\sentry found$/).waitFor()
      await page.getByRole("link", { name: "Clear filter" }).evaluate(async (clear: HTMLElement) => {
        clear.click()
        // The page draws itself when what runs has ended, and nothing that the browser has left for later comes before.
        await new Promise<void>(queueMicrotask)
        const text = document.querySelector<HTMLInputElement>("#log input[name=query]")
        if (text === null) throw new Error("There is no filter.")
        text.value = "getPayment"
        text.dispatchEvent(new Event("input", { bubbles: true }))
      })
      await page.waitForURL(`${gatewayUrl}/#/log?query=getPayment`)
      await page.getByText(/^1\sentry found$/).waitFor()
      assert.include(await logEntries(page).innerText(), "getPayment")
    }))

  it("the log is searched as a whole, for what it shows, and read on page by page", () =>
    play({}, async ({ client, control, gatewayUrl, order, page }) => {
      const id = await order()
      for (let batch = 0; batch < 13; batch++) {
        await Promise.all(Array.from({ length: 20 }, () => client.getPayment(id)))
      }
      await client.refundPayment(id, { amount: 1 }).catch(() => {})
      await control("/advance-time", { by: "PT13H" })
      await page.goto(`${gatewayUrl}/#/log`)
      const entries = logEntries(page)
      const text = page.getByRole("searchbox", { name: "Text" })
      await text.fill("API call")
      await page.getByText(/^26\d\sentries found, the newest 100 are shown$/).waitFor()
      await button(page, "Show more").click()
      await page.getByText(/the newest 200 are shown$/).waitFor()
      await button(page, "Show more").click()
      await page.getByText(/^26\d\sentries found$/).waitFor()
      await button(page, "Show more").waitFor({ state: "hidden" })
      await text.fill("expired by the +13 h jump")
      await page.getByText(/^1\sentry found$/).waitFor()
      await entries.getByText(/^expired by the \+13\sh jump$/).waitFor()
      await page.getByRole("link", { name: "Clear filter" }).click()
      await text.fill("303 refundPayment")
      await page.getByText(/^1\sentry found$/).waitFor()
      assert.match(await entries.innerText(), /409\s+303\s+refundPayment[^]*\d\sms/)
      await text.fill("304 refundPayment")
      await page.getByText("No entry matches.").waitFor()
      await page.getByRole("link", { name: "Clear filter" }).click()
      await control(`/payments/${await order({ order_number: "later" })}/pay-by-card`, {})
      await page.getByRole("combobox", { name: "Show" }).selectOption("control")
      await entries.getByText("pay by card").waitFor()
    }))

  it("payments are found by state and by text", () =>
    play({}, async ({ control, gatewayUrl, order, page }) => {
      const paid = await order({ order_number: "paid-one" })
      await order({ order_number: "open-one" })
      await control(`/payments/${paid}/pay-by-card`)
      await page.goto(gatewayUrl)
      await page.getByRole("radio", { name: /^PAID/ }).check()
      await page.getByText(/^1\spayment found$/).waitFor()
      assert.include(await listed(page).innerText(), "paid-one")
      await page.getByRole("radio", { name: /^All/ }).check()
      await listed(page).getByText("open-one").waitFor()
      await page.getByLabel("Filter payments").fill("OPEN")
      await page.getByText(/^1\spayment found$/).waitFor()
      assert.include(await listed(page).innerText(), "open-one")
    }))

  it("the gateway is reset, only after a question", () =>
    play({}, async ({ complaints, gatewayUrl, order, page }) => {
      await order()
      await page.goto(`${gatewayUrl}/#/gateway`)
      await button(page, "Reset the gateway").click()
      await page.getByRole("status").getByText("Nothing was reset.").waitFor()
      const question = "dialog: Drop all payments, cards, log entries and settings since the start?"
      assert.deepStrictEqual(complaints.splice(0), [question])
      await page
        .getByRole("link", { name: /^Payments/ })
        .filter({ hasText: /1$/ })
        .waitFor()
      page.removeAllListeners("dialog").once("dialog", (dialog) => void dialog.accept())
      await button(page, "Reset the gateway").click()
      await page.getByRole("link", { name: /^Payments/ }).click()
      await page.getByRole("heading", { name: "No payments yet" }).waitFor()
      assert.strictEqual(await listed(page).count(), 0)
    }))
})

describe("In other ways", () => {
  it("without JavaScript it says so in sight", () =>
    play({ context: { javaScriptEnabled: false } }, async ({ gatewayUrl, page }) => {
      await page.goto(gatewayUrl)
      const alert = page.getByRole("alert").getByText("The dashboard needs JavaScript.")
      await alert.waitFor()
      assert.isBelow((await alert.boundingBox())?.y ?? 1000, 50)
    }))
})

describe("A gateway that stops", () => {
  it("is said to have stopped, and the page goes on when it is back, with what it holds then", async () => {
    const first = await startGateway({})
    const port = Number(new URL(first.url).port)
    const visitor = await browser.newContext()
    const page = await visitor.newPage()
    await page.goto(first.url)
    await page.getByText("connected", { exact: true }).waitFor()
    await first[Symbol.asyncDispose]()
    await page
      .getByRole("alert")
      .getByText(/^The gateway stopped responding/)
      .waitFor()
    await page.getByText("not responding").waitFor()
    await using second = await startGateway({ port, settings: { timeToPaySeconds: 60 } })
    await page.getByText("connected", { exact: true }).waitFor()
    await page.getByRole("alert").waitFor({ state: "hidden" })
    assert.strictEqual(second.url, first.url)
    await page.goto(`${second.url}/#/settings`)
    await page.getByText("= 1 min", { exact: true }).first().waitFor()
    await visitor.close()
  })
})

describe("What must not be seen, or run", () => {
  it("no secret, token or card number is in the page, wherever one looks; the secret can be copied", () =>
    play({ context: { permissions: ["clipboard-read", "clipboard-write"] } }, async (scene) => {
      const { control, gatewayUrl, order, page } = scene
      const id = await order({ payer: { request_card_token: true } })
      await control(`/payments/${id}/pay-by-card`)
      const { merchants } = await (await page.request.get(`${gatewayUrl}/local-gateway/merchants`)).json()
      const { cards } = await (await page.request.get(`${gatewayUrl}/local-gateway/cards`)).json()
      const secrets = [merchants[0].client_secret, cards[0].card_token, "4444444444444448"]
      assert.isTrue(secrets.every((secret) => typeof secret === "string" && secret.length > 5))
      for (const place of [`payments/${id}`, "notifications", "log", "settings", "gateway", "keys"]) {
        await page.goto(`${gatewayUrl}/#/${place}`)
        await page.waitForLoadState("networkidle", { timeout: 900 }).catch(() => {})
        for (const summary of await page.locator("summary:visible").all()) await summary.click()
        const html = await page.content()
        const text = await page.evaluate(() => document.body.innerText)
        for (const secret of secrets)
          assert.isFalse(html.includes(secret) || text.includes(secret), `${place}: ${secret}`)
      }
      await button(page, "Copy environment variables").click()
      await page
        .getByRole("status")
        .getByText(/on the clipboard/)
        .waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      assert.deepStrictEqual(copied.split("\n"), [
        `GOPAY_GOID=${merchants[0].goid}`,
        `GOPAY_CLIENT_ID=${merchants[0].client_id}`,
        `GOPAY_CLIENT_SECRET=${merchants[0].client_secret}`,
        `GOPAY_ENVIRONMENT=${gatewayUrl}`,
        ""
      ])
      assert.notInclude(await page.content(), merchants[0].client_secret)
    }))

  it("nothing that a merchant or payer types runs or becomes markup", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const attack = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`
      const id = await order({
        order_number: attack,
        items: [{ name: attack, amount: 1 }],
        payer: { contact: { email: attack } },
        additional_params: [{ name: attack, value: attack }]
      })
      for (const place of [
        `payments/${id}`,
        "log",
        encodeURIComponent(attack),
        `payments/${encodeURIComponent(attack)}`
      ]) {
        await page.goto(`${gatewayUrl}/#/${place}`)
        await page.getByText("connected", { exact: true }).waitFor()
        await page.reload()
        await page.getByText("connected", { exact: true }).waitFor()
        for (const summary of await page.locator("summary:visible").all()) await summary.click()
        assert.strictEqual(await page.locator("img, body script, [onerror]").count(), 0)
      }
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await detail(page).getByRole("heading", { name: attack }).waitFor()
    }))
})

const tenThousandPayments = Result.getOrThrow(
  readSeed({
    payments: Array.from({ length: 10_000 }, (_, index) => ({
      amount: 139_950,
      currency: "CZK",
      state: "CREATED",
      order_number: `n-${index}`
    }))
  })
)

describe("Many payments and narrow windows", () => {
  it("ten thousand payments are shown in part, found, and checked without delay", () =>
    play({ seed: tenThousandPayments }, async ({ gatewayUrl, page }) => {
      await page.goto(gatewayUrl)
      await page.getByText(/^10,000\spayments, the newest 100 are shown$/).waitFor()
      assert.strictEqual(await listed(page).count(), 100)
      await button(page, "Show more").click()
      await page.getByText(/the newest 200 are shown$/).waitFor()
      await page.getByLabel("Filter payments").fill("n-7")
      await listed(page).getByText("n-7", { exact: true }).waitFor()
    }))

  it("the tab of the page that is shown is in sight on a phone", () =>
    play({ context: { viewport: { width: 320, height: 740 } } }, async ({ gatewayUrl, page }) => {
      for (const place of ["gateway", "payments", "settings"]) {
        await page.goto(`${gatewayUrl}/#/${place}`)
        const shown = page.locator(`[data-testid="tab-${place}"][aria-current="page"]`)
        await shown.waitFor()
        const isInSight = () =>
          shown.evaluate((link) => {
            const { left, right } = link.getBoundingClientRect()
            const all = link.parentElement?.getBoundingClientRect() ?? { left: 0, right: 0 }
            return left >= Math.floor(all.left) && right <= Math.ceil(all.right)
          })
        await expect.poll(isInSight, { message: place }).toBe(true)
      }
    }))

  it.each([320, 360])("nothing goes beyond a phone's %i px", (width) =>
    play({ context: { viewport: { width, height: 740 } } }, async ({ control, gatewayUrl, order, page }) => {
      const id = await order({ order_number: "1".repeat(128), amount: 99_999_999_999 })
      await control("/faults", { fault: { type: "commitLater" }, operation: "createPayment" })
      const places = [
        "payments",
        `payments/${id}`,
        "notifications",
        "log",
        "faults",
        "settings",
        "keys",
        "gateway",
        "new"
      ]
      for (const place of places) {
        await page.goto(`${gatewayUrl}/#/${place}`)
        await page.getByText("connected", { exact: true }).waitFor()
        const overflow = await page.evaluate(() =>
          Math.max(
            ...["html", "#payment-detail", "#payment-side", "#head", "main > *", ".line"].flatMap((selector) =>
              [...document.querySelectorAll(selector)].map(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)
            )
          )
        )
        assert.strictEqual(overflow, 0, place)
      }
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await page.getByTestId("simulate-menu").click()
      const { width: wide = 0, x = -1 } = (await page.locator("#simulate").boundingBox()) ?? {}
      assert.isTrue(x >= 0 && x + wide <= width, `${x}, ${wide}`)
    })
  )
})

describe("A charge of a recurrence", () => {
  it("leads to its first payment, and that one to its charges", () =>
    play({}, async ({ client, control, gatewayUrl, order, page }) => {
      const first = await order({ recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" } })
      await control(`/payments/${first}/pay-by-card`)
      const { id } = await client.createRecurrence(first, {
        amount: 50_000,
        currency: "CZK",
        order_number: "2026-0043"
      })
      await page.goto(`${gatewayUrl}/#/payments/${id}`)
      await detail(page).getByRole("heading", { name: "2026-0043" }).waitFor()
      await detail(page)
        .getByRole("link", { name: String(first) })
        .click()
      await detail(page).getByRole("heading", { name: "2026-0042" }).waitFor()
      await detail(page)
        .getByRole("link", { name: String(id) })
        .click()
      await detail(page).getByRole("heading", { name: "2026-0043" }).waitFor()
      assert.strictEqual(page.url(), `${gatewayUrl}/#/payments/${id}`)
    }))
})

describe("On a phone", () => {
  const context = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

  it("half of a payment that was just made is refunded in four taps", () =>
    play({ ...gopayDelay, context }, async ({ client, control, gatewayUrl, order, page }) => {
      const id = await order()
      await control(`/payments/${id}/pay-by-card`)
      await page.goto(gatewayUrl)
      await listed(page).first().tap()
      await button(page, "Skip to then").tap()
      await page.getByTestId("part-refundable").waitFor({ state: "detached" })
      const amount = page.getByLabel("Amount to refund")
      await amount.tap()
      await expect.poll(() => amount.evaluate((field: HTMLInputElement) => field.selectionEnd)).toBe("1399.50".length)
      await page.keyboard.type("699.75")
      await page.getByTestId("refund").tap()
      await chips(page).getByText("PARTIALLY REFUNDED").waitFor()
      assert.strictEqual((await client.getPaymentRefunds(id))[0]?.amount, 69_975)
    }))

  it("a payment is made and paid by transfer in four taps", () =>
    play({ context }, async ({ client, gatewayUrl, page }) => {
      await page.goto(gatewayUrl)
      await button(page, "Create a test payment").tap()
      const opened = page.context().waitForEvent("page")
      await page.getByRole("link", { name: "Open the pay page" }).tap()
      const payPage = await opened
      await payPage.getByTestId("choose-BANK_ACCOUNT").tap()
      await payPage.getByTestId("approve").tap()
      await chips(page).getByText("PAID").waitFor()
      const [, id = ""] = /\/(\d+)$/.exec(page.url()) ?? []
      const { payment_instrument, state } = await client.getPayment(Number(id))
      assert.deepStrictEqual([state, payment_instrument], ["PAID", "BANK_ACCOUNT"])
    }))
})

describe("The first steps", () => {
  it.each([1280, 390])("an empty gateway takes the whole of %i px, and creates a payment to try", (width) =>
    play({ context: { viewport: { width, height: 720 } } }, async ({ client, gatewayUrl, page }) => {
      await page.goto(gatewayUrl)
      const create = button(page, "Create a test payment")
      await create.waitFor()
      assert.isFalse(await page.getByText("Choose a payment").isVisible())
      const { width: side = 0 } = (await page.locator("#payment-side").boundingBox()) ?? {}
      assert.strictEqual(side, width)
      await create.click()
      await detail(page).getByRole("heading", { name: "TEST-1" }).waitFor()
      const [, id = ""] = /\/(\d+)$/.exec(page.url()) ?? []
      assert.strictEqual((await client.getPayment(Number(id))).amount, 139_950)
      // There is no shop: nobody is notified, and nothing says so in green.
      await page.getByTestId("pay-by-card").click()
      await chips(page).getByText("PAID").waitFor()
      await detail(page).getByRole("img", { name: "There is no one to notify" }).first().waitFor()
      await page.getByTestId("new-payment").click()
      assert.strictEqual(await page.getByLabel(/^Notification address/).inputValue(), "")
      await page.goBack()
      await page.getByRole("link", { name: "Log", exact: true }).first().click()
      await logEntries(page).getByText("createPayment").waitFor()
    })
  )

  it("an empty gateway shows code that connects a shop, in the language chosen before, and copies the secret", () =>
    play({ context: { permissions: ["clipboard-read", "clipboard-write"] } }, async ({ gatewayUrl, page }) => {
      await page.goto(gatewayUrl)
      await page.locator("#no-payments").getByTestId("env").getByText(`GOPAY_ENVIRONMENT=${gatewayUrl}`).waitFor()
      await page.locator("#no-payments").getByRole("button", { name: "Copy environment variables" }).click()
      await page.locator("#said").getByText("The environment variables are on the clipboard").waitFor()
      const code = page.locator("#no-payments").getByTestId("shop-code")
      await code.getByText("npm install effect-gopay").waitFor()
      await page.locator("#no-payments").getByLabel("Language").selectOption("PHP")
      await code.getByText("<?php").waitFor()
      assert.include(await code.innerText(), gatewayUrl)
      assert.notInclude(await code.innerText(), "L0calGtw")
      await page.locator("#no-payments").getByRole("button", { name: "Copy with the secret" }).click()
      await page.getByText("The code is on the clipboard").waitFor()
      assert.include(await page.evaluate(() => navigator.clipboard.readText()), "L0calGtw")
      // Whoever selects the text by hand is to get the secret, too.
      const shown = page.locator("#no-payments .panel", { has: page.getByTestId("env") })
      await button(shown, "Show the secret").click()
      await shown.getByTestId("env").getByText("GOPAY_CLIENT_SECRET=L0calGtw").waitFor()
      await button(shown, "Hide the secret").click()
      await button(shown, "Show the secret").waitFor()
      assert.notInclude(await shown.getByTestId("env").innerText(), "L0calGtw")
      await page.goto(`${gatewayUrl}/#/keys`)
      await page.reload()
      await page.locator("#keys").getByTestId("shop-code").getByText("<?php").waitFor()
    }))
})

describe("A long move of time", () => {
  it("shows how far it is, and stops where it is", async () => {
    // A shop that never responds: each notification takes as long as the gateway waits.
    const shop = createServer(() => {}).listen(0, "127.0.0.1")
    await once(shop, "listening")
    const address = shop.address()
    const notification_url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/notify`
    try {
      await play({}, async ({ control, gatewayUrl, order, page }) => {
        const callback = { return_url: "http://127.0.0.1:9/return", notification_url }
        await order({ callback })
        await page.goto(gatewayUrl)
        await listed(page).first().waitFor()
        // The payment times out on the way, and the shop is notified of it.
        await page.getByTestId("forward-menu").click()
        await page.getByTestId("move-time").fill("30")
        await moveTime(page).click()
        await page
          .getByText(/^Moving time to .+: [0-9]+ %\. The shop has yet to respond to the notification of payment \d+\.$/)
          .waitFor()
        await page.getByTestId("stop-time").click()
        await page.getByText(/^It is now /).waitFor()
        await page.getByTestId("stop-time").waitFor({ state: "hidden" })
        assert.match(await page.locator("#ahead").innerText(), /^1[12]\sh/)
        await page.goto(`${gatewayUrl}/#/log?type=time`)
        await logEntries(page)
          .getByText(/^stopped before 30\sd had passed$/)
          .waitFor()
        await control("/reset")
      })
    } finally {
      shop.close()
      shop.closeAllConnections()
    }
  })
})
