import { describe, expect, it } from "vitest"
import { openShopV4, withShopV4 as withShop, type ShopV4 } from "../../support/ShopV4.js"
import type { RunningLocalGateway } from "../../../src/local-gateway/promise/index.js"

const paidPayment = async (shop: ShopV4, local: RunningLocalGateway): Promise<string> => {
  const { id } = await shop.create({ amount: 1000 })
  await local.payByCard(id)
  return id
}

const statesIn = (refunds: ReadonlyArray<{ readonly state?: string }>): ReadonlyArray<string | undefined> =>
  refunds.map(({ state }) => state)

describe("a refund of API v4", () => {
  it("is requested, and has ended by its second read", () =>
    withShop(async (shop, local) => {
      const id = await paidPayment(shop, local)
      const { body: refund, status } = await shop.post(`/payments/${id}/refunds`, { amount: 1000 })
      expect(status).toBe(201)
      expect(refund).toEqual({
        id: expect.stringMatching(/^\d{10}$/),
        state: "REQUESTED",
        amount: 1000,
        currency: "CZK",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        updated_at: null
      })
      expect((await shop.get(`/refunds/${refund.id}`)).body.state).toBe("REQUESTED")
      expect((await shop.get(`/payments/${id}`)).body.state).toBe("PAID")
      const ended = (await shop.get(`/refunds/${refund.id}`)).body
      expect(ended).toMatchObject({ id: refund.id, state: "SUCCESS", updated_at: expect.any(String) })
      expect((await shop.get(`/payments/${id}/refunds`)).list).toEqual([ended])
      expect((await shop.get(`/payments/${id}`)).body.state).toBe("REFUNDED")
    }))

  it("is as unread after a reset as at first, though it has the id of another", () =>
    withShop(async (shop, local) => {
      const requested = async (): Promise<string | undefined> => {
        const id = await paidPayment(shop, local)
        return (await shop.post(`/payments/${id}/refunds`, { amount: 1000 })).body.id
      }
      const before = await requested()
      await shop.get(`/refunds/${before}`)
      await local.resetMerchant(shop.goid)
      await local.loadSeed({})
      const after = await requested()
      expect(after).toBe(before)
      expect((await shop.get(`/refunds/${after}`)).body.state).toBe("REQUESTED")
    }))

  it("ends by itself where no one reads it", () =>
    withShop(async (shop, local) => {
      const id = await paidPayment(shop, local)
      await shop.post(`/payments/${id}/refunds`, { amount: 1000 })
      await local.advanceTime("1 minute")
      expect((await shop.get(`/payments/${id}`)).body.state).toBe("REFUNDED")
    }))

  it.each([
    ["successLater", "SUCCESS", "REFUNDED"],
    ["failedLater", "FAILED", "PAID"]
  ] as const)("ends by time alone with %s", (v4Refund, state, paymentState) =>
    withShop(
      async (shop, local) => {
        const id = await paidPayment(shop, local)
        const { body: refund } = await shop.post(`/payments/${id}/refunds`, { amount: 1000 })
        for (const _ of [1, 2, 3]) expect((await shop.get(`/refunds/${refund.id}`)).body.state).toBe("REQUESTED")
        await local.advanceTime("1 minute")
        expect((await shop.get(`/refunds/${refund.id}`)).body.state).toBe(state)
        expect((await shop.get(`/payments/${id}`)).body.state).toBe(paymentState)
      },
      { settings: { v4Refund } }
    )
  )

  it("that fails takes nothing from what can be refunded", () =>
    withShop(
      async (shop, local) => {
        const id = await paidPayment(shop, local)
        await shop.post(`/payments/${id}/refunds`, { amount: 1000 })
        await shop.get(`/payments/${id}/refunds`)
        await shop.get(`/payments/${id}/refunds`)
        await local.changeSettings({ v4Refund: "successAfterReads" })
        expect((await shop.post(`/payments/${id}/refunds`, { amount: 1000 })).status).toBe(201)
        await shop.get(`/payments/${id}/refunds`)
        expect(statesIn((await shop.get(`/payments/${id}/refunds`)).list)).toEqual(["FAILED", "SUCCESS"])
      },
      { settings: { v4Refund: "failedAfterReads" } }
    ))

  it("of a part is taken at once, can be followed by others, and not by more than is left", () =>
    withShop(async (shop, local) => {
      const id = await paidPayment(shop, local)
      const refund = async (amount: number) => (await shop.post(`/payments/${id}/refunds`, { amount })).status
      expect(await refund(400)).toBe(201)
      // What is requested is taken already.
      expect(await refund(601)).toBe(409)
      await local.advanceTime("1 minute")
      expect((await shop.get(`/payments/${id}`)).body.state).toBe("PARTIALLY_REFUNDED")
      expect(await refund(600)).toBe(201)
      await local.advanceTime("1 minute")
      expect((await shop.get(`/payments/${id}`)).body.state).toBe("REFUNDED")
      expect(statesIn((await shop.get(`/payments/${id}/refunds`)).list)).toEqual(["SUCCESS", "FAILED", "SUCCESS"])
    }))

  it("of a part has to wait at GoPay's sandbox, and all of the payment has not", () =>
    withShop(
      async (shop, local) => {
        const id = await paidPayment(shop, local)
        const refused = await shop.post(`/payments/${id}/refunds`, { amount: 1 })
        expect([refused.status, refused.body.error]).toEqual([409, "REFUND_NOT_ALLOWED"])
        expect(JSON.parse(await (await fetch(`${local.url}/local-gateway/payments/${id}`)).text())).toHaveProperty(
          "payment.part_refundable_at"
        )
        const other = await paidPayment(shop, local)
        expect((await shop.post(`/payments/${other}/refunds`, { amount: 1000 })).status).toBe(201)
        await local.advanceTime("1 day")
        const again = await openShopV4(local.merchant)
        expect((await again.post(`/payments/${id}/refunds`, { amount: 1 })).status).toBe(201)
      },
      { settings: { v4Rows: "sandbox2026" } }
    ))

  it("is known by the very text of its id alone", () =>
    withShop(async (shop, local) => {
      const { body: refund } = await shop.post(`/payments/${await paidPayment(shop, local)}/refunds`, { amount: 1000 })
      expect((await shop.get(`/refunds/${refund.id}`)).status).toBe(200)
      for (const other of [`0${refund.id}`, `${refund.id}.0`, `%20${refund.id}`, `+${refund.id}`])
        expect((await shop.get(`/refunds/${other}`)).status).toBe(404)
    }))

  it("is not seen by the token of another merchant, nor is its payment", async () => {
    const merchants = [1, 2].map((number) => ({
      goid: 8_000_000_000 + number,
      client_id: `id-${number}`,
      client_secret: `secret-${number}`
    }))
    await withShop(
      async (shop, local) => {
        const id = await paidPayment(shop, local)
        const { body: refund } = await shop.post(`/payments/${id}/refunds`, { amount: 1000 })
        const [, other = local.merchant] = await local.listMerchants()
        const foreign = await openShopV4(other)
        expect(foreign.goid).not.toBe(shop.goid)
        for (const path of [`/payments/${id}`, `/payments/${id}/refunds`, `/refunds/${refund.id}`]) {
          expect((await foreign.get(path)).status).toBe(404)
        }
      },
      { seed: { merchants } }
    )
  })
})
