/**
 * What of this entry is made with Effect. It is bundled into one file, beside the modules that need none: who imports
 * only those is not given the other.
 */
import * as Result from "effect/Result"
import {
  type ChangeRecord as ChangeRecordInterface,
  type ChangeRecordConstructors,
  changeRecordConstructors
} from "../client/error/ChangeRecord.js"
import { parseChangeRecord } from "../client/error/ChangeRecordSchema.js"

export { createGatewayClient } from "./createGatewayClient.js"

/** The facts of a change that was sent: enough to look for its effect with `reconcile`, nothing personal or secret. */
export type ChangeRecord = ChangeRecordInterface

/** Makes records of changes before they are sent, and reads them back from a store. */
export const ChangeRecord: ChangeRecordConstructors & {
  /**
   * Reads the record of a change that was stored as JSON: its text, or the value that a store has parsed already.
   * Members that are not known here are left out.
   *
   * @throws TypeError when it is no such record; it names every field that is wrong, and repeats no value
   */
  readonly parse: (json: unknown) => ChangeRecordInterface
} = /* @__PURE__ */ Object.assign({}, changeRecordConstructors, {
  parse: (json: unknown) => Result.getOrThrow(parseChangeRecord(json))
})
