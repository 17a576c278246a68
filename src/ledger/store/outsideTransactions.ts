/**
 * The calls of a ledger that do not belong within a transaction or `onPayment`: all but `submit`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type InvalidArgument, LedgerError } from "../model/LedgerError.js"

/** Why a call within a transaction is refused. */
export const withinTransaction = (): LedgerError<InvalidArgument> =>
  new LedgerError({
    reason: {
      _tag: "InvalidArgument",
      message:
        "Nothing was recorded: this is a transaction or onPayment. The call would wait for it, and stay when it is rolled back. Within one, submit; call all else after it."
    }
  })

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
