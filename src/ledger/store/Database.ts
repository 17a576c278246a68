/**
 * The store of a ledger, as programs: one of promises, or PostgreSQL through Effect's `SqlClient`. What runs within a
 * transaction, with the shop's handler in it, is committed as a whole or not at all, however long the handler takes and
 * whatever it catches.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { withoutUndefined } from "../../basics/Nulls.js"
import { outsideTransactions } from "./asyncContext.js"
import type { LedgerStore, SqlQuery, SqlQuerySync, SqlRow, SqlValue } from "../model/LedgerStore.js"
import { hasSqlState, rowsOf, saidBy, StoreFailure, TransactionLost } from "./clientResults.js"
import type { LedgerUnavailable } from "../model/LedgerError.js"
import { LedgerError } from "../model/YieldableLedgerError.js"
import { defaultSchema, inSchema } from "./Sql.js"

/** The failure of a statement: whether it took effect is unknown. */
export type StoreError = LedgerError<LedgerUnavailable>

/** The failure of a statement, or of what cannot be read of its rows. */
export const unavailable = (message: string, cause?: unknown): StoreError =>
  new LedgerError({ reason: { _tag: "LedgerUnavailable", message }, ...(cause === undefined ? undefined : { cause }) })

/**
 * A row was not inserted, and none like it is there: it was removed meanwhile, or its number is another row's, since a
 * sequence is behind its rows.
 */
export const notRecorded = (what: string): StoreError =>
  unavailable(
    `${what} was not recorded, and none like it is there: try again. If that stays so, the sequences of the ledger's tables are behind their rows, ` +
      'since these were copied without them: "What PostgreSQL may do to it" in the documents has the statement that sets them.'
  )

/** The failure of a statement, which may be that of an earlier one in its transaction, or of a transaction. */
export const storeFailed = (error: unknown): StoreError => {
  if (error instanceof StoreFailure) {
    return unavailable(error.message, error instanceof TransactionLost ? error : (error.cause ?? error))
  }
  if (hasSqlState(error, "25P02")) return storeFailed(new TransactionLost(error))
  const said = saidBy(error)
  return said === undefined
    ? unavailable("The ledger's store failed, or cannot be reached.", error)
    : unavailable(`The ledger's store failed: ${said}.`, error)
}

export interface Query {
  (sql: string, values: ReadonlyArray<SqlValue>): Effect.Effect<ReadonlyArray<SqlRow>, StoreError>
  /** Whether it has run when it returns: then nothing may wait, not even for its time to run out. */
  readonly isSynchronous?: boolean
}

/** A `LedgerStore` as programs; see there. */
export interface Database<in out Tx> extends Pick<LedgerStore<Tx>, "dialect" | "now" | "hasTransactions" | "problem"> {
  readonly query: Query
  readonly queryIn: (tx: Tx) => Query
  /**
   * Begins a transaction, runs, and commits; rolls back when that fails. It succeeds only when all of it is committed.
   *
   * What takes longer than `transactionTime` is rolled back and fails with `late`; nothing that it still sends through
   * `tx` is carried out, in the transaction or outside of it.
   */
  readonly transaction: <A, E>(
    run: (tx: Tx) => Effect.Effect<A, E>,
    late: Effect.Effect<never, E>
  ) => Effect.Effect<A, E | StoreError>
}

export type ReadableDatabase = Pick<Database<never>, "dialect" | "now" | "query">

/** The database, with the tables of each statement in their schema. SQLite has none. */
export const withSchema = <Tx>(database: Database<Tx>, schema: string = defaultSchema): Database<Tx> => {
  if (database.dialect === "sqlite") return database
  const qualified =
    (query: Query): Query =>
    (sql, values) =>
      query(inSchema(sql, schema), values)
  return { ...database, query: qualified(database.query), queryIn: (tx) => qualified(database.queryIn(tx)) }
}

/** How long a transaction may take, with the shop's handler. */
export const transactionTime = "1 minute"

