/**
 * Two merchants that are known when the program is written, each with a service of its own.
 */
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { type CreatePaymentRequest, Gateway, type GatewayId, Merchant, refundPayment } from "effect-gopay"
import { Ledger, type LedgerStore } from "effect-gopay/ledger"
import { NodeHttpClient } from "effect-gopay/node"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentsLive, Shop } from "./http-api-effect.js"

export class Cz extends Merchant.Service<Cz>()("shop/Cz") {}
export class Sk extends Merchant.Service<Sk>()("shop/Sk") {}

/** The variables of a shop, such as `CZ_GOPAY_GOID`. */
const variablesOf = (shop: string) =>
  ConfigProvider.layer(Effect.map(ConfigProvider.ConfigProvider, ConfigProvider.nested(shop)))

export const MerchantsLive = Layer.mergeAll(
  Cz.layerConfig().pipe(Layer.provide(variablesOf("CZ"))),
  Sk.layerConfig().pipe(Layer.provide(variablesOf("SK")))
).pipe(Layer.provide(NodeHttpClient.layer))

/** It needs `Cz`, so it does not compile over the gateway of `Sk`. */
export const refundInCz = (paymentId: GatewayId, amount: number) =>
  refundPayment(paymentId, { amount }).pipe(Cz.provide)

/** A service of the shop. It uses the `Gateway` that it is built over. */
export class Checkout extends Context.Service<Checkout>()("shop/Checkout", {
  make: Effect.map(Gateway, (gateway) => ({
    open: (order: CreatePaymentRequest) => gateway.createPayment(order)
  }))
}) {
  static readonly layer = Layer.effect(Checkout, Checkout.make)
}

export class CzCheckout extends Context.Service<CzCheckout, Checkout["Service"]>()("shop/CzCheckout") {
  static readonly layer = Layer.effect(CzCheckout, Checkout).pipe(Layer.provide(Cz.over(Checkout.layer)))
}

export class SkCheckout extends Context.Service<SkCheckout, Checkout["Service"]>()("shop/SkCheckout") {
  static readonly layer = Layer.effect(SkCheckout, Checkout).pipe(Layer.provide(Sk.over(Checkout.layer)))
}

/** The ledger of one of them. */
export class CzLedger extends Context.Service<CzLedger, Ledger["Service"]>()("shop/CzLedger") {
  static readonly layer = <Tx>(store: LedgerStore<Tx>) =>
    Layer.effect(CzLedger, Ledger).pipe(Layer.provide(Cz.over(Ledger.layerWorker({ store, migrate: true }))))
}

export const checkoutInCz = Effect.fn(function* (orderNumber: string, amount: number) {
  const ledger = yield* CzLedger
  const callback = { return_url: "https://cz.example/return", notification_url: "https://cz.example/notify" }
  return yield* ledger.checkout(orderNumber, { amount, currency: "CZK", callback })
})

export const CzNotifications = Ledger.notificationRoute("/cz/notify").pipe(
  Layer.provide(Layer.effect(Ledger, CzLedger))
)

/** The `HttpApi` of the shop, below `/cz`: its group takes the gateway and the ledger of one merchant. */
export const CzApi = HttpApiBuilder.layer(Shop).pipe(
  Layer.provide(Cz.over(PaymentsLive)),
  Layer.provide(Layer.effect(Ledger, CzLedger)),
  Layer.provide(
    Layer.effect(
      HttpRouter.HttpRouter,
      Effect.map(HttpRouter.HttpRouter, (router) => router.prefixed("/cz"))
    )
  )
)
