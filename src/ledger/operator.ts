/**
 * What operators and auditors do with a ledger: lists, decisions, adoption, erasure, metrics, and the accountants' page.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { BookedOrder } from "../statement/BookedOrder.js"
import type { CallError, LedgerOperator, LedgerService, BooksPlace } from "./model/LedgerService.js"
import * as OperatorCalls from "./operate/OperatorCalls.js"
import { partsOf } from "./wiredLedgers.js"

export type * from "./OperatorTypes.js"
export { prometheusMetrics } from "./operate/prometheusMetrics.js"
export { makeAdminHandler } from "./admin/makeAdminHandler.js"
export type { LedgerOperator } from "./model/LedgerService.js"

/**
 * Gives an operator's calls over a ledger: lists, decisions, adoption, erasure, metrics.
 *
 * ```ts
 * const operator = makeLedgerOperator(yield* Ledger)
 * const items = yield* operator.listAttention()
 * ```
 *
 * @throws TypeError when it is no ledger that `makeLedger`, `Ledger.layer` or `PgLedger.layer` has made
 */
export const makeLedgerOperator = (ledger: Pick<LedgerService, "getHealth" | "runWorker">): LedgerOperator => {
  const { guard, parts } = partsOf(ledger)
  const { pageOfBookedOrders, ...calls } = guard(OperatorCalls.make(parts))
  return {
    ...calls,
    listBookedOrders: (options = {}) =>
      Stream.paginate<BooksPlace | undefined, BookedOrder, CallError>(undefined, (after) =>
        Effect.map(pageOfBookedOrders(options, after), ({ next, orders }) => [orders, Option.fromUndefinedOr(next)])
      )
  }
}
