/**
 * The page for accountants: who may see it, what it takes, and what it says.
 */
import Database from "libsql"
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { type AdminAuthorization, LedgerError, makeAdminHandler } from "../../src/ledger/index.js"
import {
  type AdminOptions,
  createAdminHandler,
  type Ledger,
  type SqliteTransaction
} from "../../src/ledger/promise/index.js"
import { toNodeHandler } from "../../src/promise/index.js"
import { createTestShop, type TestShop } from "../../src/testing/promise/index.js"
import { listening } from "../support/RawGateway.js"
import {
  parseStatement,
  reconcileStatement,
  type StatementMovement,
  type StatementReconciliation
} from "../../src/statement/index.js"
import { clearingXml, csvB } from "../statement/files.js"
import * as Outsider from "./Outsider.js"
import { stopRefunds } from "./StoppedRefunds.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let shop: TestShop
let ledger: Ledger<SqliteTransaction>

/** A key that would be markup. */
const key = `<b onclick="x">77's</b>`

const paid = async (): Promise<number> => {
  const { id } = await shop.gateway.createPayment(order)
  await shop.local.payByCard(id)
  return id
}

beforeEach(async () => {
  shop = await createTestShop({ driver: Database, gateway: partsAtOnce, onAttention: () => {} })
  ledger = shop.ledger
  await stopRefunds(ledger, shop.gateway, await paid(), { [key]: 50_000, next: 100 })
})

afterEach(() => shop.close())

const address = "https://shop.example/admin/gopay"

const open = (authorization: AdminAuthorization, init: RequestInit = {}, url = address) =>
  createAdminHandler(ledger.operator, { authorize: () => authorization })(new Request(url, init))

const versionNow = async () => (await ledger.operator.getChange(key))?.version ?? 0

/** A form as the page sends it. */
const form = async (
  headers: Record<string, string> = {},
  fields: Record<string, string> = {},
  authorization: AdminAuthorization = "Jana"
) => {
  const version = String(await versionNow())
  return open(authorization, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin", ...headers },
    body: new URLSearchParams({ key, version, as: "cancelled", note: "by hand", ...fields })
  })
}

const isOpen = async () => (await ledger.getOutcome(key))?._tag === "InDoubt"

