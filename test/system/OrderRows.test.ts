/**
 * The rows of orders in PostgreSQL, where processes move the payments of one order at the same moment.
 */
import { Pool, type PoolClient } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLedger } from "../../src/ledger/promise/index.js"
import { pgStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { startPostgres } from "./PostgresServer.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

const callback = { return_url: "https://shop.example/return" }

describe("an order in PostgreSQL", () => {
  it.each([undefined, "orders"])(
    "has what the plain handler wrote, whatever moves at once (schema %s)",
    async (schema) => {
      await using local = await startLocalGateway()
      await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
      const pool = new Pool({ connectionString: postgres.url })
      pool.on("error", () => {})
      await pool.query("CREATE TABLE IF NOT EXISTS plain_order (number TEXT PRIMARY KEY, status TEXT)")
      await pool.query("DELETE FROM plain_order")
      const open = () =>
        createLedger<PoolClient>({
          gateway,
          store: pgStore(pool),
          schema,
          onPayment: async ({ order, status, tx }) => {
            await tx.query("UPDATE plain_order SET status = $1 WHERE number = $2", [status, order.orderNumber])
          }
        })
      const ledgers = [open(), open()]
      const [ledger] = ledgers
      if (ledger === undefined) throw new Error("There is no ledger.")
      await ledger.migrate()
      const notify = async (index: number, id: number | undefined) =>
        (await ledgers[index % 2]?.notificationHandler()(new Request(`https://shop.example/notify?id=${id}`)))?.status

      const numbers = Array.from({ length: 8 }, (_, index) => `${schema ?? "none"}-${index}`)
      await Promise.all(
        numbers.map(async (number) => {
          await pool.query("INSERT INTO plain_order VALUES ($1, 'new')", [number])
          const first = await ledger.checkout(number, { amount: 1_000, currency: "CZK", callback })
          const second = await ledger.checkout(number, { amount: 900, currency: "CZK", callback }, { replace: true })
          expect([first.status, second.status]).toEqual(["open", "open"])
          await local.payByCard(second.paymentId ?? 0)
          await local.cancelPayment(first.paymentId ?? 0)
          const statuses = await Promise.all(
            [first, second, first, second].map(({ paymentId }, index) => notify(index, paymentId))
          )
          expect(new Set(statuses)).toEqual(new Set([200]))
          const { rows } = await pool.query("SELECT status FROM plain_order WHERE number = $1", [number])
          expect([rows[0]?.status, (await ledger.getOrder(number))?.status]).toEqual(["paid", "paid"])
        })
      )

      const withdrawn = `${schema ?? "none"}-withdrawn`
      expect((await ledger.withdrawOrder(withdrawn)).status).toBe("withdrawn")
      expect((await ledger.checkout(withdrawn, { amount: 900, currency: "CZK", callback })).status).toBe("withdrawn")
      const asked = await ledger.checkout(withdrawn, { amount: 900, currency: "CZK", callback }, { replace: true })
      expect(asked.status).toBe("open")
      await Promise.all(ledgers.map((one) => one.close()))
      await pool.end()
    }
  )
})
