import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { basicCredentials, checkOptions } from "../../../src/client/config/GatewayOptions.js"
import { Gateway, GatewayConfig, type GatewayOptions, getEmbedJsUrl, getPayment } from "../../../src/index.js"
import { json, merchant, paid, scripted } from "../../support/ScriptedTransport.js"

const transport = scripted(() => json(paid))

const settings = (options: Partial<GatewayOptions>) =>
  GatewayConfig.use(Effect.succeed).pipe(Effect.provide(GatewayConfig.layer({ ...merchant, ...options })))

const problem = (options: { readonly [option: string]: unknown }) =>
  Effect.map(Effect.flip(settings(options)), (error) => error.message)

const fromEnvironment = (env: Record<string, string>) =>
  GatewayConfig.use(Effect.succeed).pipe(
    Effect.provide(GatewayConfig.layerConfig()),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)))
  )

const environment = {
  GOPAY_GOID: "8123456781",
  GOPAY_CLIENT_ID: "1234567890",
  GOPAY_CLIENT_SECRET: "s3cr3tXY",
  GOPAY_ENVIRONMENT: "sandbox"
}

describe("the configuration", () => {
  it.effect.each([
    ["sandbox", "https://gw.sandbox.gopay.com/api"],
    ["production", "https://gate.gopay.cz/api"],
    ["https://proxy.example/gopay", "https://proxy.example/gopay/api"],
    ["https://proxy.example/gopay/api/", "https://proxy.example/gopay/api"],
    ["https://shop.example/api/gopay", "https://shop.example/api/gopay/api"],
    [" https://proxy.example/gopay/ ", "https://proxy.example/gopay/api"],
    ["http://localhost:4646", "http://localhost:4646/api"],
    ["http://127.0.0.1:4646/api", "http://127.0.0.1:4646/api"],
    ["http://[::1]:4646", "http://[::1]:4646/api"]
  ] as const)("of environment %s means the API at %s", ([environment, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* settings({ environment })).baseUrl, expected)
    })
  )

  it.effect("has the defaults that the specification and the official SDKs have", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* settings({}), { language: "EN", scope: "payment-all", goid: 8123456781 })
      assert.strictEqual((yield* settings({ goid: "8123456781" })).goid, 8123456781)
    })
  )

  it.effect.each([
    ["environment", "test"],
    ["environment", "ftp://gateway.example"],
    ["environment", "https://user:pass@gateway.example"],
    ["environment", "https://gateway.example/?a=1"],
    ["environment", "http://gateway.example"],
    ["environment", "http://localhost.evil.example"],
    ["environment", "https://gateway.example/gp-gw/api/4.0/"],
    ["environment", undefined],
    ["goid", "abc"],
    ["goid", -1],
    ["goid", "12345678901234567890"],
    ["clientId", ""],
    ["clientId", "a:b"],
    ["clientSecret", ["plain text"]],
    ["clientSecret", Redacted.make("")],
    ["language", ""],
    ["scope", "a\nb"],
    ["timeout", 0],
    ["timeout", Infinity],
    ["timeout", "soon"],
    ["maxResponseBytes", 0],
    ["maxResponseBytes", 1.5],
    ["maxResponseBytes", "1 MB"],
    ["maxConcurrentRequests", 0],
    ["maxConcurrentRequests", 2.5],
    ["maxConcurrentRequests", Infinity],
    ["userAgent", "čeština"],
    ["userAgent", "shop ď"],
    ["userAgent", "shop\u0007"],
    ["isProductionMode", true]
  ] as const)("refuses %s: %j, by its name", ([option, value]) =>
    Effect.gen(function* () {
      const message = yield* problem({ [option]: value })
      assert.include(message, option)
      assert.notInclude(message, "plain text")
    })
  )

  it.effect("allows plain http elsewhere only when told so", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* settings({ environment: "http://gateway.example", allowInsecure: true })
      assert.strictEqual(baseUrl, "http://gateway.example/api")
    })
  )

  it.effect("allows it by a variable, which is true or false", () =>
    Effect.gen(function* () {
      const elsewhere = { ...environment, GOPAY_ENVIRONMENT: "http://gopay:4646" }
      const { baseUrl } = yield* fromEnvironment({ ...elsewhere, GOPAY_ALLOW_INSECURE: "true" })
      assert.strictEqual(baseUrl, "http://gopay:4646/api")
      const refused = yield* Effect.flip(fromEnvironment({ ...elsewhere, GOPAY_ALLOW_INSECURE: "false" }))
      assert.include(refused.message, "GOPAY_ALLOW_INSECURE=true")
      const wrong = yield* Effect.flip(fromEnvironment({ ...environment, GOPAY_ALLOW_INSECURE: "maybe" }))
      assert.include(wrong.message, "GOPAY_ALLOW_INSECURE")
    })
  )

  it.effect("comes from environment variables", () =>
    Effect.gen(function* () {
      const minimal = yield* fromEnvironment(environment)
      assert.deepInclude(minimal, {
        goid: 8123456781,
        clientId: "1234567890",
        baseUrl: "https://gw.sandbox.gopay.com/api",
        language: "EN",
        scope: "payment-all"
      })
      assert.strictEqual(Redacted.value(minimal.clientSecret), "s3cr3tXY")
      const empty = yield* fromEnvironment({ ...environment, GOPAY_LANGUAGE: "", GOPAY_SCOPE: "" })
      assert.deepInclude(empty, { language: "EN", scope: "payment-all" })
      const full = yield* fromEnvironment({
        ...environment,
        GOPAY_ENVIRONMENT: "http://127.0.0.1:4646",
        GOPAY_LANGUAGE: "CS",
        GOPAY_SCOPE: "payment-create"
      })
      assert.deepInclude(full, { baseUrl: "http://127.0.0.1:4646/api", language: "CS", scope: "payment-create" })
    })
  )

  it.effect.each(Object.keys(environment))("fails by name when %s is missing", (name) =>
    Effect.gen(function* () {
      const { [name]: _, ...others } = environment as Record<string, string>
      assert.include((yield* Effect.flip(fromEnvironment(others))).message, name)
    })
  )

  it.effect.each([
    ["GOPAY_GOID", "abc"],
    ["GOPAY_CLIENT_SECRET", ""],
    ["GOPAY_ENVIRONMENT", "staging"],
    ["GOPAY_ENVIRONMENT", "http://gateway.example"],
    ["GOPAY_LANGUAGE", "cs_CZ"],
    ["GOPAY_SCOPE", "payment-all "]
  ] as const)("fails by name when %s is %j", ([name, value]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(fromEnvironment({ ...environment, [name]: value }))
      assert.include(message, name)
      assert.notInclude(message, "s3cr3tXY")
    })
  )

  it.effect("names every variable that is missing or wrong at once, in plain words", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(fromEnvironment({ GOPAY_GOID: "abc", GOPAY_ENVIRONMENT: "sandbox" }))
      assert.include(message, "GOPAY_GOID: must be a positive integer up to 9007199254740991, or its digits as text")
      assert.include(message, "GOPAY_CLIENT_ID: is required")
      assert.include(message, "GOPAY_CLIENT_SECRET: is required")
      assert.notInclude(message, "GOPAY_ENVIRONMENT")
    })
  )

  it.effect("names variables with the prefix of a nested provider", () =>
    Effect.gen(function* () {
      const nested = ConfigProvider.fromEnvRecord({
        SHOP_B_GOPAY_GOID: "abc",
        SHOP_B_GOPAY_ENVIRONMENT: "sandbox"
      }).pipe(ConfigProvider.nested("SHOP_B"))
      for (const provider of [nested, ConfigProvider.orElse(nested, ConfigProvider.fromEnvRecord({}))]) {
        const { message } = yield* GatewayConfig.pipe(
          Effect.provide(GatewayConfig.layerConfig()),
          Effect.provide(ConfigProvider.layer(provider)),
          Effect.flip
        )
        assert.include(message, "SHOP_B_GOPAY_GOID: must be a positive integer")
        assert.include(message, "SHOP_B_GOPAY_CLIENT_ID: is required")
        assert.include(message, "SHOP_B_GOPAY_CLIENT_SECRET: is required")
      }
    })
  )

  it.effect("takes options from a Config of their own, and the others from their variables", () =>
    Effect.gen(function* () {
      const { clientId, clientSecret, language, readTimeout } = yield* GatewayConfig
      assert.deepStrictEqual([clientId, Redacted.value(clientSecret)], ["own-id", "own-secret"])
      assert.strictEqual(language, "SK")
      assert.strictEqual(Duration.toSeconds(readTimeout), 5)
    }).pipe(
      Effect.provide(
        GatewayConfig.layerConfig({
          clientId: Config.String("OWN_ID"),
          clientSecret: Config.Redacted("OWN_SECRET"),
          language: Config.String("OWN_LANGUAGE").pipe(Config.withDefault("SK")),
          timeout: Config.Duration("OWN_TIMEOUT"),
          scope: undefined
        })
      ),
      Effect.provide(
        ConfigProvider.layer(
          ConfigProvider.fromEnvRecord({
            GOPAY_GOID: "8123456781",
            GOPAY_ENVIRONMENT: "sandbox",
            GOPAY_CLIENT_ID: "another:one",
            OWN_ID: "own-id",
            OWN_SECRET: "own-secret",
            OWN_TIMEOUT: "5 seconds"
          })
        )
      )
    )
  )

  it.effect("names an option whose Config gives what it cannot be, and one that is no Config", () =>
    Effect.gen(function* () {
      const problemOf = (options: object) =>
        GatewayConfig.pipe(
          Effect.provide(GatewayConfig.layerConfig(options)),
          Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))),
          Effect.flip,
          Effect.map(({ message }) => message)
        )
      assert.include(yield* problemOf({ clientId: Config.succeed("a:b") }), "clientId: must be the ClientID")
      assert.include(yield* problemOf({ timeout: Config.succeed(0) }), "timeout: must be a finite time")
      assert.include(yield* problemOf({ clientSecret: Config.Redacted("OWN_SECRET") }), "OWN_SECRET: is required")
      assert.include(yield* problemOf({ maxResponseBytes: Config.Int("OWN_LIMIT") }), "OWN_LIMIT: is required")
      assert.include(yield* problemOf({ clientSecret: "plain text" }), "clientSecret: must be a Config")
      assert.include(yield* problemOf({ clientSecret: Config.succeed(" ") }), "clientSecret: must be the ClientSecret")
      for (const end of ["\n", "\r\n", "\t"]) {
        const problem = yield* problemOf({ clientSecret: Config.succeed(`secret${end}`) })
        assert.include(problem, "clientSecret: must have no line break and no other control character")
      }
      assert.include(yield* problemOf({ lang: Config.succeed("CS") }), "lang")
    })
  )

  it.effect("never shows the client's secret", () =>
    Effect.gen(function* () {
      const shown = yield* settings({})
      assert.notInclude(JSON.stringify(shown), "s3cr3tXY")
      assert.notInclude(`${Redacted.isRedacted(shown.clientSecret)} ${inspect(shown)}`, "s3cr3tXY")
    })
  )

  it.effect("makes a gateway from the environment's variables too", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* getEmbedJsUrl, "https://gw.sandbox.gopay.com/gp-gw/js/embed.js")
      assert.strictEqual((yield* getPayment(paid.id)).id, paid.id)
    }).pipe(
      Effect.provide(Layer.provide(Gateway.layerConfig(), transport.layer)),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
    )
  )

  it.effect.each([
    ["production", "https://gate.gopay.cz/gp-gw/js/embed.js"],
    ["http://localhost:4646/api", "http://localhost:4646/gp-gw/js/embed.js"]
  ] as const)("tells the embed script's address (%s)", ([environment, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* getEmbedJsUrl, expected)
    }).pipe(Effect.provide(Layer.provide(Gateway.layer({ ...merchant, environment }), transport.layer)))
  )
})

