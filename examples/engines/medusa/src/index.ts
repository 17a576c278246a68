export { compareWithLedger } from "./compare"
export { gopayLedger } from "./ledger"
export type { GopayOptions } from "./options"
