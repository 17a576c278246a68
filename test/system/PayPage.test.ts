/**
 * The pay page in a real browser: by redirect and in an overlay, with and without JavaScript, by keyboard, on a phone.
 */
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import type { Browser, BrowserContextOptions, FrameLocator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { LocalGateway, type LocalGatewayServerOptions } from "../../src/local-gateway/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { launchBrowser } from "./Browser.js"

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

/** A shop's web server: its pages are what `html` says, whatever their path. */
const openShop = async (html: (path: string) => string) => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8")
    response.end(html(request.url ?? "/"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

interface Scene {
  readonly page: Page
  /** What the browser has complained about: errors, refused scripts, dialogs. */
  readonly complaints: Array<string>
  readonly said: Array<string>
  readonly gatewayUrl: string
  readonly shopUrl: string
  readonly order: (changes?: object) => Promise<{ readonly id: number; readonly gw_url: string }>
  readonly stateOf: (id: number) => Promise<string>
}

interface Stage extends LocalGatewayServerOptions {
  readonly context?: BrowserContextOptions
  /** The shop's page but for its return page. */
  readonly shopPage?: (gatewayUrl: string, path: string) => string
}

/** Plays a scene with a gateway, a shop and a browser of its own. The browser must have nothing to complain about. */
const play = ({ context = {}, shopPage = () => "", ...options }: Stage, scene: (scene: Scene) => Promise<void>) =>
  Effect.gen(function* () {
    const { merchant, url: gatewayUrl } = yield* LocalGateway
    yield* Effect.promise(async () => {
      const shop = await openShop((path) =>
        path.startsWith("/return")
          ? `<!doctype html><title>Return</title><h1>Welcome back</h1>`
          : shopPage(gatewayUrl, path)
      )
      const visitor = await browser.newContext(context)
      try {
        const page = await visitor.newPage()
        const complaints: Array<string> = []
        const said: Array<string> = []
        page.on("console", (message) =>
          (message.type() === "error" ? complaints : said).push(`${message.type()}: ${message.text()}`)
        )
        page.on("pageerror", (error) => complaints.push(String(error)))
        page.on("dialog", (dialog) => {
          complaints.push(`dialog: ${dialog.message()}`)
          void dialog.dismiss()
        })
        await using client = createGatewayClient({
          goid: merchant.goid,
          clientId: merchant.clientId,
          clientSecret: merchant.clientSecret,
          environment: gatewayUrl
        })
        await scene({
          page,
          complaints,
          said,
          gatewayUrl,
          shopUrl: shop.origin,
          order: async (changes = {}) => {
            const { gw_url, id } = await client.createPayment({
              amount: 139_950,
              currency: "CZK",
              order_number: "2026-0042",
              callback: { return_url: `${shop.origin}/return?order=42`, notification_url: `${shop.origin}/notify` },
              lang: "EN",
              ...changes
            })
            return { id, gw_url }
          },
          stateOf: async (id) => {
            const { state, sub_state } = await client.getPayment(id)
            return sub_state === undefined ? state : `${state} ${sub_state}`
          }
        })
        assert.deepStrictEqual(complaints, [])
      } finally {
        await visitor.close()
        shop.close()
      }
    })
  }).pipe(
    Effect.provide(LocalGateway.layerServer({ settings: { notificationTiming: "notificationFirst" }, ...options })),
    Effect.runPromise
  )

const button = (page: Page | FrameLocator, name: string | RegExp) => page.getByRole("button", { name })

const atReturn = async ({ page, shopUrl }: Scene, id: number) => {
  await page.getByRole("heading", { name: "Welcome back" }).waitFor()
  assert.strictEqual(page.url(), `${shopUrl}/return?order=42&id=${id}`)
}

describe("By redirect", () => {
  it("the payer pays and is back in the shop", () =>
    play({}, async (scene) => {
      const { id, gw_url } = await scene.order()
      await scene.page.goto(gw_url)
      await button(scene.page, /^Pay [\d,.]+\sCZK/).click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "PAID")
    }))

  it("the shop's form opens the page by POST", () =>
    play({ shopPage: (_url, path) => shopForm(decodeURIComponent(path.slice(1)), "") }, async (scene) => {
      const { gw_url, id } = await scene.order()
      await scene.page.goto(`${scene.shopUrl}/${encodeURIComponent(gw_url)}`)
      await button(scene.page, "Pay").click()
      assert.strictEqual(scene.page.url(), gw_url)
      await button(scene.page, /^Pay [\d,.]+\sCZK/).click()
      await atReturn(scene, id)
    }))

  it("a declined payer reads why, tries again with the other card, and pays", () =>
    play({}, async (scene) => {
      const { page } = scene
      const { gw_url, id } = await scene.order()
      await page.goto(gw_url)
      await page.getByText("Other reasons").click()
      await button(page, /Insufficient funds/).click()
      const alert = page.getByRole("alert")
      assert.match((await alert.textContent()) ?? "", /The attempt was declined\s+Insufficient funds \(_5006\)/)
      await alert.and(page.locator(":focus")).waitFor()
      assert.strictEqual(await scene.stateOf(id), "PAYMENT_METHOD_CHOSEN _5006")
      await page.getByRole("link", { name: /4188/ }).click()
      assert.strictEqual(await page.getByLabel("Card number").inputValue(), "4188 0300 0000 0003")
      await button(page, /^Pay [\d,.]+\sCZK/).click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "PAID")
    }))

  it("a payer who cancels is back in the shop", () =>
    play({}, async (scene) => {
      const { gw_url, id } = await scene.order()
      await scene.page.goto(gw_url)
      await button(scene.page, "Cancel and return to the shop").click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "CANCELED _5043")
    }))

  it("a payer whose time has run out reads so, and finds the way back", () =>
    play({}, async (scene) => {
      const { gw_url, id } = await scene.order()
      await scene.page.goto(gw_url)
      await button(scene.page, "Let it time out").click()
      await scene.page.getByRole("status").getByText("The payment has timed out").waitFor()
      await scene.page.getByRole("link", { name: "Back to the shop" }).click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "TIMEOUTED")
    }))

  it("any number but a test card's is refused, and gone from the page", () =>
    play({}, async (scene) => {
      const { page } = scene
      const { gw_url, id } = await scene.order()
      await page.goto(gw_url)
      await page.getByLabel("Card number").fill("4111 1111 1111 1111")
      await button(page, /^Pay [\d,.]+\sCZK/).click()
      await page.getByRole("alert").getByText("This is not a test card.").waitFor()
      const field = page.getByLabel("Card number")
      assert.deepStrictEqual([await field.inputValue(), await field.getAttribute("aria-invalid")], ["", "true"])
      assert.notMatch(page.url() + (await page.content()), /4111/)
      assert.strictEqual(await scene.stateOf(id), "CREATED")
    }))

  it("the 3-D Secure step is confirmed", () =>
    play({}, async (scene) => {
      const { gw_url, id } = await scene.order()
      await scene.page.goto(gw_url)
      await button(scene.page, "Ask for 3-D Secure").click()
      await scene.page.getByRole("heading", { name: "Confirm the payment" }).waitFor()
      await button(scene.page, "Confirm").click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "PAID")
    }))

  it("the 3-D Secure step is there in a second tab, too, until the payer goes back", () =>
    play({}, async ({ order, page }) => {
      const { gw_url } = await order()
      const second = await page.context().newPage()
      for (const tab of [page, second]) await tab.goto(gw_url)
      await button(page, "Ask for 3-D Secure").click()
      await page.getByRole("heading", { name: "Confirm the payment" }).waitFor()
      await second.getByRole("heading", { name: "Confirm the payment" }).waitFor()
      await second.getByTestId("back").click()
      await button(second, "Ask for 3-D Secure").waitFor()
      assert.isTrue(await page.getByRole("heading", { name: "Confirm the payment" }).isVisible())
    }))

  it("a payer who comes back while the payment is processed reads so, and the page says when it is paid", () =>
    play({ settings: { notificationTiming: "whilePending", returnLeadSeconds: 600 } }, async (scene) => {
      const { gatewayUrl, page, stateOf } = scene
      const { id, gw_url } = await scene.order()
      await page.goto(gw_url)
      await button(page, /^Pay [\d,.]+\sCZK/).click()
      await atReturn(scene, id)
      await page.goto(gw_url)
      await page.getByRole("heading", { name: "Your payment is being processed" }).waitFor()
      assert.strictEqual(await button(page, /^Pay/).count(), 0)
      assert.strictEqual(await stateOf(id), "PAYMENT_METHOD_CHOSEN _101")
      await page.request.post(`${gatewayUrl}/local-gateway/advance-time`, { data: { by: 600 } })
      await page.getByRole("heading", { name: "Paid" }).waitFor()
    }))

  it("a page that is open notices that the payment was paid elsewhere", () =>
    play({}, async ({ gatewayUrl, order, page }) => {
      const { id, gw_url } = await order()
      await page.goto(gw_url)
      await button(page, /^Pay [\d,.]+\sCZK/).waitFor()
      await page.request.post(`${gatewayUrl}/local-gateway/payments/${id}/pay-by-card`, { data: {} })
      await page.getByRole("heading", { name: "Paid" }).waitFor()
      assert.strictEqual(await button(page, /^Pay/).count(), 0)
    }))

  it("in Czech", () =>
    play({}, async (scene) => {
      const { page } = scene
      const { gw_url, id } = await scene.order({ lang: "CS" })
      await page.goto(gw_url)
      assert.strictEqual(await page.locator("html").getAttribute("lang"), "cs")
      await page.getByText("Toto není GoPay").waitFor()
      await button(page, "Rychlý bankovní převod").click()
      await page.getByRole("img", { name: /^QR kód/ }).waitFor()
      await page.getByRole("link", { name: "English" }).click()
      await button(page, "The transfer arrives").waitFor()
      await page.getByRole("link", { name: "Česky" }).click()
      await button(page, "Převod dorazí").click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "PAID _3002")
    }))
})

