/**
 * The options of a call of API v3.
 */
import * as Result from "effect/Result"
import { partialCapture } from "../client/call/Operation.js"
import type { ChangeRecord } from "../client/error/ChangeRecord.js"
import { callOptionReader } from "./readCallOptions.js"

/** Reads the options of every call but a capture, which has `readCaptureOptions`. */
export const readCallOptions = callOptionReader<ChangeRecord>()

/** A request instead of the options does not capture a part: `captureAuthorizationPartial` does. */
export const readCaptureOptions: typeof readCallOptions = (given) =>
  Result.mapError(readCallOptions(given), (wrong) =>
    wrong.map((problem) =>
      /^options\.(amount|items)$/.test(problem.field ?? "") ? { ...problem, message: partialCapture } : problem
    )
  )
