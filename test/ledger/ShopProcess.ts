/**
 * A process of a shop with a ledger, that is killed at any moment. It asks for all its refunds, again after each start,
 * and writes a line for each definite outcome.
 */
import { createRequire } from "node:module"
import { writeSync } from "node:fs"
import { createLedger, fileStore, pgStore } from "../../src/ledger/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"

/** What the process is told, as JSON. */
export interface ShopPlan {
  readonly environment: string
  readonly merchant: { readonly goid: number | string; readonly clientId: string; readonly clientSecret: string }
  /** A file for `node:sqlite`, a file for libsql, or the address of a PostgreSQL. */
  readonly store: { readonly kind: "node" | "libsql" | "postgres"; readonly at: string }
  readonly refunds: ReadonlyArray<{ readonly key: string; readonly paymentId: number; readonly amount: number }>
}

const plan: ShopPlan = JSON.parse(process.argv[2] ?? "")
// Native modules are not bundled.
const require = createRequire(`${process.cwd()}/`)

const gateway = createGatewayClient({ ...plan.merchant, environment: plan.environment, timeout: 400 })

const settings = { gateway, lease: 1_000, pollEvery: 50, notSeenFor: 3_000, onAttention: () => {} } as const

const open = () => {
  const { at, kind } = plan.store
  if (kind === "postgres") {
    const { Pool } = require("pg")
    const pool = new Pool({ connectionString: at, max: 4 })
    pool.on("error", () => {})
    return createLedger({ ...settings, store: pgStore(pool) })
  }
  return createLedger({ ...settings, store: fileStore(at, kind === "libsql" ? { driver: require("libsql") } : {}) })
}

const ledger = open()
ledger.startWorker()

const say = (line: string) => writeSync(1, `${line}\n`)

const settle = async ({ amount, key, paymentId }: ShopPlan["refunds"][number]) => {
  for (;;) {
    try {
      const outcome = await ledger.refund(key, paymentId, { amount }, { waitAtMost: "2 seconds" })
      if (outcome._tag === "Done" || outcome._tag === "Refused") return say(`${outcome._tag} ${key}`)
      if (outcome._tag === "InDoubt" && outcome.needsPerson) return say(`Person ${key}`)
    } catch {
      // The store does not respond: the same key is asked for again.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

say("started")
const queue = [...plan.refunds]
const worker = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await settle(next)
}
await Promise.all([worker(), worker(), worker(), worker(), worker(), worker()])
await ledger.close()
await gateway.close()
say("ended")
process.exit(0)
