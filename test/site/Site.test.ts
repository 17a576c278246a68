/**
 * The documentation site, built from the built package as `npm run docs` does: its links, its search, and its pages in
 * the browser.
 */
import axe from "axe-core"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join, posix } from "node:path"
import { gzipSync } from "node:zlib"
import type { Browser, Locator, Page, Response } from "playwright-core"
import { afterAll, assert, beforeAll, describe, expect, it, vi } from "vitest"
import { entries as referenceEntries } from "../../site/reference.js"
import { readExamples, wholeSample } from "../../site/samples.js"
import { chapters } from "../../site/try/Texts.js"
import { type Entry, publicDeclarations } from "../../scripts/publicDeclarations.js"
import * as Endpoint from "../../src/contract/Endpoint.js"
import { codeIn } from "../docs/Pages.js"
import { launchBrowser, patience } from "../system/Browser.js"

const dist = "site/dist"
const content = "site/content"

const { homepage: readme } = JSON.parse(readFileSync("package.json", "utf8"))
const homepage = String(readme).replace(/#.*$/, "")

let browser: Browser
let server: Server
let origin: string
let pages: ReadonlyArray<string>

const types: { readonly [extension: string]: string } = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".webp": "image/webp",
  ".woff2": "font/woff2"
}

/** The file behind a path, found as a host does that serves pages without their extension. */
const fileAt = (path: string): string | undefined =>
  [path, `${path}.html`, posix.join(path, "index.html")].find(
    (name) => /\.\w+$/.test(name) && existsSync(join(dist, name))
  )

/** Whether a page only leads to another one. */
const isLead = (name: string): boolean => readFileSync(join(dist, name), "utf8").includes(`http-equiv="refresh"`)

beforeAll(async () => {
  execFileSync("npx", ["tsx", "site/build.ts"], { stdio: ["ignore", "ignore", "pipe"] })
  pages = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") && name !== "404.html" && !isLead(name))
    .map((name) => `/${name.replace(/(^|\/)index\.html$|\.html$/, "$1")}`)
  server = createServer((request, response) => {
    const file = fileAt(decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname))
    if (file === undefined) response.writeHead(404).end()
    else
      response
        .writeHead(200, { "content-type": types[posix.extname(file)] ?? "text/plain" })
        .end(readFileSync(join(dist, file)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser.close()
  server.close()
})

/** The Markdown of a page. */
const contentOf = (path: string): string =>
  [`${path}.md`, posix.join(path, "index.md")].find((name) => existsSync(join(content, name))) ?? assert.fail(path)

/** Opens a page; reports whatever is wrong with it. */
const visit = async (
  path: string,
  look: (page: Page) => Promise<ReadonlyArray<string>>,
  opener: Pick<Browser, "newPage"> = browser
): Promise<ReadonlyArray<string>> => {
  const page = await opener.newPage()
  const problems: Array<string> = []
  page.on("console", (message) => {
    if (message.type() !== "log") problems.push(`says ${message.text()}`)
  })
  page.on("pageerror", (error) => problems.push(`throws ${error.message}`))
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin))
      problems.push(`asks ${request.url()}`)
  })
  await page.goto(`${origin}${path}`, { waitUntil: "networkidle" })
  problems.push(...(await look(page)))
  await page.close()
  return problems.map((problem) => `${path}: ${problem}`)
}

const { version } = JSON.parse(readFileSync("package.json", "utf8"))

