/**
 * Two merchants in one program: however their layers are composed, neither is given the other's token or GoID.
 */
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LayerMap from "effect/LayerMap"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Persistence from "effect/persistence/Persistence"
import type * as HttpClient from "effect/http/HttpClient"
import { AccessToken, createPayment, Gateway, GatewayConfig, type GatewayOptions } from "../../../src/index.js"
import { json, scripted, type ScriptedTransport, tokenResponse } from "../../support/ScriptedTransport.js"

const merchants = ["8123456781", "8999999991"] as const
type Goid = (typeof merchants)[number]

const clientIdOf = (goid: Goid): string => `client-of-${goid}`

/** A gateway that gives each merchant a token of its own, and takes whatever is created. */
const anyGateway = (): ScriptedTransport =>
  scripted(
    ({ body }) => {
      const { amount, currency, order_number } = JSON.parse(body)
      return json({ id: 3090066980, state: "CREATED", gw_url: "https://gw.example/1", amount, currency, order_number })
    },
    ({ headers }) =>
      tokenResponse(`token-of-${atob(headers["authorization"]?.replace("Basic ", "") ?? "").split(":")[0]}`)
  )

/** Whose GoID and whose token a payment was created with. */
const partiesOf = (transport: ScriptedTransport) =>
  transport.sent.map(({ body, headers }) => [
    JSON.parse(body).order_number,
    String(JSON.parse(body).target.goid),
    headers["authorization"]
  ])

const rightParties = (orders: ReadonlyArray<Goid>) =>
  orders.map((goid) => [goid, goid, `Bearer token-of-${clientIdOf(goid)}`])

/** The order's number is the merchant that it is meant for. */
const pay = (goid: Goid) =>
  createPayment({
    amount: 1_000,
    currency: "CZK",
    order_number: goid,
    callback: { return_url: "https://shop.example/return" }
  })

const environmentOf = (goid: Goid) =>
  ConfigProvider.layer(
    ConfigProvider.fromEnvRecord({
      GOPAY_GOID: goid,
      GOPAY_CLIENT_ID: clientIdOf(goid),
      GOPAY_CLIENT_SECRET: "s3cr3tXY",
      GOPAY_ENVIRONMENT: "https://gateway.example"
    })
  )

const optionsOf = (goid: Goid): GatewayOptions => ({
  goid,
  clientId: clientIdOf(goid),
  clientSecret: "s3cr3tXY",
  environment: "https://gateway.example"
})

type Shop = Layer.Layer<Gateway, unknown, HttpClient.HttpClient>

/** The ways to make a merchant's gateway. */
const ways: Readonly<Record<string, (goid: Goid) => Shop>> = {
  "Gateway.layer": (goid) => Gateway.layer(optionsOf(goid)),
  "Gateway.layerConfig": (goid) => Gateway.layerConfig.pipe(Layer.provide(environmentOf(goid))),
  "Gateway.layerNoDeps over constants": (goid) =>
    Gateway.layerNoDeps.pipe(
      Layer.provide(AccessToken.layer),
      Layer.provide(GatewayConfig.layerConfig),
      Layer.provide(environmentOf(goid))
    ),
  "Gateway.layerNoDeps over options": (goid) =>
    Gateway.layerNoDeps.pipe(Layer.provide(AccessToken.layer), Layer.provide(GatewayConfig.layer(optionsOf(goid)))),
  "AccessToken.layerPersisted": (goid) =>
    Gateway.layerNoDeps.pipe(
      Layer.provide(AccessToken.layerPersisted),
      Layer.provide(GatewayConfig.layerConfig),
      Layer.provide(environmentOf(goid)),
      Layer.provide(Persistence.layerMemory)
    )
}

class FirstShop extends Context.Service<FirstShop, Effect.Effect<unknown, unknown>>()("test/FirstShop") {}
class SecondShop extends Context.Service<SecondShop, Effect.Effect<unknown, unknown>>()("test/SecondShop") {}

