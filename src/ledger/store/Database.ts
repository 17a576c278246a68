/**
 * The store of a ledger, as programs.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Semaphore from "effect/Semaphore"
import { outsideTransactions } from "./asyncContext.js"
import type { LedgerStore, SqlQuery, SqlQuerySync, SqlRow, SqlValue } from "../model/LedgerStore.js"
import { hasSqlState, saidBy } from "./clientResults.js"
import { StoreFailure, TransactionLost } from "../model/StoreFailure.js"
import { LedgerError, type LedgerUnavailable } from "../model/LedgerError.js"
import { inSchema } from "./TableNames.js"
import * as Transaction from "./Transaction.js"

/** The failure of a statement: whether it took effect is unknown. */
export type StoreError = LedgerError<LedgerUnavailable>

/** The failure of a statement, or of what cannot be read of its rows. */
export const unavailable = (message: string, cause?: unknown): StoreError =>
  new LedgerError({ reason: { _tag: "LedgerUnavailable", message }, ...(cause === undefined ? undefined : { cause }) })

export const storeFailed = (cause: unknown): StoreError =>
  unavailable(
    cause instanceof StoreFailure ? cause.message : failureOf(saidBy(cause)),
    cause instanceof StoreFailure && !(cause instanceof TransactionLost) ? (cause.cause ?? cause) : cause
  )

const failureOf = (said: string | undefined): string =>
  said === undefined ? "The ledger's store failed, or cannot be reached." : `The ledger's store failed: ${said}.`

/** The failure of a statement, which may be that of an earlier one in its transaction. */
export const statementFailed = (error: unknown): StoreError =>
  storeFailed(hasSqlState(error, "25P02") ? new TransactionLost(error) : error)

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

/** What reads need of a database. */
export type ReadableDatabase = Pick<Database<never>, "dialect" | "now" | "query">

export const withSchema = <Tx>(database: Database<Tx>, schema: string): Database<Tx> => {
  const qualified =
    (query: Query): Query =>
    (sql, values) =>
      query(inSchema(sql, schema), values)
  return { ...database, query: qualified(database.query), queryIn: (tx) => qualified(database.queryIn(tx)) }
}

export const fromStore = <Tx>(store: LedgerStore<Tx>): Database<Tx> => {
  const query = queryOf(store.query)
  const queryIn = (tx: Tx): Query => {
    const synchronous = store.queryInSync?.(tx)
    return synchronous === undefined ? queryOf(store.queryIn(tx)) : synchronousQuery(synchronous)
  }
  // The ledger's own statements go on while handlers hang.
  const places = Semaphore.makeUnsafe(Math.max(1, (store.connections ?? Infinity) - 1))
  const transaction = <A>(run: (tx: Tx) => Promise<A>): Promise<A> =>
    Effect.runPromise(places.withPermits(1)(Effect.promise(() => store.transaction(run))))
  const kind = store.hasTransactions === false ? "none" : store.dialect === "sqlite" ? "fenced" : "postgres"
  return {
    dialect: store.dialect,
    ...(store.now === undefined ? undefined : { now: store.now }),
    ...(store.hasTransactions === undefined ? undefined : { hasTransactions: store.hasTransactions }),
    query,
    queryIn,
    transaction: <A, E>(run: (tx: Tx) => Effect.Effect<A, E>, late: Effect.Effect<never, E>) =>
      Effect.flatMap(Effect.context<never>(), (context) =>
        Effect.callback<A, E | StoreError>((resume, signal) => {
          let failure: Cause.Cause<E | StoreError> | undefined
          const work = async (tx: Tx): Promise<A> => {
            failure = undefined
            // It has waited so long for a connection that no one waits for it any more.
            if (signal.aborted) throw new Error("The transaction was given up before it began.")
            const program = Transaction.within(run(tx), {
              kind,
              query,
              queryIn: queryIn(tx),
              canTerminate: store.survivesTermination === true,
              late,
              onLate: (cause) => resume(Effect.failCause(cause))
            })
            const exit = await outsideTransactions(() => Effect.runPromiseExitWith(context)(program))
            if (Exit.isSuccess(exit)) return exit.value
            failure = exit.cause
            // It is rolled back.
            throw Cause.squash(exit.cause)
          }
          transaction(work).then(
            (value) => resume(Effect.succeed(value)),
            (error: unknown) =>
              resume(failure === undefined ? Effect.fail(storeFailed(error)) : Effect.failCause(failure))
          )
        })
      )
  }
}

const queryOf =
  (query: SqlQuery): Query =>
  (sql, values) =>
    Effect.tryPromise({
      try: () => query(sql, values),
      catch: statementFailed
    })

const synchronousQuery = (query: SqlQuerySync): Query =>
  Object.assign(
    (...[sql, values]: Parameters<Query>) => Effect.try({ try: () => query(sql, values), catch: statementFailed }),
    { isSynchronous: true }
  )
