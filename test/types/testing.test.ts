/**
 * The public types of the entries for tests: the compiler checks them, and nothing of it has to run.
 */
import { describe, expectTypeOf, it } from "@effect/vitest"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import type { Gateway, GatewayId, PaymentSubState } from "../../src/index.js"
import type { LedgerService, SqliteTransaction } from "../../src/ledger/index.js"
import type { Ledger } from "../../src/ledger/promise/index.js"
import type { LocalGateway, PayerActionRefused } from "../../src/local-gateway/index.js"
import * as Testing from "../../src/testing/index.js"
import type * as Promises from "../../src/testing/promise/index.js"

type Shared = Exclude<keyof Testing.TestShopService, "ledger" | "story" | "store" | "callback">

class Mailer extends Context.Service<Mailer, { readonly send: Effect.Effect<void, Error> }>()("test/Mailer") {}

class Warehouse extends Context.Service<Warehouse, { readonly name: string }>()("test/Warehouse") {}

const shop: Layer.Layer<Testing.TestShop | LocalGateway, Config.ConfigError> = Testing.TestShop.layer()

const shopWithHandlers = Testing.TestShop.layer({
  onPayment: () => Warehouse,
  onChange: () => Effect.flatMap(Mailer, ({ send }) => send),
  onAttention: () => Effect.asVoid(Mailer)
})