const shopForm = (gatewayUrl: string, script: string) => `<!doctype html><html lang="en"><title>Shop</title>
  <h1>Shop</h1><p style="height:200vh">Goods</p>
  <form id="gopay-payment-button" method="post" action="${gatewayUrl}"><button name="pay" type="submit">Pay</button></form>
  ${script}`

const embedScript = (gatewayUrl: string) =>
  `<script type="text/javascript" src="${gatewayUrl}/gp-gw/js/embed.js"></script>`

/** A shop that opens the payment named in its path: by its form, or by `_gopay.checkout` with or without a callback. */
const inlineShop = (gatewayUrl: string, path: string) => {
  const { pathname, searchParams } = new URL(path, "http://shop")
  const address = JSON.stringify(searchParams.get("gw"))
  const withCallback = `_gopay.checkout({ gatewayUrl: ${address}, inline: true }, (result) => { document.title = JSON.stringify(result) })`
  const calls: { readonly [path: string]: string } = {
    "/callback": withCallback,
    "/redirect": `_gopay.checkout({ gatewayUrl: ${address}, inline: false }, () => {})`
  }
  return pathname === "/form"
    ? shopForm(searchParams.get("gw") ?? "", embedScript(gatewayUrl))
    : `<!doctype html><html lang="en"><title>Shop</title><button onclick='${calls[pathname]}'>Buy</button>${embedScript(gatewayUrl)}`
}

