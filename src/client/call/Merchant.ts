/**
 * The gateway of one merchant of several, as a service of its own.
 */
import type * as Config from "effect/Config"
import type * as Context from "effect/Context"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import type { GatewayConfig, GatewayConfigOptions } from "../config/GatewayConfig.js"
import type { AccessToken } from "./AccessToken.js"
import { Gateway, type GatewayLayerOptions, type GatewayService } from "./Gateway.js"
import * as MerchantService from "./MerchantService.js"
import type { OverMerchant } from "./MerchantService.js"

export type { OverMerchant } from "./MerchantService.js"

/**
 * The class of a merchant's gateway: its service, the layers that build it, and the functions that run programs over
 * it.
 */
export interface MerchantClass<in out Self, in out Id extends string>
  extends Context.ServiceClass<Self, Id, GatewayService>, OverMerchant<Self, Gateway> {
  /** The merchant's gateway, from options. {@link Gateway.layer} */
  readonly layer: (options: GatewayLayerOptions) => Layer.Layer<Self, Config.ConfigError, HttpClient.HttpClient>
  /** The merchant's gateway, from variables. {@link Gateway.layerConfig} */
  readonly layerConfig: (
    options?: GatewayConfigOptions & Pick<GatewayLayerOptions, "transformClient">
  ) => Layer.Layer<Self, Config.ConfigError, HttpClient.HttpClient>
  /** The merchant's gateway, from a configuration and a token of your own. {@link Gateway.layerNoDeps} */
  readonly layerNoDeps: Layer.Layer<Self, never, GatewayConfig | AccessToken | HttpClient.HttpClient>
}

/**
 * Makes the service of one merchant's gateway, for a program that has several merchants. Whatever belongs to one of
 * them says so in its type, and does not compile with another one's gateway.
 *
 * ```ts
 * class Cz extends Merchant.Service<Cz>()("shop/Cz") {}
 * class Sk extends Merchant.Service<Sk>()("shop/Sk") {}
 *
 * const refund = refundPayment(id, { amount: 5_000 }).pipe(Cz.provide) // needs Cz, and not Sk
 * const payment = Cz.use((gateway) => gateway.getPayment(id)) // the same, by the service's own methods
 * const ledger = Ledger.layer({ store }).pipe(Cz.over) // a layer that needs a Gateway, built for Cz alone
 * const merchants = Layer.merge(Cz.layer(czOptions), Sk.layer(skOptions))
 * ```
 *
 * Give each merchant its own `id`: two services with the same `id` are the same service, and the last layer wins.
 * `layerConfig` of each reads the same `GOPAY_*`, unless it has a provider of its own. A warning names two ids that have
 * one GoID, ClientID and scope, and two classes that have one id and two GoIDs.
 *
 * ```ts
 * const variablesOf = (shop: string) =>
 *   ConfigProvider.layer(Effect.map(ConfigProvider.ConfigProvider, ConfigProvider.nested(shop)))
 * const merchants = Layer.merge(
 *   Cz.layerConfig().pipe(Layer.provide(variablesOf("CZ"))), // CZ_GOPAY_GOID …
 *   Sk.layerConfig().pipe(Layer.provide(variablesOf("SK")))
 * )
 * ```
 *
 * This suits merchants that are known when the program is written. A layer that needs a `Gateway` goes through `over`,
 * which builds it for each merchant: Effect builds a layer that is provided with one and then the other only once, for
 * the first one. For merchants that are data, build a `Gateway.layer` for each in a `LayerMap`.
 */
export const Service =
  <Self>() =>
  <const Id extends string>(id: Id): MerchantClass<Self, Id> => {
    const { named, over, service } = MerchantService.make<Self, Id, Gateway, GatewayService>(Gateway, { key: id, id })
    return Object.assign(service, over, {
      layer: (options: GatewayLayerOptions) => named(Gateway.layer(options)),
      layerConfig: (options?: GatewayConfigOptions & Pick<GatewayLayerOptions, "transformClient">) =>
        named(Gateway.layerConfig(options)),
      layerNoDeps: named(Gateway.layerNoDeps)
    })
  }
