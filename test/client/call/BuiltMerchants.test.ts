/**
 * Two merchants that are one by mistake are named in one warning; whoever builds a merchant again hears nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as LayerMap from "effect/LayerMap"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { MerchantV4 } from "../../../src/client/v4/index.js"
import { AccessToken, GatewayConfig, Merchant } from "../../../src/index.js"
import { record } from "../../support/Recorder.js"
import { json, paid, scripted } from "../../support/ScriptedTransport.js"

class Cz extends Merchant.Service<Cz>()("shop/Cz") {}
class Sk extends Merchant.Service<Sk>()("shop/Sk") {}
class Copy extends Merchant.Service<Copy>()("shop/Cz") {}
class Cz4 extends MerchantV4.Service<Cz4>()("shop/Cz") {}
class Sk4 extends MerchantV4.Service<Sk4>()("shop/Sk") {}
class Copy4 extends MerchantV4.Service<Copy4>()("shop/Cz") {}

type Options = Record<"clientId" | "clientSecret" | "environment", string> & { goid: number; scope?: "payment-create" }

/** Merchants of one API, by the layers that build them. */
interface Merchants {
  readonly cz: (options: Options) => Built
  readonly sk: (options: Options) => Built
  /** Another class with the id of `cz`. */
  readonly copy: (options: Options) => Built
  readonly fromVariables: ReadonlyArray<Built>
}
type Built = Layer.Layer<never, unknown, HttpClient.HttpClient>

const merchantsOf: Record<"v3" | "v4", Merchants> = {
  v3: { cz: Cz.layer, sk: Sk.layer, copy: Copy.layer, fromVariables: [Cz.layerConfig(), Sk.layerConfig()] },
  v4: { cz: Cz4.layer, sk: Sk4.layer, copy: Copy4.layer, fromVariables: [Cz4.layerConfig(), Sk4.layerConfig()] }
}

const optionsOf = (goid: number): Options => ({
  goid,
  clientId: `client-of-${goid}`,
  clientSecret: "s3cr3tXY",
  environment: "https://gateway.example"
})

/** It stays open in the graph of the others. */
const third = Merchant.Service<"third">()("shop/Third").layer(optionsOf(8123456789))

const one = optionsOf(8123456781)
const other = optionsOf(8999999991)

const variables = ConfigProvider.layer(
  ConfigProvider.fromEnvRecord({
    GOPAY_GOID: String(one.goid),
    GOPAY_CLIENT_ID: one.clientId,
    GOPAY_CLIENT_SECRET: one.clientSecret,
    GOPAY_ENVIRONMENT: one.environment
  })
)

const transport = scripted(() => json(paid)).layer

/** What is said at warning or above while a program runs. */
const warningsOf = (program: () => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const recorder = record("Warn")
    yield* Effect.provide(program(), recorder.layer)
    return recorder.logs
  })

/** A LayerMap of merchants. Nobody takes their services out of it. */
const layerMapOf = <Key>(lookup: (key: Key) => Built, options?: { readonly idleTimeToLive: "1 hour" }) =>
  LayerMap.make((key: Key) => Layer.provideMerge(Layer.succeed(Nothing, "nothing"), lookup(key)), options)
class Nothing extends Context.Service<Nothing, "nothing">()("test/Nothing") {}

const built = (layer: Layer.Layer<never, unknown>) => Effect.scoped(Layer.build(layer))

const sameAccount =
  "The merchants shop/Cz and shop/Sk have the same GoID and ClientID, so one is paid for both: give each its own variables or options"
const sameId = `Two merchants have the id shop/Cz, so one is paid for both: give each an id of its own (GoIDs ${one.goid}, ${other.goid})`

