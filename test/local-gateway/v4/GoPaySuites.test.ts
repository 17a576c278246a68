/**
 * What the end-to-end tests of GoPay's own SDKs expect of API v4, in our words: those of the JavaScript SDK as of August 2026 (auth and
 * refunds), and what is known of its later suites (payments, recurrences, links, cards). Wallets, cards, links and charges by a server
 * are not built, and say so.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startLocalGateway, type RunningLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { orderV4, recurrenceV4 } from "../../support/GatewayV4.js"
import { openShopV4, requestTokenV4 } from "../../support/ShopV4.js"

let local: RunningLocalGateway
let shop: Awaited<ReturnType<typeof openShopV4>>

beforeAll(async () => {
  local = await startLocalGateway()
  shop = await openShopV4(local.merchant, { scope: "payment:write payment:read" })
})

afterAll(() => local.close())

/** The id that no payment, refund or recurrence has. */
const unknown = "9999999999"

describe("a token", () => {
  it("is text, with its life as a number", async () => {
    const { clientId, clientSecret } = local.merchant
    const form = { grant_type: "client_credentials", scope: "payment:write" }
    const { body, status } = await requestTokenV4(local.url, `${clientId}:${clientSecret}`, form)
    expect(status).toBe(200)
    expect(body).toEqual({
      token_type: "bearer",
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      scope: "payment:write",
      expires_in: 900
    })
  })
})

describe("payments", () => {
  it("are created with what was ordered, a secret and the address of a pay page", async () => {
    const created = await shop.post(`/eshops/${shop.goid}/payments`, orderV4)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(/^\d{10}$/),
      order_number: "e2e-order",
      state: "CREATED",
      amount: 100,
      currency: "CZK",
      customer: { email: "payer@shop.test" },
      gw_url: expect.stringContaining(`${local.url}/gw/v4/`),
      payment_secret: expect.stringMatching(/^ps_[\da-f]{32}$/)
    })
    const read = await shop.get(`/payments/${created.body.id}`)
    expect([read.status, read.body]).toEqual([200, created.body])
  })

  it("may have the order number of another", async () => {
    const [first, second] = [await shop.create(), await shop.create()]
    expect(first.order_number).toBe(second.order_number)
    expect(first.id).not.toBe(second.id)
  })

  it("are refused for a foreign shop and for a negative amount", async () => {
    expect((await shop.post("/eshops/1234567890/payments", orderV4)).status).toBe(404)
    expect((await shop.post(`/eshops/${shop.goid}/payments`, { ...orderV4, amount: -100 })).status).toBe(400)
  })

  it("are not found by an unknown id", async () => {
    expect((await shop.get(`/payments/${unknown}`)).status).toBe(404)
  })

  it("can be cancelled once", async () => {
    const { id } = await shop.create()
    const cancelled = await shop.remove(`/payments/${id}`)
    expect([cancelled.status, cancelled.text]).toEqual([204, ""])
    expect((await shop.get(`/payments/${id}`)).body.state).toBe("CANCELED")
    expect((await shop.remove(`/payments/${id}`)).status).toBe(409)
    expect((await shop.remove(`/payments/${unknown}`)).status).toBe(404)
  })

  it("have no charge before one", async () => {
    const { id } = await shop.create()
    expect((await shop.get(`/payments/${id}/charge`)).status).toBe(404)
    expect((await shop.get(`/payments/${unknown}/charge`)).status).toBe(404)
  })

  it("have QR codes by their currency", async () => {
    const crowns = await shop.create()
    const qr = await shop.get(`/payments/${crowns.id}/qr-payment/info`)
    expect(qr.body).toMatchObject({ amount: 100, currency: "CZK" })
    expect(Object.keys(qr.body.qr_code ?? {})).toEqual(["spayd"])
    expect(atob(qr.body.qr_code?.spayd ?? "").slice(1, 4)).toBe("PNG")
    const svg = await shop.get(`/payments/${crowns.id}/qr-payment/info?format=svg`)
    expect(atob(svg.body.qr_code?.spayd ?? "")).toMatch(/^<svg/)
    const euros = await shop.create({ currency: "EUR" })
    const { qr_code } = (await shop.get(`/payments/${euros.id}/qr-payment/info`)).body
    expect(qr_code?.paybysquare).toBeTypeOf("string")
    expect(qr_code?.spayd).toBeUndefined()
    expect((await shop.get(`/payments/${unknown}/qr-payment/info`)).status).toBe(404)
  })
})

