import Database from "libsql"
import { describe, expect, it } from "vitest"
import type { PaymentEvent, SqliteTransaction } from "../../../src/ledger/promise/index.js"
import {
  createTestShop,
  InvariantBroken,
  simulateShop,
  type SimulationOptions,
  type TestShop
} from "../../../src/testing/promise/index.js"

/** A shop that ships on each event of a paid order, as far as its table lets it. */
const opened =
  (table: string, processes = 1) =>
  () =>
    createTestShop({
      processes,
      driver: Database,
      prepare: (store) => store.query(table, []),
      onPayment: async ({ order, status, tx }: PaymentEvent<SqliteTransaction>) => {
        if (status !== "closed") await tx.query("INSERT OR IGNORE INTO shipment VALUES (?)", [order.orderNumber])
      }
    })

const shipsOnce = opened("CREATE TABLE shipment (order_number TEXT PRIMARY KEY)")
const shipsOnceFromTwoServers = opened("CREATE TABLE shipment (order_number TEXT PRIMARY KEY)", 2)
const shipsAtEachEvent = opened("CREATE TABLE shipment (order_number TEXT)")

const shippedOnce = async ({ local, store }: TestShop): Promise<void> => {
  const paid = (await local.listPayments()).filter(({ state }) => /PAID|REFUNDED/.test(state ?? ""))
  const shipped = await store.query("SELECT order_number FROM shipment", [])
  const inOrder = (numbers: ReadonlyArray<unknown>) => numbers.map(Number).toSorted((one, other) => one - other)
  expect(inOrder(shipped.map((row) => row["order_number"]))).toEqual(
    inOrder(paid.map((payment) => payment.order_number))
  )
}

const invariants = { "each paid order is shipped once": shippedOnce }

/** The story without its times: the gateway's and the machine's differ a little on every run. */
const withoutTimes = (story: ReadonlyArray<string>) => story.map((line) => line.replace(/^day \d+ \S+ /, ""))

describe("a simulated shop", () => {
  it.each([1, 2])("ships each paid order once, with seed %i", async (seed) => {
    const story = await simulateShop({ seed, open: shipsOnce, invariants, steps: 12 })
    expect(story.length).toBeGreaterThan(10)
  })

  it.each([1, 2, 3])("ships each paid order once from two servers, with seed %i", async (seed) => {
    const story = await simulateShop({ seed, open: shipsOnceFromTwoServers, invariants, steps: 12 })
    expect(story.some((line) => line.endsWith("by process 2"))).toBe(true)
  })

  it.each([
    ["one server", shipsOnce],
    ["two servers", shipsOnceFromTwoServers]
  ])("lets the same happen with the same seed, to %s", async (_, open) => {
    const stories = [5, 5, 6].map((seed) => simulateShop({ seed, open, invariants: {}, steps: 6 }))
    const [first = [], second = [], other = []] = (await Promise.all(stories)).map(withoutTimes)
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
  })

  it("tells the seed and the story of a shop that ships twice", async () => {
    const story = simulateShop({ seed: 2, open: shipsAtEachEvent, invariants, steps: 12 })
    const error = await story.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(InvariantBroken)
    expect(String(error)).toMatch(/"each paid order is shipped once" does not hold with seed 2:\nday 0/)
    expect(error).toMatchObject({ cause: expect.objectContaining({ name: "AssertionError" }) })
  })

  it("makes the story of a shop that is wrong as short as it can be", async () => {
    const noRefund = async ({ local }: TestShop) =>
      (await local.listPayments()).every(({ state }) => state !== "PARTIALLY_REFUNDED")
    const story = simulateShop({
      seed: 4,
      open: shipsOnce,
      invariants: { "nothing is refunded": noRefund },
      orders: 2,
      steps: 10
    })
    const error = await story.catch((error: unknown) => error)
    if (!(error instanceof InvariantBroken)) throw new Error("Nothing was refunded.")
    expect(withoutTimes(error.story)).toEqual([
      expect.stringMatching(/^process 1 sends POST \/payments\/payment \(order \d, 50000 CZK\): payment \d+$/),
      expect.stringMatching(/^payment \d+ is paid by card/),
      expect.stringMatching(/^onPayment: order \d is paid$/),
      expect.stringMatching(/^a notification of payment \d+ is answered with 200/),
      expect.stringMatching(/^process 1 sends POST \/payments\/payment\/\d+\/refund \(\d+\): FINISHED$/),
      expect.stringMatching(/^onPayment: order \d is partiallyRefunded, \d+ refunded$/),
      expect.stringMatching(/^a notification of payment \d+ is answered with 200/),
      "time moves by 2 days"
    ])
  })

  it("makes the actions of the shop happen, and tells them by name", async () => {
    const actions = {
      "the cron job runs": ({ store }: TestShop) => store.query("INSERT INTO shipment VALUES ('of the cron job')", [])
    }
    const ships = async ({ store }: TestShop) => (await store.query("SELECT * FROM shipment", [])).length === 0
    const error = await simulateShop({
      seed: 1,
      open: shipsAtEachEvent,
      invariants: { "the cron job ships nothing": ships },
      actions,
      orders: 1,
      steps: 12
    }).catch((error: unknown) => error)
    if (!(error instanceof InvariantBroken)) throw new Error("The cron job did not run.")
    expect(withoutTimes(error.story)).toEqual(["the cron job runs", "time moves by 2 days"])
  })

  it("tells the seed and the story of a step that fails", async () => {
    const error = await simulateShop({
      seed: 8,
      open: shipsOnce,
      invariants,
      checkout: async () => {
        throw new Error("The cart is empty.")
      },
      orders: 1,
      steps: 0
    }).catch((error: unknown) => error)
    expect(error).toMatchObject({
      invariant: "each step succeeds",
      seed: 8,
      cause: expect.objectContaining({ message: "The cart is empty." })
    })
  })

  it.each([
    [{ seed: 0.5 }, "the seed must be an integer, not 0.5"],
    [{ open: undefined }, "open must be a function"],
    [{ invariants: undefined }, "invariants must be an object"]
  ])("refuses %o", async (wrong, message) => {
    const options: SimulationOptions = Object.assign({ seed: 1, open: shipsOnce, invariants }, Object(wrong))
    await expect(simulateShop(options)).rejects.toThrow(`simulateShop: ${message}`)
  })
})
