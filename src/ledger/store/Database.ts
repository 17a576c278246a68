/**
 * The store of a ledger, as programs.
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Semaphore from "effect/Semaphore"
import { withoutUndefined } from "../../contract/Nulls.js"
import { outsideTransactions } from "./asyncContext.js"
import type { LedgerStore, SqlQuery, SqlQuerySync, SqlRow, SqlValue } from "../model/LedgerStore.js"
import { hasSqlState, saidBy, StoreFailure, TransactionLost } from "./clientResults.js"
import { LedgerError, type LedgerUnavailable } from "../model/LedgerError.js"
import { inSchema } from "./Sql.js"
import * as Transaction from "./Transaction.js"

/** The failure of a statement: whether it took effect is unknown. */
export type StoreError = LedgerError<LedgerUnavailable>

/** The failure of a statement, or of what cannot be read of its rows. */
export const unavailable = (message: string, cause?: unknown): StoreError =>
  new LedgerError({ reason: { _tag: "LedgerUnavailable", message }, ...(cause === undefined ? undefined : { cause }) })

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

/** Whether a transaction was rolled back for a failure within it that was caught. */
export const isTransactionLost = ({ cause }: StoreError): boolean => cause instanceof TransactionLost

export interface Query {
  (sql: string, values: ReadonlyArray<SqlValue>): Effect.Effect<ReadonlyArray<SqlRow>, StoreError>
  /** Whether it has run when it returns: then nothing may wait, not even for its time to run out. */
  readonly isSynchronous?: boolean
}

/** A `LedgerStore` as programs; see there. */
export interface Database<in out Tx> extends Pick<LedgerStore<Tx>, "dialect" | "now" | "hasTransactions"> {
  readonly query: Query
  readonly queryIn: (tx: Tx) => Query
  /**
   * Begins a transaction, runs, and commits; rolls back when that fails. It succeeds only when all of it is committed.
   *
   * What takes longer than `Transaction.time` is rolled back and fails with `late`; nothing that it still sends through
   * `tx` is carried out, in the transaction or outside of it.
   */
  readonly transaction: <A, E>(
    run: (tx: Tx) => Effect.Effect<A, E>,
    late: Effect.Effect<never, E>
  ) => Effect.Effect<A, E | StoreError>
}

export type ReadableDatabase = Pick<Database<never>, "dialect" | "now" | "query">

export const withSchema = <Tx>(database: Database<Tx>, schema: string): Database<Tx> => {
  const qualified =
    (query: Query): Query =>
    (sql, values) =>
      query(inSchema(sql, schema), values)
  return { ...database, query: qualified(database.query), queryIn: (tx) => qualified(database.queryIn(tx)) }
}

/** Begins a transaction, runs a program in it, and commits; rolls back when the program fails. */
type InTransaction<out Tx> = <A, E>(program: (tx: Tx) => Effect.Effect<A, E>) => Effect.Effect<A, unknown>

/** The transactions of a database. What is late keeps its connection when its caller goes on. */
export const transactionsBy = <Tx>(
  inTransaction: InTransaction<Tx>,
  {
    queryIn,
    ...options
  }: Pick<Database<Tx>, "query" | "queryIn"> &
    Pick<Transaction.TransactionOptions<never, never>, "canTerminate" | "kind">
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
        const onLate = (cause: Cause.Cause<E>) => Deferred.doneUnsafe(ended, Exit.failCause(cause))
        return Transaction.within(run(tx), { ...options, queryIn: queryIn(tx), late, onLate })
      }).pipe(Effect.onError((cause) => Effect.sync(() => (failure = cause))))
    const whole = Effect.catchCause(inTransaction(program), (cause) =>
      failure === undefined ? Effect.fail(storeFailed(Cause.squash(cause))) : Effect.failCause(failure)
    )
    const ending = Effect.flatMap(Effect.exit(whole), (exit) => Deferred.done(ended, exit))
    yield* Effect.forkDetach(ending, { startImmediately: true })
    return yield* Effect.onInterrupt(Deferred.await(ended), () => Effect.sync(() => (isGivenUp = true)))
  })

export const fromStore = <Tx>(store: LedgerStore<Tx>): Database<Tx> => {
  const { dialect, hasTransactions, now } = store
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
    ...withoutUndefined({ hasTransactions, now }),
    query,
    queryIn,
    transaction: transactionsBy(inTransaction, {
      kind: hasTransactions === false ? "none" : dialect === "sqlite" ? "fenced" : "postgres",
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
