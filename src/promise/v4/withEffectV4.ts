/**
 * What of the entry of API v4 is made with Effect. It is bundled into one file, beside the modules that need none.
 */
import {
  changeRecordConstructorsV4,
  type ChangeRecordConstructorsV4,
  parseChangeRecordV4
} from "../../client/v4/ChangeRecordV4.js"
import type { ChangeRecordV4 as ChangeRecordInterface } from "../../client/v4/ChangeRecordV4.js"

export { createGatewayClientV4 as createGatewayClient } from "./createGatewayClientV4.js"

/** The facts of a change of API v4: enough to look for its effect with `reconcile`, nothing personal or secret. */
export type ChangeRecordV4 = ChangeRecordInterface

/** Makes records of changes of API v4 before they are sent, and reads them back from a store. */
export const ChangeRecordV4: ChangeRecordConstructorsV4 & {
  /**
   * Reads the record of a change that was stored as JSON: its text, or the value that a store has parsed already.
   *
   * @throws TypeError when it is no such record; it names every field that is wrong, and repeats no value
   */
  readonly parse: (json: unknown) => ChangeRecordInterface
} = /* @__PURE__ */ Object.assign({}, changeRecordConstructorsV4, { parse: parseChangeRecordV4 })
