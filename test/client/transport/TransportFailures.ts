/**
 * Sees what clients can say of a refund that fails, in each way of the table, at a gateway over TLS. `tsx` runs it with
 * any Node.js; it fails when something is not as the table has it.
 */
import * as programs from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"
import { createGatewayClient } from "effect-gopay/promise"
import { forkFailingGateway } from "./FailingGateway.js"
import { failures } from "./FailureTable.js"
import { observer } from "./RefundObservation.js"

const { observe, styles } = observer({ createGatewayClient, NodeHttpClient, programs })
const gateway = await forkFailingGateway()
for (const [name, failure] of Object.entries(failures)) {
  for (const [style, make] of Object.entries(styles)) {
    const expected = style === "fetch" ? failure.overFetch : failure.overSockets
    const { certainty, details } = await observe(gateway, failure, make)
    if (certainty === expected) continue
    console.error(`${name}, ${style}: expected "${expected}", saw "${certainty}" (${details})`)
    process.exitCode = 1
  }
}
gateway.stop()
console.log(`${Object.keys(failures).length} ways to fail, seen in ${Object.keys(styles).length} styles`)
