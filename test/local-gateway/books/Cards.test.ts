import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { openShop } from "../../support/GatewayRequests.js"

const storing = Effect.gen(function* () {
  const shop = yield* openShop
  const { id } = yield* shop.create({ payer: { request_card_token: true } })
  yield* LocalGateway.payByCard(id)
  const { payer } = yield* shop.read(id)
  return { shop, payer, card: payer?.payment_card, path: `/payments/cards/${payer?.card_id}` }
})

describe("Stored cards", () => {
  it.effect("a card is stored when that was asked for, and the payment tells its token and id", () =>
    Effect.gen(function* () {
      const { card, payer, path, shop } = yield* storing
      assert.match(String(payer?.card_id), /^3\d{9}$/)
      const { body, status } = yield* shop.get(path)
      assert.strictEqual(status, 200)
      assert.strictEqual(
        body,
        `{"card_id":${payer?.card_id},"card_number":"444444******4448","card_expiration":"3912","card_brand":"Visa Gold","card_issuer_country":"POL","card_issuer_bank":"CREDIT AGRICOLE BANK POLSKA, S.A.","card_fingerprint":"${card?.card_fingerprint}","card_token":"${card?.card_token}","status":"ACTIVE","real_masked_pan":"444444******4448"}`
      )
      assert.strictEqual(card?.["3ds_result"], "Y/Y")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a deleted card is 204 without a body, again and again, and can still be read", () =>
    Effect.gen(function* () {
      const { path, shop } = yield* storing
      for (let time = 0; time < 2; time++) {
        const { body, headers, status } = yield* shop.remove(path)
        assert.deepStrictEqual([status, body, headers["content-type"]], [204, "", undefined])
        assert.include((yield* shop.get(path)).body, `"status":"DELETED"`)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("an identification payment stores its card too", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ payer: { verify_pin: "1234" } })
      yield* LocalGateway.payByCard(id)
      assert.isDefined((yield* shop.read(id)).payer?.payment_card?.card_token)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a stored card pays again by its token, until it is deleted", () =>
    Effect.gen(function* () {
      const { card, path, shop } = yield* storing
      const payAgain = Effect.gen(function* () {
        const { id } = yield* shop.create({ payer: { allowed_card_token: card?.card_token } })
        yield* LocalGateway.payByCard(id, { card: "4188030000000003" })
        return (yield* shop.read(id)).payer?.payment_card
      })
      assert.deepStrictEqual(yield* payAgain, card)
      yield* shop.remove(path)
      const other = yield* payAgain
      assert.deepStrictEqual([other?.card_number, other?.card_token], ["418803******0003", undefined])
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
