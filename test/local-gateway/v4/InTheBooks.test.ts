/**
 * A payment of API v4 beside those of v3: in notifications, the log, the control API, seeds and data files, and under faults.
 */
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import {
  startLocalGateway,
  type NotificationRequest,
  type RunningLocalGateway,
  type StartLocalGatewayOptions
} from "../../../src/local-gateway/promise/index.js"
import { orderV4 } from "../../support/GatewayV4.js"
import { openShopV4, withShopV4 as withShop } from "../../support/ShopV4.js"

const control = async (local: RunningLocalGateway, path: string, body?: object): Promise<string> => {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  const response = await fetch(`${local.url}/local-gateway${path}`, body === undefined ? {} : post)
  return response.text()
}

describe("notifications of a payment of API v4", () => {
  const notified = async (settings: StartLocalGatewayOptions["settings"] = {}) => {
    const sent: Array<NotificationRequest & { readonly url: string }> = []
    const local = await startLocalGateway({
      settings: { notificationHosts: ["example.com"], ...settings },
      notificationReceiver: async (url, request) => {
        sent.push({ url, ...request })
        return 200
      }
    })
    onTestFinished(() => local.close())
    return { local, sent, shop: await openShopV4(local.merchant) }
  }

  it("are posted with its id, in JSON and in the address, at each change of its state and the end of each refund", async () => {
    const { local, sent, shop } = await notified()
    const { id } = await shop.create()
    expect(sent).toEqual([])
    const posted = { method: "POST", url: `https://example.com/notify?id=${id}`, body: JSON.stringify({ id }) }
    await local.choosePaymentMethod(id, "PAYMENT_CARD")
    await local.deliverNotifications()
    expect(sent).toEqual([posted])
    await local.payByCard(id)
    await local.deliverNotifications()
    expect(sent).toEqual([posted, posted])
    await shop.post(`/payments/${id}/refunds`, { amount: 100 })
    await local.deliverNotifications()
    expect(sent).toHaveLength(2)
    await local.advanceTime("1 minute")
    await local.deliverNotifications()
    expect(sent).toEqual([posted, posted, posted])
    expect((await shop.get(`/payments/${id}`)).body.state).toBe("REFUNDED")
  })

  it("tell of a refund that failed, too", async () => {
    const { local, sent, shop } = await notified({ v4Refund: "failedLater" })
    const { id } = await shop.create()
    await local.payByCard(id)
    await shop.post(`/payments/${id}/refunds`, { amount: 100 })
    await local.advanceTime("1 minute")
    await local.deliverNotifications()
    expect(sent).toHaveLength(2)
    expect((await shop.get(`/payments/${id}/refunds`)).list[0]?.state).toBe("FAILED")
  })

  it("are a GET, and name the id otherwise, where the settings say so", async () => {
    const { local, sent, shop } = await notified({ v4NotificationMethod: "GET", v4NotificationIdName: "payment_id" })
    const { id } = await shop.create()
    await local.payByCard(id)
    await local.deliverNotifications()
    expect(sent).toEqual([{ method: "GET", url: `https://example.com/notify?payment_id=${id}` }])
  })

  it("reach a shop over HTTP as JSON, and stand in the log as a POST", async () => {
    const received: Array<string> = []
    const shopServer = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        received.push(`${request.method} ${request.headers["content-type"]} ${Buffer.concat(chunks).toString()}`)
        response.end()
      })
    })
    await once(shopServer.listen(0, "127.0.0.1"), "listening")
    onTestFinished(() => void shopServer.close())
    const address = shopServer.address()
    const port = typeof address === "object" ? address?.port : undefined
    await withShop(async (shop, local) => {
      const callback = { ...orderV4.callback, notification_url: `http://127.0.0.1:${port}/notify` }
      const { id } = await shop.create({ callback })
      await local.payByCard(id)
      await local.deliverNotifications()
      expect(received).toEqual([`POST application/json {"id":"${id}"}`])
      const events = await local.listEvents()
      expect(events.filter(({ type }) => type === "notification")).toMatchObject([{ method: "POST", status: 200 }])
    })
  })
})

