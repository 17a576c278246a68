import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { basic, openShop, refusalIn, requestToken, send, tokenIn } from "../../support/GatewayRequests.js"

const { clientId, clientSecret, goid } = LocalGateway.merchant
const secret = clientSecret

const readUnknownPayment = (authorization?: string) =>
  Effect.map(
    send("GET", "/api/payments/payment/100", authorization === undefined ? {} : { headers: { authorization } }),
    refusalIn
  )

const accepted = "404 G 304 PAYMENT_NOT_FOUND"
const denied = "403 G 200 UNAUTHORIZED_ACCESS"

describe("Access tokens", () => {
  it("the merchant's numbers look like real ones", () => {
    assert.match(String(goid), /^8\d{9}$/)
    assert.strictEqual(goid % 11, 0)
    assert.match(clientId, /^1\d{9}$/)
    assert.strictEqual(Number(clientId) % 11, 0)
    assert.match(secret, /^[A-Za-z0-9]{8}$/)
  })

  it.effect("come in the form of recorded responses", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* requestToken()
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "application/json")
      assert.match(
        body,
        /^\{"token_type":"bearer","access_token":"[A-Za-z0-9+/]{107}=","expires_in":1800,"refresh_token":"[A-Za-z0-9+/]{107}="\}$/
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("are given for credentials in either encoding", () =>
    Effect.gen(function* () {
      for (const authorization of [
        `Basic ${btoa(`${clientId}:${secret}`)}`,
        `Basic ${btoa(`${clientId}%3A${secret}`)}`,
        `basic ${btoa(`${clientId}:${secret}`)}`
      ]) {
        assert.strictEqual((yield* requestToken(authorization)).status, 200, authorization)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("are refused for wrong credentials, in the client's language", () =>
    Effect.gen(function* () {
      for (const authorization of [
        "",
        "Basic",
        "Basic !!!",
        `Basic ${btoa("")}`,
        `Basic ${btoa(`${clientId}:wrong`)}`,
        `Basic ${btoa(`:${secret}`)}`,
        `Bearer ${btoa(`${clientId}:${secret}`)}`
      ]) {
        const answer = yield* requestToken(authorization)
        assert.strictEqual(refusalIn(answer), "403 G 202 AUTH_WRONG_CREDENTIALS", authorization)
        assert.include(answer.body, `"message":"Wrong credentials. Try sign in again."}`)
      }
      const czech = yield* send("POST", "/api/oauth2/token", { headers: { "accept-language": "cs-CZ" } })
      assert.include(czech.body, `"message":"Chybné přihlašovací údaje. Pokuste se provést přihlášení znovu."}`)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("are refused for another grant", () =>
    Effect.gen(function* () {
      for (const body of ["", "scope=payment-all", "grant_type=password", `{"grant_type":"client_credentials"}`]) {
        const answer = yield* requestToken(basic, body)
        assert.strictEqual(refusalIn(answer), "403 G 201 AUTH_UNSUPPORTED_GRANT_TYPE", body)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("several hold at once, each for 30 minutes", () =>
    Effect.gen(function* () {
      const first = `Bearer ${tokenIn(yield* requestToken())}`
      yield* TestClock.adjust("10 minutes")
      const second = `Bearer ${tokenIn(yield* requestToken())}`
      yield* TestClock.adjust(20 * 60 * 1000 - 1)
      assert.deepStrictEqual(
        [yield* readUnknownPayment(first), yield* readUnknownPayment(second)],
        [accepted, accepted]
      )
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([yield* readUnknownPayment(first), yield* readUnknownPayment(second)], [denied, accepted])
      yield* requestToken()
      assert.deepStrictEqual([yield* readUnknownPayment(first), yield* readUnknownPayment(second)], [denied, accepted])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("missing, unknown or of another gateway, they give no access", () =>
    Effect.gen(function* () {
      const foreign = yield* Effect.provide(Effect.map(requestToken(), tokenIn), LocalGateway.layerWith({}))
      assert.strictEqual(yield* readUnknownPayment(), denied)
      assert.strictEqual(yield* readUnknownPayment("Bearer None"), denied)
      assert.strictEqual(yield* readUnknownPayment(`Bearer ${foreign}`), denied)
      assert.strictEqual(yield* readUnknownPayment(basic), denied)
      const token = tokenIn(yield* requestToken())
      assert.strictEqual(yield* readUnknownPayment(token), denied)
      assert.strictEqual(yield* readUnknownPayment(`bearer ${token}`), accepted)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("no operation works without one", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* LocalGateway.payByCard(id)
      const answer = yield* send("POST", `/api/payments/payment/${id}/refund`, { body: "amount=1" })
      assert.strictEqual(refusalIn(answer), denied)
      assert.strictEqual((yield* shop.read(id)).state, "PAID")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
