/**
 * Several shops, with Effect.
 */
import { type Config, ConfigProvider, Context, Data, Effect, Layer, LayerMap } from "effect"
import { createPayment, type CreatePaymentRequest, Gateway, type GatewayLayerOptions } from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"
import { Checkout } from "./merchants-effect.js"

/** The gateway of a shop, by variables such as `CZ_GOPAY_GOID`. A function: a constant would be built once, for all shops. */
const gatewayOf = (shop: string): Layer.Layer<Gateway, Config.ConfigError> =>
  Gateway.layerConfig().pipe(
    Layer.provide(NodeHttpClient.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.nested(ConfigProvider.fromEnv(), shop)))
  )

export class Shops extends LayerMap.Service<Shops>()("shop/Shops", { lookup: gatewayOf, idleTimeToLive: "1 hour" }) {}

/** A service over the gateway of a shop, built anew for each shop, since its layer is a constant. */
const checkoutOf = (shop: string) => Layer.fresh(Checkout.layer).pipe(Layer.provide(gatewayOf(shop)))

export class Checkouts extends LayerMap.Service<Checkouts>()("shop/Checkouts", { lookup: checkoutOf }) {}

/** Your table of merchants. */
export class MerchantTable extends Context.Service<
  MerchantTable,
  { readonly find: (merchant: string) => Effect.Effect<GatewayLayerOptions, NoSuchMerchant> }
>()("shop/MerchantTable") {}

export class NoSuchMerchant extends Data.TaggedError("NoSuchMerchant")<{ readonly merchant: string }> {}

/** The gateway of a merchant of a platform, made with its first payment. */
const gatewayOfRow = (merchant: string) =>
  Layer.unwrap(
    Effect.map(
      MerchantTable.use(({ find }) => find(merchant)),
      Gateway.layer
    )
  )

export class Platform extends LayerMap.Service<Platform>()("shop/Platform", {
  lookup: gatewayOfRow,
  idleTimeToLive: "1 hour"
}) {}

/** Pays into the account of whoever sells. */
export const payTo = (merchant: string, order: CreatePaymentRequest) =>
  createPayment(order).pipe(Effect.provide(Platform.get(merchant)))