describe("the page for accountants", () => {
  it("is not made without authorize", () => {
    // @ts-expect-error it is missing
    expect(() => createAdminHandler(ledger.operator, {})).toThrow(/authorize is missing/)
    // @ts-expect-error it is missing
    expect(() => createAdminHandler(ledger.operator)).toThrow(/authorize is missing/)
  })

  it.each([[false], [undefined], [""], [" "]])("shows nothing and takes nothing when authorize says %j", async (no) => {
    const refused = [await open(no), await form({}, {}, no ?? false)]
    for (const response of refused) {
      expect(response.status).toBe(403)
      expect(await response.text()).toMatch(/^You may not do this here: [^<]*$/)
    }
    expect(await isOpen()).toBe(true)
  })

  it("hands on the response of authorize, and its failure", async () => {
    const login = Response.redirect("https://shop.example/login")
    expect(await open(login)).toBe(login)
    const failing = createAdminHandler(ledger.operator, {
      authorize: () => Promise.reject(new Error("no session store"))
    })
    await expect(failing(new Request(address))).rejects.toThrow("no session store")
  })

  it("shows what needs a decision and what is under way, as text and never as markup", async () => {
    const response = await open("Jana <Nová>")
    const page = await response.text()
    expect(response.status).toBe(200)
    expect(page).toContain("Refund of unknown origin: &lt;b onclick=&quot;x&quot;&gt;77&#39;s&lt;/b&gt;")
    expect(page).toContain("Jana &lt;Nová&gt;")
    expect(page).toMatch(/<th scope="row"><a href="[^"]*">next<\/a><\/th>/)
    expect(page).toContain("500.00")
    expect(page).not.toMatch(/<b\b|<script|name="by"/)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none';.*form-action 'self'; frame-ancestors 'none'/
      )
    })
  })

  it.each([
    ["cs-CZ,cs;q=0.9,en;q=0.8", "", "cs"],
    ["sk", "", "cs"],
    ["de, en;q=0.5", "", "en"],
    ["en", "?lang=cs", "cs"],
    ["", "?lang=xx", "en"]
  ])("is in the language of %j %s: %s", async (accepted, query, language) => {
    const page = await (await open("Jana", { headers: { "accept-language": accepted } }, `${address}${query}`)).text()
    expect(page).toContain(`<html lang="${language}">`)
    expect(page).toContain(language === "cs" ? "Čeká na rozhodnutí" : "Needs a decision")
    expect(page).toContain(language === "cs" ? "500,00" : "500.00")
  })

  it("takes a decision, by the authorized name, and shows the page again", async () => {
    const response = await form({}, { by: "someone else" })
    expect(response.status).toBe(303)
    const location = new URL(response.headers.get("location") ?? "", address)
    expect(location.origin + location.pathname).toBe(address)
    expect(await ledger.getOutcome(key)).toMatchObject({ _tag: "Refused", message: "Cancelled by Jana: by hand" })
    const page = await (await open("Jana", {}, String(location))).text()
    const [status = ""] = /<p class="card good" role="status">[^]*?<\/p>/.exec(page) ?? []
    expect(status).toContain("Recorded now")
    expect(status).toContain("&lt;b onclick=&quot;x&quot;&gt;77&#39;s&lt;/b&gt;</a>: Not carried out.")
    expect(status).toContain("Cancelled by Jana: by hand")
    expect(page).toContain("Nothing needs a decision.")
  })

  it.each(["decided", "history", "find"])("repeats nothing that a link claims by %s", async (name) => {
    const claim = "Your account is blocked, call 900 123 456"
    const link = `${address}?${new URLSearchParams({ [name]: claim })}`
    const page = await (await open("Jana", {}, link)).text()
    const [header, ...others] = page.replace(/<input type="search"[^]*?\/>/, "").split(claim)
    expect([header?.includes("<main>"), others]).toEqual([true, []])
  })

  it("says of a link's key only what is recorded of it", async () => {
    const page = await (await open("Jana", {}, `${address}?decided=next&decided=${encodeURIComponent(key)}`)).text()
    const [status = ""] = /<p class="card good" role="status">[^]*?<\/p>/.exec(page) ?? []
    expect(status).toContain("next</a>: Queued.")
    expect(status).toContain("</a>: Needs a decision.")
    expect(status).not.toContain("by Jana")
  })

  it.each(["//", "/admin//?lang=cs", "//[", "?lang=cs"])("is there at %s, as a proxy may pass it on", async (url) => {
    const handle = createAdminHandler(ledger.operator, { authorize: () => "Jana" })
    const headers = { get: () => null }
    const response = await handle({ method: "GET", url, headers, text: async () => "" })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`<html lang="${url.includes("cs") ? "cs" : "en"}">`)
  })

  it("takes no decision of someone whom authorize gives no name, whatever name the form has", async () => {
    expect((await form({}, { by: "Petr" }, true)).status).toBe(403)
    expect(await isOpen()).toBe(true)
    const page = await (await open(true)).text()
    expect(page).toContain("Refund of unknown origin")
    expect(page).toContain("Only operators who are signed in by name can decide.")
    expect(page).not.toContain('<form method="post"')
    expect(await (await open("Jana")).text()).toContain('<form method="post"')
  })

  it.each([
    ["another site's", { "sec-fetch-site": "cross-site" }, {}, 403],
    ["another subdomain's", { "sec-fetch-site": "same-site" }, {}, 403],
    ["no one's", { "sec-fetch-site": "none" }, {}, 403],
    ["in JSON", { "content-type": "application/json" }, {}, 415],
    ["as plain text", { "content-type": "text/plain" }, {}, 415],
    ["too long", {}, { note: "x".repeat(100_001) }, 413],
    ["without a decision", {}, { as: "maybe" }, 400],
    ["without evidence", {}, { note: " " }, 400],
    ["without a version", {}, { version: "" }, 400],
    ["of a version that has passed", {}, { version: "1" }, 409],
    ["of a key that is not there", {}, { key: "none" }, 409]
  ])("decides nothing by a form that is %s", async (_, headers, fields, status) => {
    expect((await form(headers, fields)).status).toBe(status)
    expect(await isOpen()).toBe(true)
  })

  it.each([
    [{ origin: "https://shop.example", host: "shop.example" }, 303],
    [{ origin: "https://shop.example:8443", host: "shop.example" }, 403],
    [{ origin: "https://evil.example", host: "shop.example" }, 403],
    [{ origin: "null", host: "shop.example" }, 403],
    [{ host: "shop.example" }, 403],
    [{ origin: "https://shop.example" }, 403]
  ])("of a browser that says nothing of the site, believes the origin: %j, %i", async (headers, status) => {
    const given = new Map(Object.entries({ ...headers, "content-type": "application/x-www-form-urlencoded" }))
    const body = String(
      new URLSearchParams({ key, version: String(await versionNow()), as: "cancelled", note: "by hand" })
    )
    const response = await createAdminHandler(ledger.operator, { authorize: () => "Jana" })({
      method: "POST",
      url: "/admin/gopay",
      headers: { get: (name) => given.get(name) ?? null },
      text: async () => body
    })
    expect(response.status).toBe(status)
    expect(await isOpen()).toBe(status !== 303)
  })

  it("acknowledges the other refund, and this one is sent", async () => {
    const { paymentId = 0 } = (await ledger.operator.listAttention())[0] ?? {}
    const [refund] = await shop.gateway.getPaymentRefunds(paymentId)
    const fields = { as: "acknowledge", payment: String(paymentId), refund: String(refund?.id) }
    expect((await form({}, { ...fields, refund: "" })).status).toBe(400)
    expect((await form({}, fields)).status).toBe(303)
    await ledger.runOnce()
    expect(await ledger.getOutcome(key)).toMatchObject({ _tag: "Done", how: "answered" })
    expect(await ledger.operator.listAcknowledgedRefunds(paymentId)).toMatchObject([
      { acknowledgedBy: "Jana", note: "by hand" }
    ])
  })

  it("says that nothing is sent, and since when", async () => {
    await ledger.operator.pause()
    expect(await (await open("Jana")).text()).toMatch(
      /role="alert">\s*<strong\s*>Nothing is sent \(<time datetime="\d{4}-[^]*The ledger is paused/
    )
    const czech = await open("Jana", {}, `${address}?lang=cs`)
    expect(await czech.text()).toContain("Nic se neodesílá (")
  })

  it("knows no other method, and says when the ledger cannot be read", async () => {
    const deleted = await open("Jana", { method: "DELETE" })
    expect([deleted.status, deleted.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
    const failure = Effect.fail(new LedgerError({ reason: { _tag: "LedgerUnavailable", message: "It is <away>." } }))
    const handle = makeAdminHandler(
      {
        listAttention: () => failure,
        listChanges: () => failure,
        listPayments: () => failure,
        listRefunds: () => failure,
        getHistory: () => failure,
        getHealth: failure,
        resolveChange: () => failure,
        resolvePayment: () => failure,
        acknowledgeRefund: () => failure
      },
      { authorize: () => Effect.succeed(true) }
    )
    const response = await Effect.runPromise(handle(new Request(address)))
    expect(response.status).toBe(503)
    expect(await response.text()).toContain("It is &lt;away&gt;.")
  })
})

describe("what the page shows of an item", () => {
  it("is its history, in a table that is asked for by a link", async () => {
    const page = await (await open("Jana", {}, `${address}?lang=cs`)).text()
    const [, query = ""] = /<a href="(\?[^"]*history=[^"]*)#history">Historie<\/a>/.exec(page) ?? []
    const shown = await (await open("Jana", {}, `${address}${query.replaceAll("&amp;", "&")}`)).text()
    expect(shown).toContain("Historie: &lt;b onclick")
    expect(shown).toMatch(/<time datetime="\d{4}-[^"]*Z">\d+\. \d+\. \d{4} \d\d:\d\d<\/time>/)
    expect(shown).toContain("<td>Ve frontě</td>")
    expect(shown).toContain("<strong>Refundace neznámého původu</strong>")
    const none = await (await open("Jana", {}, `${address}?history=nothing`)).text()
    expect(none).toContain("There is no history of it.")
  })

  it("is the order and the currency of its payment, where the ledger has made that", async () => {
    await ledger.checkout("order-9", { amount: 500_000, currency: "EUR", callback: order.callback })
    const [payment] = await ledger.operator.listPayments({ orderNumber: "order-9" })
    await shop.local.payByCard(payment?.paymentId ?? 0)
    await ledger.refund("of order-9", payment?.paymentId ?? 0, { amount: 123_450 }, { waitAtMost: 0 })
    const row = /<th scope="row"><a[^>]*>of order-9<[^]*?<\/tr>/.exec(await (await open("Jana")).text())?.[0]
    expect(row).toContain("<td>order-9</td>")
    expect(row).toContain("1,234.50\u00a0EUR")
  })

  it.each([
    ["cs", "Podrobnosti (anglicky)"],
    ["en", "For the developers"]
  ])("is in an operator's words: what the ledger says to developers is behind a word (%s)", async (language, word) => {
    const page = await (await open("Jana", {}, `${address}?lang=${language}`)).text()
    const [seen, behind] = [
      page.replaceAll(/<details[^]*?<\/details>/g, ""),
      /<details[^]*?<\/details>/.exec(page)?.[0]
    ]
    expect(behind).toContain(`<summary>${word}</summary>`)
    expect(behind).toContain('<p lang="en">Nothing was sent: the gateway lists refund')
    expect(seen).not.toMatch(/byHand,|resolve this change|acknowledge the refund/)
  })

  it("is beside the other changes of its payment, which are told apart by their times", async () => {
    const article = (await (await open("Jana")).text()).split("<article")[1]?.split("</table>")[0] ?? ""
    const [, , ...rows] = article.split("<tr>").map((row) => row.replace(/<[^>]*>|\s+/g, " ").trim())
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/77&#39;s&lt;\/b&gt; +\(this one\) +Refund +500\.00 .* Needs a decision$/)
    expect(rows[1]).toMatch(/^next +Refund +1\.00 .* Queued$/)
  })

  it("is beside what GoPay lists of its payment, which names whose it is", async () => {
    const listOf = async (language: string) => {
      const text = await (await open("Jana", {}, `${address}?lang=${language}`)).text()
      const [, table = ""] =
        /aria-label="(?:GoPay&#39;s list|Seznam refundací GoPay)[^]*?<tbody>([^]*?)<\/tbody>/.exec(text) ?? []
      return table.replace(/<[^>]*>|\s+/g, " ").trim()
    }
    const { paymentId = 0 } = (await ledger.operator.listAttention())[0] ?? {}
    const [refund] = await shop.gateway.getPaymentRefunds(paymentId)
    expect(await listOf("en")).toMatch(
      new RegExp(`^${refund?.id} +500\\.00 .*20\\d\\d.* SUCCESS +no refund of the shop`)
    )
    expect(await listOf("cs")).toContain("žádné refundaci obchodu")
  })

  it("says that GoPay's list could not be read, and shows the rest", async () => {
    await shop.local.armFault({ type: "connectionReset", effect: "none" }, { operation: "getPaymentRefunds", calls: 9 })
    const text = await (await open("Jana")).text()
    expect(text).toContain("GoPay&#39;s list of refunds is not shown")
    expect(text).toContain("Refund of unknown origin")
  })

  it("is alone where its payment has no other change", async () => {
    await stopRefunds(ledger, shop.gateway, await paid(), { single: 70_000 })
    const articles = (await (await open("Jana")).text()).match(/<article[^]*?<\/article>/g) ?? []
    expect(articles.find((article) => article.includes("single"))).not.toContain("(this one)")
  })

  it("has the times of a time zone", async () => {
    const inZone = async (timeZone?: string) => {
      const handle = createAdminHandler(ledger.operator, { authorize: () => "Jana", timeZone })
      return (await (await handle(new Request(address))).text()).match(/<time datetime="[^"]*">[^<]*/)?.[0] ?? ""
    }
    const prague = await inZone()
    const [, iso = "", shown] = /datetime="([^"]*)">(.*)/.exec(prague) ?? []
    expect(shown).toBe(
      new Intl.DateTimeFormat("en-GB", {
        timeZone: "Europe/Prague",
        year: "numeric",
        month: "short",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit"
      }).format(new Date(iso))
    )
    expect(await inZone("Pacific/Auckland")).not.toBe(prague)
    await expect(inZone("Prague")).rejects.toThrow("timeZone is unknown: Prague")
  })

  it("keeps a decision whose evidence is blank, and names it", async () => {
    const response = await form({}, { note: " " })
    expect(response.status).toBe(400)
    const page = await response.text()
    expect(page).toContain("77&#39;s&lt;/b&gt;: choose a decision and give the evidence.")
    expect(page.match(/<input\s+type="radio"[^>]*value="cancelled"[^>]*checked/g)).toHaveLength(1)
    expect(await isOpen()).toBe(true)
  })

  it("warns whoever is about to refund by hand that one is being looked up", async () => {
    const id = await paid()
    expect(await (await open("Jana")).text()).not.toContain("Do not refund anything of their payments by hand")
    await shop.local.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
    await ledger.refund("lost", id, { amount: 100 }, { waitAtMost: "10 millis" })
    const page = async (): Promise<string> => {
      await ledger.runOnce()
      return (await open("Jana")).text()
    }
    await expect.poll(page).toContain("Do not refund anything of their payments by hand")
  })
})

