/**
 * The shop that `AGENTS.md` shows, over a real PostgreSQL: it is paid, and refunded once.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Pool } from "pg"
import { expect, it } from "vitest"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { freePort } from "./FreePort.js"
import { startPostgres } from "./PostgresServer.js"

const program = fileURLToPath(new URL("../../examples/postgres-shop.ts", import.meta.url))

it("takes a payment once for two clicks, believes the gateway, refunds once for two requests, and ends", async () => {
  await using postgres = await startPostgres()
  await using gateway = await startLocalGateway()
  const port = await freePort()
  const shop = spawn(process.execPath, ["--import", "tsx", program], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      DATABASE_URL: postgres.url,
      GOPAY_GOID: String(gateway.merchant.goid),
      GOPAY_CLIENT_ID: gateway.merchant.clientId,
      GOPAY_CLIENT_SECRET: gateway.merchant.clientSecret,
      GOPAY_ENVIRONMENT: gateway.merchant.environment,
      GOPAY_INSTALLATION: "test",
      PORT: String(port)
    }
  })
  const ended = once(shop, "exit")
  const pool = new Pool({ connectionString: postgres.url })
  try {
    const asked = (path: string, method = "GET") =>
      fetch(`http://localhost:${port}${path}`, { method, redirect: "manual" })
    const listening = () =>
      asked("/").then(
        ({ status }) => status,
        () => "not listening"
      )
    await expect.poll(listening, { timeout: 60_000 }).toBe(404)
    await pool.query("INSERT INTO shop_order VALUES ('2026-0042', 139950, 'open')")

    expect((await asked("/orders/unknown/pay", "POST")).status).toBe(404)
    const clicks = await Promise.all(["first", "second"].map(() => asked("/orders/2026-0042/pay", "POST")))
    expect(clicks.map(({ status }) => status)).toEqual([303, 303])
    expect(new Set(clicks.map(({ headers }) => headers.get("location"))).size).toBe(1)
    const [payment, ...others] = await gateway.listPayments()
    expect([payment?.amount, others]).toEqual([139_950, []])
    const id = payment?.id ?? 0

    expect(await (await asked(`/return?id=${id}`)).text()).not.toContain("received")
    // It leaves the key for the refund of the paid order, below.
    expect((await asked("/orders/2026-0042/refund", "POST")).status).toBe(409)
    await gateway.payByCard(id)
    const status = async () => (await pool.query("SELECT status FROM shop_order")).rows
    await expect.poll(status, { timeout: 60_000 }).toEqual([{ status: "paid" }])
    const returned = await asked(`/return?id=${id}`)
    expect([returned.status, await returned.text()]).toEqual([200, "Thank you, we have received your payment."])

    const refunds = await Promise.all(["first", "second"].map(() => asked("/orders/2026-0042/refund", "POST")))
    expect(refunds.map(({ status }) => [200, 202].includes(status))).toEqual([true, true])
    const state = async () => (await gateway.listPayments()).map(({ amount, state }) => ({ amount, state }))
    await expect.poll(state, { timeout: 60_000 }).toEqual([{ amount: 139_950, state: "REFUNDED" }])
    expect((await asked("/orders/2026-0042/refund", "POST")).status).toBe(200)
    shop.kill("SIGTERM")
    expect(await ended).toEqual([0, null])
  } finally {
    shop.kill("SIGKILL")
    await pool.end()
  }
}, 300_000)
