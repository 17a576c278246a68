/**
 * PostgreSQL through Prisma.
 */
import { confirming } from "./confirming.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery } from "../model/LedgerStore.js"
import { rowsOf } from "./rowsOf.js"

/** In milliseconds: more than a ledger gives a transaction. Prisma's own default is 5 seconds. */
const transactionTime = 120_000

/**
 * A store in PostgreSQL (12 or newer) through Prisma. `submit` takes what `prisma.$transaction(async (tx) => …)` hands
 * over; given the client itself it throws a `TypeError`. With `query` the ledger has connections of its own.
 *
 * @category ledger
 */
export const prismaStore = <
  Tx extends { $queryRawUnsafe(sql: string, ...values: Array<unknown>): PromiseLike<unknown> }
>(
  prisma: {
    $queryRawUnsafe(sql: string, ...values: Array<unknown>): PromiseLike<unknown>
    $transaction<A>(run: (tx: Tx) => Promise<A>, options?: { readonly timeout?: number }): Promise<A>
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: Pick<typeof prisma, "$queryRawUnsafe">): SqlQuery =>
    async (sql, values) =>
      rowsOf(await client.$queryRawUnsafe(sql, ...values))
  const queryIn = (tx: Tx): SqlQuery => {
    // Its type is that of a transaction too.
    if (Object.is(tx, prisma)) throw new TypeError("This is the client, not a transaction of prisma.$transaction.")
    return queryOf(tx)
  }
  return {
    dialect: "postgres",
    query: query ?? queryOf(prisma),
    queryIn,
    transaction: (run) => prisma.$transaction(confirming(queryIn, run), { timeout: transactionTime }),
    survivesTermination: true,
    close: async () => {}
  }
}
