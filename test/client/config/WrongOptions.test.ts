/**
 * Wrong options fail the building of every layer in one manner.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import Database from "libsql"
import * as V4 from "../../../src/client/v4/index.js"
import { createGatewayClient, Gateway, GatewayConfig } from "../../../src/index.js"
import { fileStore, Ledger, makeLedger, PgLedger } from "../../../src/ledger/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { TestShop } from "../../../src/testing/index.js"

const merchant = Gateway.layer(LocalGateway.merchant).pipe(Layer.provide(LocalGateway.layer))

const store = fileStore(":memory:", { driver: Database })

/** An `SqlClient` of a database that a ledger cannot use. */
const sqlite = {
  unsafe: () => Effect.succeed([]),
  withoutTransforms: () => sqlite,
  withTransaction: <A, E, R>(self: Effect.Effect<A, E, R>) => self,
  transactionService: Ledger,
  onDialectOrElse: <A>({ orElse }: { readonly orElse: () => A }) => orElse()
}

/** What an untyped caller may pass. */
const untyped = (options: object): object => options

const layers: ReadonlyArray<
  readonly [name: string, layer: Layer.Layer<never, unknown>, fields: ReadonlyArray<string>]
> = [
  [
    "GatewayConfig.layer",
    GatewayConfig.layer({ goid: -1, clientId: "", clientSecret: Redacted.make("secret"), environment: "sandbox" }),
    ["goid", "clientId"]
  ],
  [
    "Gateway.layer",
    Gateway.layer({ ...LocalGateway.merchant, goid: -1, environment: "staging" }).pipe(
      Layer.provide(LocalGateway.layer)
    ),
    ["goid", "environment"]
  ],
  [
    "Gateway.layer of none",
    Reflect.apply(Gateway.layer, undefined, [null]).pipe(Layer.provide(LocalGateway.layer)),
    ["object"]
  ],
  [
    "Gateway.layerConfig",
    Gateway.layerConfig({ goid: Config.succeed(-1), clientId: Config.succeed("") }).pipe(
      Layer.provide(LocalGateway.layer)
    ),
    ["goid", "clientId", "GOPAY_ENVIRONMENT"]
  ],
  [
    "Ledger.layer",
    Ledger.layer({ store: store, concurrency: 0, escalateAfter: -1 }).pipe(Layer.provide(merchant)),
    ["concurrency", "escalateAfter"]
  ],
  [
    "Ledger.layer of SQLite with a schema",
    Ledger.layer({ store: store, schema: "shop" }).pipe(Layer.provide(merchant)),
    ["schema"]
  ],
  [
    "makeLedger",
    Layer.effectDiscard(makeLedger({ store: store, processName: "" })).pipe(Layer.provide(merchant)),
    ["processName"]
  ],
  [
    "PgLedger.layer of another database",
    PgLedger.layer({ sql: Effect.succeed(sqlite) }).pipe(Layer.provide(merchant)),
    ["sql"]
  ],
  [
    "LocalGateway.layerWith",
    LocalGateway.layerWith({ settings: { tokenLifetimeSeconds: 0, refundFee: -1 } }),
    ["tokenLifetimeSeconds", "refundFee"]
  ],
  [
    "LocalGateway.layerWith with what it does not know",
    LocalGateway.layerWith(untyped({ tokenLifetime: 1, onEvent: "print" })),
    ["tokenLifetime", "onEvent"]
  ],
  [
    "LocalGateway.layerServer",
    LocalGateway.layerServer({
      port: 99_999,
      host: "http://localhost",
      publicUrl: "gopay",
      allowHosts: ["a:1"],
      dataFile: ""
    }),
    ["port", "host", "publicUrl", "allowHosts", "dataFile"]
  ],
  ["LocalGateway.layerServer with a port that is none", LocalGateway.layerServer({ port: Number.NaN }), ["port"]],
  ["LocalGateway.layerServer with a seed as JSON", LocalGateway.layerServer(untyped({ seed: {} })), ["seed"]],
  ["TestShop.layer", TestShop.layer({ driver: Database, ledger: { readsPerSecond: 0 } }), ["readsPerSecond"]],
  [
    "TestShop.layer, of its gateway",
    TestShop.layer({ driver: Database, gateway: { notificationCopies: 99 } }),
    ["notificationCopies"]
  ]
]

describe("wrong options", () => {
  it.effect.each(layers)("fail the building of %s with a ConfigError that names them", ([, layer, fields]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
      assert.instanceOf(error, Config.ConfigError)
      for (const field of fields) assert.match(error.message, new RegExp(`\\b${field}\\b`))
    })
  )
})

describe("all that is wrong is named at once", () => {
  const wrong = { goid: "", clientId: "1", clientSecret: "x", environment: "http://gateway.example" }
  const untyped = { transformClient: "none", maxConcurrentRequests: 0 }
  const variables = ConfigProvider.layer(
    ConfigProvider.fromEnvRecord({
      GOPAY_GOID: "none",
      GOPAY_CLIENT_ID: "1",
      GOPAY_CLIENT_SECRET: "x",
      GOPAY_ENVIRONMENT: "http://gateway.example"
    })
  )

  const built: ReadonlyArray<
    readonly [name: string, layer: Layer.Layer<never, unknown, HttpClient.HttpClient>, fields: ReadonlyArray<string>]
  > = [
    [
      "an address without TLS, a limit and a transformation",
      Reflect.apply(Gateway.layer, undefined, [{ ...wrong, ...untyped }]),
      ["goid", "environment", "maxConcurrentRequests", "transformClient"]
    ],
    [
      "the same of v4, and a language",
      Reflect.apply(V4.GatewayV4.layer, undefined, [{ ...wrong, ...untyped, language: "CS" }]),
      ["goid", "environment", "maxConcurrentRequests", "transformClient", "language"]
    ],
    [
      "variables, and options from elsewhere",
      Layer.provide(
        Reflect.apply(Gateway.layerConfig, undefined, [
          {
            ...untyped,
            timeout: Config.Duration("SHOP_TIMEOUT"),
            scope: Config.succeed("")
          }
        ]),
        variables
      ),
      ["GOPAY_GOID", "GOPAY_ENVIRONMENT", "maxConcurrentRequests", "transformClient", "SHOP_TIMEOUT", "scope"]
    ],
    [
      "the variables of v4",
      V4.GatewayV4.layerConfig({ maxResponseBytes: Config.succeed(0) }).pipe(Layer.provide(variables)),
      ["GOPAY_GOID", "GOPAY_ENVIRONMENT", "maxResponseBytes"]
    ]
  ]

  it.effect.each(built)("%s", ([, layer, fields]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
      assert.instanceOf(error, Config.ConfigError)
      const named = Array.from(error.message.matchAll(/(?:^|; |\()(\w+): /g), ([, name]) => name)
      assert.sameMembers(named, Array.from(fields))
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it("by createGatewayClient, too", () => {
    assert.throws(
      () => createGatewayClient({ ...wrong, maxConcurrentRequests: 0 }),
      /goid: .*maxConcurrentRequests: .*environment: must use https/
    )
  })
})
