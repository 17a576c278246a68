/**
 * PostgreSQL through Effect's `SqlClient`, without a promise in between.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { rowsOf } from "./clientResults.js"
import { type Database, type Query, statementFailed, type StoreError } from "./Database.js"
import * as Transaction from "./Transaction.js"

/**
 * A `SqlClient` of `effect/sql`, as far as a ledger uses it: that module is not stable yet, so its own types are not
 * named here.
 *
 * @category ledger
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
 */
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
 * @throws TypeError when the client is of another database
 *
 * @internal
 */
export const fromSqlClient = <Id, Connection>(sql: EffectSqlClient<Id, Connection>): Database<SqlTransaction> => {
  if (!sql.onDialectOrElse({ pg: () => true, orElse: () => false })) {
    throw new TypeError("PgLedger: this SqlClient is not of PostgreSQL. For SQLite there is fileStore.")
  }
  const client = sql.withoutTransforms()
  const outside = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.updateContext(program, Context.omit(sql.transactionService))
  const unsafe: Query = (text, values) =>
    Effect.mapBoth(client.unsafe(text, values), { onFailure: statementFailed, onSuccess: rowsOf })
  const query: Query = (text, values) => outside(unsafe(text, values))
  const queryIn =
    ({ run }: SqlTransaction): Query =>
    (text, values) =>
      run(unsafe(text, values))

  return {
    dialect: "postgres",
    query,
    queryIn,
    transaction: Effect.fnUntraced(function* <A, E>(
      run: (tx: SqlTransaction) => Effect.Effect<A, E>,
      late: Effect.Effect<never, E>
    ) {
      const ended = yield* Deferred.make<A, E | StoreError>()
      const transaction = { isGivenUp: false }
      const work = Effect.flatMap(transactionOf(sql), (tx) => {
        if (tx === undefined) return Effect.die(new Error("This SqlClient has no transactions."))
        // It has waited so long for a connection that its caller is gone.
        if (transaction.isGivenUp) return Effect.interrupt
        return Transaction.within(run(tx), {
          kind: "postgres",
          query,
          queryIn: queryIn(tx),
          canTerminate: true,
          late,
          onLate: (cause) => Deferred.doneUnsafe(ended, Exit.failCause(cause))
        })
      })
      // What is late keeps its connection when the caller goes on.
      yield* Effect.forkDetach(
        Effect.flatMap(Effect.exit(rolledBackWith(sql.withTransaction, outside, work)), (exit) =>
          Deferred.done(ended, exit)
        )
      )
      return yield* Effect.onInterrupt(Deferred.await(ended), () =>
        Effect.sync(() => {
          transaction.isGivenUp = true
        })
      )
    })
  }
}

/** Runs in a transaction that fails with the failure for which it was rolled back, or with that of the store. */
const rolledBackWith = <A, E>(
  withTransaction: EffectSqlClient<never, never>["withTransaction"],
  outside: <A1, E1>(program: Effect.Effect<A1, E1>) => Effect.Effect<A1, E1>,
  work: Effect.Effect<A, E>
): Effect.Effect<A, E | StoreError> =>
  Effect.suspend(() => {
    let failure: Cause.Cause<E> | undefined
    const kept = Effect.onError(work, (cause) =>
      Effect.sync(() => {
        failure = cause
      })
    )
    return Effect.catchCause(outside(withTransaction(kept)), (cause): Effect.Effect<never, E | StoreError> =>
      failure === undefined ? Effect.fail(statementFailed(Cause.squash(cause))) : Effect.failCause(failure)
    )
  })
