/**
 * Two merchants of API v4 in one program: however their layers are composed, neither is given the other's token or GoID.
 */
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Persistence from "effect/persistence/Persistence"
import * as V4 from "../../../src/client/v4/index.js"
import { acting, composedOnce, compositions, type Goid, merchants, remaking } from "../../support/Compositions.js"
import { orderV4, paymentId } from "../../support/GatewayV4.js"
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
  "AccessTokenV4.layerPersisted": (goid) =>
    V4.GatewayV4.layerNoDeps.pipe(
      Layer.provide(V4.AccessTokenV4.layerPersisted),
      Layer.provide(V4.GatewayConfigV4.layerConfig()),
      Layer.provide(environmentOf(goid)),
      Layer.provide(Persistence.layerMemory)
    )
}

const [first] = merchants

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
