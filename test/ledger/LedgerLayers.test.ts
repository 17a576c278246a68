/**
 * The layers of a ledger: the one with a worker reads payments by itself, the one without leaves it to another process.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import Database from "libsql"
import { fileStore, Ledger } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { settled } from "../support/ScriptedTransport.js"
import { inWorld } from "./World.js"

/** The status that a ledger returns for an order some minutes after its payer has paid, without a notification. */
const statusBy = (layerOf: typeof Ledger.layer) =>
  inWorld(({ pass, store }) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const order = yield* ledger.checkout("1", {
        amount: 1_000,
        currency: "CZK",
        callback: { return_url: "https://shop.example/return" }
      })
      yield* LocalGateway.payByCard(order.paymentId ?? 0)
      for (let step = 0; step < 30; step++) {
        for (let turns = 0; turns < 8; turns++) yield* settled
        yield* pass("10 seconds")
      }
      return (yield* ledger.getOrder("1"))?.status
    }).pipe(Effect.provide(layerOf({ store, migrate: true })))
  )

/** The tables that a layer finds or makes in an empty database. */
const tablesBy = (options: { readonly migrate?: true }) =>
  inWorld(() =>
    Effect.scoped(
      Effect.gen(function* () {
        const store = fileStore(":memory:", { driver: Database })
        yield* Effect.addFinalizer(() => Effect.promise(store.close))
        yield* Layer.build(Ledger.layer({ store, ...options }))
        return (yield* Effect.promise(() => store.query("SELECT name FROM sqlite_master", []))).length
      })
    )
  )

describe("a ledger's layer", () => {
  it.effect("makes the tables where it migrates", () =>
    Effect.gen(function* () {
      assert.isAbove(yield* tablesBy({ migrate: true }), 0)
      assert.strictEqual(yield* tablesBy({}), 0)
    })
  )

  it.effect("has no worker by itself", () =>
    Effect.map(statusBy(Ledger.layer), (status) => assert.strictEqual(status, "open"))
  )

  it.effect("has one as layerWorker", () =>
    Effect.map(statusBy(Ledger.layerWorker), (status) => assert.strictEqual(status, "paid"))
  )
})
