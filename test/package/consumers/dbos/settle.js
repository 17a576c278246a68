/** A refund in a step of a DBOS workflow, with the ledger in the same PostgreSQL. */
import { DBOS } from "@dbos-inc/dbos-sdk"
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"
import { Pool } from "pg"

const { DATABASE_URL, GOPAY_INSTALLATION } = process.env

const pool = new Pool({ connectionString: DATABASE_URL })
pool.on("error", console.error)
export const gateway = createGatewayClient(optionsFromEnv(process.env))
export const ledger = createLedger({
  gateway,
  store: pgStore(pool),
  installation: GOPAY_INSTALLATION,
  migrate: true
})

/** The key comes from the workflow's input: however often the step runs, it is one refund. */
const refund = async (complaint, paymentId, amount) => {
  const outcome = await ledger.refund(complaint, paymentId, { amount })
  if (outcome._tag === "Pending" || outcome._tag === "InDoubt") throw new Error(outcome.message)
  return outcome._tag // Done, Refused or Failed: final
}

export const settleComplaint = DBOS.registerWorkflow(
  async (complaint, paymentId, amount) =>
    DBOS.runStep(() => refund(complaint, paymentId, amount), {
      name: "refund",
      retriesAllowed: true,
      maxAttempts: 1_000,
      intervalSeconds: 1,
      backoffRate: 1
    }),
  { name: "settleComplaint" }
)

DBOS.setConfig({ name: "shop", systemDatabaseUrl: DATABASE_URL })
