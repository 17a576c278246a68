/**
 * The commands that work at a running gateway: `trigger`, `show`, `listen`, `record`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { startLocalGateway, type RunningLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { triggerCommand } from "../../src/command-line/TriggerCommand.js"
import { startWith } from "../support/CommandLine.js"
import { listening } from "../support/RawGateway.js"

const folder = mkdtempSync(join(tmpdir(), "commands-"))
afterAll(() => rmSync(folder, { recursive: true }))

let local: RunningLocalGateway
beforeEach(async () => {
  local = await startLocalGateway()
})
afterEach(() => local.close())

const variables = () => ({
  GOPAY_GOID: String(local.merchant.goid),
  GOPAY_CLIENT_ID: local.merchant.clientId,
  GOPAY_CLIENT_SECRET: local.merchant.clientSecret,
  GOPAY_ENVIRONMENT: local.url
})

const run = (...args: ReadonlyArray<string>) => startWith(variables(), ...args).ended

const created = async (notificationUrl?: string, orderNumber = "2026-7"): Promise<number> => {
  const client = createGatewayClient(local.merchant)
  const { id } = await client.createPayment({
    amount: 10_000,
    currency: "CZK",
    order_number: orderNumber,
    callback: { return_url: "http://localhost/return", notification_url: notificationUrl }
  })
  await client.close()
  return id
}

describe("effect-gopay trigger", () => {
  it.each([
    ["paid", "paid (PAID)"],
    ["transferred", "paid (PAID"],
    ["attempt-declined", "payment method chosen (PAYMENT_METHOD_CHOSEN _5006)"],
    ["declined", "cancelled (CANCELED _5006)"],
    ["canceled", "cancelled (CANCELED"],
    ["timed-out", "timed out (TIMEOUTED)"],
    ["refunded", "refunded (REFUNDED)"],
    ["partially-refunded", "partly refunded (PARTIALLY_REFUNDED)"],
    ["authorized", "held on the card (AUTHORIZED)"],
    ["captured", "paid (PAID)"],
    ["released", "cancelled (CANCELED"]
  ])("%s lets a payment be %s", async (event, state) => {
    for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value)
    const log = vi.spyOn(console, "log").mockReturnValue()
    await triggerCommand.run([event]).finally(() => vi.unstubAllEnvs())
    const said = log.mock.calls.flat().join()
    log.mockRestore()
    expect(said).toMatch(/^#\d+ {2}order \S+ {2}/)
    expect(said).toContain(`  ${state}`)
  })

  it("acts on the payment of an order, or on the one with an id", async () => {
    const id = await created()
    expect((await run("trigger", "attempt-declined", "--order", "2026-7")).said).toContain(`#${id}  order 2026-7`)
    expect((await run("trigger", "paid", String(id))).said).toBe(`#${id}  order 2026-7  paid (PAID)\n`)
    expect((await local.listPayments()).map(({ state }) => state)).toEqual(["PAID"])
  })

  it("says what is wrong: no such order, a state that does not allow it, no gateway", async () => {
    expect(await run("trigger", "paid", "--order", "other")).toEqual({
      code: 1,
      said: "",
      complained: "No payment has the order number other.\n"
    })
    const id = await created()
    await run("trigger", "canceled", String(id))
    expect(await run("trigger", "paid", String(id))).toMatchObject({
      code: 1,
      said: "",
      complained: "Refused: the payment is CANCELED, and this cannot happen to it any more.\n"
    })
    // Not the port of one that was stopped, which another test may get.
    const nowhere = "http://127.0.0.1:1"
    const away = await startWith({ ...variables(), GOPAY_ENVIRONMENT: nowhere }, "trigger", "paid").ended
    expect(away.code).toBe(1)
    expect(away.complained).toContain(`Is a gateway running at ${nowhere}?`)
  })
})

describe("effect-gopay show", () => {
  it("prints a payment and its refunds, for people or as JSON", async () => {
    const id = await created()
    await run("trigger", "partially-refunded", String(id))
    const { code, said } = await run("show", String(id))
    expect(code).toBe(0)
    expect(said).toMatch(/^state +partly refunded \(PARTIALLY_REFUNDED\)$/m)
    expect(said).toMatch(/^amount +100\.00 CZK$/m)
    expect(said).toMatch(/^refund +\d+ {2}done \(SUCCESS\) {2}50\.00 CZK {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/m)
    const { payment, refunds } = JSON.parse((await run("show", String(id), "--json")).said)
    expect([payment.id, refunds.length]).toEqual([id, 1])
    expect((await local.getSettings()).partialRefundDelaySeconds).toBe(86_400)
  })

  it("prints as JSON what the gateway sent, with members that are not known here", async () => {
    const payment = {
      id: 3_000_000_003,
      state: "PAID",
      amount: "100",
      currency: "CZK",
      sub_state: null,
      new_thing: { a: 1 }
    }
    const refunds = [{ id: 1, state: "SUCCESS", amount: 1, reason_code: "A 1" }]
    const answers: { readonly [path: string]: unknown } = {
      "POST /api/oauth2/token": { token_type: "bearer", access_token: "t", expires_in: 1800 },
      "GET /api/payments/payment/3000000003": payment,
      "GET /api/payments/payment/3000000003/refunds": refunds
    }
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(answers[`${request.method} ${request.url}`]))
    })
    const { said } = await startWith(
      { ...variables(), GOPAY_ENVIRONMENT: await listening(server.listen(0, "127.0.0.1")) },
      "show",
      "3000000003",
      "--json"
    ).ended
    server.close()
    expect(JSON.parse(said)).toEqual({ payment, refunds })
  })

  it("lets an order do nothing to the terminal", async () => {
    const id = await created(undefined, "1\u001b[2J\u0007")
    expect((await run("show", String(id))).said).toMatch(/^order +1\?\[2J\?$/m)
    expect((await run("trigger", "paid", String(id))).said).toContain("order 1?[2J?  paid (PAID)")
  })

  it("speaks Czech when asked to, or where the environment does: states, amounts, times and what went wrong", async () => {
    const id = await created()
    await run("trigger", "partially-refunded", String(id))
    const { said } = await run("show", String(id), "--lang", "cs")
    expect(said).toMatch(/^stav +vráceno částečně \(PARTIALLY_REFUNDED\)$/m)
    expect(said).toMatch(/^částka +100,00 Kč$/m)
    expect(said).toMatch(
      /^refundace +\d+ {2}provedena \(SUCCESS\) {2}50,00 Kč {2}\d+\. \d+\. \d{4} \d\d:\d\d:\d\d UTC$/m
    )
    const czech = { ...variables(), LANG: "cs_CZ.UTF-8" }
    expect((await startWith(czech, "show", String(id)).ended).said).toBe(said)
    expect((await startWith(czech, "show", String(id), "--lang", "en").ended).said).toMatch(/^amount +100\.00 CZK$/m)
    // What programs read is the same everywhere.
    const json = (await run("show", String(id), "--json")).said
    expect((await startWith(czech, "show", String(id), "--json").ended).said).toBe(json)
    const { complained } = await run("show", "13", "--lang", "cs")
    expect(complained).toMatch(/^Takovou platbu brána nezná\.\nAnglicky: getPayment: /)
    expect((await run("trigger", "paid", String(id), "--lang", "cs")).complained).toBe(
      "Odmítnuto: platba je ve stavu „vráceno částečně“ a tohle už se s ní stát nemůže.\n"
    )
  })

  it("says that there is no such payment", async () => {
    const { code, complained } = await run("show", "13")
    expect(code).toBe(1)
    expect(complained).toContain("getPayment: ")
  })
})

describe("effect-gopay listen", () => {
  it("calls the shop whenever a payment has changed", async () => {
    const calls: Array<string | undefined> = []
    const shop = createServer((request, response) => {
      calls.push(request.url)
      response.end()
    })
    const url = await listening(shop.listen(0, "127.0.0.1"))
    const id = await created()
    const listen = startWith(
      variables(),
      "listen",
      "--forward-to",
      `${url}/notify?shop=1`,
      "--id",
      String(id),
      "--every",
      "1"
    )
    await listen.says(/not paid yet \(CREATED\), watching/)
    await local.payByCard(id)
    await listen.says(new RegExp(`#${id} paid \\(PAID\\) 200 from `))
    expect((await listen.stop("SIGINT")).code).toBe(0)
    expect(calls).toEqual([`/notify?shop=1&id=${id}`])
    shop.close()
    shop.closeAllConnections()
  })
})

describe("effect-gopay record", () => {
  it("writes a recording, and overwrites nothing", async () => {
    const output = join(folder, "recording.json")
    writeFileSync(`${output}.new`, "mine, too")
    const { code, said } = await run("record", "--output", output)
    expect(code).toBe(0)
    expect(readFileSync(`${output}.new`, "utf8")).toBe("mine, too")
    expect(said).toContain("409 refund an unpaid payment\n")
    expect(said).toContain("--- refund a part\n")
    const text = readFileSync(output, "utf8")
    expect(JSON.parse(text)).toMatchObject({ format: 1, gateway: local.url })
    expect(text).not.toContain(local.merchant.clientSecret)
    writeFileSync(output, "mine")
    expect((await run("record", "--output", output)).complained).toContain("exists")
    expect(readFileSync(output, "utf8")).toBe("mine")
  })

  it("makes the folder, and keeps what it has when it is stopped", async () => {
    const output = join(folder, "a", "b", "recording.json")
    const cut = startWith(variables(), "record", "--output", output)
    await cut.says(/create with lang in lower case\n/)
    expect((await cut.stop("SIGINT")).code).not.toBe(0)
    const before = JSON.parse(readFileSync(output, "utf8"))
    expect(before.steps).toContainEqual(
      expect.objectContaining({ name: "create without lang", response: expect.anything() })
    )
  })

  it("records nothing without variables, unless it was asked in a terminal", async () => {
    const output = join(folder, "without.json")
    const { code, complained } = await startWith({}, "record", "--output", output).ended
    expect(code).toBe(2)
    expect(complained).toContain("No GOPAY_ variables are set")
    expect(existsSync(output)).toBe(false)
  })

  it("refuses production", async () => {
    const { code, complained } = await startWith({ ...variables(), GOPAY_ENVIRONMENT: "production" }, "record").ended
    expect(code).toBe(2)
    expect(complained).toContain("must be sandbox")
  })
})
