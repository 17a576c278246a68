/**
 * The gateway of one merchant of several, by API v4, as a service of its own.
 */
import type * as Config from "effect/Config"
import type * as Context from "effect/Context"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as MerchantService from "../call/MerchantService.js"
import type { OverMerchant } from "../call/MerchantService.js"
import type { AccessTokenV4 } from "./AccessTokenV4.js"
import type { GatewayConfigOptionsV4, GatewayConfigV4 } from "./GatewayConfigV4.js"
import { type GatewayLayerOptionsV4, type GatewayServiceV4, GatewayV4 } from "./GatewayV4.js"

export type { OverMerchant } from "../call/MerchantService.js"

/**
 * The class of a merchant's gateway by API v4: its service, the layers that build it, and the functions that run
 * programs over it.
 */
export interface MerchantClassV4<in out Self, in out Id extends string>
  extends Context.ServiceClass<Self, `${Id}/v4`, GatewayServiceV4>, OverMerchant<Self, GatewayV4> {
  /** The merchant's gateway, from options. {@link GatewayV4.layer} */
  readonly layer: (options: GatewayLayerOptionsV4) => Layer.Layer<Self, Config.ConfigError, HttpClient.HttpClient>
  /** The merchant's gateway, from variables. {@link GatewayV4.layerConfig} */
  readonly layerConfig: (
    options?: GatewayConfigOptionsV4 & Pick<GatewayLayerOptionsV4, "transformClient">
  ) => Layer.Layer<Self, Config.ConfigError, HttpClient.HttpClient>
  /** The merchant's gateway, from a configuration and a token of your own. {@link GatewayV4.layerNoDeps} */
  readonly layerNoDeps: Layer.Layer<Self, never, GatewayConfigV4 | AccessTokenV4 | HttpClient.HttpClient>
}

/**
 * Makes the service of one merchant's gateway by API v4, for a program that has several merchants. Whatever belongs to
 * one of them says so in its type, and does not compile with another one's gateway. The rules of v3's
 * `Merchant.Service` apply.
 *
 * ```ts
 * class Cz extends MerchantV4.Service<Cz>()("shop/Cz") {}
 * class Sk extends MerchantV4.Service<Sk>()("shop/Sk") {}
 *
 * const refund = refundPayment(id, { amount: 5_000 }).pipe(Cz.provide) // needs Cz, and not Sk
 * const checkout = Cz.over(Checkout.layer) // a layer that needs a GatewayV4, built for Cz alone
 * const merchants = Layer.merge(Cz.layer(czOptions), Sk.layer(skOptions))
 * ```
 *
 * Give each merchant its own `id`: two services with the same `id` are the same service, and the last layer wins. A
 * merchant that uses both APIs may have one `id` in both: its services are two, and its spans and metrics have one
 * `gopay.merchant`.
 */
export const Service =
  <Self>() =>
  <const Id extends string>(id: Id): MerchantClassV4<Self, Id> => {
    const { named, over, service } = MerchantService.make<Self, `${Id}/v4`, GatewayV4, GatewayServiceV4>(GatewayV4, {
      key: `${id}/v4`,
      id
    })
    return Object.assign(service, over, {
      layer: (options: GatewayLayerOptionsV4) => named(GatewayV4.layer(options)),
      layerConfig: (options?: GatewayConfigOptionsV4 & Pick<GatewayLayerOptionsV4, "transformClient">) =>
        named(GatewayV4.layerConfig(options)),
      layerNoDeps: named(GatewayV4.layerNoDeps)
    })
  }