describe("the secret of a payment", () => {
  it("stands in no log, page, error or view of the control API, also where the shop misplaces it", () =>
    withShop(async (shop, local) => {
      const { gw_url, id, payment_secret } = await shop.create()
      await shop.get(`/payments/${id}`)
      await shop.post(`/eshops/${shop.goid}/payments`, { ...orderV4, payment_secret, amount: -1 })
      await shop.get(`/payments/${payment_secret}?secret=${payment_secret}`)
      await local.payByCard(id)
      const seen = [
        await (await fetch(gw_url)).text(),
        await control(local, "/payments"),
        await control(local, `/payments/${id}`),
        await control(local, "/log"),
        JSON.stringify(await local.listRequests()),
        JSON.stringify(await local.listPayments())
      ]
      for (const text of seen) {
        expect(text).toContain("e2e-order")
        expect(text).not.toContain(payment_secret)
      }
      expect(JSON.stringify(await local.listEvents())).not.toContain(payment_secret)
    }))
})

describe("the state of a gateway with payments of API v4", () => {
  it("goes on from its data file as it was", async () => {
    const folder = mkdtempSync(join(tmpdir(), "local-gateway-v4-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const dataFile = join(folder, "data.json")
    const options = { dataFile, settings: { notificationHosts: ["example.com"] } }
    const paths: Array<string> = []
    const before: Array<string> = []
    const stateOf = async (shop: Awaited<ReturnType<typeof openShopV4>>): Promise<ReadonlyArray<string>> => {
      const bodies: Array<string> = []
      for (const path of paths) bodies.push((await shop.get(path)).text)
      return bodies
    }
    await withShop(async (shop, local) => {
      const customer = { email: "a@b.cz", postal_code: "a postal code of more than sixteen", customer_id: "42" }
      const paid = await shop.create({
        customer,
        order_description: "long ".repeat(200),
        additional_params: [{ name: "a", value: "b" }]
      })
      await local.payByCard(paid.id)
      const { body: refund } = await shop.post(`/payments/${paid.id}/refunds`, { amount: 100 })
      const unpaid = await shop.create({ amount: 0 })
      await shop.post(`/payments/${unpaid.id}/refunds`, { amount: 5 })
      await shop.get(`/payments/${unpaid.id}/qr-payment/info`)
      const declined = await shop.create()
      await local.declinePayment(declined.id)
      const fresh = await shop.recur()
      const stopped = await shop.recur()
      await shop.remove(`/recurrences/${stopped.id}`)
      const recurrence = await shop.recur({ type: "AUTO", schedule: { period: "WEEK", cycle: 2 } })
      const first = await shop.start(recurrence.id, { customer: { first_name: "Jane" } })
      await local.payByCard(first.id)
      paths.push(
        ...[paid, unpaid, declined, first].map(({ id }) => `/payments/${id}`),
        `/payments/${declined.id}/charge`,
        `/payments/${unpaid.id}/refunds`,
        ...[fresh, stopped, recurrence].map(({ id }) => `/recurrences/${id}`)
      )
      before.push(...(await stateOf(shop)).map((text) => text.replaceAll(local.url, "")))
      expect(readFileSync(dataFile, "utf8")).toContain(paid.payment_secret)
      paths.push(`/refunds/${refund.id}`)
    }, options)
    await withShop(async (shop, local) => {
      const last = paths.pop() ?? ""
      const after = (await stateOf(shop)).map((text) => text.replaceAll(local.url, ""))
      expect(after).toEqual(before)
      expect((await shop.get(last)).body.state).toBe("REQUESTED")
      expect((await shop.get(last)).body.state).toBe("SUCCESS")
      // Ids that are given are not given again.
      const ids = JSON.stringify(before)
      expect(ids).not.toContain((await shop.create()).id)
    }, options)
  })

  it("is dropped with its merchant", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.recur()
      await shop.post(`/recurrences/${id}/start`)
      await local.resetMerchant(shop.goid)
      expect((await shop.get(`/recurrences/${id}`)).status).toBe(404)
      expect(await local.exportSeed()).not.toHaveProperty("recurrences")
    }))

  it("is refused as a seed where its parts do not fit", async () => {
    const v4 = { customer: { email: "a@b.cz" }, recurrence_id: 7 }
    await withShop(async (_, local) => {
      await expect(
        local.loadSeed({ payments: [{ amount: 1, currency: "CZK", state: "CREATED", v4 }] })
      ).rejects.toThrow(/payments\[0\]\.v4\.recurrence_id: is not one of the recurrences of this seed/)
    })
  })
})

