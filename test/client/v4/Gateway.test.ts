/**
 * The services of API v4: their configuration, their tokens, and requests of one's own.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as V4 from "../../../src/client/v4/index.js"
import { gatewayV4Over, paymentId } from "../../support/GatewayV4.js"
import { fetchFailure, json, merchant, scripted, type ScriptedTransport } from "../../support/ScriptedTransport.js"
import { settled, sharedStore, type SharedStore } from "../../support/SharedStore.js"

const variables = {
  GOPAY_GOID: "8123456781",
  GOPAY_CLIENT_ID: "1234567884",
  GOPAY_CLIENT_SECRET: "L0calGtw",
  GOPAY_ENVIRONMENT: "https://gateway.example"
}

const payment = {
  id: paymentId,
  state: "PAID",
  order_number: "1",
  amount: 1_000,
  currency: "CZK",
  payment_secret: "ps_1"
}

const link = { method: "POST", path: "/eshops/8123456781/links", kind: "change", body: { reusable: true } } as const

const answering = (answer: Parameters<typeof scripted>[0] = () => json(payment)): ScriptedTransport => scripted(answer)

const scopesAsked = ({ tokenRequests }: ScriptedTransport) =>
  tokenRequests.map(({ body }) => new URLSearchParams(body).get("scope"))

const over = <A, E>(
  program: Effect.Effect<A, E, V4.GatewayV4>,
  transport: ScriptedTransport
): Effect.Effect<A, unknown> => Effect.provide(program, gatewayV4Over(transport))

describe("GatewayV4.layerConfig", () => {
  const configured = (
    env: { readonly [name: string]: string },
    config?: Parameters<typeof V4.GatewayV4.layerConfig>[0]
  ) => {
    const transport = answering()
    const read = V4.getPayment(paymentId).pipe(
      Effect.provide(V4.GatewayV4.layerConfig(config).pipe(Layer.provide(transport.layer))),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
    )
    return { read, transport }
  }

  it.effect("takes the options from variables, but for those that are given", () =>
    Effect.gen(function* () {
      const { read, transport } = configured(
        { ...variables, SHOP_ID: "999", GOPAY_V4_SCOPE: "payment:read" },
        { clientId: Config.String("SHOP_ID") }
      )
      yield* read
      assert.deepStrictEqual(scopesAsked(transport), ["payment:read"])
      assert.strictEqual(transport.tokenRequests[0]?.headers["authorization"], `Basic ${btoa("999:L0calGtw")}`)
      assert.strictEqual(transport.sent[0]?.url, `https://gateway.example/gp-gw/api/4.0/payments/${paymentId}`)
    })
  )

  it.effect("does not read the language and the scope of v3", () =>
    Effect.gen(function* () {
      const { read, transport } = configured({ ...variables, GOPAY_LANGUAGE: "CS", GOPAY_SCOPE: "payment-all" })
      yield* read
      assert.deepStrictEqual(scopesAsked(transport), ["payment:write payment:read"])
    })
  )

  it.effect("takes the address of v3's API for that of the gateway", () =>
    Effect.gen(function* () {
      const { read, transport } = configured({ ...variables, GOPAY_ENVIRONMENT: "https://gateway.example/api/" })
      yield* read
      assert.strictEqual(transport.sent[0]?.url, `https://gateway.example/gp-gw/api/4.0/payments/${paymentId}`)
    })
  )

  it.effect("names every variable that is wrong", () =>
    Effect.gen(function* () {
      const { read } = configured({ ...variables, GOPAY_GOID: "shop", GOPAY_ENVIRONMENT: "nowhere" })
      const error = yield* Effect.flip(read)
      assert.include(String(error), "GOPAY_GOID")
      assert.include(String(error), "GOPAY_ENVIRONMENT")
    })
  )

  it.effect("changes the client as it is told", () =>
    Effect.gen(function* () {
      const transformClient = HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", "1"))
      const { read, transport } = configured(variables, { transformClient })
      yield* read
      assert.strictEqual(transport.sent[0]?.headers["x-shop"], "1")
      assert.strictEqual(transport.tokenRequests[0]?.headers["x-shop"], "1")
    })
  )
})

describe("AccessTokenV4", () => {
  /** A client in a process of its own, as far as tokens go. */
  const process = (transport: ScriptedTransport, store: SharedStore, scope?: string) =>
    Effect.map(
      Layer.build(
        Layer.fresh(V4.GatewayV4.layerNoDeps).pipe(
          Layer.provide(Layer.fresh(V4.AccessTokenV4.layerPersisted)),
          Layer.provide(V4.GatewayConfigV4.layer({ ...merchant, scope })),
          Layer.provide(store.layer),
          Layer.provide(transport.layer)
        )
      ),
      (context) => Effect.provideContext(V4.getPayment(paymentId), context)
    )

  /** Lets time pass until what was begun has ended. */
  const ended = <A, E>(call: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const begun = yield* Effect.forkChild(call)
      yield* Effect.repeat(Effect.andThen(settled, TestClock.adjust("50 millis")), {
        until: () => begun.pollUnsafe() !== undefined
      })
      return yield* Fiber.join(begun)
    })

  it.effect("is shared by processes whose scope is the same", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      yield* ended(yield* process(transport, store))
      yield* ended(yield* process(transport, store))
      assert.lengthOf(transport.tokenRequests, 1)
      yield* ended(yield* process(transport, store, "payment:read"))
      assert.deepStrictEqual(scopesAsked(transport), ["payment:write payment:read", "payment:read"])
    })
  )

  it.effect("may be the caller's own, which is told of a refusal", () =>
    Effect.gen(function* () {
      const dropped: Array<string> = []
      const own = Layer.succeed(V4.AccessTokenV4, {
        get: Effect.sync(() => Redacted.make(`own-${dropped.length}`)),
        invalidate: (refused) => Effect.sync(() => void dropped.push(Redacted.value(refused)))
      })
      const transport = answering(({ headers }) =>
        headers["authorization"] === "Bearer own-0" ? new Response("", { status: 401 }) : json(payment)
      )
      const read = yield* V4.getPayment(paymentId).pipe(
        Effect.provide(
          V4.GatewayV4.layerNoDeps.pipe(
            Layer.provide(own),
            Layer.provide(V4.GatewayConfigV4.layer(merchant)),
            Layer.provide(transport.layer)
          )
        )
      )
      assert.strictEqual(read.id, paymentId)
      assert.deepStrictEqual(dropped, ["own-0"])
      assert.lengthOf(transport.tokenRequests, 0)
    })
  )
})

