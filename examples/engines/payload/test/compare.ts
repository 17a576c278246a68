/**
 * Prints what differs between Payload and the ledger. Run it each night: it exits with 1 when anything does.
 */
import { getPayload } from "payload"
import config, { gopay } from "./config.js"

const differences = await gopay.compare(await getPayload({ config, disableOnInit: true }))
for (const line of differences) console.log(line)
process.exit(differences.length === 0 ? 0 : 1)
