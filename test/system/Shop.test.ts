/**
 * The demonstration shop in a real browser: paid by redirect and in an overlay, held, charged again.
 */
import type { Browser, Page } from "playwright-core"
import { startLocalGateway, type RunningLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { afterAll, assert, beforeAll, it } from "vitest"
import { LogFeed, serveDemoShop } from "../../src/command-line/DemoCommand.js"
import { launchBrowser } from "./Browser.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** A visitor of the demonstration shop, on a narrow phone. */
const visitDemo = async <Outcome>(visit: (page: Page, local: RunningLocalGateway) => Promise<Outcome>) => {
  const feed = new LogFeed()
  await using local = await startLocalGateway({
    settings: { notificationTiming: "notificationFirst" },
    onEvent: feed.onEvent
  })
  await using client = createGatewayClient(local.merchant)
  const shop = await serveDemoShop(0, { client, feed, url: local.url, passDay: () => local.advanceTime("1 day") })
  const page = await browser.newPage({ viewport: { width: 320, height: 640 }, locale: "en-GB" })
  try {
    await page.goto(shop.url)
    const outcome = await visit(page, local)
    // The page may load itself anew meanwhile.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
    return outcome
  } finally {
    await page.close()
    shop.close()
  }
}

/** Waits for what the order's page says of the payment. */
const waitForOutcome = (page: Page, text: string) => page.getByTestId("outcome").filter({ hasText: text }).waitFor()

/** The states of the gateway's payments. */
const statesOf = async (local: RunningLocalGateway) => (await local.listPayments()).map(({ state }) => state)

const payOnPayPage = (page: Page) =>
  page.getByRole("button", { name: /^(Pay|Authorize|Hold) [\d,.]+\s(CZK|EUR)/ }).click()

/** Buys an article, and pays over the shop's page. */
const buyHere = async (page: Page, article: number) => {
  await page.getByRole("radio", { name: "In a window over this page" }).check()
  await page.getByTestId(`buy-${article}`).click()
}

const overlay = (page: Page) => page.getByRole("dialog", { name: "Payment" }).frameLocator("iframe")

it("the demonstration shop's page shows by itself that its order is paid", async () => {
  const states = await visitDemo(async (page, local) => {
    await buyHere(page, 0)
    await overlay(page).getByTestId("approve").waitFor()
    await waitForOutcome(page, "We are waiting for your payment.")
    await local.payByCard((await local.listPayments())[0]?.id ?? 0)
    await waitForOutcome(page, "Paid. Thank you!")
    // The diagram of the messages has grown by itself as well.
    const picture = page.getByRole("list", { name: "Who said what to whom" })
    await picture.getByRole("listitem", { name: "Gateway → Shop: notification" }).waitFor()
    return statesOf(local)
  })
  assert.deepStrictEqual(states, ["PAID"])
})

it("the demonstration shop is paid euros in an overlay", async () => {
  const states = await visitDemo(async (page, local) => {
    // One click opens the pay page. Who has closed it can open it again, and a page that is loaded anew does not.
    await buyHere(page, 3)
    await overlay(page).getByTestId("approve").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.reload()
    await page.waitForFunction(() => "_gopay" in window)
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    await page.getByTestId("pay-here").click()
    await overlay(page)
      .getByRole("button", { name: /^Pay 15\.00\sEUR/ })
      .click()
    await waitForOutcome(page, "Paid. Thank you!")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    return statesOf(local)
  })
  assert.deepStrictEqual(states, ["PAID"])
})

it("the demonstration shop holds an amount, captures one and releases another", async () => {
  const states = await visitDemo(async (page, local) => {
    const shop = page.url()
    const hold = async () => {
      await page.goto(shop)
      await page.getByTestId("buy-4").click()
      await payOnPayPage(page)
      await waitForOutcome(page, "The amount is held on your card.")
    }
    await hold()
    await page.getByRole("button", { name: /^Send it: capture 2,490\.00\sCZK$/ }).click()
    await waitForOutcome(page, "Paid. Thank you!")
    await hold()
    await page.getByTestId("release").click()
    await waitForOutcome(page, "The amount is no longer held.")
    return statesOf(local)
  })
  assert.deepStrictEqual(states, ["PAID", "CANCELED"])
})

it("the demonstration shop charges a subscription again, and ends it", async () => {
  const states = await visitDemo(async (page, local) => {
    await page.getByTestId("buy-5").click()
    await payOnPayPage(page)
    await waitForOutcome(page, "Paid. Thank you!")
    const first = page.url()
    await page.getByTestId("charge").click()
    await waitForOutcome(page, "Paid. Thank you!")
    await page.getByText(/-0002$/).waitFor()
    await page.getByText("none yet").waitFor({ state: "detached" })
    await page.getByRole("link", { name: /-0001$/ }).click()
    await page.getByTestId("charge").waitFor()
    assert.strictEqual(new URL(page.url()).searchParams.get("number"), new URL(first).searchParams.get("number"))
    await page.getByTestId("end-subscription").click()
    await page.getByRole("definition").getByText("STOPPED").waitFor()
    assert.strictEqual(await page.getByTestId("charge").count(), 0)
    return statesOf(local)
  })
  assert.deepStrictEqual(states, ["PAID", "PAID"])
})

it("the demonstration shop says of an order before a reset that the gateway has forgotten its payment", async () => {
  await visitDemo(async (page, local) => {
    await page.getByTestId("buy-1").click()
    await payOnPayPage(page)
    await waitForOutcome(page, "Paid. Thank you!")
    const order = page.url()
    await local.reset()
    await page.goto(order)
    await waitForOutcome(page, "The gateway was reset, and no longer knows this payment.")
    // The id of the payment is another one's now.
    await page.getByTestId("again").click()
    await payOnPayPage(page)
    await waitForOutcome(page, "Paid. Thank you!")
    assert.notStrictEqual(page.url(), order)
    assert.deepStrictEqual(await statesOf(local), ["PAID"])
  })
})

it("the demonstration shop tells a Czech customer in Czech what has become of the orders", async () => {
  await visitDemo(async (page, local) => {
    await page.goto(`${page.url()}?lang=cs`)
    await page.getByTestId("buy-1").click()
    await page.getByTestId("approve").click()
    await page.getByRole("link", { name: "Zpět do obchodu" }).click()
    const order = page.locator("li").filter({ hasText: "Plátěná taška" }).last()
    assert.match(await order.innerText(), /Zaplaceno/)
    assert.notMatch(await order.innerText(), /PAID/)
    // The shop has one name, in whatever language.
    const [merchant] = await local.listMerchants()
    assert.isDefined(merchant)
  })
})