describe("the numbers on top", () => {
  it("count what needs a decision and what is under way, and lead to it", async () => {
    const page = await (await open("Jana")).text()
    const [numbers = ""] = /<ul class="numbers"[^]*?<\/ul>/.exec(page) ?? []
    expect(
      [...numbers.matchAll(/<strong>([^<]*)<\/strong>(?:<a href="#([^"]*)">)?([^<]*)/g)].map((one) => one.slice(1, 4))
    ).toMatchObject([
      ["1", "decisions", "need a decision"],
      ["1", "under-way", "under way"],
      ["0", "under-way", "being looked up"],
      [expect.stringMatching(/^\d+ \w+ \d{4}$/), undefined, "oldest request"]
    ])
    for (const id of ["decisions", "under-way"]) expect(page).toContain(`<h2 id="${id}">`)
  })
})

describe("the search", () => {
  const search = async (text: string): Promise<string> =>
    (await open(true, {}, `${address}?${new URLSearchParams({ find: text })}`)).text()

  it("finds an order's payment and its changes by order, payment and key", async () => {
    await ledger.checkout("order-9", { amount: 500_000, currency: "EUR", callback: order.callback })
    const [payment] = await ledger.operator.listPayments({ orderNumber: "order-9" })
    await shop.local.payByCard(payment?.paymentId ?? 0)
    await ledger.refund("of order-9", payment?.paymentId ?? 0, { amount: 123_450 }, { waitAtMost: "10 seconds" })
    for (const text of ["order-9", String(payment?.paymentId), " of order-9 "]) {
      const found = (await search(text)).split('id="found"')[1]?.split("<h2")[0]
      expect(found).toMatch(/<th scope="row"><a[^>]*>order-9<\/a>/)
      expect(found).toContain(`<td>${payment?.paymentId}</td>`)
      expect(found).toMatch(/<th scope="row"><a[^>]*>of order-9<\/a>/)
      expect(found).toContain("1,234.50\u00a0EUR")
    }
  })

  it("finds a change of a payment that was made beside the ledger", async () => {
    expect((await search(key)).split('id="found"')[1]).toContain("history=next")
  })

  it("says that there is nothing, as text and never as markup", async () => {
    const page = await search("<i>none</i>")
    expect(page).toMatch(/<input type="search"[^>]*value="&lt;i&gt;none&lt;\/i&gt;"/)
    expect(page).toContain("There is no such order, payment or key.")
    expect(page).not.toContain("<i>")
  })
})

describe("the refund that a decision names", () => {
  it("is filled in, and counts only with a decision that names one", async () => {
    const { paymentId = 0 } = (await ledger.operator.listAttention())[0] ?? {}
    const [refund] = await shop.gateway.getPaymentRefunds(paymentId)
    const page = await (await open("Jana")).text()
    expect(/<input[^>]*name="refund"[^>]*>/.exec(page)?.[0]).toContain(`value="${refund?.id}"`)
    expect([...page.matchAll(/value="(\w+)"\s+data-names="(\w+)"/g)].map(([, as, names]) => [as, names])).toEqual([
      ["cancelled", "nothing"],
      ["byHand", "refund"],
      ["acknowledge", "refund"]
    ])
    expect((await form({}, { as: "cancelled", refund: String(refund?.id) })).status).toBe(303)
    expect(await ledger.getOutcome(key)).toMatchObject({ _tag: "Refused", message: "Cancelled by Jana: by hand" })
  })

  it("is bound to a refund that was made by hand", async () => {
    const [, filled = ""] = /name="refund"[^>]*value="(\d+)"/.exec(await (await open("Jana")).text()) ?? []
    expect((await form({}, { as: "byHand", refund: filled })).status).toBe(303)
    expect(await ledger.getOutcome(key)).toMatchObject({ _tag: "Done", refundId: Number(filled) })
  })
})

describe("the charge that a decision names", () => {
  it("counts only with the decision that it was made", async () => {
    const { store } = shop
    await Effect.runPromise(Effect.andThen(Outsider.makeCharges(store), Outsider.leaveInDoubt(store, key)))
    const article = (await (await open("Jana")).text()).split("<article")[1] ?? ""
    const names = [...article.matchAll(/value="(\w+)"\s+data-names="(\w+)"/g)].map(([, as, named]) => [as, named])
    expect(names).toContainEqual(["done", "charge"])
    expect(names.filter(([as]) => as !== "done").map(([, named]) => named)).not.toContain("charge")
  })
})

describe("several decisions at once", () => {
  const two = async () => {
    await stopRefunds(ledger, shop.gateway, await paid(), { second: 700 })
    return (await ledger.operator.listAttention()).map(({ key, version }) => `${version} ${key}`)
  }

  const send = (
    items: ReadonlyArray<string>,
    as: string,
    authorization: AdminAuthorization = "Jana",
    others: Readonly<Record<string, string>> = {}
  ) =>
    open(authorization, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams([
        ...Object.entries({ as, note: "twice", by: "Petr", ...others }),
        ...items.map((item) => ["item", item])
      ])
    })

  it("are taken by one form", async () => {
    const items = await two()
    expect(items).toHaveLength(2)
    expect(await (await open("Jana")).text()).toContain("Decide several at once")
    const response = await send(items, "cancelled")
    expect(response.status).toBe(303)
    const location = response.headers.get("location") ?? ""
    expect(new URLSearchParams(location).getAll("decided")).toEqual(items.map((item) => item.replace(/^\d+ /, "")))
    expect(await (await open("Jana", {}, address + location)).text()).toContain("second</a>: Not carried out.")
    expect(await ledger.getOutcome("second")).toMatchObject({ _tag: "Refused", message: "Cancelled by Jana: twice" })
    expect(await ledger.getOutcome(key)).toMatchObject({ _tag: "Refused" })
    expect(await (await open("Jana")).text()).not.toContain("Decide several at once")
  })

  it("are taken where they fit, and what is left is told", async () => {
    const [first = "", second = ""] = await two()
    const response = await send([first, second.replace(/^\d+/, "1")], "cancelled")
    expect(response.status).toBe(409)
    expect(await response.text()).toMatch(/1 of 2 decided\. Not decided: second: The change has moved since/)
    expect((await ledger.operator.listAttention()).length).toBe(1)
    const again = await send([second.replace(/^\d+/, "1")], "cancelled")
    expect(await again.text()).toMatch(/Nothing was decided: second: The change has moved since/)
    expect((await send(["second"], "cancelled")).status).toBe(400)
  })

  it("name no refund, which is one item's", async () => {
    const items = await two()
    const [{ paymentId = 0 } = {}] = await ledger.operator.listAttention()
    const [refund] = await shop.gateway.getPaymentRefunds(paymentId)
    const response = await send(items, "acknowledge", "Jana", {
      payment: String(paymentId),
      refund: String(refund?.id)
    })
    expect(response.status).toBe(409)
    expect(await ledger.operator.listAttention()).toHaveLength(2)
  })

  it("are taken of no one whom authorize gives no name", async () => {
    const items = await two()
    expect((await send(items, "cancelled", true)).status).toBe(403)
    expect(await ledger.operator.listAttention()).toHaveLength(2)
  })
})

