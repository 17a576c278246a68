/**
 * Two merchants of API v4 in one program: however their layers are composed, neither is given the other's token or GoID.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as LayerMap from "effect/LayerMap"
import * as Persistence from "effect/persistence/Persistence"
import * as V4 from "../../../src/client/v4/index.js"
import { Merchant } from "../../../src/index.js"
import { acting, composedOnce, compositions, type Goid, merchants, remaking } from "../../support/Compositions.js"
import { orderV4, paymentId } from "../../support/GatewayV4.js"
import { record } from "../../support/Recorder.js"
import { json, scripted, type ScriptedTransport, tokenResponse } from "../../support/ScriptedTransport.js"

const clientIdOf = (goid: Goid): string => `client-of-${goid}`

/** A gateway that gives each merchant a token of its own, and takes whatever is created. */
const anyGateway = (): ScriptedTransport =>
  scripted(
    ({ body }) => {
      const { amount, currency, order_number } = JSON.parse(body)
      const links = { gw_url: "https://gw.example/1" }
      return json(
        { id: paymentId, state: "CREATED", payment_secret: "ps_1", ...links, amount, currency, order_number },
        201
      )
    },
    ({ headers }) =>
      tokenResponse(`token-of-${atob(headers["authorization"]?.replace("Basic ", "") ?? "").split(":")[0]}`)
  )

/** Whose GoID and whose token each order was sent with. */
const partiesOf = (transport: ScriptedTransport) =>
  transport.sent.map(({ body, headers, url }) => [
    JSON.parse(body).order_number,
    /\/eshops\/(\d+)\/payments$/.exec(url)?.[1],
    headers["authorization"]
  ])

const rightParties = (orders: ReadonlyArray<Goid>) =>
  orders.map((goid) => [goid, goid, `Bearer token-of-${clientIdOf(goid)}`])

/** The order's number is the merchant that it is meant for. */
const pay = (goid: Goid) => V4.createPayment({ ...orderV4, order_number: goid })

const environmentOf = (goid: Goid) =>
  ConfigProvider.layer(
    ConfigProvider.fromEnvRecord({
      GOPAY_GOID: goid,
      GOPAY_CLIENT_ID: clientIdOf(goid),
      GOPAY_CLIENT_SECRET: "s3cr3tXY",
      GOPAY_ENVIRONMENT: "https://gateway.example"
    })
  )

const optionsOf = (goid: Goid): V4.GatewayOptionsV4 => ({
  goid,
  clientId: clientIdOf(goid),
  clientSecret: "s3cr3tXY",
  environment: "https://gateway.example"
})

type Shop = Layer.Layer<V4.GatewayV4, unknown, HttpClient.HttpClient>

/** One constant for both merchants. */
const layerConfig = V4.GatewayV4.layerConfig()

class Cz extends V4.MerchantV4.Service<Cz>()("test/Cz") {}
class Sk extends V4.MerchantV4.Service<Sk>()("test/Sk") {}

const [cz, sk] = merchants

/** The ways to make a merchant's gateway. */
const ways: Readonly<Record<string, (goid: Goid) => Shop>> = {
  "GatewayV4.layer": (goid) => V4.GatewayV4.layer(optionsOf(goid)),
  "GatewayV4.make": (goid) => Layer.effect(V4.GatewayV4, V4.GatewayV4.make(optionsOf(goid))),
  "one GatewayV4.layerConfig": (goid) => layerConfig.pipe(Layer.provide(environmentOf(goid))),
  "GatewayV4.layerNoDeps over constants": (goid) =>
    V4.GatewayV4.layerNoDeps.pipe(
      Layer.provide(V4.AccessTokenV4.layer),
      Layer.provide(V4.GatewayConfigV4.layerConfig()),
      Layer.provide(environmentOf(goid))
    ),
  "MerchantV4.Service": (goid) =>
    goid === cz
      ? Layer.provide(Layer.effect(V4.GatewayV4, Cz), Cz.layer(optionsOf(goid)))
      : Layer.provide(Layer.effect(V4.GatewayV4, Sk), Sk.layer(optionsOf(goid))),
  "AccessTokenV4.layerPersisted": (goid) =>
    V4.GatewayV4.layerNoDeps.pipe(
      Layer.provide(V4.AccessTokenV4.layerPersisted),
      Layer.provide(V4.GatewayConfigV4.layerConfig()),
      Layer.provide(environmentOf(goid)),
      Layer.provide(Persistence.layerMemory)
    )
}

