/**
 * Two merchants as two services: a program says whose it is, and does not compile over another one's gateway.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as LayerMap from "effect/LayerMap"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import {
  AccessToken,
  createPayment,
  Gateway,
  GatewayConfig,
  type GatewayOptions,
  getPayment,
  Merchant,
  watchPaymentStates
} from "../../../src/index.js"
import { MerchantV4 } from "../../../src/client/v4/index.js"
import { GatewayId } from "../../../src/schema/index.js"
import { id } from "../../support/OperationPrograms.js"
import { record } from "../../support/Recorder.js"
import { json, paid, scripted, tokenResponse } from "../../support/ScriptedTransport.js"

class Cz extends Merchant.Service<Cz>()("test/Cz") {}
class Sk extends Merchant.Service<Sk>()("test/Sk") {}

const goids = { CZ: 8123456781, SK: 8999999991 } as const
type Shop = keyof typeof goids

const optionsOf = (shop: Shop): GatewayOptions => ({
  goid: goids[shop],
  clientId: `client-of-${shop}`,
  clientSecret: "s3cr3tXY",
  environment: "https://gateway.example"
})

/** The variables of a shop. */
const environmentOf = (shop: Shop) =>
  ConfigProvider.layer(
    ConfigProvider.nested(
      ConfigProvider.fromEnvRecord(
        Object.fromEntries(
          (["CZ", "SK"] as const).flatMap((name) => [
            [`${name}_GOPAY_GOID`, String(goids[name])],
            [`${name}_GOPAY_CLIENT_ID`, `client-of-${name}`],
            [`${name}_GOPAY_CLIENT_SECRET`, "s3cr3tXY"],
            [`${name}_GOPAY_ENVIRONMENT`, "https://gateway.example"]
          ])
        )
      ),
      shop
    )
  )

const ownToken = Layer.provideMerge(AccessToken.layer, GatewayConfig.layerConfig())

type Layers = Layer.Layer<Cz | Sk, Config.ConfigError, HttpClient.HttpClient>

const ways = {
  layer: Layer.merge(Cz.layer(optionsOf("CZ")), Sk.layer(optionsOf("SK"))),
  layerConfig: Layer.merge(
    Cz.layerConfig().pipe(Layer.provide(environmentOf("CZ"))),
    Sk.layerConfig().pipe(Layer.provide(environmentOf("SK")))
  ),
  layerNoDeps: Layer.merge(
    Cz.layerNoDeps.pipe(Layer.provide(Layer.fresh(ownToken)), Layer.provide(environmentOf("CZ"))),
    Sk.layerNoDeps.pipe(Layer.provide(Layer.fresh(ownToken)), Layer.provide(environmentOf("SK")))
  )
} satisfies Record<string, Layers>

/** A gateway that gives each merchant a token of its own, and takes whatever is created. */
const anyGateway = () =>
  scripted(
    ({ body }) => {
      if (body === "") return json(paid)
      const { amount, currency, order_number } = JSON.parse(body)
      return json({ id, state: "CREATED", gw_url: "https://gw.example/1", amount, currency, order_number })
    },
    ({ headers }) =>
      tokenResponse(`token-of-${atob(headers["authorization"]?.replace("Basic ", "") ?? "").split(":")[0]}`)
  )

/** The order's number is the shop that it is meant for. */
const pay = (shop: Shop) =>
  createPayment({
    amount: 1_000,
    currency: "CZK",
    order_number: shop,
    callback: { return_url: "https://shop.example/return" }
  })

const rightParties = (...shops: ReadonlyArray<Shop>) =>
  shops.map((shop) => [shop, goids[shop], `Bearer token-of-client-of-${shop}`])

