/**
 * An operator of a ledger, for callers who do not use Effect.
 */
import type { BooksPlace } from "../model/LedgerService.js"
import * as OperatorCalls from "../operate/OperatorCalls.js"
import { partsOf } from "../wiredLedgers.js"
import { promisesOf } from "./PromiseCalls.js"
import type { Ledger, LedgerOperator, OperatorPromises } from "./Ledger.js"

/**
 * Gives an operator's calls over a ledger: lists, decisions, adoption, erasure, metrics.
 *
 * ```ts
 * const operator = createLedgerOperator(ledger)
 * for (const item of await operator.listAttention()) console.log(item.message)
 * ```
 *
 * @throws TypeError when it is no ledger that `createLedger` has made
 * @category ledger
 */
export const createLedgerOperator = (ledger: Pick<Ledger<never>, "getHealth" | "startWorker">): LedgerOperator => {
  const { guard, parts, run } = partsOf(ledger)
  if (run === undefined)
    throw new TypeError("An operator is made from a ledger of createLedger, with the same version.")
  const { pageOfBookedOrders, ...calls } = guard(OperatorCalls.make(parts))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parameters and the result of a promise are its call's
  const promises = promisesOf(calls, run) as OperatorPromises
  return {
    ...promises,
    listBookedOrders: async function* (options = {}) {
      for (let after: BooksPlace | undefined; ;) {
        const { next, orders } = await run(pageOfBookedOrders(options, after))
        yield* orders
        if (next === undefined) return
        after = next
      }
    }
  }
}
