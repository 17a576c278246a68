/**
 * Several shops, with Effect.
 */
import { type Config, ConfigProvider, Layer, LayerMap } from "effect"
import { Gateway } from "effect-gopay"
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
