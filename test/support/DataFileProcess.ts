/**
 * A gateway that keeps its state in the file that is named, with a shop that creates payments in it for ever. Each that
 * was answered is printed by its id.
 */
import { writeSync } from "node:fs"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"

const [, , dataFile = ""] = process.argv

const local = await startLocalGateway({ dataFile })
const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
const callback = { return_url: "https://shop.example/return" }
for (;;) {
  const { id } = await gateway.createPayment({ amount: 100, currency: "CZK", order_number: "1", callback })
  writeSync(1, `${id}\n`)
}
