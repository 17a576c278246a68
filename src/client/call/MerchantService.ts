/**
 * The parts of a merchant's service that the gateways of both APIs share.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { announce } from "./BuiltMerchants.js"
import { MerchantId, OnMerchantBuilt } from "./merchantAttribute.js"

/** What runs and builds over the gateway of one merchant. */
export interface OverMerchant<out Self, in out Gateway> {
  /**
   * Runs a program that needs a gateway over this merchant's gateway; the program then requires this merchant. The
   * calls have the merchant's `id` as `gopay.merchant` in spans, metrics and log messages, whichever way they are made;
   * the program's own metrics are left as they are.
   *
   * A layer that the program itself provides is built for this program, over this merchant's gateway, even if the same
   * layer is already built outside. What is not to be built again, such as a pool of connections, provide outside.
   */
  readonly provide: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Gateway> | Self>
  /**
   * Builds a layer that needs a gateway over this merchant's gateway; the layer then requires this merchant. It is
   * built anew, with everything that was provided to it, even if the same layer is also used for another merchant.
   * Leave what merchants share, such as a store, as a requirement, and provide it afterwards.
   *
   * ```ts
   * const CzCheckoutLive = Layer.effect(CzCheckout, Checkout).pipe(Layer.provide(Cz.over(Checkout.layer)))
   * ```
   */
  readonly over: <A, E, R>(layer: Layer.Layer<A, E, R>) => Layer.Layer<A, E, Exclude<R, Gateway> | Self>
  /** Runs a stream that needs a gateway over this merchant's gateway, as `provide` runs a program. */
  readonly provideStream: <A, E, R>(stream: Stream.Stream<A, E, R>) => Stream.Stream<A, E, Exclude<R, Gateway> | Self>
}

/**
 * Makes a merchant's service: its class, what runs and builds over it, and a function that makes the service of a layer
 * of the gateway.
 *
 * @param key - The key of the service.
 * @param id - The name in spans and metrics.
 */
export const make = <Self, const Key extends string, Gateway, GatewayService>(
  gateway: Context.Service<Gateway, GatewayService>,
  { id, key }: { readonly key: Key; readonly id: string }
) => {
  const service = Context.Service<Self, GatewayService>()(key)
  const identity = Layer.merge(
    Layer.succeed(MerchantId, id),
    Layer.succeed(OnMerchantBuilt, (settings) => announce({ id, key, service, settings }))
  )
  const named = <E, R>(built: Layer.Layer<Gateway, E, R>): Layer.Layer<Self, E, R> =>
    Layer.fresh(Layer.effect(service, gateway).pipe(Layer.provide(built), Layer.provide(identity)))
  // With a memo map of its own: the program's may hold a layer that is built over another merchant's gateway.
  const ownContext: Effect.Effect<Context.Context<Gateway>, never, Self> = Effect.map(service, (own) =>
    Context.make(gateway, own).pipe(Context.add(Layer.CurrentMemoMap, Layer.makeMemoMapUnsafe()))
  )
  // Not handed out: provided to two uses of one layer, it would build that layer once, over the first merchant.
  const gatewayLayer = Layer.effectContext(ownContext)
  const over: OverMerchant<Self, Gateway> = {
    provide: (program) => Effect.flatMap(ownContext, (context) => Effect.provideContext(program, context)),
    provideStream: (stream) =>
      Stream.unwrap(Effect.map(ownContext, (context) => Stream.provideContext(stream, context))),
    over: (layer) => Layer.fresh(layer).pipe(Layer.provide(gatewayLayer))
  }
  return { service, named, over }
}