describe.each(Object.entries(ways))("two merchants by %s", (_, way) => {
  const over = (transport: ScriptedTransport) => ({
    shopOf: (goid: Goid) => Layer.provide(way(goid), transport.layer),
    act: pay
  })

  it.live.each(Object.entries(compositions))("%s", ([name, compose]) => {
    const transport = anyGateway()
    return Effect.map(compose(over(transport)), () => {
      assert.deepStrictEqual(partiesOf(transport), rightParties(acting))
      assert.lengthOf(transport.tokenRequests, remaking.has(name) ? acting.length : 2)
    })
  })

  it.live("one that is composed once asks for one token, whatever uses it", () => {
    const transport = anyGateway()
    return Effect.map(composedOnce(over(transport)), () => {
      assert.deepStrictEqual(partiesOf(transport), rightParties([cz, cz, cz]))
      assert.lengthOf(transport.tokenRequests, 1)
    })
  })
})

type Layers = Layer.Layer<Cz | Sk, unknown, HttpClient.HttpClient>

const ownToken = Layer.provideMerge(V4.AccessTokenV4.layer, V4.GatewayConfigV4.layerConfig())

/** Both merchants as services of one graph. */
const services = {
  layer: Layer.merge(Cz.layer(optionsOf(cz)), Sk.layer(optionsOf(sk))),
  layerConfig: Layer.merge(
    Cz.layerConfig().pipe(Layer.provide(environmentOf(cz))),
    Sk.layerConfig().pipe(Layer.provide(environmentOf(sk)))
  ),
  layerNoDeps: Layer.merge(
    Cz.layerNoDeps.pipe(Layer.provide(Layer.fresh(ownToken)), Layer.provide(environmentOf(cz))),
    Sk.layerNoDeps.pipe(Layer.provide(Layer.fresh(ownToken)), Layer.provide(environmentOf(sk)))
  )
} satisfies Record<string, Layers>

/** A service of a shop, whose layer is a constant. */
class Checkout extends Context.Service<Checkout>()("test/CheckoutV4", {
  make: Effect.map(V4.GatewayV4, ({ createPayment }) => ({
    pay: (goid: Goid) => createPayment({ ...orderV4, order_number: goid })
  }))
}) {
  static readonly layer = Layer.effect(Checkout, Checkout.make)
}
class CzCheckout extends Context.Service<CzCheckout, Checkout["Service"]>()("test/CzCheckoutV4") {
  static readonly layer = Layer.effect(CzCheckout, Checkout).pipe(Layer.provide(Cz.over(Checkout.layer)))
}
class SkCheckout extends Context.Service<SkCheckout, Checkout["Service"]>()("test/SkCheckoutV4") {
  static readonly layer = Layer.effect(SkCheckout, Checkout).pipe(Layer.provide(Sk.over(Checkout.layer)))
}

describe.each(Object.entries(services))("the services of two merchants by %s", (_, layers) => {
  it.live("are each paid what is theirs, at once, nested in each other, and over one token each", () => {
    const transport = anyGateway()
    return Effect.gen(function* () {
      yield* Effect.all([pay(cz).pipe(Cz.provide), pay(sk).pipe(Sk.provide)], { concurrency: 2 })
      // The inner merchant is the one that the program belongs to.
      yield* Cz.provide(Effect.andThen(V4.GatewayV4, Sk.provide(pay(sk))))
      yield* Cz.use(({ createPayment }) => createPayment({ ...orderV4, order_number: cz }))
      assert.sameDeepMembers(partiesOf(transport), rightParties([cz, sk, sk, cz]))
      assert.lengthOf(transport.tokenRequests, 2)
    }).pipe(Effect.provide(Layer.provide(layers, transport.layer)))
  })

  it.live("build a constant layer for each, merged and nested", () => {
    const transport = anyGateway()
    const act = Effect.gen(function* () {
      yield* (yield* CzCheckout).pay(cz)
      yield* (yield* SkCheckout).pay(sk)
    })
    return Effect.gen(function* () {
      yield* Effect.provide(act, Layer.merge(CzCheckout.layer, SkCheckout.layer))
      yield* Effect.provide(act, CzCheckout.layer.pipe(Layer.provideMerge(SkCheckout.layer)))
      assert.sameDeepMembers(partiesOf(transport), rightParties([cz, sk, cz, sk]))
    }).pipe(Effect.provide(Layer.provide(layers, transport.layer)))
  })

  it.live("are those of a constant layer that a LayerMap builds over each", () => {
    const transport = anyGateway()
    return Effect.gen(function* () {
      const checkouts = yield* LayerMap.make(
        (goid: Goid): Layer.Layer<Checkout, never, Cz | Sk> =>
          goid === cz ? Cz.over(Checkout.layer) : Sk.over(Checkout.layer),
        { idleTimeToLive: "1 hour" }
      )
      for (const goid of acting) {
        yield* Effect.provide(
          Checkout.use(({ pay }) => pay(goid)),
          checkouts.get(goid)
        )
      }
      assert.deepStrictEqual(partiesOf(transport), rightParties(acting))
      assert.lengthOf(transport.tokenRequests, 2)
    }).pipe(Effect.scoped, Effect.provide(Layer.provide(layers, transport.layer)))
  })
})

