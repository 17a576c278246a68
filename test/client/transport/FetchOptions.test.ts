/**
 * What the caller gives `fetch` besides the request, such as a `dispatcher` with a proxy or a certificate of its own.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { createGatewayClient, Gateway, getPayment } from "../../../src/index.js"
import { json, merchant, paid, tokenResponse } from "../../support/ScriptedTransport.js"

const id = 3090066980

const dispatcher = { dispatch: () => true }

/** Answers like a gateway, and keeps what it was given. */
const keepingFetch = () => {
  const inits: Array<RequestInit | undefined> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    inits.push(init)
    const url = input instanceof Request ? input.url : String(input)
    return url.endsWith("/oauth2/token") ? tokenResponse("token") : json(paid)
  }
  return { fetch, inits }
}

const check = (inits: ReadonlyArray<RequestInit | undefined>) => {
  for (const init of inits) {
    assert.strictEqual(init === undefined ? undefined : Reflect.get(init, "dispatcher"), dispatcher)
    assert.strictEqual(init?.redirect, "manual")
    assert.isTrue(new Headers(init?.headers).has("authorization"))
  }
}

describe("a dispatcher of the caller's", () => {
  const options = { dispatcher, redirect: "follow" } as const

  it.effect("is used for the token and for the call, and redirects are not followed: in the call's context", () => {
    const { fetch, inits } = keepingFetch()
    return Effect.gen(function* () {
      yield* getPayment(id)
      assert.lengthOf(inits, 2)
      check(inits)
    }).pipe(
      Effect.provideService(FetchHttpClient.RequestInit, options),
      Effect.provide(Gateway.layer(merchant)),
      Effect.provide(FetchHttpClient.layer),
      Effect.provideService(FetchHttpClient.Fetch, fetch)
    )
  })

  it.effect("is used when it is given to the layer of the client only", () => {
    const { fetch, inits } = keepingFetch()
    const layer = Gateway.layer(merchant).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, options))
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      assert.lengthOf(inits, 2)
      check(inits)
    }).pipe(Effect.provide(layer), Effect.provideService(FetchHttpClient.Fetch, fetch))
  })

  it("is used by a fetch of the caller's under createGatewayClient", async () => {
    const { fetch, inits } = keepingFetch()
    await using client = createGatewayClient({
      goid: 8123456781,
      clientId: "1234567890",
      clientSecret: "s3cr3tXY",
      environment: "https://gateway.example",
      fetch: (input, init) => fetch(input, Object.assign({ dispatcher }, init))
    })
    await client.getPayment(id)
    assert.lengthOf(inits, 2)
    check(inits)
  })
})
