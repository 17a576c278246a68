/**
 * Two merchants as two services: a program says whose it is, and does not compile over another one's gateway.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
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
import { id } from "../../support/OperationPrograms.js"
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

const ways: Readonly<Record<string, Layers>> = {
  layer: Layer.merge(Cz.layer(optionsOf("CZ")), Sk.layer(optionsOf("SK"))),
  layerConfig: Layer.merge(
    Cz.layerConfig().pipe(Layer.provide(environmentOf("CZ"))),
    Sk.layerConfig().pipe(Layer.provide(environmentOf("SK")))
  ),
  layerNoDeps: Layer.merge(
    Cz.layerNoDeps.pipe(Layer.provide(Layer.fresh(ownToken)), Layer.provide(environmentOf("CZ"))),
    Sk.layerNoDeps.pipe(Layer.provide(Layer.fresh(ownToken)), Layer.provide(environmentOf("SK")))
  )
}

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
      yield* Stream.runDrain(watchPaymentStates(id).pipe(Stream.provide(Cz.asGateway)))
      yield* Effect.provide(getPayment(id), Sk.asGateway)
      assert.deepStrictEqual(
        transport.sent.map(({ headers }) => headers["authorization"]),
        ["CZ", "SK", "CZ", "SK"].map((shop) => `Bearer token-of-client-of-${shop}`)
      )
    }).pipe(Effect.provide(Layer.provide(layers, transport.layer)))
  })
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