it.live("spans and metrics name the merchant, beside its service of v3 with the same id", () => {
  const recorder = record()
  const transport = anyGateway()
  class CzOfV3 extends Merchant.Service<CzOfV3>()("test/Cz") {}
  const both = Layer.mergeAll(services.layer, CzOfV3.layer(optionsOf(cz)))
  return Effect.gen(function* () {
    yield* Effect.all([pay(cz).pipe(Cz.provide), pay(sk).pipe(Sk.provide)])
    // A call of one merchant in a program of another one.
    yield* Cz.provide(Sk.use(({ createPayment }) => createPayment({ ...orderV4, order_number: sk })))
    assert.strictEqual(String(yield* CzOfV3.use(({ goid }) => goid)), cz)
    const calls = recorder
      .series()
      .flatMap((series) =>
        series.id === "gopay.client.calls" && series.type === "Counter"
          ? [[series.attributes?.["gopay.operation"], series.attributes?.["gopay.merchant"], series.state.count]]
          : []
      )
    assert.sameDeepMembers(calls, [
      ["getAccessToken", "test/Cz", 1],
      ["getAccessToken", "test/Sk", 1],
      ["v4.createPayment", "test/Cz", 1],
      ["v4.createPayment", "test/Sk", 2]
    ])
    assert.deepStrictEqual(
      recorder
        .attributesOf("v4.createPayment")
        .map(({ "gopay.goid": goid, "gopay.merchant": merchant }) => [goid, merchant]),
      [
        [cz, "test/Cz"],
        [sk, "test/Sk"],
        [sk, "test/Sk"]
      ]
    )
    assert.deepStrictEqual(
      recorder.attributesOf("getAccessToken").map(({ "gopay.merchant": merchant }) => merchant),
      ["test/Cz", "test/Sk"]
    )
  }).pipe(Effect.provide(Layer.provideMerge(both, transport.layer)), Effect.provide(recorder.layer))
})

it("a program of one merchant does not compile over another one's gateway", () => {
  const transport = anyGateway().layer
  const run = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> => program
  run(Effect.provide(pay(cz).pipe(Cz.provide), Layer.provide(Cz.layer(optionsOf(cz)), transport)))
  // @ts-expect-error -- It is a program of the other merchant.
  run(Effect.provide(pay(cz).pipe(Cz.provide), Layer.provide(Sk.layer(optionsOf(sk)), transport)))
  expectTypeOf(Cz.over(Checkout.layer)).toEqualTypeOf<Layer.Layer<Checkout, never, Cz>>()
})

it.live("a client may be transformed for some calls", () => {
  const transport = anyGateway()
  return Effect.gen(function* () {
    const marked = V4.withClientTransform(HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", "cz")))
    yield* pay(cz).pipe(marked)
    yield* pay(cz)
    assert.deepStrictEqual(
      transport.sent.map(({ headers }) => headers["x-shop"]),
      ["cz", undefined]
    )
  }).pipe(Effect.provide(V4.GatewayV4.layer(optionsOf(cz))), Effect.provide(transport.layer))
})
