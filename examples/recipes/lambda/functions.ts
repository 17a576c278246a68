/** What Lambda loads: `functions.handler` for API Gateway, `functions.sweep` for EventBridge. */
import { openLedger } from "./gopay.ts"
import { functionsOver } from "./shop.ts"

export const { handler, sweep } = functionsOver(await openLedger())
