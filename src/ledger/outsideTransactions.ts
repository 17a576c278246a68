/**
 * The calls of a ledger that do not belong within a transaction or `onPayment`: all but `submit`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { LedgerService } from "./LedgerService.js"
import { type InvalidArgument, LedgerError } from "./LedgerError.plain.js"

/** Why a call within a transaction is refused. */
export const withinTransaction = (): LedgerError<InvalidArgument> =>
  new LedgerError({
    reason: {
      _tag: "InvalidArgument",
      message:
        "Nothing was put down: this is a transaction or onPayment. The call would wait for it, and stay when it is rolled back. Within one, submit; call all else after it."
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

/** A ledger whose calls fail at once where `check` does. */
export const guarded = <Tx>(
  ledger: LedgerService<Tx>,
  check: Effect.Effect<void, LedgerError<InvalidArgument>>
): LedgerService<Tx> => {
  const outside =
    <Args extends ReadonlyArray<unknown>, A, E, R>(call: (...args: Args) => Effect.Effect<A, E, R>) =>
    (...args: Args): Effect.Effect<A, E | LedgerError<InvalidArgument>, R> =>
      Effect.flatMap(check, () => call(...args))
  return {
    ...ledger,
    order: outside(ledger.order),
    orderStatus: outside(ledger.orderStatus),
    verifyReturn: outside(ledger.verifyReturn),
    adopt: outside(ledger.adopt),
    migrate: Effect.andThen(check, ledger.migrate),
    refund: outside(ledger.refund),
    capture: outside(ledger.capture),
    capturePartial: outside(ledger.capturePartial),
    release: outside(ledger.release),
    outcome: outside(ledger.outcome),
    change: outside(ledger.change),
    openChanges: Effect.andThen(check, ledger.openChanges),
    attention: Effect.andThen(check, ledger.attention),
    resolve: outside(ledger.resolve),
    forget: outside(ledger.forget),
    runOnce: outside(ledger.runOnce),
    acknowledgeRefund: outside(ledger.acknowledgeRefund),
    listAcknowledgedRefunds: outside(ledger.listAcknowledgedRefunds),
    distrust: outside(ledger.distrust),
    listMerchants: Effect.andThen(check, ledger.listMerchants),
    getHealth: Effect.andThen(check, ledger.getHealth),
    pause: Effect.andThen(check, ledger.pause),
    resume: Effect.andThen(check, ledger.resume)
  }
}
