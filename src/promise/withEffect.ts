/**
 * What of this entry is made with Effect. It is bundled into one file, beside the modules that need none: who imports
 * only those is not given the other.
 */
export { ChangeRecord } from "./ChangeRecord.js"
export { createGatewayClient } from "./createGatewayClient.js"
