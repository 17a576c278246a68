/**
 * Requests of the caller's own to API v4.
 */
import { customOperations } from "../call/CustomOperation.js"
import { customAdviceV4 } from "./ApiV4.js"
import type { ApiTypesV4 } from "./GatewayErrorV4.js"
import { operationsV4 } from "./OperationsV4.js"
import { refusalsV4 } from "./RefusalReasonV4.js"

/** Makes operations from requests to API v4. */
export const customOperationsV4 = customOperations<ApiTypesV4>({
  name: "v4.sendRequest",
  language: refusalsV4,
  operations: operationsV4,
  advice: customAdviceV4,
  recordOf: (path, sent) => ({ operation: "v4.sendRequest", path, ...sent })
})