/** How long a handler that came too late may keep its connection, where the server can take it away. */
const keptTime = Duration.toMillis("10 minutes")

interface TransactionOptions {
  /**
   * Whether a connection that was given back would carry out what is sent through `tx` after `run` has ended. SQLite's
   * stores refuse it themselves; without transactions nothing can be done.
   */
  readonly isPostgres: boolean
  readonly query: Query
  /** Whether the server may end the connection: not every client survives that. */
  readonly canTerminate: boolean
}

/** Begins a transaction, runs a program in it, and commits; rolls back when the program fails. */
type InTransaction<out Tx> = <A, E>(program: (tx: Tx) => Effect.Effect<A, E>) => Effect.Effect<A, unknown>

/** The transactions of a database. What is late keeps its connection when its caller goes on. */
const transactionsBy = <Tx>(
  inTransaction: InTransaction<Tx>,
  { queryIn, ...options }: TransactionOptions & Pick<Database<Tx>, "queryIn">
) =>
  Effect.fnUntraced(function* <A, E>(
    run: (tx: Tx) => Effect.Effect<A, E>,
    late: Effect.Effect<never, E>
  ): Effect.fn.Return<A, E | StoreError> {
    const ended = yield* Deferred.make<A, E | StoreError>()
    let isGivenUp = false
    let failure: Cause.Cause<E | StoreError> | undefined
    const program = (tx: Tx) =>
      Effect.suspend(() => {
        failure = undefined
        // It has waited so long for a connection that its caller is gone.
        if (isGivenUp) return Effect.interrupt
        const onLate = (exit: Exit.Exit<never, E>) => Deferred.doneUnsafe(ended, exit)
        return within(run(tx), { ...options, queryIn: queryIn(tx), late, onLate })
      }).pipe(Effect.onError((cause) => Effect.sync(() => (failure = cause))))
    const whole = Effect.catchCause(inTransaction(program), (cause) =>
      failure === undefined ? Effect.fail(storeFailed(Cause.squash(cause))) : Effect.failCause(failure)
    )
    const ending = Effect.flatMap(Effect.exit(whole), (exit) => Deferred.done(ended, exit))
    yield* Effect.forkDetach(ending, { startImmediately: true })
    return yield* Effect.onInterrupt(Deferred.await(ended), () => Effect.sync(() => (isGivenUp = true)))
  })

interface Within<E> extends TransactionOptions {
  readonly queryIn: Query
  readonly late: Effect.Effect<never, E>
  /** Told at once that it comes too late; the connection is kept until the handler has ended. */
  readonly onLate: (exit: Exit.Exit<never, E>) => void
}

/**
 * Runs within a transaction that was begun. When it succeeds, the transaction can be committed; when it fails, no one
 * sends anything through `tx` any more, or it is refused.
 */
export const within = Effect.fnUntraced(function* <A, E>(
  run: Effect.Effect<A, E>,
  { canTerminate, isPostgres, late, onLate, query, queryIn }: Within<E>
): Effect.fn.Return<A, E | StoreError> {
  const pid = isPostgres ? yield* limited(queryIn) : 0
  const fiber = yield* Effect.forkDetach(run)
  const ended = yield* Effect.timeoutOption(Fiber.await(fiber), transactionTime)
  if (Option.isSome(ended)) {
    const value = yield* ended.value
    // PostgreSQL answers the COMMIT of a transaction that has failed with ROLLBACK, and no error. A statement fails.
    if (isPostgres) yield* queryIn("SELECT 1", [])
    return value
  }
  const tooLate = yield* Effect.exit(late)
  if (isPostgres) yield* refuse(queryIn)
  onLate(tooLate)
  if (isPostgres) {
    // A savepoint of the handler's may bring the transaction to life again, so it is ended again and again.
    for (let waited = 0, pause = 1_000; fiber.pollUnsafe() === undefined; waited += pause) {
      yield* Effect.timeoutOption(Fiber.await(fiber), pause)
      yield* refuse(queryIn)
      if (canTerminate && waited >= keptTime && (yield* terminated(query, pid))) break
      if (waited > 60_000) pause = 20_000
    }
  }
  yield* Effect.forkDetach(Fiber.interrupt(fiber))
  return yield* tooLate
})

