import { describe, expect, it } from "vitest"
import { orderV4 } from "../../support/GatewayV4.js"
import { callerV4, openShopV4, requestTokenV4, withShopV4 as withShop } from "../../support/ShopV4.js"
import type { LocalMerchant } from "../../../src/local-gateway/promise/index.js"

const credentialsOf = ({ clientId, clientSecret }: LocalMerchant): string => `${clientId}:${clientSecret}`

const merchantForm = { grant_type: "client_credentials", scope: "payment:read" }
const paymentForm = { grant_type: "payment_credentials", scope: "payment:read payment:charge" }

describe("a token of API v4", () => {
  it("holds for fifteen minutes", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      await local.advanceTime(15 * 60 * 1000 - 1000)
      expect((await shop.get(`/payments/${id}`)).status).toBe(200)
      await local.advanceTime("1 second")
      const refused = await shop.get(`/payments/${id}`)
      expect([refused.status, refused.body.error, refused.body.message]).toEqual([
        401,
        "UNAUTHORIZED",
        "Wrong credentials"
      ])
    }))

  it.each([
    ["wrong credentials", "1234567884:wrong", merchantForm, 401],
    ["no grant", undefined, { scope: "payment:read" }, 400],
    ["an unknown grant", undefined, { ...merchantForm, grant_type: "refresh_token" }, 400],
    ["no scope", undefined, { grant_type: "client_credentials" }, 400],
    ["a scope that there is not", undefined, { ...merchantForm, scope: "payment:read payment-all" }, 403],
    ["the scope of a payment's own token", undefined, { ...merchantForm, scope: "payment:charge" }, 403]
  ])("is refused for %s", (_, credentials, form, status) =>
    withShop(async (_shop, local) => {
      const answer = await requestTokenV4(local.url, credentials ?? credentialsOf(local.merchant), form)
      expect(answer.status).toBe(status)
      expect(answer.body.path).toBe("/oauth2/token")
    })
  )

  it("allows what its scope says", () =>
    withShop(async (shop, local) => {
      const { id } = await shop.create()
      const reader = await openShopV4(local.merchant, { scope: "payment:read" })
      expect((await reader.get(`/payments/${id}`)).status).toBe(200)
      const refused = await reader.post(`/eshops/${shop.goid}/payments`, orderV4)
      expect([refused.status, refused.body.message]).toEqual([403, "Missing token scope"])
      const writer = await openShopV4(local.merchant, { scope: "payment:write" })
      expect((await writer.get(`/payments/${id}`)).status).toBe(403)
    }))

  it("of one payment reads that payment, and nothing else", () =>
    withShop(async (shop, local) => {
      const [one, other] = [await shop.create(), await shop.create()]
      const answer = await requestTokenV4(local.url, `${one.id}:${one.payment_secret}`, paymentForm)
      expect(answer.body).toMatchObject({ expires_in: 900, scope: "payment:read payment:charge" })
      const call = callerV4(local.url, answer.body.access_token ?? "")
      expect((await call("GET", `/payments/${one.id}`)).body).toEqual(one)
      expect((await call("GET", `/payments/${one.id}/refunds`)).status).toBe(200)
      for (const [method, path] of [
        ["GET", `/payments/${other.id}`],
        ["DELETE", `/payments/${one.id}`],
        ["POST", `/payments/${one.id}/refunds`],
        ["POST", `/eshops/${shop.goid}/payments`]
      ] as const) {
        const refused = await call(method, path)
        expect([refused.status, refused.body.message]).toEqual([403, "Token domain not permitted"])
      }
    }))

  it("of one payment is refused for a wrong secret, and once the payment is over", () =>
    withShop(async (shop, local) => {
      const { id, payment_secret } = await shop.create()
      expect((await requestTokenV4(local.url, `${id}:ps_wrong`, paymentForm)).status).toBe(401)
      await shop.remove(`/payments/${id}`)
      expect((await requestTokenV4(local.url, `${id}:${payment_secret}`, paymentForm)).status).toBe(401)
    }))

  it("is not taken by v3, nor one of v3 by v4", () =>
    withShop(async (shop, local) => {
      const { body } = await requestTokenV4(local.url, credentialsOf(local.merchant), merchantForm)
      const ofV4 = await fetch(`${local.url}/api/payments/payment/1`, {
        headers: { authorization: `Bearer ${body.access_token}` }
      })
      expect(ofV4.status).toBe(403)
      const response = await fetch(`${local.url}/api/oauth2/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(credentialsOf(local.merchant))}` },
        body: new URLSearchParams({ grant_type: "client_credentials", scope: "payment-all" })
      })
      const { access_token } = await response.json()
      const { id } = await shop.create()
      expect((await callerV4(local.url, access_token)("GET", `/payments/${id}`)).status).toBe(401)
    }))
})
