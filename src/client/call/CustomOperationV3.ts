/**
 * Requests of the caller's own to API v3.
 */
import type { ApiTypesV3 } from "../error/AnyReason.js"
import { customOperations } from "./CustomOperation.js"
import { operations } from "./Operation.js"
import { refusalsV3 } from "./RefusalReason.js"

/** Makes operations from requests to API v3. */
export const customOperationsV3 = customOperations<ApiTypesV3>({
  name: "sendRequest",
  language: refusalsV3,
  operations,
  recordOf: (path, sent) => ({ operation: "sendRequest", path, ...sent })
})
