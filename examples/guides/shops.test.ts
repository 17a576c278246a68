import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { createPayment } from "effect-gopay"
import { fileStore } from "effect-gopay/ledger"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { HttpRouter, HttpServer } from "effect/http"
import Database from "libsql"
import { expect, onTestFinished, vi } from "vitest"
import {
  Checkout,
  checkoutInCz,
  Cz,
  CzApi,
  CzCheckout,
  CzLedger,
  MerchantsLive,
  refundInCz,
  Sk,
  SkCheckout
} from "./merchants-effect.js"
import { Checkouts, Shops } from "./shops-effect.js"

const order = {
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

/** A gateway for each shop, by its variables. */
const startShops = async () => {
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
  return { shops, gateways }
}

it("a service that two merchants have is each one's own", async () => {
  const { gateways } = await startShops()
  await Effect.runPromise(
    Effect.gen(function* () {
      yield* (yield* CzCheckout).open({ ...order, order_number: "cz" })
      yield* (yield* SkCheckout).open({ ...order, order_number: "sk" })
    }).pipe(
      Effect.provide(Layer.mergeAll(CzCheckout.layer, SkCheckout.layer)),
      Effect.provide(MerchantsLive),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv()))
    )
  )
  const paid = await Promise.all(gateways.map((gateway) => gateway.listPayments()))
  expect(paid.map((payments) => payments.map(({ order_number }) => order_number))).toEqual([["cz"], ["sk"]])
})

it("an HttpApi below a merchant's address reads that merchant's payments", async () => {
  const { gateways } = await startShops()
  const cz = await Effect.runPromise(
    createPayment(order).pipe(
      Cz.provide,
      Effect.provide(MerchantsLive),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv()))
    )
  )
  const { dispose, handler } = HttpRouter.toWebHandler(
    CzApi.pipe(
      Layer.provide(CzLedger.layer(fileStore(":memory:", { driver: Database }))),
      Layer.provide(MerchantsLive),
      Layer.provide(HttpServer.layerServices),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv()))
    ),
    { disableLogger: true }
  )
  const read = (id: number | undefined) => handler(new Request(`http://shop.example/cz/payments/${id}`))
  expect(await (await read(cz.id)).json()).toMatchObject({ id: cz.id, target: { goid: gateways[0]?.merchant.goid } })
  await dispose()
})

it("each shop of a program is paid as its own merchant", async () => {
  const { gateways, shops } = await startShops()
  await Effect.runPromise(
    Effect.forEach(shops, (shop) => Effect.provide(createPayment(order), Shops.get(shop))).pipe(
      Effect.provide(Shops.layer)
    )
  )
  const paid = await Promise.all(gateways.map((gateway) => gateway.listPayments()))
  expect(paid.map((payments) => payments.length)).toEqual([1, 1])
})

it("a service over the gateway of each shop is paid as its own merchant, while both are in use", async () => {
  const { gateways, shops } = await startShops()
  await Effect.runPromise(
    Effect.forEach(
      shops,
      (shop) =>
        Effect.provide(
          Effect.flatMap(Checkout, ({ open }) => open(order)),
          Checkouts.get(shop)
        ),
      { concurrency: 2 }
    ).pipe(Effect.provide(Checkouts.layer))
  )
  const paid = await Promise.all(gateways.map((gateway) => gateway.listPayments()))
  expect(paid.map((payments) => payments.length)).toEqual([1, 1])
})

it("each of two merchants that are services is paid what is its own, with its ledger", async () => {
  const { gateways } = await startShops()
  const [cz, sk] = await Effect.runPromise(
    Effect.gen(function* () {
      const [checkout] = yield* Effect.all(
        [checkoutInCz("2026-0042", 139_950), createPayment(order).pipe(Sk.provide)],
        {
          concurrency: 2
        }
      )
      const refused = yield* Effect.flip(refundInCz(checkout.paymentId ?? 0, 100))
      expect(refused.reason._tag).toBe("OperationRefused")
      return yield* Effect.promise(() => Promise.all(gateways.map((gateway) => gateway.listPayments())))
    }).pipe(
      Effect.provide(CzLedger.layer(fileStore(":memory:", { driver: Database }))),
      Effect.provide(MerchantsLive),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv()))
    )
  )
  expect(cz?.map(({ order_number }) => order_number)).toEqual(["2026-0042"])
  expect(sk?.map(({ order_number }) => order_number)).toEqual(["1"])
})
