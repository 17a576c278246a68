/**
 * A ledger's operator, in both styles.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Database from "libsql"
import { describe, expect } from "vitest"
import { makeLedger } from "../../src/ledger/index.js"
import { createLedger, fileStore } from "../../src/ledger/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { createTestShop } from "../../src/testing/promise/index.js"
import { inWorld } from "./World.js"

const openShop = () => createTestShop({ driver: Database })

describe("an operator of a ledger", () => {
  it("lists, pauses and resumes what the ledger's own calls see", async () => {
    await using shop = await openShop()
    const { ledger } = shop
    assert.deepStrictEqual(await ledger.operator.listAttention(), [])
    await ledger.operator.pause()
    assert.strictEqual((await ledger.getHealth()).isSending, false)
    await ledger.operator.resume()
    assert.deepStrictEqual(await ledger.getHealth(), await ledger.operator.getHealth())
  })

  it("migrates by its first call, which needs no gateway, and is that of a copy of the ledger, too", async () => {
    const unreachable = createGatewayClient({
      goid: 8123456781,
      clientId: "1",
      clientSecret: "a-secret",
      environment: "http://127.0.0.1:9"
    })
    const store = fileStore(":memory:", { driver: Database })
    await using ledger = createLedger({ gateway: unreachable, store, migrate: true })
    const { pause } = { ...ledger }.operator
    await pause()
    assert.strictEqual((await ledger.operator.getHealth()).isSending, false)
  })

  it("ends with its ledger", async () => {
    await using shop = await openShop()
    const { operator } = shop.ledger
    await shop.ledger.close()
    await expect(operator.listAttention()).rejects.toThrow("This ledger is closed.")
    await expect(operator.listBookedOrders()[Symbol.asyncIterator]().next()).rejects.toThrow("This ledger is closed.")
  })

  it.effect("has the same calls in both styles", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const programs = yield* makeLedger({ store: world.store })
        const shop = yield* Effect.promise(openShop)
        const { operator } = shop.ledger
        assert.deepStrictEqual(Object.keys(operator).toSorted(), Object.keys(programs.operator).toSorted())
        yield* Effect.promise(() => shop.close())
      }).pipe(Effect.scoped, Effect.orDie)
    )
  )

  it("has what a shop's checkout has not", async () => {
    await using shop = await openShop()
    const { ledger } = shop
    // @ts-expect-error it is an operator's
    assert.isUndefined(ledger.listAttention)
    // @ts-expect-error it is an operator's
    assert.isUndefined(ledger.resolveChange)
  })
})
