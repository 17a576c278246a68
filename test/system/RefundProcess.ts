/**
 * A process of a shop that asks for its refunds, and ends when all are settled, or at SIGTERM as a deployment ends it.
 */
import { createRequire } from "node:module"
import { writeSync } from "node:fs"
import { createLedger, pgStore } from "../../src/ledger/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"

/** The process's argument, as JSON. */
export interface RefundPlan {
  readonly environment: string
  readonly merchant: { readonly goid: number | string; readonly clientId: string; readonly clientSecret: string }
  /** The address of a PostgreSQL. */
  readonly database: string
  /** In milliseconds. */
  readonly timeout: number
  /** In milliseconds. */
  readonly lease: number
  readonly refunds: ReadonlyArray<{ readonly key: string; readonly paymentId: number; readonly amount: number }>
}

const main = async ({ database, environment, lease, merchant, refunds, timeout }: RefundPlan): Promise<void> => {
  // Native modules are not bundled.
  const { Pool } = createRequire(`${process.cwd()}/`)("pg")
  const pool = new Pool({ connectionString: database, max: 4 })
  pool.on("error", () => {})
  const gateway = createGatewayClient({ ...merchant, environment, timeout })
  const store = pgStore<never>(pool)
  const ledger = createLedger({ gateway, store, lease, pollEvery: 50, onAttention: () => {} })
  ledger.startWorker()

  const end = async () => {
    await ledger.close()
    await gateway.close()
    process.exit(0)
  }
  process.on("SIGTERM", end)
  writeSync(1, "started\n")

  const queue = [...refunds]
  const settle = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { amount, key, paymentId } = next
      for (;;) {
        const outcome = await ledger.refund(key, paymentId, { amount }).catch(() => undefined)
        if (outcome?._tag === "Done" || outcome?._tag === "Refused") break
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, settle))
  await end()
}

await main(JSON.parse(process.argv[2] ?? ""))
