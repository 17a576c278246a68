/**
 * Moves a row and calls the shop's handler with it in one transaction.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TransactionLost } from "./clientResults.js"
import type { HandlerName } from "../model/LedgerOperations.js"
import type { AttentionKind } from "../model/Attention.js"
import { type Database, type Query, type StoreError, transactionTime, unavailable } from "./Database.js"
import type { After } from "./Statements.js"
import { hour, second } from "../../basics/Milliseconds.js"

/** The shop's own handler has failed, so nothing has moved. */
export interface HandlerFailure {
  readonly _tag: "HandlerFailure"
  readonly cause: unknown
}

/** A row that moves, and the handler that is called with it. */
export interface ReportedMove<in out Tx, in out A> {
  /** The name of the handler, for messages. */
  readonly name: HandlerName
  /** Moves the row; returns nothing if another process has moved it. */
  readonly move: (query: Query) => Effect.Effect<Option.Option<A>, StoreError>
  readonly report: (tx: Tx) => Effect.Effect<unknown, unknown>
  /** Moves the row again, according to the handler's answer. */
  readonly answered?: (query: Query, after: A, answer: unknown) => Effect.Effect<Option.Option<A>, StoreError>
}

/** How often the shop's handler may fail for one event before an operator is notified. */
export const failuresUnreported = 4

/** The item of each handler when it fails. */
export const failedKinds = {
  onPayment: "OnPaymentFailed",
  onChange: "OnChangeFailed",
  onSubscription: "OnSubscriptionFailed"
} as const satisfies Record<HandlerName, AttentionKind>

/** The text of that item. */
export const handlerFails = (name: HandlerName): string =>
  `${name} fails for it: the shop does not know what became of it.`

/** The pause before a handler that has failed this often is called again. */
export const failurePause = (failures: number): After => ({ after: Math.min(10 * second * 2 ** failures, hour) })

/** In milliseconds: a handler of the shop that takes longer counts as slow. */
export const slowHandler = 100

/** The time limit of a transaction, from waiting for its connection to the answer to its COMMIT. */
const wholeTime = "2 minutes"

const handlerFailure = (cause: unknown): HandlerFailure => ({ _tag: "HandlerFailure", cause })

export const reportInTransaction = <Tx, A>(
  database: Database<Tx>,
  { answered, move, name, report }: ReportedMove<Tx, A>
): Effect.Effect<Option.Option<A>, StoreError | HandlerFailure> =>
  database
    .transaction(
      (tx) => {
        const query = database.queryIn(tx)
        const moved = move(query)
        const reported = Effect.suspend(() => report(tx)).pipe(
          Effect.catchCause((cause) => Effect.fail(handlerFailure(Cause.squash(cause))))
        )
        const ended = (after: Option.Option<A>, answer: unknown) =>
          Option.isNone(after) || answered === undefined
            ? Effect.succeed(after)
            : Effect.map(answered(query, after.value, answer), (again) => Option.orElse(again, () => after))
        // Without transactions, a move is rather reported twice than never.
        return database.hasTransactions === false
          ? Effect.flatMap(reported, (answer) => Effect.flatMap(moved, (after) => ended(after, answer)))
          : Effect.flatMap(moved, (after) =>
              Option.isNone(after) ? Effect.succeed(after) : Effect.flatMap(reported, (answer) => ended(after, answer))
            )
      },
      Effect.fail(handlerFailure(new Error(`${name} did not end within ${transactionTime}.`)))
    )
    .pipe(
      Effect.mapError((failure) =>
        // A failure in the transaction that the handler has caught.
        failure.cause instanceof TransactionLost ? handlerFailure(failure.cause) : failure
      ),
      Effect.timeoutOrElse({
        duration: wholeTime,
        orElse: () => Effect.fail(unavailable(`The ledger's store did not end a transaction in ${wholeTime}.`))
      })
    )
