/**
 * The store of a ledger, as programs.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { LedgerStore, SqlQuery, SqlRow, SqlValue } from "../store/LedgerStore.plain.js"
import { StoreFailure } from "../store/StoreFailure.plain.js"
import { LedgerError, type LedgerUnavailable } from "./LedgerError.plain.js"

/** The failure of a statement: whether it took effect is unknown. */
export type StoreError = LedgerError<LedgerUnavailable>

/** The failure of a statement, or of what cannot be read of its rows. */
export const unavailable = (message: string, cause?: unknown): StoreError =>
  new LedgerError({ reason: { _tag: "LedgerUnavailable", message }, ...(cause === undefined ? undefined : { cause }) })

/** A failure of the store itself. */
export const storeFailed = (cause: unknown): StoreError =>
  unavailable(
    cause instanceof StoreFailure ? cause.message : "The ledger's store failed, or cannot be reached.",
    cause instanceof StoreFailure ? (cause.cause ?? cause) : cause
  )

/** Runs one statement. */
export type Query = (sql: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<ReadonlyArray<SqlRow>, StoreError>

/** A `LedgerStore` as programs; see there. */
export interface Database<in out Tx> extends Pick<LedgerStore<Tx>, "dialect" | "now" | "hasTransactions"> {
  readonly query: Query
  readonly queryIn: (tx: Tx) => Query
  /** Begins a transaction, runs, and commits; rolls back when that fails. */
  readonly transaction: <A, E>(run: (tx: Tx) => Effect.Effect<A, E>) => Effect.Effect<A, E | StoreError>
}

/** The database of a store. */
export const fromStore = <Tx>(store: LedgerStore<Tx>): Database<Tx> => ({
  dialect: store.dialect,
  ...(store.now === undefined ? undefined : { now: store.now }),
  ...(store.hasTransactions === undefined ? undefined : { hasTransactions: store.hasTransactions }),
  query: queryOf(store.query),
  queryIn: (tx) => queryOf(store.queryIn(tx)),
  transaction: <A, E>(run: (tx: Tx) => Effect.Effect<A, E>) =>
    Effect.flatMap(Effect.context<never>(), (context) => {
      let failure: Cause.Cause<E> | undefined
      return Effect.catch(
        Effect.tryPromise({
          try: () =>
            store.transaction(async (tx) => {
              failure = undefined
              const exit = await Effect.runPromiseExitWith(context)(run(tx))
              if (Exit.isSuccess(exit)) return exit.value
              failure = exit.cause
              // It is rolled back.
              throw Cause.squash(exit.cause)
            }),
          catch: storeFailed
        }),
        (failed): Effect.Effect<never, E | StoreError> =>
          failure === undefined ? Effect.fail(failed) : Effect.failCause(failure)
      )
    })
})

const queryOf =
  (query: SqlQuery): Query =>
  (sql, values) =>
    Effect.tryPromise({ try: () => query(sql, values), catch: storeFailed })