describe("the month on the page", () => {
  const found = (movements: ReadonlyArray<Partial<StatementMovement>> = []) =>
    reconcileStatement(
      {
        ...parseStatement(csvB()),
        movements: movements.map((one, index) => ({
          _tag: "Payment",
          date: "2026-06-02",
          amount: 100,
          currency: "CZK",
          type: "GOPAY-platba",
          movementId: `${index}`,
          line: index + 2,
          ...one
        }))
      },
      { orders: [] }
    )

  const monthOf = (reconcileMonth: AdminOptions["reconcileMonth"], query: string) =>
    createAdminHandler(ledger.operator, { authorize: () => "Jana", reconcileMonth })(new Request(`${address}?${query}`))

  it("is offered only where the shop compares months, and compared only when it is chosen", async () => {
    expect(await (await open("Jana")).text()).not.toContain('type="month"')
    let asked = 0
    const response = await monthOf(() => {
      asked++
      return found()
    }, "month=2026-13")
    const text = await response.text()
    expect(text).toContain('type="month"')
    expect(text).toMatch(/role="alert">\s*There is no such month\./)
    expect(asked).toBe(0)
  })

  it.each([
    ["2026-06", { from: "2026-06-01", to: "2026-06-30" }],
    ["2028-02", { from: "2028-02-01", to: "2028-02-29" }],
    ["2026-12", { from: "2026-12-01", to: "2026-12-31" }]
  ])("of %s is %o", async (month, period) => {
    const asked: Array<unknown> = []
    await monthOf((days) => {
      asked.push(days)
      return found()
    }, `month=${month}`)
    expect(asked).toEqual([period])
  })

  it("shows what is in no one's books, and never as markup", async () => {
    const response = await monthOf(() => found([{ orderNumber: "<b>7</b>" }]), "month=2026-06&lang=en")
    const text = await response.text()
    expect(text).toContain("It does not agree.")
    const section = text.split('<section id="month"')[1] ?? ""
    expect(section).toContain('action="#month"')
    expect(section).toMatch(/<th scope="col">Where<\/th>[^]*<td>on the statement<\/td>/)
    expect(section).toMatch(
      /<td>&lt;b&gt;7&lt;\/b&gt;<\/td>\s*<td><\/td>\s*<td class="amount">1.00<\/td>\s*<td>CZK<\/td>\s*<td>2026-06-02<\/td>/
    )
    expect(text).toContain("no such payment or refund in the books")
  })

  it("is a table for a spreadsheet, too, in which no cell is a formula", async () => {
    const reconcileMonth = () => found([{ orderNumber: "=7" }, { amount: -139_950, paymentId: 3_000_006_542 }])
    const page = await (await monthOf(reconcileMonth, "month=2026-06&lang=en")).text()
    const [, link = ""] = /href="\?([^"]*)" download/.exec(page) ?? []
    const response = await monthOf(reconcileMonth, link.replaceAll("&amp;", "&"))
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="2026-06.csv"')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]))
    const finding = "On the statement and not in the books,on the statement"
    expect(new TextDecoder().decode(bytes).split("\r\n")).toEqual([
      "Finding,Where,Order,Payment,Amount,Currency,Day,Note",
      `${finding},'=7,,1.00,CZK,2026-06-02,no such payment or refund in the books`,
      expect.stringContaining(`${finding},,3000006542,-1399.50,CZK,2026-06-02`),
      ""
    ])
  })

  it("is a table of all that agrees, too", async () => {
    const reconcileMonth = () => {
      const { movements, ...month } = found([{ orderNumber: "A-1" }])
      const matched = movements.map((movement) => ({
        expected: { _tag: "Payment" as const, orderNumber: "A-1", amount: 100, currency: "CZK" },
        movement,
        by: "orderNumber" as const
      }))
      return { ...month, movements, matched, foreign: [], agrees: true }
    }
    const page = await (await monthOf(reconcileMonth, "month=2026-06&lang=en")).text()
    expect(page).toMatch(/csv="? download/)
    const [{ through } = { through: "" }] = reconcileMonth().days
    expect(through).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(page).toContain(`All that is due agrees through ${through}.`)
    const perCurrency = () => {
      const month = reconcileMonth()
      return {
        ...month,
        days: [...month.days, { currency: "EUR", from: "2026-06-01", to: "2026-06-30", through: "2026-06-27" }]
      }
    }
    expect(await (await monthOf(perCurrency, "month=2026-06&lang=cs")).text()).toContain(
      `souhlasí: CZK do ${through}, EUR do 2026-06-27.`
    )
    const text = await (await monthOf(reconcileMonth, "month=2026-06&lang=en&csv=")).text()
    expect(text.split("\r\n").slice(1)).toEqual(["Matched,on the statement,A-1,,1.00,CZK,2026-06-02,", ""])
  })

  it("says on the page why there is no table of it", async () => {
    const response = await monthOf(() => Promise.reject(new Error("No statement today")), "month=2026-06&lang=en&csv=")
    expect(response.headers.get("content-type")).toContain("text/html")
    expect(await response.text()).toContain("No statement today")
  })

  it.each([
    ["2026-12-31T22:59:00Z", "2026-11"],
    ["2026-12-31T23:00:00Z", "2026-12"],
    ["2027-01-31T22:59:00Z", "2026-12"]
  ])("is by default the last one that is over in the page's time zone: at %s that of %s", async (now, month) => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) })
    onTestFinished(() => void vi.useRealTimers())
    const text = await (await monthOf(() => found(), "lang=en")).text()
    expect(text).toMatch(new RegExp(`type="month"[^>]*value="${month}"`))
  })

  const uploaded = (file: Blob | undefined, headers: Record<string, string> = { "sec-fetch-site": "same-origin" }) => {
    const body = new FormData()
    body.set("lang", "en")
    if (file !== undefined) body.set("statement", file, "june.csv")
    const reconcileFile = (bytes: Uint8Array) => reconcileStatement(parseStatement(bytes), { orders: [] })
    const handle = createAdminHandler(ledger.operator, { authorize: () => "Jana", reconcileFile })
    return handle(new Request(address, { method: "POST", body, headers }))
  }

  it("takes a file, byte by byte, from its own form only", async () => {
    const file = new Blob([new Uint8Array(csvB())])
    const response = await uploaded(file)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain("On the statement and not in the books")
    expect((await uploaded(file, { "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((await uploaded(undefined)).status).toBe(400)
    expect((await uploaded(new Blob([new Uint8Array(16 * 1024 * 1024 + 1)]))).status).toBe(413)
    expect(await (await uploaded(new Blob(["no statement"]))).text()).toContain("The statement could not be compared: ")
  })

  it("says of an uploaded clearing what was transferred and not sent", async () => {
    const file = clearingXml.replace(`amountSent="876.00"`, `amountSent="875.50"`)
    const text = await (await uploaded(new Blob([file]))).text()
    expect(text).toContain("by its file; transferred and not sent 0.50 CZK")
  })

  it("says beside a change in doubt that the statement shows it", async () => {
    const evidence: StatementReconciliation["evidence"] = [
      {
        change: { key, operation: "refundPayment", amount: 50_000 },
        orderNumber: "1",
        movement: {
          _tag: "Refund",
          date: "2026-06-03",
          amount: -50_000,
          currency: "CZK",
          type: "GOPAY-storno-platby",
          movementId: "1",
          line: 2
        }
      }
    ]
    const response = await monthOf(() => ({ ...found(), evidence }), "month=2026-06&lang=en")
    expect(await response.text()).toContain("The statement shows that it was done: 2026-06-03, -500.00 CZK")
    const ambiguous = evidence.map((one) => ({ ...one, isAmbiguous: true as const }))
    const doubtful = await monthOf(() => ({ ...found(), evidence: ambiguous }), "month=2026-06&lang=en")
    const text = await doubtful.text()
    expect(text).not.toContain("shows that it was done")
    expect(text).toMatch(/which may be another one: [^<]*: 2026-06-03, -500\.00 CZK/)
    expect(text).toContain("Perhaps one whose outcome is unknown")
  })

  it("says why a statement could not be compared", async () => {
    const response = await monthOf(() => Promise.reject(new Error("No <statement> today")), "month=2026-06&lang=cs")
    expect(response.status).toBe(200)
    expect(await response.text()).toContain("Výpis se nepodařilo porovnat: No &lt;statement&gt; today")
  })
})

describe("toNodeHandler", () => {
  it.each([["read by no one"], ["parsed by the framework"], ["read as text by the framework"]])(
    "hands a form over that was %s",
    async (how) => {
      const handle = toNodeHandler(createAdminHandler(ledger.operator, { authorize: () => "Jana" }))
      const server = createServer(async (request, response) => {
        if (how === "read by no one") return handle(request, response)
        let text = ""
        for await (const chunk of request) text += chunk
        const body = how.startsWith("parsed") ? Object.fromEntries(new URLSearchParams(text)) : text
        const { headers, method, url } = request
        handle({ headers, method, url, body }, response)
      })
      const url = await listening(server.listen(0, "127.0.0.1"))
      const page = await (await fetch(`${url}/admin`)).text()
      expect(page).toContain("Needs a decision")
      const response = await fetch(`${url}/admin`, {
        method: "POST",
        redirect: "manual",
        headers: { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ key, version: String(await versionNow()), as: "cancelled", note: "ručně" })
      })
      expect(response.status).toBe(303)
      expect(await ledger.getOutcome(key)).toMatchObject({ message: "Cancelled by Jana: ručně" })
      server.closeAllConnections()
      server.close()
    }
  )
})
