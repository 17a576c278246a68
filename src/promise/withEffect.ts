/**
 * The part of this entry that uses Effect. It is bundled into one file, next to the modules that do not: importing only
 * those does not load the other.
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
   * Reads a stored record of a change: JSON text, or a value that the store has already parsed. Unknown members are
   * left out.
   *
   * @throws TypeError if it is not a valid record; it names every wrong field, without its value
   */
  readonly parse: (json: unknown) => ChangeRecordInterface
} = /* @__PURE__ */ Object.assign({}, changeRecordConstructors, {
  parse: (json: unknown) => Result.getOrThrow(parseChangeRecord(json))
})
