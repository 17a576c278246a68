/**
 * The part of the entry of API v4 that uses Effect. It is bundled into one file, next to the modules that do not.
 */
import * as Result from "effect/Result"
import {
  changeRecordConstructorsV4,
  type ChangeRecordConstructorsV4,
  readChangeRecordV4
} from "../../client/v4/ChangeRecordV4.js"
import type { ChangeRecordV4 as ChangeRecordInterface } from "../../client/v4/ChangeRecordV4.js"

export { createGatewayClientV4 as createGatewayClient } from "./createGatewayClientV4.js"

/** The facts of a change of API v4: enough to look for its effect with `reconcile`, nothing personal or secret. */
export type ChangeRecordV4 = ChangeRecordInterface

/** Makes records of changes of API v4 before they are sent, and reads them back from a store. */
export const ChangeRecordV4: ChangeRecordConstructorsV4 & {
  /**
   * Reads a stored record of a change: JSON text, or a value that the store has already parsed.
   *
   * @throws TypeError if it is not a valid record; it names every wrong field, without its value
   */
  readonly parse: (json: unknown) => ChangeRecordInterface
} = /* @__PURE__ */ Object.assign({}, changeRecordConstructorsV4, {
  parse: (json: unknown) => Result.getOrThrow(readChangeRecordV4(json))
})
