/**
 * What a `fetch` of the caller's may return for a change. Over `FetchHttpClient` the client gets the same response as we.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Gateway, OnUnknownOutcome, refundPayment } from "../../../src/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { credentials } from "../../support/Credentials.js"
import { id } from "../../support/OperationPrograms.js"
import { urlOf } from "../../support/ScriptedGateway.js"
import { finished, json, merchant, tokenResponse } from "../../support/ScriptedTransport.js"

/** What substitutes of `fetch` return. */
const responseLike = (status: number): Response => {
  const { headers } = json(finished)
  const buffer = (): Promise<ArrayBuffer> => json(finished).arrayBuffer()
  return Object.assign(Object.create(null), { status, headers, redirected: false, url: "", arrayBuffer: buffer })
}

const responses: Readonly<Record<string, () => Response>> = {
  "a response": () => json(finished),
  "a response that cannot be split, nor cloned": () => responseLike(200),
  "status 201": () => json(finished, 201),
  "status 204 with a body that is a stream": () => Object.defineProperty(json(finished), "status", { value: 204 }),
  "status 204": () => new Response(null, { status: 204 }),
  "status 600 with a body that is a stream": () => Object.defineProperty(json(finished), "status", { value: 600 }),
  "status 503": () => json(finished, 503)
}

const refund = { amount: 1 }

/** How the refund ends: its result, or the failure's text without what differs between clients. */
const ending = (fetch: typeof globalThis.fetch) => {
  const layer = Gateway.layer(merchant)
  return refundPayment(id, refund).pipe(
    Effect.map(({ result }) => result),
    Effect.catch((failure) => Effect.succeed(failure.message)),
    Effect.provide(layer),
    Effect.provide(FetchHttpClient.layer),
    Effect.provideService(FetchHttpClient.Fetch, fetch),
    Effect.provideService(OnUnknownOutcome, () => Effect.void)
  )
}

describe("a refund over FetchHttpClient ends as one of `createGatewayClient`, where the caller's fetch returns", () => {
  it.live.each(Object.entries(responses))("%s", ([, response]) =>
    Effect.gen(function* () {
      const fetch: typeof globalThis.fetch = async (input) =>
        urlOf(input).endsWith("/oauth2/token") ? tokenResponse("token") : response()
      const client = createGatewayClient({ ...credentials, environment: "https://gateway.example", fetch })
      const promised = yield* Effect.promise(() =>
        client.refundPayment(id, refund).then(
          ({ result }) => result,
          (failure: unknown) => (failure instanceof Error ? failure.message : failure)
        )
      )
      assert.strictEqual(yield* ending(fetch), promised)
    })
  )
})