const overlay = (page: Page) => page.getByRole("dialog", { name: "Payment" })

const inOverlay = (page: Page) => overlay(page).frameLocator("iframe")

const openInline = async ({ page, shopUrl }: Scene, way: "form" | "callback" | "redirect", gatewayUrl: string) => {
  await page.goto(`${shopUrl}/${way}?gw=${encodeURIComponent(gatewayUrl)}`)
  await button(page, way === "form" ? "Pay" : "Buy").click()
}

describe("In an overlay", () => {
  const stage = { shopPage: inlineShop }

  it("the documented form opens it, and the payer is back in the shop after paying", () =>
    play(stage, async (scene) => {
      const { page } = scene
      const { gw_url, id } = await scene.order()
      await openInline(scene, "form", gw_url)
      const frame = inOverlay(page)
      await frame.getByText("Decline it").click()
      await button(frame, /The card is blocked/).click()
      await frame.getByRole("alert").and(frame.locator(":focus")).waitFor()
      assert.match(page.url(), /\/form\?/)
      await button(frame, /^Pay [\d,.]+\sCZK/).click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "PAID")
      assert.strictEqual(
        scene.said.filter((text) => text.startsWith("info: GoPay opens its overlay only over https")).length,
        1
      )
    }))

  it("the callback gets the address, id and state, and the shop's page stays", () =>
    play(stage, async (scene) => {
      const { page, shopUrl } = scene
      for (const [action, state] of [
        [/^Pay [\d,.]+\sCZK/, "PAID"],
        ["Cancel and return to the shop", "CANCELED"],
        ["Let it time out", "TIMEOUTED"]
      ] as const) {
        const { gw_url, id } = await scene.order()
        await openInline(scene, "callback", gw_url)
        await button(inOverlay(page), action).click()
        await overlay(page).waitFor({ state: "detached" })
        const url = `${shopUrl}/return?order=42&id=${id}`
        await page.waitForFunction(() => document.title !== "Shop")
        assert.deepStrictEqual(JSON.parse(await page.title()), { url, id, state })
        assert.match(page.url(), /\/callback\?/)
      }
    }))

  it("the callback can come while the payment is pending", () =>
    play({ ...stage, settings: { notificationTiming: "whilePending", returnLeadSeconds: 600 } }, async (scene) => {
      const { gw_url, id } = await scene.order()
      await openInline(scene, "callback", gw_url)
      await button(inOverlay(scene.page), /^Pay [\d,.]+\sCZK/).click()
      await scene.page.waitForFunction(() => document.title.includes(`"state":"PAYMENT_METHOD_CHOSEN"`))
      assert.strictEqual(await scene.stateOf(id), "PAYMENT_METHOD_CHOSEN _101")
    }))

  it("closes by Escape, from within the page too, and by its button; the payment can be opened again", () =>
    play(stage, async (scene) => {
      const { page } = scene
      const { gw_url, id } = await scene.order()
      await openInline(scene, "form", gw_url)
      await inOverlay(page).getByLabel("Card number").press("Escape")
      await overlay(page).waitFor({ state: "detached" })
      const pay = button(page, "Pay")
      assert.isTrue(await pay.evaluate((element) => element === document.activeElement))
      await pay.click()
      await button(inOverlay(page), /^Pay [\d,.]+\sCZK/).waitFor()
      await button(overlay(page).page(), "Close the payment").focus()
      await page.keyboard.press("Escape")
      await overlay(page).waitFor({ state: "detached" })
      await pay.click()
      await button(page, "Close the payment").click()
      await overlay(page).waitFor({ state: "detached" })
      assert.strictEqual(await page.evaluate(() => document.documentElement.style.overflow), "")
      assert.strictEqual(await scene.stateOf(id), "CREATED")
    }))

  it("keeps the focus", () =>
    play(stage, async (scene) => {
      const { page } = scene
      const { gw_url } = await scene.order()
      await openInline(scene, "form", gw_url)
      await button(inOverlay(page), /^Pay [\d,.]+\sCZK/).waitFor()
      for (let count = 0; count < 40; count++) {
        await page.keyboard.press("Tab")
        const focused = await page.evaluate(() => document.activeElement?.closest("dialog, form")?.tagName ?? "none")
        assert.notStrictEqual(focused, "FORM")
      }
    }))

  it("believes no message but the pay page's", () =>
    play(stage, async (scene) => {
      const { page } = scene
      const { gw_url } = await scene.order()
      await openInline(scene, "form", gw_url)
      await button(inOverlay(page), /^Pay [\d,.]+\sCZK/).waitFor()
      await page.evaluate(() => {
        postMessage({ source: "effect-gopay", type: "finished", url: "/stolen" }, "*")
        return new Promise((resolve) => setTimeout(resolve))
      })
      assert.match(page.url(), /\/form\?/)
      assert.strictEqual(await overlay(page).count(), 1)
    }))

  it("tells no one but the page that has opened it", () =>
    play(
      {
        shopPage: (_url, path) => `<!doctype html><html lang="en"><title>Eavesdropper</title>
          <script>addEventListener("message", ({ data }) => { document.title = JSON.stringify(data) })</script>
          <iframe src="${decodeURIComponent(path.slice(1))}" title="Pay page"></iframe>`
      },
      async ({ gatewayUrl, order, page, shopUrl }) => {
        const { gw_url } = await order()
        for (const [inline, heard] of [
          ["http://shop.example", false],
          [gatewayUrl, false],
          [shopUrl, true]
        ] as const) {
          const address = `${gw_url}?inline=${encodeURIComponent(inline)}`
          await page.goto(`${shopUrl}/${encodeURIComponent(address)}`)
          const settled = heard
            ? page.waitForFunction(() => document.title !== "Eavesdropper")
            : page.waitForEvent("console", (message) => message.text().includes("Failed to execute 'postMessage'"))
          await page.frameLocator("iframe").getByLabel("Card number").press("Escape")
          await settled
          assert.strictEqual(await page.title(), heard ? `{"source":"effect-gopay","type":"close"}` : "Eavesdropper")
        }
      }
    ))

  it("inline: false redirects", () =>
    play(stage, async (scene) => {
      const { gw_url } = await scene.order()
      await openInline(scene, "redirect", gw_url)
      await scene.page.waitForURL(gw_url)
      assert.strictEqual(await overlay(scene.page).count(), 0)
    }))

  it("a pay page of another origin than the script's is redirected to, with a warning", () =>
    play(stage, async (scene) => {
      const { gw_url } = await scene.order()
      const elsewhere = gw_url.replace("127.0.0.1", "localhost")
      await openInline(scene, "form", elsewhere)
      await scene.page.waitForURL(elsewhere)
      assert.isTrue(scene.said.some((text) => text.startsWith("warning: The pay page is at http://localhost")))
    }))

  it("an address that is none of the web is not opened", () =>
    play(stage, async (scene) => {
      const { complaints, page, shopUrl } = scene
      await openInline(scene, "form", "javascript:alert(1)")
      await page.waitForFunction(() => document.readyState === "complete")
      assert.match(complaints.splice(0).join(), /gatewayUrl must be an http or https address/)
      assert.include(page.url(), shopUrl)
    }))
})