describe.each(Object.entries(ways))("two merchants by %s", (_, layers) => {
  it.live("are each paid what is theirs, both at once and over one token each", () => {
    const transport = anyGateway()
    const program = Effect.all([pay("CZ").pipe(Cz.provide), Sk.provide(pay("SK")), pay("CZ").pipe(Cz.provide)], {
      concurrency: 3
    })
    return Effect.gen(function* () {
      yield* program
      const parties = transport.sent.map(({ body, headers }) => {
        const { order_number, target } = JSON.parse(body)
        return [order_number, target.goid, headers["authorization"]]
      })
      assert.sameDeepMembers(parties, rightParties("CZ", "SK", "CZ"))
      assert.lengthOf(transport.tokenRequests, 2)
    }).pipe(Effect.provide(Layer.provide(layers, transport.layer)))
  })

  it.live("are what their methods, layers and streams belong to", () => {
    const transport = anyGateway()
    return Effect.gen(function* () {
      yield* Cz.use(({ getPayment }) => getPayment(id))
      yield* (yield* Sk).getPayment(id)
      yield* Stream.runDrain(watchPaymentStates(id).pipe(Cz.provideStream))
      yield* Stream.runDrain(Sk.provideStream(Stream.fromEffect(getPayment(id))))
      assert.deepStrictEqual(
        transport.sent.map(({ headers }) => headers["authorization"]),
        ["CZ", "SK", "CZ", "SK"].map((shop) => `Bearer token-of-client-of-${shop}`)
      )
    }).pipe(Effect.provide(Layer.provide(layers, transport.layer)))
  })
})

it.live(
  "what a merchant provides its gateway to has the merchant in its metrics and spans, beside what the program says",
  () => {
    const recorder = record()
    return Effect.gen(function* () {
      yield* Effect.all([pay("CZ").pipe(Cz.provide), Sk.provide(pay("SK")), Cz.use(({ getPayment }) => getPayment(id))])
      // A call of one merchant in a program of another one.
      yield* Cz.provide(
        Effect.andThen(
          Gateway,
          Sk.use(({ getPayment }) => getPayment(id))
        )
      )
      const calls = recorder.series().filter(({ attributes, id }) => id === "gopay.client.calls" && attributes)
      const merchants = calls.map(({ attributes }) => {
        const { "gopay.merchant": merchant, "gopay.operation": operation, shop } = { ...attributes }
        return [operation, merchant, shop]
      })
      assert.includeDeepMembers(merchants, [
        ["createPayment", "test/Cz", "all"],
        ["createPayment", "test/Sk", "all"],
        ["getPayment", "test/Cz", "all"],
        ["getPayment", "test/Sk", "all"],
        ["getAccessToken", "test/Cz", "all"],
        ["getAccessToken", "test/Sk", "all"]
      ])
      const spans = recorder.spans.map(({ attributes }) => [
        attributes.get("gopay.operation"),
        attributes.get("gopay.goid"),
        attributes.get("gopay.merchant")
      ])
      assert.includeDeepMembers(spans, [
        ["createPayment", String(goids.CZ), "test/Cz"],
        ["createPayment", String(goids.SK), "test/Sk"],
        ["getPayment", String(goids.CZ), "test/Cz"],
        ["getPayment", String(goids.SK), "test/Sk"],
        ["getAccessToken", String(goids.CZ), "test/Cz"],
        ["getAccessToken", String(goids.SK), "test/Sk"]
      ])
    }).pipe(
      Effect.provideService(Metric.CurrentMetricAttributes, { shop: "all" }),
      Effect.provide(Layer.provideMerge(ways.layer, anyGateway().layer)),
      Effect.provide(recorder.layer)
    )
  }
)

it.effect("the metrics of a program are its own, whichever way it uses a merchant", () => {
  const recorder = record()
  const orders = Metric.counter("orders")
  const counted = Effect.tap(pay("CZ"), () => Metric.update(orders, 1))
  return Effect.gen(function* () {
    yield* Cz.provide(counted)
    yield* Cz.use(({ getPayment }) => Effect.tap(getPayment(id), () => Metric.update(orders, 1)))
    const own = recorder.series().filter(({ id }) => id === "orders")
    assert.deepStrictEqual(
      own.map((series) => [series.attributes, series.type === "Counter" && series.state.count]),
      [[undefined, 2]]
    )
  }).pipe(Effect.provide(Layer.provideMerge(ways.layer, anyGateway().layer)), Effect.provide(recorder.layer))
})

