/**
 * What runs within a transaction of the ledger's, with the shop's handler in it: it is committed as a whole or not at
 * all, however long the handler takes and whatever it catches.
 */
import type * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { SqlRow, SqlValue } from "../model/LedgerStore.js"

type Query<S> = (sql: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<ReadonlyArray<SqlRow>, S>

/** How long a transaction may take, with the shop's handler. */
export const time = "1 minute"

/** How long a handler that came too late may keep its connection, where the server can take it away. */
const keptTime = Duration.toMillis("10 minutes")

export interface TransactionOptions<in out E, out S> {
  /**
   * What becomes of a statement that is sent through `tx` after `run` has ended: `fenced` stores refuse it themselves; in
   * PostgreSQL a connection that was given back would carry it out; without transactions nothing can be done.
   */
  readonly kind: "fenced" | "postgres" | "none"
  readonly query: Query<S>
  readonly queryIn: Query<S>
  /** Whether the server may end the connection: not every client survives that. */
  readonly canTerminate: boolean
  readonly late: Effect.Effect<never, E>
  /** Told at once that it comes too late; the connection is kept until the handler has ended. */
  readonly onLate: (cause: Cause.Cause<E>) => void
}

/**
 * Runs within a transaction that was begun. When it succeeds, the transaction can be committed; when it fails, no one
 * sends anything through `tx` any more, or it is refused.
 */
export const within = Effect.fnUntraced(function* <A, E, S>(
  run: Effect.Effect<A, E>,
  { canTerminate, kind, late, onLate, query, queryIn }: TransactionOptions<E, S>
): Effect.fn.Return<A, E | S> {
  const pid = kind === "postgres" ? yield* limited(queryIn) : 0
  const fiber = yield* Effect.forkDetach(run)
  const ended = yield* Effect.timeoutOption(Fiber.await(fiber), time)
  if (Option.isSome(ended)) {
    const value = yield* ended.value
    // PostgreSQL answers the COMMIT of a transaction that has failed with ROLLBACK, and no error. A statement fails.
    if (kind === "postgres") yield* queryIn("SELECT 1", [])
    return value
  }
  const tooLate = yield* Effect.exit(late)
  if (kind === "postgres") yield* refuse(queryIn)
  if (Exit.isFailure(tooLate)) onLate(tooLate.cause)
  if (kind === "postgres") {
    // A savepoint of the handler's may bring the transaction to life again, so it is ended again and again.
    let pause = 1_000
    for (let waited = 0; fiber.pollUnsafe() === undefined; waited += pause) {
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
 * Gives the statements of a transaction limits, so that none outlives it, and tells its connection's number. Lower limits
 * of the shop's stay.
 */
const limited = <S>(queryIn: Query<S>): Effect.Effect<number, S> =>
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
const refuse = (queryIn: Query<unknown>): Effect.Effect<void> =>
  Effect.ignore(Effect.timeoutOption(queryIn("SELECT gopay_ledger_transaction_took_too_long()", []), "40 seconds"))

/** Ends a connection whose transaction has failed. */
const terminated = (query: Query<unknown>, pid: number): Effect.Effect<boolean> =>
  query(
    `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
     WHERE pid = $1 AND state = 'idle in transaction (aborted)'`,
    [pid]
  ).pipe(
    Effect.map(([row]) => row?.["ended"] === true),
    Effect.orElseSucceed(() => false)
  )
