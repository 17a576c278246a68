import { describe, expect, it } from "vitest"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { mountLocalGateway, startLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { orderV4 } from "../../support/GatewayV4.js"
import { addressV4, openShopV4, withShopV4 as withShop } from "../../support/ShopV4.js"

/** A port that nothing listens on. */
const freePort = async (): Promise<number> => {
  await using probe = await startLocalGateway()
  return Number(new URL(probe.url).port)
}

describe("a payment of API v4", () => {
  it("is paid on its pay page, from which the payer comes back with the id", () =>
    withShop(
      async (shop, local) => {
        const { gw_url, id } = await shop.create({
          callback: { ...orderV4.callback, return_url: "http://localhost/back?a=1" }
        })
        const page = await fetch(gw_url)
        expect(page.status).toBe(200)
        expect(await page.text()).toContain("e2e-order")
        const paid = await fetch(gw_url, {
          method: "POST",
          body: new URLSearchParams({ payer_action: "approve", method: "PAYMENT_CARD", card: "4448" }),
          redirect: "manual"
        })
        expect(paid.headers.get("location")).toBe(`http://localhost/back?a=1&id=${id}`)
        const { charge, state } = (await shop.get(`/payments/${id}`)).body
        expect(state).toBe("PAID")
        expect(charge).toEqual({
          id: expect.stringMatching(/^\d{10}$/),
          state: "SUCCEEDED",
          href: `${local.url}/gp-gw/api/4.0/payments/${id}/charge`
        })
        expect((await shop.get(`/payments/${id}/charge`)).body).toEqual({
          id: charge?.id,
          state: "SUCCEEDED",
          payment_instrument: { payment_instrument: "PAYMENT_CARD" },
          return_url: "http://localhost/back?a=1"
        })
      },
      { settings: { notificationTiming: "notificationFirst" } }
    ))

  it("ends with a failed charge when the card is declined", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      await local.declineAttempt(id, "_5006")
      const { charge, state } = (await shop.get(`/payments/${id}`)).body
      expect([state, charge?.state]).toEqual(["CANCELED", "FAILED"])
      expect((await shop.get(`/payments/${id}/charge`)).body).toMatchObject({
        id: charge?.id,
        state: "FAILED",
        fail_reason: expect.stringMatching(/\w/)
      })
      await expect(local.payByCard(id)).rejects.toMatchObject({ reason: { _tag: "WrongPaymentState" } })
    }))

  it("ends on its pay page when the payer's card is declined there, and the payer is back at the shop", () =>
    withShop(
      async (shop) => {
        const { gw_url, id } = await shop.create({
          callback: { ...orderV4.callback, return_url: "http://localhost/back" }
        })
        const form = new URLSearchParams({ payer_action: "decline:_5006", method: "PAYMENT_CARD", card: "4448" })
        const answered = await fetch(gw_url, { method: "POST", body: form, redirect: "manual" })
        expect(answered.headers.get("location")).toBe(`http://localhost/back?id=${id}`)
        expect((await shop.get(`/payments/${id}`)).body.state).toBe("CANCELED")
        expect((await shop.get(`/payments/${id}/charge`)).body.state).toBe("FAILED")
      },
      { settings: { notificationTiming: "notificationFirst" } }
    ))

  it("has no charge when it was paid by bank transfer", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      await local.payByBankTransfer(id)
      expect((await shop.get(`/payments/${id}`)).body).not.toHaveProperty("charge")
      expect((await shop.get(`/payments/${id}/charge`)).status).toBe(404)
    }))

  it("cannot be cancelled once the payer has chosen how to pay, or has paid", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      await local.choosePaymentMethod(id, "BANK_ACCOUNT")
      expect((await shop.remove(`/payments/${id}`)).status).toBe(409)
      await local.payByBankTransfer(id)
      expect((await shop.remove(`/payments/${id}`)).status).toBe(409)
      expect((await shop.get(`/payments/${id}`)).body.state).toBe("PAID")
    }))

  it("times out after an hour, and four days after its QR code was asked for", () =>
    withShop(async (shop, local) => {
      const [plain, asked] = [await shop.create(), await shop.create()]
      await shop.get(`/payments/${asked.id}/qr-payment/info`)
      await local.advanceTime("1 hour")
      const again = await openShopV4(local.merchant)
      expect((await again.get(`/payments/${plain.id}`)).body.state).toBe("TIMEOUTED")
      expect((await again.get(`/payments/${asked.id}`)).body.state).toBe("CREATED")
      expect((await again.get(`/payments/${plain.id}/qr-payment/info`)).status).toBe(409)
      await local.advanceTime("95 hours")
      const later = await openShopV4(local.merchant)
      expect((await later.get(`/payments/${asked.id}`)).body.state).toBe("TIMEOUTED")
    }))

  it.each([
    ["no customer", { customer: undefined }],
    ["a customer without an e-mail address", { customer: { first_name: "Jane" } }],
    ["no notification address", { callback: { return_url: "https://example.com/" } }],
    ["an address of another protocol", { callback: { ...orderV4.callback, return_url: "ftp://example.com/" } }],
    ["a number as text", { amount: "100" }],
    ["text as a number", { order_number: 7 }],
    ["a fraction of a cent", { amount: 1.5 }],
    ["an empty order number", { order_number: "" }],
    ["a currency that only v3 has", { currency: "BGN" }],
    [
      "five parameters",
      { additional_params: Array.from({ length: 5 }, (_, index) => ({ name: `p${index}`, value: "" })) }
    ],
    ["a parameter whose name has a =", { additional_params: [{ name: "a=b", value: "" }] }]
  ])("is refused with 400 for %s, and no payment is made", (_, changes) =>
    withShop(async (shop, local) => {
      const refused = await shop.post(`/eshops/${shop.goid}/payments`, { ...orderV4, ...changes })
      expect(refused.status).toBe(400)
      expect(refused.body).toEqual({
        code: 400,
        error: "BAD_REQUEST",
        message: "Invalid request parameter",
        detail: expect.stringMatching(/\w/),
        path: `/eshops/${shop.goid}/payments`,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
      })
      expect(await local.listPayments()).toEqual([])
    })
  )

  it("takes what the document leaves open: an amount of 0, members that are unknown or null", () =>
    withShop(async (shop) => {
      const created = await shop.post(`/eshops/${shop.goid}/payments`, {
        ...orderV4,
        amount: 0,
        order_description: null,
        target: { goid: 1 }
      })
      expect(created.status).toBe(201)
      expect(created.body.amount).toBe(0)
    }))

  it("is not seen by v3, and one of v3 not by v4, while both stand in the books", () =>
    withShop(async (shop, local) => {
      await using gateway = createGatewayClient(local.merchant)
      const { id } = await shop.create()
      const ofV3 = await gateway.createPayment({
        amount: 100,
        currency: "CZK",
        order_number: "1",
        callback: orderV4.callback
      })
      await expect(gateway.getPayment(id)).rejects.toMatchObject({ reason: { _tag: "PaymentNotFound" } })
      expect((await shop.get(`/payments/${ofV3.id}`)).status).toBe(404)
      expect((await local.listPayments()).map((payment) => payment.id)).toEqual([Number(id), ofV3.id])
    }))

  it("is known by the very text of its id alone", () =>
    withShop(async (shop) => {
      const { id } = await shop.create()
      for (const other of [`0${id}`, `${id}x`, "not-a-number"])
        expect((await shop.get(`/payments/${other}`)).status).toBe(404)
    }))

  it("has https addresses where the gateway has a public one, while requests go to its own", async () => {
    const port = await freePort()
    await using local = await startLocalGateway({ publicUrl: "https://gopay.test", port })
    const shop = await openShopV4(local.merchant, { url: `http://127.0.0.1:${port}` })
    const { gw_url, id } = await shop.create()
    expect(gw_url).toMatch(/^https:\/\/gopay\.test\/gw\/v4\/[\da-f]+$/)
    await local.payByCard(id)
    expect((await shop.get(`/payments/${id}`)).body.charge?.href).toMatch(/^https:\/\/gopay\.test\/gp-gw\/api\/4\.0\//)
  })
})

