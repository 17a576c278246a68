/**
 * The shop that `AGENTS.md` shows, over a real PostgreSQL: it is paid, and refunded once.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Pool } from "pg"
import { expect, it } from "vitest"
import { createLedger, pgStore } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { playedOrders, playTwoPayments } from "../support/TwoPayments.js"
import { freePort } from "./FreePort.js"
import { startPostgres } from "./PostgresServer.js"

const program = fileURLToPath(new URL("../../examples/postgres-shop.ts", import.meta.url))

interface Surroundings {
  readonly gateway: RunningLocalGateway
  readonly port: number
  readonly postgres: { readonly url: string }
}

/** Starts a program with what it says on its error output ignored, or shown. */
const spawnShop = (path: string, { gateway, port, postgres }: Surroundings, stderr: "ignore" | "inherit") =>
  spawn(process.execPath, ["--import", "tsx", path], {
    stdio: ["ignore", "ignore", stderr],
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

it("takes a payment once for two clicks, believes the gateway, refunds once for two requests, and ends", async () => {
  await using postgres = await startPostgres()
  await using gateway = await startLocalGateway()
  const port = await freePort()
  const shop = spawnShop(program, { gateway, port, postgres }, "inherit")
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
    expect((await asked("/return?id=1&id=2")).status).toBe(400)
    await pool.query("ALTER SCHEMA gopay RENAME TO away")
    expect((await asked(`/return?id=${id}`)).status).toBe(503)
    await pool.query("ALTER SCHEMA away RENAME TO gopay")

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

it.each([
  {
    name: "postgres-shop.ts",
    path: program,
    table: "shop_order (number text, amount integer, status text)",
    installation: "test"
  },
  {
    name: "ledger-postgres.ts",
    path: fileURLToPath(new URL("NotificationServer.ts", import.meta.url)),
    table: "orders (number text, status text)",
    installation: undefined
  }
])(
  "$name writes what getOrder says, whichever payment of an order moves",
  async ({ installation, path, table }) => {
    await using postgres = await startPostgres()
    await using local = await startLocalGateway()
    await using gateway = createGatewayClient(local.merchant)
    const pool = new Pool({ connectionString: postgres.url })
    const [name] = table.split(" ")
    await pool.query(`CREATE TABLE ${table}`)
    for (const number of playedOrders)
      await pool.query(`INSERT INTO ${name} (number, status) VALUES ($1, 'new')`, [number])
    const port = await freePort()
    // It warns of the payments that an operator is asked about.
    const shop = spawnShop(path, { gateway: local, port, postgres }, "ignore")
    // It creates the payments. The shop's own process is notified of them.
    await using ledger = createLedger({ gateway, store: pgStore(pool), installation, migrate: true })
    try {
      const notify = (id: number) =>
        fetch(`http://localhost:${port}/notify?id=${id}`).then(
          ({ status }) => status,
          () => 0
        )
      await expect.poll(() => notify(0), { timeout: 60_000 }).toBeGreaterThan(0)
      await playTwoPayments({
        ledger,
        statusOf: async (number) =>
          (await pool.query(`SELECT status FROM ${name} WHERE number = $1`, [number])).rows[0]?.status,
        notify,
        payByCard: local.payByCard,
        cancelPayment: local.cancelPayment
      })
    } finally {
      shop.kill("SIGKILL")
      await ledger.close()
      await pool.end()
    }
  },
  300_000
)