describe.each(Object.entries(merchantsOf))("merchants of %s", (_, { copy, cz, fromVariables, sk }) => {
  const mistakes = {
    "two ids under the variables of one": [
      sameAccount,
      fromVariables.reduce((all, layer) => Layer.merge(all, layer)).pipe(Layer.provide(variables))
    ],
    "two ids with the same options": [sameAccount, Layer.merge(cz(one), sk(one))],
    "two ids, one provided to what the other is in": [
      sameAccount,
      Layer.effectDiscard(Effect.provide(Effect.void, cz(one))).pipe(Layer.provide(sk(one)))
    ],
    "two ids, each in a scope of its own": [sameAccount, Layer.merge(Layer.fresh(cz(one)), Layer.fresh(sk(one)))],
    "two classes with one id": [sameId, Layer.merge(cz(one), copy(other))]
  } as const

  it.effect.each(Object.entries(mistakes))("%s are named once", ([, [text, layer]]) =>
    Effect.gen(function* () {
      const warnings = yield* warningsOf(() => built(Layer.provide(layer, transport)))
      assert.deepStrictEqual(
        warnings.map(({ level, message }) => [level, [message].flat()[0]]),
        [["Warn", text]]
      )
      assert.containsAllKeys(warnings[0]?.annotations, ["gopay.goid", "gopay.merchant"])
    })
  )

  it.effect("a mistake is named once, however often one of the two is built again", () =>
    Effect.gen(function* () {
      const warnings = yield* warningsOf(() =>
        Effect.gen(function* () {
          const rebuilt = yield* layerMapOf(() => cz(one))
          for (const _ of [1, 2, 3]) yield* Effect.provide(Effect.void, rebuilt.get("cz"))
        }).pipe(Effect.scoped, Effect.provide(sk(one)), Effect.provide(transport))
      )
      assert.lengthOf(warnings, 1)
    })
  )

  const both = Layer.merge(cz(one), sk(other))

  const right = {
    "two accounts": () => built(Layer.provide(both, transport)),
    "one merchant that is built twice": () =>
      built(Layer.merge(cz(one), Layer.fresh(cz(one))).pipe(Layer.provide(transport))),
    "two classes of one id and account, as after a module is loaded again": () =>
      built(Layer.merge(cz(one), copy(one)).pipe(Layer.provide(transport))),
    "one class in a LayerMap of many accounts": () =>
      Effect.gen(function* () {
        const shops = yield* layerMapOf((goid: number) => cz(optionsOf(goid)), {
          idleTimeToLive: "1 hour"
        })
        for (const { goid } of [one, other, one]) yield* Effect.provide(Effect.void, shops.get(goid))
      }).pipe(Effect.scoped, Effect.provide(transport)),
    "a LayerMap that builds one again": () =>
      Effect.gen(function* () {
        const shops = yield* layerMapOf(() => cz(one))
        for (const _ of [1, 2]) yield* Effect.provide(Effect.void, shops.get("cz"))
      }).pipe(Effect.scoped, Effect.provide(sk(other)), Effect.provide(transport)),
    "an id that gets the account of one that is closed": () =>
      Effect.scoped(
        Effect.gen(function* () {
          const shops = yield* layerMapOf((id: "cz" | "sk") => (id === "cz" ? cz(one) : sk(one)))
          yield* Effect.provide(Effect.void, shops.get("cz"))
          yield* Effect.provide(Effect.void, shops.get("sk"))
        })
      ).pipe(Effect.provide(third), Effect.provide(transport)),
    "one account with two ClientIDs, or two scopes": () =>
      built(
        Layer.mergeAll(
          cz(one),
          sk({ ...one, clientId: "client-of-the-office" }),
          Layer.fresh(sk({ ...one, scope: "payment-create" }))
        ).pipe(Layer.provide(transport))
      ),
    "two environments": () =>
      built(Layer.merge(cz(one), sk({ ...one, environment: "https://other.example" })).pipe(Layer.provide(transport)))
  } satisfies Record<string, () => Effect.Effect<unknown, unknown>>

  it.effect.each(Object.entries(right))("nothing is said of %s", ([, program]) =>
    Effect.map(warningsOf(program), (warnings) => assert.deepStrictEqual(warnings, []))
  )

  it("nothing is said of programs that run at the same time, nor of a runtime that is made again", async () => {
    const recorder = record("Warn")
    const runtimes = [cz(one), sk(one), copy(other)].map((layer) =>
      ManagedRuntime.make(layer.pipe(Layer.provide(transport), Layer.provide(recorder.layer)))
    )
    await Promise.all(runtimes.map((runtime) => runtime.runPromise(Effect.void)))
    await Promise.all(runtimes.map((runtime) => runtime.dispose()))
    for (const _ of [1, 2]) {
      const again = ManagedRuntime.make(both.pipe(Layer.provide(transport), Layer.provide(recorder.layer)))
      await again.runPromise(Effect.void)
      await again.dispose()
    }
    assert.deepStrictEqual(recorder.logs, [])
  })
})

it.effect("a configuration and a token of one's own are compared, too", () =>
  Effect.gen(function* () {
    const ownToken = Layer.provideMerge(AccessToken.layer, GatewayConfig.layer(one))
    const layer = Layer.merge(Cz.layerNoDeps, Sk.layerNoDeps).pipe(Layer.provide(ownToken), Layer.provide(transport))
    const warnings = yield* warningsOf(() => built(layer))
    assert.deepStrictEqual(
      warnings.flatMap(({ message }) => message),
      [sameAccount]
    )
  })
)

it.effect("nothing is said of v3 and v4 of one merchant, under one id or two", () =>
  Effect.gen(function* () {
    const layer = Layer.mergeAll(Cz.layer(one), Cz4.layer(one), Sk4.layer(other), Copy.layer(one))
    assert.deepStrictEqual(yield* warningsOf(() => built(Layer.provide(layer, transport))), [])
    const renamed = Layer.merge(Cz.layer(one), Sk4.layer(one))
    assert.deepStrictEqual(yield* warningsOf(() => built(Layer.provide(renamed, transport))), [])
  })
)
