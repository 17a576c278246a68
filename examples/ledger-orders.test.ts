import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Gateway } from "effect-gopay"
import { fileStore, Ledger } from "effect-gopay/ledger"
import { LocalGateway } from "effect-gopay/local-gateway"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect } from "vitest"
import * as WithPromises from "./ledger-orders-promise.js"
import * as WithEffect from "./ledger-orders.js"
import { captureLog } from "../test/support/LogGuard.js"
import { ordersOf, playedOrders, playTwoPayments } from "../test/support/TwoPayments.js"

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orders-example-"))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const shopStore = async () => {
  const store = fileStore(join(folder, "shop.db"), { driver: Database })
  await store.query("CREATE TABLE shop_order (number TEXT PRIMARY KEY, status TEXT)", [])
  await store.query("INSERT INTO shop_order VALUES ('1', 'open'), ('2', 'open')", [])
  for (const number of playedOrders) await store.query("INSERT INTO shop_order VALUES (?, 'open')", [number])
  return store
}

type Store = Awaited<ReturnType<typeof shopStore>>

const statusOf = async (store: Store, number: string) =>
  (await store.query("SELECT status FROM shop_order WHERE number = ?", [number]))[0]?.["status"]

describe("the examples of orders", () => {
  it("with promises: pays, hears of it, says so, and takes a changed cart", async () => {
    const local = await startLocalGateway()
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const store = await shopStore()
    const ledger = WithPromises.openLedger(gateway, store)
    const server = WithPromises.notifications(ledger)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : 0

    const gwUrl = await WithPromises.checkout(ledger, "1", 139_950)
    expect(await WithPromises.checkout(ledger, "1", 139_950)).toBe(gwUrl)
    const [payment] = await local.listPayments()
    expect(payment?.gw_url).toBe(gwUrl)
    const url = `https://shop.example/return?id=${payment?.id}`
    expect(await WithPromises.returnPage(ledger, url, "1")).toBe("Your order is not paid yet.")
    expect(await WithPromises.returnPage(ledger, url, "2")).toBe("This is not your order.")
    await local.payByCard(payment?.id ?? 0)
    const notified = await fetch(`http://127.0.0.1:${port}/notify?id=${payment?.id}`)
    expect([notified.status, await statusOf(store, "1")]).toEqual([200, "paid"])
    expect(await WithPromises.returnPage(ledger, url, "1")).toBe("Thank you, your order is paid.")
    expect(await WithPromises.checkout(ledger, "1", 139_950)).toBe("https://shop.example/orders/1")

    const first = await WithPromises.checkout(ledger, "2", 500)
    const changed = await WithPromises.checkoutAgain(ledger, "2", 700)
    expect(changed).toMatchObject({ status: "open" })
    expect("gwUrl" in changed && changed.gwUrl).not.toBe(first)
    const [, present] = (await local.listPayments()).filter(({ order_number }) => order_number === "2")
    await local.payByCard(present?.id ?? 0)
    expect(await WithPromises.cancelOrder(ledger, "2")).toBe("paid")
    await playTwoPayments({
      ledger,
      statusOf: (number) => statusOf(store, number),
      notify: async (id) => (await fetch(`http://127.0.0.1:${port}/notify?id=${id}`)).status,
      payByCard: local.payByCard,
      cancelPayment: local.cancelPayment
    })
    await WithPromises.stop(server, ledger, gateway)
    await expect(ledger.runOnce()).rejects.toThrow(/closed/)
    await local.close()
  })

  it.live("with Effect: pays, hears of it by the route, and holds", () =>
    Effect.gen(function* () {
      captureLog(/^The ledger needs an operator/)
      const store = yield* Effect.promise(shopStore)
      const services = yield* Effect.context<Ledger>()
      const { handler } = yield* Effect.acquireRelease(
        Effect.sync(() =>
          HttpRouter.toWebHandler(Layer.provide(WithEffect.Notify, Layer.succeedContext(services)), {
            disableLogger: true
          })
        ),
        ({ dispose }) => Effect.promise(dispose)
      )
      const order = yield* WithEffect.checkout("1", 139_950)
      assert.strictEqual(order.status, "open")
      const id = order.paymentId ?? 0
      yield* LocalGateway.payByCard(id)
      const response = yield* Effect.promise(() => handler(new Request(`https://shop.example/notify?id=${id}`)))
      assert.strictEqual(response.status, 200)
      assert.strictEqual(yield* Effect.promise(() => statusOf(store, "1")), "paid")
      const held = yield* WithEffect.reserve("2", 500)
      assert.strictEqual(held.status, "open")
      const ledger = yield* Ledger
      const payers = yield* Effect.context<LocalGateway>()
      yield* Effect.promise(() =>
        playTwoPayments({
          ledger: ordersOf(ledger),
          statusOf: (number) => statusOf(store, number),
          notify: async (paid) => (await handler(new Request(`https://shop.example/notify?id=${paid}`))).status,
          payByCard: (paid) => Effect.runPromiseWith(payers)(LocalGateway.payByCard(paid)),
          cancelPayment: (old) => Effect.runPromiseWith(payers)(LocalGateway.cancelPayment(old))
        })
      )
      yield* Effect.promise(() => store.close())
    }).pipe(
      Effect.scoped,
      Effect.provide(WithEffect.ledgerLive(join(folder, "shop.db"))),
      Effect.provide(Gateway.layer(LocalGateway.merchant).pipe(Layer.provideMerge(LocalGateway.layer)))
    )
  )
})