describe("the addresses of API v4", () => {
  it("are below the path at which the gateway is mounted", async () => {
    await using local = mountLocalGateway({ url: "http://localhost:5173/gopay" })
    const [{ clientId, clientSecret, goid } = LocalGateway.merchant] = await local.listMerchants()
    const ask = async (path: string, init: RequestInit): Promise<string> => {
      const response = await local.fetch(new Request(`${addressV4("http://localhost:5173/gopay")}${path}`, init))
      return response.text()
    }
    const token = await ask("/oauth2/token", {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "payment:write" })
    })
    const created = await ask(`/eshops/${goid}/payments`, {
      method: "POST",
      headers: { authorization: `Bearer ${JSON.parse(token).access_token}`, "content-type": "application/json" },
      body: JSON.stringify(orderV4)
    })
    expect(JSON.parse(created).gw_url).toMatch(/^http:\/\/localhost:5173\/gopay\/gw\/v4\//)
  })

  it("that there are not are refused with RESTEasy's marker and what there is, in one line", () =>
    withShop(async (shop) => {
      for (const [method, path] of [
        ["GET", "/payments"],
        ["POST", "/payments/1/capture"],
        ["GET", ""]
      ] as const) {
        const { body, status } = await shop.call(method, path)
        expect(status).toBe(404)
        expect(body.detail).toContain("RESTEASY003210")
        expect(body.detail).toContain("POST /eshops/{goid}/payments")
        expect(body.detail).toContain(`There is no ${method} ${path === "" ? "/" : path} in`)
        expect(body.detail).not.toContain("\n")
      }
    }))

  it("of which the method is wrong are refused with 405 and the right one", () =>
    withShop(async (shop) => {
      const { body, status } = await shop.call("GET", "/recurrences/1/start")
      expect([status, body.detail]).toEqual([405, "/recurrences/1/start takes POST."])
    }))

  it("take a POST only with its content type, whatever the token", () =>
    withShop(async (shop) => {
      const { id } = await shop.recur()
      const withoutType = await shop.call("POST", `/recurrences/${id}/start`, undefined, { "content-type": "" })
      expect(withoutType.status).toBe(415)
      const form = await shop.call("POST", `/eshops/${shop.goid}/payments`, "amount=1", {
        "content-type": "application/x-www-form-urlencoded",
        authorization: ""
      })
      expect(form.status).toBe(415)
      expect((await shop.get(`/recurrences/${id}`)).body.state).toBe("NEW")
    }))

  it("are those of GoPay's sandbox in September 2026, where the setting says so", () =>
    withShop(
      async (shop) => {
        const { id } = await shop.create()
        const recurrence = await shop.post(`/eshops/${shop.goid}/recurrences`, {})
        expect([recurrence.status, recurrence.body.detail]).toEqual([404, expect.stringContaining("RESTEASY003210")])
        expect((await shop.get("/cards/browser-data")).status).toBe(404)
        expect((await shop.remove(`/payments/${id}`)).status).toBe(405)
        expect((await shop.get(`/payments/${id}`)).body.state).toBe("CREATED")
        expect((await shop.post(`/eshops/${shop.goid}/payments`, { ...orderV4, amount: -100 })).status).toBe(422)
      },
      { settings: { v4Rows: "sandbox2026" } }
    ))
})
