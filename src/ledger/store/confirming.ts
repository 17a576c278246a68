/**
 * Transactions of PostgreSQL that are committed only when nothing in them has failed.
 */
import { inTransaction } from "./asyncContext.js"
import type { LedgerStore } from "../model/LedgerStore.js"
import { hasSqlState } from "./sqlState.js"
import { TransactionLost } from "../model/StoreFailure.js"

/**
 * Runs, and then one statement more: PostgreSQL answers the `COMMIT` of a transaction in which a statement has failed with
 * `ROLLBACK`, and most clients take that for a commit. A statement fails.
 */
export const confirming =
  <Tx, A>(queryIn: LedgerStore<Tx>["queryIn"], run: (tx: Tx) => Promise<A>) =>
  async (tx: Tx): Promise<A> => {
    const result = await inTransaction(() => run(tx))
    try {
      await queryIn(tx)("SELECT 1", [])
    } catch (error) {
      throw hasSqlState(error, "25P02") ? new TransactionLost(error) : error
    }
    return result
  }
