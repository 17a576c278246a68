/**
 * Refunds as steps of DBOS workflows in PostgreSQL, in a process that is killed in the middle of them, and again; then the gateway's
 * books, the ledger's and the workflows' are compared.
 */
import { strict as assert } from "node:assert"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"

const local = await startLocalGateway()
const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
const order = {
  amount: 1_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "http://localhost/return", notification_url: "http://localhost/notify" }
}
const env = {
  ...process.env,
  GOPAY_GOID: String(local.merchant.goid),
  GOPAY_CLIENT_ID: local.merchant.clientId,
  GOPAY_CLIENT_SECRET: local.merchant.clientSecret,
  GOPAY_ENVIRONMENT: local.url
}
const pool = new Pool({ connectionString: process.env.DATABASE_URL })

const until = async (what, happened) => {
  const end = Date.now() + 120_000
  while (!(await happened())) {
    if (Date.now() > end) throw new Error(`It did not happen: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** How many refunds of a payment were sent. */
const sent = async (paymentId) =>
  (await local.listRequests()).filter(
    (request) => request.operation === "refundPayment" && request.paymentId === paymentId
  ).length

/** Pays orders and has them refunded by workflows, whose process is killed when the gateway has made all refunds. */
const killedInTheMiddle = async (workflow, count) => {
  const complaints = []
  for (let index = 0; index < count; index++) {
    const { id: paymentId } = await gateway.createPayment({ ...order, order_number: `${workflow}-${index}` })
    await local.payByCard(paymentId)
    complaints.push({ complaint: `${workflow}-${paymentId}`, paymentId, amount: 400 })
  }
  await local.advanceTime("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
  const start = (mode) => {
    const shop = spawn(process.execPath, ["shop.js", workflow, mode, JSON.stringify(complaints)], {
      env,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const exited = once(shop, "exit")
    const lines = []
    createInterface(shop.stdout).on("line", (line) => lines.push(line))
    const kill = async () => {
      shop.kill("SIGKILL")
      await exited
    }
    return { lines, kill }
  }
  // The gateway carries out each refund, and the response is lost.
  for (const _ of complaints) {
    await local.armFault({ type: "noResponse", effect: "committed" }, { operation: "refundPayment" })
  }
  const first = start("start")
  for (const { paymentId } of complaints) {
    await until("the refund is sent", async () => (await sent(paymentId)) > 0)
  }
  await first.kill()
  assert.ok(!first.lines.includes("settled"))
  return { complaints, start }
}

const refundsOf = async ({ paymentId }) => (await gateway.getPaymentRefunds(paymentId)).map(({ amount }) => amount)

// With the ledger in the step. The process that takes over is killed as well, as soon as it has them.
const { complaints, start } = await killedInTheMiddle("settleComplaint", 6)
const second = start("take up")
await until("the workflows are taken up", () => second.lines.includes("running"))
await second.kill()
const third = start("take up")
await until("all are settled", () => third.lines.includes("settled"))
await third.kill()

for (const complaint of complaints) {
  assert.equal(await sent(complaint.paymentId), 1)
  assert.deepEqual(await refundsOf(complaint), [400])
}
const keys = complaints.map(({ complaint }) => complaint).toSorted()
const { rows: changes } = await pool.query("SELECT key, status FROM gopay.gopay_change ORDER BY key")
assert.deepEqual(
  changes,
  keys.map((key) => ({ key, status: "done" }))
)
const { rows: workflows } = await pool.query("SELECT workflow_uuid, status FROM dbos.workflow_status ORDER BY 1")
assert.deepEqual(
  workflows,
  keys.map((key) => ({ workflow_uuid: key, status: "SUCCESS" }))
)

// Without it, to see that the step is run again.
const without = await killedInTheMiddle("payTwice", 1)
const again = without.start("take up")
await until("it is settled", () => again.lines.includes("settled"))
await again.kill()
assert.deepEqual(await refundsOf(without.complaints[0]), [400, 400])

await pool.end()
await gateway.close()
await local.close()
console.log("DBOS, killed in the middle: one refund each with the ledger, two without it")
process.exit(0)