it("a program of one merchant does not compile over another one's gateway", () => {
  const refund = getPayment(id).pipe(Cz.provide)
  expectTypeOf(refund).toEqualTypeOf<
    Effect.Effect<Effect.Success<typeof refund>, Effect.Error<ReturnType<typeof getPayment>>, Cz>
  >()
  const run = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> => program
  const transport = scripted(() => json(paid)).layer
  const overOwn = Effect.provide(refund, Layer.provide(Cz.layer(optionsOf("CZ")), transport))
  const overOther = Effect.provide(refund, Layer.provide(Sk.layer(optionsOf("SK")), transport))
  const overAny = Effect.provide(refund, Layer.provide(Gateway.layer(optionsOf("SK")), transport))
  expectTypeOf<Effect.Services<typeof overOwn>>().toEqualTypeOf<never>()
  expectTypeOf<Effect.Services<typeof overOther>>().toEqualTypeOf<Cz>()
  run(overOwn)
  // @ts-expect-error -- It is a program of the other merchant.
  run(overOther)
  // @ts-expect-error -- It is a program of one merchant, and not of any.
  run(overAny)
  // @ts-expect-error -- Whose program it is has not been said.
  run(Effect.provide(getPayment(id), Layer.provide(Cz.layer(optionsOf("CZ")), transport)))
})

it("a merchant's service may be replaced in a test", () =>
  Effect.gen(function* () {
    const payment = { id, state: "PAID", amount: 1, currency: "CZK" } as const
    const mocked = Layer.mock(Cz, { getPayment: () => Effect.succeed(payment) })
    assert.deepStrictEqual(yield* getPayment(id).pipe(Cz.provide, Effect.provide(mocked)), payment)
  }).pipe(Effect.runPromise))

/** A service of a shop, whose layer is a constant. */
class Checkout extends Context.Service<Checkout>()("test/Checkout", {
  make: Effect.flatMap(Gateway, ({ goid }) => Effect.map(goid, (id) => ({ goid: id })))
}) {
  static readonly layer = Layer.effect(Checkout, Checkout.make)
}
class CzOfV4 extends MerchantV4.Service<CzOfV4>()("test/Cz") {}
class CzCheckout extends Context.Service<CzCheckout, Checkout["Service"]>()("test/CzCheckout") {}
class SkCheckout extends Context.Service<SkCheckout, Checkout["Service"]>()("test/SkCheckout") {}

const Api = HttpApi.make("shop").add(
  HttpApiGroup.make("shop").add(HttpApiEndpoint.get("goid", "/goid", { success: GatewayId }))
)
const GroupLive = HttpApiBuilder.group(
  Api,
  "shop",
  Effect.fn(function* (handlers) {
    const { goid } = yield* Gateway
    return handlers.handle("goid", () => goid)
  })
)

/** A service of a shop that builds a constant layer of its own when it is made. */
class Desk extends Context.Service<Desk>()("test/Desk", { make: Effect.provide(Checkout, Checkout.layer) }) {
  static readonly layer = Layer.effect(Desk, Desk.make)
}

describe("a constant layer that the program has built over the first merchant", () => {
  const shop = Layer.provideMerge(
    Layer.mergeAll(Checkout.layer, Layer.succeed(CzCheckout, { goid: goids.CZ })),
    Layer.mergeAll(Gateway.layer(optionsOf("CZ")), Cz.layer(optionsOf("CZ")), Sk.layer(optionsOf("SK")))
  ).pipe(Layer.provide(anyGateway().layer))

  const goidOf = Effect.map(Checkout, ({ goid }) => goid)
  const built = Effect.provide(goidOf, Checkout.layer)

  const programs = {
    "provided to a program": built.pipe(Sk.provide),
    "provided to a stream": Stream.fromEffect(goidOf).pipe(
      Stream.provide(Checkout.layer),
      Sk.provideStream,
      Stream.runHead,
      Effect.map(Option.getOrUndefined)
    ),
    "provided to a program within one of the first merchant": built.pipe(Sk.provide, Cz.provide),
    "in a LayerMap that the program makes": Effect.scoped(
      Effect.gen(function* () {
        const desks = yield* LayerMap.fromRecord({ Brno: Checkout.layer })
        return yield* Effect.provide(goidOf, desks.get("Brno"))
      })
    ).pipe(Sk.provide),
    "provided by a layer's own program": Effect.map(Desk, ({ goid }) => goid).pipe(Effect.provide(Sk.over(Desk.layer)))
  }

  it.effect.each(Object.entries(programs))("is the second one's where it is %s of the second", ([, program]) =>
    Effect.map(Effect.provide(program, shop), (goid) => assert.strictEqual(goid, goids.SK))
  )

  it.each(Object.entries(programs))("is so in a ManagedRuntime, too, where it is %s", async (_, program) => {
    const runtime = ManagedRuntime.make(shop)
    assert.strictEqual(await runtime.runPromise(program), goids.SK)
    assert.strictEqual(await runtime.runPromise(goidOf), goids.CZ)
    await runtime.dispose()
  })
})

