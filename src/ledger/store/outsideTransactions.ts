/**
 * The calls of a ledger that do not belong within a transaction or `onPayment`: all but `submit`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { withinTransaction } from "../model/LedgerArguments.js"
import type { InvalidArgument, LedgerError } from "../model/LedgerError.js"

/** The `onPayment` that a program runs in. */
class Handler extends Context.Reference<{ isOpen: boolean }>("effect-gopay/ledger/Handler", {
  defaultValue: () => ({ isOpen: false })
}) {}

/** Runs as what happens within `onPayment`, until it ends. */
export const asHandler = <A, E, R>(handler: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const scope = { isOpen: true }
    return Effect.ensuring(
      Effect.provideService(handler, Handler, scope),
      Effect.sync(() => {
        scope.isOpen = false
      })
    )
  })

/** Fails within `onPayment`. */
export const outsideHandlers: Effect.Effect<void, LedgerError<InvalidArgument>> = Effect.flatMap(
  Effect.service(Handler),
  ({ isOpen }) => (isOpen ? Effect.fail(withinTransaction()) : Effect.void)
)
