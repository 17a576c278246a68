/**
 * API v3 in the form that calls use.
 */
import { identity } from "effect/Function"
import type { ApiTypesV3 } from "../error/AnyReason.js"
import { type Api, tokenOperation } from "./Api.js"
import { BeforeSend } from "./BeforeSend.js"
import { unknownOutcomesV3 } from "./OnUnknownOutcome.js"
import { refusalsV3 } from "./RefusalReason.js"

/** GoPay's REST API v3. */
export const apiV3: Api<ApiTypesV3> = {
  getAccessToken: tokenOperation(refusalsV3),
  beforeSend: BeforeSend,
  unknownOutcomes: unknownOutcomesV3,
  shownToPolicy: identity,
  isPermissionDenied: ({ errors }) => errors?.[0]?.error_code === 200
}