describe("on the dashboard and in the log", () => {
  it("a payment is marked v4, and its operations are named so", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      await shop.remove(`/payments/${id}`)
      const { body: recurrence } = await shop.post(`/eshops/${shop.goid}/recurrences`, { type: "ON_DEMAND" })
      expect(recurrence.code).toBe(400)
      const detail = JSON.parse(await control(local, `/payments/${id}`))
      expect(detail.payment).toMatchObject({ api: "v4", payment: { state: "CANCELED", order_number: "e2e-order" } })
      expect(detail.order).toEqual({ ...orderV4 })
      const requests = await local.listRequests()
      expect(requests.map(({ operation, paymentId, status }) => [operation, paymentId, status])).toEqual([
        ["v4.getAccessToken", undefined, 200],
        ["v4.createPayment", Number(id), 201],
        ["v4.cancelPayment", Number(id), 204],
        ["v4.createRecurrence", undefined, 400]
      ])
    }))

  it("the merchant's actions go by the rules of v4", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.recur()
      const first = await shop.start(id)
      await local.payByCard(first.id)
      await control(local, `/payments/${first.id}/charge`, { order_number: "again" })
      expect((await shop.get(`/recurrences/${id}`)).body.payment).toMatchObject({
        order_number: "again",
        state: "PAID"
      })
      await control(local, `/payments/${first.id}/refund`, {})
      expect((await shop.get(`/payments/${first.id}/refunds`)).list).toMatchObject([
        { state: "REQUESTED", amount: 100 }
      ])
      await control(local, `/payments/${first.id}/stop-recurrence`, {})
      expect((await shop.get(`/recurrences/${id}`)).body.stop_reason).toBe("CANCELLED_VIA_BACKOFFICE")
      const again = JSON.parse(await control(local, `/payments/${first.id}/order-again`, {}))
      expect((await shop.get(`/payments/${again.id}`)).body).toMatchObject({
        state: "CREATED",
        customer: orderV4.customer
      })
    }))
})

describe("faults", () => {
  it("hit the operation that they name, and others not", () =>
    withShop(async (shop, local) => {
      await local.armFault({ type: "serverError", effect: "committed" }, { operation: "v4.createPayment" })
      await local.armFault({ type: "refusal", status: 409, code: 303 }, { operation: "createPayment" })
      expect((await shop.get("/payments/1")).status).toBe(404)
      const failed = await shop.post(`/eshops/${shop.goid}/payments`, orderV4)
      expect(failed.status).toBe(500)
      expect(failed.body).toMatchObject({
        code: 500,
        error: "INTERNAL_SERVER_ERROR",
        path: `/eshops/${shop.goid}/payments`
      })
      expect(await local.listPayments()).toHaveLength(1)
      expect(await local.listFaults()).toHaveLength(1)
    }))

  it("lose the response of a refund that was made, or make it later", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      await local.payByCard(id)
      await local.armFault({ type: "connectionReset", effect: "committed" })
      await expect(shop.post(`/payments/${id}/refunds`, { amount: 100 })).rejects.toThrow("fetch failed")
      expect((await shop.get(`/payments/${id}/refunds`)).list).toHaveLength(1)
      await local.armFault({ type: "commitLater", seconds: 30 }, { operation: "v4.cancelPayment" })
      const other = await shop.create()
      await expect(shop.remove(`/payments/${other.id}`)).rejects.toThrow("fetch failed")
      expect((await shop.get(`/payments/${other.id}`)).body.state).toBe("CREATED")
      await local.advanceTime("30 seconds")
      expect((await shop.get(`/payments/${other.id}`)).body.state).toBe("CANCELED")
    }))

  it("refuse in the error body of v4", () =>
    withShop(async (shop, local) => {
      await local.armFault({ type: "tokenRefused", status: 401 })
      expect((await shop.get("/payments/1")).body).toMatchObject({ code: 401, error: "UNAUTHORIZED" })
      await local.armFault({ type: "nullMembers" })
      expect((await shop.create()).charge).toBeNull()
      const asked = await shop.call("GET", "/payments/1", undefined, { "x-local-gateway-fault": "nothing" })
      expect(asked.body).toMatchObject({ code: 400, error: "BAD_REQUEST" })
    }))
})
