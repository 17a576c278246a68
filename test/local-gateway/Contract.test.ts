import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as Client from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { mountLocalGateway } from "../../src/local-gateway/web.js"
import { contractOf } from "../support/ContractOnTheWeb.js"
import { everyProgram, order } from "../support/EveryProgram.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const wrongCredentials = (environment: string) =>
  Client.Gateway.layer({ ...LocalGateway.merchant, environment, clientSecret: Redacted.make("n0t-the-one") })

describe("the client and the local gateway agree", () => {
  it.live("in process, on every program", () =>
    everyProgram(LocalGateway.payByCard).pipe(
      Effect.provide(Client.Gateway.layer(LocalGateway.merchant)),
      Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce }))
    )
  )

  it.live("over HTTP, on every program", () =>
    Effect.gen(function* () {
      const { merchant } = yield* LocalGateway
      yield* everyProgram(LocalGateway.payByCard).pipe(
        Effect.provide(Layer.provide(Client.Gateway.layer(merchant), FetchHttpClient.layer))
      )
    }).pipe(Effect.provide(LocalGateway.layerServer({ settings: partsAtOnce })))
  )

  it.live("without a server and without Node, on every program", () =>
    Effect.promise(() => contractOf(mountLocalGateway))
  )

  it.live("over HTTP, through promises", () =>
    Effect.gen(function* () {
      const { merchant, payByCard } = yield* LocalGateway
      yield* Effect.promise(async () => {
        const gateway = Client.createGatewayClient(merchant)
        const { id } = await gateway.createPayment(order)
        await Effect.runPromise(payByCard(id))
        await gateway.refundPayment(id, { amount: 139_950 })
        assert.strictEqual((await gateway.getPayment(id)).state, "REFUNDED")
        const error: unknown = await gateway.refundPayment(id, { amount: 1 }).catch((error: unknown) => error)
        assert.isTrue(error instanceof Client.GatewayError)
        await gateway.close()
      })
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.effect("on wrong credentials, in the language of the client", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Client.getPayment(1))
      assert.strictEqual(error.reason._tag, "AuthenticationFailed")
      assert.include(error.message, "AUTH_WRONG_CREDENTIALS (202)")
    }).pipe(Effect.provide(wrongCredentials("http://localhost")), Effect.provide(LocalGateway.layer))
  )

  it.effect("on a token that expires while the client is idle", () =>
    Effect.gen(function* () {
      const { id } = yield* Client.createPayment(order)
      yield* Effect.forEach([1, 2, 3], () => Effect.andThen(Effect.sleep("40 minutes"), Client.getPayment(id))).pipe(
        Effect.forkChild
      )

      yield* TestClock.adjust("2 hours")
      const tokens = (yield* LocalGateway.listRequests).filter(({ path }) => path.endsWith("/oauth2/token"))
      const refused = (yield* LocalGateway.listRequests).filter(({ status }) => status >= 400)
      assert.strictEqual(tokens.length, 4)
      assert.deepStrictEqual(refused, [])
    }).pipe(Effect.provide(Client.Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
  )
})
