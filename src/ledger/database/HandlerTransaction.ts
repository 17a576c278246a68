/**
 * A row that moves and a handler of the shop's that is notified of it, both or neither.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Database, isTransactionLost, type Query, type StoreError, unavailable } from "./Database.js"
import * as Transaction from "./Transaction.js"

/** The shop's own handler has failed, and so nothing has moved. */
export interface HandlerFailure {
  readonly _tag: "HandlerFailure"
  readonly cause: unknown
}

/** A move of a row, and the handler. */
export interface Told<in out Tx, out A> {
  /** The name of the handler, for messages. */
  readonly name: "onPayment" | "onChange"
  /** Moves the row; nothing when another process has moved it. */
  readonly move: (query: Query) => Effect.Effect<Option.Option<A>, StoreError>
  readonly tell: (tx: Tx) => Effect.Effect<unknown, unknown>
}

/** The time that a transaction may take, from waiting for its connection to the answer to its COMMIT. */
const transactionTime = "2 minutes"

const handlerFailure = (cause: unknown): HandlerFailure => ({ _tag: "HandlerFailure", cause })

/** Moves a row and tells the shop, in one transaction. */
export const tellInTransaction = <Tx, A>(
  database: Database<Tx>,
  { move, name, tell }: Told<Tx, A>
): Effect.Effect<Option.Option<A>, StoreError | HandlerFailure> =>
  database
    .transaction(
      (tx) => {
        const moved = move(database.queryIn(tx))
        const told = Effect.catchCause(
          Effect.suspend(() => tell(tx)),
          (cause) => Effect.fail(handlerFailure(Cause.squash(cause)))
        )
        // Without a transaction it is rather told twice than never.
        return database.hasTransactions === false
          ? Effect.andThen(told, moved)
          : Effect.tap(moved, (after) => (Option.isSome(after) ? told : Effect.void))
      },
      Effect.fail(handlerFailure(new Error(`${name} did not end within ${Transaction.time}.`)))
    )
    .pipe(
      Effect.mapError((failure) =>
        failure._tag === "LedgerError" && isTransactionLost(failure) ? handlerFailure(failure.cause) : failure
      ),
      Effect.timeoutOrElse({
        duration: transactionTime,
        orElse: () => Effect.fail(unavailable(`The ledger's store did not end a transaction in ${transactionTime}.`))
      })
    )
