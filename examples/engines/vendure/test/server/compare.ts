/**
 * Prints what differs between Vendure and the ledger. Run it each night: it exits with 1 when anything does.
 */
import { compareWithLedger } from "effect-gopay-vendure"
import { gopayOptions } from "./config"

void compareWithLedger(gopayOptions).then((differences) => {
  for (const line of differences) console.log(line)
  process.exitCode = differences.length === 0 ? 0 : 1
})
