/**
 * The layers that stand in for a gateway in tests, for two merchants of one program: however they are composed, neither
 * sees the other's payments.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import Database from "libsql"
import { createPayment, Gateway } from "../../src/index.js"
import { LocalGateway, readSeed } from "../../src/local-gateway/index.js"
import { FakeTransport, TestShop } from "../../src/testing/index.js"
import { acting, type Composed, composedOnce, compositions, type Goid, merchants } from "../support/Compositions.js"

/** What each merchant's stand-in has seen: whose it is, and whose orders. */
type Seen = Array<{ readonly goid: Goid; readonly orders: ReadonlyArray<unknown> }>

const orderOf = (order_number: string) => ({
  amount: 1_000,
  currency: "CZK",
  order_number,
  callback: { return_url: "https://shop.example/return" }
})

const gatewayOf = (goid: Goid) =>
  Gateway.layer({
    goid,
    clientId: goid,
    clientSecret: Redacted.make("s3cr3tXY"),
    environment: LocalGateway.merchant.environment
  })

const seedOf = (...goids: ReadonlyArray<Goid>) =>
  Result.getOrThrow(
    readSeed({ merchants: goids.map((goid) => ({ goid: Number(goid), client_id: goid, client_secret: "s3cr3tXY" })) })
  )

const overLocalGateway = (seen: Seen): Composed<Gateway | LocalGateway> => ({
  shopOf: (goid) => Layer.provideMerge(gatewayOf(goid), LocalGateway.layerWith({ seed: seedOf(goid) })),
  act: (goid) =>
    Effect.andThen(
      createPayment(orderOf(goid)),
      Effect.map(LocalGateway.listPayments, (payments) =>
        seen.push({ goid, orders: payments.map(({ order_number }) => order_number) })
      )
    )
})

const overFakeTransport = (seen: Seen): Composed<Gateway | FakeTransport> => ({
  shopOf: (goid) =>
    Layer.provideMerge(
      gatewayOf(goid),
      FakeTransport.layer({
        json: {
          id: 1,
          state: "CREATED",
          gw_url: "https://gw.example/1",
          amount: 1_000,
          currency: "CZK",
          order_number: goid
        }
      })
    ),
  act: (goid) =>
    Effect.andThen(
      createPayment(orderOf(goid)),
      Effect.map(FakeTransport.requests, (requests) =>
        seen.push({ goid, orders: requests.map(({ body }) => JSON.parse(body).order_number) })
      )
    )
})

const overTestShop = (seen: Seen): Composed<TestShop | LocalGateway> => {
  let orders = 0
  return {
    shopOf: () => TestShop.layer({ driver: Database }).pipe(Layer.provideMerge(TestClock.layer())),
    act: (goid) =>
      Effect.gen(function* () {
        const { callback, ledger } = yield* TestShop
        orders++
        yield* ledger.checkout(`${goid}-${orders}`, { amount: 1_000, currency: "CZK", callback })
        const payments = yield* LocalGateway.listPayments
        seen.push({ goid, orders: payments.map(({ order_number }) => order_number?.split("-")[0]) })
      })
  }
}

/** Runs in a composition: what was seen by each merchant is its own orders only. */
const isApart = <Service>(makeShops: (seen: Seen) => Composed<Service>) =>
  describe.each(Object.entries(compositions))("for two merchants %s", (_, compose) => {
    it.live("is another one for each", () => {
      const seen: Seen = []
      return Effect.map(compose(makeShops(seen)), () => {
        assert.deepStrictEqual(
          seen.map(({ goid }) => goid),
          [...acting]
        )
        for (const { goid, orders } of seen) assert.deepStrictEqual([...new Set(orders)], [goid])
      })
    })
  })

describe("LocalGateway.layerWith", () => {
  isApart(overLocalGateway)

  it.live("is one gateway where it is composed once", () => {
    const seen: Seen = []
    const [first] = merchants
    return Effect.map(composedOnce(overLocalGateway(seen)), () =>
      assert.deepStrictEqual(seen.at(-1), { goid: first, orders: [first, first, first] })
    )
  })

  it.live("serves two merchants as one gateway, where it is one constant", () => {
    const gateway = LocalGateway.layerWith({ seed: seedOf(...merchants) })
    const seen: Seen = []
    const { act } = overLocalGateway(seen)
    const composed = { act, shopOf: (goid: Goid) => Layer.provideMerge(gatewayOf(goid), gateway) }
    return Effect.map(compositions["merged into one graph"]?.(composed) ?? Effect.die("no such composition"), () =>
      assert.deepStrictEqual(seen.at(-1)?.orders, [...acting])
    )
  })
})

describe("FakeTransport.layer", () => {
  isApart(overFakeTransport)
})

describe("TestShop.layer", () => {
  isApart(overTestShop)

  describe("as one constant", () => {
    const constant = TestShop.layer({ driver: Database })
    isApart((seen) => ({ ...overTestShop(seen), shopOf: () => Layer.provideMerge(constant, TestClock.layer()) }))
  })
})