type Named = <A, E>(layer: Layer.Layer<A, E, Gateway>) => Layer.Layer<A, E, Cz | Sk>

describe("a constant layer that is named under two merchants", () => {
  const overBoth = Layer.provide(Layer.merge(Cz.layer(optionsOf("CZ")), Sk.layer(optionsOf("SK"))), anyGateway().layer)

  const goidsOfServices = (cz: Named, sk: Named) =>
    Effect.all([Effect.map(CzCheckout, ({ goid }) => goid), Effect.map(SkCheckout, ({ goid }) => goid)]).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.effect(CzCheckout, Checkout).pipe(Layer.provide(cz(Checkout.layer))),
          Layer.effect(SkCheckout, Checkout).pipe(Layer.provide(sk(Checkout.layer)))
        ).pipe(Layer.provide(overBoth))
      )
    )

  const below = (prefix: "/cz" | "/sk", named: Named) =>
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide(named(GroupLive)),
      Layer.provide(
        Layer.effect(
          HttpRouter.HttpRouter,
          Effect.map(HttpRouter.HttpRouter, (router) => router.prefixed(prefix))
        )
      )
    )

  const goidsOfGroups = async (cz: Named, sk: Named) => {
    const { dispose, handler } = HttpRouter.toWebHandler(
      Layer.mergeAll(below("/cz", cz), below("/sk", sk)).pipe(
        Layer.provide(overBoth),
        Layer.provide(HttpServer.layerServices)
      ),
      { disableLogger: true }
    )
    const read = async (shop: string) => (await handler(new Request(`http://shop.example/${shop}/goid`))).json()
    const answers = [await read("cz"), await read("sk")]
    await dispose()
    return answers
  }

  it.effect("is each one's by `over`", () =>
    Effect.map(goidsOfServices(Cz.over, Sk.over), (built) => assert.deepStrictEqual(built, [goids.CZ, goids.SK]))
  )

  it("is so, too, if it is the group of an HttpApi", async () => {
    assert.deepStrictEqual(await goidsOfGroups(Cz.over, Sk.over), [goids.CZ, goids.SK])
  })

  it("cannot be given a merchant's gateway by `Layer.provide`: a merchant has no layer of one", () => {
    type LayersOf<Class> = {
      [Name in keyof Class]-?: Class[Name] extends Layer.Layer<never, unknown, unknown> ? Name : never
    }[keyof Class]
    expectTypeOf<LayersOf<typeof Cz>>().toEqualTypeOf<"layerNoDeps">()
    expectTypeOf<LayersOf<typeof CzOfV4>>().toEqualTypeOf<"layerNoDeps">()
    expectTypeOf(Cz.layerNoDeps).toExtend<Layer.Layer<Cz, never, GatewayConfig | AccessToken | HttpClient.HttpClient>>()
  })

  it("needs its merchant, and what it needed besides", () => {
    const both = Layer.effect(Checkout, Effect.andThen(CzCheckout, Checkout.make))
    expectTypeOf(Checkout.layer.pipe(Cz.over)).toEqualTypeOf<Layer.Layer<Checkout, never, Cz>>()
    expectTypeOf(Sk.over(both)).toEqualTypeOf<Layer.Layer<Checkout, never, CzCheckout | Sk>>()
    const program = Effect.asVoid(Checkout)
    const run = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => effect
    const transport = anyGateway().layer
    const ofCz = Checkout.layer.pipe(Cz.over)
    const overOwn = Layer.provide(ofCz, Layer.provide(Cz.layer(optionsOf("CZ")), transport))
    const overOther = Layer.provide(ofCz, Layer.provide(Sk.layer(optionsOf("SK")), transport))
    run(Effect.provide(program, overOwn))
    // @ts-expect-error -- It is a layer of the other merchant.
    run(Effect.provide(program, overOther))
  })
})
