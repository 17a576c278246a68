/**
 * Reading records of changes back from a store, without Effect.
 */
import * as Result from "effect/Result"
import type { SentChange } from "../client/GatewayError.js"
import { describeFields } from "../api/InvalidFields.js"
import { checkSentChange } from "../client/SentChange.js"

/**
 * Reads the record of a change that was stored as JSON: its text, or the value that a store has parsed already. Members
 * that are not known here are left out.
 *
 * @throws TypeError when it is no such record; it names every field that is wrong, and repeats no value
 */
export const parseSentChange = (json: unknown): SentChange => {
  const change = checkSentChange(typeof json === "string" ? parsed(json) : json)
  if (Result.isSuccess(change)) return change.success
  throw new TypeError(`parseSentChange: this is not the record of a change: ${describeFields(change.failure)}`)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError("parseSentChange: this is not the record of a change: the text is not JSON")
  }
}
