/**
 * A token of the caller's own: `{ get, invalidate }` in place of the layers here.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  AccessToken,
  type AccessTokenService,
  Gateway,
  GatewayConfig,
  GatewayError,
  getPayment,
  refundPayment
} from "../../../src/index.js"
import { finished, json, merchant, paid, refusal, scripted, type SentRequest } from "../../support/ScriptedTransport.js"

const id = 3090066980

/** A vault that returns one token until that is invalidated, and then the next. */
const vault = (...tokens: ReadonlyArray<string>) => {
  const forgotten: Array<string> = []
  const service: AccessTokenService = {
    get: Effect.sync(() => Redacted.make(tokens[Math.min(forgotten.length, tokens.length - 1)] ?? "")),
    invalidate: (refused) => Effect.sync(() => void forgotten.push(Redacted.value(refused)))
  }
  return { service, forgotten }
}

const gatewayWith = (service: AccessTokenService, answer: (request: SentRequest) => Response) => {
  const transport = scripted(answer)
  const layer = Gateway.layerNoDeps.pipe(
    Layer.provide(Layer.succeed(AccessToken, service)),
    Layer.provide(GatewayConfig.layer(merchant)),
    Layer.provide(transport.layer)
  )
  return { layer, transport }
}

const tokensOf = (sent: ReadonlyArray<SentRequest>) => sent.map(({ headers }) => headers["authorization"])

describe("a token of one's own", () => {
  it.effect("is sent by every call, and the gateway is asked for none", () => {
    const { service } = vault("first")
    const { layer, transport } = gatewayWith(service, () => json(paid))
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* getPayment(id)
      assert.deepStrictEqual(tokensOf(transport.sent), ["Bearer first", "Bearer first"])
      assert.lengthOf(transport.tokenRequests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is invalidated when the gateway refuses it, and the next one is sent once, by a change too", () => {
    const { forgotten, service } = vault("first", "second")
    const { layer, transport } = gatewayWith(service, ({ headers }) =>
      headers["authorization"] === "Bearer second" ? json(finished) : refusal(401, 202)
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* refundPayment(id, { amount: 100 })).result, "FINISHED")
      assert.deepStrictEqual(tokensOf(transport.sent), ["Bearer first", "Bearer second"])
      assert.deepStrictEqual(forgotten, ["first"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is renewed once more when its turn comes again, long after the first time", () => {
    const { forgotten, service } = vault("first", "second", "third")
    let valid = "first"
    const { layer } = gatewayWith(service, ({ headers }) =>
      headers["authorization"] === `Bearer ${valid}` ? json(paid) : refusal(401, 202)
    )
    return Effect.gen(function* () {
      for (const next of ["first", "second", "third"]) {
        valid = next
        yield* getPayment(id)
      }
      assert.deepStrictEqual(forgotten, ["first", "second"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("that is refused whatever is done is given up soon", () => {
    const { service } = vault("first", "second", "third", "fourth")
    const { layer, transport } = gatewayWith(service, () => refusal(401, 202))
    return Effect.gen(function* () {
      const { reason } = yield* Effect.flip(getPayment(id))
      assert.strictEqual(reason._tag, "AuthenticationFailed")
      assert.deepStrictEqual(tokensOf(transport.sent), ["Bearer first", "Bearer second"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("fails the call as it failed itself, and nothing is sent", () => {
    const reason = { _tag: "GatewayUnavailable", isRetryable: true, message: "The vault is down." } as const
    const get = Effect.fail(new GatewayError({ operation: "getAccessToken", reason }))
    const { layer, transport } = gatewayWith({ get, invalidate: () => Effect.void }, () => json(finished))
    return Effect.gen(function* () {
      const error = yield* Effect.flip(refundPayment(id, { amount: 100 }))
      assert.strictEqual(error.reason._tag, "GatewayUnavailable")
      assert.include(error.reason.message, "The vault is down.")
      assert.lengthOf(transport.sent, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("may be a copy of a layer's with another way to get it", () => {
    const transport = scripted(() => json(paid))
    const counted: Array<string> = []
    const counting = Layer.effect(
      AccessToken,
      Effect.map(AccessToken, (service) => ({
        ...service,
        get: Effect.tap(service.get, () => Effect.sync(() => void counted.push("asked")))
      }))
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* getPayment(id)
      assert.lengthOf(counted, 2)
      assert.lengthOf(transport.tokenRequests, 1)
    }).pipe(
      Effect.provide(
        Gateway.layerNoDeps.pipe(
          Layer.provide(counting),
          Layer.provide(AccessToken.layer),
          Layer.provide(GatewayConfig.layer(merchant)),
          Layer.provide(transport.layer)
        )
      )
    )
  })
})
