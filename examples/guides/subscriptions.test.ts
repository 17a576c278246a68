import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Gateway } from "effect-gopay"
import { fileStore, Ledger } from "effect-gopay/ledger"
import { LocalGateway } from "effect-gopay/local-gateway"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createTestShop, type TestShop } from "effect-gopay/testing/promise"
import { createGatewayClient } from "effect-gopay/promise"
import Database from "libsql"
import { expect } from "vitest"
import * as WithEffect from "./subscriptions-effect.js"
import * as WithPromises from "./subscriptions.js"

/** Settles the charges that wait: those of the recurrences in `declined` are declined. */
const settleCharges = async (shop: TestShop, declined: ReadonlyArray<number>) => {
  for (const { id, parent_id, state } of await shop.local.listPayments()) {
    if (parent_id === undefined || state !== "CREATED") continue
    await (declined.includes(parent_id) ? shop.decline(id) : shop.pay(id))
  }
}

it("declines one member's card", async () => {
  await using shop = await createTestShop({ driver: Database, startAt: new Date("2027-01-30T22:50:00Z") })
  await shop.local.changeSettings({ recurrenceChild: "pending" }) // charges wait until they are settled
  const [eva, adam] = [await joined(shop, "eva"), await joined(shop, "adam")]
  await WithPromises.chargeMonth(shop.ledger, ["eva", "adam"], "2027-01")
  await shop.advance("30 minutes") // to the 31st in Prague
  await settleCharges(shop, [eva])
  await shop.advance("1 hour")
  expect(await statusesOf(shop, "eva")).toEqual(["retrying"])
  expect(await statusesOf(shop, "adam")).toEqual(["paid"])
  expect(adam).not.toBe(eva)
})

const statusesOf = async ({ ledger }: TestShop, name: string) =>
  (await ledger.getSubscription(name))?.periods.map(({ status }) => status)

/** A member whose first payment is paid; returns it. */
const joined = async (shop: TestShop, name: string) => {
  const address = await WithPromises.subscribe(shop.ledger, name)
  const { id = 0 } = (await shop.local.listPayments()).find(({ gw_url }) => gw_url === address) ?? {}
  await shop.pay(id)
  await shop.advance("1 minute")
  return id
}

describe("the examples of subscriptions", () => {
  it("with promises: charges a year on the day of joining, also of a 29 February", async () => {
    await using shop = await createTestShop({ driver: Database, startAt: new Date("2029-02-20T12:00:00Z") })
    await joined(shop, "eva")
    await WithPromises.chargeYear(shop.ledger, "eva", "2028-02-29", 2029)
    await shop.advance("7 days") // to 27 February
    expect(await statusesOf(shop, "eva")).toEqual(["due"])
    await shop.advance("1 day")
    expect(await statusesOf(shop, "eva")).toEqual(["paid"])
  })

  it("with promises: lists who has paid what for which month, and what was refunded of it", async () => {
    const { onPayment, onSubscription } = WithPromises
    await using shop = await createTestShop({
      driver: Database,
      startAt: new Date("2027-01-30T12:00:00Z"),
      prepare: ({ query }) =>
        query(
          "CREATE TABLE fee (payment_id INTEGER PRIMARY KEY, name TEXT, month TEXT, amount INTEGER, refunded INTEGER)",
          []
        ),
      onPayment,
      onSubscription
    })
    for (const name of ["eva", "adam"]) await joined(shop, name)
    for (const month of ["2027-01", "2027-02"]) await WithPromises.chargeMonth(shop.ledger, ["eva", "adam"], month)
    await shop.advance("30 days")
    const [period] = (await shop.ledger.getSubscription("eva"))?.periods ?? []
    await shop.ledger.refund("complaint-1", period?.paymentId ?? 0, { amount: 9_900 })
    await shop.advance("1 hour")
    const rows = await shop.store.query("SELECT name, month, amount, refunded FROM fee ORDER BY month, name", [])
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["adam", "2027-01", 29_900, 0],
      ["eva", "2027-01", 29_900, 9_900],
      ["adam", "2027-02", 29_900, 0],
      ["eva", "2027-02", 29_900, 0]
    ])
  })

  it("with promises: starts, charges a month once, takes another card, and ends", async () => {
    const local = await startLocalGateway()
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const notes: Array<string> = []
    const note = async (text: string) => void notes.push(text)
    const ledger = WithPromises.openLedger(gateway, fileStore(":memory:", { driver: Database }), {
      deliver: (_tx, name, period) => note(`deliver ${name} ${period}`),
      lock: (_tx, name) => note(`lock ${name}`),
      write: (_tx, name, letter) => note(`${letter} to ${name}`)
    })
    const notify = ledger.notificationHandler()
    const paid = async (address: string) => {
      const payment = (await local.listPayments()).find(({ gw_url }) => gw_url === address)
      await local.payByCard(payment?.id ?? 0)
      await notify(new Request(`https://shop.example/notify?id=${payment?.id}`))
      await ledger.runOnce()
    }
    await paid(await WithPromises.subscribe(ledger, "eva"))
    expect(notes.splice(0)).toEqual(["welcome to eva"])

    await WithPromises.chargeMonth(ledger, ["eva"], "2026-02")
    await WithPromises.chargeMonth(ledger, ["eva"], "2026-02")
    await ledger.runOnce()
    expect(notes.splice(0)).toEqual(["deliver eva 2026-02"])
    const charges = (await local.listPayments()).filter(({ parent_id }) => parent_id !== undefined)
    expect(charges.map(({ amount, state }) => ({ amount, state }))).toEqual([{ amount: 29_900, state: "PAID" }])

    await local.changeSettings({ recurrenceChild: "declined" })
    await WithPromises.chargeMonth(ledger, ["eva"], "2026-03")
    await ledger.runOnce()
    expect(notes.splice(0)).toEqual(["declined to eva"])

    await paid(await WithPromises.replaceCard(ledger, "eva", 2))
    expect((await ledger.getSubscription("eva"))?.orderNumber).toBe("eva-card-2")
    expect(await WithPromises.cancel(ledger, "eva")).toBe("Your membership is cancelled. Nothing more will be charged.")
    expect(notes).toEqual(["lock eva"])
    await ledger.close()
    await local.close()
  })

  it.effect("with Effect: charges a month once", () =>
    Effect.gen(function* () {
      const delivered: Array<string> = []
      const ledger = WithEffect.ledgerOver(fileStore(":memory:", { driver: Database }), (_tx, name, period) =>
        Effect.sync(() => void delivered.push(`${name} ${period}`))
      )
      yield* Effect.gen(function* () {
        const { checkout, createSubscription, notificationHandler, runOnce } = yield* Ledger
        const order = yield* checkout("eva-first", {
          amount: 29_900,
          currency: "CZK",
          recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" },
          callback: { return_url: "https://shop.example/return" }
        })
        const id = order.status === "open" ? order.paymentId : 0
        yield* LocalGateway.payByCard(id)
        yield* notificationHandler()({ method: "GET", url: `/notify?id=${id}` })
        yield* createSubscription("eva", { orderNumber: "eva-first", maximum: 50_000, currency: "CZK" })
        yield* WithEffect.chargeMonth(["eva"], "2026-02")
        yield* WithEffect.chargeMonth(["eva"], "2026-02")
        yield* runOnce()
        assert.deepStrictEqual(delivered, ["eva 2026-02"])
      }).pipe(Effect.provide(ledger))
    }).pipe(
      Effect.provide(Gateway.layer(LocalGateway.merchant).pipe(Layer.provideMerge(LocalGateway.layer))),
      Effect.orDie
    )
  )
})