describe("Without JavaScript", () => {
  it("every step works", () =>
    play({ context: { javaScriptEnabled: false } }, async (scene) => {
      const { page } = scene
      const { gw_url, id } = await scene.order()
      await page.goto(gw_url)
      await page.getByText("Other reasons").click()
      await button(page, /The card has expired/).click()
      await page.getByRole("alert").getByText("The card has expired").waitFor()
      await button(page, "Quick bank transfer").click()
      await page.getByRole("img", { name: /^QR code/ }).waitFor()
      await button(page, "Payment card").click()
      await page.getByRole("link", { name: /4188/ }).click()
      await button(page, "Ask for 3-D Secure").click()
      await button(page, /The SMS was not received/).click()
      await page.getByRole("alert").getByText("_5033").waitFor()
      await button(page, /^Pay [\d,.]+\sCZK/).click()
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "PAID")
    }))
})

describe("With the keyboard alone", () => {
  /** Presses Tab until an element has the focus, which must be visible. */
  const tabTo = async (page: Page, name: RegExp) => {
    for (let count = 0; count < 40; count++) {
      await page.keyboard.press("Tab")
      const focused = await page.evaluate(() => {
        const element = document.activeElement
        if (element === null) return undefined
        const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent
        return { label: (label ?? "").trim(), outline: getComputedStyle(element).outlineStyle }
      })
      if (focused !== undefined && name.test(focused.label)) {
        assert.strictEqual(focused.outline, "solid")
        return
      }
    }
    assert.fail(`Tab never came to ${String(name)}`)
  }

  it("the payer is declined, chooses the other card and pays with Enter", () =>
    play({}, async (scene) => {
      const { page } = scene
      const { gw_url, id } = await scene.order()
      await page.goto(gw_url)
      await tabTo(page, /^Other reasons$/)
      await page.keyboard.press("Enter")
      await tabTo(page, /^Wrong card number/)
      await page.keyboard.press("Space")
      await page.getByRole("alert").waitFor()
      await tabTo(page, /^4188/)
      await page.keyboard.press("Enter")
      await page.waitForURL(/card=0003/)
      await tabTo(page, /^CVC$/)
      await page.keyboard.press("Enter")
      await atReturn(scene, id)
      assert.strictEqual(await scene.stateOf(id), "PAID")
    }))
})

