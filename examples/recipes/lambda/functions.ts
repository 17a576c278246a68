/** What Lambda loads: `functions.handler` for API Gateway, `functions.sweep` for EventBridge. */
import { openLedger } from "./gopay.ts"
import { functionsOver } from "./shop.ts"

const { ledger, policy } = await openLedger()

export const { handler, sweep } = functionsOver(ledger, policy)
