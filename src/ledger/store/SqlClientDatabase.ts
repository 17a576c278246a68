/**
 * PostgreSQL through Effect's `SqlClient`, without a promise in between.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { rowsOf, StoreFailure } from "./clientResults.js"
import { type Database, type Query, storeFailed, transactionsBy } from "./Database.js"

/**
 * A `SqlClient` of `effect/sql`, as far as a ledger uses it: that module is not stable yet, so its own types are not
 * named here.
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

/** A transaction of `sql.withTransaction`, to run programs in. */
export interface SqlTransaction {
  /** Runs a program in the transaction. */
  readonly run: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The transaction of a client that the program is in. @internal */
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
 * The database of an `SqlClient` of PostgreSQL. Its statements are children of the program's span and end with it, but
 * never run in the transaction of the program that calls the ledger.
 *
 * @internal
 */
export const fromSqlClient = <Id, Connection>(sql: EffectSqlClient<Id, Connection>): Database<SqlTransaction> => {
  const client = sql.withoutTransforms()
  const outside = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.updateContext(program, Context.omit(sql.transactionService))
  const unsafe: Query = (text, values) =>
    Effect.mapBoth(client.unsafe(text, values), { onFailure: storeFailed, onSuccess: rowsOf })
  const query: Query = (text, values) => outside(unsafe(text, values))
  const queryIn =
    ({ run }: SqlTransaction): Query =>
    (text, values) =>
      run(unsafe(text, values))
  const inTransaction = <A, E>(program: (tx: SqlTransaction) => Effect.Effect<A, E>): Effect.Effect<A, unknown> =>
    outside(
      sql.withTransaction(
        Effect.flatMap(transactionOf(sql), (tx): Effect.Effect<A, E | StoreFailure> =>
          tx === undefined ? Effect.fail(new StoreFailure("This SqlClient has no transactions.")) : program(tx)
        )
      )
    )
  const transaction = transactionsBy(inTransaction, { kind: "postgres", query, queryIn, canTerminate: true })
  return { dialect: "postgres", query, queryIn, transaction }
}
