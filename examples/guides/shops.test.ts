import { it } from "@effect/vitest"
import { Effect } from "effect"
import { createPayment } from "effect-gopay"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { expect, onTestFinished, vi } from "vitest"
import { Shops } from "./shops-effect.js"

const order = {
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

it("each shop of a program is paid as its own merchant", async () => {
  const shops = ["CZ", "SK"]
  const gateways = await Promise.all(shops.map(() => startLocalGateway()))
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await Promise.all(gateways.map((gateway) => gateway.close()))
  })
  for (const [index, { merchant, url }] of gateways.entries()) {
    vi.stubEnv(`${shops[index]}_GOPAY_GOID`, String(merchant.goid))
    vi.stubEnv(`${shops[index]}_GOPAY_CLIENT_ID`, merchant.clientId)
    vi.stubEnv(`${shops[index]}_GOPAY_CLIENT_SECRET`, merchant.clientSecret)
    vi.stubEnv(`${shops[index]}_GOPAY_ENVIRONMENT`, url)
  }
  await Effect.runPromise(
    Effect.forEach(shops, (shop) => Effect.provide(createPayment(order), Shops.get(shop))).pipe(
      Effect.provide(Shops.layer)
    )
  )
  const paid = await Promise.all(gateways.map((gateway) => gateway.listPayments()))
  expect(paid.map((payments) => payments.length)).toEqual([1, 1])
})
