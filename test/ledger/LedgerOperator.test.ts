/**
 * An operator of a ledger: made of the ledger itself, in both styles.
 */
import { assert, it } from "@effect/vitest"
import Database from "libsql"
import { describe, expect } from "vitest"
import { makeLedgerOperator } from "../../src/ledger/operator.js"
import { createLedger, fileStore } from "../../src/ledger/promise/index.js"
import { createLedgerOperator } from "../../src/ledger/promise/operator.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { createTestShop } from "../../src/testing/promise/index.js"

const openShop = () => createTestShop({ driver: Database })

describe("an operator of a ledger", () => {
  it("lists, pauses and resumes what the ledger's own calls see", async () => {
    await using shop = await openShop()
    const { ledger } = shop
    const operator = createLedgerOperator(ledger)
    assert.deepStrictEqual(await operator.listAttention(), [])
    await operator.pause()
    assert.strictEqual((await ledger.getHealth()).isSending, false)
    await operator.resume()
    assert.deepStrictEqual(await ledger.getHealth(), await operator.getHealth())
  })

  it("may be made several times of one ledger; its first call migrates, and none needs the gateway", async () => {
    const unreachable = createGatewayClient({
      goid: 8123456781,
      clientId: "1",
      clientSecret: "a-secret",
      environment: "http://127.0.0.1:9"
    })
    const store = fileStore(":memory:", { driver: Database })
    await using ledger = createLedger({ gateway: unreachable, store, migrate: true })
    await createLedgerOperator(ledger).pause()
    assert.strictEqual((await createLedgerOperator(ledger).getHealth()).isSending, false)
  })

  it("ends with its ledger", async () => {
    await using shop = await openShop()
    const { ledger } = shop
    const operator = createLedgerOperator(ledger)
    await ledger.close()
    await expect(operator.listAttention()).rejects.toThrow("This ledger is closed.")
  })

  it("is made of no copy and of nothing that is not a ledger", async () => {
    await using shop = await openShop()
    const { ledger } = shop
    assert.throws(() => createLedgerOperator({ ...ledger }), TypeError, "not from a copy")
    // @ts-expect-error a ledger is asked for
    assert.throws(() => createLedgerOperator({}), TypeError, "from the ledger itself")
    // @ts-expect-error a ledger is asked for
    assert.throws(() => makeLedgerOperator({}), TypeError, "from the ledger itself")
  })

  it("has what a shop's checkout has not", async () => {
    await using shop = await openShop()
    const { ledger } = shop
    // @ts-expect-error it is an operator's
    assert.isUndefined(ledger.listAttention)
    // @ts-expect-error it is an operator's
    assert.isUndefined(ledger.resolveChange)
  })
})
