/**
 * The store of a ledger as programs: over a promise store, or over PostgreSQL through Effect's `SqlClient`. What runs
 * in a transaction, including the shop's handler, is committed as a whole or not at all, however long the handler takes
 * and whatever it catches.
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

/** A statement failed; whether it took effect is unknown. */
export type StoreError = LedgerError<LedgerUnavailable>

/** The failure of a statement, or of reading its rows. */
export const unavailable = (message: string, cause?: unknown): StoreError =>
  new LedgerError({ reason: { _tag: "LedgerUnavailable", message }, ...(cause === undefined ? undefined : { cause }) })

/**
 * A row was not inserted although no row like it exists: it was removed meanwhile, or its number is taken because a
 * sequence lags behind its rows.
 */
export const notRecorded = (what: string): StoreError =>
  unavailable(
    `${what} was not recorded, and none like it is there: try again. If that stays so, the sequences of the ledger's tables are behind their rows, ` +
      'since these were copied without them: "What PostgreSQL may do to it" in the documents has the statement that sets them.'
  )

/** The failure of a transaction or a statement. It may stem from an earlier statement of the same transaction. */
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
  /** Whether it has finished when it returns; then nothing may wait, not even for a time-out. */
  readonly isSynchronous?: boolean
}

/** A `LedgerStore` as programs. */
export interface Database<in out Tx> extends Pick<LedgerStore<Tx>, "dialect" | "now" | "hasTransactions" | "problem"> {
  readonly query: Query
  readonly queryIn: (tx: Tx) => Query
  /**
   * Begins a transaction, runs, and commits; rolls back if that fails. It succeeds only if everything is committed.
   *
   * A transaction that takes longer than `transactionTime` is rolled back and fails with `late`. Statements that its
   * handler still sends through `tx` are not carried out, neither in the transaction nor outside of it.
   */
  readonly transaction: <A, E>(
    run: (tx: Tx) => Effect.Effect<A, E>,
    late: Effect.Effect<never, E>
  ) => Effect.Effect<A, E | StoreError>
}

export type ReadableDatabase = Pick<Database<never>, "dialect" | "now" | "query">

/** The database, with the tables of each statement prefixed by their schema. SQLite has no schemas. */
export const withSchema = <Tx>(database: Database<Tx>, schema: string = defaultSchema): Database<Tx> => {
  if (database.dialect === "sqlite") return database
  const qualified =
    (query: Query): Query =>
    (sql, values) =>
      query(inSchema(sql, schema), values)
  return { ...database, query: qualified(database.query), queryIn: (tx) => qualified(database.queryIn(tx)) }
}

/** How long a transaction may take, including the shop's handler. */
export const transactionTime = "1 minute"

/** How long a handler that is late may keep its connection, if the server can end the connection. */
const keptTime = Duration.toMillis("10 minutes")

interface TransactionOptions {
  /**
   * Whether a returned connection would still carry out statements sent through `tx`. SQLite's stores refuse them;
   * without transactions nothing can be done.
   */
  readonly isPostgres: boolean
  readonly query: Query
  /** Whether the server may end the connection. Not every client survives that. */
  readonly canTerminate: boolean
}

/** Begins a transaction, runs a program in it, and commits; rolls back when the program fails. */
type InTransaction<out Tx> = <A, E>(program: (tx: Tx) => Effect.Effect<A, E>) => Effect.Effect<A, unknown>

/** The transactions of a database. A late one keeps its connection after its caller has continued. */
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
        // It has waited so long for a connection that its caller has given up.
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
  /** Called as soon as it is late. The connection is kept until the handler has ended. */
  readonly onLate: (exit: Exit.Exit<never, E>) => void
}

/**
 * Runs within a transaction that has begun. After success the transaction can be committed. After a failure nothing
 * more is sent through `tx`, or it is refused.
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
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK and no error. A statement would fail.
    if (isPostgres) yield* queryIn("SELECT 1", [])
    return value
  }
  const tooLate = yield* Effect.exit(late)
  if (isPostgres) yield* refuse(queryIn)
  onLate(tooLate)
  if (isPostgres) {
    // A savepoint of the handler may revive the transaction, so it is ended repeatedly.
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
 * Sets time limits for the statements of a transaction, so that none outlives it. Lower limits of the shop stay.
 * Returns the number of its connection.
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

/**
 * Makes PostgreSQL refuse further statements through `tx`: a failing statement aborts the transaction, which also
 * releases its locks.
 */
const refuse = (queryIn: Query): Effect.Effect<void> =>
  Effect.ignore(Effect.timeoutOption(queryIn("SELECT gopay_ledger_transaction_took_too_long()", []), "40 seconds"))

/** Ends the connection of a transaction that has failed. */
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
  // Leaves connections for the ledger's own statements while handlers hang.
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
 * The part of an `SqlClient` of `effect/sql` that a ledger uses. That module is not stable yet, so its own types are
 * not named here.
 */
export interface EffectSqlClient<Id, Connection> {
  /** Runs one statement. */
  readonly unsafe: (sql: string, values?: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<object>, unknown>
  /** The client without transformed names. */
  readonly withoutTransforms: () => EffectSqlClient<Id, Connection>
  /** Runs in a transaction. */
  readonly withTransaction: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, unknown, R>
  /** The transaction that a program runs in. */
  readonly transactionService: Context.Service<Id, Connection>
  /** Chooses by the dialect of the database. */
  readonly onDialectOrElse: <A>(options: { readonly pg: () => A; readonly orElse: () => A }) => A
}

/** A transaction of `sql.withTransaction`, in which programs can run. */
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