/**
 * Gives the statements of a transaction limits, so that none outlives it, and gives its connection's number. Lower limits
 * of the shop's stay.
 */
const limited = (queryIn: Query): Effect.Effect<number, StoreError> =>
  Effect.map(
    queryIn(
      `SELECT pg_backend_pid() AS pid, count(set_config(name, setting, true))
       FROM (VALUES ('statement_timeout', '30s'), ('lock_timeout', '5s')) AS limits (name, setting)
       WHERE current_setting(name) = '0' OR current_setting(name)::interval > setting::interval`,
      []
    ),
    ([row]) => Number(row?.["pid"])
  )

/** Makes PostgreSQL refuse what is sent through `tx` from now on: a statement fails, which frees the locks, too. */
const refuse = (queryIn: Query): Effect.Effect<void> =>
  Effect.ignore(Effect.timeoutOption(queryIn("SELECT gopay_ledger_transaction_took_too_long()", []), "40 seconds"))

/** Ends a connection whose transaction has failed. */
const terminated = (query: Query, pid: number): Effect.Effect<boolean> =>
  query(
    `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
     WHERE pid = $1 AND state = 'idle in transaction (aborted)'`,
    [pid]
  ).pipe(
    Effect.map(([row]) => row?.["ended"] === true),
    Effect.orElseSucceed(() => false)
  )

export const fromStore = <Tx>(store: LedgerStore<Tx>): Database<Tx> => {
  const { dialect, hasTransactions, now, problem } = store
  const query = queryOf(store.query)
  const queryIn = (tx: Tx): Query => {
    const synchronous = store.queryInSync?.(tx)
    return synchronous === undefined ? queryOf(store.queryIn(tx)) : synchronousQuery(synchronous)
  }
  // The ledger's own statements go on while handlers hang.
  const places = Semaphore.makeUnsafe(Math.max(1, (store.connections ?? Infinity) - 1))
  const inTransaction: InTransaction<Tx> = (program) =>
    Effect.contextWith((context: Context.Context<never>) =>
      places.withPermits(1)(
        Effect.promise(() =>
          store.transaction((tx) => outsideTransactions(() => Effect.runPromiseWith(context)(program(tx))))
        )
      )
    )
  return {
    dialect,
    ...withoutUndefined({ hasTransactions, now, problem }),
    query,
    queryIn,
    transaction: transactionsBy(inTransaction, {
      isPostgres: dialect === "postgres" && hasTransactions !== false,
      query,
      queryIn,
      canTerminate: store.survivesTermination === true
    })
  }
}

const queryOf =
  (query: SqlQuery): Query =>
  (sql, values) =>
    Effect.tryPromise({ try: () => query(sql, values), catch: storeFailed })

const synchronousQuery = (query: SqlQuerySync): Query =>
  Object.assign(
    (...[sql, values]: Parameters<Query>) => Effect.try({ try: () => query(sql, values), catch: storeFailed }),
    { isSynchronous: true }
  )

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
export const transactionOf = <Id, Connection>({
  transactionService
}: Pick<EffectSqlClient<Id, Connection>, "transactionService">): Effect.Effect<SqlTransaction | undefined> =>
  Effect.map(Effect.serviceOption(transactionService), (connection) =>
    Option.isNone(connection)
      ? undefined
      : { run: (self) => Effect.provideService(self, transactionService, connection.value) }
  )

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
  const transaction = transactionsBy(inTransaction, { isPostgres: true, query, queryIn, canTerminate: true })
  return { dialect: "postgres", query, queryIn, transaction }
}
