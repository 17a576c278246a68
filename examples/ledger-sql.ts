/**
 * A refund that is submitted in a transaction of Effect's `SqlClient`.
 */
import { Effect } from "effect"
import { PgLedger } from "effect-gopay/ledger"
import { SqlClient } from "effect/sql"

export const settleComplaint = (paymentId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ledger = yield* PgLedger
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`UPDATE complaint SET settled = 1 WHERE id = '78'`
        yield* ledger.submit("complaint-78", { refund: paymentId, amount: 50_000 })
      })
    )
  })

export const ledgerLive = PgLedger.layerWorker({ sql: SqlClient.SqlClient, migrate: true })

/** A ledger whose handler writes through the shop's own client. */
export const ledgerWithHandler = PgLedger.layerWorker({
  sql: SqlClient.SqlClient,
  onPayment: ({ order, status }) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE shop_order SET status = ${status} WHERE number = ${order.orderNumber}`
    )
})
