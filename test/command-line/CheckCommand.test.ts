/**
 * The command `check`: each finding, at a local gateway and a shop on loopback.
 */
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { checkClock, checkTimeZone, checkNotificationUrl } from "../../src/command-line/CheckCommand.js"
import { ledgerFindings } from "../../src/command-line/ShopClient.js"
import { createLedger, fileStore } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, toNodeHandler } from "../../src/promise/index.js"
import { startWith } from "../support/CommandLine.js"
import { listening } from "../support/RawGateway.js"

let local: RunningLocalGateway
const folder = mkdtempSync(join(tmpdir(), "check-"))

afterEach(() => local.close())
afterAll(() => rmSync(folder, { recursive: true }))

const start = async (options?: Parameters<typeof startLocalGateway>[0]): Promise<void> => {
  local = await startLocalGateway(options)
}

const run = (variables: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  startWith(
    {
      GOPAY_GOID: String(local.merchant.goid),
      GOPAY_CLIENT_ID: local.merchant.clientId,
      GOPAY_CLIENT_SECRET: local.merchant.clientSecret,
      GOPAY_ENVIRONMENT: local.url,
      ...variables
    },
    "check",
    ...args
  ).ended

describe("effect-gopay check, of a merchant", () => {
  it("says what works, what cannot be seen, and creates nothing", async () => {
    await start()
    const { code, complained, said } = await run({})
    expect({ code, complained }).toEqual({ code: 0, complained: "" })
    expect(said).toMatch(/^✓ credentials: http\S+ accepts them, with the scopes payment-all, payment-create$/m)
    expect(said).toMatch(/^✓ scope: payment-all may read$/m)
    expect(said).toMatch(/^✓ ways to pay: PAYMENT_CARD \(CZK, /m)
    expect(said).toMatch(/^\? recurrences, preauthorizations: No read shows/m)
    expect(said).toMatch(/^\? notification_url: Not checked\. Give --notification-url$/m)
    expect(said).toMatch(/^✓ clock: /m)
    expect(said).toMatch(/^✓ time zone: /m)
    expect(said).toMatch(/^\? ledger: Not checked\. Give --store/m)
    expect(await local.listPayments()).toEqual([])
  })

  it("speaks Czech when asked to, and not in what a program reads", async () => {
    await start()
    const { said } = await run({}, "--lang", "cs")
    expect(said).toMatch(/^✓ přihlašovací údaje: http\S+ je přijímá, s rozsahy payment-all, payment-create$/m)
    expect(said).toMatch(/^\? notification_url: Nekontrolováno\. Zadejte --notification-url$/m)
    expect(said).toMatch(/^✓ hodiny: Souhlasí s bránou$/m)
    expect((await run({}, "--lang", "cs", "--json")).said).toBe((await run({}, "--json")).said)
    const wrong = await run({ GOPAY_CLIENT_SECRET: "An0ther1" }, "--lang", "cs")
    expect(wrong.said).toContain("odmítá GOPAY_CLIENT_ID a GOPAY_CLIENT_SECRET")
    expect(wrong.complained).toBe("Počet problémů: 1.\n")
  })

  it.each<readonly [string, Readonly<Record<string, string>>, string, RegExp]>([
    ["another ClientSecret", { GOPAY_CLIENT_SECRET: "An0ther1" }, "credentials", /refuses .* use those of this/],
    ["another GoID", { GOPAY_GOID: "8999999998" }, "credentials", /no shop with this GOPAY_GOID/],
    ["a gateway that is away", { GOPAY_ENVIRONMENT: "http://127.0.0.1:1" }, "credentials", /1 does not answer/],
    [
      "a scope that is none",
      { GOPAY_SCOPE: "payment-some" },
      "scope",
      /no token for GOPAY_SCOPE=payment-some. Leave it out/
    ],
    ["a scope that may not read", { GOPAY_SCOPE: "payment-create" }, "scope", /leave GOPAY_SCOPE out/]
  ])("finds %s", async (_, variables, check, message) => {
    await start({ settings: { scopes: "enforced" } })
    const { code, complained, said } = await run(variables, "--json")
    const { checks, problems } = JSON.parse(said)
    expect([code, problems, complained]).toEqual([1, 1, "1 problem.\n"])
    expect(checks).toContainEqual({ check, status: "problem", message: expect.stringMatching(message) })
    expect(said + complained).not.toContain(variables["GOPAY_CLIENT_SECRET"] ?? local.merchant.clientSecret)
  })

  it("takes a firewall's page for no refusal of the credentials", async () => {
    await start()
    await local.armFault({ type: "htmlForbidden" }, { calls: 10 })
    const { code, said } = await run({})
    expect(code).toBe(1)
    expect(said).toMatch(
      /^✗ credentials: Something in front of the gateway, such as a firewall or a proxy, refuses this machine\. Check/m
    )
  })

  it("refuses what it does not know", async () => {
    await start()
    expect(await run({}, "now")).toMatchObject({ code: 2, said: "" })
  })

  it.each([
    ["GOPAY_ENVIRONMENT", "sandbx", /^GOPAY_ENVIRONMENT must be "sandbox", "production" or/],
    ["GOPAY_ENVIRONMENT", "http://gateway.example", /^GOPAY_ENVIRONMENT must use https/],
    ["GOPAY_GOID", "shop", /^GOPAY_GOID must be a positive integer/],
    ["GOPAY_CLIENT_SECRET", "", /variables are missing: GOPAY_CLIENT_SECRET/]
  ])("names the variable that is wrong: %s=%s", async (name, value, message) => {
    await start()
    expect(await run({ [name]: value })).toMatchObject({
      code: 2,
      said: "",
      complained: expect.stringMatching(message)
    })
  })
})

describe("effect-gopay check, of a notification_url", () => {
  let shop: Server
  let url: string
  beforeAll(async () => {
    await start()
    const client = createGatewayClient(local.merchant)
    const notify = toNodeHandler(
      client.createNotificationHandler({ expected: () => undefined, handler: () => {}, onError: () => {} })
    )
    const answers: Readonly<Record<string, readonly [number, Readonly<Record<string, string>>]>> = {
      "/accepting": [200, {}],
      "/moved": [308, { location: "https://www.shop.example/notify?secret=1" }],
      "/private": [302, { location: "/sign-in?secret=1" }],
      "/login": [200, { "content-type": "text/html; charset=utf-8" }],
      "/bot-check": [503, { "content-type": "text/html" }],
      "/basic": [401, {}],
      "/forbidden": [403, {}],
      "/post-only": [405, {}],
      "/broken": [500, {}]
    }
    shop = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
      if (pathname === "/notify") return notify(request, response)
      const [status, headers] = searchParams.get("id") === "1" ? (answers[pathname] ?? [404, {}]) : [400, {}]
      response.writeHead(status, headers).end("Welcome")
    })
    url = await listening(shop.listen(0, "127.0.0.1"))
  })
  afterAll(() => {
    shop.close()
    shop.closeAllConnections()
  })

  it.each([
    ["/notify", "ok", /answers 503 to an unknown payment, as the client's handler does/],
    ["/accepting", "ok", /answers 200/],
    ["/moved", "problem", /redirects to https:\/\/www\.shop\.example\. Give the final address$/],
    ["/private", "problem", /redirects to \/sign-in\. Give the final address; if that is a login, exempt it$/],
    ["/login", "problem", /200 with a page: a login/],
    ["/bot-check", "problem", /503 with a page/],
    ["/basic", "problem", /401: it requires a login/],
    ["/forbidden", "problem", /403: it is forbidden/],
    ["/elsewhere", "problem", /404: it is not there/],
    ["/post-only", "problem", /405: it does not accept GET/],
    ["/broken", "problem", /500: it fails/]
  ])("%s is %s", async (path, status, message) => {
    expect(await checkNotificationUrl(`${url}${path}?shop=1`)).toEqual({
      check: "notification_url",
      status,
      message: expect.stringMatching(message)
    })
  })

  it.each([
    ["http://shop.example/notify", /not https/],
    ["shop.example/notify", /not an address/],
    ["http://127.0.0.1:1/notify", /does not answer from here: .*\. Check the address, and that the shop runs$/]
  ])("%s is none", async (address, message) => {
    expect(await checkNotificationUrl(address)).toMatchObject({
      status: "problem",
      message: expect.stringMatching(message)
    })
  })
})

describe("effect-gopay check, of a notification_url", () => {
  it("has no https", async () => {
    const shop = createServer()
    const url = await listening(shop.listen(0, "127.0.0.1"))
    const { message } = await checkNotificationUrl(`${url.replace("http:", "https:")}/notify`)
    shop.close()
    expect(message).toMatch(/^Its https fails \(ERR_SSL_\w+\)\. Check the port/)
  })
})

describe("effect-gopay check, of the time", () => {
  it.each([
    [0, "ok", /agrees/],
    [90_000, "problem", /^It is (89|90|91) seconds ahead of the gateway's/],
    [-90_000, "problem", /^It is (89|90|91) seconds behind the gateway's/]
  ])("a clock that is %d ms ahead is %s", async (ahead, status, message) => {
    await start()
    const gateway = createServer((_, response) => {
      response.writeHead(404, { date: new Date(Date.now() - ahead).toUTCString() }).end()
    })
    const found = await checkClock(await listening(gateway.listen(0, "127.0.0.1")))
    gateway.close()
    gateway.closeAllConnections()
    expect(found).toEqual({ check: "clock", status, message: expect.stringMatching(message) })
  })

  it("says how far a local gateway's time has been moved", async () => {
    await start()
    await local.advanceTime("64 days")
    const { message, status } = await checkClock(`${local.url}/api`)
    expect([status, message]).toEqual(["unknown", expect.stringMatching(/time has been moved 64\sd ahead$/)])
  })

  it("knows that a gateway may not say what time it is, and that Prague has a summer", async () => {
    await start()
    expect((await checkClock("http://127.0.0.1:1")).status).toBe("unknown")
    expect(checkTimeZone().status).toBe("ok")
  })
})

describe("effect-gopay check, of a ledger", () => {
  it("finds one that is not migrated, of another installation, or without a worker", async () => {
    await start()
    const path = join(folder, "shop.db")
    const check = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> => {
      const { checks } = JSON.parse((await run({}, "--store", path, "--json", ...args)).said)
      return checks.filter((one: { readonly check: string }) => one.check === "ledger")
    }
    const problem = (message: RegExp) => [
      { check: "ledger", status: "problem", message: expect.stringMatching(message) }
    ]
    expect(await check()).toEqual(problem(/There is no file .*Check --store/))
    new Database(path).close()
    expect(await check()).toEqual(problem(/^Nothing is sent\. .*migrate/))

    await using gateway = createGatewayClient(local.merchant)
    const store = fileStore(path, { driver: Database })
    const ledger = createLedger({ gateway, store, installation: "shop", onAttention: () => {} })
    await ledger.migrate()
    expect(await check("--installation", "copy")).toContainEqual(
      problem(
        /^Nothing is sent\. .*installation .*: shop\. .* name its installation: --installation, or GOPAY_INSTALLATION\.$/
      )[0]
    )
    expect(await check("--installation", "shop")).toEqual(problem(/No worker has ever run/))
    await ledger.runOnce()
    expect(await check("--installation", "shop")).toEqual([
      { check: "ledger", status: "ok", message: "Migrated, its installation is shop, its worker runs" }
    ])
    await ledger.close()
  })

  it("finds a worker that is dead", () => {
    const metrics = { changes: {}, payments: {}, due: 0, oldestDueMillis: 0, attention: 0, unreported: 0 }
    const lastTick = "2026-11-26T12:00:00Z"
    const found = (minutes: number) =>
      ledgerFindings(
        { isSending: true, message: "" },
        { ...metrics, lastTick },
        Date.parse(lastTick) + minutes * 60_000
      )
    expect(found(5)).toEqual([])
    expect(found(20)).toEqual(["The last worker ran 20 minutes ago. Is the shop's worker process running?"])
  })
})