const [first, second] = merchants

/** A part of a program that pays as one merchant. */
const payingAs = (goid: Goid) =>
  Effect.map(Effect.context<Gateway>(), (context): Effect.Effect<unknown, unknown> =>
    Effect.provide(pay(goid), context)
  )

const shopsOf = (way: (goid: Goid) => Shop) => ({
  firstShop: Layer.effect(FirstShop, payingAs(first)).pipe(Layer.provide(way(first))),
  secondShop: Layer.effect(SecondShop, payingAs(second)).pipe(Layer.provide(way(second)))
})

const payInBoth = Effect.gen(function* () {
  yield* Effect.flatten(FirstShop)
  yield* Effect.flatten(SecondShop)
  yield* Effect.flatten(FirstShop)
})

const both = rightParties([first, second, first])

describe.each(Object.entries(ways))("two merchants by %s", (_, way) => {
  it.live("merged into one graph", () => {
    const transport = anyGateway()
    const { firstShop, secondShop } = shopsOf(way)
    return Effect.gen(function* () {
      yield* payInBoth
      assert.deepStrictEqual(partiesOf(transport), both)
      assert.lengthOf(transport.tokenRequests, 2)
    }).pipe(Effect.provide(Layer.merge(firstShop, secondShop).pipe(Layer.provide(transport.layer))))
  })

  it.live("one within the other", () => {
    const transport = anyGateway()
    const { firstShop, secondShop } = shopsOf(way)
    return Effect.gen(function* () {
      yield* payInBoth
      assert.deepStrictEqual(partiesOf(transport), both)
    }).pipe(Effect.provide(secondShop.pipe(Layer.provideMerge(firstShop), Layer.provide(transport.layer))))
  })

  it.live("from a LayerMap, whose merchants each ask for one token", () => {
    const transport = anyGateway()
    class Shops extends LayerMap.Service<Shops>()("test/Shops", {
      lookup: (goid: Goid) => Layer.provide(Layer.orDie(way(goid)), transport.layer),
      idleTimeToLive: "1 hour"
    }) {}
    return Effect.gen(function* () {
      for (const goid of [first, second, first]) yield* Effect.provide(pay(goid), Shops.get(goid))
      assert.deepStrictEqual(partiesOf(transport), both)
      assert.lengthOf(transport.tokenRequests, 2)
    }).pipe(Effect.provide(Shops.layer))
  })

  it.live("in runtimes that share a memo map", () => {
    const transport = anyGateway()
    const memoMap = Layer.makeMemoMapUnsafe()
    const runtimeOf = (goid: Goid) => ManagedRuntime.make(Layer.provide(way(goid), transport.layer), { memoMap })
    return Effect.promise(async () => {
      const [one, other] = [runtimeOf(first), runtimeOf(second)]
      await one.runPromise(pay(first))
      await other.runPromise(pay(second))
      await one.runPromise(pay(first))
      await Promise.all([one.dispose(), other.dispose()])
      assert.deepStrictEqual(partiesOf(transport), both)
    })
  })

  it.live("provided one after the other", () => {
    const transport = anyGateway()
    return Effect.gen(function* () {
      for (const goid of [first, second, first]) yield* Effect.provide(pay(goid), way(goid))
      assert.deepStrictEqual(partiesOf(transport), both)
    }).pipe(Effect.provide(transport.layer))
  })

  it.live("one that is composed once asks for one token, whatever uses it", () => {
    const transport = anyGateway()
    const shop = way(first)
    const parts = Layer.merge(Layer.effect(FirstShop, payingAs(first)), Layer.effect(SecondShop, payingAs(first)))
    return Effect.gen(function* () {
      yield* payInBoth
      assert.deepStrictEqual(partiesOf(transport), rightParties([first, first, first]))
      assert.lengthOf(transport.tokenRequests, 1)
    }).pipe(Effect.provide(parts.pipe(Layer.provide(shop), Layer.provide(transport.layer))))
  })
})
