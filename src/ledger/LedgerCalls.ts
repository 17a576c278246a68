/**
 * The calls of a ledger, each wrapped in the same way.
 */
import * as Effect from "effect/Effect"
import type { InvalidArgument, LedgerError } from "./LedgerError.plain.js"
import type { LedgerService } from "./LedgerService.js"

/** The calls that may not be made within a transaction of the shop's. */
type Call = Exclude<keyof LedgerService, "notificationHandler" | "runWorker" | "submit">

/** Wraps a call by its name. */
export type Wrap = (
  name: Call
) => <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E | LedgerError<InvalidArgument>, R>

/** A ledger whose calls are wrapped, but `submit`, the worker and what answers notifications. */
export const wrapCalls = <Tx>(ledger: LedgerService<Tx>, wrap: Wrap): LedgerService<Tx> => {
  const wrapped =
    <Args extends ReadonlyArray<unknown>, A, E, R>(name: Call, call: (...args: Args) => Effect.Effect<A, E, R>) =>
    (...args: Args): Effect.Effect<A, E | LedgerError<InvalidArgument>, R> =>
      wrap(name)(Effect.suspend(() => call(...args)))
  return {
    ...ledger,
    acknowledgeRefund: wrapped("acknowledgeRefund", ledger.acknowledgeRefund),
    adoptCharges: wrapped("adoptCharges", ledger.adoptCharges),
    adoptPayment: wrapped("adoptPayment", ledger.adoptPayment),
    capture: wrapped("capture", ledger.capture),
    cancelSubscription: wrapped("cancelSubscription", ledger.cancelSubscription),
    capturePartial: wrapped("capturePartial", ledger.capturePartial),
    charge: wrapped("charge", ledger.charge),
    chargePeriod: wrapped("chargePeriod", ledger.chargePeriod),
    checkout: wrapped("checkout", ledger.checkout),
    createSubscription: wrapped("createSubscription", ledger.createSubscription),
    distrust: wrapped("distrust", ledger.distrust),
    eraseDetails: wrapped("eraseDetails", ledger.eraseDetails),
    getChange: wrapped("getChange", ledger.getChange),
    getHistory: wrapped("getHistory", ledger.getHistory),
    getHealth: wrap("getHealth")(ledger.getHealth),
    getMetrics: wrap("getMetrics")(ledger.getMetrics),
    getOrder: wrapped("getOrder", ledger.getOrder),
    getOutcome: wrapped("getOutcome", ledger.getOutcome),
    getSubscription: wrapped("getSubscription", ledger.getSubscription),
    listAcknowledgedRefunds: wrapped("listAcknowledgedRefunds", ledger.listAcknowledgedRefunds),
    listAttention: wrapped("listAttention", ledger.listAttention),
    listBookedOrders: wrap("listBookedOrders")(ledger.listBookedOrders),
    listSubscriptions: wrapped("listSubscriptions", ledger.listSubscriptions),
    listChanges: wrapped("listChanges", ledger.listChanges),
    listHistory: wrapped("listHistory", ledger.listHistory),
    listMerchants: wrap("listMerchants")(ledger.listMerchants),
    listPayments: wrapped("listPayments", ledger.listPayments),
    migrate: wrap("migrate")(ledger.migrate),
    pause: wrap("pause")(ledger.pause),
    refund: wrapped("refund", ledger.refund),
    release: wrapped("release", ledger.release),
    replaceCard: wrapped("replaceCard", ledger.replaceCard),
    resolveChange: wrapped("resolveChange", ledger.resolveChange),
    resolvePayment: wrapped("resolvePayment", ledger.resolvePayment),
    resume: wrap("resume")(ledger.resume),
    runOnce: wrapped("runOnce", ledger.runOnce),
    verifyReturn: wrapped("verifyReturn", ledger.verifyReturn),
    withdrawOrder: wrapped("withdrawOrder", ledger.withdrawOrder)
  }
}