describe("On a narrow phone", () => {
  it("no page scrolls sideways, and the warning stays in sight", () =>
    play({ context: { viewport: { width: 320, height: 600 } } }, async ({ gatewayUrl, order, page }) => {
      const measured = () =>
        page.evaluate(() => {
          scrollTo(0, document.body.scrollHeight)
          const banner = document.querySelector(".banner")?.getBoundingClientRect().top
          return [document.documentElement.scrollWidth - innerWidth, banner]
        })
      // The page that a click leads to may only be on its way: it is measured again while it comes.
      const fits = async () => {
        await expect.poll(() => measured().catch(() => []), { message: page.url() }).toEqual([0, 0])
      }
      const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
      const { gw_url } = await order({
        order_number: "1".repeat(128),
        order_description: long.repeat(3),
        items: [{ name: long, amount: 99_999_999_999 }],
        callback: { return_url: `javascript://${long}` }
      })
      await page.goto(gw_url)
      await fits()
      await page.getByText("Other reasons").click()
      await fits()
      await button(page, /Insufficient funds/).click()
      await fits()
      await page.goto(`${gw_url}?problems=number,expiry,cvc`)
      await fits()
      await button(page, "Quick bank transfer").click()
      await fits()
      await page.goto(`${gw_url}?step=3ds&card=0003`)
      await fits()
      await button(page, "Let it time out").click()
      await fits()
      assert.strictEqual((await page.request.get(`${gatewayUrl}/gw/v3/none`)).status(), 404)
    }))
})