describe("refunds", () => {
  it("are an empty list for a new payment", async () => {
    const { id } = await shop.create()
    expect((await shop.get(`/payments/${id}/refunds`)).list).toEqual([])
  })

  it("are not found by unknown ids", async () => {
    expect((await shop.get(`/refunds/${unknown}`)).status).toBe(404)
    expect((await shop.get(`/payments/${unknown}/refunds`)).status).toBe(404)
  })

  it("are refused for their amount before the state of the payment is checked", async () => {
    const { id } = await shop.create()
    for (const amount of [0, -100]) {
      expect((await shop.post(`/payments/${id}/refunds`, { amount })).status).toBe(400)
    }
    expect((await shop.get(`/payments/${id}/refunds`)).list).toEqual([])
  })

  it("of an unpaid payment are refused, and listed as failed", async () => {
    const { id } = await shop.create()
    const refused = await shop.post(`/payments/${id}/refunds`, { amount: 100 })
    expect(refused.status).toBe(409)
    expect(refused.body.error).toBe("REFUND_NOT_ALLOWED")
    const { list: listed } = await shop.get(`/payments/${id}/refunds`)
    expect(listed).toMatchObject([{ state: "FAILED", amount: 100, currency: "CZK" }])
    expect((await shop.get(`/refunds/${listed[0]?.id}`)).body).toEqual(listed[0])
  })
})

describe("recurrences", () => {
  it("that the shop charges are created without a payment", async () => {
    const created = await shop.post(`/eshops/${shop.goid}/recurrences`, recurrenceV4)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(/^\d{10}$/),
      type: "ON_DEMAND",
      state: "NEW",
      recurrence_date_to: "2099-12-31",
      payment: { order_number: "e2e-order", amount: 100, currency: "CZK", customer: { email: "payer@shop.test" } }
    })
    expect((await shop.get(`/recurrences/${created.body.id}`)).body).toEqual(created.body)
  })

  it("that GoPay charges have a schedule", async () => {
    const schedule = { period: "MONTH", cycle: 1 }
    expect((await shop.recur({ type: "AUTO", schedule })).schedule).toEqual(schedule)
  })

  it("are refused with a time in the date, or without the schedule that fits their type", async () => {
    for (const wrong of [
      { recurrence_date_to: "2099-12-31T00:00:00Z" },
      { schedule: { period: "MONTH", cycle: 1 } },
      { type: "AUTO" }
    ]) {
      const { status } = await shop.post(`/eshops/${shop.goid}/recurrences`, { ...recurrenceV4, ...wrong })
      expect(status).toBe(400)
    }
  })

  it("are started once, by a POST that has no body", async () => {
    const { id } = await shop.recur()
    const started = await shop.post(`/recurrences/${id}/start`)
    expect(started.status).toBe(201)
    expect(started.body.payment_secret).not.toBe("")
    const read = (await shop.get(`/recurrences/${id}`)).body
    expect([read.state, read.payment?.id]).toEqual(["REQUESTED", started.body.id])
    expect((await shop.post(`/recurrences/${id}/start`)).status).toBe(409)
    expect((await shop.post(`/recurrences/${unknown}/start`)).status).toBe(404)
  })

  it("take an override of the amount and of members of the customer, and no member that is unknown", async () => {
    const start = async (override: object) => shop.post(`/recurrences/${(await shop.recur()).id}/start`, override)
    expect((await start({ amount: 250 })).body.amount).toBe(250)
    expect((await start({ customer: { first_name: "Jane" } })).body.customer).toEqual({
      email: "payer@shop.test",
      first_name: "Jane"
    })
    for (const wrong of [{ nope: 1 }, { customer: { nope: "1" } }, { currency: "EUR" }]) {
      expect((await start(wrong)).status).toBe(400)
    }
  })

  it("that are not started cannot be charged", async () => {
    const { id } = await shop.recur()
    expect((await shop.post(`/recurrences/${id}/next`)).status).toBe(409)
    await shop.post(`/recurrences/${id}/start`)
    expect((await shop.post(`/recurrences/${id}/next`)).status).toBe(409)
    expect((await shop.post(`/recurrences/${unknown}/next`)).status).toBe(404)
  })

  it.each([false, true])("are stopped once, and not started afterwards (started before: %s)", async (isStarted) => {
    const { id } = await shop.recur()
    if (isStarted) await shop.post(`/recurrences/${id}/start`)
    expect((await shop.remove(`/recurrences/${id}`)).status).toBe(204)
    const { state, stop_reason } = (await shop.get(`/recurrences/${id}`)).body
    expect([state, stop_reason]).toEqual(["STOPPED", "CANCELLED_VIA_API"])
    expect((await shop.remove(`/recurrences/${id}`)).status).toBe(409)
    expect((await shop.post(`/recurrences/${id}/start`)).status).toBe(409)
    expect((await shop.remove(`/recurrences/${unknown}`)).status).toBe(404)
  })
})

describe("what is not built", () => {
  it.each([
    ["POST", "/payments/3000000003/charge"],
    ["GET", "/payments/3000000003/google-pay/info"],
    ["GET", "/payments/3000000003/apple-pay/info"],
    ["POST", "/cards/tokens"],
    ["GET", "/cards/tokens/9999999999"],
    ["GET", "/cards/public-key"],
    ["GET", "/cards/browser-data"],
    ["POST", "/eshops/8123456781/links"],
    ["DELETE", "/eshops/8123456781/links/9999999999"]
  ])("%s %s responds with 501, and says so", async (method, path) => {
    const { body, status } = await shop.call(method, path)
    expect(status).toBe(501)
    expect(body).toMatchObject({ code: 501, error: "NOT_IMPLEMENTED", path })
    expect(body.detail).toContain("is not implemented by the local gateway")
  })
})
