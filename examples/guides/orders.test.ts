import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Gateway } from "effect-gopay"
import { Ledger, type LedgerStore, type SqliteTransaction } from "effect-gopay/ledger"
import { LocalGateway } from "effect-gopay/local-gateway"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { ordersOf, playedOrders, playTwoPayments } from "../../test/support/TwoPayments.js"
import { openStore } from "../ledger-promise.js"
import * as WithEffect from "./orders-effect.js"
import { isPaidOnReturn, notificationsOf, openLedger, payAddress } from "./orders.js"

const statusOf = async (store: LedgerStore<SqliteTransaction>, number: string) =>
  (await store.query("SELECT status FROM shop_order WHERE number = ?", [number]))[0]?.["status"]

const insertPlayedOrders = async (store: LedgerStore<SqliteTransaction>) => {
  for (const number of playedOrders) await store.query("INSERT INTO shop_order VALUES (?, 'new')", [number])
}

it("an order in the database is paid once, and told once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "orders-example-"))
  const local = await startLocalGateway()
  const gateway = createGatewayClient(local.merchant)
  const store = openStore(join(folder, "shop.db"))
  const ledger = await openLedger(gateway, store)
  await store.query("CREATE TABLE shop_order (number TEXT, status TEXT)", [])
  await store.query("INSERT INTO shop_order VALUES ('2026-0042', 'new')", [])

  const address = await payAddress(ledger, "2026-0042", 139_950)
  expect(await payAddress(ledger, "2026-0042", 139_950)).toBe(address)
  const [payment] = await local.listPayments()
  expect(payment?.gw_url).toBe(address)
  const id = payment?.id ?? 0
  expect(await isPaidOnReturn(ledger, "2026-0042", `/return/2026-0042?id=${id}`)).toBe(false)

  await local.payByCard(id)
  const { status } = await notificationsOf(ledger)({ method: "GET", url: `/notify?id=${id}` })
  expect(status).toBe(200)
  expect(await store.query("SELECT status FROM shop_order", [])).toMatchObject([{ status: "paid" }])
  expect(await isPaidOnReturn(ledger, "2026-0042", `/return/2026-0042?id=${id}`)).toBe(true)
  expect(await isPaidOnReturn(ledger, "2026-0001", `/return/2026-0001?id=${id}`)).toBe(false)
  expect(await payAddress(ledger, "2026-0042", 139_950)).toBe("/orders/2026-0042")

  await insertPlayedOrders(store)
  await playTwoPayments({
    ledger,
    statusOf: (number) => statusOf(store, number),
    notify: async (paid) => (await notificationsOf(ledger)({ method: "GET", url: `/notify?id=${paid}` })).status,
    payByCard: local.payByCard,
    cancelPayment: local.cancelPayment
  })

  await ledger.close()
  await gateway.close()
  await local.close()
  rmSync(folder, { recursive: true, force: true })
})

it.live("an order in the database is paid once, with Effect", () => {
  const folder = mkdtempSync(join(tmpdir(), "orders-example-"))
  const store = openStore(join(folder, "shop.db"))
  return Effect.gen(function* () {
    yield* Effect.promise(() => store.query("CREATE TABLE shop_order (number TEXT, status TEXT)", []))
    yield* Effect.promise(() => store.query("INSERT INTO shop_order VALUES ('2026-0042', 'new')", []))
    const services = yield* Effect.context<Ledger>()
    const shop = HttpRouter.toWebHandler(
      Layer.mergeAll(WithEffect.Notify, WithEffect.Return).pipe(Layer.provide(Layer.succeedContext(services))),
      { disableLogger: true }
    )
    const get = (path: string) =>
      Effect.promise(() => shop.handler(new Request(`https://shop.example${path}`), services))

    const address = yield* WithEffect.payAddress("2026-0042", 139_950)
    const [payment] = yield* LocalGateway.listPayments
    assert.strictEqual(payment?.gw_url, address)
    const id = payment?.id ?? 0
    yield* LocalGateway.payByCard(id)
    assert.strictEqual((yield* get(`/notify?id=${id}`)).status, 200)
    const [row] = yield* Effect.promise(() => store.query("SELECT status FROM shop_order", []))
    assert.strictEqual(row?.["status"], "paid")
    const page = yield* get(`/return/2026-0042?id=${id}`)
    assert.strictEqual(yield* Effect.promise(() => page.text()), "Thank you, your order is paid.")
    const stranger = yield* get(`/return/2026-0001?id=${id}`)
    assert.strictEqual(yield* Effect.promise(() => stranger.text()), "Your order is not paid yet.")
    assert.strictEqual(yield* WithEffect.payAddress("2026-0042", 139_950), "/orders/2026-0042")
    yield* Effect.promise(() => insertPlayedOrders(store))
    const ledger = yield* Ledger
    const payers = yield* Effect.context<LocalGateway>()
    yield* Effect.promise(() =>
      playTwoPayments({
        ledger: ordersOf(ledger),
        statusOf: (number) => statusOf(store, number),
        notify: async (paid) =>
          (await shop.handler(new Request(`https://shop.example/notify?id=${paid}`), services)).status,
        payByCard: (paid) => Effect.runPromiseWith(payers)(LocalGateway.payByCard(paid)),
        cancelPayment: (old) => Effect.runPromiseWith(payers)(LocalGateway.cancelPayment(old))
      })
    )
    yield* Effect.promise(() => shop.dispose())
  }).pipe(
    Effect.provide(WithEffect.ledgerOver(store)),
    Effect.provide(Gateway.layer(LocalGateway.merchant).pipe(Layer.provideMerge(LocalGateway.layer))),
    Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  )
})
