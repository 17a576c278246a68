import { assert, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { LocalGateway, readSeed } from "effect-gopay/local-gateway"
import { MerchantTable, NoSuchMerchant, payTo, Platform } from "./shops-effect.js"

const merchants = Array.from({ length: 20 }, (_, index) => ({
  goid: 8_000_000_001 + index,
  client_id: `client-${index}`,
  client_secret: `secret-${index}`
}))

const TableTest = Layer.succeed(MerchantTable, {
  find: (name) => {
    const found = merchants.find(({ client_id }) => client_id === name)
    return found === undefined
      ? Effect.fail(new NoSuchMerchant({ merchant: name }))
      : Effect.succeed({
          goid: found.goid,
          clientId: found.client_id,
          clientSecret: found.client_secret,
          environment: LocalGateway.merchant.environment
        })
  }
})

const PlatformTest = Platform.layer.pipe(
  Layer.provide(TableTest),
  Layer.provideMerge(LocalGateway.layerWith({ seed: Result.getOrThrow(readSeed({ merchants })) }))
)

const order = {
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

it.effect("pays each merchant of a platform into its own account, with one token each, also all at once", () =>
  Effect.gen(function* () {
    const sellers = [...merchants, ...merchants]
    const payments = yield* Effect.forEach(sellers, ({ client_id }) => payTo(client_id, order), { concurrency: 40 })
    assert.deepStrictEqual(
      payments.map(({ target }) => Number(target?.goid)),
      sellers.map(({ goid }) => goid)
    )
    const requests = yield* LocalGateway.listRequests
    assert.lengthOf(
      requests.filter(({ operation }) => operation === "getAccessToken"),
      merchants.length
    )
  }).pipe(Effect.provide(PlatformTest))
)

it.effect("fails for a merchant that is not in the table", () =>
  Effect.gen(function* () {
    const failure = yield* Effect.flip(payTo("stranger", order))
    assert.strictEqual(failure._tag, "NoSuchMerchant")
  }).pipe(Effect.provide(PlatformTest))
)
