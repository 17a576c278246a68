/**
 * Two merchants in one program: however their layers are composed, neither is given the other's token or GoID.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LayerMap from "effect/LayerMap"
import * as Persistence from "effect/persistence/Persistence"
import type * as HttpClient from "effect/http/HttpClient"
import { AccessToken, createPayment, Gateway, GatewayConfig, type GatewayOptions } from "../../../src/index.js"
import { acting, composedOnce, compositions, type Goid, merchants, remaking } from "../../support/Compositions.js"
import { json, scripted, type ScriptedTransport, tokenResponse } from "../../support/ScriptedTransport.js"

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

/** One constant for both merchants. */
const layerConfig = Gateway.layerConfig()

/** The ways to make a merchant's gateway. */
const ways: Readonly<Record<string, (goid: Goid) => Shop>> = {
  "Gateway.layer": (goid) => Gateway.layer(optionsOf(goid)),
  "Gateway.make": (goid) => Layer.effect(Gateway, Gateway.make(optionsOf(goid))),
  "Gateway.layerConfig": (goid) => Gateway.layerConfig().pipe(Layer.provide(environmentOf(goid))),
  "one Gateway.layerConfig": (goid) => layerConfig.pipe(Layer.provide(environmentOf(goid))),
  "Gateway.layerConfig with an option": (goid) =>
    Gateway.layerConfig({ clientId: Config.succeed(clientIdOf(goid)) }).pipe(Layer.provide(environmentOf(goid))),
  "Gateway.layerNoDeps over constants": (goid) =>
    Gateway.layerNoDeps.pipe(
      Layer.provide(AccessToken.layer),
      Layer.provide(GatewayConfig.layerConfig()),
      Layer.provide(environmentOf(goid))
    ),
  "Gateway.layerNoDeps over options": (goid) =>
    Gateway.layerNoDeps.pipe(Layer.provide(AccessToken.layer), Layer.provide(GatewayConfig.layer(optionsOf(goid)))),
  "constants that are each made fresh": (goid) =>
    Layer.fresh(Gateway.layerNoDeps).pipe(
      Layer.provide(Layer.fresh(AccessToken.layer)),
      Layer.provide(Layer.fresh(GatewayConfig.layerConfig())),
      Layer.provide(environmentOf(goid))
    ),
  "AccessToken.layerPersisted": (goid) =>
    Gateway.layerNoDeps.pipe(
      Layer.provide(AccessToken.layerPersisted),
      Layer.provide(GatewayConfig.layerConfig()),
      Layer.provide(environmentOf(goid)),
      Layer.provide(Persistence.layerMemory)
    )
}

const [first, second] = merchants

/** The mistake that the guide to several shops warns of. */
describe("a constant that is composed of a merchant's gateway", () => {
  const paying = (transport: ScriptedTransport, concurrency: number) =>
    Effect.gen(function* () {
      const composed = layerConfig.pipe(Layer.provide(transport.layer))
      const shops = yield* LayerMap.make((goid: Goid) => composed.pipe(Layer.provide(environmentOf(goid))))
      yield* Effect.forEach([first, second], (goid) => Effect.provide(pay(goid), shops.get(goid)), { concurrency })
      return partiesOf(transport)
    }).pipe(Effect.scoped)

  it.live("is right in a test that runs one merchant after the other, which hides it", () =>
    Effect.map(paying(anyGateway(), 1), (parties) => assert.deepStrictEqual(parties, rightParties([first, second])))
  )

  it.live("gives both payments to one of them in a test that runs both at once", () =>
    Effect.map(paying(anyGateway(), 2), (parties) => {
      assert.lengthOf(parties, 2)
      assert.lengthOf(new Set(parties.map(([, goid]) => goid)), 1)
    })
  )
})

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
      assert.deepStrictEqual(partiesOf(transport), rightParties([first, first, first]))
      assert.lengthOf(transport.tokenRequests, 1)
    })
  })
})
