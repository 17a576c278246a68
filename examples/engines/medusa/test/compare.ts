/**
 * Prints what differs between Medusa and the ledger, by `medusa exec`.
 */
import type { ExecArgs } from "@medusajs/framework/types"
import { compareWithLedger } from "effect-gopay-medusa"

export default async function printDifferences({ container }: ExecArgs): Promise<void> {
  for (const line of await compareWithLedger(container)) console.log(line)
}