describe("the settings that options make", () => {
  const settingsOf = (options: object = {}) => Result.getOrThrow(checkOptions({ ...merchant, ...options }))
  const wrong = (options: object) => {
    const checked = checkOptions({ ...merchant, ...options })
    return Result.isFailure(checked) ? checked.failure.map(({ field }) => field) : []
  }
  const seconds = (time: Duration.Duration) => Duration.toSeconds(time)

  it("are these where nothing else is said", () => {
    const { changeTimeout, readTimeout, ...others } = settingsOf()
    assert.deepStrictEqual([seconds(readTimeout), seconds(changeTimeout)], [30, 120])
    assert.deepInclude(others, {
      maxJsonBytes: 4 * 1024 * 1024,
      maxFileBytes: 64 * 1024 * 1024,
      maxConcurrentRequests: 100
    })
    assert.notInclude(others.userAgent, "undefined")
  })

  it("are the options otherwise, down to the least of them", () => {
    const { changeTimeout, readTimeout, ...others } = settingsOf({
      timeout: "5 seconds",
      maxResponseBytes: 1,
      maxConcurrentRequests: 1,
      userAgent: "shop/1"
    })
    assert.deepStrictEqual([seconds(readTimeout), seconds(changeTimeout)], [5, 5])
    assert.deepInclude(others, { maxJsonBytes: 1, maxFileBytes: 1, maxConcurrentRequests: 1 })
    assert.match(others.userAgent, / shop\/1$/)
    assert.strictEqual(atob(Redacted.value(basicCredentials(settingsOf()))), "1234567890:s3cr3tXY")
  })

  it.each([1, "1 milli", Duration.seconds(1)])("take %s for a time limit", (timeout) => {
    assert.deepStrictEqual(wrong({ timeout }), [])
  })

  it.each([0, -1, Number.NaN, Infinity, Duration.zero, Duration.infinity, "soon", null, true])(
    "do not take %s for one",
    (timeout) => {
      assert.deepStrictEqual(wrong({ timeout }), ["timeout"])
    }
  )

  it.each([
    "https://user@gateway.example",
    "https://:password@gateway.example",
    "https://gateway.example/?a",
    "http://1127.0.0.1"
  ])("do not take %s for the gateway's address", (environment) => {
    assert.deepStrictEqual(wrong({ environment }), ["environment"])
  })
})
