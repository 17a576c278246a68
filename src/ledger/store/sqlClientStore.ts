/**
 * PostgreSQL through Effect's `SqlClient`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { confirming } from "./confirming.plain.js"
import type { LedgerStore, SqlQuery } from "./LedgerStore.plain.js"
import { rowsOf } from "./rowsOf.plain.js"

/**
 * A `SqlClient` of `effect/sql`, as far as a ledger uses it: that module is not stable yet, so its own types are not
 * named here.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface EffectSqlClient<Id, Connection> {
  /** Runs one statement. */
  readonly unsafe: (sql: string, values?: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<object>, unknown>
  /** The same without transformed names. */
  readonly withoutTransforms: () => EffectSqlClient<Id, Connection>
  /** Runs in a transaction. */
  readonly withTransaction: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, unknown, R>
  /** The transaction that a program runs in. */
  readonly transactionService: Context.Service<Id, Connection>
  /** Chooses by the database. */
  readonly onDialectOrElse: <A>(options: { readonly pg: () => A; readonly orElse: () => A }) => A
}

/**
 * A transaction of `sql.withTransaction`, to run programs in.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SqlTransaction {
  /** Runs a program in the transaction. */
  readonly run: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The transaction of a client that the program is in. */
export const transactionOf = <Id, Connection>(
  client: Pick<EffectSqlClient<Id, Connection>, "transactionService">
): Effect.Effect<SqlTransaction | undefined> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const { transactionService } = client
    const connection = Context.getOption(context, transactionService)
    return Effect.succeed(
      connection._tag === "None"
        ? undefined
        : { run: (self) => Effect.provideService(self, transactionService, connection.value) }
    )
  })

/**
 * A store in PostgreSQL (12 or newer) over an `SqlClient` of Effect, such as that of `@effect/sql-pg`. `PgLedger` makes
 * it by itself. The ledger's own statements never run in the transaction of the program that calls it.
 *
 * @throws TypeError when the client is of another database
 * @category ledger
 * @since 0.1.0
 */
export const sqlClientStore = <Id, Connection>(sql: EffectSqlClient<Id, Connection>): LedgerStore<SqlTransaction> => {
  if (!sql.onDialectOrElse({ pg: () => true, orElse: () => false })) {
    throw new TypeError("sqlClientStore: this SqlClient is not of PostgreSQL. For SQLite there is fileStore.")
  }
  const client = sql.withoutTransforms()
  const queryIn =
    ({ run }: SqlTransaction): SqlQuery =>
    async (text, values) =>
      rowsOf(await Effect.runPromise(run(client.unsafe(text, values))))
  return {
    dialect: "postgres",
    // A program of its own: it has no transaction.
    query: async (text, values) => rowsOf(await Effect.runPromise(client.unsafe(text, values))),
    queryIn,
    transaction: (work) =>
      Effect.runPromise(
        sql.withTransaction(
          Effect.flatMap(transactionOf(sql), (tx) =>
            tx === undefined
              ? Effect.die(new Error("This SqlClient has no transactions."))
              : Effect.tryPromise({ try: () => confirming(queryIn, work)(tx), catch: (error) => error })
          )
        )
      ),
    survivesTermination: true,
    close: async () => {}
  }
}
