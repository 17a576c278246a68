/**
 * Two merchants that are known when the program is written, each with a service of its own.
 */
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { type GatewayId, Merchant, refundPayment } from "effect-gopay"
import { Ledger, type LedgerStore } from "effect-gopay/ledger"
import { NodeHttpClient } from "effect-gopay/node"

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

/** The ledger of one of them. */
export class CzLedger extends Context.Service<CzLedger, Ledger["Service"]>()("shop/CzLedger") {
  static readonly layer = <Tx>(store: LedgerStore<Tx>) =>
    Layer.effect(CzLedger, Ledger).pipe(
      Layer.provide(Ledger.layerWorker({ store, migrate: true })),
      Layer.provide(Cz.asGateway)
    )
}

export const checkoutInCz = Effect.fn(function* (orderNumber: string, amount: number) {
  const ledger = yield* CzLedger
  const callback = { return_url: "https://cz.example/return", notification_url: "https://cz.example/notify" }
  return yield* ledger.checkout(orderNumber, { amount, currency: "CZK", callback })
})

export const CzNotifications = Ledger.notificationRoute("/cz/notify").pipe(
  Layer.provide(Layer.effect(Ledger, CzLedger))
)
