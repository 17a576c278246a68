import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Gateway } from "effect-gopay"
import { fileStore, Ledger } from "effect-gopay/ledger"
import { LocalGateway } from "effect-gopay/local-gateway"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import Database from "libsql"
import { expect } from "vitest"
import * as WithEffect from "./subscriptions-effect.js"
import * as WithPromises from "./subscriptions.js"

describe("the examples of subscriptions", () => {
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