describe("At the details of a transfer", () => {
  const phone = { viewport: { width: 320, height: 600 }, permissions: ["clipboard-read", "clipboard-write"] }

  it("the IBAN stands in one line, and a tap copies it", () =>
    play({ context: phone }, async ({ order, page }) => {
      const { gw_url } = await order()
      await page.goto(gw_url)
      await button(page, "Quick bank transfer").click()
      const iban = page.getByText(/^CZ\d\d \d{4}/)
      const lines = await iban.evaluate((element) => element.getClientRects().length)
      assert.strictEqual(lines, 1)
      await button(page, "Copy").click()
      await button(page, "Copied").waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      assert.strictEqual(copied, (await iban.innerText()).replaceAll(" ", ""))
    }))
})

describe("What a merchant or payer types", () => {
  it("runs nothing, anywhere", () =>
    play({ shopPage: inlineShop }, async (scene) => {
      const { page } = scene
      const attack = `"'></title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>`
      const { gw_url } = await scene.order({
        order_number: attack,
        order_description: attack,
        items: [{ name: attack, amount: 1 }],
        payer: { contact: { email: attack }, default_payment_instrument: attack },
        callback: { return_url: "javascript://%0aalert(1)" }
      })
      const query = encodeURIComponent(attack)
      await page.goto(`${gw_url}?lang=${query}&inline=${query}&card=${query}&problems=${query}`)
      await page.getByLabel("Card number").fill(attack.slice(0, 23))
      await button(page, /^Pay [\d,.]+\sCZK/).click()
      await page.getByRole("alert").waitFor()
      await page.goto(`${gw_url}?step=3ds&card=4448`)
      await openInline(scene, "callback", gw_url)
      await button(inOverlay(page), /^Pay [\d,.]+\sCZK/).click()
      await page.waitForFunction(() => document.title !== "Shop")
      assert.strictEqual(JSON.parse(await page.title()).url, "")
      await page.goto(gw_url)
      assert.strictEqual(await page.getByRole("link", { name: "Back to the shop" }).count(), 0)
      assert.strictEqual(await page.locator("img[src=x], script:not(body > script)").count(), 0)
    }))
})