describe("sendRequest of API v4", () => {
  it.effect("gives the JSON as it came, or decoded", () =>
    Effect.gen(function* () {
      const transport = answering(() => json({ id: "3405000001", url: "https://gateway.example/l/Ab" }, 201))
      assert.deepStrictEqual(yield* over(V4.sendRequest(link), transport), {
        id: "3405000001",
        url: "https://gateway.example/l/Ab"
      })
      const decoded = yield* over(V4.sendRequest(link, Schema.Struct({ id: Schema.String })), transport)
      assert.deepStrictEqual(decoded, { id: "3405000001" })
      assert.strictEqual(transport.sent[0]?.url, "https://gateway.example/gp-gw/api/4.0/eshops/8123456781/links")
      assert.strictEqual(transport.sent[0]?.body, `{"reusable":true}`)
    })
  )

  it.effect("leaves a change in doubt whose response is lost, and sends it once", () =>
    Effect.gen(function* () {
      const transport = answering(() => fetchFailure("ECONNRESET"))
      const [error, found] = yield* over(
        Effect.gen(function* () {
          const error = yield* Effect.flip(V4.sendRequest(link))
          if (error.reason._tag !== "OutcomeUnknown") return assert.fail(error.message)
          const stored = yield* V4.parseChangeRecordV4(JSON.stringify(error.reason.change))
          return [error, yield* V4.reconcile(stored)] as const
        }),
        transport
      )
      assert.deepInclude(error.reason._tag === "OutcomeUnknown" ? error.reason.change : {}, {
        operation: "v4.sendRequest",
        path: "/eshops/8123456781/links"
      })
      assert.deepInclude(found, { _tag: "CannotTell", why: "CustomRequest" })
      assert.lengthOf(transport.sent, 1)
      assert.strictEqual(V4.payerMessageV4(error, "en").nextStep, "wait")
    })
  )

  it.effect("is refused in the words of v4: what it is about is not known", () =>
    Effect.gen(function* () {
      const body = { code: 404, error: "NOT_FOUND", message: "no", detail: "", path: "/eshops/1/links" }
      const error = yield* over(
        Effect.flip(V4.sendRequest({ method: "GET", path: "/eshops/1/links", kind: "read" })),
        answering(() => json(body, 404))
      )
      assert.strictEqual(error.reason._tag, "OperationRefused")
    })
  )

  it.effect("is not sent when it says that it reads by POST, as no operation of v4 does", () =>
    Effect.gen(function* () {
      const transport = answering()
      const error = yield* over(Effect.flip(V4.sendRequest({ ...link, kind: "read" })), transport)
      assert.strictEqual(error.reason._tag, "InvalidRequest")
      assert.lengthOf(transport.sent, 0)
    })
  )

  it.effect("has a record that lacks nothing: without its path it is none, and the program fails", () =>
    Effect.gen(function* () {
      const sentAt = "2026-11-29T10:00:00Z"
      const problem = yield* Effect.flip(V4.parseChangeRecordV4({ operation: "v4.sendRequest", sentAt }))
      assert.instanceOf(problem, TypeError)
      assert.include(problem.message, "path: is required for v4.sendRequest")
      assert.include((yield* Effect.flip(V4.parseChangeRecordV4("no JSON"))).message, "the text is not JSON")
    })
  )
})