describe("the site", () => {
  it("has no link that leads nowhere", () => {
    const html = new Map(
      pages
        .map((path) => fileAt(path) ?? assert.fail(path))
        .map((file) => [file, readFileSync(join(dist, file), "utf8")])
    )
    const broken = pages.flatMap((path) =>
      [...(html.get(fileAt(path) ?? "") ?? "").matchAll(/<a [^>]*href="([^"]+)"/g)].flatMap(([, href = ""]) => {
        const target = new URL(href.replaceAll("&amp;", "&"), `http://site${path}`)
        if (target.host !== "site") return []
        const name = fileAt(target.pathname)
        if (name === undefined) return [`${path} -> ${href}`]
        const id = decodeURIComponent(target.hash.slice(1))
        return id === "" || html.get(name)?.includes(`id="${id}"`) ? [] : [`${path} -> ${href}`]
      })
    )
    expect([...new Set(broken)]).toEqual([])
  })

  it("leads from the address of a folder to the page of its name", async () => {
    const page = await browser.newPage()
    await page.goto(`${origin}/reference/promise/`)
    await page.getByRole("heading", { level: 1, name: "effect-gopay/promise" }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/reference\/promise(\.html)?$/)
    await page.close()
  })

  it("has no link to the repository that leads nowhere", () => {
    const repository = `${homepage}/`
    const links = pages.flatMap((path) =>
      [...readFileSync(join(dist, fileAt(path) ?? assert.fail(path)), "utf8").matchAll(/<a [^>]*href="(https:[^"]+)"/g)]
        .map(([, href = ""]) => href.replace("https://stackblitz.com/fork/github/", "https://github.com/"))
        .filter((href) => href.includes("effect-gopay") && href !== repository.slice(0, -1))
    )
    const broken = links.filter((href) => {
      if (!href.startsWith(repository)) return !href.startsWith("https://effect-gopay.github.io/")
      const [, kind, file = ""] = /^(blob|edit|tree)\/main\/([^#]+)/.exec(href.slice(repository.length)) ?? []
      if (kind === undefined)
        return !/^(issues|compare|releases|security|commit\/[0-9a-f]{40}$)/.test(href.slice(repository.length))
      const name = decodeURIComponent(file)
      return !existsSync(name) || statSync(name).isDirectory() !== (kind === "tree")
    })
    expect([...new Set(broken)]).toEqual([])
    expect(links.length).toBeGreaterThan(100)
  })

  it("copies a whole program, of which it shows the sample until the reader asks for more", async () => {
    const shown = "const { result } = await gateway.refundPayment(id, { amount: 39_950 })\n"
    const whole = wholeSample(readExamples("."), shown) ?? assert.fail(shown)
    const found = await visit("/coming-from/fetch", async (page) => {
      const sample = page.locator(".sample", { hasText: "amount: 39_950" }).first()
      const copied = await sample.locator("pre code").evaluate((code) => code.textContent)
      const before = await sample.locator("pre code").innerText()
      const button = sample.getByRole("button", { name: "Show the whole file" })
      await button.click()
      const after = await sample.locator("pre code").innerText()
      return [
        ...((copied ?? "").startsWith(whole.text.slice(0, whole.text.indexOf(shown))) ? [] : [`copies ${copied}`]),
        ...(before.includes("import {") ? [`shows ${before}`] : []),
        ...((await sample.locator(".highlighted").count()) === 0 ? [] : ["highlights what needs no highlight"]),
        ...(after.includes("import {") ? [] : [`unfolds ${after}`]),
        ...((await button.getAttribute("aria-expanded")) === "true" ? [] : ["does not say that it is unfolded"])
      ]
    })
    expect(found).toEqual([])
  })

  /** Where a name is to be seen in the first sample that has it. */
  const placeOf = (page: Page, name: string): Promise<{ readonly x: number; readonly y: number }> =>
    page.evaluate((text) => {
      for (const block of document.querySelectorAll("pre[data-hovers]")) {
        const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
          const at = node.textContent?.indexOf(text) ?? -1
          if (at < 0) continue
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + text.length)
          if (range.getClientRects().length === 0) continue
          node.parentElement?.scrollIntoView({ block: "center", behavior: "instant" })
          const { bottom, left, right, top } = range.getBoundingClientRect()
          return { x: (left + right) / 2, y: (top + bottom) / 2 }
        }
      }
      throw new Error(`no sample shows ${text}`)
    }, name)

  /** Points at a name until something is shown: a font that arrives late moves the name away from under the pointer. */
  const pointAt = (page: Page, name: string, shown: Locator): Promise<void> =>
    vi.waitFor(
      async () => {
        const { x, y } = await placeOf(page, name)
        await page.mouse.move(x, y)
        await shown.waitFor({ timeout: 2_000 })
      },
      { timeout: patience }
    )

  it("says what a name in a sample is, to whoever points at it", async () => {
    const found = await visit("/", async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 })
      const shows = async (name: string): Promise<string> => {
        await pointAt(page, name, popup)
        return popup.innerText()
      }
      const popup = page.locator(".hover")
      expect(await shows("createGatewayClient")).toBe(
        "const createGatewayClient: (options: GatewayClientOptions) => GatewayClient\n\n" +
          "Makes a client for one merchant at one gateway. Nothing is sent before its first call."
      )
      await page.keyboard.press("Escape")
      await popup.waitFor({ state: "hidden" })
      expect(await shows("createPayment")).toContain("Creates a payment.")
      expect(await page.evaluate(() => getSelection()?.toString())).toBe("")
      await page.mouse.move(5, 5)
      await popup.waitFor({ state: "hidden" })
      return []
    })
    expect(found).toEqual([])
  })

  it("knows the names whose declarations are folded away, and those in the fold", async () => {
    const found = await visit("/coming-from/fetch", async (page) => {
      const popup = page.locator(".hover")
      await pointAt(page, "refundPayment", popup.getByText("(property) refundPayment: (paymentId: GatewayId"))
      await page.getByRole("button", { name: "Show the whole file" }).first().click()
      await pointAt(page, "createGatewayClient", popup.getByText("Makes a client"))
      return []
    })
    expect(found).toEqual([])
  })

  it("says with the arrow keys what the names of a sample are", async () => {
    const found = await visit("/", async (page) => {
      const popup = page.locator(".hover pre")
      await page.locator("pre[data-hovers]").first().focus()
      await page.keyboard.press("ArrowRight")
      await popup.getByText("startLocalGateway").waitFor()
      await page.keyboard.press("ArrowRight")
      await popup.getByText("createGatewayClient").waitFor()
      await page.keyboard.press("ArrowLeft")
      await popup.getByText("startLocalGateway").waitFor()
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        await page.evaluate(axe.source)
        const violations = await page.evaluate(async () => (await window.axe.run(document)).violations)
        expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([])
      }
      await page.keyboard.press("Escape")
      await popup.waitFor({ state: "hidden" })
      return []
    })
    expect(found).toEqual([])
  })

  it("keeps what is said of names apart from what is copied, searched and read by programs", () => {
    const said = "(property) RunningLocalGateway.merchant: LocalMerchant"
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name))
    const holding = files.filter((name) => readFileSync(join(dist, name), "utf8").includes(said))
    expect(holding).not.toEqual([])
    expect(holding.filter((name) => !name.startsWith("hovers/"))).toEqual([])
  })

  it.each<readonly [text: string, expected: RegExp]>([
    ["how to test", /^\/guides\/test-your-checkout/],
    ["createPayment", /^\/reference\/tasks#createpayment$/],
    ["CreatePaymentRequest", /^\/reference\/promise\/createpaymentrequest#createpaymentrequest$/],
    ["refund", /^\/guides\/refunds/],
    ["express", /^\/recipes\/express/],
    ["331", /^\/errors#331/],
    ["nextjs", /^\/recipes\/nextjs/],
    ["webhook", /^\/notifications/]
  ])("finds for '%s' what is meant", async (text, expected) => {
    const found = await visit("/", async (page) => {
      await page.setViewportSize({ width: 1280, height: 720 })
      await page.getByRole("button", { name: "Search" }).first().click()
      await page.locator("#localsearch-input").fill(text)
      await page.getByRole("option").first().waitFor()
      const hrefs = await page
        .locator("[role=option] a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""))
      return expected.test(hrefs[0] ?? "") ? [] : [`finds ${hrefs.slice(0, 4).join(", ")}`]
    })
    expect(found).toEqual([])
  })

  it("shows in the sidebar where the reader is", async () => {
    const found = await visit("/reference/testing", async (page) => {
      const entry = page.locator(".VPSidebar .is-active > .item")
      await entry.waitFor()
      await page.waitForFunction(() => (document.querySelector(".VPSidebar")?.scrollTop ?? 0) > 0)
      const { bottom, height, top } = await entry.evaluate((one) => {
        const { bottom, top } = one.getBoundingClientRect()
        return { bottom, top, height: innerHeight }
      })
      return top >= 0 && bottom <= height ? [] : [`has its entry at ${top}`]
    })
    expect(found).toEqual([])
  })

  it("has the shop of a recipe first, and its tests last", () => {
    const files = ["express", "hono", "lambda", "nitro"].map((name) => {
      const page = readFileSync(`site/content/recipes/${name}.md`, "utf8")
      return Array.from(page.matchAll(/^### `([^`]+)`$/gm), ([, file = ""]) => file)
    })
    expect(files.slice(0, 3).map((all) => all[0])).toEqual(["shop.ts", "shop.ts", "shop.ts"])
    expect(files.filter((all) => !/test/.test(all.at(-1) ?? ""))).toEqual([])
  })

  it("has every recipe as a page, with its files", () => {
    const recipes = readdirSync("examples/recipes", { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && existsSync(join("examples/recipes", entry.name, "README.md")) ? [entry.name] : []
    )
    expect(recipes.length).toBeGreaterThan(10)
    expect(recipes.filter((name) => fileAt(`/recipes/${name}`) === undefined)).toEqual([])
    const page = readFileSync("site/content/recipes/nextjs.md", "utf8")
    expect(page).toContain(readFileSync("examples/recipes/nextjs/app/notify/route.ts", "utf8"))
    expect(page).toContain(
      `[Open in StackBlitz](https://stackblitz.com/fork/github/${homepage.slice("https://github.com/".length)}/tree/main/examples/recipes/nextjs)`
    )
    expect(readFileSync("site/content/recipes/lambda.md", "utf8")).not.toContain("StackBlitz")
    expect(page).toContain("### `app/orders/[number]/refund/route.ts`")
  })

  it("says of each page where to edit it and when it was changed, and what a link to it shows", () => {
    const page = readFileSync(join(dist, "guides/refunds.html"), "utf8")
    expect(page).toContain("/edit/main/docs/guides/refunds.md")
    expect(page).toContain("Last updated")
    expect(page).toContain(`v${version}`)
    expect(page).toContain('<meta property="og:title" content="Refunds and what can go wrong')
    expect(page).toContain('<meta property="og:description" content="A refund sends money over a network')
    expect(readFileSync(join(dist, "sitemap.xml"), "utf8")).toContain("/effect-gopay/guides/refunds</loc>")
  })

  it("begins with three ways on, a picture, three promises and an install line, names the steps, and is light", async () => {
    const loaded: Array<Promise<number>> = []
    const found = await visit("/", async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 })
      const box = await page.locator(".vp-doc img").filter({ visible: true }).first().boundingBox()
      const promises = await page.locator("#what-it-promises + ul li").count()
      // On a page that loads nothing else: of what was still on its way for another one, no body can be read.
      const fresh = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      const weigh = (response: Response) => void loaded.push(response.body().then((body) => gzipSync(body).byteLength))
      fresh.on("response", weigh)
      await fresh.goto(`${origin}/`, { waitUntil: "networkidle" })
      // What comes later is of pages that the reader may go to, and may be on its way when this one is closed.
      fresh.off("response", weigh)
      const size = (await Promise.all(loaded)).reduce((sum, bytes) => sum + bytes, 0)
      await fresh.close()
      const doors = await page
        .locator(".doors a")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href")))
      const steps = await page.locator("ol a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))
      const code = await page.locator("pre code").first().innerText()
      return [
        ...(loaded.length > 5 && size < 250_000 ? [] : [`loads ${size} bytes in ${loaded.length} files`]),
        ...(doors.join(" ") === "./guides/first-payment ./overview#with-effect ./try/"
          ? []
          : [`leads to ${doors.join(", ")}`]),
        ...(steps.join(" ") === chapters.map(({ id }) => `./try/#${id}`).join(" ")
          ? []
          : [`has the steps ${steps.join(", ")}`]),
        ...(code.trim() === `npm install path/to/effect-gopay-${version}.tgz` ? [] : [`begins with ${code}`]),
        ...(box !== null && box.y + box.height < 800 ? [] : [`has its picture at ${JSON.stringify(box)}`]),
        ...(promises === 3 ? [] : [`has ${promises} promises`])
      ]
    })
    expect(found).toEqual([])
  })

  it.each(["light", "dark"] as const)("shows the pictures of a %s page, one of each", async (colorScheme) => {
    const found = await visit("/local-gateway-pages", async (page) => {
      await page.emulateMedia({ colorScheme })
      await page.reload({ waitUntil: "networkidle" })
      // A picture further below has no size before it is loaded.
      const files = await page
        .locator(".vp-doc img")
        .evaluateAll((images) =>
          images
            .filter((image) => getComputedStyle(image).display !== "none")
            .map((image) => image.getAttribute("src") ?? "")
        )
      const names = files.map((file) => file.replace(/^.*\//, "").replace(/\.[\w-]+\.webp$/, ""))
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const all = [...names, background === "rgb(255, 255, 255)" ? "light" : "dark", new Set(files).size].join(" ")
      return all === `pay-page pay-page-steps dashboard ${colorScheme} 3` ? [] : [`shows ${all}`]
    })
    expect(found).toEqual([])
  })

  const references = [
    ["dist/promise/index.d.ts", "promise"],
    ["dist/index.d.ts", "index"],
    ["dist/ledger/index.d.ts", "ledger"],
    ["dist/ledger/promise/index.d.ts", "ledger/promise"],
    ["dist/local-gateway/index.d.ts", "local-gateway"],
    ["dist/local-gateway/promise/index.d.ts", "local-gateway/promise"],
    ["dist/local-gateway/web.d.ts", "local-gateway/web"],
    ["dist/local-gateway/vite.d.ts", "local-gateway/vite"],
    ["dist/testing/index.d.ts", "testing"],
    ["dist/testing/promise/index.d.ts", "testing/promise"]
  ] as const
  let entries: ReadonlyArray<Entry>
  beforeAll(() => {
    entries = publicDeclarations(references.map(([entry]) => entry)).entries
  })

  it.each(references)("documents what %s exports, and nothing else", (entry, folder) => {
    const { declarations } = entries.find(({ file }) => file === entry) ?? assert.fail(entry)
    const page = folder === "index" ? "index/index" : folder
    const listed = [
      ...readFileSync(join(content, "reference", `${page}.md`), "utf8").matchAll(/^- \[(`.*`)\]\(([^)#]+)/gm)
    ]
    const documented = listed.flatMap(([, names = ""]) => Array.from(names.matchAll(/\w+/g), ([name]) => name))
    // A namespace has a page of its own.
    const names = declarations.filter(({ namespace }) => namespace.length === 0).map(({ name }) => name)
    expect(new Set(documented)).toEqual(new Set(names))
    // The page of each is small, and has its name in the title.
    const wrong = listed.filter(([, named = "", file = ""]) => {
      const text = readFileSync(join(content, "reference", posix.dirname(page), file), "utf8")
      const [title = ""] = text.split("\n")
      return text.length > 25_000 || !Array.from(named.matchAll(/\w+/g)).every(([name]) => title.includes(name))
    })
    expect(wrong.map(([line]) => line)).toEqual([])
  })

  it("leads from each mention of a type to its page", () => {
    const html = (path: string): string => readFileSync(join(dist, `${path}.html`), "utf8")
    const named: { readonly [file: string]: object } = JSON.parse(
      readFileSync(join(content, "reference/names.json"), "utf8")
    )
    const types = new Set(Object.keys(named["promise.md"] ?? {}).filter((name) => /^[A-Z]/.test(name)))
    const unlinked = ["errors", "notifications", "guides/refunds", "reference/promise/createpaymentrequest"].flatMap(
      (path) =>
        [
          ...html(path)
            .replaceAll(/<h\d.*?<\/h\d>|<a [^>]*>.*?<\/a>/g, "")
            .matchAll(/<code>(\w+)<\/code>/g)
        ].flatMap(([, name = ""]) => (types.has(name) ? [`${path}: ${name}`] : []))
    )
    expect(unlinked).toEqual([])
    expect(
      /<a href="\/reference\/promise\/outcomeunknown"><code>OutcomeUnknown<\/code><\/a>/.test(html("errors"))
    ).toBe(true)
    expect(/<a href="\/reference\/tasks#createpayment"><code>createPayment<\/code><\/a>/.test(html("errors"))).toBe(
      true
    )
    // In a declaration as well.
    const declarations = html("reference/promise/createpaymentrequest")
    expect(/<a href="\/reference\/promise\/paymentcallback">PaymentCallback<\/a>;/.test(declarations)).toBe(true)
    // By the entry that the declaration is of: both entries have a type of this name.
    expect(readFileSync(join(content, "reference/testing/testshopoptions.md"), "utf8")).toContain("ts of=testing.md")
  })

  it("is quiet, asks no one else, and is not too wide for a phone, on any page, of those about one name on every twentieth", async () => {
    const found: Array<string> = []
    // One cache for all pages, and the next ones are loaded while one is quiet.
    const context = await browser.newContext({ viewport: { width: 320, height: 720 } })
    const aboutNames = pages.filter(
      (path) =>
        path.startsWith("/reference/") && /^# .*\n\nOf \[/.test(readFileSync(join(content, contentOf(path)), "utf8"))
    )
    const left = pages.filter((path) => aboutNames.indexOf(path) % 20 < 1)
    const reader = async (): Promise<void> => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) {
        const problems = await visit(
          path,
          async (page) => {
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
            return overflow > 0 ? [`${overflow} px too wide`] : []
          },
          context
        )
        found.push(...problems)
      }
    }
    await Promise.all(Array.from({ length: 4 }, reader))
    await context.close()
    expect(found).toEqual([])
  }, 600_000)

  it.each([
    "/",
    "/guides/refunds",
    "/reference/ledger",
    "/reference/testing/promise",
    "/errors",
    "/local-gateway",
    "/cs/first-payment"
  ])(
    "has nothing that axe minds: %s",
    async (path) => {
      const found: Array<string> = []
      for (const colorScheme of ["light", "dark"] as const) {
        const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" })
        const violationsIn = async (page: Page): Promise<ReadonlyArray<string>> => {
          // The page's script names the switch of colours: until then it has not come alive.
          await page.waitForSelector(".VPSwitchAppearance:not([title=''])", { state: "attached" })
          await page.evaluate(axe.source)
          return page.evaluate(async () => {
            const { violations } = await window.axe.run(document)
            return violations.map(
              ({ help, id, nodes }) =>
                `${id}: ${help} ${nodes
                  .map(({ html }) => html.slice(0, 120))
                  .slice(0, 5)
                  .join(" | ")}`
            )
          })
        }
        found.push(...(await visit(path, violationsIn, context)))
        await context.close()
      }
      expect(found).toEqual([])
    },
    120_000
  )

  it.each([
    ["/", "OutcomeUnknown", "OutcomeUnknown"],
    ["/", "docker", "docker"],
    ["/", "notification not arriving", "A notification is not arriving"],
    ["/cs/", "vrácení", "vrácení peněz"]
  ])("finds, on %s, %s", async (path, text, said) => {
    const found = await visit(path, async (page) => {
      await page.setViewportSize({ width: 1280, height: 720 })
      await page
        .getByRole("button", { name: /^(Search|Hledat)$/ })
        .first()
        .click()
      await page.locator("#localsearch-input").fill(text)
      await page.getByRole("option").first().waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL((url) => url.hash !== "")
      // The address comes before the page.
      const shown = page.getByRole("main").filter({ hasText: said })
      return await shown.waitFor({ timeout: 10_000 }).then(
        () => [],
        () => [`comes to ${page.url()}`]
      )
    })
    expect(found).toEqual([])
  })

  it("shows code in the style that the reader has chosen, on other pages too", async () => {
    const found = await visit("/guides/refunds", async (page) => {
      const chosen = () => page.locator("[role=tab][aria-selected=true]").allInnerTexts()
      const before = await chosen()
      await page.getByRole("tab", { name: "Effect" }).first().click()
      const after = await chosen()
      await page.goto(`${origin}/errors`, { waitUntil: "networkidle" })
      const elsewhere = await chosen()
      return [
        ...(before.length > 1 && before.every((name) => name === "Promises")
          ? []
          : [`begins with ${before.join(", ")}`]),
        ...([...after, ...elsewhere].some((name) => name !== "Effect")
          ? [`shows ${after.join(", ")}, then ${elsewhere.join(", ")}`]
          : []),
        ...(elsewhere.length > 1 ? [] : ["has no tabs elsewhere"])
      ]
    })
    expect(found).toEqual([])
  })

  it("is in Czech for those who read the Czech pages", async () => {
    const found = await visit("/cs/first-payment", async (page) => {
      await page.setViewportSize({ width: 1400, height: 720 })
      const language = await page.locator("html").getAttribute("lang")
      await page.getByText("Na této stránce").filter({ visible: true }).first().waitFor()
      await page.getByRole("link", { name: "Návody" }).waitFor()
      await page.getByRole("button", { name: "Hledat" }).first().click()
      await page.locator("#localsearch-input").fill("první platba")
      await page.getByRole("option").first().waitFor()
      const pagesFound = await page
        .locator("[role=option] a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href")))
      return language === "cs" && pagesFound.every((href) => href?.startsWith("/cs/"))
        ? []
        : [`is ${language}, and finds ${pagesFound.join(", ")}`]
    })
    expect(found).toEqual([])
  })

  it("leads from a task to each operation, and to createPayment first", () => {
    const page = readFileSync("site/content/reference/tasks.md", "utf8")
    const named = Array.from(page.matchAll(/^### (\w+)$/gm), ([, name = ""]) => name)
    expect(named[0]).toBe("createPayment")
    expect(new Set(named).size).toBe(named.length)
    const operations = Object.entries(Endpoint).flatMap(([name, value]) => (typeof value === "object" ? [name] : []))
    expect(operations.length).toBeGreaterThan(10)
    expect(operations.filter((name) => name !== "getAccessToken" && !named.includes(name))).toEqual([])
  })

  it("has createGatewayClient first in the reference, on a page named by its import path", () => {
    const page = readFileSync("site/content/reference/promise.md", "utf8")
    expect(page).toMatch(/^# effect-gopay\/promise\n/)
    expect(/\(promise\/(\w+)\.md\)/.exec(page)?.[1]).toBe("creategatewayclient")
    expect(readFileSync("site/content/reference/promise/creategatewayclient.md", "utf8")).toMatch(
      /^# createGatewayClient\n\nOf \[effect-gopay\/promise\]\(\.\.\/promise\.md#promises\)\./
    )
  })

  it("has a reference of every entry, and of the gateway's API", () => {
    const manifest: { readonly exports: object } = JSON.parse(readFileSync("package.json", "utf8"))
    const exported = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"))
    expect(exported.length).toBeGreaterThan(8)
    const missing = exported.filter((entry) => {
      const page = referenceEntries.find(({ path }) => path === `effect-gopay${entry.slice(1)}`)
      const file = page && fileAt(`/reference/${page.file.replace(/(\/index)?\.md$/, "")}`)
      return file === undefined || !readFileSync(join(dist, file), "utf8").includes("<h2 id=")
    })
    expect(missing).toEqual([])
    expect(readFileSync(join(dist, "openapi/openapi.json"), "utf8")).toBe(readFileSync("dist/openapi.json", "utf8"))
  })

  it("tells programs that read it where everything is, as text", () => {
    const list = readFileSync(join(dist, "llms.txt"), "utf8")
    // With the site's address, since a program may have the list alone.
    const texts = [...list.matchAll(/\]\(https:\/\/[^/]+\/[^/]+(\/[^)]+\.md)\)/g)].map(([, path = ""]) => path)
    expect(texts).toEqual(
      expect.arrayContaining([
        "/guides/refunds.md",
        "/errors.md",
        "/reference/testing.md",
        "/guides/first-payment.md",
        "/reference/promise.md"
      ])
    )
    expect(texts.filter((path) => !existsSync(join(dist, path)))).toEqual([])
    const { text } = wholeSample(readExamples("."), codeIn("docs/guides/refunds.md")[0]?.code ?? "") ?? assert.fail()
    expect(text).toContain("import {")
    expect(readFileSync(join(dist, "llms-full.txt"), "utf8")).toContain(text)
  })
})
