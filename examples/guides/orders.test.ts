import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openStore } from "../ledger-promise.js"
import { isPaidOnReturn, notificationsOf, openLedger, payAddress } from "./orders.js"

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
  const [payment] = await local.payments()
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

  await ledger.close()
  await gateway.close()
  await local.stop()
  rmSync(folder, { recursive: true, force: true })
})
