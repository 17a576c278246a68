/**
 * A ledger's layer that two merchants of one program use, however they are composed: each has a ledger of its own.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import Database from "libsql"
import { Gateway } from "../../src/index.js"
import { fileStore, Ledger } from "../../src/ledger/index.js"
import { LocalGateway, readSeed } from "../../src/local-gateway/index.js"
import { acting, composedOnce, compositions, type Goid, merchants, remaking } from "../support/Compositions.js"

const seed = readSeed({
  merchants: merchants.map((goid) => ({ goid: Number(goid), client_id: goid, client_secret: "s3cr3tXY" }))
})

const gatewayOf = (goid: Goid) =>
  Gateway.layer({
    goid,
    clientId: goid,
    clientSecret: Redacted.make("s3cr3tXY"),
    environment: LocalGateway.merchant.environment
  })

/** Two merchants that share one constant, a ledger without a gateway, and the ledgers that act. */
const sharing = Effect.gen(function* () {
  const http = yield* Effect.context<LocalGateway | Layer.Success<typeof LocalGateway.layer>>()
  const store = fileStore(":memory:", { driver: Database })
  yield* Effect.addFinalizer(() => Effect.promise(store.close))
  const ledger = Ledger.layerWorker({ store, migrate: true, pollEvery: "1 hour" })
  const ledgers = new Set<object>()
  let orders = 0
  return {
    ledgers,
    shopOf: (goid: Goid) => ledger.pipe(Layer.provide(gatewayOf(goid)), Layer.provide(Layer.succeedContext(http))),
    /** The order's number begins with the merchant that it is meant for. */
    act: (goid: Goid) =>
      Effect.flatMap(Ledger, (service) => {
        ledgers.add(service)
        orders++
        return service.checkout(`${goid}-${orders}`, {
          amount: 1_000,
          currency: "CZK",
          callback: { return_url: "https://shop.example/return" }
        })
      })
  }
})

/** The orders of each payment at the gateway, with the merchant whose account it would be paid to. */
const parties = Effect.map(LocalGateway.listPayments, (payments) =>
  payments.map(({ order_number = "", target }) => [order_number.split("-")[0], String(target?.goid)])
)

const rightParties = (orders: ReadonlyArray<Goid>) => orders.map((goid) => [goid, goid])

const inGateway = <A, E>(program: Effect.Effect<A, E, LocalGateway | Layer.Success<typeof LocalGateway.layer>>) =>
  Effect.flatMap(Effect.fromResult(seed), (seed) => Effect.provide(program, LocalGateway.layerWith({ seed })))

describe("a constant Ledger.layer under two merchants", () => {
  it.live.each(Object.entries(compositions))("%s", ([name, compose]) =>
    inGateway(
      Effect.scoped(
        Effect.gen(function* () {
          const composed = yield* sharing
          yield* compose(composed)
          assert.sameDeepMembers([...(yield* parties)], rightParties(acting))
          assert.lengthOf([...composed.ledgers], remaking.has(name) ? acting.length : 2)
        })
      )
    )
  )

  it.live("is one ledger, with one worker, where it is composed once", () =>
    inGateway(
      Effect.scoped(
        Effect.gen(function* () {
          const composed = yield* sharing
          yield* composedOnce(composed)
          assert.lengthOf([...composed.ledgers], 1)
        })
      )
    )
  )
})
