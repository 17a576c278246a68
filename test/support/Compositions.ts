/**
 * The ways to compose the layers of two merchants in one program, each as a program that acts as the first merchant, as
 * the second, and as the first again.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LayerMap from "effect/LayerMap"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as RcMap from "effect/RcMap"

export const merchants = ["8123456781", "8999999991"] as const
export type Goid = (typeof merchants)[number]

const [first, second] = merchants

/** In which order the merchants act in every composition. */
export const acting: ReadonlyArray<Goid> = [first, second, first]

export interface Composed<in out Service> {
  /** The layer of a merchant, made anew with each call, of constants or not. */
  readonly shopOf: (goid: Goid) => Layer.Layer<Service, unknown>
  readonly act: (goid: Goid) => Effect.Effect<unknown, unknown, Service>
}

class FirstShop extends Context.Service<FirstShop, Effect.Effect<unknown, unknown>>()("test/FirstShop") {}
class SecondShop extends Context.Service<SecondShop, Effect.Effect<unknown, unknown>>()("test/SecondShop") {}

/** A part of a program that acts as one merchant. */
const actingAs = <Service>({ act }: Composed<Service>, goid: Goid) =>
  Effect.map(Effect.context<Service>(), (context): Effect.Effect<unknown, unknown> =>
    Effect.provide(act(goid), context)
  )

const shopsOf = <Service>(composed: Composed<Service>) => ({
  firstShop: Layer.effect(FirstShop, actingAs(composed, first)).pipe(Layer.provide(composed.shopOf(first))),
  secondShop: Layer.effect(SecondShop, actingAs(composed, second)).pipe(Layer.provide(composed.shopOf(second)))
})

const actInBoth = Effect.gen(function* () {
  yield* Effect.flatten(FirstShop)
  yield* Effect.flatten(SecondShop)
  yield* Effect.flatten(FirstShop)
})

type Composition = <Service>(composed: Composed<Service>) => Effect.Effect<unknown, unknown>

export const compositions: Readonly<Record<string, Composition>> = {
  "merged into one graph": (composed) => {
    const { firstShop, secondShop } = shopsOf(composed)
    return Effect.provide(actInBoth, Layer.merge(firstShop, secondShop))
  },
  "one within the other": (composed) => {
    const { firstShop, secondShop } = shopsOf(composed)
    return Effect.provide(actInBoth, secondShop.pipe(Layer.provideMerge(firstShop)))
  },
  "from a LayerMap": <Service>({ act, shopOf }: Composed<Service>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const shops = yield* LayerMap.make((goid: Goid) => shopOf(goid), { idleTimeToLive: "1 hour" })
        for (const goid of acting) yield* Effect.provide(act(goid), shops.get(goid))
      })
    ),
  "from a LayerMap that keeps none that is idle": <Service>({ act, shopOf }: Composed<Service>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const shops = yield* LayerMap.make((goid: Goid) => shopOf(goid), { idleTimeToLive: 0 })
        for (const goid of acting) yield* Effect.provide(act(goid), shops.get(goid))
      })
    ),
  "from an RcMap": <Service>({ act, shopOf }: Composed<Service>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const shops = yield* RcMap.make({ lookup: (goid: Goid) => Layer.build(shopOf(goid)), idleTimeToLive: "1 hour" })
        for (const goid of acting) {
          yield* Effect.scoped(Effect.flatMap(RcMap.get(shops, goid), (shop) => Effect.provide(act(goid), shop)))
        }
      })
    ),
  "each made fresh": ({ act, shopOf }) => {
    const { firstShop, secondShop } = shopsOf({ act, shopOf: (goid) => Layer.fresh(shopOf(goid)) })
    return Effect.provide(actInBoth, Layer.merge(firstShop, secondShop))
  },
  "in runtimes that share a memo map": <Service>({ act, shopOf }: Composed<Service>) =>
    Effect.promise(async () => {
      const memoMap = Layer.makeMemoMapUnsafe()
      const runtimes = {
        [first]: ManagedRuntime.make(shopOf(first), { memoMap }),
        [second]: ManagedRuntime.make(shopOf(second), { memoMap })
      }
      for (const goid of acting) await runtimes[goid].runPromise(act(goid))
      for (const runtime of Object.values(runtimes)) await runtime.dispose()
    }),
  "provided one after the other": <Service>({ act, shopOf }: Composed<Service>) =>
    Effect.forEach(acting, (goid) => Effect.provide(act(goid), shopOf(goid)))
}

/** The compositions that end a merchant's layer after each act, and make another one for the next. */
export const remaking: ReadonlySet<string> = new Set([
  "from a LayerMap that keeps none that is idle",
  "provided one after the other"
])

/** Two parts of a program over one layer that was composed once. Both act as the first merchant. */
export const composedOnce = <Service>({ act, shopOf }: Composed<Service>): Effect.Effect<unknown, unknown> => {
  const shop = shopOf(first)
  const composed = { act, shopOf: () => shop }
  return Effect.provide(
    actInBoth,
    Layer.merge(
      Layer.effect(FirstShop, actingAs(composed, first)).pipe(Layer.provide(shop)),
      Layer.effect(SecondShop, actingAs(composed, first)).pipe(Layer.provide(shop))
    )
  )
}
