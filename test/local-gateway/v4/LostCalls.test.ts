/**
 * What reading shows of a call of API v4 whose response is lost: the table of docs/local-gateway-v4.md, a scene for each row. GoPay has
 * no idempotency key, so a call that is sent again is another one.
 */
import { describe, expect, it } from "vitest"
import type { Fault, GatewayOperation, RunningLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { recurrenceV4, orderV4 } from "../../support/GatewayV4.js"
import { withShopV4 as withShop, type AnswerV4, type ShopV4 } from "../../support/ShopV4.js"

const lost = {
  done: { type: "connectionReset", effect: "committed" },
  notDone: { type: "connectionReset", effect: "none" }
} as const

const late: Fault = { type: "commitLater", seconds: 30 }

/** Makes a call whose response does not come. */
const losing = async (
  local: RunningLocalGateway,
  operation: GatewayOperation,
  fault: Fault,
  call: () => Promise<AnswerV4>
): Promise<void> => {
  await local.armFault(fault, { operation })
  await expect(call()).rejects.toThrow("fetch failed")
}

const paid = async (shop: ShopV4, local: RunningLocalGateway): Promise<string> => {
  const { id } = await shop.create({ amount: 1000 })
  await local.payByCard(id)
  return id
}

/** A recurrence that the shop may charge. */
const started = async (shop: ShopV4, local: RunningLocalGateway): Promise<string> => {
  const { id } = await shop.recur()
  const first = await shop.start(id)
  await local.payByCard(first.id)
  return id
}

describe("a lost", () => {
  it("createPayment cannot be found, and no one can pay it: it times out", () =>
    withShop(async (shop, local) => {
      const create = () => shop.post(`/eshops/${shop.goid}/payments`, orderV4)
      await losing(local, "v4.createPayment", lost.done, create)
      expect((await shop.get(`/eshops/${shop.goid}/payments?order_number=${orderV4.order_number}`)).status).toBe(405)
      expect((await create()).status).toBe(201)
      await local.advanceTime("1 hour")
      expect((await local.listPayments()).map(({ state }) => state)).toEqual(["TIMEOUTED", "TIMEOUTED"])
    }))

  it.each([
    ["was done", lost.done, "CANCELED", 409],
    ["was not done", lost.notDone, "CREATED", 204]
  ])(
    "cancelPayment that %s is shown by the payment, and sent again it cancels nothing else",
    (_, fault, state, again) =>
      withShop(async (shop, local) => {
        const { id } = await shop.create()
        await losing(local, "v4.cancelPayment", fault, () => shop.remove(`/payments/${id}`))
        expect((await shop.get(`/payments/${id}`)).body.state).toBe(state)
        expect((await shop.remove(`/payments/${id}`)).status).toBe(again)
      })
  )

  it("refundPayment is shown by a refund that was not listed before, with its amount", () =>
    withShop(async (shop, local) => {
      const id = await paid(shop, local)
      const refund = () => shop.post(`/payments/${id}/refunds`, { amount: 1000 })
      const { list: before } = await shop.get(`/payments/${id}/refunds`)
      await losing(local, "v4.refundPayment", lost.notDone, refund)
      expect((await shop.get(`/payments/${id}/refunds`)).list).toEqual(before)
      await losing(local, "v4.refundPayment", lost.done, refund)
      expect((await shop.get(`/payments/${id}/refunds`)).list).toMatchObject([{ state: "REQUESTED", amount: 1000 }])
    }))

  it("refundPayment that was refused may be listed as well: only SUCCESS says that money went", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      await losing(local, "v4.refundPayment", lost.done, () => shop.post(`/payments/${id}/refunds`, { amount: 100 }))
      expect((await shop.get(`/payments/${id}/refunds`)).list).toMatchObject([{ state: "FAILED", amount: 100 }])
    }))

  it("refundPayment looks like an equal one of someone else, and sent again it is a second one", () =>
    withShop(async (shop, local) => {
      const id = await paid(shop, local)
      const refund = () => shop.post(`/payments/${id}/refunds`, { amount: 400 })
      await losing(local, "v4.refundPayment", lost.done, refund)
      expect((await refund()).status).toBe(201)
      const { list } = await shop.get(`/payments/${id}/refunds`)
      expect(list.map(({ amount }) => amount)).toEqual([400, 400])
    }))

  it("createRecurrence cannot be found, and nothing comes of it", () =>
    withShop(async (shop, local) => {
      const create = () => shop.post(`/eshops/${shop.goid}/recurrences`, recurrenceV4)
      await losing(local, "v4.createRecurrence", lost.done, create)
      expect((await shop.get(`/eshops/${shop.goid}/recurrences`)).status).toBe(405)
      await local.advanceTime("366 days")
      expect(await local.listPayments()).toEqual([])
    }))

  it("startRecurrence that was done gives its payment whole, and is refused when it is sent again", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.recur()
      const start = () => shop.post(`/recurrences/${id}/start`)
      await losing(local, "v4.startRecurrence", lost.notDone, start)
      expect((await shop.get(`/recurrences/${id}`)).body.state).toBe("NEW")
      await losing(local, "v4.startRecurrence", lost.done, start)
      const { payment, state } = (await shop.get(`/recurrences/${id}`)).body
      expect(state).toBe("REQUESTED")
      expect(payment).toMatchObject({
        id: expect.any(String),
        gw_url: expect.any(String),
        payment_secret: expect.any(String)
      })
      expect((await start()).status).toBe(409)
    }))

  it("nextPayment that was done is the recurrence's payment, by its order number, and sent again it charges twice", () =>
    withShop(async (shop, local) => {
      const id = await started(shop, local)
      const next = () => shop.post(`/recurrences/${id}/next`, { order_number: "march" })
      const before = (await shop.get(`/recurrences/${id}`)).body.payment
      await losing(local, "v4.nextPayment", lost.notDone, next)
      expect((await shop.get(`/recurrences/${id}`)).body.payment?.id).toBe(before?.id)
      await losing(local, "v4.nextPayment", lost.done, next)
      const after = (await shop.get(`/recurrences/${id}`)).body.payment
      expect(after?.id).not.toBe(before?.id)
      expect(after).toMatchObject({ order_number: "march", state: "PAID" })
      expect((await next()).status).toBe(201)
      expect(await local.listPayments()).toHaveLength(3)
    }))

  it("stopRecurrence is shown by the recurrence", () =>
    withShop(async (shop, local) => {
      const id = await started(shop, local)
      await losing(local, "v4.stopRecurrence", lost.notDone, () => shop.remove(`/recurrences/${id}`))
      expect((await shop.get(`/recurrences/${id}`)).body.state).toBe("STARTED")
      await losing(local, "v4.stopRecurrence", lost.done, () => shop.remove(`/recurrences/${id}`))
      expect((await shop.get(`/recurrences/${id}`)).body).toMatchObject({
        state: "STOPPED",
        stop_reason: "CANCELLED_VIA_API"
      })
    }))

  it("change that arrives late is not shown by a read before it: what is not there may still come", () =>
    withShop(async (shop, local) => {
      const id = await paid(shop, local)
      await losing(local, "v4.refundPayment", late, () => shop.post(`/payments/${id}/refunds`, { amount: 1000 }))
      expect((await shop.get(`/payments/${id}/refunds`)).list).toEqual([])
      await local.advanceTime("30 seconds")
      expect((await shop.get(`/payments/${id}/refunds`)).list).toHaveLength(1)
    }))
})
