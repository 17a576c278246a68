import Database from "libsql"
import { describe, expect, it } from "vitest"
import type { PaymentEvent, SqliteTransaction } from "../../src/ledger/promise/index.js"
import { createTestShop, InvariantBroken, simulateShop, type TestShop } from "../../src/testing/index.js"

const opened = (shipsOn: (event: PaymentEvent<SqliteTransaction>) => boolean) => () =>
  createTestShop({
    driver: Database,
    prepare: (store) => store.query("CREATE TABLE shipment (order_number TEXT)", []),
    onPayment: async (event) => {
      if (shipsOn(event)) await event.tx.query("INSERT INTO shipment VALUES (?)", [event.order.orderNumber])
    }
  })

const shippedOnce = async ({ local, store }: TestShop): Promise<void> => {
  const paid = (await local.listPayments()).filter(({ state }) => /PAID|REFUNDED/.test(state ?? ""))
  const shipped = await store.query("SELECT order_number FROM shipment ORDER BY order_number", [])
  expect(shipped.map((row) => row["order_number"])).toEqual(paid.map((payment) => payment.order_number).toSorted())
}

const invariants = { "each paid order is shipped once": shippedOnce }

/** The story without its times, of which the gateway's and the machine's are a little different each time. */
const withoutTimes = (story: ReadonlyArray<string>) => story.map((line) => line.replace(/^day \d+ \S+ /, ""))

describe("a simulated shop", () => {
  it.each([1, 2, 3])("ships each paid order once, with seed %i", async (seed) => {
    const open = opened(({ before, status }) => status === "paid" && before === undefined)
    const story = await simulateShop({ seed, open, invariants, steps: 15 })
    expect(story.length).toBeGreaterThan(10)
  })

  it("lets the same happen with the same seed", async () => {
    const open = opened(() => false)
    const stories = [5, 5, 6].map((seed) => simulateShop({ seed, open, invariants: {}, steps: 8 }))
    const [first = [], second = [], other = []] = (await Promise.all(stories)).map(withoutTimes)
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
  })

  it("tells the seed and the story of a shop that ships twice", async () => {
    const open = opened(({ status }) => status !== "closed") // also when a part is refunded
    const error = await simulateShop({ seed: 1, open, invariants, steps: 30 }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(InvariantBroken)
    expect(String(error)).toMatch(/"each paid order is shipped once" does not hold with seed 1:\nday 0/)
    expect(error).toMatchObject({ cause: expect.objectContaining({ name: "AssertionError" }) })
  })
})