describe("the types of a test shop", () => {
  it("has the same controls in each style", () => {
    expectTypeOf<Exclude<Shared, keyof Promises.TestShop>>().toBeNever()
    type OfPromises = "close" | "now" | "gateway" | "local" | typeof Symbol.asyncDispose
    expectTypeOf<Exclude<keyof Promises.TestShop, keyof Testing.TestShopService>>().toEqualTypeOf<OfPromises>()
    expectTypeOf<Testing.TestShopService["store"]>().toEqualTypeOf<Promises.TestShop["store"]>()
    expectTypeOf<Testing.TestShopService["callback"]>().toEqualTypeOf<Promises.TestShop["callback"]>()
    expectTypeOf<Testing.KillPoint>().toEqualTypeOf<Promises.KillPoint>()
    expectTypeOf<Testing.KillPoint>().toEqualTypeOf<"beforeSending" | "afterSending">()
  })

  it("has the ledger of its style", () => {
    expectTypeOf<Testing.TestShopService["ledger"]>().toEqualTypeOf<LedgerService<SqliteTransaction>>()
    expectTypeOf<Promises.TestShop["ledger"]>().toEqualTypeOf<Ledger<SqliteTransaction>>()
  })

  it("takes handlers over the transactions of its store", () => {
    type Handlers = "onPayment" | "onChange" | "onSubscription" | "onAttention"
    expectTypeOf<Extract<keyof Testing.TestShopOptions, `on${string}`>>().toEqualTypeOf<Handlers>()
    expectTypeOf<Extract<keyof Promises.TestShopOptions, `on${string}`>>().toEqualTypeOf<Handlers | "onNotification">()
    type Event<Handler> = Handler extends (event: infer E) => unknown ? E : never
    expectTypeOf<Event<NonNullable<Testing.TestShopOptions["onPayment"]>>["tx"]>().toEqualTypeOf<SqliteTransaction>()
    expectTypeOf<
      Event<NonNullable<Promises.TestShopOptions["onSubscription"]>>["tx"]
    >().toEqualTypeOf<SqliteTransaction>()
    expectTypeOf<Extract<keyof NonNullable<Promises.TestShopOptions["ledger"]>, "store" | "migrate">>().toBeNever()
    expectTypeOf<Extract<keyof NonNullable<Testing.TestShopOptions["ledger"]>, "store" | "migrate">>().toBeNever()
  })

  it("says how its controls fail", () => {
    expectTypeOf<Testing.TestShopService["advance"]>().returns.toEqualTypeOf<Effect.Effect<void>>()
    expectTypeOf<Testing.TestShopService["pay"]>().returns.toEqualTypeOf<Effect.Effect<void, PayerActionRefused>>()
    expectTypeOf<Testing.TestShopService["decline"]>().returns.toEqualTypeOf<Effect.Effect<void, PayerActionRefused>>()
    expectTypeOf<Parameters<Testing.TestShopService["decline"]>[0]>().toEqualTypeOf<GatewayId>()
    expectTypeOf<Parameters<Testing.TestShopService["decline"]>[1]>().toEqualTypeOf<PaymentSubState | undefined>()
    expectTypeOf<Promises.TestShop["deliverTwice"]>().returns.toEqualTypeOf<Promise<readonly [number, number]>>()
  })

  it("is a layer that needs nothing", () => {
    expectTypeOf(Testing.TestShop.layer()).toEqualTypeOf<
      Layer.Layer<Testing.TestShop | Gateway | LocalGateway, Config.ConfigError>
    >()
    expectTypeOf<typeof Testing.FakeTransport.layer>().returns.toEqualTypeOf<
      Layer.Layer<HttpClient.HttpClient | Testing.FakeTransport>
    >()
  })

  it("needs what its handlers need", () => {
    expectTypeOf(shopWithHandlers).toEqualTypeOf<
      Layer.Layer<Testing.TestShop | Gateway | LocalGateway, Config.ConfigError, Warehouse | Mailer>
    >()
  })

  it("gives the story of a simulation, and what broke it", () => {
    expectTypeOf<typeof Promises.simulateShop>().returns.toEqualTypeOf<Promise<ReadonlyArray<string>>>()
    expectTypeOf<Promises.InvariantBroken["story"]>().toEqualTypeOf<ReadonlyArray<string>>()
    expectTypeOf<Promises.ShopInvariant>().parameters.toEqualTypeOf<[shop: Promises.TestShop]>()
  })

  it("has a simulation in each style", () => {
    type Options = Testing.SimulationOptions
    expectTypeOf<Exclude<keyof Options, keyof Promises.SimulationOptions>>().toEqualTypeOf<"shop">()
    expectTypeOf<Exclude<keyof Promises.SimulationOptions, keyof Options>>().toEqualTypeOf<"open">()
    expectTypeOf<Testing.InvariantBroken>().toEqualTypeOf<Promises.InvariantBroken>()
  })

  it("fails as an invariant and as the layer of the shop", () => {
    expectTypeOf(Testing.simulateShop({ seed: 1, shop, invariants: {} })).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<string>, Testing.InvariantBroken | Config.ConfigError>
    >()
    const failing = Layer.provideMerge(Layer.effect(Warehouse, Effect.fail("no warehouse" as const)), shop)
    expectTypeOf(Testing.simulateShop({ seed: 1, shop: failing, invariants: {} })).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<string>, Testing.InvariantBroken | Config.ConfigError | "no warehouse">
    >()
  })

  it("gives a simulation the services of its shop, and no others", () => {
    const simulated = Testing.simulateShop({
      seed: 1,
      shop: Layer.provideMerge(Layer.succeed(Warehouse, { name: "Brno" }), shop),
      checkout: (orderNumber) => Effect.as(Warehouse, orderNumber),
      actions: { counted: Warehouse },
      invariants: { checked: Warehouse, shipped: Testing.TestShop }
    })
    expectTypeOf(simulated).toEqualTypeOf<
      Effect.Effect<ReadonlyArray<string>, Testing.InvariantBroken | Config.ConfigError>
    >()
    // @ts-expect-error the shop has no warehouse
    Testing.simulateShop({ seed: 1, shop, invariants: { checked: Warehouse } })
    // @ts-expect-error the shop has no warehouse
    Testing.simulateShop({ seed: 1, shop, invariants: {}, actions: { counted: Warehouse } })
    // @ts-expect-error the shop has no warehouse
    Testing.simulateShop({ seed: 1, shop, invariants: {}, checkout: () => Warehouse })
    // @ts-expect-error there is no test shop
    Testing.simulateShop({ seed: 1, shop: Layer.succeed(Warehouse, { name: "Brno" }), invariants: {} })
    const needy = Layer.effect(Warehouse, Effect.succeed({ name: "Brno" })).pipe(
      Layer.provideMerge(shop),
      Layer.provide(Layer.effectDiscard(Warehouse))
    )
    // @ts-expect-error no one gives the layer its warehouse
    Testing.simulateShop({ seed: 1, shop: needy, invariants: {} })
    // @ts-expect-error an invariant is an effect
    Testing.simulateShop({ seed: 1, shop, invariants: { checked: () => true } })
  })
})
