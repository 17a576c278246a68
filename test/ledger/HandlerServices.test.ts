import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import Database from "libsql"
import { TestShop } from "../../src/testing/index.js"
import { captureLog } from "../support/LogGuard.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

class Shelf extends Context.Service<Shelf, { readonly name: string; readonly taken: Array<string> }>()("test/Shelf") {}

const take = (what: string) => Effect.map(Shelf, ({ name, taken }) => void taken.push(`${what} from ${name}`))

const shop = (taken: Array<string>) =>
  TestShop.layer({
    gateway: partsAtOnce,
    driver: Database,
    onPayment: ({ status }) => take(status),
    onChange: ({ outcome }) => take(outcome._tag),
    onAttention: ({ kind }) => take(kind)
  }).pipe(Layer.provide(Layer.succeed(Shelf, { name: "the shop", taken })))

const paid = Effect.gen(function* () {
  const { callback, ledger, pay } = yield* TestShop
  const order = yield* ledger.checkout("1", { amount: 50_000, currency: "CZK", callback })
  const id = order.paymentId ?? assert.fail("the order has no payment")
  yield* pay(id)
  return id
})

describe("the handlers of a ledger", () => {
  it.effect("get what they need where the ledger is made, whoever calls, also after the process was killed", () => {
    captureLog(/was not processed/)
    const taken: Array<string> = []
    return Effect.gen(function* () {
      const { advance, killDuring, ledger } = yield* TestShop
      const id = yield* paid
      yield* killDuring("afterSending", ledger.refund("a", id, { amount: 100 }))
      yield* advance("1 hour")
      assert.includeMembers(taken, ["Done from the shop", "paid from the shop", "partiallyRefunded from the shop"])
      assert.deepStrictEqual(
        taken.filter((line) => !line.endsWith("from the shop")),
        []
      )
    }).pipe(
      // What the caller has under the same name is the caller's.
      Effect.provideService(Shelf, { name: "the caller", taken }),
      Effect.provide(shop(taken))
    )
  })
})
