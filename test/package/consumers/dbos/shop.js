/**
 * A process of the shop: starts the workflows of complaints, or resumes the workflows of a killed process.
 */
import { DBOS } from "@dbos-inc/dbos-sdk"
import { writeSync } from "node:fs"
import { gateway, ledger, settleComplaint } from "./settle.js"

const [, , name, mode, json] = process.argv
const complaints = JSON.parse(json)

/** Do not do this: a step that runs again sends its refund again. */
const payTwice = DBOS.registerWorkflow(
  async (_complaint, paymentId, amount) =>
    DBOS.runStep(async () => (await gateway.refundPayment(paymentId, { amount })).result, { name: "refund" }),
  { name: "payTwice" }
)

ledger.startWorker()
await DBOS.launch()
const workflow = name === "settleComplaint" ? settleComplaint : payTwice
const handles = await Promise.all(
  complaints.map(({ amount, complaint, paymentId }) =>
    mode === "start"
      ? DBOS.startWorkflow(workflow, { workflowID: complaint })(complaint, paymentId, amount)
      : DBOS.retrieveWorkflow(complaint)
  )
)
writeSync(1, "running\n")
for (const handle of handles) writeSync(1, `${handle.workflowID} ${await handle.getResult()}\n`)
writeSync(1, "settled\n")
