import { describe, expect, it } from "vitest"
import { orderV4, recurrenceV4 } from "../../support/GatewayV4.js"
import { openShopV4, withShopV4 as withShop, type ShopV4 } from "../../support/ShopV4.js"
import type { RunningLocalGateway } from "../../../src/local-gateway/promise/index.js"

const auto = { type: "AUTO", schedule: { period: "MONTH", cycle: 1 } }

/** A recurrence whose first payment is paid. */
const started = async (shop: ShopV4, local: RunningLocalGateway, changes: object = {}) => {
  const recurrence = await shop.recur(changes)
  const first = await shop.start(recurrence.id, { amount: 300 })
  await local.payByCard(first.id)
  return { id: recurrence.id, first }
}

describe("a recurrence of API v4", () => {
  it("starts when its first payment is paid, and is then charged by the shop, without the customer", () =>
    withShop(async (shop, local) => {
      const { first, id } = await started(shop, local)
      expect((await shop.get(`/recurrences/${id}`)).body).toMatchObject({
        state: "STARTED",
        payment: {
          id: first.id,
          state: "PAID",
          amount: 300,
          gw_url: first.gw_url,
          payment_secret: first.payment_secret
        }
      })
      const next = await shop.post(`/recurrences/${id}/next`, { order_number: "second" })
      expect(next.status).toBe(201)
      // The template's amount: that of the first payment was its own.
      expect(next.body).toMatchObject({ state: "PAID", amount: 100, order_number: "second" })
      expect(next.body.id).not.toBe(first.id)
      expect((await shop.get(`/recurrences/${id}`)).body.payment).toMatchObject({ id: next.body.id, state: "PAID" })
    }))

  it.each([
    ["declined", "CANCELED"],
    ["pending", "CREATED"]
  ] as const)("whose charge is %s says so in the response", (recurrenceChild, state) =>
    withShop(
      async (shop, local) => {
        const { id } = await started(shop, local)
        expect((await shop.post(`/recurrences/${id}/next`)).body.state).toBe(state)
      },
      { settings: { recurrenceChild } }
    )
  )

  it("is charged twice where the shop asks twice: no request is taken for another", () =>
    withShop(async (shop, local) => {
      const { id } = await started(shop, local)
      const [one, two] = [await shop.post(`/recurrences/${id}/next`), await shop.post(`/recurrences/${id}/next`)]
      expect(one.body.id).not.toBe(two.body.id)
      expect((await local.listPayments()).map(({ state }) => state)).toEqual(["PAID", "PAID", "PAID"])
    }))

  it("that GoPay charges is charged by its schedule, with what the template says, and not by the shop", () =>
    withShop(async (shop, local) => {
      const { first, id } = await started(shop, local, auto)
      expect((await shop.post(`/recurrences/${id}/next`)).status).toBe(409)
      await local.advanceTime("32 days")
      const again = await openShopV4(local.merchant)
      const { payment, state } = (await again.get(`/recurrences/${id}`)).body
      expect(state).toBe("STARTED")
      expect(payment).toMatchObject({ state: "PAID", amount: 100, order_number: orderV4.order_number })
      expect(payment?.id).not.toBe(first.id)
    }))

  it("stays requested where its first payment was not paid, and expires on its last day", () =>
    withShop(async (shop, local) => {
      const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
      const { id } = await shop.recur({ recurrence_date_to: tomorrow })
      const first = await shop.start(id)
      await local.cancelPayment(first.id)
      expect((await shop.get(`/recurrences/${id}`)).body.state).toBe("REQUESTED")
      expect((await shop.post(`/recurrences/${id}/start`)).status).toBe(409)
      await local.advanceTime("4 days")
      const again = await openShopV4(local.merchant)
      expect((await again.get(`/recurrences/${id}`)).body).toMatchObject({
        state: "STOPPED",
        stop_reason: "RECURRENCE_EXPIRED"
      })
    }))

  it("that was stopped is not started by a payment that comes late, nor charged", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.recur(auto)
      const first = await shop.start(id)
      await shop.remove(`/recurrences/${id}`)
      await local.payByCard(first.id)
      await local.advanceTime("70 days")
      const again = await openShopV4(local.merchant)
      expect((await again.get(`/recurrences/${id}`)).body.state).toBe("STOPPED")
      expect(await local.listPayments()).toHaveLength(1)
    }))

  it("offers cards only for its first payment", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.recur()
      const first = await shop.start(id)
      await expect(local.payByBankTransfer(first.id)).rejects.toMatchObject({
        reason: { _tag: "InstrumentNotOffered" }
      })
    }))

  it("must end after today, and belong to the merchant's shop", () =>
    withShop(async (shop) => {
      const today = new Date().toISOString().slice(0, 10)
      const path = `/eshops/${shop.goid}/recurrences`
      for (const recurrence_date_to of ["2020-01-01", today, "2099-02-30"]) {
        expect((await shop.post(path, { ...recurrenceV4, recurrence_date_to })).status).toBe(400)
      }
      expect((await shop.post("/eshops/1234567890/recurrences", recurrenceV4)).status).toBe(404)
    }))
})
